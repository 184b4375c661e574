/** An order waiting for its money: nothing shown that the API did not issue, and a countdown that no clock or sleep can fool. */
import { expect, test } from "vitest";
import { secondsLeft } from "../../machines/issued-order.ts";
import {
  isExpired,
  orderMachine,
  remainingSeconds,
  timeMessage,
  type IssuedReading,
  type OrderInput,
} from "../../machines/order.ts";
import type { OrderReading } from "../../machines/order-status.ts";
import { order as model, orderClaimed, orderTimed } from "../models/order.ts";
import { runOnMachine } from "../support/user-model.ts";
import { Harness } from "../support/harness.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import { answerIn, asked, asksOneAtATime, errorIn, tellsWhenSlow, wasAsking } from "../support/invariants.ts";
import { deadline, issued, readingOf, refused } from "../support/samples.ts";

const { deadline: _, ...words } = issued;
const claimed = { ...words, amount: "9.9" };
const mine: OrderInput = { claimed, kept: issued };
const late: OrderInput = { claimed, kept: { ...issued, networkBehind: true } };
const forged = { ...claimed, address: "TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj" };

const order = invariantsOf(orderMachine, {
  inputs: [
    mine,
    late,
    { claimed, kept: null },
    { claimed: forged, kept: issued },
    { claimed: { ...claimed, amount: "0.99" }, kept: null },
    { claimed: { ...claimed, network: null }, kept: issued },
  ],
  events: [{ type: "cancel" }, { type: "retry" }, { type: "page.visible" }],
  answers: {
    // It goes as long as the screen.
    check: {},
    readIssued: {
      pending: { ...readingOf(0), issued },
      part: { ...readingOf(0, { received: "1.00", networkBehind: true }), issued },
      whole: { ...readingOf(0, { received: "9.90" }), issued },
      another: { ...readingOf(0), issued: { ...issued, orderId: "A101" } },
      confirmed: { ...readingOf(1), issued },
      failed: { ...readingOf(9), issued },
      silent: { ...readingOf(0), issued: null },
      refused,
    },
    readClock: {
      early: deadline - 1_700_000,
      last: deadline - 1,
      over: deadline,
      late: deadline + 600_000,
      longOver: deadline + 660_000,
      behind: deadline - 7_200_000,
    },
  },
  infallible: ["readClock", "check"],
  distinguish: (context) => ({
    over: secondsLeft(context) === 0,
    received: context.received,
  }),
  repeats: 1,
});

type Past = History<typeof orderMachine>;

/** With nothing left to send. */
const isOver = ({ status, received }: OrderReading) => [1, 9].includes(status) || received === "9.90";

const inputIn = ([start]: Past) =>
  start?.event.type === "start" && "input" in start.event ? start.event.input : null;

/** Decisions, "Payment details in a URL are not believed": only what is the same in every word is shown. */
const isProven = (history: Past) => {
  const input = inputIn(history);
  if (!input) return false;
  const { kept, claimed: said } = input;
  const isTrue = said === claimed;
  const word = history.findLast((moment) => answerIn(moment, "verifyOrder"));
  const told = word && (answerIn(word, "verifyOrder")?.output as IssuedReading);
  return isTrue && (kept !== null || (told?.issued === issued && !isOver(told)));
};
const bill = {
  type: "bill.opened",
  orderId: "A100",
  amount: "9.90",
  createdAt: "2026-01-01 00:00:00",
  // There is nothing to come back to.
  isLast: true,
};
/** Seconds to the deadline by the clock as last heard. */
const leftIn = (history: Past) => {
  const word = history.findLast((moment) => answerIn(moment, "readClock"));
  const now = word && (answerIn(word, "readClock")?.output as number);
  return now === undefined ? 1800 : Math.min(1800, Math.max(0, Math.ceil((deadline - now) / 1000)));
};

asksOneAtATime(order, ["verifyOrder", "check"]);
asksOneAtATime(order, ["readClock"]);
tellsWhenSlow(order, ["verifyOrder"]);

order.always("shows nothing that the API did not issue", (moment, history) => {
  const { state } = moment;
  const proven = isProven(history);
  expect(state.matches("open")).toBe(proven);
  if (proven) expect(state.context.issued).toMatchObject(issued);
  // Whether the API still knows it is for the check to say.
  const before = isProven(history.slice(0, -1));
  const reading = answerIn(moment, "verifyOrder")?.output as IssuedReading | undefined;
  expect(asked(moment).filter(({ id }) => id === "check")).toEqual(
    proven && !before
      ? [
          {
            id: "check",
            input: {
              orderId: "A100",
              received: reading?.received ?? null,
              networkBehind: (reading ?? inputIn(history)?.kept)?.networkBehind ?? false,
            },
          },
        ]
      : [],
  );
});

order.always("counts to the deadline by the API's clock, between 30:00 and 0:00", ({ state }, history) => {
  const left = leftIn(history);
  if (!state.matches("open")) return;
  expect(remainingSeconds(state)).toBe(left);
  expect(isExpired(state)).toBe(left === 0);
});

order.always(
  "reads the clock when it opens, when it is seen, and every second",
  ({ state, at, pending }, history) => {
    if (!state.matches("open")) return;
    const last = history.flatMap(({ calls }) => calls).findLast(({ id }) => id === "readClock");
    const answered = history.findLast((moment) => answerIn(moment, "readClock"));
    const waits = pending.some(({ id }) => id === "readClock");
    const fresh =
      answered !== undefined && at - answered.at < 1_000 && history.at(-1)?.event.type !== "page.visible";
    expect({ asked: last !== undefined, current: waits || fresh }).toEqual({ asked: true, current: true });
  },
);

