/** Unfinished orders: each once, the latest first, and no echo between tabs. */
import { expect, test } from "vitest";
import { keptOf, openOf, type KeptOrder } from "../../machines/kept-orders.ts";
import { unfinishedMachine } from "../../machines/unfinished.ts";
import { unfinished as play } from "../models/unfinished.ts";
import { rehearse } from "../support/play.ts";
import { Stage } from "../support/stage.ts";
import { study } from "../support/study.ts";
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

const unfinished = study(unfinishedMachine, {
  inputs: [{ orders: [] }, { orders: [orderOf("1")] }],
  events: [
    { type: "order.kept", order: orderOf("1") },
    { type: "order.kept", order: orderOf("1", "8.00") },
    { type: "order.kept", order: orderOf("2") },
    { type: "order.settled", orderId: "1" },
    { type: "order.settled", orderId: "unheard of" },
    { type: "order.dropped", orderId: "2" },
    { type: "storage.changed", orders: [orderOf("3")] },
  ],
  answers: {},
});

unfinished.always("keeps each order once, the latest first", ({ state }, history) => {
  const orders = history.reduce<readonly KeptOrder[]>((kept, { event }) => {
    if (event.type === "start") return "input" in event ? event.input.orders : kept;
    if (event.type === "storage.changed") return event.orders;
    if (event.type === "order.settled" || event.type === "order.dropped")
      return kept.filter(({ orderId }) => orderId !== event.orderId);
    if (event.type !== "order.kept") return kept;
    return [event.order, ...kept.filter(({ orderId }) => orderId !== event.order.orderId)];
  }, []);
  expect(state.context).toEqual({ orders });
});

unfinished.always(
  "tells what it changed itself, and never what another tab did",
  ({ event, emitted, state }) => {
    const own = event.type.startsWith("order.");
    expect(emitted).toEqual(own ? [{ type: "orders.changed", orders: state.context.orders }] : []);
  },
);

const paymentOf = (orderId: string): KeptOrder => ({
  orderId,
  amount: "9.90",
  accountName: "Ann",
  packName: "Monthly",
});

test("keeps the ten latest transfers, whatever went to a provider since", async () => {
  const stage = new Stage(unfinishedMachine, { input: { orders: [orderOf("first")] } });
  const payments = Array.from({ length: 12 }, (_, index) => paymentOf(`p${index}`));
  for (const order of payments) await stage.send({ type: "order.kept", order });
  expect(stage.state.context.orders).toEqual([...payments.slice(2).toReversed(), orderOf("first")]);
});

test("keeps the ten latest orders", async () => {
  const stage = new Stage(unfinishedMachine, { input: { orders: [] } });
  const orders = Array.from({ length: 12 }, (_, index) => orderOf(String(index)));
  for (const order of orders) await stage.send({ type: "order.kept", order });
  expect(stage.state.context.orders).toEqual(orders.slice(2).toReversed());
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

rehearse(play);
