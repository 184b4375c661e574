/** A change of an operator's: nothing is done that was not shown, agreed to, and asked for with one ticket. */
import { expect } from "vitest";
import { consoleChangeMachine } from "../../machines/console-change.ts";
import { CallFailed } from "../../machines/call-error.ts";
import { change, done, shown } from "../models/console.ts";
import { invariantsOf } from "../support/invariant-runner.ts";
import { answerIn, asked, asksOneAtATime } from "../support/invariants.ts";
import { runOnMachine } from "../support/user-model.ts";

const refused = new CallFailed({ kind: "refused", code: 422, message: "No." });

const given = { command: "credit", args: ["anna", "7"], options: { reason: "Ticket 7", ticket: "t1" } };
const history = invariantsOf(consoleChangeMachine, {
  inputs: [{ given: { command: "credit", args: ["anna"], options: {} } }],
  events: [
    { type: "filled", given },
    { type: "typed", text: "Anna " },
    { type: "typed", text: "bob" },
    { type: "agreed" },
    { type: "changed.mind" },
    { type: "retry" },
    { type: "undo.requested", ticket: "t2", reason: "again" },
  ],
  answers: {
    preview: { shown, done, refused },
    perform: { done: done.done, none: { entry: null, answer: null }, refused },
  },
  repeats: 1,
});
asksOneAtATime(history);
history.always("does what was shown, and only once its word was typed", (moment, past) => {
  for (const call of asked(moment).filter(({ id }) => id === "perform")) {
    const { state } = past.at(-2) ?? moment;
    const input = call.input as { given: unknown; shown: string };
    expect([input.shown, state.context.typed.trim().toLowerCase()]).toEqual(["digest", "anna"]);
    expect(input.given).toEqual(state.context.given);
  }
});
history.always("asks for a lost answer with the same ticket", (moment, past) => {
  const before = past.at(-2);
  if (before?.state.matches("unsure") && moment.event.type === "retry")
    expect(moment.state.context.given).toEqual(before.state.context.given);
});
history.always("tells of what was done, and of nothing else", (moment) => {
  const said = answerIn(moment, "preview")?.output as object | undefined;
  const isDone = answerIn(moment, "perform") !== undefined || (said !== undefined && "done" in said);
  expect(moment.emitted).toEqual(isDone ? [{ type: "change.done" }] : []);
});
history.always("undoes the entry that was written", (moment) => {
  const { isUndo, given: now } = moment.state.context;
  if (isUndo) expect([now.command, now.args]).toEqual(["undo", ["17"]]);
});
runOnMachine(change);
