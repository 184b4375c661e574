/** Setting the security question, and replacing it: each with the password. Specification, sections 2 (modifyPassword), 4 and 5; decision 26. */
import { assign, emit, not, setup, type PromiseActorLogic } from "xstate";
import {
  type CallError,
  type RequestFailed,
  loadFailed,
  requestFailed,
  showErrorIn,
  keepOutputIn,
} from "./call-error.ts";
import {
  type Failed,
  fieldErrorOf,
  type FieldError,
  formEvents,
  type FormEvent,
  sentForm,
  showFieldErrorIn,
  submitting,
} from "./form.ts";
import { answerError, type Answer, type AnswerError } from "./recovery.ts";
import { refreshing } from "./refreshing.ts";
import { loading, waitingDelays } from "./slow-request.ts";

export type SecurityQuestionPorts = {
  /** The question that is set, or null. */
  readQuestion: PromiseActorLogic<string | null>;
  saveQuestion: PromiseActorLogic<void, ConfirmedAnswer>;
};

/** The password confirms that it is the member, not someone who found an open session. */
export type ConfirmedAnswer = Answer & { password: string };

/** What the form lacks: the first error, with every empty field. */
export type QuestionError =
  | AnswerError
  | {
      kind: "problemMissing" | "answerMissing" | "passwordMissing";
      fields: readonly (keyof ConfirmedAnswer)[];
    };

const typed = ["security_problem_value", "password"] as const;

export function questionError(form: ConfirmedAnswer): QuestionError | null {
  const formError = answerError(form);
  if (form.password !== "") return formError;
  return { kind: formError?.kind ?? "passwordMissing", fields: [...(formError?.fields ?? []), "password"] };
}

type SecurityQuestionEvent =
  | FormEvent<ConfirmedAnswer>
  | { type: "question.replaced" }
  | { type: "retry" }
  | { type: "screen.activated" };

export type SecurityQuestionEmitted = { type: "question.saved" } | RequestFailed;

type SecurityQuestionContext = {
  question: string | null;
  /** Whether another question is to take the place of the one that is set. */
  replacing: boolean;
  formError: QuestionError | FieldError<(typeof typed)[number]> | null;
  error: CallError | null;
};

export const securityQuestionMachine = setup({
  types: {
    context: {} as SecurityQuestionContext,
    events: {} as SecurityQuestionEvent,
    emitted: {} as SecurityQuestionEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as SecurityQuestionPorts,
  delays: waitingDelays,
  guards: {
    isSettled: ({ context: { question, replacing } }) => !replacing && question !== null && question !== "",
    isComplete: (_, form: ConfirmedAnswer) => questionError(form) === null,
  },
  actions: {
    keepQuestion: assign({ question: (_, question: string | null) => question }),
    beginReplacing: assign({ replacing: true }),
    endReplacing: assign({ replacing: false }),
    judge: assign({ formError: (_, form: ConfirmedAnswer) => questionError(form) }),
    keepFieldError: assign({ formError: (_, failed: Failed) => fieldErrorOf(failed, typed) }),
    clearFormError: assign({ formError: null }),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
    announceSaved: emit({ type: "question.saved" }),
    announceError: emit(requestFailed),
  },
}).createMachine({
  id: "securityQuestion",
  context: { question: null, replacing: false, formError: null, error: null },
  initial: "loading",
  states: {
    loading: {
      ...loading,
      invoke: {
        id: "readQuestion",
        src: "readQuestion",
        onDone: keepOutputIn("editing", "keepQuestion"),
        onError: showErrorIn("failed"),
      },
    },
    failed: loadFailed,
    editing: {
      always: { guard: "isSettled", target: "settled" },
      initial: "typing",
      on: formEvents("saving"),
      states: {
        typing: {},
        // The question may have been saved: perhaps only the response was lost.
        checking: {
          invoke: {
            id: "readQuestion",
            src: "readQuestion",
            onDone: keepOutputIn("typing", "keepQuestion"),
            onError: "typing",
          },
        },
      },
    },
    saving: {
      ...submitting("editing"),
      invoke: {
        id: "saveQuestion",
        src: "saveQuestion",
        input: sentForm,
        // Read again, because the API decides which question is set.
        onDone: { target: "loading", actions: ["endReplacing", "announceSaved"] },
        onError: showFieldErrorIn("editing.checking"),
      },
    },
    // It is read-only, until the member asks for another.
    settled: {
      entry: "clearFormError",
      always: { guard: not("isSettled"), target: "editing" },
      on: { "question.replaced": { actions: "beginReplacing" } },
      ...refreshing({
        id: "readQuestion",
        src: "readQuestion",
        onDone: keepOutputIn("current", "keepQuestion"),
      }),
    },
  },
});
