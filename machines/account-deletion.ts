/** Deleting the account, with the password. Decision 32. */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import { type RequestFailed, requestFailed } from "./call-error.ts";
import {
  type Failed,
  fieldErrorOf,
  formEvents,
  type FormEvent,
  confirmationError,
  type Confirmation,
  type ConfirmationError,
  sentForm,
  showFieldErrorIn,
  submitting,
} from "./form.ts";
import { waitingDelays } from "./slow-request.ts";

export type AccountDeletionPorts = { deleteAccount: PromiseActorLogic<void, Confirmation> };

/** The API ended the account, and every session of it. */
export type AccountDeletionEmitted = { type: "account.deleted" } | RequestFailed;

export const accountDeletionMachine = setup({
  types: {
    context: {} as { formError: ConfirmationError | null },
    events: {} as FormEvent<Confirmation>,
    emitted: {} as AccountDeletionEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as AccountDeletionPorts,
  delays: waitingDelays,
  guards: { isComplete: (_, form: Confirmation) => confirmationError(form) === null },
  actions: {
    judge: assign({ formError: (_, form: Confirmation) => confirmationError(form) }),
    keepFieldError: assign({ formError: (_, failed: Failed) => fieldErrorOf(failed, ["password"]) }),
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
    confirming: { on: formEvents("deleting") },
    deleting: {
      ...submitting("confirming"),
      invoke: {
        id: "deleteAccount",
        src: "deleteAccount",
        input: sentForm,
        onDone: { target: "deleted", actions: "announceDeleted" },
        onError: showFieldErrorIn("confirming"),
      },
    },
    // Until the next screen is shown.
    deleted: { tags: "busy" },
  },
});
