/** Paying by card: the provider's word is checked, money counts once, no matter which source reports it first, and a card number is nowhere to be found afterwards. */
import * as v from "valibot";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { cardKey, createdCardOrder, orderDetail } from "../../src/contract/calls.ts";
import { sign } from "../../src/service/payments/provider.ts";
import type { Store } from "../../src/service/store/database.ts";
import * as tables from "../../src/service/store/schema.ts";
import { databases, emptyStore, refusal, serve, START, success, zh } from "./support.ts";

const DAY = 86_400_000;
const monthly = { pack_id: "1", product_id: "monthly", payment_method: "razorpay" };
const UNVERIFIED =
  "The payment could not be verified. If your card was charged, the order will be confirmed automatically within a few minutes.";
const UNKNOWN = "This order was not found. If you have paid, contact customer support with the order number.";
const GOOD = "4012888888881881";
const ASKS = "4111111111111111";
const LATE = "4100280000080001";

/** A payment that went through, as the provider's script hands it on. */
const captured = {
  status: "captured",
  response: { razorpay_signature: expect.stringMatching(/^[0-9a-f]{64}$/) },
};

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());

  /** A member with a card order, and both sides of the counter. */
  async function buyer() {
    // Looks do not ask the provider, so that each test says what brought the money.
    const fixture = await serve(store, { refreshSeconds: 3600 });
    const { call, ask, member, service, clock } = fixture;
    const token = await member();
    const { data } = await call("/api/razorpay/order/create", { body: monthly, token });
    const { order } = v.parse(createdCardOrder, data);
    const account = service.card?.account;
    if (!account) throw new Error("The sandbox takes cards.");
    const reference = order.third_reference_id;

    /** What the provider's script sends from the browser. */
    const charge = (number: string, change: Record<string, unknown> = {}) => ({
      key: account.keyId,
      order_id: reference,
      amount: 399,
      currency: "USD",
      method: "card",
      "card[name]": "A Person",
      "card[number]": number,
      "card[cvv]": "123",
      "card[expiry_month]": "12",
      "card[expiry_year]": "30",
      ...change,
    });
    const pay = async (number: string, change: Record<string, unknown> = {}, query = "") =>
      (await (await ask(`/sandbox/card/payments${query}`, { body: charge(number, change) })).json()) as {
        status: string;
        id: string;
        response: Record<string, string>;
        error: Record<string, unknown>;
      };
    const proofOf = (paymentId: string, change: Record<string, unknown> = {}) => ({
      order_id: order.order_id,
      razorpay_order_id: reference,
      razorpay_payment_id: paymentId,
      razorpay_signature: sign(`${reference}|${paymentId}`, account.keySecret),
      ...change,
    });
    const verify = (body: unknown, headers = {}) => call("/api/razorpay/verify", { body, token, headers });

    /** A webhook event of the provider's, as it comes by HTTP. */
    function webhook(event: string, paymentId: string, change: Record<string, unknown> = {}) {
      const entity = { id: paymentId, order_id: reference, amount: 399, currency: "USD", ...change };
      const raw = JSON.stringify({ entity: "event", event, payload: { payment: { entity } } });
      return async (eventId: string, signature = sign(raw, account?.webhookSecret ?? "")) =>
        (
          await ask("/api/razorpay/webhook", {
            form: raw,
            headers: { "X-Razorpay-Signature": signature, "X-Razorpay-Event-Id": eventId },
          })
        ).status;
    }

    async function seen() {
      const detail = await call("/api/order/detail", { body: { order_id: order.order_id }, token });
      const centre = await call("/api/user/center", { token });
      const { status, paid_amount } = v.parse(orderDetail, detail.data);
      return {
        status,
        paid_amount,
        ends: (centre.data as { user: { pack_exp_date: string | null } }).user.pack_exp_date,
      };
    }
    await seen();
    return { ...fixture, token, order, reference, account, pay, proofOf, verify, webhook, seen, clock };
  }
  const unpaid = { status: 0, paid_amount: "0.00", ends: null };
  const paid = { status: 1, paid_amount: "3.99", ends: new Date(START + 30 * DAY).toISOString() };

  test("an order says what to charge and the provider's number; its detail has no address", async () => {
    const { call, order, token } = await buyer();
    expect(order).toEqual({
      order_id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{16}$/),
      payment_amount: "3.99",
      third_reference_id: expect.stringMatching(/^order_\w{18}$/),
      created_at: "2026-11-20T08:00:00.000Z",
    });
    const body = { order_id: order.order_id };
    expect(await call("/api/order/detail", { body, token, headers: zh })).toEqual(
      success(
        {
          order_id: order.order_id,
          status: 0,
          payment_amount: "3.99",
          created_at: "2026-11-20T08:00:00.000Z",
          address: null,
          coin_type: null,
          paid_amount: "0.00",
          owed_amount: "3.99",
          surplus_amount: "0.00",
          pack_name: "月度会员",
          transfers: [],
          held: false,
          returned: false,
          payment_method: "Razorpay",
          paid_at: null,
          references: [],
        },
        "操作成功。",
      ),
    );
  });

  test("the key comes without the envelope, to anyone; outside the sandbox there is none", async () => {
    const { ask } = await serve(store);
    const answer = await ask("/api/razorpay/key");
    const body: unknown = await answer.json();
    expect([answer.status, body]).toEqual([200, { key: expect.stringMatching(/^rzp_test_\w{18}$/) }]);
    expect(v.is(cardKey, body)).toBe(true);
    const live = await emptyStore(kind);
    onTestFinished(() => live.close());
    const closed = await serve(live, { sandbox: false });
    const words = refusal("This payment method is not available. Please choose another.");
    expect(await closed.call("/api/razorpay/key")).toEqual(words);
    const token = await closed.member();
    expect(await closed.call("/api/razorpay/order/create", { body: monthly, token })).toEqual(words);
    expect(await closed.call("/api/razorpay/order/create", { body: monthly, token, headers: zh })).toEqual(
      refusal("暂不支持这种支付方式，请选择其他方式。"),
    );
    expect((await closed.ask("/api/razorpay/webhook", { form: "{}" })).status).toBe(400);
  });

  test("one Idempotency-Key makes one order, and is not taken for another way of paying", async () => {
    const { call, token } = await buyer();
    const headers = { "Idempotency-Key": "one-tap" };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => call("/api/razorpay/order/create", { body: monthly, token, headers })),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]?.code).toBe(200);
    const words =
      "This order has already been placed with different choices. Please go back and choose the package again.";
    for (const body of [
      { ...monthly, payment_method: "Stripe" },
      { pack_id: "1", product_id: "monthly", coin_type: 4 },
    ]) {
      expect(await call("/api/order/create", { body, token, headers })).toEqual(refusal(words));
    }
  });

  describe("looking at the card screen again", () => {
    /** An order by card, as it comes to a screen that asks with that key. */
    async function looker() {
      const fixture = await serve(store);
      const token = await fixture.member();
      const look = async (key?: string, body: object = monthly) => {
        const headers: Record<string, string> = key === undefined ? {} : { "Idempotency-Key": key };
        const { data } = await fixture.call("/api/razorpay/order/create", { body, token, headers });
        return v.parse(createdCardOrder, data).order;
      };
      const change = (id: string, set: Partial<typeof tables.orders.$inferInsert>) =>
        store.db.update(tables.orders).set(set).where(eq(tables.orders.id, id));
      return { ...fixture, token, look, change };
    }

    test("thirty looks, at once and one after the other, with and without keys, are one order", async () => {
      const { look } = await looker();
      const first = await look("first");
      const looks = await Promise.all(
        Array.from({ length: 30 }, (_, at) => look(at % 2 === 0 ? `key${at}` : undefined)),
      );
      looks.push(await look("last"));
      for (const order of looks) expect(order).toEqual(first);
    });

    test("each package has an order of its own, and so has each account", async () => {
      const [one, other] = [await looker(), await looker()];
      const annual = { ...monthly, pack_id: "4", product_id: "annual" };
      const orders = [await one.look(), await one.look("a", annual), await other.look()];
      expect(new Set(orders.map(({ order_id }) => order_id)).size).toBe(3);
      expect(new Set(orders.map(({ third_reference_id }) => third_reference_id)).size).toBe(3);
      expect(await one.look("b", annual)).toEqual(orders[1]);
    });

    test("an order that was tried and not paid is gone on with", async () => {
      const { token, order, pay, call } = await buyer();
      await pay("4100280000060003");
      await pay(ASKS);
      const { data } = await call("/api/razorpay/order/create", { body: monthly, token });
      expect(v.parse(createdCardOrder, data).order).toEqual(order);
    });

    test.each([
      ["failed", { status: 9 }],
      ["confirmed", { status: 1 }],
      ["of another price", { amount: 4_990_000n }],
      ["of other days", { days: 31 }],
      ["of another account at the provider", { providerAccount: "rzp_test_other" }],
    ])("an order that is %s is not gone on with", async (_, set) => {
      const { look, change } = await looker();
      const first = await look("one");
      await change(first.order_id, set);
      const second = await look("two");
      expect(second.order_id).not.toBe(first.order_id);
      expect(await look("three")).toEqual(second);
    });

    test("an order for which some money came is not gone on with", async () => {
      const { webhook, token, order, call } = await buyer();
      expect(await webhook("payment.captured", `pay_some_${kind}`, { amount: 100 })(`evt_some_${kind}`)).toBe(
        200,
      );
      const { data } = await call("/api/razorpay/order/create", { body: monthly, token });
      expect(v.parse(createdCardOrder, data).order.order_id).not.toBe(order.order_id);
    });

    test("a key that went on with an order finds it again, paid or not, and is not taken for anything else", async () => {
      const { look, change, call, token } = await looker();
      const first = await look("placed");
      await look("gone-on");
      await change(first.order_id, { status: 1 });
      for (const key of ["gone-on", "placed"]) expect(await look(key)).toEqual(first);
      expect((await look("new")).order_id).not.toBe(first.order_id);
      const annual = { ...monthly, pack_id: "4", product_id: "annual" };
      for (const [path, body] of [
        ["/api/razorpay/order/create", annual],
        ["/api/order/create", { pack_id: "1", product_id: "monthly", coin_type: 4 }],
      ] as const) {
        expect(await call(path, { body, token, headers: { "Idempotency-Key": "gone-on" } })).toEqual(
          refusal(
            "This order has already been placed with different choices. Please go back and choose the package again.",
          ),
        );
      }
    });

    test("an order knows the latest fifty of its keys", async () => {
      const { look, change } = await looker();
      const first = await look("placed");
      for (let at = 0; at < 51; at += 1) await look(`key${at}`);
      await change(first.order_id, { status: 1 });
      for (const key of ["placed", "key1", "key50"]) expect(await look(key)).toEqual(first);
      expect((await look("key0")).order_id).not.toBe(first.order_id);
    });

    test("two screens that pay the order they both show take the money once", async () => {
      const { pay, call, token, reference, seen, clock, settle } = await buyer();
      const { data } = await call("/api/razorpay/order/create", { body: monthly, token });
      expect(v.parse(createdCardOrder, data).order.third_reference_id).toBe(reference);
      const outcomes = [await pay(GOOD), await pay(GOOD)];
      expect(outcomes.map(({ status }) => status)).toEqual(["captured", "refused"]);
      clock.now += 2_000;
      await settle();
      expect(await seen()).toMatchObject({ status: 1, paid_amount: "3.99" });
    });
  });

  test("a visitor: no order, nothing to verify", async () => {
    const { call } = await serve(store);
    expect(await call("/api/razorpay/order/create", { body: monthly })).toEqual(
      refusal("Unauthenticated.", -1),
    );
    expect(await call("/api/razorpay/verify", { body: {} })).toEqual(refusal("Please log in first.", 4001));
  });

  test("a payment that the provider signed confirms the order, however often it is told", async () => {
    const { pay, verify, order, seen } = await buyer();
    const { status, response } = await pay(GOOD);
    expect(status).toBe("captured");
    expect(await seen()).toEqual(unpaid);
    const proof = { order_id: order.order_id, ...response };
    const answer = await verify(proof);
    expect(answer).toEqual(
      success({
        ...order,
        third_reference_id: undefined,
        held: false,
        returned: false,
        payment_method: "Razorpay",
        paid_at: "2026-11-20T08:00:00.000Z",
        references: [response["razorpay_payment_id"]],
        status: 1,
        address: null,
        coin_type: null,
        paid_amount: "3.99",
        owed_amount: "0.00",
        surplus_amount: "0.00",
        pack_name: "Monthly",
        transfers: [],
      }),
    );
    expect(await verify(proof)).toEqual(answer);
    expect(await seen()).toEqual(paid);
  });

  test("a signature that is not the provider's, of this very order and payment, changes nothing", async () => {
    const mine = await buyer();
    const theirs = await buyer();
    const { account, proofOf, verify, seen, reference, order } = mine;
    const wrong = [
      proofOf("pay_1", { razorpay_signature: "" }),
      proofOf("pay_1", { razorpay_signature: "0".repeat(64) }),
      proofOf("pay_1", { razorpay_signature: sign(`${reference}|pay_1`, "another secret") }),
      proofOf("pay_1", { razorpay_signature: sign(`${reference}|pay_2`, account.keySecret) }),
      // Rightly signed, for another order.
      { ...theirs.proofOf("pay_1"), order_id: order.order_id },
      { ...theirs.proofOf("pay_1"), order_id: order.order_id, razorpay_order_id: reference },
      proofOf("pay_1|x"),
      proofOf("pay_\u0000"),
    ];
    for (const proof of wrong) expect(await verify(proof)).toEqual(refusal(UNVERIFIED));
    expect(await verify(wrong[0], zh)).toEqual(
      refusal("无法验证这笔付款。若银行卡已扣款，订单会在几分钟内自动确认。"),
    );
    expect(await verify({ ...proofOf("pay_1"), order_id: theirs.order.order_id })).toEqual(refusal(UNKNOWN));
    expect(await seen()).toEqual(unpaid);
  });

  test("an order in USDT cannot be verified as a card's", async () => {
    const { verify, proofOf, order: cards, token, account } = await buyer();
    const { order } = await serve(store);
    const { id } = await order(token);
    const forged = { order_id: id, razorpay_signature: sign("null|pay_1", account.keySecret) };
    expect(await verify(proofOf("pay_1", forged))).toEqual(refusal(UNKNOWN));
    expect(cards.order_id).not.toBe(id);
  });

  test.each(["payment.captured", "order.paid"])("%s alone confirms the order", async (event) => {
    const { webhook, seen } = await buyer();
    expect(
      await webhook(
        event,
        `pay_${event.replace(".", "_")}_${kind}`,
      )(`evt_${event}_${kind}`.replace(".", "_")),
    ).toBe(200);
    expect(await seen()).toEqual(paid);
  });

  test("browser and webhook events at once, in any order and again and again: one membership", async () => {
    const { webhook, verify, proofOf, seen, order } = await buyer();
    const id = `pay_race_${kind}`;
    const [taken, orderPaid] = [webhook("payment.captured", id), webhook("order.paid", id)];
    const told = await Promise.all([
      orderPaid(`evt_race_2_${kind}`),
      verify(proofOf(id)).then(({ code }) => code),
      taken(`evt_race_1_${kind}`),
      taken(`evt_race_1_${kind}`),
      verify(proofOf(id)).then(({ code }) => code),
      orderPaid(`evt_race_2_${kind}`),
    ]);
    expect(told).toEqual(Array(6).fill(200));
    expect(await seen()).toEqual(paid);
    const rows = store.db.select().from(tables.membershipEntries);
    expect(await rows.where(eq(tables.membershipEntries.orderId, order.order_id))).toHaveLength(1);
  });

  test("two payments of one order at once are both on record and extend the membership once", async () => {
    const { webhook, seen } = await buyer();
    const ids = ["a", "b"].map((name) => `pay_two_${name}_${kind}`);
    await Promise.all(ids.map((id, at) => webhook("payment.captured", id)(`evt_two_${at}_${kind}`)));
    expect(await seen()).toEqual({ ...paid, paid_amount: "7.98" });
  });

  test("a replayed webhook event does nothing, whatever it says", async () => {
    const { webhook, seen } = await buyer();
    expect(await webhook("payment.captured", `pay_r1_${kind}`, { amount: 100 })(`evt_replay_${kind}`)).toBe(
      200,
    );
    expect(await webhook("payment.captured", `pay_r2_${kind}`)(`evt_replay_${kind}`)).toBe(200);
    expect(await seen()).toEqual({ ...unpaid, paid_amount: "1.00" });
  });

  test("a webhook event that is not the provider's is refused and leaves nothing", async () => {
    const { webhook, seen } = await buyer();
    const before = await store.db.$count(tables.unmatchedPayments);
    const taken = webhook("payment.captured", `pay_x_${kind}`);
    expect(await taken(`evt_x_${kind}`, "0".repeat(64))).toBe(400);
    expect(await taken(`evt_x_${kind}`, "")).toBe(400);
    const foreign = webhook("payment.captured", `pay_x_${kind}`, { currency: "INR" });
    expect(await foreign(`evt_x_${kind}`, "0".repeat(64))).toBe(400);
    expect(await store.db.$count(tables.unmatchedPayments)).toBe(before);
    expect(await seen()).toEqual(unpaid);
  });

  test("of many forged webhook events only so many a minute are written down", async () => {
    const { webhook, clock } = await buyer();
    const forge = webhook("payment.captured", `pay_forged_${kind}`);
    const written = () =>
      store.db.$count(tables.securityEvents, eq(tables.securityEvents.event, "webhook refused"));
    const before = await written();
    for (let at = 0; at < 70; at += 1) await forge(`evt_forged_${at}`, "0".repeat(64));
    expect((await written()) - before).toBe(60);
    clock.now += 60_000;
    expect(await forge(`evt_forged_late`, "0".repeat(64))).toBe(400);
    expect((await written()) - before).toBe(61);
  });

  test("a webhook event without a number of its own is heard once, by its words", async () => {
    const { webhook, seen, service } = await buyer();
    const taken = webhook("payment.captured", `pay_u_${kind}`);
    expect([await taken(""), await taken(""), await taken("not a number")]).toEqual([200, 200, 200]);
    expect(await seen()).toEqual(paid);
    const heard = service.db.select().from(tables.webhookEvents);
    expect(await heard.where(eq(tables.webhookEvents.eventId, ""))).toEqual([]);
  });

  test("a webhook event of something else, or of a failure, changes nothing", async () => {
    const { webhook, seen, lines } = await buyer();
    expect(await webhook("payment.failed", `pay_f_${kind}`)(`evt_f_${kind}`)).toBe(200);
    expect(await webhook("settlement.processed", `pay_f_${kind}`)(`evt_g_${kind}`)).toBe(200);
    expect(await seen()).toEqual(unpaid);
    expect(lines.filter((line) => line.includes("unmatched"))).toEqual([]);
  });

  test("without a word from the browser, the sandbox's own webhook event confirms the order a moment later", async () => {
    const { pay, seen, clock, settle } = await buyer();
    await pay(GOOD);
    expect(await seen()).toEqual(unpaid);
    clock.now += 2_000;
    await settle();
    expect(await seen()).toEqual({ ...paid, ends: new Date(clock.now + 30 * DAY).toISOString() });
  });

  test("a webhook event that the last process did not deliver is delivered by the next", async () => {
    const { pay, sandbox, order } = await buyer();
    await pay(GOOD);
    sandbox?.stop();
    const { clock, settle } = await serve(store);
    clock.now += 2_000;
    await settle();
    const rows = store.db.select().from(tables.membershipEntries);
    expect(await rows.where(eq(tables.membershipEntries.orderId, order.order_id))).toHaveLength(1);
  });

  test.each([true, false])(
    "the sandbox's card that is authorised late is captured by the service, whether the browser comes back (%s) or not",
    async (comesBack) => {
      const { pay, verify, proofOf, seen, settle, clock } = await buyer();
      const payment = await pay(LATE);
      // The browser cannot tell it from a captured one.
      expect(payment).toMatchObject(captured);
      expect(await seen()).toEqual(unpaid);
      if (comesBack) await verify(proofOf(payment.id));
      for (let seconds = 0; seconds < 3; seconds += 1) {
        clock.now += 2_000;
        await settle();
      }
      expect(await seen()).toMatchObject({ status: 1, paid_amount: "3.99" });
      const sent = (await store.db.select().from(tables.sandboxWebhooks)).map(
        ({ body }) =>
          JSON.parse(body) as { event: string; payload: { payment?: { entity: { id: string } } } },
      );
      const events = sent
        .filter(({ payload }) => payload.payment?.entity.id === payment.id)
        .map(({ event }) => event);
      expect(events.toSorted()).toEqual(["order.paid", "payment.authorized", "payment.captured"]);
      expect(await pay(GOOD)).toMatchObject({ status: "refused" });
    },
  );

  test.each([
    ["5555555555554444", {}, "captured", {}],
    [LATE, {}, "captured", {}],
    ["4100280000060003", {}, "declined", { field: null, reason: "payment_failed" }],
    ["4100280000070002", {}, "cancelled", { field: null, reason: "payment_cancelled" }],
    ["4242424242424242", {}, "refused", { code: "BAD_REQUEST_ERROR", field: "number" }],
    [GOOD, { "card[number]": undefined }, "refused", { field: "number" }],
    [GOOD, { "card[expiry_year]": "26", "card[expiry_month]": "10" }, "refused", { field: "expiry" }],
    [GOOD, { "card[expiry_month]": "13" }, "refused", { field: "expiry" }],
    [GOOD, { "card[cvv]": "12" }, "refused", { field: "cvv" }],
    [GOOD, { "card[name]": " " }, "refused", { field: "name" }],
    [GOOD, { amount: 398 }, "refused", { field: null, reason: "input_validation_failed" }],
    [GOOD, { currency: "INR" }, "refused", { field: null }],
    [GOOD, { order_id: "order_other" }, "refused", { description: "The id provided does not exist" }],
    [GOOD, { key: "rzp_test_other" }, "refused", { description: "The api key provided is invalid" }],
    [GOOD, { "card[expiry_year]": "2026", "card[expiry_month]": "11" }, "captured", {}],
  ])("the sandbox's card %s with %j is %s", async (number, change, status, error) => {
    const { pay, seen } = await buyer();
    const outcome = await pay(number, change);
    expect(outcome).toMatchObject(status === "captured" ? captured : { status, error });
    expect(await seen()).toEqual(unpaid);
  });

  test.each([
    [
      "4100280000060003",
      {},
      "Your payment was declined by the bank. Try another card, or ask your bank.",
      "银行拒绝了这笔付款，请换一张卡，或咨询银行。",
    ],
    [
      "4100280000070002",
      {},
      "Your payment has been cancelled. Try again or complete the payment later.",
      "付款已取消，可以现在重试，也可以稍后再付。",
    ],
    [
      "4242424242424242",
      {},
      "The card number is not one of the sandbox's test cards. Never type a real card here.",
      "这不是沙盒的测试卡号。切勿在这里输入真实的银行卡号。",
    ],
    [
      GOOD,
      { "card[expiry_year]": "20" },
      "The card's expiry date is not valid.",
      "银行卡有效期不正确，请检查后重试。",
    ],
    [GOOD, { "card[cvv]": "12" }, "The card's security code is not valid.", "安全码不正确，请检查后重试。"],
    [GOOD, { "card[name]": "" }, "The cardholder's name is missing.", "请填写持卡人姓名。"],
  ])(
    "the sandbox's card %s with %j is refused in the page's language",
    async (number, change, en, chinese) => {
      const { pay, ask } = await buyer();
      const english = await pay(number, change, "?language=en");
      expect(english.error).toMatchObject({ description: en });
      const { status, id, error } = await pay(number, change, "?language=zh-CN");
      // Nothing but the words is another.
      expect({ status, error: { ...error, metadata: null } }).toEqual({
        status: english.status,
        error: { ...english.error, description: chinese, metadata: null },
      });
      if (id === undefined) return;
      for (const [query, headers, description] of [
        ["?language=en", zh, en],
        ["?language=zh-CN", {}, chinese],
        ["", { "Accept-Language": "zh-CN,zh;q=0.9" }, chinese],
      ] as const) {
        const path = `/sandbox/card/payments/${id}`;
        const found = (await (await ask(path + query, { headers })).json()) as unknown;
        expect(found).toMatchObject({ status, error: { description } });
        const ended = await ask(`${path}/cancel${query}`, { body: {}, headers });
        expect(await ended.json()).toEqual(found);
      }
    },
  );

  test("a declined card may be followed by one that is not; a paid order is charged no more", async () => {
    const { pay, verify, order, seen } = await buyer();
    await pay("4100280000060003");
    const { response } = await pay(GOOD);
    await verify({ order_id: order.order_id, ...response });
    expect(await seen()).toEqual(paid);
    for (const [query, description] of [
      ["?language=en", "Payment already done for this order."],
      ["?language=zh-CN", "这笔订单已经付过款，没有再次扣款。"],
    ]) {
      expect(await pay(GOOD, {}, query)).toMatchObject({ status: "refused", error: { description } });
    }
  });

  test("of two payments that the bank still asks about, both approved at once, one takes the money", async () => {
    const { ask, pay, seen, clock, settle } = await buyer();
    const ids = [(await pay(ASKS)).id, (await pay(ASKS)).id];
    const approve = (id: string) =>
      ask(`/sandbox/card/confirm/${id}`, { form: new URLSearchParams({ decision: "confirm" }) });
    await Promise.all(ids.map(approve));
    const ends = await Promise.all(
      ids.map(async (id) => (await (await ask(`/sandbox/card/payments/${id}`)).json()) as { status: string }),
    );
    expect(ends.map(({ status }) => status).toSorted()).toEqual(["captured", "declined"]);
    clock.now += 2_000;
    await settle();
    expect(await seen()).toEqual({ ...paid, ends: new Date(clock.now + 30 * DAY).toISOString() });
  });

  test.each([
    ["confirm", "captured", "Payment successful", "支付成功"],
    ["decline", "declined", "Payment declined", "支付被拒绝"],
    ["cancel", "cancelled", "Payment cancelled", "支付已取消"],
  ])("the bank's page asks; %s ends it, once", async (decision, status, english, chinese) => {
    const { ask, pay } = await buyer();
    const { id, status: open } = await pay(ASKS);
    expect(open).toBe("open");
    const path = `/sandbox/card/confirm/${id}`;
    const form = await (await ask(`${path}?language=zh-CN`)).text();
    for (const word of ["确认付款", "拒绝付款", "取消", "USD 3.99", "1111"]) expect(form).toContain(word);
    expect(form).not.toContain("<script");
    const answer = await ask(path, { form: new URLSearchParams({ decision }) });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `${path}?language=en`]);
    // Too late for another mind.
    await ask(path, { form: new URLSearchParams({ decision: "cancel" }) });
    await ask(`/sandbox/card/payments/${id}/cancel`, { body: {} });
    expect(await (await ask(`/sandbox/card/payments/${id}`)).json()).toMatchObject({ status });
    const done = await ask(path);
    expect(done.headers.get("Cross-Origin-Opener-Policy")).toBe("unsafe-none");
    expect(await done.text()).toContain(english);
    expect(await (await ask(`${path}?language=zh-CN`)).text()).toContain(chinese);
  });

  test("a payment that was not begun is not found", async () => {
    const { ask, lines } = await serve(store);
    lines.length = 0;
    // A value that no database accepts is not the id of any payment.
    expect((await ask("/sandbox/card/payments/%00")).status).toBe(404);
    expect((await ask("/sandbox/card/payments", { body: { order_id: "\0" } })).status).toBe(200);
    expect(lines).toEqual([]);
    expect((await ask("/sandbox/card/payments/pay_none")).status).toBe(404);
    expect((await ask("/sandbox/card/payments/pay_none/cancel", { body: {} })).status).toBe(404);
    const page = await ask("/sandbox/card/confirm/pay_none", { headers: zh });
    expect([page.status, await page.text()]).toEqual([404, expect.stringContaining("没有找到这笔付款")]);
  });

  test("a card's number and code are in no table, no log line and no answer", async () => {
    const { pay, verify, order, seen, lines, ask, call, token, clock, settle } = await buyer();
    const said = [await pay("4100280000060003", { "card[cvv]": "7391" })];
    said.push(await pay("4242424242424242", { "card[cvv]": "7391" }));
    const asking = await pay(ASKS, { "card[cvv]": "7391" });
    const page = await (await ask(`/sandbox/card/confirm/${asking.id}`)).text();
    const { response } = await pay(GOOD, { "card[cvv]": "7391", "card[name]": "Ada Quillfeather" });
    await verify({ order_id: order.order_id, ...response, "card[number]": GOOD });
    clock.now += 2_000;
    await settle();
    await seen();
    const detail = await call("/api/order/detail", { body: { order_id: order.order_id }, token });
    const rows = await Promise.all(
      [
        tables.orders,
        tables.payments,
        tables.webhookEvents,
        tables.sandboxOrders,
        tables.sandboxPayments,
        tables.sandboxWebhooks,
      ].map((table) => store.db.select().from(table)),
    );
    const everything = JSON.stringify([said, asking, response, detail, lines, rows], (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    for (const secret of [
      /4100280000060003/,
      /4242424242424242/,
      /4111111111111111/,
      /4012888888881881/,
      /\b7391\b/,
      /Quillfeather/,
    ]) {
      expect(everything + page).not.toMatch(secret);
    }
    expect(everything).toContain('"lastFour":"1881"');
  });
});
