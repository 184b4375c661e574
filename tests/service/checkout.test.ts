/** Paying by Stripe: a page of its own, whose webhook events alone decide what became of the order. */
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createdCheckout } from "../../src/contract/calls.ts";
import type { Store } from "../../src/service/store/database.ts";
import { databases, emptyStore, refusal, serve, START, success, zh } from "./support.ts";
import { stripeSignature } from "./stripe-signature.ts";

const DAY = 86_400_000;
const annual = { pack_id: "4", product_id: "annual", payment_method: "Stripe" };

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  let events = 0;
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());

  /** A member with an order at Stripe, and Stripe's webhook events. */
  async function buyer() {
    // Looks do not ask Stripe, so that each test says what brought the money.
    const fixture = await serve(store, { refreshSeconds: 3600 });
    const { call, ask, member, service } = fixture;
    const token = await member();
    const answer = await call("http://127.0.0.1:3000/api/order/create", { body: annual, token });
    const { order, payUrl } = v.parse(createdCheckout, answer.data);
    const checkout = new URL(payUrl ?? "");
    const session = checkout.pathname.split("/").at(-1) ?? "";
    const secret = service.stripe?.account.webhookSecret ?? "";

    async function tell(
      type: string,
      change: Record<string, unknown> = {},
      { id = `evt_${(events += 1)}`, at = START, key = secret, header = "" } = {},
    ) {
      const object = {
        id: session,
        payment_status: "paid",
        amount_total: 2999,
        currency: "usd",
        payment_intent: `pi_${session}`,
        ...change,
      };
      const raw = Buffer.from(JSON.stringify({ id, type, data: { object } }));
      const headers = { "Stripe-Signature": header || stripeSignature(raw, key, at) };
      return (await ask("/api/stripe/webhook", { form: raw, headers })).status;
    }
    async function seen() {
      const body = { order_id: order?.order_id };
      const { data } = await call("/api/order/detail", { body, token });
      const { status, paid_amount, address, coin_type } = data as Record<string, unknown>;
      const centre = await call("/api/user/center", { token });
      const ends = (centre.data as { user: { pack_exp_date: string | null } }).user.pack_exp_date;
      return { status, paid_amount, address, coin_type, ends };
    }
    await seen();
    return { ...fixture, token, answer, order, checkout, session, tell, seen };
  }
  const still = { status: 0, paid_amount: "0.00", address: null, coin_type: null, ends: null };
  const paid = { ...still, status: 1, paid_amount: "29.99", ends: new Date(START + 365 * DAY).toISOString() };

  test("an order says where it is paid", async () => {
    const { answer, order, checkout } = await buyer();
    expect(answer).toEqual(
      success({
        order: {
          order_id: order?.order_id,
          payment_amount: "29.99",
          created_at: "2026-11-20T08:00:00.000Z",
        },
        payUrl: checkout.href,
      }),
    );
    expect(checkout.href).toMatch(
      /^http:\/\/127\.0\.0\.1:3000\/sandbox\/stripe\/checkout\/cs_test_\w{18}\?language=en$/,
    );
  });

  test("where it is paid is what people see from outside: behind a proxy, or at the API's own address", async () => {
    const headers = { "X-Forwarded-Proto": "https" };
    const urlOf = async (changes: Parameters<typeof serve>[1]) => {
      const { call, member } = await serve(store, changes);
      const asked = { body: annual, token: await member(), headers };
      const { data } = await call("http://shop.example/api/order/create", asked);
      return new URL(v.parse(createdCheckout, data).payUrl ?? "").origin;
    };
    expect(await urlOf({})).toBe("http://shop.example");
    expect(await urlOf({ trustedProxies: 1 })).toBe("https://shop.example");
    expect(await urlOf({ apiBaseUrl: "https://api.example" })).toBe("https://api.example");
  });

  test("one Idempotency-Key makes one order and leads to one page", async () => {
    const { call, token } = await buyer();
    const headers = { "Idempotency-Key": "one-tap" };
    const [one, other] = await Promise.all([
      call("/api/order/create", { body: annual, token, headers }),
      call("/api/order/create", { body: annual, token, headers }),
    ]);
    expect(other).toEqual(one);
    expect(one.code).toBe(200);
  });

  test("refused in words: a card here, Stripe where it is not open, a visitor", async () => {
    const { call, token } = await buyer();
    const card = { ...annual, payment_method: "Razorpay" };
    expect(await call("/api/order/create", { body: card, token })).toEqual(
      refusal("Card payments are made on the card payment page. Please go back and choose the card again."),
    );
    expect(await call("/api/order/create", { body: card, token, headers: zh })).toEqual(
      refusal("银行卡请在银行卡支付页面付款，请返回重新选择。"),
    );
    const live = await emptyStore(kind);
    onTestFinished(() => live.close());
    const closed = await serve(live, { sandbox: false });
    const asked = { body: annual, token: await closed.member() };
    expect(await closed.call("/api/order/create", asked)).toEqual(
      refusal("This payment method is not available. Please choose another."),
    );
    expect((await closed.ask("/api/stripe/webhook", { form: "{}" })).status).toBe(400);
    expect(await call("/api/order/create", { body: annual })).toEqual(refusal("Unauthenticated.", -1));
  });

  test.each(["checkout.session.completed", "checkout.session.async_payment_succeeded"])(
    "%s, paid, confirms the order, however often and in whatever company it comes",
    async (type) => {
      const { tell, seen } = await buyer();
      const told = await Promise.all([
        tell(type, {}, { id: `evt_same_${type.length}` }),
        tell(type, {}, { id: `evt_same_${type.length}` }),
        tell("checkout.session.completed"),
        tell("checkout.session.async_payment_succeeded"),
      ]);
      expect(told).toEqual([200, 200, 200, 200]);
      expect(await seen()).toEqual(paid);
    },
  );

  test.each([
    ["completed but unpaid", "checkout.session.completed", { payment_status: "unpaid" }, still],
    ["in another currency", "checkout.session.completed", { currency: "inr" }, still],
    ["of another session", "checkout.session.completed", { id: "cs_test_nobodys" }, still],
    ["of something else", "customer.created", {}, still],
    ["of what has no number", "balance.available", { id: undefined }, still],
    ["too little", "checkout.session.completed", { amount_total: 2998 }, { ...still, paid_amount: "29.98" }],
    ["a late failure", "checkout.session.async_payment_failed", {}, { ...still, status: 9 }],
    ["an expiry", "checkout.session.expired", {}, { ...still, status: 9 }],
  ])("a webhook event %s does not confirm", async (_, type, change, expected) => {
    const { tell, seen } = await buyer();
    expect(await tell(type, change)).toBe(200);
    expect(await seen()).toEqual(expected);
  });

  test("money after a failure is credited, and a failure after money changes nothing", async () => {
    const { tell, seen } = await buyer();
    await tell("checkout.session.expired");
    await tell("checkout.session.completed");
    await tell("checkout.session.async_payment_failed");
    expect(await seen()).toEqual(paid);
  });

  test("a webhook event that is not Stripe's, or is more than five minutes off, is refused", async () => {
    const { tell, seen } = await buyer();
    const type = "checkout.session.completed";
    const statuses = [
      await tell(type, {}, { key: "whsec_other" }),
      await tell(type, {}, { at: START - 301_000 }),
      await tell(type, {}, { at: START + 301_000 }),
      await tell(type, {}, { header: "nonsense" }),
      await tell(type, {}, { header: `t=${START / 1000}` }),
      await tell(type, {}, { header: `t=${START / 1000},v1=${"0".repeat(64)}` }),
    ];
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400]);
    expect(await seen()).toEqual(still);
    expect(await tell(type, {}, { at: START - 300_000 })).toBe(200);
    expect(await seen()).toEqual(paid);
  });

  test("while the secret is being changed, one of two signatures is enough", async () => {
    const { tell, seen, service, session } = await buyer();
    const object = {
      id: session,
      payment_status: "paid",
      amount_total: 2999,
      currency: "usd",
      payment_intent: `pi_${session}`,
    };
    const raw = Buffer.from(
      JSON.stringify({ id: "evt_1000", type: "checkout.session.completed", data: { object } }),
    );
    const right = stripeSignature(raw, service.stripe?.account.webhookSecret ?? "", START);
    const header = right.replace(",", `,v1=${"0".repeat(64)},`);
    expect(await tell("checkout.session.completed", {}, { id: "evt_1000", header })).toBe(200);
    expect(await seen()).toEqual(paid);
  });

  test.each([
    ["pay", "Payment successful", "支付成功", 1],
    ["fail", "Payment declined", "支付被拒绝", 9],
    ["cancel", "Payment cancelled", "支付已取消", 9],
  ])(
    "the page without a script: %s lands on a word of its own, and only the webhook event decides",
    async (decision, english, chinese, status) => {
      const { ask, checkout, session, seen, clock, settle } = await buyer();
      const form = await (await ask(`${checkout.pathname}?language=zh-CN`)).text();
      for (const word of ["Annual", "USD 29.99", "付款"]) expect(form).toContain(word);
      expect(form).not.toContain("<script");
      const answer = await ask(checkout.pathname, { form: new URLSearchParams({ decision }) });
      const landing = answer.headers.get("Location") ?? "";
      expect([answer.status, landing]).toEqual([303, `/sandbox/stripe/landing/${session}?language=en`]);
      const landed = await (await ask(landing)).text();
      for (const word of [english, "You can close this window."]) expect(landed).toContain(word);
      expect(await (await ask(landing.replace("=en", "=zh-CN"))).text()).toContain(chinese);
      expect(await seen()).toEqual(still);
      // The session has ended: the page leads to its end, and another button changes nothing.
      expect((await ask(checkout.pathname)).status).toBe(303);
      await ask(checkout.pathname, { form: new URLSearchParams({ decision: "pay" }) });
      clock.now += 2_000;
      await settle();
      expect(await seen()).toMatchObject({ status });
    },
  );

  test("a session that was not opened, and a landing too early, are not found", async () => {
    const { ask, session } = await buyer();
    expect((await ask("/sandbox/stripe/checkout/%00")).status).toBe(404);
    for (const path of [
      "/sandbox/stripe/checkout/cs_test_none",
      "/sandbox/stripe/landing/cs_test_none",
      `/sandbox/stripe/landing/${session}`,
    ]) {
      const page = await ask(path, { headers: zh });
      expect([page.status, await page.text()]).toEqual([404, expect.stringContaining("没有找到这笔付款")]);
    }
    const form = new URLSearchParams({ decision: "steal" });
    expect((await ask(`/sandbox/stripe/checkout/${session}`, { form })).status).toBe(404);
  });
});
