/** Unfinished orders: as they are stored, and forgotten only when the user says so twice. */
import { maybePaidOf } from "../../machines/rank-earlier.ts";
import { expect, test } from "vitest";
import {
  beyondLimit,
  isForSelected,
  keptOf,
  openPaymentOf,
  paidBeyondLimit,
  paidOf,
  supersededBy,
  unfinishedOf,
  type KeptOrder,
  type KeptPayment,
  wasReported,
} from "../../machines/kept-orders.ts";
import {
  canDrop,
  isLate,
  paymentBeforeNext,
  pendingOrdersMachine,
  type Standing,
} from "../../machines/pending-orders.ts";
import { canContinue, openOf, reminderMessage } from "../../machines/reminder.ts";
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
  inputs: [
    { orders: [], now: 0 },
    { orders: [orderOf("1"), paymentOf("p")], now: 0 },
  ],
  events: [
    { type: "clock.read", now: 1 },
    { type: "storage.changed", orders: [] },
    { type: "storage.changed", orders: [orderOf("1")] },
    { type: "storage.changed", orders: [orderOf("2"), orderOf("1", "8.00")] },
    { type: "order.dropped", orderId: "2" },
    { type: "drop.requested", orderId: "1", standing: null },
    { type: "drop.requested", orderId: "1", standing: "none" },
    { type: "drop.requested", orderId: "1", standing: "gone" },
    { type: "drop.requested", orderId: "1", standing: "part" },
    { type: "drop.requested", orderId: "1", standing: "arrived" },
    { type: "drop.requested", orderId: "unheard of", standing: "none" },
    { type: "standing.read", orderId: "1", standing: null },
    { type: "standing.read", orderId: "1", standing: "none" },
    { type: "standing.read", orderId: "1", standing: "gone" },
    { type: "standing.read", orderId: "1", standing: "part" },
    { type: "standing.read", orderId: "1", standing: "arrived" },
    { type: "standing.read", orderId: "2", standing: "arrived" },
    { type: "drop.confirmed" },
    { type: "drop.declined" },
  ],
  answers: {},
});

const moneyCame = (standing: Standing) => standing === "part" || standing === "arrived";
/** The API has said that no money came. */
const isUnpaid = (standing: Standing) => standing === "none" || standing === "gone";

type Kept = { orders: readonly KeptOrder[]; asked: string | null; dropped: string | null };

/** What is stored, which order is asked about, and what the user drops in this moment. */
const keptIn = (history: History<typeof pendingOrdersMachine>) =>
  history.reduce<Kept>(
    ({ orders, asked }, { event }) => {
      const has = (id: string | null, among = orders) => among.some(({ orderId }) => orderId === id);
      const unchanged = { orders, asked, dropped: null };
      switch (event.type) {
        case "start":
          return "input" in event ? { ...unchanged, orders: event.input.orders } : unchanged;
        case "storage.changed":
          return { orders: event.orders, asked: has(asked, event.orders) ? asked : null, dropped: null };
        case "order.dropped":
          return { ...unchanged, dropped: event.orderId };
        case "drop.requested":
          return {
            ...unchanged,
            asked: asked ?? (has(event.orderId) && isUnpaid(event.standing) ? event.orderId : null),
          };
        case "standing.read":
          return event.orderId === asked && moneyCame(event.standing)
            ? { ...unchanged, asked: null }
            : unchanged;
        case "drop.confirmed":
          return { orders, asked: null, dropped: asked };
        case "drop.declined":
          return { ...unchanged, asked: null };
        default:
          return unchanged;
      }
    },
    { orders: [], asked: null, dropped: null },
  );

unfinished.always("knows what is stored, and changes nothing of it by itself", ({ state }, history) => {
  expect(state.context.orders).toEqual(keptIn(history).orders);
});

unfinished.always(
  "asks before an order is forgotten, as long as it is kept and the API says that no money came for it",
  ({ state }, history) => {
    expect(state.matches("asking")).toBe(keptIn(history).asked !== null);
  },
);

unfinished.always(
  "tells which order the user leaves behind, or is not to be reminded of, and never what storage says",
  ({ emitted, event }, history) => {
    const { dropped } = keptIn(history);
    const type = event.type === "order.dropped" ? event.type : "reminder.putAway";
    expect(emitted).toEqual(dropped === null ? [] : [{ type, orderId: dropped }]);
  },
);

test("a list that is stored as it was is the same list", async () => {
  const orders = [orderOf("1"), paymentOf("p")];
  const harness = new Harness(pendingOrdersMachine, { input: { orders, now: 0 } });
  await harness.send({ type: "storage.changed", orders: structuredClone(orders) });
  expect(harness.state.context.orders).toBe(orders);
});

test("names the payment that comes before the next one by card, of this account alone", async () => {
  const { state } = new Harness(pendingOrdersMachine, {
    input: { orders: [orderOf("1"), paymentOf("p")], now: 0 },
  });
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
  [orderOf("1"), "none", "unsent"],
  [{ ...paymentOf("p"), reportedFailed: true as const }, null, "reported"],
  [paymentOf("p"), null, "unknown"],
] as const)("of the order %o, of which the API says %s, a reminder says: %s", (order, standing, message) => {
  expect(reminderMessage(order, standing)).toBe(message);
});

