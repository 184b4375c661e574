/** The sheet of security questions: read when it is opened, turned, and closed by a choice. */
import { expect } from "vitest";
import { questionListMachine } from "../../machines/question-list.ts";
import { questionList as model } from "../models/question-list.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import { answerIn, asked, asksOneAtATime, errorIn, letsGoWhenTold, PATIENCE } from "../support/invariants.ts";
import { refused } from "../support/samples.ts";

const list = invariantsOf(questionListMachine, {
  events: [
    { type: "sheet.requested" },
    { type: "sheet.dismissed" },
    { type: "field.entered" },
    { type: "question.turned", question: "First pet?" },
    { type: "question.turned", question: "First school?" },
    { type: "sheet.confirmed" },
  ],
  answers: { readQuestions: { some: ["First pet?", "First school?"], none: [], refused } },
});

type Past = History<typeof questionListMachine>;
type Sheet = {
  /** `aside`: the user went on in another field meanwhile. `read`: the next tap shows what came then. */
  is: "closed" | "wanted" | "aside" | "read" | "open";
  since: number;
  questions: readonly string[];
  draft: string | null;
  chosen: string | null;
};

/** Sections 2 (forgetPassword) and 7 in a few words. */
function next(sheet: Sheet, moment: Past[number]): Sheet {
  const { event, at } = moment;
  const told = answerIn(moment, "readQuestions")?.output as readonly string[] | undefined;
  if (told) {
    const stays = sheet.chosen !== null && told.includes(sheet.chosen);
    const draft = stays ? sheet.chosen : (told[0] ?? null);
    return { ...sheet, is: sheet.is === "aside" ? "read" : "open", questions: told, draft };
  }
  if (errorIn(moment, "readQuestions")) return { ...sheet, is: "closed" };
  switch (event.type) {
    case "sheet.requested":
      if (sheet.is === "read") return { ...sheet, is: "open" };
      return sheet.is === "closed" || sheet.is === "aside" ? { ...sheet, is: "wanted", since: at } : sheet;
    case "field.entered":
      return sheet.is === "wanted" ? { ...sheet, is: "aside" } : sheet;
    case "question.turned":
      return sheet.is === "open" ? { ...sheet, draft: event.question } : sheet;
    case "sheet.confirmed":
      return sheet.is === "open" ? { ...sheet, is: "closed", chosen: sheet.draft } : sheet;
    case "sheet.dismissed":
      return sheet.is === "read" ? sheet : { ...sheet, is: "closed" };
    case "start":
    case "wait":
    default:
      return sheet;
  }
}
const sheetOf = (history: Past) =>
  history.reduce<Sheet>(next, { is: "closed", since: 0, questions: [], draft: null, chosen: null });

asksOneAtATime(list);
letsGoWhenTold(list, ["readQuestions"], "sheet.dismissed");

list.always("reads the questions each time it is opened, and opens once it has them", (moment, history) => {
  const { event, state } = moment;
  const asks = event.type === "sheet.requested" && sheetOf(history.slice(0, -1)).is === "closed";
  expect(asked(moment)).toEqual(asks ? [{ id: "readQuestions", input: undefined }] : []);
  const { is } = sheetOf(history);
  expect({ open: state.matches("open"), busy: state.hasTag("busy"), asks: moment.pending.length }).toEqual({
    open: is === "open",
    busy: is === "wanted",
    asks: is === "wanted" || is === "aside" ? 1 : 0,
  });
});

list.always("tells, from the tenth second on, that the sheet is late", ({ state, at }, history) => {
  const { is, since } = sheetOf(history);
  expect(state.hasTag("slow")).toBe(is === "wanted" && at - since >= PATIENCE);
});

list.always("begins at the question that was chosen, and keeps what is confirmed", ({ state }, history) => {
  const { questions, draft, chosen } = sheetOf(history);
  expect(state.context).toEqual({ questions, draft, chosen });
});

list.always("tells a failure of what the user waits for", (moment, history) => {
  const { is } = sheetOf(history.slice(0, -1));
  const error = is === "wanted" ? errorIn(moment, "readQuestions") : undefined;
  expect(moment.emitted).toEqual(error ? [{ type: "request.failed", error }] : []);
});

runOnMachine(model);
