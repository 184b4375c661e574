/** Card payments that were authorised and not captured, that bring another amount, or a fee that the customer bears: captured once, credited rightly, or told to the operator. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { run } from "../../src/service/operations/admin/commands.ts";
import { refreshOpenOrders } from "../../src/service/payments/provider-job.ts";
import type { Store } from "../../src/service/store/database.ts";
import * as tables from "../../src/service/store/schema.ts";
import { fresh, providerShop } from "./provider-shop.ts";
import { databases, emptyStore, START } from "./support.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const unpaid = { status: 0, paid_amount: "0.00" };
const paid = { status: 1, paid_amount: "3.99" };

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());
  beforeEach(() => store.db.delete(tables.unmatchedPayments));

  async function shop() {
    const made = await providerShop(store);
    const { provider, razorpayEvent } = made;
    return {
      ...made,
      captures: () => provider.asked.filter(({ path }) => path.endsWith("/capture")).map(({ body }) => body),
      authorized: (entity: object) => razorpayEvent("payment.authorized", { payment: { entity } }),
      told: () => made.lines.filter((line) => line.includes('"payment unmatched"')).length,
    };
  }
  type Shop = Awaited<ReturnType<typeof shop>>;
  type CardOrder = Awaited<ReturnType<Shop["cardOrder"]>>;
  const asked = JSON.stringify({ amount: 399, currency: "USD" });

  /** Each way by which an authorised payment is found. */
  const ways: readonly (readonly [string, (order: CardOrder, shop: Shop) => Promise<unknown>])[] = [
    ["the browser", (order) => order.verify()],
    ["a webhook event", (order, { authorized }) => authorized(order.entity)],
    ["a look at the order", (order) => order.seen()],
    [
      "the job",
      async ({ id }, { ledger, service, clock }) => {
        await store.db.update(tables.orders).set({ refreshedAt: null }).where(eq(tables.orders.id, id));
        clock.now += MINUTE + SECOND;
        await refreshOpenOrders(ledger, "card", async (order) => service.card?.refresh(order));
      },
    ],
  ];

  describe.each(ways)("an authorised payment that %s tells of", (_, find) => {
    test("is captured once, for the order's amount", async () => {
      const fixture = await shop();
      const order = await fixture.cardOrder();
      order.known({ status: "authorized" });
      for (let times = 0; times < 3; times += 1) await find(order, fixture);
      expect([await order.seen(), await order.entries()]).toEqual([paid, ["order"]]);
      expect(fixture.captures()).toEqual([asked]);
      expect([await fixture.unmatched(), fixture.told()]).toEqual([[], 0]);
    });

    test("is found captured where the answer to the capture was lost", async () => {
      const fixture = await shop();
      const order = await fixture.cardOrder();
      order.known({ status: "authorized" });
      // What the browser brings is asked about first.
      if (_ === "the browser") fixture.provider.misbehave("well");
      fixture.provider.misbehave("well", "lost");
      await find(order, fixture);
      fixture.provider.recover();
      await find(order, fixture);
      expect([await order.seen(), await order.entries()]).toEqual([paid, ["order"]]);
      expect(fixture.captures()).toEqual([asked]);
    });

    test.each([
      ["of another amount", { amount: 400 }],
      ["in another currency", { currency: "INR" }],
    ])("%s is not captured, and told of once", async (_name, change) => {
      const fixture = await shop();
      const order = await fixture.cardOrder();
      order.known({ status: "authorized", ...change });
      for (let times = 0; times < 3; times += 1) await find(order, fixture);
      expect([await order.seen(), fixture.captures()]).toEqual([unpaid, []]);
      expect(await fixture.unmatched()).toMatchObject([
        { reason: "not captured", orderId: order.id, isOpen: true },
      ]);
      expect(fixture.told()).toBe(1);
    });
  });

  test("a webhook event and looks at once, many times over: one capture", async () => {
    const fixture = await shop();
    const order = await fixture.cardOrder();
    order.known({ status: "authorized" });
    await Promise.all(ways.slice(0, 3).flatMap(([, find]) => [find(order, fixture), find(order, fixture)]));
    expect([await order.seen(), await order.entries()]).toEqual([paid, ["order"]]);
    expect(fixture.provider.payments.filter(({ status }) => status === "captured")).toHaveLength(1);
  });

  test("of two payments for one order the older one is captured, and the other one is told of until it is given back", async () => {
    const fixture = await shop();
    const order = await fixture.cardOrder();
    const second = { id: fresh("pay"), status: "authorized", created_at: START / SECOND + 60 };
    order.known(second);
    order.known({ status: "authorized", created_at: START / SECOND });
    await fixture.authorized({ ...order.entity, ...second });
    expect([await order.seen(), fixture.captures()]).toEqual([paid, [asked]]);
    expect(fixture.provider.payments.map(({ status }) => status)).toEqual(["authorized", "captured"]);
    expect(await fixture.unmatched()).toMatchObject([
      { reason: "not captured", amount: "399", currency: "USD", orderId: order.id, isOpen: true },
    ]);
    await fixture.razorpayEvent("refund.processed", {
      refund: { entity: { id: fresh("rfnd"), payment_id: second.id, amount: 399, currency: "USD" } },
      payment: { entity: { ...order.entity, ...second, status: "refunded", captured: false } },
    });
    expect([await order.entries(), await fixture.unmatched()]).toMatchObject([
      ["order"],
      [{ isOpen: false }],
    ]);
  });

  test("one that the provider does not let us capture is told of, until it is captured by hand", async () => {
    const fixture = await shop();
    const order = await fixture.cardOrder();
    order.known({ status: "authorized" });
    // The account's own order costs something else.
    Object.assign(fixture.provider.orders.at(-1) ?? {}, { amount: 1 });
    for (let times = 0; times < 2; times += 1) expect(await order.seen()).toEqual(unpaid);
    expect(await fixture.unmatched()).toMatchObject([{ reason: "not captured", isOpen: true }]);
    expect(fixture.lines.some((line) => line.includes('"capture refused"'))).toBe(true);
    await order.captured();
    expect([await order.entries(), await fixture.unmatched()]).toMatchObject([
      ["order"],
      [{ isOpen: false }],
    ]);
  });

  test("one that fails after all is off the list", async () => {
    const fixture = await shop();
    const order = await fixture.cardOrder();
    order.known({ status: "authorized", amount: 400 });
    await order.seen();
    Object.assign(fixture.provider.payments.at(-1) ?? {}, { status: "failed" });
    await order.seen();
    expect(await fixture.unmatched()).toMatchObject([{ reason: "not captured", isOpen: false }]);
  });

  test("one of the account's other business, or of an order that it no longer knows, is let be", async () => {
    const fixture = await shop();
    const order = await fixture.cardOrder();
    expect(await fixture.authorized({ ...order.entity, order_id: "order_foreign" })).toBe(200);
    fixture.provider.orders.splice(0);
    expect(await fixture.authorized(order.entity)).toBe(200);
    expect([await order.entries(), fixture.captures(), await fixture.unmatched()]).toEqual([[], [], []]);
    fixture.provider.misbehave("fail");
    // It is sent again.
    expect(await fixture.authorized(order.entity)).toBe(500);
  });

  test("less than the order costs is told of, until the rest is paid or all of it went back", async () => {
    const fixture = await shop();
    const order = await fixture.cardOrder();
    await order.captured({ amount: 300 });
    await order.captured({ amount: 300 });
    expect([await order.seen(), await fixture.unmatched(), fixture.told()]).toEqual([
      { status: 0, paid_amount: "3.00" },
      [
        {
          rail: "card",
          reason: "amount differs",
          amount: "300",
          currency: "USD",
          orderId: order.id,
          isOpen: true,
        },
      ],
      1,
    ]);
    await fixture.razorpayEvent("refund.processed", order.refund(300), 1);
    expect(await fixture.unmatched()).toMatchObject([{ isOpen: false }]);
    await order.captured({ id: fresh("pay"), amount: 300 });
    expect(await fixture.unmatched()).toMatchObject([{ isOpen: false }, { isOpen: true }]);
    await order.captured({ id: fresh("pay"), amount: 99 });
    const settled = [{ isOpen: false }, { isOpen: false }];
    expect([await order.seen(), await fixture.unmatched()]).toMatchObject([paid, settled]);
  });

  describe("where the customer bears the provider's fee", () => {
    const charged = { amount: 408, fee: 9, tax: 1, fee_bearer: "customer" };

    test.each<[string, (order: CardOrder, shop: Shop) => Promise<unknown>]>([
      ["payment.captured", (order) => order.captured(charged)],
      [
        "order.paid",
        (order, { razorpayEvent }) =>
          razorpayEvent("order.paid", {
            payment: { entity: { ...order.entity, ...charged } },
            order: { entity: { id: order.reference, amount: 399, notes: { order_id: order.id } } },
          }),
      ],
      [
        "the browser",
        (order) => {
          order.known(charged);
          return order.verify();
        },
      ],
      [
        "a payment that we captured",
        (order) => {
          order.known({ ...charged, fee: undefined, status: "authorized" });
          return order.seen();
        },
      ],
    ])("the fee is no surplus, told by %s", async (_, tell) => {
      const fixture = await shop();
      const order = await fixture.cardOrder();
      await tell(order, fixture);
      expect([await order.seen(), await order.entries()]).toEqual([paid, ["order"]]);
      expect(await fixture.unmatched()).toEqual([]);
    });

    test.each([
      ["of a part of the fee alone", { amount: 404 }, "3.99", []],
      ["that stands in the amount already", { amount: 399 }, "3.99", []],
      ["below what is too much", { amount: 420 }, "4.11", [{ reason: "surplus", amount: "12" }]],
      ["that the shop bears", { fee_bearer: "platform" }, "4.08", [{ reason: "surplus", amount: "9" }]],
    ])("a fee %s", async (_, change, credited, rows) => {
      const fixture = await shop();
      const order = await fixture.cardOrder();
      await order.captured({ ...charged, ...change });
      expect(await order.seen()).toEqual({ status: 1, paid_amount: credited });
      expect(await fixture.unmatched()).toMatchObject(rows);
    });

    test.each([399, 408])("a refund of %s is the whole", async (amount) => {
      const fixture = await shop();
      const order = await fixture.cardOrder();
      await order.captured(charged);
      await fixture.razorpayEvent("refund.processed", order.refund(amount), 1);
      expect([await order.seen(), await order.entries()]).toEqual([
        { status: 9, paid_amount: "0.00" },
        ["order", "refund"],
      ]);
      const other = await fixture.cardOrder();
      other.known({ ...charged, status: "refunded", captured: true, amount_refunded: amount });
      expect([await other.seen(), await other.entries()]).toEqual([{ status: 9, paid_amount: "0.00" }, []]);
      expect(await fixture.unmatched()).toEqual([]);
    });

    test("for an order that is not known, it is not offered for credit", async () => {
      const fixture = await shop();
      const order = await fixture.cardOrder();
      await order.captured({ ...charged, order_id: "order_lost" });
      expect(await fixture.unmatched()).toMatchObject([{ reason: "order unknown", amount: "399" }]);
    });
  });

  describe("a bank's inquiry", () => {
    const inquiry = [{ reason: "inquiry", isOpen: true }];

    test("at Stripe takes nothing and is told of until it closes", async () => {
      const fixture = await shop();
      const order = await fixture.stripeOrder();
      await order.completed();
      await order.disputed("created", "warning_needs_response", 1);
      await order.disputed("updated", "warning_under_review", 2);
      expect([(await order.seen()).status, await order.entries()]).toEqual([1, ["order"]]);
      expect(await fixture.unmatched()).toMatchObject([
        { ...inquiry[0], amount: "2999", currency: "usd", orderId: order.id },
      ]);
      expect(fixture.told()).toBe(1);
      await order.disputed("closed", "warning_closed", 3);
      // Late and once more.
      await order.disputed("created", "warning_needs_response", 1);
      expect([await order.entries(), await fixture.unmatched()]).toMatchObject([
        ["order"],
        [{ isOpen: false }],
      ]);
    });

    test.each([
      ["lost", ["order", "dispute"]],
      ["won", ["order", "dispute", "order"]],
    ])("at Stripe that becomes a dispute counts then; %s", async (end, expected) => {
      const fixture = await shop();
      const order = await fixture.stripeOrder();
      await order.completed();
      await order.disputed("created", "warning_needs_response", 1);
      await order.disputed("updated", "needs_response", 2);
      expect([await order.entries(), await fixture.unmatched()]).toMatchObject([
        ["order", "dispute"],
        [{ reason: "inquiry", isOpen: false }],
      ]);
      await order.disputed("closed", end, 3);
      await order.disputed("created", "warning_needs_response", 1);
      expect([await order.entries(), await fixture.unmatched()]).toMatchObject([
        expected,
        [{ isOpen: false }],
      ]);
    });

    test("that comes after its end, or is of other business, is not told of", async () => {
      const fixture = await shop();
      const order = await fixture.stripeOrder();
      await order.completed();
      await order.disputed("closed", "warning_closed", 3);
      await order.disputed("created", "warning_needs_response", 1);
      const foreign = { id: "dp_foreign", payment_intent: "pi_foreign", amount: 5, currency: "usd" };
      await fixture.stripeEvent("charge.dispute.created", { ...foreign, status: "warning_needs_response" });
      expect([await order.entries(), await fixture.unmatched()]).toEqual([["order"], []]);
    });

    test("that an earlier release took for a dispute gives the membership back with its next word", async () => {
      const fixture = await shop();
      const order = await fixture.stripeOrder();
      await order.completed();
      await order.disputed("created", "needs_response", 1);
      await order.disputed("updated", "warning_under_review", 2);
      expect([await order.entries(), await fixture.unmatched()]).toMatchObject([
        ["order", "dispute", "order"],
        inquiry,
      ]);
    });

    test.each([
      ["fraud", 0, ["order"]],
      ["retrieval", 0, ["order"]],
      ["retrieval", 399, ["order", "dispute"]],
      ["chargeback", 0, ["order", "dispute"]],
      ["pre_arbitration", 0, ["order", "dispute"]],
      ["arbitration", 0, ["order", "dispute"]],
    ])("at Razorpay, phase %s with %s deducted", async (phase, amount_deducted, expected) => {
      const fixture = await shop();
      const order = await fixture.cardOrder();
      await order.captured();
      const { dispute, payment } = order.dispute(fresh("disp"));
      const told = (change: object) => ({ payment, dispute: { entity: { ...dispute.entity, ...change } } });
      await fixture.razorpayEvent("payment.dispute.created", told({ phase, amount_deducted }), 1);
      const isInquiry = expected.length === 1;
      expect(await order.entries()).toEqual(expected);
      expect(await fixture.unmatched()).toMatchObject(isInquiry ? inquiry : []);
      if (!isInquiry) return;
      const chargeback = { phase: "chargeback", amount_deducted: 0 };
      await fixture.razorpayEvent("payment.dispute.action_required", told(chargeback), 2);
      expect([await order.entries(), await fixture.unmatched()]).toMatchObject([
        ["order", "dispute"],
        [{ isOpen: false }],
      ]);
    });

    test("at Razorpay that is closed, or lost with the money", async () => {
      for (const [event, entries] of [
        ["payment.dispute.closed", ["order"]],
        ["payment.dispute.lost", ["order", "dispute"]],
      ] as const) {
        const fixture = await shop();
        const order = await fixture.cardOrder();
        await order.captured();
        const { dispute, payment } = order.dispute(fresh("disp"));
        const told = { payment, dispute: { entity: { ...dispute.entity, phase: "fraud" } } };
        await fixture.razorpayEvent("payment.dispute.created", told, 1);
        await fixture.razorpayEvent(event, told, 2);
        expect([await order.entries(), (await fixture.unmatched()).at(-1)]).toMatchObject([
          entries,
          { reason: "inquiry", isOpen: false },
        ]);
      }
    });
  });

  test.each(["refund.processed", "payment.dispute.created"])(
    "%s that names no payment has a reason of its own, under which nothing is credited",
    async (event) => {
      const fixture = await shop();
      const order = await fixture.cardOrder();
      const kind = event.startsWith("refund") ? "refund" : "dispute";
      const entity = { id: fresh("rfnd"), amount: 399, currency: "USD" };
      expect(await fixture.razorpayEvent(event, { [kind]: { entity } })).toBe(200);
      const [row] = await store.db.select().from(tables.unmatchedPayments);
      expect(row).toMatchObject({ reason: "refund unreadable", amount: "399", resolvedAt: null });
      const call = { ledger: fixture.ledger, args: [String(row?.id)], actor: "anna" };
      const options = { order: order.id, reason: "A test" };
      await expect(run("unmatched-credit", { ...call, options })).rejects.toThrow("is not credited");
      // As earlier releases wrote it.
      await store.db.update(tables.unmatchedPayments).set({ reason: "incomplete" });
      await expect(run("unmatched-credit", { ...call, options })).rejects.toThrow("money that went back");
      expect(await order.seen()).toEqual(unpaid);
    },
  );
});
