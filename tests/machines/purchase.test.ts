/** Paying: one order however often it is tapped or tried again, at the price that was agreed to. */
import { expect } from "vitest";
import type { EarlierPayment } from "../../machines/earlier-orders.ts";
import type { IssuedOrder, Network } from "../../machines/issued-order.ts";
import { purchaseMachine } from "../../machines/purchase.ts";
import { purchase as model, purchaseAgain, purchaseLeft } from "../models/purchase.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import { answerIn, asked, failureIn, keepsNobodyWaiting, wasAsking } from "../support/invariants.ts";
import { earlierPayment, issued, monthly, refused, signedOut } from "../support/samples.ts";

const dearer: IssuedOrder = { ...issued, amount: "9.91" };
const part = earlierPayment("part");
const paid = earlierPayment("paid");

const purchase = invariantsOf(purchaseMachine, {
  inputs: [{ offer: monthly, visit: "visit" }],
  events: [
    { type: "network.chosen", network: "ERC20" },
    { type: "network.chosen", network: "TRC20" },
    { type: "pay.asked" },
    { type: "cancel" },
    { type: "price.accepted" },
    { type: "price.declined" },
  ],
  answers: {
    findEarlier: { none: null, part, paid, signedOut },
    createOrder: { asShown: { ...issued, amount: "9.9" }, dearer, refused, signedOut },
    earlier: { followed: "followed", passed: "passed", dismissed: "dismissed" },
  },
  infallible: ["earlier"],
  distinguish: ({ network, order, earlier, known }) => [network, order, earlier?.kind, known.length > 0],
  repeats: 1,
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
const isFollowed = (moment: Past[number]) => answerIn(moment, "earlier")?.output === "followed";
const issuedIn = (history: Past) =>
  history.flatMap(({ emitted }) => emitted).filter(({ type }) => type === "order.issued");
/** Where it led: to an order, or to what is known of an earlier one. */
const endIn = (history: Past) => [...issuedIn(history), ...history.filter(isFollowed)];
/** The earlier payment that was found, and waits for the person's answer. */
const toldIn = (history: Past) => {
  const last = history.findLast((moment) => answerIn(moment, "findEarlier") ?? answerIn(moment, "earlier"));
  return ((last && answerIn(last, "findEarlier")?.output) as EarlierPayment | null | undefined) ?? null;
};
const isChoosing = (history: Past) =>
  !wasAsking(history, "findEarlier", "createOrder") &&
  !offered(history.slice(0, -1)) &&
  !toldIn(history.slice(0, -1)) &&
  !endIn(history.slice(0, -1)).length;

keepsNobodyWaiting(purchase, ["findEarlier", "createOrder"]);

purchase.always(
  "asks about earlier payments at a tap and once one is passed over, and orders where there is none",
  (moment, history) => {
    const nothingFound = answerIn(moment, "findEarlier")?.output === null;
    const isPassed = answerIn(moment, "earlier")?.output === "passed";
    const asks = isPassed || (moment.event.type === "pay.asked" && isChoosing(history));
    const about = moment.calls.map(({ id }) => id).filter((id) => id !== "earlier");
    expect(about).toEqual(asks ? ["findEarlier"] : nothingFound ? ["createOrder"] : []);
    const isLeft = endIn(history).length > 0;
    expect(moment.state.hasTag("busy")).toBe(moment.pending.some(({ id }) => id !== "earlier") || isLeft);
  },
);

purchase.always("asks about no payment that the person was told of and passed over", (moment, history) => {
  const passed = history.flatMap((past, index) => {
    const isPassed = answerIn(past, "earlier")?.output === "passed";
    const told = isPassed ? toldIn(history.slice(0, index)) : null;
    return told ? [told.order.orderId] : [];
  });
  for (const { id, input } of asked(moment))
    if (id === "findEarlier") expect(input).toEqual({ known: passed });
});

purchase.always("tells of an earlier payment until it is answered", (moment, history) => {
  const told = toldIn(history);
  expect(moment.state.matches("warned")).toBe(told !== null);
  const isNew = told !== null && answerIn(moment, "findEarlier") !== undefined;
  expect(asked(moment).filter(({ id }) => id === "earlier")).toEqual(
    isNew ? [{ id: "earlier", input: { earlier: told, asks: true, isLast: true } }] : [],
  );
});

purchase.always("orders what is shown, and the same network by the same key", (_, history) => {
  let network: Network = "TRC20";
  const keys = new Map<Network, unknown>();
  for (const [index, moment] of history.entries()) {
    const { event } = moment;
    if (event.type === "network.chosen" && isChoosing(history.slice(0, index + 1))) network = event.network;
    for (const { id, input } of asked(moment)) {
      if (id !== "createOrder") continue;
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
  const failure = failureIn(moment, "findEarlier", "createOrder");
  expect(moment.emitted).toEqual(
    order
      ? [{ type: "order.issued", offer: monthly, order }]
      : failure
        ? [{ type: "request.failed", failure }]
        : [],
  );
  expect(issuedIn(history).length).toBeLessThan(2);
});

purchase.always("forgets an order whose price is declined", ({ event, state }, history) => {
  if (event.type === "price.declined" && issuedIn(history).length === 0) {
    expect(state.context.order).toBe(null);
  }
});

purchase.always("asks before it is left, until it leads on", ({ state }, history) => {
  expect(state.hasTag("guarded")).toBe(endIn(history).length === 0);
});

runOnMachine(model);
runOnMachine(purchaseAgain);
runOnMachine(purchaseLeft);
