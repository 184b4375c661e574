/** Deleting the account, with the password. Decision 32. */
import { assertEvent, assign, emit, setup, type PromiseActorLogic } from "xstate";
import { type CallError, type RequestFailed, requestFailed, showFieldErrorIn } from "./call-error.ts";
import { fieldErrorOf, type FieldError } from "./field-error.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

export type AccountDeletionPorts = { deleteAccount: PromiseActorLogic<void, { password: string }> };

type AccountDeletionEvent =
  { type: "form.submitted"; password: string } | { type: "form.edited" } | { type: "cancel" };

/** The API ended the account, and every session of it. */
export type AccountDeletionEmitted = { type: "account.deleted" } | RequestFailed;

type DeletionError = { kind: "passwordMissing"; fields: readonly ["password"] } | FieldError<"password">;

export const accountDeletionMachine = setup({
  types: {
    context: {} as { formError: DeletionError | null },
    events: {} as AccountDeletionEvent,
    emitted: {} as AccountDeletionEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as AccountDeletionPorts,
  delays: waitingDelays,
  guards: { isComplete: (_, { password }: { password: string }) => password !== "" },
  actions: {
    missPassword: assign({ formError: { kind: "passwordMissing", fields: ["password"] } }),
    keepFieldError: assign({
      formError: (_, { error }: { error: CallError }) => fieldErrorOf(error, ["password"]),
    }),
    clearFormError: assign({ formError: null }),
    announceDeleted: emit({ type: "account.deleted" }),
    announceError: emit(requestFailed),
  },
}).createMachine({
  id: "accountDeletion",
  context: { formError: null },
  initial: "confirming",
  states: {
    // The password confirms that it is the member, not someone who found an open session.
    confirming: {
      on: {
        "form.edited": { actions: "clearFormError" },
        "form.submitted": [
          {
            guard: { type: "isComplete", params: ({ event }) => event },
            target: "deleting",
            actions: "clearFormError",
          },
          { actions: "missPassword" },
        ],
      },
    },
    deleting: {
      tags: "busy",
      invoke: {
        id: "deleteAccount",
        src: "deleteAccount",
        input: ({ event }) => {
          assertEvent(event, "form.submitted");
          return { password: event.password };
        },
        onDone: { target: "deleted", actions: "announceDeleted" },
        onError: showFieldErrorIn("confirming"),
      },
      ...waiting,
      on: { cancel: "confirming" },
    },
    // Until the next screen is shown.
    deleted: { tags: "busy" },
  },
});
