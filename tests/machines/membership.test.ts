/** The membership: what is known stays known, whatever happens to the next question. */
import { expect, test } from "vitest";
import { endOf } from "../../machines/membership-end.ts";
import { distanceTo } from "../../src/contract/moments.ts";
import { membershipIn, membershipMachine, type Member } from "../../machines/membership.ts";
import { membership as model, membershipRemembered as remembered } from "../models/membership.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import { answerIn, asked, asksOneAtATime, errorIn, wasAsking } from "../support/invariants.ts";

const member: Member = {
  account_name: "Ann",
  name: null,
  pack_name: "Monthly",
  pack_exp_date: "2026-02-01",
  end: { text: "2026-02-01", past: -200_000_000, days: 2, hasHour: false },
};
const visitor: Member = { ...member, pack_name: null, pack_exp_date: null, end: null };
/** An end ahead, of no membership. */
const odd: Member = { ...visitor, end: member.end };

const membership = invariantsOf(membershipMachine, {
  inputs: [
    { quiet: true, lastKnown: null },
    { quiet: true, lastKnown: { pack_name: "Yearly", pack_exp_date: "2026-03-01" } },
  ],
  events: [{ type: "screen.activated" }, { type: "page.visible" }, { type: "retry" }],
  answers: { readMember: { member, visitor, odd } },
});

/** The API's last word in this path. */
const wordOf = (history: History<typeof membershipMachine>) => {
  const last = history.findLast((moment) => answerIn(moment, "readMember"));
  return (last && (answerIn(last, "readMember")?.output as Member)) ?? null;
};

asksOneAtATime(membership);

membership.always("shows the API's last word, before it what was last known", ({ state }, history) => {
  const word = wordOf(history);
  const known = word ?? state.context.lastKnown;
  expect({
    member: state.context.member,
    membership: membershipIn(state.context),
    end: state.context.end?.days ?? null,
    active: state.hasTag("active"),
    shown: state.matches({ reading: "shown" }),
  }).toEqual({
    member: word,
    membership: known,
    end: word?.pack_name === "Monthly" ? 2 : null,
    active: known !== null && known.pack_name !== null,
    shown: word !== null,
  });
});

membership.always("has each answer of the API kept, and nothing else", (moment) => {
  const answer = answerIn(moment, "readMember")?.output as Member | undefined;
  expect(moment.emitted).toEqual(answer ? [{ type: "member.read", member: answer }] : []);
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
      (type === "page.visible" && isKnown) ||
      // A person asks again because the first question seems lost.
      (type === "retry" && !isKnown);
    expect(asked(moment)).toEqual(asks ? [{ id: "readMember", input: { quiet: true } }] : []);
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
    const late = pending.some((call) => !state.matches({ reading: "shown" }) && at - call.at >= 10_000);
    expect(state.hasTag("slow")).toBe(late);
  },
);

runOnMachine(model);
runOnMachine(remembered);

const at = new Date(2026, 0, 10, 12).getTime();
const endAt = (...parts: [number, number, number, number]) => new Date(...parts).toISOString();
const running = (text: string | null) => [true, text] as const;
const over = (text: string | null) => [false, text] as const;

test.each([
  ["eight days before", running(endAt(2026, 0, 18, 1)), null],
  ["seven days before", running(endAt(2026, 0, 17, 23)), ["week", "inDays", 7]],
  ["four days before", running(endAt(2026, 0, 14, 1)), ["week", "inDays", 4]],
  ["three days before", running(endAt(2026, 0, 13, 23)), ["days", "inDays", 3]],
  ["the day before, whatever the hour", running(endAt(2026, 0, 11, 23)), ["day", "tomorrow", 1]],
  ["on the day", running(endAt(2026, 0, 10, 13)), ["day", "todayAt", 0]],
  ["on the day, no hour being known", running("2026-01-10"), ["day", "today", 0]],
  ["on the day, the end being past", over(endAt(2026, 0, 10, 11)), ["over", "overToday", 0]],
  ["at the very moment", running(new Date(at).toISOString()), ["over", "overToday", 0]],
  ["the day after", over(endAt(2026, 0, 9, 23)), ["over", "over", -1]],
  ["the day after a day without an hour", over("2026-01-09"), ["over", "over", -1]],
  ["thirty days after", over(endAt(2025, 11, 11, 13)), ["over", "over", -30]],
  ["thirty days after, to the millisecond", over(endAt(2025, 11, 11, 12)), ["over", "over", -30]],
  ["later than that", over(endAt(2025, 11, 11, 11)), null],
  ["a date of another API's", over("2026-01-08 10:00:00"), ["over", "over", -2]],
  ["a date ahead without a membership", over("2026-01-12 10:00:00"), null],
  ["never a member", over(null), null],
  ["an end that is no date", running("soon"), null],
  ["a membership without an end", running(null), null],
])("what is said of the end: %s", (_, [isMember, text], expected) => {
  const end = endOf(isMember, distanceTo(text, at));
  expect(end && [end.phase, end.message, end.days]).toEqual(expected);
});
