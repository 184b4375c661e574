/** The bottom sheet: open or closed, and a choice closes it. */
import { expect } from "vitest";
import { sheetMachine } from "../../machines/sheet.ts";
import { sheet as model } from "../models/sheet.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf } from "../support/invariant-runner.ts";

const sheet = invariantsOf(sheetMachine, {
  events: [
    { type: "sheet.requested" },
    { type: "sheet.dismissed" },
    { type: "row.chosen", value: "en" },
    { type: "row.chosen", value: "zh-CN" },
  ],
  answers: {},
  simple: true,
});

sheet.always("is open from being asked until a choice or a dismissal", ({ state }, history) => {
  const last = history.findLast(({ event }) => event.type.includes("."))?.event.type;
  expect(state.value).toBe(last === "sheet.requested" ? "open" : "closed");
});

sheet.always("tells a choice once, and only while open", ({ event, emitted }, history) => {
  const wasOpen = history.at(-2)?.state.value === "open";
  expect(emitted).toEqual(
    wasOpen && event.type === "row.chosen" ? [{ type: "sheet.chosen", value: event.value }] : [],
  );
});

runOnMachine(model);
