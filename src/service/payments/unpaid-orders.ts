/** Removes orders that were never paid, a long time after they could be. Their addresses stay known as ours: money that still comes there waits for the operator, with whose order it was. */
import { and, eq, isNotNull, isNull, lt, notExists, or, sql } from "drizzle-orm";
import { DAY } from "../../contract/durations.ts";
import type { Database } from "../store/database.ts";
import {
  membershipEntries,
  movements,
  orders,
  payments,
  receivingAddresses,
  transfers,
  unmatchedPayments,
} from "../store/schema.ts";
import { inTransaction } from "../store/transaction.ts";

/** Orders that one transaction removes: few enough for the longest that a statement may take. */
const BATCH = 500;

/** Whether nothing refers to the order: no money was ever seen for it, final or not, and no operator had to do with it. */
const isUntouched = (db: Database) =>
  and(
    ...[transfers, payments, unmatchedPayments, membershipEntries, movements].map((table) =>
      notExists(
        db
          .select({ one: sql`1` })
          .from(table)
          .where(eq(table.orderId, orders.id)),
      ),
    ),
  );

/** Removes some. @returns how many were found; fewer than a batch: there are no more */
async function removeBatch(tx: Database, before: Date): Promise<number> {
  const due = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        // Word for word as in the index. By card there is one open order for each package, which is gone on with at any age.
        sql`${orders.status} <> 1 AND ${orders.rail} <> 'card'`,
        lt(orders.createdAt, before),
        // The addresses of earlier releases have no place in the other table.
        or(isNull(orders.address), and(isNotNull(orders.keyFingerprint), isNotNull(orders.rawAddress))),
        isUntouched(tx),
      ),
    )
    .orderBy(orders.createdAt)
    .limit(BATCH)
    .for("update", { skipLocked: true });
  const ids = due.map(({ id }) => id);
  // Asked again: money may have come in before the rows were locked. From here on it waits.
  await tx.execute(sql`
    WITH removed AS (
      DELETE FROM ${orders} WHERE ${orders.id} = ANY(${sql.param(ids)}::text[]) AND ${isUntouched(tx)} RETURNING *)
    INSERT INTO ${receivingAddresses} (fingerprint, series, index, raw, order_id, account_id)
    SELECT key_fingerprint, address_series, address_index, raw_address, id, account_id
    FROM removed WHERE raw_address IS NOT NULL
    ON CONFLICT (raw) DO UPDATE SET order_id = excluded.order_id, account_id = excluded.account_id`);
  return due.length;
}

/**
 * Safe to repeat, to end anywhere, and to do in several processes at once: an order goes and its address stays in one
 * transaction.
 * @param now milliseconds since 1970, UTC
 * @param days age from which on; 0: orders are kept for good
 */
export async function removeUnpaidOrders(db: Database, now: number, days: number): Promise<void> {
  if (days === 0) return;
  const before = new Date(now - days * DAY);
  let found = BATCH;
  while (found === BATCH) found = await inTransaction(db, (tx) => removeBatch(tx, before));
}
