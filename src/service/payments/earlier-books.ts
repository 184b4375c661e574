/** Writes the book of what earlier releases took in: they kept sums, and wrote over them. */
import { and, eq, gt, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
import type { Database } from "../store/database.ts";
import {
  auditEntries,
  orders,
  payments,
  reversals,
  storedSettings,
  transfers,
  unmatchedPayments,
} from "../store/schema.ts";
import { storedSetting } from "../store/stored-settings.ts";
import { inTransaction } from "../store/transaction.ts";
import { CENT, isUnwritten, lockOrders, recordSources, recordTransfer, transferCause } from "./book.ts";
import { moveHeldTransfer, moveOfOrder } from "./book-by-hand.ts";
import { settleOrder, type Ledger, type Order } from "./ledger.ts";
import { RESOLVED_BY_ITSELF } from "./unmatched.ts";

/** Orders that are looked at in one query. */
const AT_ONCE = 200;
/** The name under which a database says that its book is whole. */
const BOOK = "book";
/** The name under which it says that what banks took for good is no longer contested. */
const LOST_DISPUTES = "lost disputes";

/** Whether the book holds everything, of earlier releases too. */
export async function isBookComplete(db: Database): Promise<boolean> {
  const [found] = await db.select().from(storedSettings).where(eq(storedSettings.key, BOOK));
  return found !== undefined;
}

/**
 * Writes the book of what an earlier release took in, once for a database. Safe to end anywhere, and to do in several
 * processes.
 * @param signal ends it early
 */
export async function completeBook(ledger: Ledger, signal?: AbortSignal): Promise<void> {
  if (!(await isBookComplete(ledger.db))) await writeBook(ledger, signal);
  await returnLost(ledger, signal);
}

/** Earlier releases left the money of a lost dispute contested for ever. */
async function returnLost(ledger: Ledger, signal?: AbortSignal): Promise<void> {
  const { db } = ledger;
  const [done] = await db.select().from(storedSettings).where(eq(storedSettings.key, LOST_DISPUTES));
  if (done) return;
  const found = await db
    .selectDistinct({ id: payments.orderId })
    .from(reversals)
    .innerJoin(payments, and(eq(payments.rail, reversals.rail), eq(payments.paymentId, reversals.paymentId)))
    .where(and(eq(reversals.kind, "dispute"), eq(reversals.state, "lost")));
  for (const { id } of found) {
    if (signal?.aborted) return;
    await inTransaction(db, (tx) => settleOrder(ledger, tx, id));
  }
  await storedSetting(db, LOST_DISPUTES, "returned");
}

/** What is known of it, with the times at which it happened. */
async function writeBook(ledger: Ledger, signal?: AbortSignal): Promise<void> {
  const { db, now, log } = ledger;
  let written = 0;
  let after = "";
  for (;;) {
    const found = await db
      .select({ id: orders.id })
      .from(orders)
      .where(and(gt(orders.id, after), isUnwritten))
      .orderBy(orders.id)
      .limit(AT_ONCE);
    for (const { id } of found) {
      if (signal?.aborted) return;
      await inTransaction(db, (tx) => writeOrder(ledger, tx, id));
      written += 1;
    }
    after = found.at(-1)?.id ?? "";
    if (found.length < AT_ONCE) break;
  }
  const alone = await db
    .select()
    .from(transfers)
    .where(and(isNull(transfers.orderId), eq(transfers.state, "final")));
  for (const transfer of alone) await inTransaction(db, (tx) => writeTransfer(ledger, tx, transfer));
  await storedSetting(db, BOOK, "complete");
  if (written + alone.length > 0)
    log("book written", { orders: written, transfers: alone.length, at: new Date(now()).toISOString() });
}

async function writeOrder(ledger: Ledger, tx: Database, id: string): Promise<void> {
  const [order] = await lockOrders(tx, [id]);
  if (!order) return;
  const now = new Date(ledger.now());
  const book = await recordSources(tx, order, { at: now }, true);
  const back = await tx
    .select()
    .from(transfers)
    .where(and(eq(transfers.orderId, id), eq(transfers.state, "final"), eq(transfers.heldFor, "refunded")));
  for (const transfer of back) {
    const cause = transferCause(transfer);
    if (book.of("returned", cause) > 0n) continue;
    const by = (await handOf(tx, order, cause)) ?? { at: transfer.finalAt ?? now, auditId: null };
    await moveOfOrder(tx, order, { from: "paying", to: "returned", cause }, by);
  }
  await returnSurplus(tx, order);
  await settleOrder(ledger, tx, id, { at: order.confirmedAt ?? now });
}

/** A transfer without an order that an operator saw to was given back. */
async function writeTransfer(
  ledger: Ledger,
  tx: Database,
  transfer: typeof transfers.$inferSelect,
): Promise<void> {
  const at = transfer.finalAt ?? new Date(ledger.now());
  const isReturned = transfer.heldFor === "refunded";
  await recordTransfer(tx, isReturned ? { ...transfer, heldFor: "no order" } : transfer, at);
  if (!isReturned) return;
  const by = (await handOf(tx, null, transferCause(transfer))) ?? { at, auditId: null };
  await moveHeldTransfer(tx, transfer, "returned", by);
}

/** Who gave a transfer back, and when: its order's refund, or the row of the operator's list. */
async function handOf(tx: Database, order: Order | null, cause: string) {
  const row = tx
    .select({ subject: sql<string>`'unmatched ' || ${unmatchedPayments.id}` })
    .from(unmatchedPayments)
    .where(and(eq(unmatchedPayments.rail, "usdt"), eq(unmatchedPayments.eventId, cause)));
  const [found] = await tx
    .select({ at: auditEntries.at, auditId: auditEntries.id })
    .from(auditEntries)
    .where(
      or(
        order
          ? and(eq(auditEntries.subject, `order ${order.id}`), eq(auditEntries.action, "refund"))
          : undefined,
        and(eq(auditEntries.action, "unmatched resolve"), sql`${auditEntries.subject} IN (${row})`),
      ),
    )
    .orderBy(auditEntries.id)
    .limit(1);
  return found;
}

/** What an operator of an earlier release noted of a surplus, was given back. */
async function returnSurplus(tx: Database, order: Order): Promise<void> {
  const seenTo = await tx
    .select({ row: unmatchedPayments, auditId: auditEntries.id })
    .from(unmatchedPayments)
    .innerJoin(
      auditEntries,
      and(
        eq(auditEntries.action, "unmatched resolve"),
        eq(auditEntries.subject, sql`'unmatched ' || ${unmatchedPayments.id}`),
      ),
    )
    .where(
      and(
        eq(unmatchedPayments.orderId, order.id),
        eq(unmatchedPayments.reason, "surplus"),
        isNotNull(unmatchedPayments.resolvedAt),
        ne(unmatchedPayments.resolution, RESOLVED_BY_ITSELF),
      ),
    );
  for (const { row, auditId } of seenTo) {
    const amount = BigInt(row.amount ?? 0) * (row.rail === "usdt" ? 1n : CENT);
    const by = { at: row.resolvedAt ?? row.receivedAt, auditId, reference: row.resolution };
    await moveOfOrder(tx, order, { from: "paying", to: "returned", amount }, by);
  }
}
