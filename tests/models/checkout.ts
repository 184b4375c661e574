/** Paying in a window of the provider's own, as a user meets it. Specification, sections 7 (order/create) and 8; Decisions, "Windows opened for the user", "Double taps and retries" and "Default timeout none". */
import { checkoutMachine, type OpenedCheckout } from "../../machines/checkout.ts";
import { PriceChanged } from "../../machines/price-changed.ts";
import { userWhoSees, userModel, wait } from "../support/user-model.ts";
import { monthly, no, ok } from "../support/replies.ts";
import { lost, refused } from "../support/samples.ts";
import { LOST, errorWords } from "../support/error-words.ts";
import type { User } from "../user.ts";

const provider = "https://checkout.example/pay/S9";

const blank = {
  /** The bill's address tells which status it was opened with. */
  place: "personal_info",
  /** The other windows, by where they are. */
  windows: [] as string[],
  /** Whether it is said that the page is being opened. */
  opening: false,
  slow: false,
  /** Whether a price is asked about that was not shown before. */
  repriced: false,
  /** The way to the provider, in this window and to be copied: where the browser refused one, or it was closed. */
  link: false,
  said: [] as string[],
  waiting: [] as string[],
};
type View = typeof blank;

const call = "/api/order/create";
const asks = { opening: true, waiting: [call] };
const { createMachine } = userWhoSees(blank);
const reasons = new Set(["No.", "Not today.", ...errorWords]);
const toastSays = (...said: string[]) => ({ meta: { said } });

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
        "is asked for more": "reconsiders",
        "is told no place to pay": "noPlace",
        "is refused": "refused",
        "is not heard": "noAnswer",
        "another user logs in": "begins",
        "waits ten seconds": "waitsLong",
      },
    },
    waitsLong: {
      meta: { ...asks, windows: ["about:blank"], slow: true },
      on: { "is sent to the provider": "bill", "is not heard": "noAnswer", "stops waiting": "begins" },
    },
    // No page to pay on stays open at a price that was not agreed to.
    reconsiders: {
      meta: { repriced: true },
      on: { agrees: "waitsForMore", "does not agree": "begins", "another user logs in": "begins" },
    },
    waitsForMore: {
      meta: { ...asks, windows: ["about:blank"] },
      on: { "is sent there for more": "bill", "is not heard": "noAnswer" },
    },
    // Should its window be closed by mistake, the bill leads there again.
    bill: { meta: { place: "the bill, 0", windows: [provider], link: true } },
    paysElsewhere: { meta: { windows: [provider] } },
    noPlace: toastSays("Not today."),
    refused: toastSays("No."),
    noAnswer: toastSays(LOST),
  },
});

/** The browser opens no windows, as one inside another app: the way there is in this one. */
const withoutWindows = createMachine({
  id: "person",
  initial: "begins",
  states: {
    begins: { on: { "chooses Stripe": "waits" } },
    waits: {
      meta: asks,
      on: {
        "is sent to the provider": "bill",
        "is sent there without a number": "sees",
        "is asked for more": "reconsiders",
        "is refused": "refused",
        "waits ten seconds": "waitsLong",
      },
    },
    waitsLong: {
      meta: { ...asks, slow: true },
      on: { "is sent to the provider": "bill", "stops waiting": "begins" },
    },
    reconsiders: {
      meta: { repriced: true },
      on: { agrees: "waitsForMore", "does not agree": "begins" },
    },
    waitsForMore: { meta: asks, on: { "is sent there for more": "bill" } },
    // It stays until it is put away, or another order takes its place: two links would be two payments.
    sees: {
      meta: { link: true },
      on: {
        "chooses Stripe": "waits",
        "puts it away": "begins",
        // One user's order is not shown to another user to pay.
        "another user logs in": "begins",
      },
    },
    bill: { meta: { place: "the bill, 0", link: true } },
    refused: toastSays("No."),
  },
});

const invoke = "openCheckout";
const opened: OpenedCheckout = {
  orderId: "S9",
  packName: monthly.name,
  productId: monthly.product_id,
  amount: "9.99",
  createdAt: "2026-01-01T00:00:00.000Z",
  payUrl: provider,
  blocked: false,
};
const made = { order_id: "S9", payment_amount: "9.99", created_at: opened.createdAt };

