/** Paying by card, as a user meets it. Specification, sections 2 (Card payment screen), 4 ("Card payment steps") and 5 ("Card form"); Decisions, "Card data", "`payment.success` in the browser is not proof", "Default timeout none". */
import { cardMachine } from "../../machines/card.ts";
import { CardError, type CardErrorDetails } from "../../machines/card-error.ts";
import type { CardOrder, CardProof } from "../../machines/card-result.ts";
import type { CardField } from "../../machines/card-fields.ts";
import type { Offer } from "../../machines/catalogue.ts";
import { networkIsBack, userWhoSees, userModel } from "../support/user-model.ts";
import { detail, ok, type Reply } from "../support/replies.ts";
import { lost, readingOf } from "../support/samples.ts";
import { LOST, errorWords } from "../support/error-words.ts";
import type { User } from "../user.ts";

const create = "/api/razorpay/order/create";
const key = "/api/razorpay/key";
const verify = "/api/razorpay/verify";
const read = "/api/order/detail";
/** Where the provider's script of the sandbox hands the card to. */
export const provider = "/sandbox/card/payments";

/** The package that the service sells. */
export const offer: Offer = {
  id: "1",
  name: "Monthly",
  product_id: "monthly",
  price: "4.99",
  buy_price: "3.99",
  day_price: "0.13",
  discount: "80",
};
const order: CardOrder = { orderId: "A100", amount: "3.99", reference: "order_9A" };

const blank = {
  place: "/razorpayDetail",
  title: "Payment details",
  awaited: false,
  slow: false,
  unavailable: false,
  /** The number that stands in the form; null where there is no form. */
  number: null as string | null,
  /** The one thing to do. */
  way: null as "Payment, resting" | "Payment" | "Close" | "Retry Payment" | "Retry Payment, busy" | null,
  amount: false,
  /** Whether a price is asked about that was not shown before. */
  repriced: false,
  marked: false,
  inProgress: false,
  result: null as string | null,
  why: null as string | null,
  toast: null as string | null,
  /** Whether it is asked if the payment shall be left. */
  asked: false,
  waiting: [] as string[],
};

const declined = "Your card was declined.";
const NUMBER = "4111 1111 1111 1111";
const MISTYPED = "4111 1111 1111 1112";

const preparing = { awaited: true };
const form = { amount: true, number: "", way: "Payment, resting" } as const;
const filled = { ...form, number: NUMBER, way: "Payment" } as const;
const mistyped = { ...filled, number: MISTYPED };
const results = { title: "Payment results", amount: true };
const failed = { ...results, result: "Payment Failed", why: declined, way: "Retry Payment" } as const;
const cancelled = { ...results, result: "Payment Cancelled", way: "Retry Payment" } as const;
const unexplained = "You can try again, with this card or another. We check first, so you do not pay twice.";
const mayGoThrough = "Your bank may still approve this payment. If you retry, we check first whether it did.";
const dropped = { ...cancelled, result: "Result not known yet", why: mayGoThrough } as const;
const asking = { way: "Retry Payment, busy" as const, waiting: [read] };

const elsewhere = { place: "/personal_info", title: "Personal center" } as const;

/* Until there is a form. */

const comer = userWhoSees(blank).createMachine({
  id: "comer",
  initial: "ordering",
  states: {
    ordering: {
      meta: { ...preparing, waiting: [create] },
      on: {
        "the order is made": "opening",
        "the order costs more": "reconsiders",
        "the order is not heard of": "unavailable",
        "ten seconds pass": "orderingLong",
      },
    },
    orderingLong: {
      meta: { ...preparing, slow: true, waiting: [create] },
      on: { "asks again": "ordering", "the order is made": "opening" },
    },
    opening: {
      meta: { ...preparing, waiting: [key] },
      on: {
        "the key comes": "form",
        "the key is not heard of": "unavailable",
        "ten seconds pass": "openingLong",
      },
    },
    openingLong: {
      meta: { ...preparing, slow: true, waiting: [key] },
      on: { "asks again": "ordering", "the key comes": "form" },
    },
    // There is no form at a price that was not agreed to.
    reconsiders: {
      meta: { repriced: true },
      on: { agrees: "openingDearer", "does not agree": "declined" },
    },
    openingDearer: {
      meta: { ...preparing, waiting: [key] },
      on: { "the key comes": "formDearer", "the key is not heard of": "unavailable" },
    },
    formDearer: { meta: { ...form, amount: false } },
    unavailable: {
      meta: { unavailable: true },
      on: { "asks again": "ordering", "the network is back": "ordering", leaves: "gone" },
    },
    form: { meta: form },
    // Nothing is lost yet: the leave question is not shown.
    gone: { meta: elsewhere },
    // The chart rests until the screen is left.
    declined: { meta: elsewhere },
  },
});

