/** The ledger: what money is credited to which order, and what follows. Every rail writes money down and then settles the order here. */
import { and, eq, gt, inArray, ne, sql } from "drizzle-orm";
import { USD_DECIMALS, USDT_DECIMALS } from "../../../machines/money.ts";
import { OrderStatus } from "../../contract/calls.ts";
import type { Log } from "../operations/log.ts";
import type { Database } from "../store/database.ts";
import { orders, payments, transfers } from "../store/schema.ts";
import { inTransaction } from "../store/transaction.ts";
import { extendMembership, revokeMembership, type RevokeReason } from "./membership.ts";
import { RESOLVED_BY_ITSELF, resolveUnmatched, updateUnmatched } from "./unmatched.ts";

export type Order = typeof orders.$inferSelect;

/** One dollar is one USDT: cents become smallest units. */
export const UNITS_PER_CENT = 10n ** BigInt(USDT_DECIMALS - USD_DECIMALS);

/** What every rail writes money with. */
export interface Ledger {
  db: Database;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
  /** Smallest units by which an order in USDT may be short, but no more than half of it: exchanges take fees from the amount. */
  tolerance: bigint;
  /** Days after which money for an order in USDT is not credited by itself. */
  lateDays: number;
}

/** Smallest units that an order has been paid: final transfers that are not held, and payments that were neither refunded nor disputed. */
const credited = sql<string>`(
  coalesce((SELECT sum(${transfers.amount}) FROM ${transfers}
    WHERE ${transfers.orderId} = ${orders.id} AND ${transfers.state} = 'final' AND ${transfers.heldFor} IS NULL), 0)
  + coalesce((SELECT sum(${payments.amount}) FROM ${payments}
    WHERE ${payments.orderId} = ${orders.id} AND ${payments.refunded} < ${payments.amount} AND ${payments.disputedAt} IS NULL), 0)
)`;

export type Settled = "confirmed" | "revoked" | "unchanged";

/**
 * Brings an order in line with the money that is credited to it, within the transaction that changed the money. Enough
 * money confirms the order and extends the membership; money that is gone again takes the days back. Safe to repeat.
 * @param cause why money may be gone; without one, a confirmed order stays so: the tolerance may have been another before
 */
export async function settleOrder(
  ledger: Ledger,
  tx: Database,
  orderId: string,
  cause?: RevokeReason,
): Promise<Settled> {
  // The row is locked before the sum is taken: of two payments that come at once, the later one sees both.
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for("update");
  if (!order) return "unchanged";
  const [row] = await tx.select({ credited }).from(orders).where(eq(orders.id, orderId));
  const paid = BigInt(row?.credited ?? 0);
  const half = order.amount / 2n;
  const tolerance = ledger.tolerance < half ? ledger.tolerance : half;
  const enough = paid >= order.amount - (order.rail === "usdt" ? tolerance : 0n);
  await noteSurplus(ledger, tx, order, paid - order.amount);
  if (enough && order.status !== OrderStatus.confirmed) {
    const confirmedAt = new Date(ledger.now());
    await tx
      .update(orders)
      .set({ status: OrderStatus.confirmed, confirmedAt })
      .where(eq(orders.id, order.id));
    await extendMembership(tx, order, ledger.now());
    return "confirmed";
  }
  if (!enough && cause && order.status === OrderStatus.confirmed) {
    // What a reorganisation took away may come again by itself.
    const status = cause === "reorganisation" ? OrderStatus.pending : OrderStatus.failed;
    await tx.update(orders).set({ status, confirmedAt: null }).where(eq(orders.id, order.id));
    await revokeMembership(tx, order, cause, ledger.now());
    ledger.log("membership revoked", { order: order.id, cause }, "warn");
    return "revoked";
  }
  return "unchanged";
}

/** Puts what an order took beyond its amount on the operator's list, once for an order, with the latest sum. */
async function noteSurplus(ledger: Ledger, tx: Database, order: Order, surplus: bigint): Promise<void> {
  const { rail, currency, id } = order;
  const eventId = `surplus:${id}`;
  if (surplus <= 0n) return resolveUnmatched(ledger, tx, { rail, eventId }, RESOLVED_BY_ITSELF);
  await updateUnmatched(ledger, tx, {
    rail,
    eventId,
    orderId: id,
    reference: order.address ?? order.thirdReferenceId,
    // As the rail counts it.
    amount: String(rail === "usdt" ? surplus : surplus / UNITS_PER_CENT),
    currency,
    reason: "surplus",
    body: "",
  });
}

/** Orders that a sweep settles at most. */
const SWEPT = 500;
/** Days back in which it looks for money. */
const SWEEP_DAYS = 7;
const DAY = 86_400_000;

/**
 * Settles orders that are not confirmed although the credited money covers them. Every payment settles its order itself,
 * so an order that is found here shows a fault: it is reported.
 * @returns how many
 */
export async function sweep(ledger: Ledger): Promise<number> {
  const { db, now, log, tolerance } = ledger;
  const since = new Date(now() - SWEEP_DAYS * DAY);
  const paid = sql`(
    SELECT ${transfers.orderId} FROM ${transfers} WHERE ${gt(transfers.finalAt, since)}
    UNION SELECT ${payments.orderId} FROM ${payments} WHERE ${gt(payments.takenAt, since)})`;
  const owed = sql`${orders.amount} - CASE WHEN ${orders.rail} = 'usdt' THEN least(${String(tolerance)}::bigint, ${orders.amount} / 2) ELSE 0 END`;
  const covered = await db
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(inArray(orders.id, paid), ne(orders.status, OrderStatus.confirmed), sql`${credited} >= ${owed}`),
    )
    .limit(SWEPT);
  let confirmed = 0;
  for (const { id } of covered) {
    const settled = await inTransaction(db, (tx) => settleOrder(ledger, tx, id));
    if (settled !== "confirmed") continue;
    confirmed += 1;
    log("order swept", { order: id }, "warn");
  }
  return confirmed;
}
