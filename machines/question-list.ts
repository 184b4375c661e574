/** The list of security questions and the sheet to choose one in. Specification, sections 2 (forgetPassword, modifyPassword) and 7. */
import { assign, emit, setup, stateIn, type PromiseActorLogic } from "xstate";
import { type RequestFailed, requestFailed, announceErrorIn, keepOutputIn } from "./call-error.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

export type QuestionListPorts = { readQuestions: PromiseActorLogic<readonly string[]> };

type QuestionListEvent =
  | { type: "sheet.requested" }
  | { type: "sheet.dismissed" }
  /** The user goes on in another field of the form. */
  | { type: "field.entered" }
  | { type: "question.turned"; question: string }
  | { type: "sheet.confirmed" };

export const questionListMachine = setup({
  types: {
    /** `draft` is the wheel's value while the sheet is open. */
    context: {} as { questions: readonly string[]; draft: string | null; chosen: string | null },
    events: {} as QuestionListEvent,
    emitted: {} as RequestFailed,
    tags: {} as "busy" | "slow",
  },
  actors: {} as QuestionListPorts,
  delays: waitingDelays,
  guards: { isAside: stateIn({ reading: "aside" }) },
  actions: {
    keepQuestions: assign(({ context }, questions: readonly string[]) => ({
      questions,
      draft: questions.find((question) => question === context.chosen) ?? questions[0] ?? null,
    })),
    turn: assign({ draft: (_, { question }: { question: string }) => question }),
    keepChosen: assign({ chosen: ({ context }) => context.draft }),
    announceError: emit(requestFailed),
  },
}).createMachine({
  id: "questionList",
  context: { questions: [], draft: null, chosen: null },
  initial: "closed",
  states: {
    closed: { on: { "sheet.requested": "reading" } },
    reading: {
      invoke: {
        id: "readQuestions",
        src: "readQuestions",
        onDone: [
          { guard: "isAside", ...keepOutputIn("read", "keepQuestions") },
          keepOutputIn("open", "keepQuestions"),
        ],
        onError: [{ guard: "isAside", target: "closed" }, announceErrorIn("closed")],
      },
      initial: "wanted",
      states: {
        wanted: { tags: "busy", ...waiting, on: { "field.entered": "aside" } },
        // A sheet that opened now would take the focus from the field in which the user types.
        aside: { on: { "sheet.requested": "wanted" } },
      },
      on: { "sheet.dismissed": "closed" },
    },
    // The next tap opens the sheet at once.
    read: { on: { "sheet.requested": "open" } },
    open: {
      on: {
        "sheet.dismissed": "closed",
        "question.turned": { actions: { type: "turn", params: ({ event }) => event } },
        "sheet.confirmed": { target: "closed", actions: "keepChosen" },
      },
    },
  },
});
