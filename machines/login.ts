/** Logging in: two fields, one request. Specification, sections 2, 4 and 5 ("Login"). */
import { assertEvent, assign, emit, setup, type PromiseActorLogic } from "xstate";
import { type CallError, type RequestFailed, requestFailed, showFieldErrorIn } from "./call-error.ts";
import { fieldErrorOf, type FieldError } from "./field-error.ts";
import { secret } from "./password-visibility.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

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

type LoginEvent =
  | ({ type: "form.submitted" } & Credentials)
  | { type: "form.edited" }
  | { type: "secret.toggled" }
  | { type: "cancel" };

export type LoginEmitted = { type: "login.succeeded"; accountName: string } | RequestFailed;

export const loginMachine = setup({
  types: {
    context: {} as { formError: LoginError | null },
    events: {} as LoginEvent,
    emitted: {} as LoginEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as LoginPorts,
  delays: waitingDelays,
  guards: {
    isComplete: (_, credentials: Credentials) => loginError(credentials) === null,
  },
  actions: {
    judge: assign({ formError: (_, credentials: Credentials) => loginError(credentials) }),
    keepFieldError: assign({
      formError: (_, { error }: { error: CallError }) => fieldErrorOf(error, ["account_name", "password"]),
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
        editing: {
          on: {
            "form.edited": { actions: "clearFormError" },
            "form.submitted": [
              {
                guard: { type: "isComplete", params: ({ event }) => event },
                target: "submitting",
                actions: "clearFormError",
              },
              { actions: { type: "judge", params: ({ event }) => event } },
            ],
          },
        },
        submitting: {
          tags: "busy",
          invoke: {
            id: "logIn",
            src: "logIn",
            input: ({ event }) => {
              assertEvent(event, "form.submitted");
              return { account_name: event.account_name.trim(), password: event.password };
            },
            onDone: {
              target: "done",
              actions: { type: "announceLogin", params: ({ event }) => event.output },
            },
            onError: showFieldErrorIn("editing"),
          },
          ...waiting,
          on: { cancel: "editing" },
        },
        // Until the next screen is shown.
        done: { tags: "busy" },
      },
    },
  },
});
