/** The door of the operator's page: a link is used once, and the page is shown to the one who was let in alone. */
import { expect } from "vitest";
import { consoleDoorMachine } from "../../machines/console-door.ts";
import { CallFailed } from "../../machines/call-error.ts";
import { door, doorByPasskey, eve } from "../models/console.ts";
import { invariantsOf } from "../support/invariant-runner.ts";
import { answerIn, asked, asksOneAtATime } from "../support/invariants.ts";
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
asksOneAtATime(history);
history.always("uses a link once, and forgets it", (moment, past) => {
  const uses = past.flatMap((each) => asked(each)).filter(({ id }) => id === "enter");
  expect(uses.length).toBeLessThanOrEqual(1);
  if (!moment.state.matches("entering")) expect(moment.state.context.link).toBe(null);
});
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