/* From the form on. */

const payer = userWhoSees(blank).createMachine({
  id: "payer",
  initial: "form",
  states: {
    form: {
      meta: form,
      on: { "types a card": "filled", "goes back": "asked" },
    },
    asked: {
      meta: { ...form, asked: true },
      on: { "continues the payment": "form", "abandons the payment": "gone" },
    },
    gone: { meta: { place: "/personal_info", title: "Personal center" } },
    filled: {
      meta: filled,
      on: { "mistypes the number": "mistyped", "wipes the number": "unfilled", pays: "paying" },
    },
    unfilled: { meta: form, on: { "types the number": "filled" } },
    mistyped: { meta: mistyped, on: { pays: "marked" } },
    marked: {
      meta: { ...mistyped, marked: true },
      on: { pays: "marked", "types the number": "filled" },
    },
    paying: {
      meta: { amount: true, number: NUMBER, inProgress: true },
      on: {
        "the card is charged": "verifying",
        "the card is declined": "declined",
        "it fails without a word": "dropped",
        "the person cancels at the bank": "cancelledThere",
        "the card is charged, in unknown words": "reading",
        "ten seconds pass": "payingLong",
      },
    },
    payingLong: {
      meta: { amount: true, number: NUMBER, inProgress: true, slow: true },
      on: { "stops waiting": "dropped" },
    },
    // The provider's word is not proof.
    verifying: {
      meta: { ...form, way: null, inProgress: true, waiting: [verify] },
      on: {
        "the service knows it paid": "paid",
        "the service does not know yet": "pausing",
        "the service does not understand": "reading",
        "ten seconds pass": "verifyingLong",
        "half a minute passes": "billed",
      },
    },
    verifyingLong: {
      meta: { ...form, way: null, inProgress: true, slow: true, waiting: [verify] },
      on: { "asks for the bill": "billed", "the service knows it paid": "paid" },
    },
    pausing: {
      meta: { ...form, way: null, inProgress: true },
      on: { "three seconds pass": "reading" },
    },
    reading: {
      meta: { ...form, way: null, inProgress: true, waiting: [read] },
      on: {
        "the order is paid": "paid",
        // Whatever the provider took, the bill says whom to turn to.
        "the order has failed": "billed",
        "the order is unpaid": "pausing",
        "the order is not heard of": "pausing",
        "half a minute passes": "billed",
      },
    },
    // The bill goes on asking.
    billed: { meta: { place: "/billDetail", title: "Your bill", waiting: [read] } },
    paid: {
      meta: { ...results, result: "Payment Succeeded", way: "Close" },
      on: { "closes it": "gone" },
    },
    failed: { meta: { ...failed, why: unexplained } },
    declined: {
      meta: failed,
      on: { "tries again": "recalling", "three seconds pass": "looking", "comes back": "looking" },
    },
    // What was called failed may go through all the same.
    looking: {
      meta: { ...failed, waiting: [read] },
      on: {
        "it has gone through": "paid",
        "it has not gone through": "looked",
        "the API calls it failed": "looked",
        "no news come": "looked",
        "comes back": "looking",
        "tries again": "recalling",
      },
    },
    looked: { meta: failed, on: { "comes back": "looking", "tries again": "recalling" } },
    recalling: {
      meta: { ...failed, ...asking },
      on: {
        "it was paid after all": "paid",
        "it is over": "form",
        "it is unpaid": "form",
        "nothing is heard of it": "declinedStill",
        "ten seconds pass": "recallingLong",
      },
    },
    recallingLong: {
      meta: { ...failed, ...asking, slow: true },
      on: { "stops waiting for the service": "declined", "it is unpaid": "form" },
    },
    declinedStill: { meta: { ...failed, toast: LOST } },
    cancelledThere: { meta: { ...cancelled, why: "Payment processing cancelled by user" } },
    dropped: {
      meta: dropped,
      on: { "tries again": "recallingDropped", "three seconds pass": "lookingDropped" },
    },
    // The person waits for the word, so it is asked about again unasked.
    lookingDropped: {
      meta: { ...dropped, waiting: [read] },
      on: {
        "it has gone through": "paid",
        "it has not gone through": "lookedDropped",
        "no news come": "lookedDropped",
      },
    },
    lookedDropped: {
      meta: dropped,
      on: {
        "a minute passes": "lookingDropped",
        "comes back": "lookingDropped",
        "tries again": "recallingDropped",
      },
    },
    recallingDropped: {
      meta: { ...dropped, ...asking },
      on: { "it is unpaid": "form", "it was paid after all": "paid" },
    },
  },
});

