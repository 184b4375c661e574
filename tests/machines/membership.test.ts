/** The membership: what is known stays known, whatever happens to the next question. */
import { expect } from "vitest";
import { membershipMachine, type Member } from "../../machines/membership.ts";
import { membership as model } from "../models/membership.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import { answerIn, asked, asksOneAtATime, errorIn, wasAsking } from "../support/invariants.ts";

const member: Member = {
  account_name: "Ann",
  name: null,
  pack_name: "Monthly",
  pack_exp_date: "2026-02-01",
};
const visitor: Member = { ...member, pack_name: null, pack_exp_date: null };

const membership = invariantsOf(membershipMachine, {
  events: [{ type: "screen.activated" }, { type: "retry" }],
  answers: { readMember: { member, visitor } },
});

/** The API's last word in this path. */
const wordOf = (history: History<typeof membershipMachine>) => {
  const last = history.findLast((moment) => answerIn(moment, "readMember"));
  return (last && (answerIn(last, "readMember")?.output as Member)) ?? null;
};

asksOneAtATime(membership);

membership.always("shows the API's last word, and whether it is a membership", ({ state }, history) => {
  const known = wordOf(history);
  expect({
    member: state.context.member,
    active: state.hasTag("active"),
    shown: state.matches("shown"),
  }).toEqual({ member: known, active: known?.pack_name === "Monthly", shown: known !== null });
});

membership.always(
  "asks when opened, when shown again, and when told to while nothing is shown",
  (moment, history) => {
    const { type } = moment.event;
    const isKnown = wordOf(history) !== null;
    const waits = wasAsking(history, "readMember");
    const asks =
      type === "start" ||
      (type === "screen.activated" && (isKnown || !waits)) ||
      // A person asks again because the first question seems lost.
      (type === "retry" && !isKnown);
    expect(asked(moment).length).toBe(asks ? 1 : 0);
  },
);

membership.always("keeps a failure only for those who see nothing else", ({ state }, history) => {
  const error = history.map((moment) => errorIn(moment, "readMember")).findLast(Boolean);
  const failed = wordOf(history) === null && error !== undefined;
  expect(state.context.error).toEqual(failed ? error : null);
});

membership.always(
  "tells, from the tenth second on, that the first answer is late",
  ({ state, pending, at }) => {
    const late = pending.some((call) => !state.matches("shown") && at - call.at >= 10_000);
    expect(state.hasTag("slow")).toBe(late);
  },
);

runOnMachine(model);
