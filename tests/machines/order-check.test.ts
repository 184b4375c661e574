/** The check of an open order: what has come of the money, whether the API still knows it, and when that is asked. */
import { expect } from "vitest";
import { orderCheckMachine } from "../../machines/order-check.ts";
import type { OrderReading } from "../../machines/order-status.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import {
  answerIn,
  asked,
  asksOneAtATime,
  errorIn,
  letsGoWhenTold,
  tellsWhenSlow,
  wasAsking,
} from "../support/invariants.ts";
import { readingOf, refused } from "../support/samples.ts";

const clock = (minute: number) => ({ type: "clock.read", minute }) as const;

const check = invariantsOf(orderCheckMachine, {
  inputs: [
    { orderId: "A100", received: null, networkBehind: false },
    { orderId: "A100", received: "1.00", networkBehind: true },
  ],
  events: [
    { type: "pay.completed" },
    { type: "cancel" },
    { type: "retry" },
    { type: "page.visible" },
    clock(1),
    clock(0),
    clock(-10),
    clock(-11),
  ],
  answers: {
    readOrder: {
      pending: readingOf(0),
      part: readingOf(0, { received: "1.00", networkBehind: true }),
      whole: readingOf(0, { received: "9.90" }),
      confirmed: readingOf(1),
      failed: readingOf(9),
      refused,
    },
  },
  repeats: 1,
});

type Past = History<typeof orderCheckMachine>;

/** With nothing left to send. */
const isOver = ({ status, received }: OrderReading) => [1, 9].includes(status) || received === "9.90";
const minuteIn = (history: Past) =>
  history
    .flatMap(({ event }) => (event.type === "clock.read" && "minute" in event ? [event.minute] : []))
    .at(-1);

/** Whether the API refuses to know the order, by its last word on it. */
const isGone = (history: Past) => {
  const last = history.findLast(
    (moment) =>
      answerIn(moment, "glance", "readOrder", "askAgain") ??
      errorIn(moment, "glance", "readOrder", "askAgain")?.kind === "refused",
  );
  return last !== undefined && "error" in last.event;
};
const isSettled = (history: Past) =>
  history.some((moment) => {
    const word = answerIn(moment, "askAgain")?.output as OrderReading | undefined;
    return word !== undefined && isOver(word);
  });

/** Whether another minute of the countdown has begun since it was last looked for the money: ten after its end at most, but for a clock that jumped. */
const isDue = (history: Past) => {
  let [minute, looked]: (number | undefined)[] = [];
  let jumped = false;
  for (const moment of history) {
    if (moment.event.type === "clock.read" && "minute" in moment.event) {
      jumped ||= Math.abs(moment.event.minute - (minute ?? moment.event.minute)) > 1;
      ({ minute } = moment.event);
    }
    looked ??= minute;
    if (moment !== history.at(-1) && moment.calls.some(({ id }) => id === "glance"))
      [looked, jumped] = [minute, false];
  }
  return minute !== undefined && (jumped || (minute !== looked && minute >= -10));
};

asksOneAtATime(check);
letsGoWhenTold(check, ["readOrder", "askAgain"]);
tellsWhenSlow(check, ["readOrder", "askAgain"]);

check.always("shows the order until the API knows no more of it, or it is settled", ({ state }, history) => {
  const gone = isGone(history);
  expect({ shown: state.hasTag("shown"), gone: state.hasTag("gone") }).toEqual({
    shown: !gone && !isSettled(history),
    gone,
  });
});

check.always(
  "knows what has arrived of the money, and whether its network is late, by the API's last word",
  ({ state: { context } }, history) => {
    const [start] = history;
    const known = start?.event.type === "start" && "input" in start.event ? start.event.input : null;
    const words = history.flatMap((moment) => answerIn(moment, "glance", "askAgain")?.output as OrderReading);
    const last = words.findLast((word) => word && !isOver(word)) ?? known;
    expect({ received: context.received, late: context.networkBehind }).toEqual({
      received: last?.received,
      late: last?.networkBehind ?? false,
    });
  },
);

// A user who pays from another device never leaves the screen.
check.always("asks about the order when told to and every minute, once at a time", (moment, history) => {
  const { event, state, pending } = moment;
  const before = history.at(-2)?.state;
  const isSeen = event.type === "page.visible";
  const asksAgain = isSeen || (event.type === "retry" && !wasAsking(history, "askAgain"));
  const isShown = before?.hasTag("shown") === true;
  let asks: string | null = null;
  if (event.type === "start" || (before?.hasTag("gone") && state.hasTag("shown"))) asks = "glance";
  else if (before?.hasTag("gone")) asks = asksAgain ? "askAgain" : null;
  else if (isShown && event.type === "pay.completed" && !wasAsking(history, "readOrder")) asks = "readOrder";
  else if (isShown && isSeen) asks = wasAsking(history, "readOrder") ? "readOrder" : "glance";
  else if (state.hasTag("shown") && isDue(history) && !pending.some(({ id }) => id === "readOrder"))
    asks = "glance";
  expect(asked(moment)).toEqual(asks === null ? [] : [{ id: asks, input: { orderId: "A100" } }]);
  expect(state.hasTag("busy")).toBe(pending.some(({ id }) => id === "readOrder" || id === "askAgain"));
});

check.always("goes on to the bill when told to, or when nothing is left to send", (moment, history) => {
  const glance = answerIn(moment, "glance", "askAgain")?.output as OrderReading | undefined;
  const answer = answerIn(moment, "readOrder")?.output as OrderReading | undefined;
  const over = glance && isOver(glance) ? glance : undefined;
  const error = errorIn(moment, "readOrder");
  const bill = (reading: OrderReading, status = reading.status) => ({
    type: "bill.opened",
    orderId: "A100",
    status,
    amount: "9.90",
    createdAt: "2026-01-01 00:00:00",
    // The way back from the bill leads here again while there is something to pay.
    isLast: isOver(reading),
  });
  const minute = minuteIn(history);
  const hasRunOut = minute !== undefined && minute <= 0;
  expect(moment.emitted).toEqual(
    over
      ? [bill(over)]
      : answer
        ? [hasRunOut ? bill(answer, 0) : bill(answer)]
        : // That the order is gone stands on the screen.
          error && error.kind !== "refused"
          ? [{ type: "request.failed", error }]
          : [],
  );
});
