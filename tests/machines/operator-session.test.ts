/** The session of the operator's page: a link is used once, and the page is shown to the signed-in operator alone. */
import { expect } from "vitest";
import { operatorSessionMachine } from "../../machines/operator-session.ts";
import { CallFailed, isTooMany } from "../../machines/call-error.ts";
import { operatorSession, operatorSessionByPasskey, eve } from "../models/console.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import { answerIn, asked, asksOneAtATime, errorIn } from "../support/invariants.ts";
import { runOnMachine } from "../support/user-model.ts";

const signedOut = new CallFailed({ kind: "signedOut" });
const refused = new CallFailed({ kind: "refused", code: 0, message: "Not here." });
const tooMany = new CallFailed({ kind: "http", status: 429, path: "/" });

const history = invariantsOf(operatorSessionMachine, {
  inputs: [{ link: "token" }, { link: null }],
  events: [
    { type: "retry" },
    { type: "passkey.used" },
    { type: "passkey.requested" },
    { type: "logout.requested" },
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
type Past = History<typeof operatorSessionMachine>;

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
history.always("says why no one is signed in, until someone is or tries anew", ({ state }, past) => {
  const why = lastly(past, (moment, before) => {
    const { event } = moment;
    if (event.type === "session.ended" && before?.state.matches("signedIn")) return "ended";
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
  "tells what the passkey or the logout came to, until it is tried anew or no one is signed in",
  (moment, past) => {
    const { state } = moment;
    const error = lastly(past, (each) => {
      if (each.state.context.operator === null) return "none";
      if (asked(each).some(({ id }) => id === "addPasskey" || id === "leave")) return "none";
      return errorIn(each, "addPasskey", "leave");
    });
    expect(state.context.error ?? "none").toEqual(error ?? "none");
  },
);
history.always("shows the page to the signed-in operator alone", ({ state }) => {
  const isSignedIn = state.matches("signedIn") || state.matches("leaving");
  expect(state.context.operator).toEqual(isSignedIn ? eve : null);
});
history.always("says that a device can let in only where it just got its passkey", ({ state }, past) => {
  const last = past.findLast((each) => answerIn(each, "addPasskey")?.output === true);
  const since = last ? past.slice(past.indexOf(last) + 1) : [];
  const isSignedOut = since.some(
    ({ state: after }) => after.matches("signedOut") || after.matches("enteringByPasskey"),
  );
  expect(state.context.hasNewPasskey).toBe(last !== undefined && !isSignedOut);
});
runOnMachine(operatorSession);
runOnMachine(operatorSessionByPasskey);
