/** Paying in the provider's window: one window and one order a tap, a link where it was refused, the bill where it opened. */
import { expect } from "vitest";
import type { Offer } from "../../machines/catalogue.ts";
import { EarlierFound, type EarlierPayment } from "../../machines/earlier-orders.ts";
import { checkoutMachine, type OpenedCheckout } from "../../machines/checkout.ts";
import type { PayOnceOutput } from "../../machines/pay-once.ts";
import { PriceChanged } from "../../machines/price-changed.ts";
import { checkout as model, checkoutBlocked } from "../models/checkout.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import {
  answerIn,
  asked,
  errorIn,
  keepsNobodyWaiting,
  letsGoWhenTold,
  wasAsking,
} from "../support/invariants.ts";
import { earlierPayment, monthly, refused, signedOut, yearly } from "../support/samples.ts";

const opened: OpenedCheckout = {
  orderId: "S9",
  packName: "Monthly",
  productId: "vpn.month",
  amount: "9.90",
  createdAt: "2026-01-01 00:00:00",
  payUrl: "https://checkout.example/pay/S9",
  blocked: false,
};
const blocked = { ...opened, blocked: true };
const namelessBlocked = { ...blocked, orderId: null };
const part = earlierPayment("part");
const paid = earlierPayment("paid");
const open = earlierPayment("open");
const found = { part: new EarlierFound(part), paid: new EarlierFound(paid), open: new EarlierFound(open) };

/** How the chart ends that tells of an earlier payment. */
const checked = (end: PayOnceOutput["end"]): PayOnceOutput => ({
  end,
  ignoredIds: ["E-told"],
  earlier: null,
  error: null,
});

const checkout = invariantsOf(checkoutMachine, {
  events: [
    { type: "checkout.requested", offer: monthly, key: "key1" },
    { type: "checkout.requested", offer: yearly, key: "key2" },
    { type: "checkout.requested", offer: monthly, key: "key3" },
    { type: "price.accepted" },
    { type: "price.declined" },
    { type: "checkout.dismissed" },
    { type: "order.settled" },
    { type: "cancel" },
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
      dearer: new PriceChanged("10.01"),
      ...found,
    },
    payOnce: {
      free: checked("free"),
      followed: checked("followed"),
      dismissed: checked("dismissed"),
    },
  },
  infallible: ["payOnce"],
  distinguish: ({ opened: link, wanted, price, earlier }) => [link, wanted, price, earlier?.kind],
});

type Past = History<typeof checkoutMachine>;
/** Another order that was paid by now, too: the user does not pay twice for one purchase. */
const putsAway = new Set(["checkout.dismissed", "order.settled"]);
/** What the browser refused to open and no bill tells of, until it is put away or asked for anew. */
const linkIn = (history: Past): OpenedCheckout | null => {
  const last = history.findLast(
    (moment, index) =>
      (answerIn(moment, "openCheckout") ??
        ("error" in moment.event ||
          (moment.event.type === "cancel" && wasAsking(history.slice(0, index + 1), "openCheckout")))) ||
      moment.event.type === "account.changed" ||
      (putsAway.has(moment.event.type) && !wasAsking(history.slice(0, index + 1), "openCheckout")),
  );
  const told = last && (answerIn(last, "openCheckout")?.output as OpenedCheckout | undefined);
  return told?.blocked && told.orderId === null && !history.at(-1)?.pending.length ? told : null;
};

/** The earlier payment that was found, and waits for the person's answer. */
const toldIn = (history: Past): EarlierPayment | null => {
  const last = history.findLast(
    ({ event }) => "output" in event || "error" in event || event.type === "account.changed",
  );
  return last && "error" in last.event && last.event.error instanceof EarlierFound
    ? last.event.error.earlier
    : null;
};

const endOf = (moment: Past[number]) => answerIn(moment, "payOnce")?.output as PayOnceOutput | undefined;

type Wish = { offer: Offer; key: string; agreed: string; ignoredIds: readonly string[] };

const priced = new Set(["account.changed", "price.accepted", "price.declined"]);
/** The amount that the API charges, which waits for the person's answer. */
const repricedIn = (history: Past): string | null => {
  const last = history.findLast(
    ({ event }) => "output" in event || "error" in event || priced.has(event.type),
  );
  return last && "error" in last.event && last.event.error instanceof PriceChanged
    ? last.event.error.amount
    : null;
};

