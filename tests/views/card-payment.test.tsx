/** Paying by card on the screen: what is shown at each of the five steps, and what a card leaves behind. */
import { screen } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { CallFailed } from "../../machines/call-error.ts";
import { CardError, type CardErrorDetails } from "../../machines/card-error.ts";
import type { CardOrder, CardProof } from "../../machines/card-result.ts";
import { emptyCard, type Card } from "../../machines/card-fields.ts";
import type { Language } from "../../src/contract/languages.ts";
import { payByCard } from "../../src/app/ports/card-provider.ts";
import { payOnceModels } from "../models/pay-once.ts";
import { offer, payingByCard, preparingCard, provider } from "../models/card.ts";
import {
  box,
  button,
  link,
  keptOrders,
  openApp,
  pass,
  question,
  reads,
  said,
  secret,
  stored,
  storeElsewhere,
  title,
  START,
} from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import { anna, detail, kept, monthly, ok, packagesOf } from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

const proof: CardProof = { paymentId: "pay_1", reference: "order_9A", signature: "signed" };
const tip = "Some information is incorrect, Please check the red fields and correct them before submitting.";
const verify = "/api/razorpay/verify";
const read = "/api/order/detail";

/** The card screen of a member who chose a package, in front of a provider that is told what to say. */
async function open(
  pay: () => Promise<CardProof> = () => new Promise(() => {}),
  { language = "en", load = async () => {} }: { language?: Language; load?: () => Promise<void> } = {},
) {
  const handed: { order: CardOrder; key: string; card: Card }[] = [];
  const harness = await openApp("/razorpayDetail", {
    language,
    stored: { ...anna, selectedItem: monthly },
    replies: {
      "/api/razorpay/order/create": ok({
        order: { order_id: "A100", payment_amount: "9.99", third_reference_id: "order_9A" },
      }),
      // Without the envelope.
      "/api/razorpay/key": { key: "rzp_key" } as never,
    },
    scripts: {
      loadCardScript: load,
      payByCard: (order, key, card) => {
        handed.push({ order, key, card });
        return pay();
      },
    },
  });
  const fill = async (number = "4111111111111111") => {
    await harness.type(box("Card number"), number);
    await harness.type(box("Expiry"), "122030");
    await harness.type(secret("Security code"), "123");
    await harness.type(box("Name on the card"), "Ann Lee");
  };
  return { ...harness, handed, fill };
}
const resting = () => (button("Payment") as HTMLButtonElement).disabled;
const invalid = () => box("Card number").getAttribute("aria-invalid");
const refuse =
  (description: string, outcome: CardErrorDetails["outcome"] = "failed") =>
  () =>
    Promise.reject(new CardError({ outcome, description, field: null }));

type Outcome = {
  status: string;
  error: CardErrorDetails;
  response: Partial<Record<`razorpay_${"payment_id" | "order_id" | "signature"}`, string>>;
};
/** The provider's script, which answers as calls are answered. */
const scripts = {
  loadCardScript: async () => {},
  payByCard: async (): Promise<CardProof | null> => {
    const { status, error, response } = (await (await fetch(provider)).json()) as Outcome;
    if (status !== "captured") throw new CardError(error);
    const {
      razorpay_payment_id: paymentId,
      razorpay_order_id: reference,
      razorpay_signature: signature,
    } = response;
    return paymentId && reference && signature ? { paymentId, reference, signature } : null;
  },
};
const elsewhere = {
  "/api/user/center": ok({ user: { account_name: "Anna" } }),
  "/api/packegs/list": packagesOf(),
};
const madeFor = (payment_amount: string) => ({
  "/api/razorpay/order/create": ok({
    order: { order_id: "A100", payment_amount, third_reference_id: "order_9A" },
  }),
  "/api/razorpay/key": { key: "rzp_key" } as never,
});
const signedIn = { ...anna, selectedItem: offer };
runOnScreen(preparingCard, () =>
  openForModel("/razorpayDetail", { stored: signedIn, replies: elsewhere, scripts }),
);
runOnScreen(payingByCard, () =>
  openForModel("/razorpayDetail", {
    stored: signedIn,
    replies: { ...elsewhere, ...madeFor(offer.buy_price) },
    scripts,
  }),
);
describe.each(payOnceModels)("where $order.orderId is kept", ({ model, order }) => {
  runOnScreen(model, () =>
    openForModel("/razorpayDetail", {
      stored: { ...signedIn, orders: [order] },
      replies: { ...elsewhere, ...madeFor(offer.buy_price) },
      scripts,
    }),
  );
});

