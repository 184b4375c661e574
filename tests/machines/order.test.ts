/** An order waiting for its money: nothing shown that the API did not issue, and a countdown that no clock or sleep can fool. */
import { expect, test } from "vitest";
import { secondsLeft } from "../../machines/issued.ts";
import { orderMachine, type IssuedReading, type OrderInput } from "../../machines/order.ts";
import type { OrderReading } from "../../machines/reading.ts";
import { order as play, orderClaimed, orderTimed } from "../models/order.ts";
import { rehearse } from "../support/play.ts";
import { Stage } from "../support/stage.ts";
import { study, type History } from "../support/study.ts";
import {
  answerIn,
  asked,
  asksOneAtATime,
  failureIn,
  letsGoWhenTold,
  PATIENCE,
  wasAsking,
} from "../support/promises.ts";
import { deadline, issued, readingOf, refused } from "../support/samples.ts";

const { deadline: _, ...words } = issued;
const claimed = { ...words, amount: "9.9" };
const mine: OrderInput = { claimed, kept: issued };
const forged = { ...claimed, address: "TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj" };

const order = study(orderMachine, {
  inputs: [
    mine,
    { claimed, kept: null },
    { claimed: forged, kept: issued },
    { claimed: { ...claimed, amount: "0.99" }, kept: null },
    { claimed: { ...claimed, network: null }, kept: issued },
  ],
  events: [
    { type: "pay.completed" },
    { type: "waiting.dropped" },
    { type: "asked.again" },
    { type: "page.seen" },
  ],
  answers: {
    readOrder: {
      pending: readingOf(0),
      part: readingOf(0, { received: "1.00" }),
      whole: readingOf(0, { received: "9.90" }),
      confirmed: readingOf(1),
      failed: readingOf(9),
    },
    readIssued: {
      pending: { ...readingOf(0), issued },
      part: { ...readingOf(0, { received: "1.00" }), issued },
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
  infallible: ["readClock"],
  distinguish: (context) => ({ over: secondsLeft(context) === 0, received: context.received }),
  repeats: 1,
});

type Past = History<typeof orderMachine>;

/** With nothing left to send. */
const isOver = ({ status, received }: OrderReading) => [1, 9].includes(status) || received === "9.90";

/** Decisions, "Payment details in a URL are not believed": only what is the same in every word is shown. */
const isProven = (history: Past) => {
  const [start] = history;
  if (start?.event.type !== "start" || !("input" in start.event)) return false;
  const { kept, claimed: said } = start.event.input;
  const isTrue = said === claimed;
  const word = history.findLast((moment) => answerIn(moment, "verifyOrder"));
  const told = word && (answerIn(word, "verifyOrder")?.output as IssuedReading);
  return isTrue && (kept === issued || (told?.issued === issued && !isOver(told)));
};
/** Seconds to the deadline by the clock as last heard. */
const leftIn = (history: Past) => {
  const word = history.findLast((moment) => answerIn(moment, "readClock"));
  const now = word && (answerIn(word, "readClock")?.output as number);
  return now === undefined ? 1800 : Math.min(1800, Math.max(0, Math.ceil((deadline - now) / 1000)));
};

/** Whether another minute of the countdown has begun since it was last looked for the money, ten after its end at most. */
const isDue = (history: Past) => {
  let [minute, looked]: (number | undefined)[] = [];
  for (const moment of history) {
    const clock = answerIn(moment, "readClock")?.output as number | undefined;
    if (clock !== undefined) minute = Math.ceil((deadline - clock) / 60_000);
    looked ??= minute;
    if (moment !== history.at(-1) && moment.calls.some(({ id }) => id === "glance")) looked = minute;
  }
  return minute !== undefined && minute !== looked && minute >= -10;
};

asksOneAtATime(order, ["verifyOrder", "glance", "readOrder"]);
asksOneAtATime(order, ["readClock"]);
letsGoWhenTold(order, ["readOrder"]);

order.always("shows nothing that the API did not issue", ({ state }, history) => {
  const proven = isProven(history);
  expect(state.hasTag("shown")).toBe(proven);
  if (proven) expect(state.context.issued).toEqual(issued);
});

order.always("knows what has arrived of the money, by the API's last word", ({ state }, history) => {
  const words = history.flatMap(
    (moment) => answerIn(moment, "verifyOrder", "glance")?.output as OrderReading,
  );
  const last = words.findLast((word) => word && !isOver(word));
  if (state.hasTag("shown")) expect(state.context.received).toBe(last?.received ?? null);
});

order.always("counts to the deadline by the API's clock, between 30:00 and 0:00", ({ state }, history) => {
  const left = leftIn(history);
  if (state.hasTag("shown")) expect(secondsLeft(state.context)).toBe(left);
  const expired = state.matches({ open: { countdown: "expired" } });
  const counting = state.matches({ open: { countdown: "counting" } });
  if (expired || counting) expect({ expired, counting }).toEqual({ expired: left === 0, counting: left > 0 });
});

order.always(
  "reads the clock when it opens, when it is seen, and every second",
  ({ state, at, pending }, history) => {
    if (!state.hasTag("shown")) return;
    const last = history.flatMap(({ calls }) => calls).findLast(({ id }) => id === "readClock");
    const answered = history.findLast((moment) => answerIn(moment, "readClock"));
    const waits = pending.some(({ id }) => id === "readClock");
    const fresh =
      answered !== undefined && at - answered.at < 1_000 && history.at(-1)?.event.type !== "page.seen";
    expect({ asked: last !== undefined, current: waits || fresh }).toEqual({ asked: true, current: true });
  },
);

// Whoever pays from another device never leaves the screen.
order.always("asks about the order when told to and every minute, once at a time", (moment, history) => {
  const { event, state, pending } = moment;
  const isOpen = history.at(-2)?.state.hasTag("shown") ?? false;
  const opens = !isOpen && state.hasTag("shown");
  const waits = wasAsking(history, "verifyOrder", "glance", "readOrder");
  // Without the API's word, or with one that may pass.
  const isCut = ["unreachable", "unknown"].some((name) => history.at(-2)?.state.value === name);
  const asks = opens
    ? ["glance"]
    : isOpen
      ? event.type === "pay.completed" && !wasAsking(history, "readOrder")
        ? ["readOrder"]
        : event.type === "page.seen"
          ? [wasAsking(history, "readOrder") ? "readOrder" : "glance"]
          : isDue(history) && !pending.some(({ id }) => id === "readOrder")
            ? ["glance"]
            : []
      : event.type === "start" || (["asked.again", "page.seen"].includes(event.type) && (waits || isCut))
        ? ["verifyOrder"]
        : [];
  const about = asked(moment).filter(({ id }) => id !== "readClock");
  expect(about).toEqual(asks.map((id) => ({ id, input: { orderId: "A100" } })));
  expect(state.hasTag("busy")).toBe(pending.some(({ id }) => id === "readOrder"));
});

order.always("goes on to the bill when told to, or when nothing is left to send", (moment, history) => {
  const glance = answerIn(moment, "glance", "verifyOrder")?.output as OrderReading | undefined;
  const answer = answerIn(moment, "readOrder")?.output as OrderReading | undefined;
  const over = glance && isOver(glance) ? glance : undefined;
  const failure = failureIn(moment, "readOrder");
  const bill = (reading: OrderReading, status = reading.status) => ({
    type: "bill.asked",
    orderId: "A100",
    status,
    amount: "9.90",
    createdAt: "2026-01-01 00:00:00",
    // The way back from the bill leads here again while there is something to pay.
    isLast: isOver(reading),
  });
  expect(moment.emitted).toEqual(
    over
      ? [bill(over)]
      : answer
        ? [leftIn(history) === 0 ? bill(answer, 0) : bill(answer)]
        : failure
          ? [{ type: "failure.met", failure }]
          : [],
  );
});

order.always("says why an order could not be verified", (moment) => {
  const failure = failureIn(moment, "verifyOrder");
  if (failure) {
    const { value, context } = moment.state;
    if (failure.kind === "refused") expect(value).toBe("unknown");
    else expect({ value, failure: context.failure }).toEqual({ value: "unreachable", failure });
  }
});

order.always(
  "tells, from the tenth second on, that what a person waits for is late",
  ({ state, pending, at }) => {
    const late = pending.some((call) => /^(verify|read)Order$/.test(call.id) && at - call.at >= PATIENCE);
    expect(state.hasTag("slow")).toBe(late);
  },
);

/** An open order by a clock that is `ahead` of the phone's, which began half an hour before the deadline. */
const opened = (ahead: () => number = () => 0) =>
  new Stage(orderMachine, {
    input: mine,
    replies: {
      readOrder: () => readingOf(0),
      readClock: (_: unknown, now) => deadline - 1_800_000 + now + ahead(),
    },
  });
const seen = ({ state }: Stage<typeof orderMachine>) => ({
  left: secondsLeft(state.context),
  expired: state.matches({ open: { countdown: "expired" } }),
});

test.each([
  ["orderId", "A101"],
  ["network", "ERC20"],
  ["amount", "9.91"],
  ["address", forged.address],
  ["network", null],
] as const)("shows nothing of a link whose %s is not as issued", async (word, said) => {
  const stage = new Stage(orderMachine, {
    input: { claimed: { ...claimed, [word]: said }, kept: issued },
    replies: { readIssued: () => ({ ...readingOf(0), issued }) },
  });
  await stage.pass(0);
  expect({ shown: stage.state.hasTag("shown"), value: stage.state.value }).toEqual({
    shown: false,
    value: "forged",
  });
});

test("counts from 30:00 to 0:00, a second each second", async () => {
  const stage = opened();
  const left = [];
  for (let second = 0; second <= 1_801; second++) {
    await stage.pass(second === 0 ? 0 : 1_000);
    left.push(secondsLeft(stage.state.context));
  }
  expect(left).toEqual([...Array.from({ length: 1_801 }, (_, second) => 1_800 - second), 0]);
  expect(seen(stage)).toEqual({ left: 0, expired: true });
});

test("does not drift while the phone sleeps", async () => {
  const stage = opened();
  await stage.pass(1_500);
  await stage.sleep(600_000);
  await stage.pass(0);
  expect(seen(stage)).toEqual({ left: Math.ceil((1_800_000 - 601_500) / 1_000), expired: false });
  await stage.sleep(3_600_000);
  await stage.pass(0);
  expect(seen(stage)).toEqual({ left: 0, expired: true });
});

test("never shows more than 30:00, however far behind the clock is", async () => {
  const stage = opened(() => -86_400_000);
  await stage.pass(5_000);
  expect(seen(stage)).toEqual({ left: 1_800, expired: false });
});

test("takes a false expiry back when the clock is corrected, within a second", async () => {
  let ahead = 86_400_000;
  const stage = opened(() => ahead);
  await stage.pass(0);
  expect(seen(stage)).toEqual({ left: 0, expired: true });
  ahead = 0;
  await stage.pass(1_000);
  expect(seen(stage)).toEqual({ left: 1_799, expired: false });
});

test("reads the clock at once when the page is seen again", async () => {
  const stage = opened();
  await stage.pass(300);
  const { length } = stage.calls;
  await stage.send({ type: "page.seen" });
  expect(stage.calls.slice(length).map(({ id, at }) => ({ id, at }))).toEqual([
    { id: "readClock", at: 300 },
    { id: "glance", at: 300 },
  ]);
});

rehearse(play);
rehearse(orderClaimed);
rehearse(orderTimed);
