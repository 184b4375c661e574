/** Paying: one order however often it is tapped or tried again, at the price that was agreed to. */
import { expect, test } from "vitest";
import type { IssuedOrder, Network } from "../../machines/issued-order.ts";
import type { PayOnceOutput } from "../../machines/pay-once.ts";
import { purchaseMachine } from "../../machines/purchase.ts";
import { purchase as model, purchaseAgain, purchaseLeft } from "../models/purchase.ts";
import { sameAmount } from "../../src/contract/money.ts";
import { runOnMachine } from "../support/user-model.ts";
import { Harness } from "../support/harness.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import { answerIn, asked, errorIn, keepsNobodyWaiting, wasAsking } from "../support/invariants.ts";
import { issued, monthly, refused, signedOut } from "../support/samples.ts";

const dearer: IssuedOrder = { ...issued, amount: "9.91" };
/** How the chart ends that looks for an earlier payment. */
const checked = (end: PayOnceOutput["end"], ignoredIds: readonly string[] = []): PayOnceOutput => ({
  end,
  ignoredIds,
  earlier: null,
  error: null,
});

const purchase = invariantsOf(purchaseMachine, {
  inputs: [{ offer: monthly, visit: "visit", network: "TRC20" }],
  events: [
    { type: "network.chosen", network: "ERC20" },
    { type: "network.chosen", network: "TRC20" },
    { type: "pay.requested" },
    { type: "cancel" },
    { type: "price.accepted" },
    { type: "price.declined" },
  ],
  answers: {
    createOrder: { asShown: { ...issued, amount: "9.9" }, dearer, refused, signedOut },
    payOnce: {
      free: checked("free"),
      freeOnceTold: checked("free", ["E-part"]),
      followed: checked("followed"),
      dismissed: checked("dismissed", ["E-part"]),
      failed: { ...checked("failed", ["E-part"]), error: signedOut.error },
    },
  },
  infallible: ["payOnce"],
  repeats: 1,
});

type Past = History<typeof purchaseMachine>;
/** The order that waits for a yes to its price, which is not the one that was agreed to. */
const offered = (history: Past): IssuedOrder | null => {
  const last = history.findLastIndex(
    (moment) => answerIn(moment, "createOrder") ?? moment.event.type.startsWith("price."),
  );
  const moment = history[last];
  const order = moment && (answerIn(moment, "createOrder")?.output as IssuedOrder | undefined);
  return order && !isAgreed(order, history.slice(0, last)) ? order : null;
};
/** Whether it costs what is shown, or what was agreed to since Pay was tapped. */
const isAgreed = (order: IssuedOrder, history: Past): boolean => {
  const since = history.findLastIndex((moment) => endOf(moment)?.end === "free");
  const accepted = history.flatMap(({ event }, index) =>
    index > since && event.type === "price.accepted" ? [offered(history.slice(0, index))?.amount] : [],
  );
  return [monthly.buy_price, accepted.findLast(Boolean)].some(
    (amount) => amount !== undefined && sameAmount(order.amount, amount),
  );
};
const endOf = (moment: Past[number]) => answerIn(moment, "payOnce")?.output as PayOnceOutput | undefined;
const issuedIn = (history: Past) =>
  history.flatMap(({ emitted }) => emitted).filter(({ type }) => type === "order.issued");
/** Where it led: to an order, or to what is known of an earlier one. */
const endIn = (history: Past) => [
  ...issuedIn(history),
  ...history.filter((moment) => endOf(moment)?.end === "followed"),
];
const isChoosing = (history: Past) =>
  !wasAsking(history, "payOnce", "createOrder") &&
  !offered(history.slice(0, -1)) &&
  !endIn(history.slice(0, -1)).length;

keepsNobodyWaiting(purchase, ["createOrder"]);

purchase.always(
  "looks for earlier payments at a tap, and orders where none is in the way",
  (moment, history) => {
    const asks = moment.event.type === "pay.requested" && isChoosing(history);
    const isFree = endOf(moment)?.end === "free";
    // Its time may have run out while its price was asked about.
    const isAgreed = moment.event.type === "price.accepted" && offered(history.slice(0, -1)) !== null;
    expect(moment.calls.map(({ id }) => id)).toEqual(
      asks ? ["payOnce"] : isFree || isAgreed ? ["createOrder"] : [],
    );
    const isLeft = endIn(history).length > 0;
    expect(moment.state.hasTag("busy")).toBe(moment.pending.some(({ id }) => id !== "payOnce") || isLeft);
  },
);

purchase.always("tells of no payment twice", (moment, history) => {
  const told = history.findLast((past, index) => index < history.length - 1 && endOf(past));
  for (const { id, input } of asked(moment))
    if (id === "payOnce")
      expect(input).toEqual({ ignoredIds: (told && endOf(told)?.ignoredIds) ?? [], isLast: true });
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
  const order = answer && isAgreed(answer, history) ? answer : null;
  const error = errorIn(moment, "createOrder") ?? endOf(moment)?.error;
  const { event } = moment;
  // What is chosen is kept for a reload.
  const chosen = event.type === "network.chosen" && isChoosing(history) ? event.network : null;
  expect(moment.emitted).toEqual(
    order
      ? [{ type: "order.issued", offer: monthly, order }]
      : error
        ? [{ type: "request.failed", error }]
        : chosen
          ? [{ type: "network.kept", network: chosen }]
          : [],
  );
  expect(issuedIn(history).length).toBeLessThan(2);
});

purchase.always("forgets an order whose price is declined", ({ event, state }, history) => {
  if (event.type === "price.declined" && offered(history.slice(0, -1))) {
    expect(state.context.order).toBe(null);
  }
});

purchase.always("asks before it is left, until it leads on", ({ state }, history) => {
  expect(state.hasTag("guarded")).toBe(endIn(history).length === 0);
});

test("a price that was agreed to is asked about again at the next tap on Pay", async () => {
  const replies = [dearer, new Error("lost"), dearer];
  const harness = new Harness(purchaseMachine, {
    input: { offer: monthly, visit: "visit", network: "TRC20" },
    replies: { findEarlier: () => null, createOrder: () => replies.shift() ?? refused },
  });
  await harness.send({ type: "pay.requested" });
  await harness.send({ type: "price.accepted" });
  await harness.send({ type: "pay.requested" });
  expect(replies).toEqual([]);
  expect(harness.emitted.filter(({ type }) => type === "order.issued")).toEqual([]);
});

runOnMachine(model);
runOnMachine(purchaseAgain);
runOnMachine(purchaseLeft);
