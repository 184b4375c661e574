/** Paying: one order however often it is tapped or tried again, at the price that was agreed to. */
import { expect } from "vitest";
import { purchaseMachine, type IssuedOrder, type Network } from "../../machines/purchase.ts";
import { purchase as play, purchaseLeft } from "../models/purchase.ts";
import { rehearse } from "../support/play.ts";
import { study, type History } from "../support/study.ts";
import { answerIn, asked, failureIn, keepsNobodyWaiting, wasAsking } from "../support/promises.ts";
import { issued, monthly, refused, signedOut } from "../support/samples.ts";

const dearer: IssuedOrder = { ...issued, amount: "9.91" };

const purchase = study(purchaseMachine, {
  inputs: [{ offer: monthly, visit: "visit" }],
  events: [
    { type: "network.chosen", network: "ERC20" },
    { type: "network.chosen", network: "TRC20" },
    { type: "pay.asked" },
    { type: "waiting.dropped" },
    { type: "price.accepted" },
    { type: "price.declined" },
  ],
  answers: { createOrder: { asShown: { ...issued, amount: "9.9" }, dearer, refused, signedOut } },
});

type Past = History<typeof purchaseMachine>;
/** The order that waits for a yes to its price. */
const offered = (history: Past) => {
  const last = history.findLast(
    (moment) => answerIn(moment, "createOrder") ?? moment.event.type.startsWith("price."),
  );
  const order = last && (answerIn(last, "createOrder")?.output as IssuedOrder | undefined);
  return order?.amount === dearer.amount ? order : null;
};
const issuedIn = (history: Past) =>
  history.flatMap(({ emitted }) => emitted).filter(({ type }) => type === "order.issued");
const isChoosing = (history: Past) =>
  !wasAsking(history, "createOrder") &&
  !offered(history.slice(0, -1)) &&
  !issuedIn(history.slice(0, -1)).length;

keepsNobodyWaiting(purchase, ["createOrder"]);

purchase.always("orders once a tap, and not while it orders or asks", (moment, history) => {
  const asks = moment.event.type === "pay.asked" && isChoosing(history);
  expect(moment.calls.length).toBe(asks ? 1 : 0);
  expect(moment.state.hasTag("busy")).toBe(moment.pending.length === 1);
});

purchase.always("orders what is shown, and the same network by the same key", (_, history) => {
  let network: Network = "TRC20";
  const keys = new Map<Network, unknown>();
  for (const [index, moment] of history.entries()) {
    const { event } = moment;
    if (event.type === "network.chosen" && isChoosing(history.slice(0, index + 1))) network = event.network;
    for (const { input } of asked(moment)) {
      const { key } = input as { key: string };
      expect(input).toEqual({ offer: monthly, network, key: keys.get(network) ?? key });
      keys.set(network, key);
      // A key of another visit would be another order's.
      expect(key.startsWith("visit")).toBe(true);
    }
  }
  expect(new Set(keys.values()).size).toBe(keys.size);
  expect(history.at(-1)?.state.context.network).toBe(network);
});

purchase.always("issues an order once: as shown, or at a price that was agreed to", (moment, history) => {
  const answer = answerIn(moment, "createOrder")?.output as IssuedOrder | undefined;
  const agreed = moment.event.type === "price.accepted" ? offered(history.slice(0, -1)) : null;
  const order = answer?.amount === "9.9" ? answer : agreed;
  const failure = failureIn(moment, "createOrder");
  expect(moment.emitted).toEqual(
    order
      ? [{ type: "order.issued", offer: monthly, order }]
      : failure
        ? [{ type: "failure.met", failure }]
        : [],
  );
  expect(issuedIn(history).length).toBeLessThan(2);
});

purchase.always("forgets an order whose price is declined", ({ event, state }, history) => {
  if (event.type === "price.declined" && issuedIn(history).length === 0) {
    expect(state.context.order).toBe(null);
  }
});

purchase.always("asks before it is left, until the order is issued", ({ state }, history) => {
  expect(state.hasTag("guarded")).toBe(issuedIn(history).length === 0);
});

rehearse(play);
rehearse(purchaseLeft);
