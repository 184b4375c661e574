/** Webhook events that a provider rightly signed and that fit no order: they are answered, kept with the operator told, and credited once they fit. */
import { and, desc, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import * as v from "valibot";
import { createdCardOrder, createdCheckout } from "../../src/contract/calls.ts";
import { perform } from "../../src/service/operations/admin/commands.ts";
import { sweep } from "../../src/service/payments/ledger.ts";
import { reversePayment, sign } from "../../src/service/payments/provider.ts";
import { bookDifferences } from "../../src/service/payments/book-check.ts";
import type { Store } from "../../src/service/store/database.ts";
import {
  accounts,
  auditEntries,
  orders,
  payments,
  unmatchedPayments,
  webhookEvents,
} from "../../src/service/store/schema.ts";
import { databases, emptyStore, PASSWORD, serve, START } from "./support.ts";
import { stripeSignature } from "./stripe-signature.ts";

const monthly = { pack_id: "1", product_id: "monthly", payment_method: "razorpay" };
const annual = { pack_id: "4", product_id: "annual", payment_method: "Stripe" };

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** No UTF-8: a lone continuation byte. */
const BROKEN = Buffer.from([0x80]);

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    for (const table of [unmatchedPayments, webhookEvents]) await store.db.delete(table);
  });

  /** A member with an order at each provider, and the providers' webhook events. */
  async function buyer() {
    const fixture = await serve(store);
    const { ask, call, member, service } = fixture;
    const { card, stripe } = service;
    if (!card || !stripe) throw new Error("The sandbox takes cards and has a Stripe.");
    const token = await member();
    const cards = await call("/api/razorpay/order/create", { body: monthly, token });
    const checkout = await call("/api/order/create", { body: annual, token });
    const { order } = v.parse(createdCardOrder, cards.data);
    const { payUrl } = v.parse(createdCheckout, checkout.data);
    const session = new URL(payUrl ?? "").pathname.split("/").at(-1) ?? "";
    const references = { card: order.third_reference_id, stripe: session };

    /** Sends bytes as a provider does. @returns the status */
    async function send(rail: "card" | "stripe", raw: Buffer, eventId: string, signed = raw) {
      const [path, headers]: [string, Record<string, string>] =
        rail === "card"
          ? [
              "/api/razorpay/webhook",
              {
                "X-Razorpay-Signature": sign(signed, card?.account.webhookSecret ?? ""),
                "X-Razorpay-Event-Id": eventId,
              },
            ]
          : [
              "/api/stripe/webhook",
              { "Stripe-Signature": stripeSignature(signed, stripe?.account.webhookSecret ?? "", START) },
            ];
      return (await ask(path, { form: new Uint8Array(raw), headers })).status;
    }

    const content = {
      card: (change: object = {}, event = "payment.captured") => {
        const entity = { id: "pay_1", order_id: references.card, amount: 399, currency: "USD", ...change };
        return JSON.stringify({ event, payload: { payment: { entity } } });
      },
      stripe: (change: object = {}, type = "checkout.session.completed", id = "evt_1") => {
        const object = {
          id: session,
          payment_status: "paid",
          amount_total: 2999,
          currency: "usd",
          payment_intent: "pi_1",
          ...change,
        };
        return JSON.stringify({ id, type, data: { object } });
      },
    };
    const tell = (rail: "card" | "stripe", change: object = {}) =>
      send(rail, Buffer.from(content[rail](change)), "evt_1");

    /** The status of the order at a provider, and what came in for it. */
    async function seen(rail: "card" | "stripe") {
      const reference = and(eq(orders.rail, rail), eq(orders.thirdReferenceId, references[rail]));
      const [row] = await store.db.select().from(orders).where(reference);
      const taken = await store.db
        .select()
        .from(payments)
        .where(eq(payments.orderId, row?.id ?? ""));
      return { status: row?.status, taken: taken.map(({ amount }) => amount) };
    }
    const alarms = () =>
      fixture.lines
        .map((line) => JSON.parse(line) as { event: string; id: number })
        .filter(({ event }) => event === "payment unmatched");
    return { ...fixture, token, references, send, tell, content, seen, alarms };
  }
  const rows = () => store.db.select().from(unmatchedPayments);
  const untouched = { status: 0, taken: [] };

  test.each([
    ["card", "in rupees", { currency: "INR" }, { currency: "INR", reason: "currency" }],
    ["card", "without an order", { order_id: null }, { reference: null, reason: "order unknown" }],
    [
      "card",
      "of a foreign order",
      { order_id: "order_x" },
      { reference: "order_x", reason: "order unknown" },
    ],
    ["card", "in rupees without an order", { currency: "INR", order_id: undefined }, { reason: "currency" }],
    ["card", "without an amount", { amount: undefined }, { amount: null, reason: "incomplete" }],
    ["card", "of an amount in words", { amount: "3.99" }, { amount: "3.99", reason: "incomplete" }],
    ["card", "of an amount beyond counting", { amount: 2 ** 53 - 1 }, { reason: "incomplete" }],
    ["card", "without a currency", { currency: null }, { currency: null, reason: "incomplete" }],
    ["card", "of a payment without a number", { id: undefined }, { paymentId: null, reason: "incomplete" }],
    [
      "card",
      "with what no database keeps",
      { id: "\0", currency: "\0" },
      { paymentId: null, currency: "\uFFFD" },
    ],
    ["stripe", "in rupees", { currency: "inr" }, { currency: "inr", reason: "currency" }],
    ["stripe", "without a payment", { payment_intent: null }, { paymentId: null, reason: "incomplete" }],
    ["stripe", "with an empty payment", { payment_intent: {} }, { paymentId: null, reason: "incomplete" }],
    ["stripe", "without an amount", { amount_total: null }, { amount: null, reason: "incomplete" }],
    ["stripe", "of nothing", { amount_total: 0 }, { amount: "0", reason: "incomplete" }],
    ["stripe", "of a foreign session", { id: "cs_x" }, { reference: "cs_x", reason: "order unknown" }],
    ["stripe", "of no session", { id: null }, { reference: null, reason: "order unknown" }],
    ["stripe", "that needs no money", { payment_status: "no_payment_required" }, { reason: "incomplete" }],
  ] as const)(
    "%s: a payment %s is kept as unmatched, in one row however often it is told, and the operator is told",
    async (rail, _, change, expected) => {
      const { tell, content, seen, alarms } = await buyer();
      expect([await tell(rail, change), await tell(rail, change)]).toEqual([200, 200]);
      const found = await rows();
      expect(found).toEqual([
        {
          id: expect.any(Number),
          rail,
          eventId: "evt_1",
          paymentId: rail === "card" ? "pay_1" : "pi_1",
          reference: expect.toBeOneOf([null, expect.any(String)]),
          amount: expect.toBeOneOf([null, expect.any(String)]),
          currency: expect.toBeOneOf([null, expect.any(String)]),
          reason: expect.any(String),
          body: content[rail](change),
          orderId: null,
          receivedAt: new Date(START),
          resolvedAt: null,
          resolution: null,
          resolvedAs: null,
          auditId: null,
          ...expected,
        },
      ]);
      expect(alarms()[0]).toMatchObject({ id: found[0]?.id, rail, reason: found[0]?.reason });
      expect(await seen(rail)).toEqual(untouched);
      expect(await store.db.$count(webhookEvents)).toBe(0);
    },
  );

  test.each(["not json", "", "{}", "null", "[]", '"text"'])(
    "what is rightly signed and no webhook event, %j, is kept with its bytes",
    async (text) => {
      const { send, alarms } = await buyer();
      expect(await send("card", Buffer.from(text), "evt_1")).toBe(200);
      expect(await send("stripe", Buffer.from(text), "")).toBe(200);
      const kept = (await rows()).map(({ rail, reason, body }) => [rail, reason, body]);
      expect(kept).toEqual([
        ["card", "unreadable", text],
        ["stripe", "unreadable", text],
      ]);
      expect(alarms()).toHaveLength(2);
    },
  );

  test("two webhook events of one payment make one row", async () => {
    const { send, content, alarms } = await buyer();
    const change = { id: "pay_two", currency: "INR" };
    expect(await send("card", Buffer.from(content.card(change)), "evt_1")).toBe(200);
    expect(await send("card", Buffer.from(content.card(change, "order.paid")), "evt_2")).toBe(200);
    expect(await rows()).toMatchObject([{ eventId: "evt_1", paymentId: "pay_two" }]);
    expect(new Set(alarms().map(({ id }) => id)).size).toBe(1);
  });

  test.each(["card", "stripe"] as const)(
    "%s: once its order is there, a webhook event that is sent again is credited and no longer unmatched",
    async (rail) => {
      const { tell, seen, references, clock } = await buyer();
      const payment = `${rail}_later`;
      const change = rail === "card" ? { id: payment } : { payment_intent: payment };
      const rename = (from: string, to: string) =>
        store.db.update(orders).set({ thirdReferenceId: to }).where(eq(orders.thirdReferenceId, from));
      await rename(references[rail], `elsewhere_${rail}`);
      expect(await tell(rail, change)).toBe(200);
      expect(await rows()).toMatchObject([{ reference: references[rail], resolvedAt: null }]);

      await rename(`elsewhere_${rail}`, references[rail]);
      clock.now += 1_000;
      expect([await tell(rail, change), await tell(rail, change)]).toEqual([200, 200]);
      expect(await seen(rail)).toMatchObject({ status: 1, taken: [expect.any(BigInt)] });
      expect(await rows()).toMatchObject([{ paymentId: payment, resolvedAt: new Date(clock.now) }]);
    },
  );

  describe.each(["card", "stripe"] as const)(
    "a payment by %s that is credited by hand, and undone",
    (rail) => {
      let number = 0;

      /** Money for an order that is not known, on the operator's list, with another member who has an order, too. */
      async function astray() {
        const mine = await buyer();
        const theirs = await buyer();
        const { references } = mine;
        number += 1;
        const elsewhere = `${rail}_elsewhere_${number}`;
        const paymentId = `${rail}_astray_${number}`;
        const change = rail === "card" ? { id: paymentId } : { payment_intent: paymentId };
        const rename = (from: string, to: string) =>
          store.db.update(orders).set({ thirdReferenceId: to }).where(eq(orders.thirdReferenceId, from));
        await rename(references[rail], elsewhere);
        expect(await mine.tell(rail, change)).toBe(200);
        const [row] = await rows();
        const orderOf = async (reference: string) => {
          const [order] = await store.db.select().from(orders).where(eq(orders.thirdReferenceId, reference));
          return order?.id ?? "";
        };
        const asked = (args: string[], options: Record<string, string> = {}) => ({
          ledger: mine.ledger,
          args,
          options: { reason: "Ticket 7", ...options },
          actor: "anna",
        });
        const doIt = async (command: string, args: string[], options?: Record<string, string>) => {
          const { answer } = await perform(command, asked(args, options));
          return String((answer as { audit: number }[])[0]?.audit ?? (await newestAudit()));
        };
        /** Each order's status and its member's end. */
        const standing = async () => {
          const found = await store.db
            .select({ id: orders.id, status: orders.status, ends: accounts.membershipEndsAt })
            .from(orders)
            .innerJoin(accounts, eq(accounts.id, orders.accountId))
            .where(inArray(orders.id, [own, other]));
          const of = (id: string) => {
            const one = found.find((each) => each.id === id);
            return [one?.status, one?.ends?.toISOString() ?? null];
          };
          return { own: of(own), other: of(other) };
        };
        const own = await orderOf(elsewhere);
        const other = await orderOf(theirs.references[rail]);
        const right = async () => {
          expect(await sweep(mine.ledger)).toBe(0);
          expect(await bookDifferences(mine.ledger)).toEqual([]);
        };
        const back = () => rename(elsewhere, references[rail]);
        return {
          ...mine,
          own,
          other,
          row: String(row?.id),
          doIt,
          asked,
          standing,
          right,
          back,
          paymentId,
          change,
        };
      }
      const newestAudit = async () => {
        const [entry] = await store.db.select().from(auditEntries).orderBy(desc(auditEntries.id)).limit(1);
        return entry?.id;
      };
      const days = rail === "card" ? 30 : 365;
      const unpaid = [0, null];
      const paid = [1, new Date(START + days * 86_400_000).toISOString()];
      const open = { resolvedAt: null, resolution: null, resolvedAs: null };

      test("leaves the wrong order unpaid, and is open for its own", async () => {
        const { own, other, row, doIt, standing, right, lines, paymentId } = await astray();
        const credited = await doIt("unmatched-credit", [row], { order: other });
        expect(await standing()).toEqual({ own: unpaid, other: paid });
        expect(await rows()).toMatchObject([{ resolvedAs: "credited", orderId: other }]);
        await right();
        const told = lines.length;
        const undone = await doIt("undo", [credited]);
        expect(await standing()).toEqual({ own: unpaid, other: [0, new Date(START).toISOString()] });
        expect(await rows()).toMatchObject([{ ...open, paymentId }]);
        await right();
        expect(lines.slice(told).filter((line) => line.includes('"error"'))).toEqual([]);
        // Taken back, and so credited to the wrong one once more; and at last to its own.
        const again = await doIt("undo", [undone]);
        expect(await standing()).toEqual({ own: unpaid, other: paid });
        await right();
        await doIt("undo", [again]);
        await doIt("unmatched-credit", [row], { order: own });
        expect(await standing()).toEqual({ own: paid, other: [0, new Date(START).toISOString()] });
        expect(await rows()).toMatchObject([{ resolvedAs: "credited", orderId: own }]);
        await right();
      });

      test("is credited to its own order by the provider's next word", async () => {
        const { other, row, doIt, standing, right, back, tell, clock, paymentId, change } = await astray();
        const credited = await doIt("unmatched-credit", [row], { order: other });
        await doIt("undo", [credited]);
        clock.now += 1_000;
        // Its order is not known yet: nothing is credited, and the row stays the only one.
        expect(await tell(rail, change)).toBe(200);
        expect(await standing()).toMatchObject({ own: unpaid, other: [0, expect.any(String)] });
        expect(await rows()).toMatchObject([{ ...open, paymentId }]);
        await back();
        expect(await tell(rail, change)).toBe(200);
        expect(await standing()).toMatchObject({
          own: [1, expect.any(String)],
          other: [0, expect.any(String)],
        });
        expect(await rows()).toMatchObject([{ paymentId, resolvedAt: new Date(clock.now) }]);
        await right();
        // What undoes that entry now would take money that is another order's.
        await expect(doIt("undo", [credited])).rejects.toThrow(`Audit entry ${credited} was undone`);
      });

      test("is given back to no order's harm", async () => {
        const { other, row, doIt, standing, right, ledger, paymentId } = await astray();
        const credited = await doIt("unmatched-credit", [row], { order: other });
        await doIt("undo", [credited]);
        const amount = rail === "card" ? 3_990_000n : 29_990_000n;
        const refund = { reversalId: `refund_${rail}`, kind: "refund", state: "done", asOf: START } as const;
        await reversePayment(ledger, { rail, paymentId, amount, ...refund });
        expect(await standing()).toEqual({ own: unpaid, other: [0, new Date(START).toISOString()] });
        await right();
        // Credited after that, it is worth nothing.
        await doIt("unmatched-credit", [row], { order: other });
        expect((await standing()).other).toEqual([0, new Date(START).toISOString()]);
        await right();
      });
    },
  );

  test("a payment that Stripe tells of whole, not by its number, is credited", async () => {
    const { tell, seen } = await buyer();
    expect(await tell("stripe", { payment_intent: { id: "pi_whole", object: "payment_intent" } })).toBe(200);
    expect(await seen("stripe")).toEqual({ status: 1, taken: [29_990_000n] });
    expect(await rows()).toEqual([]);
  });

  test.each([
    ["balance.available", { id: null }],
    ["customer.created", { id: 7 }],
    ["checkout.session.expired", { id: null }],
    ["checkout.session.async_payment_failed", { id: "\0" }],
    ["checkout.session.expired", { id: "cs_x" }],
    ["checkout.session.completed", { payment_status: "unpaid", payment_intent: null }],
  ])("Stripe's %s with %j has no money in it: answered, and nothing is kept", async (type, change) => {
    const { send, content, seen } = await buyer();
    expect(await send("stripe", Buffer.from(content.stripe(change, type)), "")).toBe(200);
    expect(await rows()).toEqual([]);
    expect(await store.db.$count(webhookEvents)).toBe(0);
    expect(await seen("stripe")).toEqual(untouched);
  });

  test.each([
    ["card", "a mark at its beginning", Buffer.concat([MARK, Buffer.from("{")])],
    ["stripe", "a mark at its beginning", Buffer.concat([MARK, Buffer.from("{")])],
    ["card", "what is no text", Buffer.concat([Buffer.from('{"note":"'), BROKEN, Buffer.from('",')])],
    ["stripe", "what is no text", Buffer.concat([Buffer.from('{"note":"'), BROKEN, Buffer.from('",')])],
  ] as const)(
    "%s: a webhook event with %s is verified by its bytes, and heard",
    async (rail, words, beginning) => {
      const { send, content, seen } = await buyer();
      const payment = `${rail}_${words.length}`;
      const text = content[rail](rail === "card" ? { id: payment } : { payment_intent: payment });
      const raw = Buffer.concat([beginning, Buffer.from(text.slice(1))]);
      // The same text by other bytes.
      const decoded = Buffer.from(new TextDecoder().decode(raw));
      expect(await send(rail, raw, "evt_1", decoded)).toBe(400);
      expect(await send(rail, decoded, "evt_1", raw)).toBe(400);
      expect(await seen(rail)).toEqual(untouched);
      expect(await send(rail, raw, "evt_1")).toBe(200);
      expect((await seen(rail)).status).toBe(1);
      expect(await rows()).toEqual([]);
    },
  );

  test.each(["card", "stripe"] as const)(
    "%s: a webhook event of 600 kB is heard, one of 2 MB is not read",
    async (rail) => {
      const { send, content, seen } = await buyer();
      const large = (bytes: number) =>
        Buffer.from(
          content[rail]({
            ...(rail === "card" ? { id: "pay_l" } : { payment_intent: "pi_l" }),
            note: "x".repeat(bytes),
          }),
        );
      expect(await send(rail, large(2_000_000), "evt_large")).toBe(413);
      expect(await seen(rail)).toEqual(untouched);
      expect(await send(rail, large(600_000), "evt_large")).toBe(200);
      expect((await seen(rail)).status).toBe(1);
    },
  );

  test("what a webhook event may hold, other calls may not", async () => {
    const { ask } = await buyer();
    const body = { account_name: "a".repeat(600_000), password: PASSWORD };
    expect((await ask("/api/login", { body })).status).toBe(413);
  });

  test.each(["card", "stripe"] as const)(
    "%s: our own failure is said as one, and the webhook event is still to be heard",
    async (rail) => {
      const { tell, seen, lines, service } = await buyer();
      const change = rail === "card" ? { id: "pay_f" } : { payment_intent: "pi_f" };
      vi.spyOn(service.db, "transaction").mockRejectedValue(new Error("the connection was lost"));
      expect(await tell(rail, change)).toBe(500);
      vi.restoreAllMocks();
      expect(lines.filter((line) => line.includes('"webhook failed"'))).toHaveLength(1);
      expect(await tell(rail, change)).toBe(200);
      expect((await seen(rail)).status).toBe(1);
    },
  );
});
