/** A change of an operator's: nothing is done that was not shown, agreed to, and asked for with one ticket. */
import { expect } from "vitest";
import { consoleChangeMachine } from "../../machines/console-change.ts";
import { CallFailed } from "../../machines/call-error.ts";
import { change, done, shown } from "../models/console.ts";
import { invariantsOf } from "../support/invariant-runner.ts";
import { answerIn, asked, asksOneAtATime, errorIn } from "../support/invariants.ts";
import { runOnMachine } from "../support/user-model.ts";

const refused = new CallFailed({ kind: "refused", code: 422, message: "No." });
const signedOut = new CallFailed({ kind: "signedOut" });
const tooMany = new CallFailed({ kind: "http", status: 429, path: "/" });
const broken = new CallFailed({ kind: "http", status: 500, path: "/" });

const given = { command: "credit", args: ["anna", "7"], options: { reason: "Ticket 7", ticket: "t1" } };
const history = invariantsOf(consoleChangeMachine, {
  inputs: [{ given: { command: "credit", args: ["anna"], options: {} } }],
  events: [
    { type: "form.submitted", given },
    { type: "confirmation.typed", text: "Anna " },
    { type: "confirmation.typed", text: "bob" },
    { type: "change.confirmed" },
    { type: "preview.dismissed" },
    { type: "retry" },
    { type: "undo.requested", ticket: "t2", reason: "again" },
  ],
  answers: {
    preview: { shown, done, refused },
    perform: { done: done.done, none: { entry: null, answer: null }, refused, signedOut, tooMany, broken },
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
history.always("asks for what was filled in, and undoes the entry that was written", (moment, past) => {
  const { isUndo, given: now } = moment.state.context;
  for (const { id, input } of asked(moment)) if (id === "preview") expect(input).toEqual({ given: now });
  if (isUndo)
    expect(now).toEqual({ command: "undo", args: ["17"], options: { reason: "again", ticket: "t2" } });
  else if (past.some((each) => each.event.type === "form.submitted")) expect(now).toEqual(given);
});
history.always("has nothing typed but what was typed at this preview", ({ state }, past) => {
  const since = past.slice(past.findLastIndex((each) => asked(each).some(({ id }) => id === "preview")));
  const typed = since.findLast(
    ({ event }, at) => event.type === "confirmation.typed" && since[at - 1]?.state.matches("shown"),
  );
  expect(state.context.typed).toBe(typed && "text" in typed.event ? typed.event.text : "");
});
history.always("is busy while it asks", ({ state, pending }) => {
  expect(state.hasTag("busy")).toBe(pending.length > 0);
});
history.always(
  "is unsure where the change may have been done, until an answer to its ticket says",
  (moment, past) => {
    const error = errorIn(moment, "perform");
    if (!error) return;
    const wasLost = past.findLast(({ state }) => !state.matches("performing"))?.state.matches("unsure");
    const isKnown =
      error.kind === "refused" || (!wasLost && (error.kind === "signedOut" || error === tooMany.error));
    expect(moment.state.matches("unsure")).toBe(!isKnown);
  },
);
history.always("knows what was done, and what failed last until it is tried anew", ({ state }, past) => {
  const doneIn = (each: (typeof past)[number]): unknown => {
    const previewed = answerIn(each, "preview")?.output as object | undefined;
    return previewed && "done" in previewed ? previewed.done : answerIn(each, "perform")?.output;
  };
  const errorAt = (each: (typeof past)[number]) =>
    errorIn(each, "preview", "perform") ??
    (answerIn(each, "preview", "perform") || asked(each).some(({ id }) => id === "preview")
      ? null
      : undefined);
  expect({ done: state.context.done, error: state.context.error }).toEqual({
    done: past.map(doneIn).findLast((each) => each !== undefined) ?? null,
    error: past.map(errorAt).findLast((each) => each !== undefined) ?? null,
  });
});
history.always(
  "calls an undoing what was undone, and nothing else that is done",
  ({ state, event }, past) => {
    if (!state.matches("done") || event.type === "start") return;
    // The last request that something came of.
    const made = past.findLast(
      (each) => answerIn(each, "perform") ?? "done" in Object(answerIn(each, "preview")?.output),
    );
    expect(state.context.isUndo).toBe(made?.state.context.isUndo);
  },
);
runOnMachine(change);
