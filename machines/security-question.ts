/** Setting the security question, once. Specification, sections 2 (modifyPassword), 4 and 5. */
import { assertEvent, assign, emit, not, setup, type PromiseActorLogic } from "xstate";
import { failureMet, failureOf, type Failure, type FailureMet } from "./failure.ts";
import { answerFault, type Answer, type AnswerFault } from "./recovery.ts";
import { waiting, waitingDelays } from "./waiting.ts";

export type SecurityQuestionPorts = {
  /** The question that is set already, or null. */
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
  fault: AnswerFault | null;
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
          actions: { type: "keepFailure", params: ({ event }) => ({ failure: failureOf(event.error) }) },
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
        // It may have been saved all the same: what was lost is perhaps the answer alone.
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
        // Asked for again, because the API has the last word on which question it is.
        onDone: { target: "loading", actions: "announceSaved" },
        onError: {
          target: "editing.checking",
          actions: { type: "announceFailure", params: ({ event }) => ({ failure: failureOf(event.error) }) },
        },
      },
      ...waiting,
      on: { "waiting.dropped": "editing" },
    },
    // Once set it is only read.
    settled: {
      always: { guard: not("isSet"), target: "editing" },
      initial: "current",
      states: {
        current: { on: { "page.shown": "refreshing" } },
        // What is known stays on the screen meanwhile; a failure leaves it as it was. A question from before the phone changed its network may never be answered.
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
