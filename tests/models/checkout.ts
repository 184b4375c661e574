/** Paying in a window of the provider's own, as a person meets it. Specification, sections 7 (order/create) and 8; Decisions, "Windows opened for the user", "Double taps and retries" and "Default timeout none". */
import { checkoutMachine, type OpenedCheckout } from "../../machines/checkout.ts";
import { personWhoSees, playOf, wait, type Hand } from "../support/play.ts";
import { monthly, no, ok } from "../support/replies.ts";
import { lost, refused } from "../support/samples.ts";

const provider = "https://checkout.example/pay/S9";

const blank = {
  /** The bill's address tells which status it was opened with. */
  place: "personal_info",
  /** The other windows, by where they are. */
  windows: [] as string[],
  /** Whether it is said that the page is being opened. */
  opening: false,
  slow: false,
  /** The way to the provider, where the browser refused its window. */
  link: false,
  said: [] as string[],
  waiting: [] as string[],
};
type Look = typeof blank;

const call = "/api/order/create";
const asks = { opening: true, waiting: [call] };
const { createMachine } = personWhoSees(blank);
const offline = "No connection. Check your network and try again.";
const reasons = new Set(["No.", "Not today.", offline]);
const told = (...said: string[]) => ({ meta: { said } });

const withWindows = createMachine({
  id: "person",
  initial: "begins",
  states: {
    begins: { on: { "chooses Stripe": "waits" } },
    waits: {
      meta: { ...asks, windows: ["about:blank"] },
      on: {
        "is sent to the provider": "bill",
        "is sent there without a number": "paysElsewhere",
        "is told no place to pay": "toldNoPlace",
        "is refused": "refused",
        "is not heard": "unheard",
        "somebody else logs in": "begins",
        "waits ten seconds": "waitsLong",
      },
    },
    waitsLong: {
      meta: { ...asks, windows: ["about:blank"], slow: true },
      on: { "is sent to the provider": "bill", "is not heard": "unheard", "stops waiting": "begins" },
    },
    bill: { meta: { place: "the bill, 0", windows: [provider] } },
    paysElsewhere: { meta: { windows: [provider] } },
    toldNoPlace: told("Not today."),
    refused: told("No."),
    unheard: told(offline),
  },
});

/** The browser opens no windows; a link needs no leave. */
const withoutWindows = createMachine({
  id: "person",
  initial: "begins",
  states: {
    begins: { on: { "chooses Stripe": "waits" } },
    waits: {
      meta: asks,
      on: {
        "is sent to the provider": "sees",
        "is sent there without a number": "seesNameless",
        "is refused": "refused",
        "waits ten seconds": "waitsLong",
      },
    },
    waitsLong: {
      meta: { ...asks, slow: true },
      on: { "is sent to the provider": "sees", "stops waiting": "begins" },
    },
    seesNameless: { meta: { link: true }, on: { "follows the link": "begins" } },
    // It stays in sight until it is used, or another order takes its place: two links would be two payments.
    sees: {
      meta: { link: true },
      on: {
        "follows the link": "bill",
        "chooses Stripe": "waits",
        "puts it away": "begins",
        // One person's order is nobody else's to pay.
        "somebody else logs in": "begins",
      },
    },
    bill: { meta: { place: "the bill, 0" } },
    refused: told("No."),
  },
});

const invoke = "openCheckout";
const opened: OpenedCheckout = {
  orderId: "S9",
  packName: monthly.name,
  productId: monthly.product_id,
  amount: "9.99",
  createdAt: "2026-01-01T00:00:00.000Z",
  blocked: null,
};
const made = { order_id: "S9", payment_amount: "9.99", created_at: opened.createdAt };

const deeds = (blocked: string | null) =>
  ({
    "chooses Stripe": {
      sends: { type: "checkout.asked", offer: monthly, key: "word1" },
      does: async (hand: Hand) => {
        await hand.tap("button", /Monthly/);
        await hand.tap("button", /^Stripe/);
      },
    },
    "is sent to the provider": {
      invoke,
      told: { ...opened, blocked },
      call,
      reply: ok({ payUrl: provider, order: made }),
    },
    "is sent there without a number": {
      invoke,
      told: { ...opened, orderId: null, blocked },
      call,
      reply: ok({ payUrl: provider }),
    },
    "is refused": { invoke, refused, call, reply: no("No.") },
    "somebody else logs in": {
      sends: { type: "account.changed" },
      does: async (hand: Hand) => {
        await hand.storeElsewhere("user_token", "token2");
        await hand.storeElsewhere("user_name", "Berta");
      },
    },
    "waits ten seconds": { ms: 10_000 },
    "stops waiting": wait.stop,
  }) as const;

const common = {
  chart: checkoutMachine,
  look: blank,
  looks: async (hand: Hand): Promise<Look> => {
    const [, screen = "", , status] = (await hand.place()).split("/");
    return {
      place: screen === "billDetail" ? `the bill, ${status}` : screen,
      windows: await hand.windows(),
      opening: await hand.reads("Opening the payment window…"),
      slow: await hand.has("button", "Stop waiting"),
      link:
        (await hand.has("link", "Open it here")) &&
        (await hand.reads("The payment window did not open.")) &&
        (await hand.shows(`a[href="${provider}"][target=_blank][rel=noreferrer]`)),
      said: (await hand.said()).filter((words) => reasons.has(words)),
      waiting: hand.waiting().filter((path) => path === call),
    };
  },
};

export const checkout = playOf({
  ...common,
  person: withWindows,
  deeds: {
    ...deeds(null),
    "is told no place to pay": {
      invoke,
      refused,
      call,
      reply: { code: 200, message: "Not today.", data: { order: made } },
    },
    "is not heard": { invoke, refused: lost, call },
  },
  tells: (state, { emitted, pending }) => {
    const left = emitted.find(({ type }) => type === "bill.asked");
    return {
      place: left?.type === "bill.asked" ? `the bill, ${left.status}` : "personal_info",
      opening: state.hasTag("busy"),
      slow: state.hasTag("slow"),
      link: state.context.opened !== null,
      waiting: pending.map(() => call),
    };
  },
});

export const checkoutBlocked = playOf({
  ...common,
  person: withoutWindows,
  deeds: {
    ...deeds(provider),
    "follows the link": {
      sends: { type: "checkout.left" },
      does: (hand) => hand.tap("link", "Open it here"),
    },
    "puts it away": {
      sends: { type: "checkout.dismissed" },
      does: (hand) => hand.tap("button", "Not now"),
    },
  },
  tells: (state, { emitted, pending }) => ({
    place: emitted.some(({ type }) => type === "bill.asked") ? "the bill, 0" : "personal_info",
    opening: state.hasTag("busy"),
    slow: state.hasTag("slow"),
    link: state.context.opened?.blocked === provider,
    waiting: pending.map(() => call),
  }),
});