// What is late may have been paid: only an order that money is missing of leads to the address at once.
test.each([
  // It may just have been paid.
  [null, { transfer: true, late: false, payment: false, drop: false }],
  ["none", { transfer: true, late: false, payment: false, drop: true }],
  ["gone", { transfer: false, late: false, payment: false, drop: true }],
  ["part", { transfer: true, late: true, payment: false, drop: false }],
  ["arrived", { transfer: false, late: false, payment: false, drop: false }],
] as const)("of an order of which the API says %s, a reminder offers %o", (standing, offers) => {
  expect({
    transfer: canContinue(orderOf("1"), standing, false),
    late: canContinue(orderOf("1"), standing, true),
    payment: canContinue(paymentOf("p"), standing, false),
    drop: canDrop(standing),
  }).toEqual(offers);
});

test("a transfer is late from its deadline on, and a payment at a provider never", () => {
  const { deadline } = issued;
  expect({
    before: isLate(orderOf("1"), deadline - 1),
    after: isLate(orderOf("1"), deadline),
    payment: isLate(paymentOf("p"), Infinity),
  }).toEqual({ before: false, after: true, payment: false });
});

test("keeps the time as the clock was last read", async () => {
  const harness = new Harness(pendingOrdersMachine, { input: { orders: [], now: 1 } });
  const first = harness.state.context.now;
  await harness.send({ type: "clock.read", now: 2 });
  expect([first, harness.state.context.now]).toEqual([1, 2]);
});

test("of transfers and of payments the ten latest are kept, whatever the others are", () => {
  const transfers = Array.from({ length: 12 }, (_, index) => orderOf(`t${index}`));
  const payments = Array.from({ length: 11 }, (_, index) => paymentOf(`p${index}`));
  expect(beyondLimit([...payments, ...transfers]).map(({ orderId }) => orderId)).toEqual([
    "t10",
    "t11",
    "p10",
  ]);
  expect(beyondLimit([...payments.slice(1), ...transfers.slice(2)])).toEqual([]);
});

test("of those seen paid the ten latest are kept", () => {
  const paid = Array.from({ length: 12 }, (_, index) => paymentOf(`p${index}`));
  expect(paidBeyondLimit(paid).map(({ orderId }) => orderId)).toEqual(["p10", "p11"]);
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

test("a payment whose reminder was put away is not reminded of, and comes before the next one all the same", () => {
  const putAway: KeptPayment = { ...paymentOf("5"), putAway: true };
  const all = [bobs, putAway, paymentOf("4"), annsFirst];
  expect({
    open: openPaymentOf(all, "Ann")?.orderId,
    latest: openOf(all, "Ann").latest.map(({ orderId }) => orderId),
    none: openOf([putAway], "Ann").latest,
    reminded: unfinishedOf(all, "Ann")?.orderId,
    notReminded: unfinishedOf([bobs, putAway], "Ann"),
  }).toEqual({
    open: "5",
    latest: [annsFirst.orderId, "4"],
    none: [],
    reminded: "4",
    notReminded: null,
  });
});

test("an order that a paid one superseded is listed, and not reminded of", () => {
  const superseded: KeptOrder = { ...orderOf("2"), superseded: true };
  const all = [superseded, bobs, annsFirst];
  expect({
    both: openOf(all, "Ann"),
    alone: openOf([superseded], "Ann"),
    reminded: unfinishedOf(all, "Ann"),
    notReminded: unfinishedOf([superseded], "Ann"),
  }).toEqual({
    both: { latest: [annsFirst], earlier: [superseded] },
    alone: { latest: [], earlier: [superseded] },
    reminded: annsFirst,
    notReminded: null,
  });
});

test("a paid order supersedes its account's transfers for the same package, and those that were made before it", () => {
  const [later, laterYear] = [orderOf("5"), { ...orderOf("4"), productId: "vpn.year" }];
  const [paid, earlierYear] = [orderOf("3"), { ...orderOf("2"), productId: "vpn.year" }];
  const all = [later, laterYear, bobs, paymentOf("p"), paid, earlierYear, annsFirst];
  expect(supersededBy(all, paid)).toEqual([later, earlierYear, annsFirst]);
});

test("asks about the latest four of each way to pay, without what the person was told of", () => {
  const transfers = ["t1", "t2", "t3", "t4", "t5"].map((orderId) => orderOf(orderId));
  const payments = ["p1", "p2", "p3", "p4", "p5"].map(paymentOf);
  const asked = maybePaidOf([bobs, ...transfers, ...payments], "Ann", ["t2", "p1"]);
  expect(asked.map(({ orderId }) => orderId)).toEqual(["p2", "p3", "p4", "t1", "t3", "t4"]);
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

test("a payment by card alone can have been reported failed", () => {
  const reported = { ...paymentOf("1"), reportedFailed: true } as const;
  const odd = { ...orderOf("2"), reportedFailed: true } as const;
  expect([null, orderOf("2"), odd, paymentOf("1"), reported].map(wasReported)).toEqual([
    false,
    false,
    false,
    false,
    true,
  ]);
});

test("of a paid order only what other tabs ask for is kept", () => {
  const { orderId, amount, accountName, packName } = orderOf("1");
  expect(paidOf(orderOf("1"))).toEqual({ orderId, amount, accountName, packName });
});

runOnMachine(model);
