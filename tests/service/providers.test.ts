/** The card provider and Stripe, live, against a server that fails, loses answers and reports in any order: money is taken once, and none is lost. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { and, desc, eq, ne } from "drizzle-orm";
import Stripe from "stripe";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createdCardOrder } from "../../src/contract/calls.ts";
import { refreshOpenOrders } from "../../src/service/payments/provider-job.ts";
import { openRazorpay } from "../../src/service/payments/razorpay.ts";
import { openStripe } from "../../src/service/payments/stripe.ts";
import { readLists } from "../../src/service/payments/provider-lists.ts";
import type { Store } from "../../src/service/store/database.ts";
import { shownAmount } from "../../src/service/payments/unmatched.ts";
import * as tables from "../../src/service/store/schema.ts";
import { annual, fresh, monthly, providerShop } from "./provider-shop.ts";
import { KEYS, type Misbehaviour } from "./provider-stand-in.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { databases, emptyStore, refusal, serve, START } from "./support.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * 60 * MINUTE;
const SILENT = refusal(
  "The payment service did not answer. Nothing was charged. Please try again in a moment.",
);
const SECRETS = [...Object.values(KEYS.razorpay).slice(1), ...Object.values(KEYS.stripe)];

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    for (const table of [tables.unmatchedPayments, tables.outboxEvents]) await store.db.delete(table);
  });

  const shop = (changes?: Parameters<typeof serve>[1]) => providerShop(store, changes);
  const unpaid = { status: 0, paid_amount: "0.00" };
  const paid = { status: 1, paid_amount: "3.99" };
  const paidByStripe = { status: 1, paid_amount: "29.99" };

  describe("opening an order", () => {
    test("Razorpay gets the amount in cents, our order's id twice, and the keys", async () => {
      const { provider, cardOrder } = await shop();
      const { id, reference } = await cardOrder();
      expect(provider.orders).toEqual([
        {
          id: reference,
          entity: "order",
          amount: 399,
          currency: "USD",
          receipt: id,
          notes: { order_id: id },
          payment: {
            capture: "automatic",
            capture_options: {
              automatic_expiry_period: 4_320,
              manual_expiry_period: 4_320,
              refund_speed: "normal",
            },
          },
        },
      ]);
      expect(provider.asked.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /v1/orders"]);
    });

    test("Stripe gets the amount in cents, our order's id, its own key for it, and where people come back", async () => {
      const { provider, stripeOrder } = await shop();
      const { id, payUrl, session } = await stripeOrder();
      expect(payUrl).toBe(session["url"]);
      const [asked] = provider.asked;
      expect(asked?.headers).toMatchObject({
        "idempotency-key": id,
        authorization: "Bearer sk_live_secret1",
      });
      const bill = `https://shop.example/billDetail/${id}/0/29.99/2026-11-20T08%3A00%3A00.000Z`;
      expect(Object.fromEntries(new URLSearchParams(asked?.body))).toMatchObject({
        mode: "payment",
        client_reference_id: id,
        "metadata[order_id]": id,
        "payment_intent_data[metadata][order_id]": id,
        "line_items[0][price_data][currency]": "usd",
        "line_items[0][price_data][unit_amount]": "2999",
        "line_items[0][price_data][product_data][name]": "Annual",
        locale: "en",
        success_url: bill,
        cancel_url: bill,
      });
    });

    test.each<Misbehaviour>(["fail", "lost", "refuse", "garbage", "other", "redirect"])(
      "a provider that answers with %s: said in words, and the same key goes on to one provider's order",
      async (misbehaviour) => {
        const { provider, card, checkout, lines } = await shop();
        for (const [place, theirs] of [
          [card, () => provider.orders.length],
          [checkout, () => provider.sessions.size],
        ] as const) {
          const key = fresh("key");
          provider.misbehave(misbehaviour);
          expect(await place(key)).toEqual(SILENT);
          const answer = await place(key);
          expect(answer.code).toBe(200);
          expect(await place(key)).toEqual(answer);
          expect(theirs()).toBe(1);
        }
        expect(await store.db.$count(tables.payments)).toBe(0);
        expect(lines.filter((line) => line.includes('"open failed"'))).toHaveLength(2);
        for (const secret of SECRETS) expect(lines.join("\n")).not.toContain(secret);
      },
    );

    test("after a doubt that cannot be cleared, nothing is created", async () => {
      const { provider, card } = await shop();
      provider.misbehave("lost", "fail", "garbage", "other");
      const key = fresh("key");
      for (let attempt = 0; attempt < 4; attempt += 1) expect(await card(key)).toEqual(SILENT);
      expect(provider.orders).toHaveLength(1);
      const { data } = await card(key);
      expect(v.parse(createdCardOrder, data).order.third_reference_id).toBe(provider.orders[0]?.id);
      expect(provider.orders).toHaveLength(1);
    });

    test("the process ends between the order and the provider's answer: the next one goes on with it", async () => {
      const { provider, card, token, checkout } = await shop();
      provider.misbehave("lost", "lost");
      expect([await card("crash-1"), await checkout("crash-2")]).toEqual([SILENT, SILENT]);
      const before = await store.db.$count(tables.orders);
      const next = await serve(store, { sandbox: false, ...provider.settings });
      for (const [path, body, key] of [
        ["/api/razorpay/order/create", monthly, "crash-1"],
        ["/api/order/create", annual, "crash-2"],
      ] as const) {
        const answer = await next.call(path, { body, token, headers: { "Idempotency-Key": key } });
        expect(answer.code).toBe(200);
      }
      expect(await store.db.$count(tables.orders)).toBe(before);
      expect([provider.orders.length, provider.sessions.size]).toEqual([1, 1]);
    });

    test("twenty requests at once with one key are one provider's order", async () => {
      const { provider, card, checkout } = await shop();
      for (const place of [card, checkout]) {
        const key = fresh("key");
        const answers = await Promise.all(Array.from({ length: 20 }, () => place(key)));
        for (const answer of answers) expect(answer).toEqual(answers[0]);
        expect(answers[0]?.code).toBe(200);
      }
      expect([provider.orders.length, provider.sessions.size]).toEqual([1, 1]);
    });

    test.each<Misbehaviour>(["hang", "stall"])(
      "a provider that does %s is given up",
      async (misbehaviour) => {
        const { provider, ledger, service } = await shop({ razorpay: null, stripe: null });
        const [order] = await store.db
          .insert(tables.orders)
          .values({
            id: fresh("ORDER"),
            accountId: (await store.db.select().from(tables.accounts).limit(1))[0]?.id ?? 0,
            packId: "1",
            productId: "monthly",
            packName: { en: "Monthly", "zh-CN": "月" },
            days: 30,
            rail: "card",
            amount: 3_990_000n,
            currency: "USD",
            status: 0,
            createdAt: new Date(service.now()),
          })
          .returning();
        if (!order) throw new Error("The order was written.");
        const { razorpay, stripe, siteUrl } = provider.settings;
        const shared = { fetch, timeout: 200 };
        const rails = [
          openRazorpay(ledger, { ...razorpay, ...shared }),
          openStripe(ledger, { ...stripe, ...shared, siteUrl }),
        ];
        for (const rail of rails) {
          provider.misbehave(misbehaviour);
          await expect(rail.open(order, false)).rejects.toThrow(/^(Razorpay|Stripe) did not /);
        }
      },
    );

    test("an order that the provider does not know is refused at verify without a question", async () => {
      const { provider, cardOrder } = await shop();
      const { verify } = await cardOrder();
      const before = provider.asked.length;
      expect((await verify("0".repeat(64))).code).toBe(1);
      expect(provider.asked).toHaveLength(before);
    });
  });

  describe("Razorpay's money", () => {
    test("what the browser brings is an authorisation: money is credited once it is captured", async () => {
      const { cardOrder, provider, lines } = await shop();
      const { known, verify, seen, entries } = await cardOrder();
      expect(await verify()).toMatchObject({ code: 200, data: { status: 0 } });
      known({ status: "created" });
      expect(await verify()).toMatchObject({ code: 200, data: { status: 0, paid_amount: "0.00" } });
      provider.misbehave("fail");
      expect(await verify()).toMatchObject({ code: 200, data: { status: 0 } });
      expect(lines.filter((line) => line.includes('"verify failed"'))).toHaveLength(2);
      provider.payments.splice(0);
      known();
      expect(await verify()).toMatchObject({ code: 200, data: { status: 1, paid_amount: "3.99" } });
      expect(await verify()).toMatchObject({ code: 200, data: { status: 1, paid_amount: "3.99" } });
      expect([await seen(), await entries()]).toEqual([paid, ["order"]]);
    });

    test("verify credits what the provider took, not what the order costs", async () => {
      const { cardOrder, unmatched } = await shop();
      const { known, verify } = await cardOrder();
      known({ amount: 100 });
      expect(await verify()).toMatchObject({ data: { status: 0, paid_amount: "1.00" } });
      const other = await cardOrder();
      other.known({ currency: "INR" });
      expect(await other.verify()).toMatchObject({ data: { status: 0, paid_amount: "0.00" } });
      const foreign = await cardOrder();
      foreign.known({ order_id: "order_foreign" });
      expect(await foreign.verify()).toMatchObject({ data: { status: 0, paid_amount: "0.00" } });
      expect(await unmatched()).toMatchObject([
        { reason: "amount differs", amount: "100", currency: "USD", isOpen: true },
        { reason: "currency", currency: "INR", isOpen: true },
      ]);
    });

    test("a lost webhook: a look finds the payment, and a look when the provider is down answers what is known", async () => {
      const { cardOrder, provider, lines } = await shop();
      const { known, seen, entries } = await cardOrder();
      known({ status: "created" });
      known({ id: fresh("pay"), status: "failed" });
      provider.misbehave("fail");
      expect([await seen(), await seen()]).toEqual([unpaid, unpaid]);
      expect(lines.filter((line) => line.includes('"refresh failed"'))).toHaveLength(1);
      provider.payments.splice(0);
      known();
      expect([await seen(), await entries()]).toEqual([paid, ["order"]]);
      const before = provider.asked.length;
      await seen();
      // Of a confirmed order nothing is asked.
      expect(provider.asked).toHaveLength(before);
    });

    test("a lost webhook and no look at the order: the job asks, at longer and longer intervals, and not for ever", async () => {
      const { cardOrder, ledger, service, clock, provider } = await shop();
      const { known, entries, id } = await cardOrder();
      const { card } = service;
      if (!card) throw new Error("Cards are open.");
      // Orders of the tests before this one are left alone.
      await store.db
        .update(tables.orders)
        .set({ createdAt: new Date(START - 30 * DAY) })
        .where(and(eq(tables.orders.status, 0), ne(tables.orders.id, id)));
      await store.db.update(tables.orders).set({ refreshedAt: null }).where(eq(tables.orders.id, id));
      const tick = () => refreshOpenOrders(ledger, "card", (order) => card.refresh(order));
      expect(await tick()).toBe(0);
      let asked = 0;
      for (let minute = 1; minute <= 8 * 24 * 60; minute += 10) {
        clock.now = START + minute * MINUTE + SECOND;
        asked += await tick();
      }
      expect(asked).toBeGreaterThan(15);
      expect(asked).toBeLessThan(40);
      expect(await entries()).toEqual([]);

      clock.now = START + 6 * DAY;
      // Before the clock was set back by a day.
      const refreshedAt = new Date(clock.now + DAY);
      await store.db.update(tables.orders).set({ refreshedAt }).where(eq(tables.orders.id, id));
      provider.misbehave("fail");
      expect([await tick(), await tick()]).toEqual([1, 0]);
      clock.now += 2 * DAY - SECOND;
      known();
      expect(await tick()).toBe(0);
      clock.now = START + 7 * DAY - SECOND;
      await store.db.update(tables.orders).set({ refreshedAt: null }).where(eq(tables.orders.id, id));
      expect(await tick()).toBe(1);
      expect(await entries()).toEqual(["order"]);
    });

    test("an order from before the clock was set back is asked about, and not before each minute has passed", async () => {
      const { cardOrder, ledger, service, clock } = await shop();
      const { known, entries, id } = await cardOrder();
      const { card } = service;
      if (!card) throw new Error("Cards are open.");
      await store.db
        .update(tables.orders)
        .set({ createdAt: new Date(START - 30 * DAY) })
        .where(and(eq(tables.orders.status, 0), ne(tables.orders.id, id)));
      await store.db
        .update(tables.orders)
        .set({ createdAt: new Date(clock.now + 6 * HOUR), refreshedAt: null })
        .where(eq(tables.orders.id, id));
      const tick = () => refreshOpenOrders(ledger, "card", (order) => card.refresh(order));
      expect([await tick(), await tick()]).toEqual([1, 0]);
      known();
      clock.now += MINUTE + SECOND;
      expect([await tick(), await entries()]).toEqual([1, ["order"]]);
    });

    test("an order that the provider does not know holds up no other", async () => {
      const { cardOrder, ledger, service, clock, provider } = await shop();
      const { card } = service;
      if (!card) throw new Error("Cards are open.");
      const mine = await cardOrder();
      await store.db
        .update(tables.orders)
        .set({ createdAt: new Date(START - 30 * DAY) })
        .where(and(eq(tables.orders.status, 0), ne(tables.orders.id, mine.id)));
      const [row] = await store.db.select().from(tables.orders).where(eq(tables.orders.id, mine.id));
      if (!row) throw new Error("The order is there.");
      const like = { ...row, idempotencyKey: null, furtherKeys: [], refreshedAt: new Date(START - 2 * HOUR) };
      await store.db
        .insert(tables.orders)
        .values({ ...like, id: fresh("UNKNOWN"), thirdReferenceId: fresh("order_gone") });
      await store.db
        .update(tables.orders)
        .set({ refreshedAt: new Date(START - HOUR) })
        .where(eq(tables.orders.id, mine.id));
      mine.known();
      clock.now += MINUTE + SECOND;
      provider.asked.length = 0;
      expect(await refreshOpenOrders(ledger, "card", (order) => card.refresh(order))).toBe(2);
      expect([await mine.entries(), provider.asked.length]).toEqual([["order"], 2]);
    });

    test("an order of an earlier release is gone on with, and its account is written down when it is asked about", async () => {
      const { cardOrder, service } = await shop();
      const { id } = await cardOrder();
      const mine = eq(tables.orders.id, id);
      await store.db.update(tables.orders).set({ providerAccount: null }).where(mine);
      expect((await cardOrder()).id).toBe(id);
      const [before] = await store.db.select().from(tables.orders).where(mine);
      if (before) await service.card?.refresh(before);
      const [after] = await store.db.select().from(tables.orders).where(mine);
      expect([before?.providerAccount, after?.providerAccount]).toEqual([null, KEYS.razorpay.keyId]);
    });

    test("an order that is gone on with after weeks is asked about like a new one", async () => {
      const { cardOrder, ledger, service, clock } = await shop();
      const first = await cardOrder();
      const { card } = service;
      if (!card) throw new Error("Cards are open.");
      clock.now += 20 * DAY;
      const { known, entries, id } = await cardOrder();
      expect(id).toBe(first.id);
      known();
      await store.db
        .update(tables.orders)
        .set({ createdAt: new Date(START - 30 * DAY) })
        .where(and(eq(tables.orders.status, 0), ne(tables.orders.id, id)));
      clock.now += MINUTE + SECOND;
      expect(await refreshOpenOrders(ledger, "card", (order) => card.refresh(order))).toBe(1);
      expect(await entries()).toEqual(["order"]);
    });

    test("told twice, at once, late and by every source: one membership", async () => {
      const { cardOrder, clock, razorpayEvent } = await shop();
      const { known, captured, verify, seen, entries, entity, id } = await cardOrder();
      clock.now += 40 * DAY;
      known();
      const event = fresh("evt");
      const order = { entity: { id: entity.order_id, receipt: id, notes: { order_id: id } } };
      await Promise.all([
        captured({}, event),
        captured({}, event),
        verify(),
        seen(),
        razorpayEvent("order.paid", { payment: { entity }, order }),
        captured(),
      ]);
      expect([await seen(), await entries()]).toEqual([paid, ["order"]]);
    });

    test("too much confirms, and the surplus is the operator's", async () => {
      const { cardOrder, unmatched } = await shop();
      const { captured, seen, id } = await cardOrder();
      expect(await captured({ amount: 500 })).toBe(200);
      expect(await seen()).toEqual({ status: 1, paid_amount: "5.00" });
      expect(await unmatched()).toMatchObject([{ reason: "surplus", orderId: id, isOpen: true }]);
    });

    test("an order is found by our id in the metadata where its number was not stored; its number goes first", async () => {
      const { cardOrder, razorpayEvent } = await shop();
      const [one, other] = [await cardOrder(), await cardOrder()];
      // The same package is gone on with, so that there is one order; another is made by hand.
      expect(one.id).toBe(other.id);
      await store.db
        .update(tables.orders)
        .set({ thirdReferenceId: null })
        .where(eq(tables.orders.id, one.id));
      const order = { entity: { id: one.reference, receipt: one.id, notes: { order_id: one.id } } };
      const payment = { entity: one.entity };
      expect(await razorpayEvent("order.paid", { payment, order })).toBe(200);
      expect(await one.entries()).toEqual(["order"]);

      const [first, second] = [await cardOrder(), await shop().then((next) => next.cardOrder())];
      // What the browser wrote into the payment leads no money to an order.
      const notes = { order_id: second.id };
      for (const change of [{}, { id: fresh("pay"), order_id: "order_of_other_business" }]) {
        const entity = { ...first.entity, ...change, notes };
        expect(await razorpayEvent("payment.captured", { payment: { entity } })).toBe(200);
      }
      expect([await first.entries(), await second.entries()]).toEqual([["order"], []]);
    });
  });

  describe("Razorpay's refunds and disputes", () => {
    test("a full refund takes the membership back, once", async () => {
      const { cardOrder, razorpayEvent, unmatched } = await shop();
      const { captured, refund, seen, entries } = await cardOrder();
      await captured();
      const whole = refund(399);
      for (const event of ["refund.created", "refund.processed", "refund.processed"]) {
        expect(await razorpayEvent(event, whole, 1)).toBe(200);
      }
      expect([await seen(), await entries()]).toEqual([
        { status: 9, paid_amount: "0.00" },
        ["order", "refund"],
      ]);
      expect(await unmatched()).toEqual([]);
    });

    test("a refund in part is the operator's; the rest of it takes the membership back", async () => {
      const { cardOrder, razorpayEvent, unmatched } = await shop();
      const { captured, refund, seen, entries, id } = await cardOrder();
      await captured();
      const [part, rest] = [refund(100), refund(299)];
      await razorpayEvent("refund.processed", part, 1);
      await razorpayEvent("refund.processed", part, 1);
      expect([await seen(), await entries()]).toEqual([{ status: 1, paid_amount: "2.99" }, ["order"]]);
      expect(await unmatched()).toEqual([
        {
          rail: "card",
          reason: "partly refunded",
          amount: "100",
          currency: "USD",
          orderId: id,
          isOpen: true,
        },
      ]);
      await razorpayEvent("refund.processed", rest, 2);
      expect(await entries()).toEqual(["order", "refund"]);
      expect(await unmatched()).toMatchObject([{ isOpen: false }]);
    });

    test("told in another currency: a dispute counts, a refund is the operator's, and of a stranger's payment nothing", async () => {
      const { cardOrder, razorpayEvent, unmatched, call, token } = await shop();
      const { captured, refund, dispute, entries, id } = await cardOrder();
      const inRupees = (payload: Record<string, { entity: object }>, kind: string, change: object = {}) => ({
        ...payload,
        [kind]: { entity: { ...payload[kind]?.entity, currency: "INR", amount: 33_000, ...change } },
      });
      const strange = { payment_id: "pay_strange" };
      await captured();
      await razorpayEvent("refund.processed", inRupees(refund(399), "refund", strange), 1);
      await razorpayEvent("payment.dispute.created", inRupees(dispute(fresh("disp")), "dispute", strange), 1);
      expect([await entries(), await unmatched()]).toEqual([["order"], []]);
      await razorpayEvent("refund.processed", inRupees(refund(399), "refund"), 1);
      expect([await entries(), await unmatched()]).toMatchObject([
        ["order"],
        [{ reason: "currency", amount: "33000", currency: "INR", isOpen: true }],
      ]);
      await razorpayEvent("payment.dispute.created", inRupees(dispute(fresh("disp")), "dispute"), 1);
      expect(await entries()).toEqual(["order", "dispute"]);
      const { data } = await call("/api/order/detail", { token, body: { order_id: id } });
      expect(data).toMatchObject({ status: 9, returned: true });
    });

    test.each([
      ["in its first third", 10, 40],
      ["after it had ended", 40, 30],
    ])("a dispute %s that is won gives back what was left, and no more", async (_, day, ends) => {
      const { cardOrder, razorpayEvent, clock, call, token } = await shop();
      const { captured, dispute, entries } = await cardOrder();
      const endsOn = async () => {
        const { data } = await call("/api/user/center", { token });
        const { pack_exp_date } = (data as { user: { pack_exp_date: string | null } }).user;
        return pack_exp_date === null ? null : (Date.parse(pack_exp_date) - START) / DAY;
      };
      await captured();
      expect(await endsOn()).toBe(30);
      clock.now += day * DAY;
      const payload = dispute(fresh("disp"));
      await razorpayEvent("payment.dispute.created", payload, 1);
      clock.now += 10 * DAY;
      await razorpayEvent("payment.dispute.won", payload, 2);
      expect(await entries()).toEqual(["order", "dispute", "order"]);
      const [left] = await store.db
        .select({ endsAt: tables.accounts.membershipEndsAt })
        .from(tables.accounts)
        .orderBy(desc(tables.accounts.id))
        .limit(1);
      expect(((left?.endsAt?.getTime() ?? 0) - START) / DAY).toBe(ends);
      // Taken back once more, it leaves nothing.
      await razorpayEvent("payment.dispute.created", dispute(fresh("disp")), 3);
      expect(await endsOn()).toBeNull();
    });

    test("a refund that comes before its capture is not lost", async () => {
      const { cardOrder, razorpayEvent } = await shop();
      const { captured, refund, entries } = await cardOrder();
      expect(await razorpayEvent("refund.processed", refund(399), 1)).toBe(200);
      expect(await captured()).toBe(200);
      expect(await entries()).toEqual([]);
    });

    test("capture and refund at once, many times over: no membership is left", async () => {
      for (let round = 0; round < 6; round += 1) {
        const { cardOrder, razorpayEvent } = await shop();
        const { captured, refund, entries } = await cardOrder();
        const whole = refund(399);
        await Promise.all([razorpayEvent("refund.processed", whole, 1), captured(), captured()]);
        expect([[], ["order", "refund"]]).toContainEqual(await entries());
      }
    });

    test("a refund that failed gives the membership back, and its late first event changes nothing", async () => {
      const { cardOrder, razorpayEvent } = await shop();
      const { captured, refund, seen, entries } = await cardOrder();
      await captured();
      const whole = refund(399);
      await razorpayEvent("refund.created", whole, 1);
      await razorpayEvent("refund.failed", whole, 5);
      await razorpayEvent("refund.created", whole, 1);
      expect([await seen(), await entries()]).toEqual([paid, ["order", "refund", "order"]]);
    });

    test.each(["told by a webhook", "found in the list"])(
      "a refund that failed after its order was looked at gives the membership back, %s",
      async (way) => {
        const { cardOrder, razorpayEvent, provider, clock, ledger, service } = await shop();
        const { captured, refund, known, seen, entries } = await cardOrder();
        await captured();
        known({ status: "refunded", amount_refunded: 399 });
        const whole = refund(399);
        await razorpayEvent("refund.created", whole, 1);
        expect([(await seen()).status, await entries()]).toEqual([9, ["order", "refund"]]);
        clock.now += 5 * MINUTE;
        Object.assign(provider.payments.at(-1) ?? {}, { status: "captured", amount_refunded: 0 });
        if (way === "told by a webhook") await razorpayEvent("refund.failed", whole, 5);
        else {
          const { entity } = whole.refund;
          provider.refunds.push({ ...entity, status: "failed", created_at: START / SECOND + 1 });
          await store.db.delete(tables.providerPositions);
          await readLists(ledger, "card", service.card?.lists ?? []);
        }
        expect([await entries(), await seen()]).toEqual([["order", "refund", "order"], paid]);
      },
    );

    test("a refund in part that failed, and another one of the same sum: each is a row of its own", async () => {
      const { cardOrder, razorpayEvent, unmatched } = await shop();
      const { captured, refund, seen } = await cardOrder();
      await captured();
      const part = refund(100);
      await razorpayEvent("refund.created", part, 1);
      await razorpayEvent("refund.failed", part, 2);
      expect([await seen(), await unmatched()]).toMatchObject([paid, [{ isOpen: false }]]);
      await razorpayEvent("refund.processed", refund(100), 3);
      expect(await unmatched()).toMatchObject([
        { reason: "partly refunded", isOpen: false },
        { reason: "partly refunded", isOpen: true },
      ]);
    });

    test("a refund that is told at a time in milliseconds counts as told now", async () => {
      const { cardOrder, razorpayEvent } = await shop();
      const { captured, refund, seen } = await cardOrder();
      await captured();
      await razorpayEvent("refund.processed", refund(399), START - START / SECOND);
      expect((await seen()).status).toBe(9);
    });

    test("a payment that went back before it was noticed grants nothing, found by a look", async () => {
      const { cardOrder } = await shop();
      const { known, seen, entries } = await cardOrder();
      known({ status: "refunded", amount_refunded: 399 });
      expect([await seen(), await entries()]).toEqual([{ status: 9, paid_amount: "0.00" }, []]);
    });

    test("a refund that cannot be read is kept", async () => {
      const { cardOrder, razorpayEvent, unmatched } = await shop();
      const { captured, seen, entity } = await cardOrder();
      await captured();
      expect(await razorpayEvent("refund.processed", { payment: { entity } }, 1)).toBe(200);
      expect(await seen()).toEqual(paid);
      expect(await unmatched()).toMatchObject([{ reason: "refund unreadable", isOpen: true }]);
    });

    test("of two payments, one that goes back leaves the order paid", async () => {
      const { cardOrder, razorpayEvent, unmatched } = await shop();
      const { captured, refund, entries } = await cardOrder();
      await captured();
      await captured({ id: fresh("pay") });
      await razorpayEvent("refund.processed", refund(399), 1);
      expect(await entries()).toEqual(["order"]);
      expect(await unmatched()).toMatchObject([{ reason: "surplus", isOpen: false }]);
    });

    test.each([
      ["won", ["payment.dispute.created", "payment.dispute.won"], ["order", "dispute", "order"]],
      ["lost", ["payment.dispute.created", "payment.dispute.lost"], ["order", "dispute"]],
      ["closed", ["payment.dispute.created", "payment.dispute.closed"], ["order", "dispute", "order"]],
      [
        "lost, then closed",
        ["payment.dispute.created", "payment.dispute.lost", "payment.dispute.closed"],
        ["order", "dispute"],
      ],
      ["under review", ["payment.dispute.created", "payment.dispute.under_review"], ["order", "dispute"]],
    ])("a dispute %s", async (_, events, expected) => {
      const { cardOrder, razorpayEvent } = await shop();
      const { captured, dispute, entries } = await cardOrder();
      await captured();
      const payload = dispute(fresh("disp"));
      for (const [at, event] of events.entries()) await razorpayEvent(event, payload, at + 1);
      // Late and once more.
      expect(await razorpayEvent("payment.dispute.created", payload, 1)).toBe(200);
      expect(await entries()).toEqual(expected);
    });

    test.each([
      ["lost", []],
      ["won", ["order"]],
    ])("a dispute that was %s before its capture and its creation were told", async (end, expected) => {
      const { cardOrder, razorpayEvent } = await shop();
      const { captured, dispute, entries } = await cardOrder();
      const payload = dispute(fresh("disp"));
      await razorpayEvent(`payment.dispute.${end}`, payload, 2);
      await razorpayEvent("payment.dispute.created", payload, 1);
      await captured();
      expect(await entries()).toEqual(expected);
    });
  });

  describe("Stripe's money", () => {
    test("a lost webhook: a look finds the money, with what went back of it", async () => {
      const { stripeOrder, unmatched } = await shop();
      const { known, seen, entries } = await stripeOrder();
      expect(await seen()).toEqual(unpaid);
      known();
      expect([await seen(), await entries()]).toEqual([paidByStripe, ["order"]]);
      const partly = await stripeOrder();
      partly.known({
        payment_intent: { id: partly.intent, latest_charge: { ...partly.charge, amount_refunded: 1000 } },
      });
      expect(await partly.seen()).toEqual({ status: 1, paid_amount: "19.99" });
      const wholly = await stripeOrder();
      wholly.known({
        payment_intent: { id: wholly.intent, latest_charge: { ...wholly.charge, amount_refunded: 2999 } },
      });
      expect([await wholly.seen(), await wholly.entries()]).toEqual([{ status: 9, paid_amount: "0.00" }, []]);
      expect(await unmatched()).toMatchObject([
        { reason: "partly refunded", amount: "1000", orderId: partly.id },
      ]);
    });

    test.each([
      ["expired", { status: "expired", payment_status: "unpaid" }, 9],
      ["complete and still unpaid", { payment_status: "unpaid" }, 0],
      [
        "complete and declined",
        { payment_status: "unpaid", payment_intent: { id: "pi_d", status: "requires_payment_method" } },
        9,
      ],
      ["open", { status: "open", payment_status: "unpaid" }, 0],
      ["of another number", { id: "cs_other" }, 0],
      ["in another currency", { currency: "inr" }, 0],
    ])("a session that a look finds %s", async (_, change, status) => {
      const { stripeOrder } = await shop();
      const { known, seen, entries, completed } = await stripeOrder();
      known({ ...change });
      expect(await seen()).toMatchObject({ status, paid_amount: "0.00" });
      expect(await entries()).toEqual([]);
      if ("id" in change) return;
      expect(await completed({ ...change, currency: "usd", payment_status: "paid" })).toBe(200);
      expect(await entries()).toEqual(["order"]);
    });

    test("an order is found by our id in the metadata where its number was not stored", async () => {
      const { stripeOrder, unmatched } = await shop();
      const { completed, entries, id } = await stripeOrder();
      await store.db.update(tables.orders).set({ thirdReferenceId: null }).where(eq(tables.orders.id, id));
      // Anyone can write a reference into the address of a payment link of the same account.
      expect(await completed({ id: "cs_link", metadata: {} })).toBe(200);
      expect(await entries()).toEqual([]);
      expect(await unmatched()).toMatchObject([{ reason: "order unknown", isOpen: true }]);
      expect(await completed()).toBe(200);
      expect(await entries()).toEqual(["order"]);
      expect(await unmatched()).toMatchObject([{ isOpen: false }]);
    });

    test("another session of the same order that expires does not fail it", async () => {
      const { stripeOrder, stripeEvent } = await shop();
      const { seen, session } = await stripeOrder();
      expect(await stripeEvent("checkout.session.expired", { ...session, id: "cs_abandoned" })).toBe(200);
      expect(await seen()).toEqual(unpaid);
      expect(await stripeEvent("checkout.session.expired", session)).toBe(200);
      expect(await seen()).toEqual({ ...unpaid, status: 9 });
    });

    test("refunds add up to the latest sum, in whatever order and however often they come", async () => {
      const { stripeOrder, unmatched } = await shop();
      const { completed, refunded, seen, entries } = await stripeOrder();
      await completed();
      expect([await refunded(1500, 2), await refunded(1000, 1), await refunded(1500, 2)]).toEqual([
        200, 200, 200,
      ]);
      expect(await seen()).toEqual({ status: 1, paid_amount: "14.99" });
      expect(await unmatched()).toMatchObject([{ reason: "partly refunded", amount: "1500" }]);
      // In the same second.
      await refunded(2999, 2);
      expect([await seen(), await entries()]).toEqual([
        { status: 9, paid_amount: "0.00" },
        ["order", "refund"],
      ]);
    });

    test("a refund before its capture is not lost, and one of the account's other business is nothing to us", async () => {
      const { stripeOrder, stripeEvent, unmatched } = await shop();
      const { completed, refunded, entries } = await stripeOrder();
      expect(await refunded(2999, 1)).toBe(200);
      await completed();
      expect(await entries()).toEqual([]);
      for (const payment_intent of [null, undefined, "pi_foreign"]) {
        const charge = { id: "ch_foreign", payment_intent, amount_refunded: 5, currency: "usd" };
        expect(await stripeEvent("charge.refunded", charge)).toBe(200);
      }
      expect(await unmatched()).toEqual([]);
    });

    test("a refund that failed gives the membership back: the sum is asked for", async () => {
      const { stripeOrder, stripeEvent, provider, clock } = await shop();
      const { completed, refunded, entries, intent, known, charge } = await stripeOrder();
      await completed();
      await refunded(2999, 1);
      known({ payment_intent: { id: intent, latest_charge: { ...charge, amount_refunded: 0 } } });
      clock.now += 5 * MINUTE;
      const failed = { id: "re_1", payment_intent: intent, status: "failed" };
      provider.misbehave("fail");
      expect(await stripeEvent("refund.failed", failed, 300)).toBe(500);
      expect(await stripeEvent("refund.failed", failed, 300)).toBe(200);
      expect(await entries()).toEqual(["order", "refund", "order"]);
    });

    test.each([
      ["won", ["order", "dispute", "order"]],
      ["lost", ["order", "dispute"]],
      ["warning_closed", ["order", "dispute", "order"]],
    ])("a dispute that closes as %s", async (status, expected) => {
      const { stripeOrder } = await shop();
      const { completed, disputed, entries } = await stripeOrder();
      await completed();
      await disputed("created", "needs_response", 1);
      await disputed("closed", status, 2);
      await disputed("created", "needs_response", 1);
      expect(await entries()).toEqual(expected);
    });

    test("a dispute before its capture is not lost", async () => {
      const { stripeOrder } = await shop();
      const { completed, disputed, entries } = await stripeOrder();
      await disputed("created", "needs_response", 1);
      await completed();
      expect(await entries()).toEqual([]);
      await disputed("closed", "won", 2);
      expect(await entries()).toEqual(["order"]);
    });
  });

  test("Stripe's own signatures are taken, and a change in any region of header or body is not", async () => {
    const { stripeOrder, ask, stripeHeader, clock } = await shop();
    const { session, intent, entries } = await stripeOrder();
    const object = { ...session, status: "complete", payment_status: "paid", payment_intent: intent };
    const raw = JSON.stringify({ id: fresh("evt"), type: "checkout.session.completed", data: { object } });
    const header = stripeHeader(raw);
    const [, time = "", signature = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
    const send = async (sent: string | Uint8Array, signed: string) =>
      (
        await ask("/api/stripe/webhook", {
          form: typeof sent === "string" ? sent : new Uint8Array(sent),
          headers: { "Stripe-Signature": signed },
        })
      ).status;
    const flipped = `${signature.startsWith("0") ? "1" : "0"}${signature.slice(1)}`;
    const headers = [
      "",
      "t=,v1=",
      `t=${Number(time) + 1},v1=${signature}`,
      `t=${Number(time) - 1},v1=${signature}`,
      `t=${time}0,v1=${signature}`,
      `t= ${time},v1=${signature}`,
      `t=${time}.0,v1=${signature}`,
      `t=${time},t=${time},v1=${signature}`,
      `t=${time},v0=${signature}`,
      `t=${time},v2=${signature}`,
      `t=${time},V1=${signature}`,
      `t=${time},v1=${flipped}`,
      `t=${time},v1=${signature.slice(1)}`,
      `t=${time},v1=${signature}0`,
      `t=${time},v1=${signature.toUpperCase()}`,
      `t=${time},v1=`,
      `t=${time}`,
      `v1=${signature}`,
      `${time},${signature}`,
      signature,
    ];
    for (const changed of headers) expect([changed, await send(raw, changed)]).toEqual([changed, 400]);
    const bytes = Buffer.from(raw);
    for (let at = 0; at < bytes.length; at += 17) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect([at, await send(changed, header)]).toEqual([at, 400]);
    }
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    for (const changed of [`${raw} `, raw.slice(0, -1), "", marked]) {
      expect(await send(changed, header)).toBe(400);
    }
    const other = Stripe.webhooks.generateTestHeaderString({
      payload: raw,
      secret: "whsec_another",
      timestamp: clock.now / SECOND,
    });
    expect(await send(raw, other)).toBe(400);
    clock.now += 301 * SECOND;
    expect(await send(raw, header)).toBe(400);
    clock.now -= 602 * SECOND;
    expect(await send(raw, header)).toBe(400);
    clock.now = START;
    expect(await entries()).toEqual([]);
    expect(await send(raw, `${header},v1=${flipped},v0=${signature}`)).toBe(200);
    expect(await entries()).toEqual(["order"]);
  });

  test("live, no sandbox answers or is named, and the policy lets the card provider into the card screen's document alone, and only where cards are open", async () => {
    const siteDir = temporaryDirectory();
    writeFileSync(join(siteDir, "index.html"), "<style>a{}</style>");
    const { ask, provider } = await shop({ siteDir });
    const config = await ask("/config.json");
    expect(await config.json()).toEqual({ apiBaseUrl: "", sandbox: false });
    const policyOf = async (path: string) => (await ask(path)).headers.get("Content-Security-Policy") ?? "";
    const policy = await policyOf("/razorpayDetail");
    expect(await policyOf("/razorpayDetail/")).toBe(policy);
    // Its origins are in the tests of the headers. How it writes styles and markup is not ours to say.
    for (const part of ["script-src 'self' https://checkout.razorpay.com", "style-src 'unsafe-inline';"]) {
      expect(policy).toContain(part);
    }
    expect(policy).not.toContain("trusted-types");
    for (const path of ["/home", "/personal_info", "/razorpayDetail/1", "/config.json", "/api/none"]) {
      expect(await policyOf(path)).not.toMatch(/razorpay|unsafe/);
    }
    expect(await policyOf("/home")).toContain("require-trusted-types-for 'script'; trusted-types app");
    for (const path of ["/sandbox/card.js", "/sandbox/wallet", "/sandbox/stripe/checkout/cs_1"]) {
      expect((await ask(path)).status).toBe(404);
    }
    // The site answers, not the sandbox's provider.
    const orders = await ask("/v1/orders", { headers: { Authorization: "Basic x" } });
    expect(await orders.text()).toBe("<style>a{}</style>");
    const closed = await serve(store, { sandbox: false, ...provider.settings, razorpay: null, siteDir });
    const without = (await closed.ask("/razorpayDetail")).headers.get("Content-Security-Policy");
    expect(without).toBe(await policyOf("/home"));
  });
});

test.each([
  ["card", "399", "USD", "3.99"],
  ["card", "500", "JPY", "500"],
  ["stripe", "1000", "kwd", "1.00"],
  ["card", "399", "no currency", "3.99"],
  ["card", "399", null, "3.99"],
  ["card", "half of it", "USD", "half of it"],
  ["usdt", "3990001", "USDT", "3.990001"],
  ["stripe", null, "usd", null],
] as const)("by %s, %j of %j is shown as %j", (rail, amount, currency, shown) => {
  expect(shownAmount({ rail, amount, currency })).toBe(shown);
});
