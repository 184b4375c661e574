/** Paying once: what may have been paid is looked for and told of before money is asked for, and the user decides. */
import { describe, expect, test } from "vitest";
import { storedEarlier, topUpOf, type EarlierPayment } from "../../machines/earlier-orders.ts";
import { earlierOf } from "../../machines/rank-earlier.ts";
import type { OrderReading } from "../../machines/order-status.ts";
import { payOnceMachine, type PayOnceOutput } from "../../machines/pay-once.ts";
import { payOnceModels } from "../models/pay-once.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import { answerIn, asked, errorIn, inputIn, keepsNobodyWaiting } from "../support/invariants.ts";
import { earlierPayment, issued, refused } from "../support/samples.ts";
import { runOnMachine } from "../support/user-model.ts";

const part = earlierPayment("part");
const paid = earlierPayment("paid");
const open = earlierPayment("open");
const reported = earlierPayment("reported");
const elsewhere: EarlierPayment = { ...open, isElsewhere: true };

const payOnce = invariantsOf(payOnceMachine, {
  inputs: [
    { ignoredIds: ["before"], isLast: true },
    { ignoredIds: [], followedAtOnce: ["open"], passedAtOnce: ["reported"], isLast: true },
    { ignoredIds: [], found: part, followedAtOnce: ["open"], isLast: false },
    { ignoredIds: [], found: paid, isLast: false },
    { ignoredIds: [], found: open, followedAtOnce: ["open"], isLast: false },
    { ignoredIds: [], found: elsewhere, followedAtOnce: ["open"], isLast: false },
  ],
  events: [
    { type: "earlier.followed" },
    { type: "earlier.passed" },
    { type: "earlier.dismissed" },
    { type: "retry" },
    { type: "cancel" },
  ],
  answers: { findEarlier: { none: null, part, paid, open, elsewhere, reported, refused } },
  distinguish: ({ earlier, ignoredIds, end }) => [
    earlier?.kind,
    earlier?.isElsewhere,
    Math.min(ignoredIds.length, 2),
    end,
  ],
});

type Past = History<typeof payOnceMachine>;
/** What the user is told of, and how it ended. */
type Course = PayOnceOutput & { at: "asking" | "telling" | "over" };

const course = (history: Past): Course => {
  const { ignoredIds, found = null, followedAtOnce = [], passedAtOnce = [] } = inputIn(history);
  const over = (so: Course, end: Course["end"], more: Partial<Course> = {}): Course => ({
    ...so,
    at: "over",
    end,
    ...more,
  });
  const meet = (so: Course, earlier: EarlierPayment): Course => {
    if (passedAtOnce.includes(earlier.kind)) return over(so, "free", { earlier });
    // What no screen here leads back to is asked about, or its bill would come before every payment.
    if (followedAtOnce.includes(earlier.kind) && !earlier.isElsewhere)
      return over(so, "followed", { earlier });
    return { ...so, at: "telling", earlier };
  };
  const begun: Course = { at: "asking", end: "dismissed", ignoredIds, earlier: null, error: null };
  return history.slice(1).reduce(
    (so, moment) => {
      if (so.at === "asking") {
        const error = errorIn(moment, "findEarlier");
        if (error) return over(so, "failed", { error });
        const answer = answerIn(moment, "findEarlier") as { output: EarlierPayment | null } | undefined;
        if (answer) return answer.output ? meet(so, answer.output) : over(so, "free");
        return moment.event.type === "cancel" ? over(so, "dismissed") : so;
      }
      if (so.at === "over") return so;
      switch (moment.event.type) {
        case "earlier.followed":
          return over(so, "followed");
        case "earlier.dismissed":
          return over(so, "dismissed");
        case "earlier.passed": {
          const told = { ignoredIds: [...so.ignoredIds, so.earlier?.order.orderId ?? ""], earlier: null };
          // Who found it looks for the next one.
          return found ? over(so, "free", told) : { ...so, ...told, at: "asking" };
        }
        default:
          return so;
      }
    },
    found ? meet(begun, found) : begun,
  );
};
const before = (history: Past) => (history.length > 1 ? course(history.slice(0, -1)) : null);

keepsNobodyWaiting(payOnce, ["findEarlier"]);

payOnce.always("asks, tells and ends as the API and the user say", ({ state }, history) => {
  const { at, ...output } = course(history);
  expect({ busy: state.hasTag("busy"), tells: state.matches("telling"), output: state.output }).toEqual({
    busy: at === "asking",
    tells: at === "telling",
    output: at === "over" ? output : undefined,
  });
});

payOnce.always("asks about no payment that the user was told of", (moment, history) => {
  const { at, ignoredIds } = course(history);
  const isNew = before(history)?.at !== "asking" || moment.event.type === "retry";
  expect(asked(moment)).toEqual(
    at === "asking" && isNew ? [{ id: "findEarlier", input: { ignoredIds } }] : [],
  );
});

