/** Payments, refunds and disputes whose webhook event was lost: the providers' lists tell of them, each counts once, and no bad day of a provider or a process loses one. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readLists, type ProviderList } from "../../src/service/payments/provider-lists.ts";
import { openSandbox } from "../../src/service/sandbox/sandbox.ts";
import { openPayments } from "../../src/service/payments/open.ts";
import type { Store } from "../../src/service/store/database.ts";
import * as tables from "../../src/service/store/schema.ts";
import { fresh, providerShop } from "./provider-shop.ts";
import type { Misbehaviour } from "./provider-stand-in.ts";
import { CONFIRM_SECONDS, databases, emptyStore, settings, START } from "./support.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = START / SECOND;

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    for (const table of [tables.unmatchedPayments, tables.providerPositions]) await store.db.delete(table);
  });

  async function shop() {
    const made = await providerShop(store);
    const { service, ledger, provider, clock } = made;
    const { card, stripe } = service;
    if (!card || !stripe) throw new Error("Both are open.");
    const read = { card: () => readLists(ledger, "card", card.lists) };
    return {
      ...made,
      readCards: read.card,
      readStripe: () => readLists(ledger, "stripe", stripe.lists),
      lists: { card: card.lists, stripe: stripe.lists },
      /** An hour later the lists are due again. */
      later: () => (clock.now += HOUR),
      listsAsked: () =>
        provider.asked.filter(({ path }) => /^\/v1\/(payments\?|refunds|disputes|events)/.test(path)).length,
      missed: () => made.lines.filter((line) => line.includes('"webhook missed"')).length,
    };
  }

  /** A card order that was paid, and what the provider's lists can say of it. */
  async function paidByCard({ cardOrder, provider }: Awaited<ReturnType<typeof shop>>) {
    const order = await cardOrder();
    await order.captured();
    const told = (prefix: string, status: string, change: object) => ({
      id: fresh(prefix),
      payment_id: order.payment,
      amount: 399,
      currency: "USD",
      status,
      created_at: NOW,
      ...change,
    });
    return {
      ...order,
      refundListed(status: string, change: object = {}) {
        const refund = told("rfnd", status, change);
        provider.refunds.push(refund);
        return refund;
      },
      disputeListed(status: string, change: object = {}) {
        const dispute = told("disp", status, change);
        provider.disputes.push(dispute);
        return dispute;
      },
    };
  }

  /** An order at Stripe that was paid, and the events that its list can hold. */
  async function paidByStripe({ stripeOrder, provider }: Awaited<ReturnType<typeof shop>>) {
    const order = await stripeOrder();
    await order.completed();
    return {
      ...order,
      listed(type: string, object: object, at = 0) {
        const event = { id: fresh("evt"), type, created: NOW + at, data: { object } };
        provider.events.push(event);
        return event;
      },
    };
  }
  const refunded = { amount_refunded: 2999 };

  describe("Razorpay's lists", () => {
    test("a refund whose webhook was lost takes the membership back, once, though the webhook comes later", async () => {
      const fixture = await shop();
      const { refundListed, entries, seen, refund } = await paidByCard(fixture);
      const { id } = refundListed("processed");
      expect(await fixture.readCards()).toBe(3);
      expect([await entries(), await seen()]).toEqual([
        ["order", "refund"],
        { status: 9, paid_amount: "0.00" },
      ]);
      expect(fixture.missed()).toBe(1);
      await fixture.razorpayEvent("refund.created", refund(399, id), 0);
      await fixture.razorpayEvent("refund.processed", refund(399, id), 5);
      fixture.later();
      await fixture.readCards();
      expect(await entries()).toEqual(["order", "refund"]);
      expect(fixture.missed()).toBe(1);
    });

    test("one that the webhook told of is no news", async () => {
      const fixture = await shop();
      const { refundListed, entries, refund } = await paidByCard(fixture);
      const { id } = refundListed("processed");
      await fixture.razorpayEvent("refund.processed", refund(399, id));
      await fixture.readCards();
      expect([await entries(), fixture.missed()]).toEqual([["order", "refund"], 0]);
    });

    test("a refund that fails in the list days after it was pending there gives the membership back", async () => {
      const fixture = await shop();
      const { refundListed, entries } = await paidByCard(fixture);
      const refund = refundListed("pending");
      await fixture.readCards();
      expect(await entries()).toEqual(["order", "refund"]);
      fixture.clock.now += 9 * DAY;
      refund.status = "failed";
      await fixture.readCards();
      expect(await entries()).toEqual(["order", "refund", "order"]);
    });

    test.each(["told by a webhook", "found in the list"])(
      "a refund that failed, %s, while its payment still said that it went back: asked about for two days",
      async (way) => {
        const fixture = await shop();
        const { provider, razorpayEvent, readCards, later, clock } = fixture;
        const { refundListed, refund, known, entries, seen, payment } = await paidByCard(fixture);
        const asked = () => provider.asked.filter(({ path }) => path === `/v1/payments/${payment}`).length;
        known({ status: "refunded", amount_refunded: 399 });
        const { id } = refundListed("failed");
        await razorpayEvent("refund.processed", refund(399, id), 0);
        if (way === "told by a webhook") await razorpayEvent("refund.failed", refund(399, id), 5);
        await readCards();
        later();
        await readCards();
        expect([await entries(), (await seen()).status]).toEqual([["order", "refund"], 9]);

        Object.assign(provider.payments.at(-1) ?? {}, { status: "captured", amount_refunded: 0 });
        later();
        await readCards();
        expect([await entries(), (await seen()).status]).toEqual([["order", "refund", "order"], 1]);
        clock.now += 3 * DAY;
        const before = asked();
        await readCards();
        expect(asked()).toBe(before);
      },
    );

    test.each([
      ["won", ["order", "dispute", "order"]],
      ["lost", ["order", "dispute"]],
      ["closed", ["order", "dispute", "order"]],
    ])("a dispute whose webhooks were lost, %s months later", async (end, expected) => {
      const fixture = await shop();
      const { disputeListed, entries } = await paidByCard(fixture);
      const dispute = disputeListed("open");
      await fixture.readCards();
      expect(await entries()).toEqual(["order", "dispute"]);
      fixture.clock.now += 100 * DAY;
      dispute.status = end;
      await fixture.readCards();
      fixture.later();
      await fixture.readCards();
      expect(await entries()).toEqual(expected);
    });

    test("a refund in part is the operator's, and one that cannot be read is kept, each once", async () => {
      const fixture = await shop();
      const { refundListed, entries, id } = await paidByCard(fixture);
      refundListed("processed", { amount: 100 });
      const unread = refundListed("gone to the moon");
      const other = refundListed("processed", { amount: "399" });
      for (let hour = 0; hour < 3; hour += 1) {
        await fixture.readCards();
        fixture.later();
      }
      expect(await entries()).toEqual(["order"]);
      const rows = await store.db.select().from(tables.unmatchedPayments);
      expect(rows.map(({ reason, eventId, orderId }) => ({ reason, eventId, orderId }))).toEqual(
        expect.arrayContaining([
          { reason: "partly refunded", eventId: expect.stringContaining("partly refunded:"), orderId: id },
          { reason: "refund unreadable", eventId: `asked:${unread.id}`, orderId: null },
          { reason: "refund unreadable", eventId: `asked:${other.id}`, orderId: null },
        ]),
      );
      expect(rows).toHaveLength(3);
    });

    test("a list of many pages is read to its end, whatever else the account sells", async () => {
      const fixture = await shop();
      const { refundListed, disputeListed, entries } = await paidByCard(fixture);
      refundListed("processed", { created_at: NOW - 29 * 86_400 });
      for (let at = 0; at < 250; at += 1) {
        const foreign = { payment_id: fresh("pay"), created_at: NOW - at };
        refundListed("processed", at % 2 === 0 ? { ...foreign, currency: "INR" } : foreign);
        disputeListed("open", { ...foreign, currency: "INR" });
      }
      await fixture.readCards();
      expect(await entries()).toEqual(["order", "refund"]);
      // Three pages of each, and one of the payments.
      expect(fixture.listsAsked()).toBe(7);
      expect(await store.db.$count(tables.unmatchedPayments)).toBe(0);
    });
  });

  describe("payments that no webhook told of", () => {
    test("by card, made when the order was no longer asked about: found within the hour, once", async () => {
      const fixture = await shop();
      const order = await fixture.cardOrder();
      fixture.clock.now += 9 * DAY;
      await fixture.readCards();
      order.known({ created_at: fixture.clock.now / SECOND - 60 });
      // Payments of the account's other business.
      for (let at = 0; at < 120; at += 1) {
        order.known({ id: fresh("pay"), order_id: fresh("order_other"), created_at: NOW + at });
      }
      fixture.later();
      await fixture.readCards();
      expect([await order.entries(), fixture.missed()]).toEqual([["order"], 1]);
      fixture.later();
      await fixture.readCards();
      await order.captured();
      expect([await order.entries(), fixture.missed()]).toEqual([["order"], 1]);
      expect(await store.db.$count(tables.unmatchedPayments)).toBe(0);
    });

    test("by card, for orders that a restored backup has lost: told of once each; other business is asked about once", async () => {
      const fixture = await shop();
      const { provider, unmatched } = fixture;
      const lost = await fixture.cardOrder();
      await store.db.delete(tables.orders).where(eq(tables.orders.id, lost.id));
      const known = await fixture.cardOrder();
      const at = { created_at: NOW - 3_600 };
      lost.known(at);
      lost.known({ ...at, id: fresh("pay"), status: "refunded", captured: true, amount_refunded: 399 });
      // Orders that the account's other business made: without our notes, with some that any shop may write, in rupees.
      for (const [change, currency] of [
        [{ receipt: "R-1", notes: [] }, "USD"],
        [{ receipt: lost.id, notes: { order_id: "R-1" } }, "USD"],
        [{ receipt: "R-1", notes: { order_id: "R-1" } }, "USD"],
        [{ receipt: lost.id, notes: { order_id: lost.id } }, "INR"],
      ] as const) {
        const id = `order_other${provider.orders.length}`;
        provider.orders.push({ id, amount: 399, currency, ...change });
        lost.known({ ...at, id: fresh("pay"), order_id: id, currency });
      }
      known.known(at);
      const asked = () => provider.asked.filter(({ path }) => /^\/v1\/orders\/\w+$/.test(path)).length;
      // The list itself, and the first that it is asked about: the provider is down then, and the next hour well.
      provider.misbehave("well", "fail");
      await fixture.readCards();
      expect([await known.entries(), asked(), await unmatched()]).toEqual([["order"], 1, []]);
      for (let hour = 0; hour < 3; hour += 1) {
        fixture.later();
        await fixture.readCards();
      }
      expect(asked()).toBe(1 + 4);
      const [row, ...others] = await store.db.select().from(tables.unmatchedPayments);
      expect([row, others]).toMatchObject([
        { reason: "order unknown", paymentId: lost.payment, reference: lost.reference, amount: "399" },
        [],
      ]);
      expect(fixture.lines.filter((line) => line.includes('"payment unmatched"'))).toHaveLength(1);
      // Its webhook, sent again, changes nothing.
      await lost.captured();
      expect(await unmatched()).toMatchObject([{ reason: "order unknown", isOpen: true }]);
    });

    test("by card, of the last five minutes: its webhook may be under way", async () => {
      const fixture = await shop();
      const order = await fixture.cardOrder();
      order.known({ created_at: NOW - 299 });
      await fixture.readCards();
      expect([await order.entries(), fixture.missed()]).toEqual([[], 0]);
      fixture.later();
      await fixture.readCards();
      expect([await order.entries(), fixture.missed()]).toEqual([["order"], 1]);
    });

    test("by card, authorised late: captured, and one for an order that was paid otherwise is told of", async () => {
      const fixture = await shop();
      const [paid, late] = [await fixture.cardOrder(), await fixture.cardOrder()];
      expect(paid.id).toBe(late.id);
      late.known({ status: "authorized", created_at: NOW - 4 * 86_400 });
      await fixture.readCards();
      expect([await late.entries(), fixture.missed()]).toEqual([["order"], 1]);
      const second = fresh("pay");
      late.known({ id: second, status: "authorized", created_at: NOW - 3 * 86_400 });
      for (let hour = 0; hour < 3; hour += 1) {
        fixture.later();
        await fixture.readCards();
      }
      expect(await fixture.unmatched()).toMatchObject([
        { reason: "not captured", amount: "399", orderId: late.id, isOpen: true },
      ]);
      expect(fixture.lines.filter((line) => line.includes('"payment unmatched"'))).toHaveLength(1);
      // The provider gives it back by itself.
      Object.assign(fixture.provider.payments.find(({ id }) => id === second) ?? {}, {
        status: "refunded",
        captured: false,
        amount_refunded: 399,
      });
      fixture.provider.refunds.push({
        id: fresh("rfnd"),
        payment_id: second,
        amount: 399,
        currency: "USD",
        status: "processed",
        created_at: NOW + 3_600,
      });
      fixture.later();
      await fixture.readCards();
      expect([await late.entries(), await fixture.unmatched()]).toMatchObject([
        ["order"],
        [{ isOpen: false }],
      ]);
    });

    test.each([
      ["paid at once", "checkout.session.completed", "paid", 1],
      ["paid days later", "checkout.session.async_payment_succeeded", "paid", 1],
      ["declined days later", "checkout.session.async_payment_failed", "unpaid", 9],
      ["expired", "checkout.session.expired", "unpaid", 9],
      ["still under way", "checkout.session.completed", "unpaid", 0],
    ])("at Stripe, a session that was %s", async (_, type, payment_status, status) => {
      const fixture = await shop();
      const order = await fixture.stripeOrder();
      await fixture.readStripe();
      fixture.clock.now += 8 * DAY;
      const object = { ...order.session, payment_status, status: "complete", payment_intent: order.intent };
      const event = { id: fresh("evt"), type, created: fixture.clock.now / SECOND - 300, data: { object } };
      fixture.provider.events.push(event);
      await fixture.readStripe();
      // Its webhook is under way.
      expect(await order.entries()).toEqual([]);
      for (let hour = 0; hour < 2; hour += 1) {
        fixture.later();
        await fixture.readStripe();
      }
      await fixture.stripeEvent(type, object, 0, event.id);
      const [row] = await store.db.select().from(tables.orders).where(eq(tables.orders.id, order.id));
      expect([row?.status, await order.entries()]).toEqual([status, status === 1 ? ["order"] : []]);
      expect(fixture.missed()).toBe(status === 1 ? 1 : 0);
    });
  });

  describe("Stripe's events", () => {
    test("a refund whose webhook was lost takes the membership back, once, though the webhook comes later", async () => {
      const fixture = await shop();
      const order = await paidByStripe(fixture);
      const { id } = order.listed("charge.refunded", { ...order.charge, ...refunded });
      expect(await fixture.readStripe()).toBe(1);
      expect([await order.entries(), await order.seen()]).toEqual([
        ["order", "refund"],
        { status: 9, paid_amount: "0.00" },
      ]);
      await fixture.stripeEvent("charge.refunded", { ...order.charge, ...refunded }, 0, id);
      fixture.later();
      await fixture.readStripe();
      expect(await order.entries()).toEqual(["order", "refund"]);
      expect(fixture.missed()).toBe(1);
    });

    test("a dispute whose webhooks were lost, and that is won later", async () => {
      const fixture = await shop();
      const order = await paidByStripe(fixture);
      const dispute = { id: fresh("dp"), payment_intent: order.intent, amount: 2999, currency: "usd" };
      order.listed("charge.dispute.created", { ...dispute, status: "needs_response" });
      await fixture.readStripe();
      expect(await order.entries()).toEqual(["order", "dispute"]);
      fixture.later();
      order.listed("charge.dispute.closed", { ...dispute, status: "won" }, 1_800);
      await fixture.readStripe();
      expect(await order.entries()).toEqual(["order", "dispute", "order"]);
    });

    test("more pages than are read at a time: the next minute goes on where the last one stopped", async () => {
      const fixture = await shop();
      const order = await paidByStripe(fixture);
      order.listed("charge.refunded", { ...order.charge, ...refunded }, -86_400);
      for (let at = 0; at < 2_050; at += 1) order.listed("charge.refunded", { payment_intent: null }, -at);
      await fixture.readStripe();
      expect([await order.entries(), fixture.listsAsked()]).toEqual([["order"], 20]);
      fixture.clock.now += MINUTE;
      await fixture.readStripe();
      expect([await order.entries(), fixture.listsAsked()]).toEqual([["order", "refund"], 21]);
      fixture.clock.now += MINUTE;
      expect([await fixture.readStripe(), fixture.listsAsked()]).toEqual([0, 21]);
    });
  });

  test.each<Misbehaviour>(["fail", "refuse", "garbage", "other", "redirect", "lost"])(
    "a provider that answers with %s is asked again ten minutes later, and nothing is lost",
    async (misbehaviour) => {
      const fixture = await shop();
      const card = await paidByCard(fixture);
      card.refundListed("processed");
      card.disputeListed("open");
      const stripe = await paidByStripe(fixture);
      stripe.listed("charge.refunded", { ...stripe.charge, ...refunded });
      fixture.provider.misbehave(misbehaviour, misbehaviour, misbehaviour, misbehaviour);
      expect([await fixture.readCards(), await fixture.readStripe()]).toEqual([0, 0]);
      expect([await card.entries(), await stripe.entries()]).toEqual([["order"], ["order"]]);
      expect(fixture.lines.filter((line) => line.includes('"reconciliation failed"'))).toHaveLength(4);
      fixture.clock.now += 9 * MINUTE;
      expect([await fixture.readCards(), await fixture.readStripe()]).toEqual([0, 0]);
      fixture.clock.now += MINUTE;
      expect([await fixture.readCards(), await fixture.readStripe()]).toEqual([3, 1]);
      expect([await card.entries(), await stripe.entries()]).toEqual([
        ["order", "refund"],
        ["order", "refund"],
      ]);
    },
  );

  test("a process that ends after a page was written down: the next one reads it again, and it counts once", async () => {
    const fixture = await shop();
    const order = await paidByStripe(fixture);
    order.listed("charge.refunded", { ...order.charge, ...refunded });
    for (let at = 1; at <= 150; at += 1) order.listed("charge.refunded", { payment_intent: null }, -at);
    const ending: ProviderList[] = fixture.lists.stripe.map((list) => ({
      ...list,
      async take(items, asked) {
        await list.take(items, asked);
        throw new Error("The process ends.");
      },
    }));
    await readLists(fixture.ledger, "stripe", ending);
    expect([await order.entries(), fixture.listsAsked()]).toEqual([["order", "refund"], 1]);
    expect(await fixture.readStripe()).toBe(0);
    fixture.clock.now += 10 * MINUTE;
    await fixture.readStripe();
    expect([await order.entries(), fixture.listsAsked()]).toEqual([["order", "refund"], 3]);
  });

  test("of eight processes one reads a list, and none before an hour has passed", async () => {
    const fixture = await shop();
    const order = await paidByCard(fixture);
    order.refundListed("processed");
    await Promise.all(Array.from({ length: 8 }, () => fixture.readCards()));
    expect([await order.entries(), fixture.listsAsked()]).toEqual([["order", "refund"], 3]);
    fixture.clock.now += HOUR - SECOND;
    expect(await fixture.readCards()).toBe(0);
    fixture.clock.now += SECOND;
    expect(await fixture.readCards()).toBe(3);
  });

  test("a clock that is set back keeps no list waiting", async () => {
    const fixture = await shop();
    const order = await paidByCard(fixture);
    fixture.clock.now += 6 * HOUR;
    await fixture.readCards();
    fixture.clock.now -= 6 * HOUR;
    order.refundListed("processed");
    expect(await fixture.readCards()).toBe(3);
    expect(await order.entries()).toEqual(["order", "refund"]);
  });

  test("an event that came while the clock was hours ahead is found when it is right again", async () => {
    const fixture = await shop();
    const order = await paidByStripe(fixture);
    fixture.clock.now += 6 * HOUR;
    await fixture.readStripe();
    order.listed("charge.refunded", { ...order.charge, ...refunded }, 1_800);
    fixture.clock.now += HOUR;
    await fixture.readStripe();
    fixture.clock.now -= 6 * HOUR;
    await fixture.readStripe();
    expect(await order.entries()).toEqual(["order", "refund"]);
  });

  test("a refund is heard though the clock was hours ahead when its payment was looked up", async () => {
    const fixture = await shop();
    const order = await fixture.stripeOrder();
    order.known();
    Object.assign(order.charge, { amount_refunded: 0 });
    fixture.clock.now += 2 * HOUR;
    expect(await order.seen()).toMatchObject({ status: 1 });
    fixture.clock.now -= 2 * HOUR;
    fixture.clock.now += 30 * MINUTE;
    await order.refunded(2999, 1_800);
    expect([await order.seen(), await order.entries()]).toEqual([
      expect.objectContaining({ status: 9 }),
      ["order", "refund"],
    ]);
  });

  test("after a long outage, what is read reaches back to the last reading", async () => {
    const fixture = await shop();
    const order = await paidByCard(fixture);
    await fixture.readCards();
    fixture.clock.now += 90 * DAY;
    order.refundListed("processed", { created_at: NOW + 3_600 });
    await fixture.readCards();
    expect(await order.entries()).toEqual(["order", "refund"]);
  });

  test("the sandbox's providers have the same lists", async () => {
    const own = await emptyStore(kind);
    const lines: string[] = [];
    const ledger = {
      db: own.db,
      now: () => START,
      log: (event: string) => lines.push(event),
      tolerance: 0n,
      lateDays: 30,
    };
    const sandbox = await openSandbox(ledger, CONFIRM_SECONDS);
    const { card, stripe } = await openPayments(ledger, settings, sandbox);
    expect([
      await readLists(ledger, "card", card?.lists ?? []),
      await readLists(ledger, "stripe", stripe?.lists ?? []),
    ]).toEqual([3, 1]);
    expect(lines).toEqual([]);
    sandbox.stop();
    await own.close();
  });
});