test.each([
  ["cancelled by customer", "", "", "cancelled"],
  ["Payment was CANCELLED", "", "", "cancelled"],
  ["", "payment_cancelled", "", "cancelled"],
  ["Payment failed", "payment_failed", "BAD_REQUEST_ERROR", "failed"],
  ["Cancel", "", "", "failed"],
  ["", "", "", "unknown"],
  ["Not reached.", "", "SERVER_ERROR", "unknown"],
  ["Try later.", "", "gateway_error", "unknown"],
] as const)(
  "a refusal that says '%s' for the reason '%s' with the code '%s' is %s",
  async (description, reason, code, outcome) => {
    class Razorpay {
      #refuse: (answer: unknown) => void = () => {};
      on(event: string, heard: (answer: unknown) => void) {
        if (event === "payment.error") this.#refuse = heard;
      }
      createPayment() {
        this.#refuse({ error: { description, reason, code } });
      }
    }
    vi.stubGlobal("Razorpay", Razorpay);
    const order = { orderId: "A100", amount: "9.99", reference: "order_9A" };
    const error: unknown = await payByCard(order, "rzp_key", { ...emptyCard, expiry: "12/2030" }).catch(
      (refused: unknown) => refused,
    );
    expect(error).toMatchObject({ outcome, description, field: null });
  },
);

test("shows the amount in USD, the plan and the order number, and takes a whole card", async () => {
  const { fill, handed, tap, service } = await open();
  expect({
    title: title(),
    rows: screen.getAllByRole("listitem").map((row) => row.textContent),
    masked: secret("Security code").type,
    resting: resting(),
  }).toEqual({
    title: "Payment details",
    rows: ["AmountUSD 9.99", "PackageMonthly", "Order numberA100"],
    masked: "password",
    resting: true,
  });
  await fill();
  await tap(button("Payment"));
  expect(handed).toEqual([
    {
      order: { orderId: "A100", amount: "9.99", reference: "order_9A" },
      key: "rzp_key",
      card: {
        card_number: "4111 1111 1111 1111",
        expiry: "12/2030",
        cvv: "123",
        cardholder: "Ann Lee",
      },
    },
  ]);
  expect(service.to("/api/razorpay/order/create").map(({ body }) => body)).toEqual([
    { pack_id: "1", product_id: "vpn.month", payment_method: "razorpay" },
  ]);
  expect(reads("Payment in Progress")).toBe(true);
});

test.each([
  [
    "en",
    "The card provider is blocked here. Turn off content blockers or private browsing and try again, or pay in USDT.",
    "Try again",
  ],
  ["zh-CN", "银行卡支付服务被拦截。请关闭广告拦截或无痕浏览后重试，或改用 USDT 支付。", "重试"],
] as const)(
  "a blocked provider is told of in %s before a card is asked for",
  async (language, words, again) => {
    let blocked = true;
    const load = async () => {
      if (blocked) throw new CallFailed({ kind: "barred" });
    };
    const { tap } = await open(undefined, { language, load });
    expect([reads(words), screen.queryAllByRole("textbox")]).toEqual([true, []]);
    blocked = false;
    await tap(button(again));
    expect(screen.getAllByRole("textbox").length).toBeGreaterThan(0);
  },
);

test.each(["Card number", "Expiry", "Security code", "Name on the card"])(
  "the button rests while %s is empty",
  async (label) => {
    const { fill, type } = await open();
    await fill();
    expect(resting()).toBe(false);
    await type(label === "Security code" ? secret(label) : box(label), "");
    expect(resting()).toBe(true);
  },
);

test("fields in error are marked, with the tip, until they are edited", async () => {
  const { fill, handed, tap, type } = await open();
  await fill("4111111111111112");
  await tap(button("Payment"));
  expect({ invalid: invalid(), tip: reads(tip), handed }).toEqual({ invalid: "true", tip: true, handed: [] });
  await type(box("Card number"), "4111111111111111");
  expect({ invalid: invalid() === "true", tip: reads(tip) }).toEqual({ invalid: false, tip: false });
});

test("a security code has four digits at most", async () => {
  const { type } = await open();
  await type(secret("Security code"), "12345");
  expect(secret("Security code").value).toBe("1234");
});

