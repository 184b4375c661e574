/** A file that an operator saves: it counts once all of it has come, and nothing of it is left when no one is in any more. */
import { expect } from "vitest";
import { CallFailed } from "../../machines/call-error.ts";
import { consoleDownloadMachine } from "../../machines/console-download.ts";
import { saving } from "../models/console.ts";
import { invariantsOf } from "../support/invariant-runner.ts";
import { answerIn, asked, asksOneAtATime, errorIn } from "../support/invariants.ts";
import { runOnMachine } from "../support/user-model.ts";

const refused = new CallFailed({ kind: "refused", code: 422, message: "No." });
const book = { command: "export", args: ["2026-11"] };
const backup = { command: "backup", args: [] };
const history = invariantsOf(consoleDownloadMachine, {
  events: [
    { type: "file.requested", wanted: book },
    { type: "file.requested", wanted: backup },
    { type: "file.progressed", progress: { rows: 7 } },
    { type: "retry" },
    { type: "cancel" },
    { type: "session.ended" },
  ],
  answers: {
    download: { made: { entry: 17 }, plain: { entry: null }, refused },
    confirm: { told: undefined },
  },
  repeats: 1,
});
asksOneAtATime(history);
history.always("asks for the file that was wanted, and for no other while it comes", (moment, past) => {
  for (const { id, input } of asked(moment))
    if (id === "download") expect(moment.event).toMatchObject({ wanted: input });
  const before = past.at(-2)?.state;
  if (before?.matches("loading") && moment.event.type === "file.requested")
    expect(moment.state.context).toEqual(before.context);
});
history.always("confirms the file that has come, by its entry, until the service has heard it", (moment) => {
  for (const { id, input } of asked(moment)) if (id === "confirm") expect(input).toEqual({ entry: 17 });
  if (errorIn(moment, "confirm")) expect(moment.state.value).toBe("unconfirmed");
});
history.always("tells of a file once it is saved and, where that counts, confirmed", (moment) => {
  const came = answerIn(moment, "download")?.output as { entry: number | null } | undefined;
  const isSaved = came?.entry === null || answerIn(moment, "confirm") !== undefined;
  expect(moment.emitted).toEqual(isSaved ? [{ type: "file.saved" }] : []);
});
history.always(
  "is busy while it asks, and says that a file is there once it is",
  ({ state, pending }, past) => {
    const last = past.findLast(
      (each) => answerIn(each, "download") ?? each.calls.find(({ id }) => id === "download"),
    );
    const isSaved = last !== undefined && answerIn(last, "download") !== undefined && !state.matches("idle");
    expect({ busy: state.hasTag("busy"), saved: state.hasTag("saved") }).toEqual({
      busy: pending.length > 0,
      saved: isSaved,
    });
  },
);
history.always("keeps nothing of a file that was given up", (moment, past) => {
  if (moment.event.type === "cancel" && past.at(-2)?.state.matches("loading"))
    expect(moment.state.context).toEqual(past[0]?.state.context);
});
history.always("has nothing of an operator's once no one is in", (moment, past) => {
  if (moment.event.type !== "session.ended") return;
  expect([moment.state.value, moment.state.context, moment.pending]).toEqual([
    "idle",
    past[0]?.state.context,
    [],
  ]);
});
runOnMachine(saving);