order.always(
  "asks the API about a link until it knows, when told to and when it is seen",
  (moment, history) => {
    const { type } = moment.event;
    // Without the API's word, or with one that may pass.
    const isCut = ["unreachable", "unknown"].some((name) => history.at(-2)?.state.value === name);
    const asks = ["retry", "page.visible"].includes(type) && (wasAsking(history, "verifyOrder") || isCut);
    const isTold = history[0] === moment && !isProven(history);
    expect(asked(moment).filter(({ id }) => id === "verifyOrder")).toEqual(
      asks || isTold ? [{ id: "verifyOrder", input: { orderId: "A100" } }] : [],
    );
  },
);

order.always("leads from a link to the bill where nothing is left to send", (moment) => {
  const reading = answerIn(moment, "verifyOrder")?.output as OrderReading | undefined;
  const over = reading && isOver(reading) ? [{ ...bill, status: reading.status }] : [];
  expect(moment.emitted).toEqual(over);
});

order.always("says why an order could not be verified", (moment) => {
  const error = errorIn(moment, "verifyOrder");
  if (error) {
    const { value, context } = moment.state;
    if (error.kind === "refused") expect(value).toBe("unknown");
    else expect({ value, error: context.error }).toEqual({ value: "unreachable", error });
  }
});

/** An open order by a clock that is `ahead` of the phone's, which began half an hour before the deadline. */
const opened = (ahead: () => number = () => 0) =>
  new Harness(orderMachine, {
    input: mine,
    replies: {
      readOrder: () => readingOf(0),
      readClock: (_: unknown, now: number) => deadline - 1_800_000 + now + ahead(),
    },
  });
const seen = ({ state }: Harness<typeof orderMachine>) => ({
  left: secondsLeft(state.context),
  expired: isExpired(state),
});

test.each([
  ["orderId", "A101"],
  ["network", "ERC20"],
  ["amount", "9.91"],
  ["address", forged.address],
  ["network", null],
] as const)("shows nothing of a link whose %s is not as issued", async (word, said) => {
  const harness = new Harness(orderMachine, {
    input: { claimed: { ...claimed, [word]: said }, kept: issued },
    replies: { readIssued: () => ({ ...readingOf(0), issued }) },
  });
  await harness.advance(0);
  expect({ states: harness.states, value: harness.state.value }).toEqual({
    states: { order: ["order", "order.forged"] },
    value: "forged",
  });
});

test("has its check asked when the page becomes visible", async () => {
  const harness = opened();
  const looks = () => harness.calls.filter(({ src }) => src === "readOrder").length;
  await harness.advance(90_000);
  const before = looks();
  await harness.send({ type: "page.visible" });
  expect(looks()).toBe(before + 1);
});

test("counts from 30:00 to 0:00, a second each second", async () => {
  const harness = opened();
  const left = [];
  for (let second = 0; second <= 1_801; second++) {
    await harness.advance(second === 0 ? 0 : 1_000);
    left.push(secondsLeft(harness.state.context));
  }
  expect(left).toEqual([...Array.from({ length: 1_801 }, (_, second) => 1_800 - second), 0]);
  expect(seen(harness)).toEqual({ left: 0, expired: true });
});

test("does not drift while the phone sleeps", async () => {
  const harness = opened();
  await harness.advance(1_500);
  await harness.sleep(600_000);
  await harness.advance(0);
  expect(seen(harness)).toEqual({ left: Math.ceil((1_800_000 - 601_500) / 1_000), expired: false });
  await harness.sleep(3_600_000);
  await harness.advance(0);
  expect(seen(harness)).toEqual({ left: 0, expired: true });
});

test("never shows more than 30:00, however far behind the clock is", async () => {
  const harness = opened(() => -86_400_000);
  await harness.advance(5_000);
  expect(seen(harness)).toEqual({ left: 1_800, expired: false });
});

test("takes a false expiry back when the clock is corrected, within a second", async () => {
  let ahead = 86_400_000;
  const harness = opened(() => ahead);
  await harness.advance(0);
  expect(seen(harness)).toEqual({ left: 0, expired: true });
  ahead = 0;
  await harness.advance(1_000);
  expect(seen(harness)).toEqual({ left: 1_799, expired: false });
});

test("has the order checked at the turn of each minute, ten after the deadline at most", async () => {
  const harness = opened();
  const glances = () => harness.calls.filter(({ id }) => id === "glance").map(({ at }) => at);
  await harness.advance(2_600_000);
  expect(glances()).toEqual(Array.from({ length: 41 }, (_, minute) => minute * 60_000));
});

test("reads the clock at once when the page is seen again", async () => {
  const harness = opened();
  await harness.advance(300);
  const { length } = harness.calls;
  await harness.send({ type: "page.visible" });
  expect(harness.calls.slice(length).map(({ id, at }) => ({ id, at }))).toEqual([
    { id: "glance", at: 300 },
    { id: "readClock", at: 300 },
  ]);
});

test.each([
  [false, null, "none"],
  [true, null, "late"],
  [false, "1.50", "part"],
  [true, "1.50", "partLate"],
] as const)("where the time is up: %s, and missing: %s, it says: %s", (expired, missing, message) => {
  expect(timeMessage(expired, missing)).toBe(message);
});

runOnMachine(model);
runOnMachine(orderClaimed);
runOnMachine(orderTimed);
