/** The door of the operator's page: a link is used once, and the page is shown to the one who was let in alone. */
import { expect } from "vitest";
import { consoleDoorMachine } from "../../machines/console-door.ts";
import { CallFailed, isTooMany } from "../../machines/call-error.ts";
import { door, doorByPasskey, eve } from "../models/console.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import { answerIn, asked, asksOneAtATime, errorIn } from "../support/invariants.ts";
import { runOnMachine } from "../support/user-model.ts";

const signedOut = new CallFailed({ kind: "signedOut" });
const refused = new CallFailed({ kind: "refused", code: 0, message: "Not here." });
const tooMany = new CallFailed({ kind: "http", status: 429, path: "/" });

const history = invariantsOf(consoleDoorMachine, {
  inputs: [{ link: "token" }, { link: null }],
  events: [
    { type: "retry" },
    { type: "passkey.used" },
    { type: "passkey.requested" },
    { type: "leave.requested" },
    { type: "session.ended" },
  ],
  answers: {
    enterByPasskey: { eve, dismissed: null, signedOut, tooMany, refused },
    addPasskey: { added: true, dismissed: false },
    enter: { eve, signedOut, tooMany },
    whoami: { eve, signedOut },
    leave: { out: undefined, signedOut },
  },
  repeats: 1,
});
type Past = History<typeof consoleDoorMachine>;

asksOneAtATime(history);
history.always("uses a link once, and forgets it", (moment, past) => {
  const uses = past.flatMap((each) => asked(each)).filter(({ id }) => id === "enter");
  expect(uses.length).toBeLessThanOrEqual(1);
  for (const { id, input } of asked(moment)) if (id === "enter") expect(input).toEqual({ link: "token" });
  if (!moment.state.matches("entering")) expect(moment.state.context.link).toBe(null);
});
history.always("is busy while it waits for the service, and not for the device's new passkey", (moment) => {
  const isWaiting = moment.pending.some(({ id }) => id !== "addPasskey");
  expect(moment.state.hasTag("busy")).toBe(isWaiting);
});
/** What the last moment that decides it makes it; undefined: the moment decides nothing. */
const lastly = <T>(
  past: Past,
  of: (moment: Past[number], before: Past[number] | undefined) => T | undefined,
) => past.map((moment, at) => of(moment, past[at - 1])).findLast((each) => each !== undefined);
history.always("says why no one is in, until someone is or tries anew", ({ state }, past) => {
  const why = lastly(past, (moment, before) => {
    const { event } = moment;
    if (event.type === "session.ended" && before?.state.matches("inside")) return "ended";
    if (asked(moment).some(({ id }) => id === "enterByPasskey")) return "none";
    if (answerIn(moment, "enter", "whoami", "enterByPasskey")?.output) return "none";
    const error = errorIn(moment, "enter", "enterByPasskey");
    if (error && isTooMany(error)) return "tooMany";
    if (error?.kind === "signedOut") return errorIn(moment, "enter") ? "link" : "passkey";
    return error?.kind === "refused" && errorIn(moment, "enterByPasskey") ? "passkey" : undefined;
  });
  expect(state.context.why ?? "none").toBe(why ?? "none");
});
history.always(
  "tells what the device or the way out came to, until it is tried anew or no one is in",
  (moment, past) => {
    const { state } = moment;
    const error = lastly(past, (each) => {
      if (each.state.context.who === null) return "none";
      if (asked(each).some(({ id }) => id === "addPasskey" || id === "leave")) return "none";
      return errorIn(each, "addPasskey", "leave");
    });
    expect(state.context.error ?? "none").toEqual(error ?? "none");
  },
);
history.always("shows the page to the one who was let in alone", ({ state }) => {
  const isIn = state.matches("inside") || state.matches("leaving");
  expect(state.context.who).toEqual(isIn ? eve : null);
});
history.always("says that a device can let in only where it just got its passkey", ({ state }, past) => {
  const last = past.findLast((each) => answerIn(each, "addPasskey")?.output === true);
  const since = last ? past.slice(past.indexOf(last) + 1) : [];
  const isOut = since.some(({ state: after }) => after.matches("outside") || after.matches("proving"));
  expect(state.context.hasNewPasskey).toBe(last !== undefined && !isOut);
});
runOnMachine(door);
runOnMachine(doorByPasskey);