const actions = (blocked: boolean) =>
  ({
    "chooses Stripe": {
      sends: { type: "checkout.requested", offer: monthly, key: "word1" },
      does: async (user: User) => {
        await user.tap("button", /Monthly/);
        await user.tap("button", /^Stripe/);
      },
    },
    "is sent to the provider": {
      invoke,
      output: { ...opened, blocked },
      call,
      reply: ok({ payUrl: provider, order: made }),
    },
    "is sent there without a number": {
      invoke,
      output: { ...opened, orderId: null, blocked },
      call,
      reply: ok({ payUrl: provider }),
    },
    "is asked for more": {
      invoke,
      error: new PriceChanged("10.01"),
      call,
      reply: ok({ payUrl: provider, order: { ...made, payment_amount: "10.01" } }),
    },
    agrees: {
      sends: { type: "price.accepted" },
      does: (user: User) => user.tap("button", "Pay USD 10.01"),
    },
    "does not agree": {
      sends: { type: "price.declined" },
      does: (user: User) => user.tap("button", "Not now"),
    },
    "is sent there for more": {
      invoke,
      output: { ...opened, amount: "10.01", blocked },
      call,
      reply: ok({ payUrl: provider, order: { ...made, payment_amount: "10.01" } }),
    },
    "is refused": { invoke, error: refused, call, reply: no("No.") },
    "another user logs in": {
      sends: { type: "account.changed" },
      does: async (user: User) => {
        await user.storeElsewhere("user_token", "token2");
        await user.storeElsewhere("user_name", "Berta");
      },
    },
    "waits ten seconds": { ms: 10_000 },
    "stops waiting": wait.stop,
  }) as const;

const common = {
  chart: checkoutMachine,
  defaultView: blank,
  viewOnScreen: async (user: User): Promise<View> => {
    const [, screen = "", , status] = (await user.path()).split("/");
    return {
      place: screen === "billDetail" ? `the bill, ${status}` : screen,
      windows: await user.windows(),
      opening: await user.hasText("Opening the payment window…"),
      slow: await user.has("button", "Stop waiting"),
      repriced:
        (await user.has("alertdialog", "The price has changed")) &&
        (await user.hasText("This package now costs USD 10.01 instead of USD 9.99.")),
      link:
        (await user.has("link", "Open the payment page")) &&
        (await user.isVisible(`a[href="${provider}"][rel=noreferrer]:not([target])`)) &&
        (await user.has("button", "Copy the payment page’s address")) &&
        (await user.hasText(
          screen === "billDetail"
            ? "Did the payment page not open, or did you close it? It is still here."
            : "The payment window did not open.",
        )),
      said: (await user.statusTexts()).filter((words) => reasons.has(words)),
      waiting: user.pendingCalls().filter((path) => path === call),
    };
  },
};

export const checkout = userModel({
  ...common,
  person: withWindows,
  actions: {
    ...actions(false),
    "is told no place to pay": {
      invoke,
      error: refused,
      call,
      reply: { code: 200, message: "Not today.", data: { order: made } },
    },
    "is not heard": { invoke, error: lost, call },
  },
  viewOfChart: (state, { emitted, pending }) => {
    const left = emitted.find(({ type }) => type === "bill.opened");
    return {
      place: left?.type === "bill.opened" ? `the bill, ${left.status}` : "personal_info",
      opening: state.hasTag("busy"),
      slow: state.hasTag("slow"),
      repriced: state.matches("repriced"),
      link: state.context.opened !== null || left !== undefined,
      waiting: pending.map(() => call),
    };
  },
});

export const checkoutBlocked = userModel({
  ...common,
  person: withoutWindows,
  actions: {
    ...actions(true),
    "puts it away": {
      sends: { type: "checkout.dismissed" },
      does: (user) => user.tap("button", "Not now"),
    },
  },
  viewOfChart: (state, { emitted, pending }) => ({
    place: emitted.some(({ type }) => type === "bill.opened") ? "the bill, 0" : "personal_info",
    opening: state.hasTag("busy"),
    slow: state.hasTag("slow"),
    repriced: state.matches("repriced"),
    link: state.context.opened?.payUrl === provider || emitted.some(({ type }) => type === "bill.opened"),
    waiting: pending.map(() => call),
  }),
});
