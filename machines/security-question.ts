/** Setting the security question, once. Specification, sections 2 (modifyPassword), 4 and 5. */
import { assertEvent, assign, emit, not, setup, type PromiseActorLogic } from "xstate";
import { failed, type Failure, type FailureMet, failureMet } from "./failure.ts";
import { fieldRefused, type FieldRefused } from "./field-refused.ts";
import { answerFault, type Answer, type AnswerFault } from "./recovery.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

export type SecurityQuestionPorts = {
  /** The question that is set, or null. */
  readQuestion: PromiseActorLogic<string | null>;
  saveQuestion: PromiseActorLogic<void, Answer>;
};

type SecurityQuestionEvent =
  | ({ type: "form.submitted" } & Answer)
  | { type: "form.edited" }
  | { type: "asked.again" }
  | { type: "waiting.dropped" }
  | { type: "page.shown" };

export type SecurityQuestionEmitted = { type: "question.saved" } | FailureMet;

type SecurityQuestionContext = {
  question: string | null;
  fault: AnswerFault | FieldRefused<"security_problem_value"> | null;
  failure: Failure | null;
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
    isSet: ({ context: { question } }) => question !== null && question !== "",
    isComplete: (_, answer: Answer) => answerFault(answer) === null,
  },
  actions: {
    keepQuestion: assign({ question: (_, { question }: { question: string | null }) => question }),
    judge: assign({ fault: (_, answer: Answer) => answerFault(answer) }),
    keepRefusal: assign({
      fault: (_, { failure }: { failure: Failure }) => fieldRefused(failure, ["security_problem_value"]),
    }),
    clearFault: assign({ fault: null }),
    keepFailure: assign({ failure: (_, { failure }: { failure: Failure }) => failure }),
    announceSaved: emit({ type: "question.saved" }),
    announceFailure: emit(failureMet),
  },
}).createMachine({
  id: "securityQuestion",
  context: { question: null, fault: null, failure: null },
  initial: "loading",
  states: {
    loading: {
      invoke: {
        id: "readQuestion",
        src: "readQuestion",
        onDone: {
          target: "editing",
          actions: { type: "keepQuestion", params: ({ event }) => ({ question: event.output }) },
        },
        onError: {
          target: "failed",
          actions: { type: "keepFailure", params: failed },
        },
      },
      ...waiting,
      on: { "asked.again": { target: "loading", reenter: true } },
    },
    failed: { on: { "asked.again": "loading", "page.shown": "loading" } },
    editing: {
      always: { guard: "isSet", target: "settled" },
      initial: "typing",
      on: {
        "form.edited": { actions: "clearFault" },
        "form.submitted": [
          {
            guard: { type: "isComplete", params: ({ event }) => event },
            target: "saving",
            actions: "clearFault",
          },
          { actions: { type: "judge", params: ({ event }) => event } },
        ],
      },
      states: {
        typing: {},
        // The question may have been saved: perhaps only the response was lost.
        checking: {
          invoke: {
            id: "readQuestion",
            src: "readQuestion",
            onDone: {
              target: "typing",
              actions: { type: "keepQuestion", params: ({ event }) => ({ question: event.output }) },
            },
            onError: "typing",
          },
        },
      },
    },
    saving: {
      tags: "busy",
      invoke: {
        id: "saveQuestion",
        src: "saveQuestion",
        input: ({ event }) => {
          assertEvent(event, "form.submitted");
          const { security_problem, security_problem_value } = event;
          return { security_problem, security_problem_value };
        },
        // Read again, because the API decides which question is set.
        onDone: { target: "loading", actions: "announceSaved" },
        onError: {
          target: "editing.checking",
          actions: [
            { type: "keepRefusal", params: failed },
            { type: "announceFailure", params: failed },
          ],
        },
      },
      ...waiting,
      on: { "waiting.dropped": "editing" },
    },
    // Once set it is read-only.
    settled: {
      entry: "clearFault",
      always: { guard: not("isSet"), target: "editing" },
      initial: "current",
      states: {
        current: { on: { "page.shown": "refreshing" } },
        // The data stays visible; a failed refresh changes nothing. A request sent before the phone changed
        // networks may never be answered.
        refreshing: {
          on: { "page.shown": { target: "refreshing", reenter: true } },
          invoke: {
            id: "readQuestion",
            src: "readQuestion",
            onDone: {
              target: "current",
              actions: { type: "keepQuestion", params: ({ event }) => ({ question: event.output }) },
            },
            onError: "current",
          },
        },
      },
    },
  },
});