/** An answer without an envelope. */
const bare = (answer: object): Reply => ({ code: 0, ...answer });
const proof: CardProof = { paymentId: "pay_1", reference: order.reference, signature: "signed" };
/** `reason` is the provider's word, `outcome` what its port makes of it. */
const refuses = (description: string, reason: string, outcome: CardErrorDetails["outcome"]) => ({
  invoke: "payByCard",
  error: new CardError({ outcome, description, field: null }),
  call: provider,
  reply: bare({ status: "refused", error: { description, reason, outcome, field: null } }),
});
const reads = (
  invoke: "readOrder" | "recallOrder" | "verifyCard" | "glance",
  status: number,
  real = false,
) => ({
  invoke,
  output: readingOf(status),
  call: invoke === "verifyCard" ? verify : read,
  reply: ok(detail({ status })),
  real,
});
const labels = {
  card_number: "Card number",
  expiry: "Expiry",
  cvv: "Security code",
  cardholder: "Name on the card",
} as const satisfies Record<CardField, string>;
const types = (card: Partial<Record<CardField, string>>) => {
  const fields = Object.entries(card) as [CardField, string][];
  return {
    sends: fields.map(([field, text]) => ({ type: "card.edited", field, text }) as const),
    does: async (user: User) => {
      for (const [field, text] of fields) await user.type(labels[field], text);
    },
  };
};

const calls: Readonly<Record<string, string>> = {
  createCardOrder: create,
  openProvider: key,
  verifyCard: verify,
  readOrder: read,
  recallOrder: read,
  glance: read,
};
const steps = ["step1", "step2", "step3", "step4", "step5"] as const;
const resultOf = {
  step1: null,
  step2: null,
  step3: "Payment Succeeded",
  step4: "Payment Failed",
  step5: "Payment Cancelled",
};

