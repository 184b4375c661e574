/** Unfinished orders: each once, the latest first, and no echo between tabs. */
import { expect, test } from "vitest";
import {
  changedOrders,
  isForSelected,
  keptOf,
  maybePaidOf,
  openOf,
  openPaymentOf,
  paidOf,
  unfinishedOf,
  withPaid,
  type KeptOrder,
  type KeptPayment,
  type OrdersChange,
} from "../../machines/kept-orders.ts";
import { paymentBeforeNext, pendingOrdersMachine, reminderMessage } from "../../machines/pending-orders.ts";
import { unfinished as model } from "../models/pending-orders.ts";
import { runOnMachine } from "../support/user-model.ts";
import { Harness } from "../support/harness.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import { issued } from "../support/samples.ts";

const orderOf = (orderId: string, amount = "9.90"): KeptOrder => ({
  ...issued,
  orderId,
  amount,
  accountName: "Ann",
  packId: "1",
  productId: "vpn.month",
  packName: "Monthly",
});

const paymentOf = (orderId: string): KeptPayment => ({
  orderId,
  amount: "9.90",
  accountName: "Ann",
  packName: "Monthly",
});

const unfinished = invariantsOf(pendingOrdersMachine, {
  inputs: [{ orders: [] }, { orders: [orderOf("1"), paymentOf("p")] }],
  events: [
    { type: "order.kept", order: orderOf("1") },
    { type: "order.kept", order: orderOf("1", "8.00") },
    { type: "order.kept", order: orderOf("2") },
    { type: "order.settled", orderId: "1", isPaid: true },
    { type: "order.settled", orderId: "unheard of", isPaid: false },
    { type: "order.dropped", orderId: "2" },
    { type: "payment.reported", orderId: "1" },
    { type: "payment.reported", orderId: "p" },
    { type: "storage.changed", orders: [orderOf("3")] },
    { type: "drop.asked", orderId: "1" },
    { type: "drop.asked", orderId: "unheard of" },
    { type: "drop.confirmed" },
    { type: "drop.declined" },
  ],
  answers: {},
});

type Kept = { orders: readonly KeptOrder[]; asked: string | null; change: OrdersChange | null };

/** What is kept, which order is asked about, and what this moment changed. */
const keptIn = (history: History<typeof pendingOrdersMachine>) =>
  history.reduce<Kept>(
    ({ orders, asked }, { event }) => {
      const after = (left: readonly KeptOrder[], change: OrdersChange | null = null): Kept => ({
        orders: left,
        asked: left.some(({ orderId }) => orderId === asked) ? asked : null,
        change,
      });
      const without = (id: string) => orders.filter(({ orderId }) => orderId !== id);
      switch (event.type) {
        case "start":
          return after("input" in event ? event.input.orders : orders);
        case "storage.changed":
          return after(event.orders);
        case "order.settled":
        case "order.dropped":
          return after(without(event.orderId), event);
        case "payment.reported":
          return after(
            orders.map((order) =>
              // What is to be sent in USDT no provider can report.
              order.orderId === "p" && event.orderId === "p"
                ? { ...order, reportedFailed: true as const }
                : order,
            ),
            event,
          );
        case "order.kept":
          return after([event.order, ...without(event.order.orderId)], event);
        case "drop.asked":
          return asked === null && orders.some(({ orderId }) => orderId === event.orderId)
            ? { orders, asked: event.orderId, change: null }
            : after(orders);
        case "drop.confirmed":
          return asked === null
            ? after(orders)
            : { orders: without(asked), asked: null, change: { type: "order.dropped", orderId: asked } };
        case "drop.declined":
          return { orders, asked: null, change: null };
        default:
          return after(orders);
      }
    },
    { orders: [], asked: null, change: null },
  );

unfinished.always("keeps each order once, the latest first", ({ state }, history) => {
  expect(state.context.orders).toEqual(keptIn(history).orders);
});

unfinished.always("asks before an order is forgotten, as long as it is kept", ({ state }, history) => {
  expect(state.matches("asking")).toBe(keptIn(history).asked !== null);
});

unfinished.always(
  "tells the change that it made itself, and never what another tab did",
  ({ emitted }, history) => {
    const { change } = keptIn(history);
    expect(emitted).toEqual(change ? [{ type: "orders.changed", change }] : []);
  },
);

test("names the payment that comes before the next one by card, of this account alone", async () => {
  const { state } = new Harness(pendingOrdersMachine, { input: { orders: [orderOf("1"), paymentOf("p")] } });
  expect({
    own: paymentBeforeNext(state, "Ann"),
    others: paymentBeforeNext(state, "Bob"),
    nobodys: paymentBeforeNext(state, null),
  }).toEqual({ own: paymentOf("p"), others: null, nobodys: null });
});

test.each([
  [orderOf("1"), "gone", "gone"],
  [orderOf("1"), "part", "part"],
  [orderOf("1"), "arrived", "arrived"],
  [orderOf("1"), null, "unsent"],
  [{ ...paymentOf("p"), reportedFailed: true as const }, null, "reported"],
  [paymentOf("p"), null, "unknown"],
] as const)("of the order %o, of which the API says %s, a reminder says: %s", (order, standing, message) => {
  expect(reminderMessage(order, standing)).toBe(message);
});

