/** Paying in the provider's window: one window and one order a tap, a link where it was refused, the bill where it opened. */
import { expect } from "vitest";
import { checkoutMachine, type OpenedCheckout } from "../../machines/checkout.ts";
import { checkout as play, checkoutBlocked } from "../models/checkout.ts";
import { rehearse } from "../support/play.ts";
import { study, type History } from "../support/study.ts";
import {
  answerIn,
  asked,
  failureIn,
  keepsNobodyWaiting,
  letsGoWhenTold,
  wasAsking,
} from "../support/promises.ts";
import { monthly, refused, signedOut, yearly } from "../support/samples.ts";

const opened: OpenedCheckout = {
  orderId: "S9",
  packName: "Monthly",
  productId: "vpn.month",
  amount: "9.90",
  createdAt: "2026-01-01 00:00:00",
  blocked: null,
};
const blocked = { ...opened, blocked: "https://checkout.example/pay/S9" };
const namelessBlocked = { ...blocked, orderId: null };

const checkout = study(checkoutMachine, {
  events: [
    { type: "checkout.asked", offer: monthly, key: "key1" },
    { type: "checkout.asked", offer: yearly, key: "key2" },
    { type: "checkout.asked", offer: monthly, key: "key3" },
    { type: "checkout.left" },
    { type: "checkout.dismissed" },
    { type: "order.settled" },
    { type: "waiting.dropped" },
    { type: "account.changed" },
  ],
  answers: {
    openCheckout: {
      opened,
      nameless: { ...opened, orderId: null },
      blocked,
      namelessBlocked,
      refused,
      signedOut,
    },
  },
});

type Past = History<typeof checkoutMachine>;
/** Another order that was paid by now, too: nobody pays twice for one wish. */
const putsAway = new Set(["checkout.dismissed", "order.settled"]);
/** What the browser refused to open, until it is used, put away or asked for anew. */
const linkIn = (history: Past): OpenedCheckout | null => {
  const last = history.findLast(
    (moment, index) =>
      (answerIn(moment, "openCheckout") ??
        failureIn(moment, "openCheckout") ??
        moment.event.type ===
          (wasAsking(history.slice(0, index + 1), "openCheckout") ? "waiting.dropped" : "checkout.left")) ||
      moment.event.type === "account.changed" ||
      (putsAway.has(moment.event.type) && !wasAsking(history.slice(0, index + 1), "openCheckout")),
  );
  const told = last && (answerIn(last, "openCheckout")?.output as OpenedCheckout | undefined);
  return told?.blocked && !history.at(-1)?.pending.length ? told : null;
};

/** Decisions, "Double taps and retries": until an answer came, the same wish of the same account is the same order. */
const keyIn = (history: Past) =>
  history.reduce<{ offer: object; key: string } | null>((wanted, moment, index) => {
    const { event } = moment;
    if (event.type === "account.changed" || answerIn(moment, "openCheckout")) return null;
    if (event.type !== "checkout.asked" || wasAsking(history.slice(0, index + 1), "openCheckout"))
      return wanted;
    return wanted?.offer === event.offer ? wanted : event;
  }, null)?.key;

keepsNobodyWaiting(checkout, ["openCheckout"]);
letsGoWhenTold(checkout, ["openCheckout"], "account.changed");

checkout.always(
  "makes one order and opens one window a tap, while none is being opened",
  (moment, history) => {
    const { event } = moment;
    const opens = event.type === "checkout.asked" && !wasAsking(history, "openCheckout");
    expect(asked(moment)).toEqual(
      opens ? [{ id: "openCheckout", input: { offer: event.offer, key: keyIn(history) } }] : [],
    );
    expect(moment.state.hasTag("busy")).toBe(moment.pending.length === 1);
  },
);

checkout.always("leaves a link in sight where the browser refused the window", ({ state }, history) => {
  expect(state.matches("blocked")).toBe(linkIn(history) !== null);
  expect(state.context.opened).toEqual(linkIn(history));
});

checkout.always(
  "goes on to the bill of an order that has a name, once it is open, or tells the failure",
  (moment, history) => {
    const answer = answerIn(moment, "openCheckout")?.output;
    const failure = failureIn(moment, "openCheckout");
    const follows = moment.event.type === "checkout.left" && linkIn(history.slice(0, -1)) === blocked;
    const { orderId, packName, productId, amount, createdAt } = opened;
    expect(moment.emitted).toEqual(
      answer === opened || follows
        ? [
            { type: "payment.begun", orderId, amount, packName, productId },
            { type: "bill.asked", orderId, status: 0, amount, createdAt, isLast: false },
          ]
        : failure
          ? [{ type: "failure.met", failure }]
          : [],
    );
  },
);

rehearse(play);
rehearse(checkoutBlocked);
