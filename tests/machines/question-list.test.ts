/** The sheet of security questions: read when it is opened, turned, and closed by a choice. */
import { expect } from "vitest";
import { questionListMachine } from "../../machines/question-list.ts";
import { questionList as model } from "../models/question-list.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import { answerIn, asked, errorIn, keepsNobodyWaiting, wasAsking } from "../support/invariants.ts";
import { refused } from "../support/samples.ts";

const list = invariantsOf(questionListMachine, {
  events: [
    { type: "sheet.requested" },
    { type: "sheet.dismissed" },
    { type: "question.turned", question: "First pet?" },
    { type: "question.turned", question: "First school?" },
    { type: "sheet.confirmed" },
  ],
  answers: { readQuestions: { some: ["First pet?", "First school?"], none: [], refused } },
});

type Past = History<typeof questionListMachine>;
type Sheet = { open: boolean; questions: readonly string[]; draft: string | null; chosen: string | null };

/** Sections 2 (forgetPassword) and 7 in a few words. */
function next(sheet: Sheet, moment: Past[number]): Sheet {
  const { event } = moment;
  const told = answerIn(moment, "readQuestions")?.output as readonly string[] | undefined;
  if (told) {
    const stays = sheet.chosen !== null && told.includes(sheet.chosen);
    return { ...sheet, open: true, questions: told, draft: stays ? sheet.chosen : (told[0] ?? null) };
  }
  if (!sheet.open) return sheet;
  switch (event.type) {
    case "question.turned":
      return { ...sheet, draft: event.question };
    case "sheet.confirmed":
      return { ...sheet, open: false, chosen: sheet.draft };
    case "sheet.dismissed":
      return { ...sheet, open: false };
    case "sheet.requested":
    case "start":
    case "wait":
    default:
      return sheet;
  }
}
const sheetOf = (history: Past) =>
  history.reduce<Sheet>(next, { open: false, questions: [], draft: null, chosen: null });

keepsNobodyWaiting(list, ["readQuestions"], "sheet.dismissed");

list.always("reads the questions each time it is opened, and opens once it has them", (moment, history) => {
  const { event, state } = moment;
  const wasClosed = !sheetOf(history.slice(0, -1)).open && !wasAsking(history, "readQuestions");
  const asks = event.type === "sheet.requested" && wasClosed;
  expect(asked(moment)).toEqual(asks ? [{ id: "readQuestions", input: undefined }] : []);
  expect({ open: state.matches("open"), busy: state.hasTag("busy") }).toEqual({
    open: sheetOf(history).open,
    busy: moment.pending.length === 1,
  });
});

list.always("begins at the question that was chosen, and keeps what is confirmed", ({ state }, history) => {
  const { open: _, ...words } = sheetOf(history);
  expect(state.context).toEqual(words);
});

list.always("tells a failure", (moment) => {
  const error = errorIn(moment, "readQuestions");
  expect(moment.emitted).toEqual(error ? [{ type: "request.failed", error }] : []);
});

runOnMachine(model);
