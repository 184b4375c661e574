/** Logging in: two fields, one request. Specification, sections 2, 4 and 5 ("Login"). */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import { type RequestFailed, requestFailed, outputOf } from "./call-error.ts";
import {
  fieldErrorOf,
  formEvents,
  sentForm,
  showFieldErrorIn,
  submitting,
  type Failed,
  type FieldError,
  type FormEvent,
} from "./form.ts";
import { secret } from "./password-visibility.ts";
import { waitingDelays } from "./slow-request.ts";

export type Credentials = { account_name: string; password: string };

/** The form's error: the empty fields, in the form's order, or the API's error. */
export type LoginError =
  { kind: "missing"; fields: readonly (keyof Credentials)[] } | FieldError<keyof Credentials>;

function loginError({ account_name, password }: Credentials): LoginError | null {
  const fields = [
    ...(account_name.trim() === "" ? (["account_name"] as const) : []),
    ...(password === "" ? (["password"] as const) : []),
  ];
  return fields.length > 0 ? { kind: "missing", fields } : null;
}

export type LoginPorts = {
  /** One request; resolves with the account's name as the API shows it. */
  logIn: PromiseActorLogic<{ accountName: string }, Credentials>;
};

export type LoginEmitted = { type: "login.succeeded"; accountName: string } | RequestFailed;

export const loginMachine = setup({
  types: {
    context: {} as { formError: LoginError | null },
    events: {} as FormEvent<Credentials> | { type: "secret.toggled" },
    emitted: {} as LoginEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as LoginPorts,
  delays: waitingDelays,
  guards: { isComplete: (_, form: Credentials) => loginError(form) === null },
  actions: {
    judge: assign({ formError: (_, form: Credentials) => loginError(form) }),
    keepFieldError: assign({
      formError: (_, failed: Failed) => fieldErrorOf(failed, ["account_name", "password"]),
    }),
    clearFormError: assign({ formError: null }),
    announceLogin: emit((_, { accountName }: { accountName: string }) => ({
      type: "login.succeeded" as const,
      accountName,
    })),
    announceError: emit(requestFailed),
  },
}).createMachine({
  id: "login",
  type: "parallel",
  context: { formError: null },
  states: {
    secret,
    form: {
      initial: "editing",
      states: {
        // Left, the form is kept, but not what the API said: the language may be another by then.
        editing: { on: { ...formEvents("submitting"), cancel: { actions: "clearFormError" } } },
        submitting: {
          ...submitting("editing"),
          invoke: {
            id: "logIn",
            src: "logIn",
            input: ({ event }) => {
              const { account_name, password } = sentForm({ event });
              return { account_name: account_name.trim(), password };
            },
            onDone: {
              target: "done",
              actions: { type: "announceLogin", params: outputOf },
            },
            onError: showFieldErrorIn("editing"),
          },
        },
        // Until the next screen is shown.
        done: { tags: "busy" },
      },
    },
  },
});
