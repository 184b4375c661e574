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
  mayBeDone,
  sentForm,
  showEndingErrorIn,
  submitting,
} from "./form.ts";
import type { EndingRefused, EndingSent } from "./session.ts";
import { waitingDelays } from "./slow-request.ts";

export type AccountDeletionPorts = {
  deleteAccount: PromiseActorLogic<void, Confirmation>;
};

export type AccountDeletionEmitted =
  /** The API ended the account, and every session of it. */
  { type: "account.deleted" } | EndingSent | EndingRefused | RequestFailed;

export const accountDeletionMachine = setup({
  types: {
    context: {} as {
      formError: ConfirmationError | null;
    },
    events: {} as FormEvent<Confirmation>,
    emitted: {} as AccountDeletionEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as AccountDeletionPorts,
  delays: waitingDelays,
  guards: { isComplete: (_, form: Confirmation) => confirmationError(form) === null, mayBeDone },
  actions: {
    judge: assign({ formError: (_, form: Confirmation) => confirmationError(form) }),
    keepFieldError: assign({ formError: (_, failed: Failed) => fieldErrorOf(failed, ["password"]) }),
    clearFormError: assign({ formError: null }),
    announceDeleted: emit({ type: "account.deleted" }),
    announceSent: emit({ type: "ending.sent", ending: "account" }),
    announceRefused: emit({ type: "ending.refused" }),
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
      entry: "announceSent",
      invoke: {
        id: "deleteAccount",
        src: "deleteAccount",
        input: sentForm,
        onDone: { target: "deleted", actions: "announceDeleted" },
        onError: showEndingErrorIn("confirming"),
      },
    },
    // Until the next screen is shown.
    deleted: { tags: "busy" },
  },
});
