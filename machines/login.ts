/** Logging in: two fields, one call. Specification, sections 2, 4 and 5 ("Login"). */
import { assertEvent, assign, emit, setup, type PromiseActorLogic } from "xstate";
import { failureMet, failureOf, type FailureMet } from "./failure.ts";
import { secret } from "./secret.ts";
import { waiting, waitingDelays } from "./waiting.ts";

export type Credentials = { account_name: string; password: string };

/** The fields that are still to be filled in, in the order of the form. */
const missingIn = ({ account_name, password }: Credentials): (keyof Credentials)[] => [
  ...(account_name.trim() === "" ? (["account_name"] as const) : []),
  ...(password === "" ? (["password"] as const) : []),
];

export type LoginPorts = {
  /** Asks once; the answer is the account's name as the API shows it. */
  logIn: PromiseActorLogic<{ accountName: string }, Credentials>;
};

type LoginEvent =
  | ({ type: "form.submitted" } & Credentials)
  | { type: "form.edited" }
  | { type: "secret.toggled" }
  | { type: "waiting.dropped" };

export type LoginEmitted = { type: "login.succeeded"; accountName: string } | FailureMet;

export const loginMachine = setup({
  types: {
    context: {} as { missing: readonly (keyof Credentials)[] },
    events: {} as LoginEvent,
    emitted: {} as LoginEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as LoginPorts,
  delays: waitingDelays,
  guards: {
    isComplete: (_, credentials: Credentials) => missingIn(credentials).length === 0,
  },
  actions: {
    markMissing: assign({ missing: (_, credentials: Credentials) => missingIn(credentials) }),
    clearMarks: assign({ missing: [] }),
    announceLogin: emit((_, { accountName }: { accountName: string }) => ({
      type: "login.succeeded" as const,
      accountName,
    })),
    announceFailure: emit(failureMet),
  },
}).createMachine({
  id: "login",
  type: "parallel",
  context: { missing: [] },
  states: {
    secret,
    form: {
      initial: "editing",
      states: {
        editing: {
          on: {
            "form.edited": { actions: "clearMarks" },
            "form.submitted": [
              {
                guard: { type: "isComplete", params: ({ event }) => event },
                target: "submitting",
                actions: "clearMarks",
              },
              { actions: { type: "markMissing", params: ({ event }) => event } },
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
            onError: {
              target: "editing",
              actions: {
                type: "announceFailure",
                params: ({ event }) => ({ failure: failureOf(event.error) }),
              },
            },
          },
          ...waiting,
          on: { "waiting.dropped": "editing" },
        },
        done: {},
      },
    },
  },
});
