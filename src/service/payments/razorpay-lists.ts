/** Razorpay's lists of payments, refunds and disputes. It has no list of its webhook events. */
import { and, eq, gt, inArray } from "drizzle-orm";
import * as v from "valibot";
import { DAY } from "../../contract/durations.ts";
import { orders, payments, reversals } from "../store/schema.ts";
import { CENT } from "./book.ts";
import type { Ledger, Order } from "./ledger.ts";
import { ORDER_ID } from "./orders.ts";
import type { Reversal } from "./provider.ts";
import { RailFailed } from "./rails.ts";
import { disputeState, isTaken } from "./razorpay-states.ts";
import { newsOf, UNDER_WAY, type Page, type ProviderList } from "./provider-lists.ts";
import {
  answeredAt,
  answerOf,
  fieldsOf,
  identifierOf,
  keepUnmatched,
  millisecondsOf,
  noteProcessed,
  processedAmong,
  reverseMoney,
  type ReportedReversal,
} from "./webhook-events.ts";

/** Items of a page, at most. */
const COUNT = 100;

/** Ms for which a payment is asked about after a refund of it failed: the answer may still hold the refund at first. */
const ASKED_AGAIN = 2 * DAY;

/** The words for the state of a refund and of a dispute. */
const STATES: Readonly<Record<"refund" | "dispute", Readonly<Record<string, Reversal["state"]>>>> = {
  refund: { pending: "open", processed: "done", failed: "void" },
  dispute: { open: "open", under_review: "open", lost: "lost", won: "void", closed: "closed" },
};

const collection = v.looseObject({ items: v.array(v.unknown()) });
const skipped = v.pipe(v.string(), v.digits(), v.transform(Number));
const seconds = (at: number) => String(Math.floor(at / 1000));

type Told = ReportedReversal & { item: unknown };

/** What the rail does for its lists. All of it throws RailFailed. */
interface RailCalls {
  /** One request. */
  ask: (path: string, query: string) => Promise<unknown>;
  /** Credits a payment as it is listed, or keeps it as unmatched where its order is not there. @returns whether it was not known before */
  credit: (payment: Record<string, unknown>, orderId: string, askedAt: number) => Promise<boolean>;
  /** Asks about an order of which a payment is authorised. @returns whether there was news */
  settle: (order: Order) => Promise<boolean>;
  /** Asks about a payment of which a refund failed. */
  refresh: (paymentId: unknown) => Promise<void>;
}

