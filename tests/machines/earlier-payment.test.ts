/** An earlier payment: told once, stored where it is paid, and left to the person to decide. */
import { expect, test } from "vitest";
import { storedEarlier, topUpOf } from "../../machines/earlier-orders.ts";
import { earlierOf } from "../../machines/find-earlier.ts";
import { earlierPaymentMachine } from "../../machines/earlier-payment.ts";
import type { OrderReading } from "../../machines/order-status.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import { inputIn } from "../support/invariants.ts";
import { earlierPayment, issued } from "../support/samples.ts";

const part = earlierPayment("part");
const paid = earlierPayment("paid");
const open = earlierPayment("open");

const earlier = invariantsOf(earlierPaymentMachine, {
  inputs: [
    { earlier: part, asks: true, isLast: true },
    { earlier: paid, asks: true, isLast: false },
    { earlier: open, asks: false, isLast: true },
    { earlier: paid, asks: false, isLast: false },
  ],
  events: [{ type: "earlier.followed" }, { type: "earlier.passed" }, { type: "earlier.dismissed" }],
  answers: {},
  simple: true,
});

type Past = History<typeof earlierPaymentMachine>;
/** The first answer; that of one that is shown at once is known from the start. */
const answerOf = (history: Past) => {
  if (!inputIn(history).asks) return "followed";
  const first = history.find(({ event }) => event.type.startsWith("earlier."));
  return first?.event.type.replace("earlier.", "");
};

earlier.always("waits for one answer, and ends with it", ({ state }, history) => {
  const answer = answerOf(history);
  expect({ asks: state.matches("asking"), status: state.status, output: state.output }).toEqual({
    asks: answer === undefined,
    status: answer === undefined ? "active" : "done",
    output: answer,
  });
});

earlier.always("stores a paid one when it tells of it, and shows the one that is followed", (_, history) => {
  const { earlier: found, asks, isLast } = inputIn(history);
  const isStored = asks && found.kind === "paid";
  expect(history.flatMap(({ emitted }) => emitted)).toEqual([
    ...(isStored ? [{ type: "order.settled", orderId: found.order.orderId, isPaid: true }] : []),
    ...(answerOf(history) === "followed" ? [{ type: "earlier.followed", earlier: found, isLast }] : []),
  ]);
});

const stored = (orderId: string, more: object = {}) => ({
  orderId,
  amount: "3.99",
  accountName: "Anna",
  packName: "Weekly",
  ...more,
});
const before = { orders: [stored("1", { visit: "other" })], paid: [stored("2")] };

test.each([
  ["a payment without a known result before one that is paid", {}, "open", "1"],
  ["no payment of this visit", { visit: "other" }, "paid", "2"],
  ["no payment that the person was told of", { known: ["1"] }, "paid", "2"],
  ["none of them where all are known", { known: ["1", "2"] }, undefined, undefined],
  ["no payment that was reported failed", { orders: [stored("1", { reportedFailed: true })] }, "paid", "2"],
  ["none of another account", { accountName: "Berta" }, undefined, undefined],
  ["nothing where nothing is stored", { orders: [], paid: [] }, undefined, undefined],
])("within a tap finds %s", (_, more, kind, orderId) => {
  const found = storedEarlier({ ...before, accountName: "Anna", known: [], visit: "visit", ...more });
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
const reported = stored("4", { reportedFailed: true });
const transfer = { ...issued, accountName: "Anna", packId: "1", productId: "vpn.week", packName: "Weekly" };
const asksAll = {
  failed: { order: begun, reading: reading({ status: 9 }) },
  unsent: { order: transfer, reading: reading({}) },
  reported: { order: reported, reading: reading({}) },
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