const model = {
  chart: cardMachine,
  input: { offer, visit: "visit", today: { year: 2026, month: 1 }, ignoredIds: [] },
  // This browser keeps no earlier payment.
  immediate: { findEarlier: () => null },
  defaultView: blank,
  viewOfChart: (state, { pending }) => {
    if (state.matches("handedOver") || state.matches("leaving")) return {};
    const step = steps.find((tag) => state.hasTag(tag));
    const isForm = step === "step1" || step === "step2";
    const ofStep = step ? resultOf[step] : null;
    const result = state.hasTag("open") ? "Result not known yet" : ofStep;
    return {
      title: result ? "Payment results" : "Payment details",
      result,
      awaited: state.matches("preparing"),
      slow: state.hasTag("slow") || (state.children.result?.getSnapshot().hasTag("slow") ?? false),
      unavailable: state.matches("unavailable"),
      repriced: state.matches("repriced"),
      number: isForm ? state.context.card.card_number : null,
      marked: state.context.wrong.length > 0,
      inProgress: step === "step2",
      why: state.hasTag("open")
        ? mayGoThrough
        : result && step !== "step3"
          ? (state.context.description ?? unexplained)
          : null,
      waiting: pending.flatMap(({ id }) => calls[id] ?? []),
    };
  },
  viewOnScreen: async (user) => {
    const place = (await user.path()).replace(/^(\/billDetail)\/.*/, "$1");
    const isHere = place === "/razorpayDetail";
    const seen = async (words: readonly string[]) => {
      for (const each of words) if (await user.hasText(each)) return each;
      return null;
    };
    const isForm = isHere && (await user.isVisible("form"));
    // The question names both prices.
    const repriced =
      (await user.has("alertdialog", "The price has changed")) &&
      (await user.hasText("This package now costs USD 4.49 instead of USD 3.99."));
    let way: (typeof blank)["way"] = null;
    if (!isHere) way = null;
    else if (await user.has("button", "Close")) way = "Close";
    else if (await user.has("button", "Retry Payment"))
      way = (await user.isBusy("Retry Payment")) ? "Retry Payment, busy" : "Retry Payment";
    else if (await user.isVisible("button[type=submit]"))
      way = (await user.isVisible("button[type=submit]:disabled")) ? "Payment, resting" : "Payment";
    return {
      place,
      title: await user.title(),
      awaited: isHere && (await user.isVisible('main div[aria-busy="true"]')),
      slow:
        (await user.hasText("This is taking longer than usual. Your connection may be slow.")) ||
        // Not in the app, but at the bank.
        (await user.hasText("Waiting for your bank. If it has opened a window, confirm there.")),
      unavailable: await user.hasText("We could not load this"),
      number: isForm ? await user.value("Card number") : null,
      way,
      amount: isHere && !repriced && (await user.hasText("USD 3.99")),
      repriced,
      marked: await user.hasText(
        "Some information is incorrect, Please check the red fields and correct them before submitting.",
      ),
      inProgress: await user.hasText("Payment in Progress"),
      result: await seen([
        "Payment Succeeded",
        "Payment Failed",
        "Payment Cancelled",
        "Result not known yet",
      ]),
      why: await seen([declined, "Payment processing cancelled by user", unexplained, mayGoThrough]),
      toast: isHere ? ((await user.statusTexts()).find((words) => errorWords.includes(words)) ?? null) : null,
      asked: await user.has("alertdialog", "Leave this payment?"),
      waiting: user.pendingCalls().filter((path) => path !== provider),
    };
  },
} satisfies Omit<Parameters<typeof userModel<typeof cardMachine, typeof blank>>[0], "person" | "actions">;

const leaves = {
  unmounts: true,
  does: (user: User) => user.tap("button", "Back"),
} as const;

export const preparingCard = userModel({
  ...model,
  person: comer,
  actions: {
    "the order is made": {
      invoke: "createCardOrder",
      output: order,
      call: create,
      reply: ok({
        order: { order_id: "A100", payment_amount: "3.99", third_reference_id: "order_9A" },
      }),
      real: true,
    },
    "the order costs more": {
      invoke: "createCardOrder",
      output: { ...order, amount: "4.49" },
      call: create,
      reply: ok({
        order: { order_id: "A100", payment_amount: "4.49", third_reference_id: "order_9A" },
      }),
    },
    agrees: {
      sends: { type: "price.accepted" },
      does: (user) => user.tap("button", "Pay USD 4.49"),
    },
    "does not agree": {
      sends: { type: "price.declined" },
      does: (user) => user.tap("button", "Not now"),
    },
    "the order is not heard of": { invoke: "createCardOrder", error: lost, call: create },
    "the key comes": {
      invoke: "openProvider",
      output: { key: "rzp_key" },
      call: key,
      reply: bare({ key: "rzp_key" }),
      real: true,
    },
    "the key is not heard of": { invoke: "openProvider", error: lost, call: key },
    "ten seconds pass": { ms: 10_000 },
    "asks again": { sends: { type: "retry" }, does: (user) => user.tap("button", "Try again") },
    "the network is back": networkIsBack,
    leaves,
  },
});