test.each<OrdersChange>([
  { type: "order.kept", order: orderOf("3") },
  { type: "order.kept", order: orderOf("2") },
  { type: "order.settled", orderId: "2", isPaid: true },
  { type: "order.dropped", orderId: "p" },
  { type: "payment.reported", orderId: "p" },
])("a change made twice comes to the same: %o", (change) => {
  const before = [orderOf("1"), orderOf("2"), paymentOf("p")];
  const after = changedOrders(before, change);
  expect(after).not.toEqual(before);
  expect(changedOrders(after, change)).toEqual(after);
});

test("keeps the ten latest transfers, whatever went to a provider since", async () => {
  const harness = new Harness(pendingOrdersMachine, { input: { orders: [orderOf("first")] } });
  const payments = Array.from({ length: 12 }, (_, index) => paymentOf(`p${index}`));
  for (const order of payments) await harness.send({ type: "order.kept", order });
  expect(harness.state.context.orders).toEqual([...payments.slice(2).toReversed(), orderOf("first")]);
});

test("keeps the ten latest orders", async () => {
  const harness = new Harness(pendingOrdersMachine, { input: { orders: [] } });
  const orders = Array.from({ length: 12 }, (_, index) => orderOf(String(index)));
  for (const order of orders) await harness.send({ type: "order.kept", order });
  expect(harness.state.context.orders).toEqual(orders.slice(2).toReversed());
});

const annsLatest = orderOf("2");
const annsFirst = orderOf("1");
const bobs = { ...orderOf("3"), accountName: "Bob" };

test.each([
  ["one by its number", "Ann", "1", annsFirst],
  ["none of another account", "Ann", "3", null],
  ["none of nobody", null, "1", null],
])("looks up %s", (_, accountName, orderId, expected) => {
  expect(keptOf([bobs, annsLatest, annsFirst], accountName, orderId)).toBe(expected);
});

test("looks up the latest transfer and the latest payment of an account, neither hides the other, and its earlier transfers", () => {
  const [payment, earlier] = [paymentOf("5"), paymentOf("4")];
  const all = [bobs, payment, annsLatest, earlier, annsFirst];
  expect([openOf(all, "Ann"), openOf(all, "Bob"), openOf(all, null)]).toEqual([
    { latest: [annsLatest, payment], earlier: [annsFirst] },
    { latest: [bobs], earlier: [] },
    { latest: [], earlier: [] },
  ]);
});

test("a payment that was reported failed is kept, but holds nothing up and is not reminded of", () => {
  const reported: KeptPayment = { ...paymentOf("5"), reportedFailed: true };
  const all = [bobs, reported, paymentOf("4"), annsFirst];
  expect({
    open: openPaymentOf(all, "Ann")?.orderId,
    none: openPaymentOf([reported], "Ann"),
    latest: openOf([reported], "Ann").latest,
    reminded: unfinishedOf(all, "Ann")?.orderId,
    notReminded: unfinishedOf([bobs, reported], "Ann"),
  }).toEqual({ open: "4", none: undefined, latest: [reported], reminded: "4", notReminded: null });
});

test("asks about the latest four of each way to pay, without what the person was told of", () => {
  const transfers = ["t1", "t2", "t3", "t4", "t5"].map((orderId) => orderOf(orderId));
  const payments = ["p1", "p2", "p3", "p4", "p5"].map(paymentOf);
  const asked = maybePaidOf([bobs, ...transfers, ...payments], "Ann", ["t2", "p1"]);
  expect(asked.map(({ orderId }) => orderId)).toEqual(["p2", "p3", "p4", "t1", "t3", "t4"]);
});

test("remembers the ten latest orders that were paid, each once", () => {
  const paid = Array.from({ length: 12 }, (_, index) => paymentOf(`p${index}`)).reduce<
    readonly KeptPayment[]
  >(withPaid, []);
  expect(withPaid(paid, paymentOf("p5")).map(({ orderId }) => orderId)).toEqual([
    "p5",
    "p11",
    "p10",
    "p9",
    "p8",
    "p7",
    "p6",
    "p4",
    "p3",
    "p2",
  ]);
});

test.each([
  ["by its product", { productId: "vpn.month" }, { product_id: "vpn.month", name: "月付" }, true],
  ["not by its name alone", { productId: "vpn.month" }, { product_id: "vpn.year", name: "Monthly" }, false],
  [
    "by its name where an earlier build stored no product",
    {},
    { product_id: "vpn.month", name: "Monthly" },
    true,
  ],
  ["not by another name", {}, { product_id: "vpn.year", name: "Annual" }, false],
  ["not where nothing is selected", { productId: "vpn.month" }, null, false],
  ["not where nothing is selected, and an earlier build stored no product", {}, null, false],
])("an order is for the selected package %s", (_, more, selected, is) => {
  expect(isForSelected({ ...paymentOf("1"), ...more }, selected)).toBe(is);
});

test("an order that is not stored is for no package", () => {
  expect(isForSelected(null, { product_id: "vpn.month", name: "Monthly" })).toBe(false);
});

test("of a paid order only what other tabs ask for is kept", () => {
  const { orderId, amount, accountName, packName } = orderOf("1");
  expect(paidOf(orderOf("1"))).toEqual({ orderId, amount, accountName, packName });
});

runOnMachine(model);