export function razorpayLists(ledger: Ledger, { ask, credit, settle, refresh }: RailCalls): ProviderList[] {
  /** The page after so many items as `cursor` says. */
  async function page(path: string, query: Record<string, string>, cursor: string | null): Promise<Page> {
    const skip = v.parse(skipped, cursor ?? "0");
    const parameters = new URLSearchParams({ ...query, count: String(COUNT), skip: String(skip) });
    const answer = await ask(path, `?${parameters}`);
    if (!v.is(collection, answer)) throw new RailFailed(`Razorpay answered GET ${path} with no list`);
    const { items } = answer;
    return { items, next: items.length < COUNT ? null : String(skip + items.length) };
  }

  /** Of refunds that failed, the payments of those that are known to have failed since not long ago. */
  async function failedLately(told: readonly Told[], askedAt: number): Promise<ReadonlySet<string>> {
    const ids = told.map(({ reversalId }) => identifierOf(reversalId)).filter((id) => id !== null);
    if (ids.length === 0) return new Set();
    const found = await ledger.db
      .select({ paymentId: reversals.paymentId })
      .from(reversals)
      .where(
        and(
          eq(reversals.rail, "card"),
          inArray(reversals.reversalId, ids),
          gt(reversals.asOf, new Date(askedAt - ASKED_AGAIN)),
        ),
      );
    return new Set(found.map(({ paymentId }) => paymentId));
  }

  const take =
    (kind: "refund" | "dispute") =>
    async (items: readonly unknown[], askedAt: number): Promise<number> => {
      const told: Told[] = [];
      for (const item of items) {
        const fields = fieldsOf(item);
        const { id, payment_id: paymentId, status, amount, currency } = fields;
        const words = STATES[kind];
        const word = typeof status === "string" && Object.hasOwn(words, status) ? words[status] : undefined;
        if (word) {
          const asOf = answeredAt(askedAt);
          const state = kind === "dispute" ? disputeState(word, fields) : word;
          told.push({ item, reversalId: id, paymentId, kind, state, amount, currency, asOf });
        } else {
          const reported = { reference: paymentId, amount, currency };
          await keepUnmatched(ledger, reportOf(kind, item), reported, "refund unreadable");
        }
      }
      let changed = 0;
      const news = await newsOf(ledger, "card", told, (amount) => BigInt(amount) * CENT);
      for (const { item, ...reversal } of news) {
        // First, so that it is asked for again where there is no answer.
        if (reversal.state === "void" && kind === "refund") await refresh(reversal.paymentId);
        if (await reverseMoney(ledger, reportOf(kind, item), reversal)) changed += 1;
      }
      if (kind === "refund") {
        // Last, so that it holds up nothing.
        const known = told.filter((each) => each.state === "void" && !news.includes(each));
        for (const paymentId of await failedLately(known, askedAt)) await refresh(paymentId);
      }
      return changed;
    };

  /** The number of the shop's order that a provider's order was made for; null: it is of other business. Only the shop writes its receipt and notes. */
  async function shopOrderOf(reference: string): Promise<string | null> {
    const path = `/v1/orders/${encodeURIComponent(reference)}`;
    const { id, receipt, notes } = fieldsOf(await ask(path, ""));
    if (id !== reference) throw new RailFailed(`Razorpay answered GET ${path} with another order`);
    const isShops = typeof receipt === "string" && ORDER_ID.test(receipt);
    return isShops && fieldsOf(notes)["order_id"] === receipt ? receipt : null;
  }

  /**
   * Of payments for orders that the database does not know, keeps those of the shop: it was restored from a backup. Others are
   * of the account's other business. Each is asked about once; one that cannot be asked about is, the next time.
   */
  async function keepUnknown(found: readonly Record<string, unknown>[], askedAt: number): Promise<void> {
    const { db, now, log } = ledger;
    const unknown = found.flatMap((payment) => {
      const [id, reference] = [identifierOf(payment["id"]), identifierOf(payment["order_id"])];
      const isThere = isTaken(payment) && payment["amount_refunded"] !== payment["amount"];
      // The shop's orders are in dollars.
      if (id === null || reference === null || !isThere || payment["currency"] !== "USD") return [];
      return [{ payment, reference, note: `order of ${id}` }];
    });
    const asked = await processedAmong(
      db,
      "card",
      unknown.map(({ note }) => note),
    );
    for (const { payment, reference, note } of unknown) {
      if (asked.has(note)) continue;
      try {
        const orderId = await shopOrderOf(reference);
        if (orderId !== null) await credit(payment, orderId, askedAt);
        await noteProcessed(db, "card", note, now());
      } catch (error) {
        if (!(error instanceof RailFailed)) throw error;
        log("refresh failed", { rail: "card", reference, error: error.message }, "warn");
        // Where it answers no other question either, the rest is asked about the next time.
        if (!error.isOfOne) return;
      }
    }
  }

  /** Credits what no webhook told of, and has the rest asked about that is authorised. */
  async function takePayments(items: readonly unknown[], askedAt: number): Promise<number> {
    const { db } = ledger;
    const told = items.map(fieldsOf).filter((payment) => {
      const isOver = millisecondsOf(payment["created_at"], askedAt) < askedAt - UNDER_WAY;
      return isOver && (isTaken(payment) || payment["status"] === "authorized");
    });
    const named = (name: string) =>
      told.map((payment) => identifierOf(payment[name])).filter((id) => id !== null);
    const references = named("order_id");
    if (references.length === 0) return 0;
    const ours = await db
      .select()
      .from(orders)
      .where(and(eq(orders.rail, "card"), inArray(orders.thirdReferenceId, references)));
    const stored = await db
      .select({ id: payments.paymentId })
      .from(payments)
      .where(and(eq(payments.rail, "card"), inArray(payments.paymentId, named("id"))));
    const isKnown = new Set(stored.map(({ id }) => id));
    const asking = new Set<Order>();
    const unknown: Record<string, unknown>[] = [];
    let changed = 0;
    for (const payment of told) {
      const order = ours.find(({ thirdReferenceId }) => thirdReferenceId === payment["order_id"]);
      if (isKnown.has(String(payment["id"]))) continue;
      if (!order) unknown.push(payment);
      else if (payment["status"] === "authorized") asking.add(order);
      else if (await credit(payment, order.id, askedAt)) changed += 1;
    }
    for (const order of asking) if (await settle(order)) changed += 1;
    // Last, so that it holds up nothing.
    await keepUnknown(unknown, askedAt);
    return changed;
  }

  return [
    {
      name: "payments",
      // The bank may say five days later that it authorised one.
      overlap: 7 * DAY,
      page: (from, to, cursor) => page("/v1/payments", { from: seconds(from), to: seconds(to) }, cursor),
      take: takePayments,
    },
    {
      name: "refunds",
      // A refund is pending for five to seven working days.
      overlap: 21 * DAY,
      page: (from, to, cursor) => page("/v1/refunds", { from: seconds(from), to: seconds(to) }, cursor),
      take: take("refund"),
    },
    {
      name: "disputes",
      // One may be decided months after it began.
      overlap: 180 * DAY,
      async page(from, _, cursor) {
        // It takes no times, and tells the latest first.
        const read = await page("/v1/disputes", {}, cursor);
        const isOld = (item: unknown) => millisecondsOf(fieldsOf(item)["created_at"], from) < from;
        return read.items.every(isOld) ? { items: [], next: null } : read;
      },
      take: take("dispute"),
    },
  ];
}

const reportOf = (kind: string, item: unknown) =>
  answerOf("card", identifierOf(fieldsOf(item)["id"]) ?? kind, item);