test("success is shown on the service's word, and closing it leads to the personal center", async () => {
  const { fill, place, service, tap } = await open(() => Promise.resolve(proof));
  await fill();
  await tap(button("Payment"));
  expect({ waiting: service.waiting.includes(verify), success: reads("Payment Succeeded") }).toEqual({
    waiting: true,
    success: false,
  });
  await service.answer(verify, ok(detail({ status: 1 })));
  expect({ title: title(), word: reads("Payment Succeeded"), amount: reads("USD 9.99") }).toEqual({
    title: "Payment results",
    word: true,
    amount: true,
  });
  expect(screen.queryAllByRole("button", { name: /Retry Payment|Contact customer support/ })).toEqual([]);
  expect(reads(/Log in to the app with this account/)).toBe(true);
  await tap(button("Close"));
  expect(place()).toBe("/personal_info");
});

test("the home page, where the app is, is one tap from a success", async () => {
  const { fill, place, service, tap } = await open(() => Promise.resolve(proof));
  await fill();
  await tap(button("Payment"));
  await service.answer(verify, ok(detail({ status: 1 })));
  await tap(link("Get the app"));
  expect(place()).toBe("/home");
});

test("copies the order number, and leads to support when it is not paid", async () => {
  const { fill, tap } = await open(refuse("Your card was declined."));
  expect(screen.queryByRole("button", { name: "Contact customer support" })).toBeNull();
  await fill();
  await tap(button("Payment"));
  await tap(button("Copy the order number"));
  expect({ copied: await navigator.clipboard.readText(), said: said().at(-1) }).toEqual({
    copied: "A100",
    said: "Replicating Success",
  });
  expect(button("Contact customer support").textContent).toBe("Contact customer support");
});

test.each([
  ["Your card was declined.", "Payment Failed", "failed"],
  ["Payment processing cancelled by user", "Payment Cancelled", "cancelled"],
] as const)(
  "'%s' is shown as: %s, and can be tried again once the order is known unpaid",
  async (description, word, outcome) => {
    const { fill, service, tap } = await open(refuse(description, outcome));
    await fill();
    await tap(button("Payment"));
    expect({ title: title(), word: reads(word), description: reads(description) }).toEqual({
      title: "Payment results",
      word: true,
      description: true,
    });
    await tap(button("Retry Payment"));
    expect({ waiting: service.waiting, word: reads(word) }).toEqual({ waiting: [read], word: true });
    await service.answer(read, ok(detail()));
    expect({ title: title(), number: box("Card number").value }).toEqual({
      title: "Payment details",
      number: "",
    });
  },
);

test("neither the service nor the storage ever sees the card, and leaving asks", async () => {
  const { fill, service, tap, place } = await open(refuse("Your card was declined."));
  await fill();
  await tap(button("Back"));
  expect(question()?.answers).toEqual(["Continue payment", "Abandon payment"]);
  await tap(button("Continue payment"));
  await tap(button("Payment"));
  const everything = JSON.stringify([service.sent, stored(), place()]);
  for (const word of ["4111", "2030", "Ann Lee"]) expect(everything).not.toContain(word);
});

test.each([
  ["a bank that says nothing", true, () => new Promise<CardProof>(() => {})],
  ["a failure without a word", true, refuse("", "unknown")],
  ["a refusal", false, refuse("Your card was declined.")],
  ["a person who cancelled there", false, refuse("", "cancelled")],
] as const)("after %s the personal center leads to the bill: %s", async (_, offered, pay) => {
  const { fill, place, tap, visit } = await open(pay);
  await fill();
  await tap(button("Payment"));
  await pass(10_000);
  for (const stop of screen.queryAllByRole("button", { name: "Stop waiting" })) await tap(stop);
  await visit("/personal_info");
  const words = "Monthly, USD 9.99. The payment result is not in yet.";
  expect(reads(words)).toBe(offered);
  if (!offered) return;
  await tap(link("See the bill"));
  expect(place()).toBe("/billDetail/A100/0/9.99/-");
});

test("a payment that is known to be paid takes the question with it", async () => {
  const { fill, service, tap, visit } = await open(async () => proof);
  await fill();
  await tap(button("Payment"));
  await visit("/service");
  const asked = () => reads("Leave this payment?");
  expect(asked()).toBe(true);
  await service.answer(verify, ok(detail({ status: 1 })));
  expect({ title: title(), asked: asked() }).toEqual({ title: "Payment results", asked: false });
});

