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
  isOverUnheard,
  mayBeDone,
  quietForm,
  showFieldErrorOrEndIn,
  submitting,
} from "./form.ts";
import { waitingDelays } from "./slow-request.ts";

export type AccountDeletionPorts = {
  /** `quiet`: an answer "not signed in" does not end the session, because this chart knows why it is over. */
  deleteAccount: PromiseActorLogic<void, Confirmation & { quiet: boolean }>;
};

export type AccountDeletionEmitted =
  /** The API ended the account, and every session of it. */
  | { type: "account.deleted" }
  /** The session is over: by an earlier request whose answer was not heard, or by another device. */
  | { type: "account.unsure" }
  | RequestFailed;

export const accountDeletionMachine = setup({
  types: {
    context: {} as {
      formError: ConfirmationError | null;
      /** A request was sent whose answer was not heard: it may have deleted the account, or may still do so. */
      unheard: boolean;
    },
    events: {} as FormEvent<Confirmation>,
    emitted: {} as AccountDeletionEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as AccountDeletionPorts,
  delays: waitingDelays,
  guards: { isComplete: (_, form: Confirmation) => confirmationError(form) === null, isOverUnheard },
  actions: {
    judge: assign({ formError: (_, form: Confirmation) => confirmationError(form) }),
    keepFieldError: assign({ formError: (_, failed: Failed) => fieldErrorOf(failed, ["password"]) }),
    clearFormError: assign({ formError: null }),
    keepUnheard: assign({ unheard: true }),
    judgeUnheard: assign({
      unheard: ({ context }, failed: Failed) => context.unheard || mayBeDone(failed),
    }),
    announceDeleted: emit({ type: "account.deleted" }),
    announceUnsure: emit({ type: "account.unsure" }),
    announceError: emit(requestFailed),
  },
}).createMachine({
  id: "accountDeletion",
  context: { formError: null, unheard: false },
  initial: "confirming",
  states: {
    // The password confirms that it is the member, not someone who found an open session.
    confirming: { on: formEvents("deleting") },
    deleting: {
      ...submitting("confirming", "keepUnheard"),
      invoke: {
        id: "deleteAccount",
        src: "deleteAccount",
        input: quietForm,
        onDone: { target: "deleted", actions: "announceDeleted" },
        onError: showFieldErrorOrEndIn("confirming", "deleted"),
      },
    },
    // Until the next screen is shown.
    deleted: { tags: "busy" },
  },
});
