/** Logging in: two fields, one request. Specification, sections 2, 4 and 5 ("Login"). */
import { assertEvent, assign, emit, setup, type PromiseActorLogic } from "xstate";
import { type Failure, type RequestFailed, requestFailed, showRefusalIn } from "./failure.ts";
import { fieldRefused, type FieldRefused } from "./field-refused.ts";
import { secret } from "./password-visibility.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

export type Credentials = { account_name: string; password: string };

/** The form's error: the empty fields, in the form's order, or the API's refusal. */
export type LoginFault =
  { kind: "missing"; fields: readonly (keyof Credentials)[] } | FieldRefused<keyof Credentials>;

function loginFault({ account_name, password }: Credentials): LoginFault | null {
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
    context: {} as { fault: LoginFault | null },
    events: {} as LoginEvent,
    emitted: {} as LoginEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as LoginPorts,
  delays: waitingDelays,
  guards: {
    isComplete: (_, credentials: Credentials) => loginFault(credentials) === null,
  },
  actions: {
    judge: assign({ fault: (_, credentials: Credentials) => loginFault(credentials) }),
    keepRefusal: assign({
      fault: (_, { failure }: { failure: Failure }) => fieldRefused(failure, ["account_name", "password"]),
    }),
    clearFault: assign({ fault: null }),
    announceLogin: emit((_, { accountName }: { accountName: string }) => ({
      type: "login.succeeded" as const,
      accountName,
    })),
    announceFailure: emit(requestFailed),
  },
}).createMachine({
  id: "login",
  type: "parallel",
  context: { fault: null },
  states: {
    secret,
    form: {
      initial: "editing",
      states: {
        editing: {
          on: {
            "form.edited": { actions: "clearFault" },
            "form.submitted": [
              {
                guard: { type: "isComplete", params: ({ event }) => event },
                target: "submitting",
                actions: "clearFault",
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
            onError: showRefusalIn("editing"),
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