test("without a chosen package, as after one that was paid for, it leads to the personal center", async () => {
  const { place } = await openApp("/razorpayDetail", { stored: anna });
  expect(place()).toBe("/personal_info");
});

const begun = { orderId: "A100", amount: "9.99", accountName: "Anna", packName: "Monthly" };
const member = { ...anna, selectedItem: monthly };

test("a payment whose end is not known shows its bill first, and another follows only on request", async () => {
  const { place, service, tap, visit } = await openApp("/razorpayDetail", {
    stored: { ...member, orders: [begun] },
    replies: { [read]: ok(detail({ coin_type: null })) },
  });
  const warned = reads(
    "The first payment may still go through. If you pay for a new order as well, you pay twice.",
  );
  expect({ place: place(), warned, told: said().at(-1) }).toEqual({
    place: "/billDetail/A100/0/9.99/-",
    warned: true,
    told: "First, see what became of your earlier payment.",
  });
  expect(service.sent.map(({ path }) => path)).toEqual([read]);
  await tap(link("Make a new order"));
  expect({ place: place(), orders: keptOrders() }).toEqual({ place: "/personal_info", orders: [] });
  await visit("/razorpayDetail");
  expect(place()).toBe("/razorpayDetail");
});

test("a payment whose reminder was put away comes before the next one all the same", async () => {
  const { place, service, tap, visit } = await openApp("/personal_info", {
    stored: { ...member, orders: [begun] },
    replies: { ...elsewhere, [read]: ok(detail({ coin_type: null })) },
  });
  const reminded = () => reads("Monthly, USD 9.99. The payment result is not in yet.");
  expect(reminded()).toBe(true);
  await tap(button("Do not remind me"));
  await tap(button("Forget it"));
  expect({ reminded: reminded(), orders: keptOrders() }).toEqual({
    reminded: false,
    orders: [{ ...begun, putAway: true }],
  });
  await visit("/home");
  expect(reads(/unfinished payment/)).toBe(false);
  await visit("/razorpayDetail");
  expect({ place: place(), made: service.to("/api/razorpay/order/create") }).toEqual({
    place: "/billDetail/A100/0/9.99/-",
    made: [],
  });
});

/** Begun at Stripe, and left behind here or begun elsewhere. */
const leftAtStripe = {
  ...detail({ order_id: "B300", coin_type: null }),
  pack_id: "1",
  product_id: "vpn.month",
  payment_method: "Stripe",
};

test("a payment that is left behind is asked about, and the card is free for who goes on", async () => {
  const { place, tap, service } = await openApp("/razorpayDetail", {
    stored: member,
    replies: { "/api/order/list": ok({ orders: [leftAtStripe] }) },
  });
  expect({ place: place(), title: question()?.title }).toEqual({
    place: "/razorpayDetail",
    title: "An earlier payment is not settled yet",
  });
  await tap(button("Make a new order"));
  expect({ place: place(), question: question(), waiting: service.waiting }).toEqual({
    place: "/razorpayDetail",
    question: null,
    waiting: ["/api/razorpay/order/create"],
  });
});

test.each([
  ["a transfer of theirs", kept],
  ["somebody else's payment", { ...begun, accountName: "Berta" }],
])("%s stands in no one's way", async (_, order) => {
  const { place } = await openApp("/razorpayDetail", { stored: { ...member, orders: [order] } });
  expect(place()).toBe("/razorpayDetail");
});

const theirs = { ...begun, accountName: "Berta" };
/** What another tab of the same person stored a moment ago, without this one having heard. */
const unheard = (kind: "order" | "paid", order: { orderId: string }) =>
  localStorage.setItem(`${kind}:${order.orderId}`, JSON.stringify({ ...order, keptAt: START }));

test.each([
  ["begun the same order", "order", { ...begun, orderId: "A100", visit: "other" }],
  ["begun another order", "order", { ...begun, orderId: "B200", visit: "other" }],
  ["begun a checkout", "order", { ...begun, orderId: "S9", payUrl: "https://checkout.example/" }],
  ["paid", "paid", { ...begun, orderId: "C300" }],
] as const)("sends nothing at the tap on Payment where another tab has %s", async (_, kind, order) => {
  const { fill, handed, place, tap } = await open();
  await fill();
  unheard(kind, order);
  await tap(button("Payment"));
  expect({ place: place().split("/", 3).join("/"), told: said().at(-1), handed }).toEqual({
    place: `/billDetail/${order.orderId}`,
    told:
      kind === "paid"
        ? "You have already paid. Here is the bill."
        : "First, see what became of your earlier payment.",
    handed: [],
  });
});