export const payingByCard = userModel({
  ...model,
  immediate: { ...model.immediate, createCardOrder: () => order, openProvider: () => ({ key: "rzp_key" }) },
  person: payer,
  actions: {
    "types a card": types({
      card_number: "4111111111111111",
      expiry: "122030",
      cvv: "123",
      cardholder: "Ann Lee",
    }),
    "mistypes the number": types({ card_number: MISTYPED }),
    "types the number": types({ card_number: NUMBER }),
    "wipes the number": types({ card_number: "" }),
    pays: { sends: { type: "pay.requested" }, does: (user) => user.tap("button", "Payment") },
    "goes back": { outsideChart: true, does: (user) => user.tap("button", "Back") },
    "continues the payment": {
      outsideChart: true,
      does: (user) => user.tap("button", "Continue payment"),
    },
    "abandons the payment": {
      unmounts: true,
      does: (user) => user.tap("button", "Abandon payment"),
    },
    "the card is charged": {
      invoke: "payByCard",
      output: proof,
      call: provider,
      reply: bare({
        status: "captured",
        response: {
          razorpay_payment_id: proof.paymentId,
          razorpay_order_id: proof.reference,
          razorpay_signature: proof.signature,
        },
      }),
    },
    "the card is charged, in unknown words": {
      invoke: "payByCard",
      output: null,
      call: provider,
      reply: bare({ status: "captured", response: { payment: "pay_1" } }),
    },
    "the card is declined": refuses(declined, "payment_failed", "failed"),
    "it fails without a word": refuses("", "", "unknown"),
    "the person cancels at the bank": refuses(
      "Payment processing cancelled by user",
      "payment_cancelled",
      "cancelled",
    ),
    "stops waiting": {
      sends: { type: "cancel" },
      does: async (user) => {
        await user.tap("button", "Stop waiting");
        // What the provider says now is heard no more.
        await user.answer(provider, "lost");
      },
    },
    "asks for the bill": {
      sends: { type: "cancel" },
      does: (user) => user.tap("button", "See the bill"),
    },
    "stops waiting for the service": {
      child: "result",
      event: { type: "cancel" },
      does: (user) => user.tap("button", "Stop waiting"),
    },
    "the service knows it paid": reads("verifyCard", 1, true),
    "the service does not know yet": reads("verifyCard", 0),
    "the service does not understand": {
      invoke: "verifyCard",
      error: lost,
      call: verify,
      reply: 404,
    },
    "the order is paid": reads("readOrder", 1),
    "the order has failed": reads("readOrder", 9),
    "the order is unpaid": reads("readOrder", 0),
    "the order is not heard of": { invoke: "readOrder", error: lost, call: read },
    "tries again": {
      child: "result",
      event: { type: "retry" },
      does: (user) => user.tap("button", "Retry Payment"),
    },
    "it was paid after all": reads("recallOrder", 1),
    "it is over": reads("recallOrder", 9),
    "it is unpaid": reads("recallOrder", 0, true),
    "nothing is heard of it": { invoke: "recallOrder", error: lost, call: read },
    "comes back": { sends: { type: "page.visible" }, does: (user) => user.returnToPage() },
    "it has gone through": reads("glance", 1),
    "it has not gone through": reads("glance", 0, true),
    "the API calls it failed": reads("glance", 9),
    "no news come": { invoke: "glance", error: lost, call: read },
    "closes it": {
      unmounts: true,
      does: (user) => user.tap("button", "Close"),
    },
    "three seconds pass": { ms: 3_000 },
    "ten seconds pass": { ms: 10_000 },
    "half a minute passes": { ms: 30_000 },
    "a minute passes": { ms: 60_000 },
  },
});
