/** The security questions to choose from, and the sheet they are chosen in. Specification, sections 2 (forgetPassword, modifyPassword) and 7. */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import { failureMet, failureOf, type FailureMet } from "./failure.ts";
import { waiting, waitingDelays } from "./waiting.ts";

export type QuestionListPorts = { readQuestions: PromiseActorLogic<readonly string[]> };

type QuestionListEvent =
  { type: "sheet.asked" } | { type: "sheet.dismissed" } | { type: "question.chosen"; question: string };

export const questionListMachine = setup({
  types: {
    context: {} as { questions: readonly string[]; chosen: string | null },
    events: {} as QuestionListEvent,
    emitted: {} as FailureMet,
    tags: {} as "busy" | "slow",
  },
  actors: {} as QuestionListPorts,
  delays: waitingDelays,
  actions: {
    keepQuestions: assign({ questions: (_, { questions }: { questions: readonly string[] }) => questions }),
    keepChosen: assign({ chosen: (_, { question }: { question: string }) => question }),
    announceFailure: emit(failureMet),
  },
}).createMachine({
  id: "questionList",
  context: { questions: [], chosen: null },
  initial: "closed",
  states: {
    closed: { on: { "sheet.asked": "reading" } },
    reading: {
      tags: "busy",
      invoke: {
        id: "readQuestions",
        src: "readQuestions",
        onDone: {
          target: "open",
          actions: { type: "keepQuestions", params: ({ event }) => ({ questions: event.output }) },
        },
        onError: {
          target: "closed",
          actions: { type: "announceFailure", params: ({ event }) => ({ failure: failureOf(event.error) }) },
        },
      },
      ...waiting,
      on: { "sheet.dismissed": "closed" },
    },
    open: {
      on: {
        "sheet.dismissed": "closed",
        "question.chosen": {
          target: "closed",
          actions: { type: "keepChosen", params: ({ event }) => event },
        },
      },
    },
  },
});