test.each([
  ["a payment of another account", "order", theirs],
  ["a payment of another account that is paid", "paid", theirs],
  ["one that was reported failed", "order", { ...begun, reportedFailed: true }],
  ["a transfer", "order", kept],
] as const)("is held up at the tap by no %s", async (_, kind, order) => {
  const { fill, handed, tap } = await open();
  await fill();
  unheard(kind, order);
  await tap(button("Payment"));
  expect(handed.length).toBe(1);
});

test("a payment that was paid before this one began is no reason to stop it", async () => {
  unheard("paid", begun);
  const { fill, handed, tap } = await open();
  await fill();
  await tap(button("Payment"));
  expect(handed.length).toBe(1);
});

test("a payment that was reported failed is asked about when the card screen opens again, and its bill is shown if it went through", async () => {
  const { place, service, tap } = await openApp("/razorpayDetail", {
    stored: { ...member, orders: [{ ...begun, reportedFailed: true }] },
    replies: { ...elsewhere, ...madeFor(monthly.buy_price) },
  });
  expect(service.waiting).toEqual([read]);
  await service.answer(read, ok(detail({ status: 1 })));
  const told = question();
  expect(told).toEqual({
    title: "Your earlier payment went through",
    answers: ["See the bill", "Buy another"],
  });
  await tap(button("See the bill"));
  expect({ place: place().split("/", 3).join("/"), orders: keptOrders() }).toEqual({
    place: "/billDetail/A100",
    orders: [],
  });
});

/** The card screen of a member whose payment of the chosen package went through after all. */
const openPaid = () =>
  openApp("/razorpayDetail", {
    stored: { ...member, orders: [{ ...begun, productId: monthly.product_id, reportedFailed: true }] },
    replies: { ...elsewhere, ...madeFor(monthly.buy_price), [read]: ok(detail({ status: 1 })) },
    scripts,
  });
/** The form of another payment, which that member begins. */
async function openAnother() {
  const harness = await openPaid();
  await harness.tap(button("Buy another"));
  expect(stored()["selectedItem"]).toBeUndefined();
  await harness.type(box("Name on the card"), "Ann Lee");
  return harness;
}

test("who buys another and steps back is asked on the form, and goes on with what was typed", async () => {
  const { back, place, tap } = await openAnother();
  await back();
  expect({ place: place(), asked: question()?.title }).toEqual({
    place: "/razorpayDetail",
    asked: "Leave this payment?",
  });
  await tap(button("Continue payment"));
  expect({ title: title(), typed: box("Name on the card").value }).toEqual({
    title: "Payment details",
    typed: "Ann Lee",
  });
});

test("Back at the question about the payment that went through leads to the personal center", async () => {
  const { back, place } = await openPaid();
  await back();
  expect({ place: place(), asked: question() }).toEqual({ place: "/personal_info", asked: null });
});

test("another tab's account, which has chosen nothing, leaves the form of the one before", async () => {
  const { place } = await openAnother();
  await storeElsewhere("user_token", "token2");
  await storeElsewhere("user_name", "Berta");
  expect(place()).toBe("/personal_info");
});

test("a refused card stays kept as reported failed, until the API says what came of it", async () => {
  const { fill, service, tap } = await open(refuse("Your card was declined."));
  await fill();
  await tap(button("Payment"));
  const orders = () => keptOrders();
  expect(orders()).toEqual([expect.objectContaining({ orderId: "A100", reportedFailed: true })]);
  await pass(3_000);
  await service.answer(read, ok(detail({ status: 9 })));
  expect(orders()).toEqual([]);
});

test("who tries again while the first attempt is undecided is told what may come of it", async () => {
  const { fill, service, tap } = await open(refuse("", "unknown"));
  const told = () =>
    reads("The result of your first attempt is not in yet. If the bank approves both, you pay twice.");
  expect(told()).toBe(false);
  await fill();
  await tap(button("Payment"));
  await tap(button("Retry Payment"));
  await service.answer(read, ok(detail()));
  expect({ title: title(), told: told() }).toEqual({ title: "Payment details", told: true });
});