/** The wish of the moment. Decisions, "Double taps and retries": until an answer came, the same wish of the same account is the same order. */
const wishIn = (history: Past) =>
  history.reduce<Wish | null>((wanted, moment, index) => {
    const { event } = moment;
    const past = history.slice(0, index);
    if (event.type === "account.changed" || answerIn(moment, "openCheckout")) return null;
    const told = toldIn(past);
    const answer = endOf(moment)?.end;
    if (answer === "followed" || answer === "dismissed") return null;
    if (told && wanted && answer === "free") return { ...wanted, ignoredIds: ["E-told"] };
    const repriced = repricedIn(past);
    if (repriced !== null && event.type === "price.declined") return null;
    if (repriced !== null && wanted && event.type === "price.accepted")
      return { ...wanted, agreed: repriced };
    if (
      event.type !== "checkout.requested" ||
      told ||
      repriced !== null ||
      wasAsking(history.slice(0, index + 1), "openCheckout")
    )
      return wanted;
    const { offer, key } = event;
    const agreed = offer.buy_price;
    return {
      offer,
      key: wanted?.offer === offer ? wanted.key : key,
      agreed,
      ignoredIds: [],
    };
  }, null);

keepsNobodyWaiting(checkout, ["openCheckout"]);
letsGoWhenTold(checkout, ["openCheckout"], "account.changed");

checkout.always(
  "makes one order and opens one window a tap, while none is being opened",
  (moment, history) => {
    const opens = toldIn(history.slice(0, -1))
      ? endOf(moment)?.end === "free"
      : repricedIn(history.slice(0, -1)) !== null
        ? moment.event.type === "price.accepted"
        : moment.event.type === "checkout.requested" && !wasAsking(history, "openCheckout");
    expect(asked(moment).filter(({ id }) => id !== "payOnce")).toEqual(
      opens ? [{ id: "openCheckout", input: wishIn(history) }] : [],
    );
    expect(moment.state.hasTag("busy")).toBe(moment.pending.some(({ id }) => id === "openCheckout"));
  },
);

checkout.always("tells of an earlier payment until it is answered", (moment, history) => {
  const told = toldIn(history);
  expect(moment.state.matches("warned")).toBe(told !== null);
  const isNew = told !== null && "error" in moment.event;
  const input = {
    ignoredIds: wishIn(history)?.ignoredIds,
    found: told,
    // Of one whose result is not known its bill tells.
    followedAtOnce: ["open"],
    isLast: false,
  };
  expect(asked(moment).filter(({ id }) => id === "payOnce")).toEqual(isNew ? [{ id: "payOnce", input }] : []);
});

checkout.always(
  "asks about a price that was not shown, and opens no page before it is agreed to",
  (moment, history) => {
    expect(moment.state.matches("repriced")).toBe(repricedIn(history) !== null);
    if (repricedIn(history) !== null) expect(moment.state.context.price).toBe(repricedIn(history));
  },
);

checkout.always("leaves a link in sight where the browser refused the window", ({ state }, history) => {
  expect(state.matches("blocked")).toBe(linkIn(history) !== null);
  expect(state.context.opened).toEqual(linkIn(history));
});

checkout.always(
  "goes on to the bill of an order that has a name, open or not, or tells what stands in the way",
  (moment, history) => {
    const answer = answerIn(moment, "openCheckout")?.output;
    const isAsked = toldIn(history) !== null || repricedIn(history) !== null;
    const error = isAsked ? undefined : errorIn(moment, "openCheckout");
    const { orderId, packName, productId, amount, createdAt, payUrl } = opened;
    expect(moment.emitted).toEqual(
      answer === opened || answer === blocked
        ? [
            // The way to the provider's page is kept with it.
            { type: "payment.begun", orderId, amount, packName, productId, payUrl },
            { type: "bill.opened", orderId, status: 0, amount, createdAt, isLast: false },
          ]
        : error
          ? [{ type: "request.failed", error }]
          : [],
    );
  },
);

runOnMachine(model);
runOnMachine(checkoutBlocked);