payOnce.always("tells of a payment until it is answered", ({ state }, history) => {
  const { at, earlier } = course(history);
  if (at === "telling") expect(state.context.earlier).toEqual(earlier);
});

payOnce.always(
  "stores a paid one when it tells of it, and shows the one that is followed",
  (moment, history) => {
    const now = course(history);
    const last = before(history);
    const isToldNow = now.at === "telling" && last?.at !== "telling";
    const isOverNow = now.at === "over" && last?.at !== "over";
    const orderId = now.earlier?.order.orderId;
    expect(moment.emitted).toEqual([
      ...(isToldNow && now.earlier?.kind === "paid"
        ? [{ type: "order.settled", orderId, isPaid: true }]
        : []),
      ...(isOverNow && now.end === "followed"
        ? [{ type: "earlier.followed", earlier: now.earlier, isLast: inputIn(history).isLast }]
        : []),
    ]);
  },
);

describe.each(payOnceModels)("where $order.orderId is kept", ({ model }) => {
  runOnMachine(model);
});

const stored = (orderId: string, more: object = {}) => ({
  orderId,
  amount: "3.99",
  accountName: "Anna",
  packName: "Weekly",
  ...more,
});
const keptBefore = { orders: [stored("1", { visit: "other" })], paid: [stored("2")] };

test.each([
  ["a payment without a known result before one that is paid", {}, "open", "1"],
  ["no payment of this visit", { visit: "other" }, "paid", "2"],
  ["no payment that the person was told of", { ignoredIds: ["1"] }, "paid", "2"],
  ["none of them where all are known", { ignoredIds: ["1", "2"] }, undefined, undefined],
  ["no payment that was reported failed", { orders: [stored("1", { reportedFailed: true })] }, "paid", "2"],
  ["none of another account", { accountName: "Berta" }, undefined, undefined],
  ["nothing where nothing is stored", { orders: [], paid: [] }, undefined, undefined],
])("within a tap finds %s", (_, more, kind, orderId) => {
  const found = storedEarlier({
    ...keptBefore,
    accountName: "Anna",
    ignoredIds: [],
    visit: "visit",
    ...more,
  });
  expect({ kind: found?.kind, orderId: found?.order.orderId }).toEqual({ kind, orderId });
});

const reading = (more: Partial<OrderReading>): OrderReading => ({
  status: 0,
  amount: "3.99",
  createdAt: "2026-01-01T00:00:00.000Z",
  received: null,
  ...more,
});
const begun = stored("3");
const declined = stored("4", { reportedFailed: true });
const transfer = { ...issued, accountName: "Anna", packId: "1", productId: "vpn.week", packName: "Weekly" };
const asksAll = {
  failed: { order: begun, reading: reading({ status: 9 }) },
  unsent: { order: transfer, reading: reading({}) },
  reported: { order: declined, reading: reading({}) },
  open: { order: begun, reading: reading({}) },
  part: { order: transfer, reading: reading({ received: "1.00" }) },
  arrived: { order: transfer, reading: reading({ received: "3.99" }) },
  held: { order: transfer, reading: reading({ received: "1.00", held: true }) },
  arrivedByCard: { order: begun, reading: reading({ received: "3.99" }) },
  paid: { order: transfer, reading: reading({ status: 1, received: "3.99" }) },
};

test.each([
  ["nothing", [], null],
  ["nothing of what failed", ["failed"], null],
  ["nothing of a transfer that was not sent", ["unsent"], null],
  ["a payment that was reported failed", ["failed", "reported", "unsent"], ["reported", "4", null, null]],
  ["one without a known result before that", ["reported", "open"], ["open", "3", null, null]],
  ["a part before those", ["open", "part", "reported"], ["part", "A100", "1.00", "2.99"]],
  ["all of it before a part", ["part", "arrived"], ["arrived", "A100", "3.99", null]],
  ["a part that a person checks as all of it", ["held"], ["arrived", "A100", "1.00", "2.99"]],
  ["all of it by card, too", ["open", "arrivedByCard"], ["arrived", "3", "3.99", null]],
  ["what is paid before all others", ["arrived", "open", "paid", "part"], ["paid", "A100", "3.99", null]],
] as const)("of what the API says it tells of %s", (_, asked, told) => {
  const found = earlierOf(asked.map((name) => asksAll[name]));
  expect(found && [found.kind, found.order.orderId, found.received, found.missing]).toEqual(told);
});

test("only a transfer of which a part has arrived is topped up", () => {
  expect(topUpOf({ ...part, order: transfer })).toBe(transfer);
  expect(topUpOf({ ...open, order: transfer })).toBeNull();
  expect(topUpOf(part)).toBeNull();
});
