/** The ledger: what money is credited to which order, and what follows. Every rail writes money down and then settles the order here. */
import { and, desc, eq, gt, inArray, isNotNull, ne, or, sql } from "drizzle-orm";
import { OrderStatus } from "../../contract/calls.ts";
import { DAY, HOUR } from "../../contract/durations.ts";
import type { Log } from "../platform/log.ts";
import type { Database, Store } from "../store/database.ts";
import {
  accounts,
  membershipEntries,
  movements,
  orders,
  payments,
  storedSettings,
  transfers,
  type Balance,
} from "../store/schema.ts";
import { storedSetting } from "../store/stored-settings.ts";
import { inTransaction } from "../store/transaction.ts";
import {
  allocate,
  CENT,
  disputedAfterRefund,
  isUnwritten,
  lockOrders,
  paidFor,
  PAYING,
  recordSources,
  type OrderBook,
} from "./book.ts";
import { isPartPaid, toleranceIn, toleranceOf } from "./standing.ts";
import { extendMembership, revokeMembership, type RevokeReason } from "./membership.ts";
import { noteDifference, seenTo } from "./unmatched.ts";

export type Order = typeof orders.$inferSelect;

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

/** The ledger of a database, as the operator's settings have it. */
export const ledgerOf = (
  settings: { usdtToleranceCents: number; latePaymentDays: number },
  { db, now }: Pick<Store, "db" | "now">,
  log: Log,
): Ledger => ({
  db,
  now,
  log,
  tolerance: BigInt(settings.usdtToleranceCents) * CENT,
  lateDays: settings.latePaymentDays,
});

export type Settled = "confirmed" | "revoked" | "unchanged";

/** How an order is settled. */
export interface Settling {
  /** Why money may be gone; without one, a confirmed order stays so: the tolerance may have been another before. */
  cause?: RevokeReason;
  /** The operator's audit entry that moved money. */
  auditId?: number;
  /** When what is written of it happened; now, where nothing is said. */
  at?: Date;
}

/**
 * Brings the book of an order in line with the money that is there, and the order in line with the book, within the
 * transaction that changed the money. Enough money confirms the order and extends the membership; money that is gone again
 * takes the days back. Safe to repeat.
 */
export async function settleOrder(
  ledger: Ledger,
  tx: Database,
  orderId: string,
  { cause, auditId, at = new Date(ledger.now()) }: Settling = {},
): Promise<Settled> {
  // Locked before the book is read: of two payments that come at once, the later one sees both.
  const [order] = await lockOrders(tx, [orderId]);
  if (!order) return "unchanged";
  const by = auditId === undefined ? {} : { auditId };
  const book = await recordSources(tx, order, { at, ...by });
  const isConfirmed = order.status === OrderStatus.confirmed;
  const owed = order.amount - toleranceOf(order, ledger.tolerance);
  const isDeleted = await isOfDeleted(tx, order);
  // Nothing gives a deleted account days again, however its money came back: that is the operator's to give back or to keep.
  const canBePaid = isConfirmed || !isDeleted;
  const isPaid = (await paidFor(tx, book, order)) >= owed;
  const isCovered = isPaid || (isConfirmed && (!cause || (await isUntouched(tx, book, order))));
  const isEnough = canBePaid && isCovered;
  // An order in USDT that was given back asks for no more: what comes for it is too much, until it is enough.
  const isGivenBack =
    order.rail === "usdt" && order.status === OrderStatus.failed && (await wasPaid(tx, order));
  const isVoid = isDeleted || isGivenBack;
  await allocate(tx, book, order, isEnough ? "paid" : isVoid ? "void" : "short", { at });
  await noteDifferences(ledger, tx, order, book, isEnough);
  const partPaid = book.of("open") >= CENT;
  if (partPaid !== order.partPaid) await tx.update(orders).set({ partPaid }).where(eq(orders.id, order.id));
  if (isEnough && !isConfirmed) {
    const confirmedAt = new Date(ledger.now());
    await tx
      .update(orders)
      .set({ status: OrderStatus.confirmed, confirmedAt })
      .where(eq(orders.id, order.id));
    await extendMembership(tx, order, ledger.now(), by);
    return "confirmed";
  }
  if (!isEnough && cause && isConfirmed) {
    // What a reorganisation took away may come again by itself.
    const status = cause === "reorganisation" ? OrderStatus.pending : OrderStatus.failed;
    await tx.update(orders).set({ status, confirmedAt: null }).where(eq(orders.id, order.id));
    await revokeMembership(tx, order, cause, ledger.now(), by);
    ledger.log("membership revoked", { order: order.id, cause }, "warn");
    return "revoked";
  }
  const became = await statusOfUnpaid(tx, order, book);
  if (became !== order.status) await tx.update(orders).set({ status: became }).where(eq(orders.id, order.id));
  return "unchanged";
}

/**
 * Whether what an order in USDT was confirmed with is still there, whatever other money of it moved: the tolerance may have
 * been another one then.
 */
async function isUntouched(tx: Database, book: OrderBook, { id, rail }: Order): Promise<boolean> {
  if (rail !== "usdt" || book.paying() < book.of("credited")) return false;
  const [latest] = await tx
    .select({ to: movements.to })
    .from(movements)
    .where(and(eq(movements.orderId, id), or(eq(movements.from, "credited"), eq(movements.to, "credited"))))
    .orderBy(desc(movements.id))
    .limit(1);
  return latest?.to === "credited";
}

/** Whether an order ever gave days. */
const wasPaid = async (tx: Database, { id }: Order): Promise<boolean> =>
  (await tx.$count(membershipEntries, eq(membershipEntries.orderId, id))) > 0;

/**
 * The status of an order that is not paid. Once an operator kept what came for it, it asks for nothing: that was settled by
 * hand. A provider takes a price whole: once its payment has gone back, or is contested, no other will come for its order,
 * unless that is withdrawn. One that an operator credited to an order says nothing of what may come for it. Whatever comes
 * all the same has an order that was never paid wait for the rest.
 */
async function statusOfUnpaid(tx: Database, order: Order, book: OrderBook): Promise<number> {
  const { rail, status } = order;
  if (status === OrderStatus.confirmed) return status;
  const isTransfer = rail === "usdt";
  if (!isTransfer && book.of("outside", undefined, true) !== 0n) return status;
  const isThere = book.paying() > 0n;
  // A part that is given back in USDT leaves its order open. So does what was held, or too much, and is kept.
  const isSettled = isTransfer
    ? book.movedByAll("open", "kept") > 0n && !(await wasPaid(tx, order))
    : book.of("returned") + book.of("disputed") + book.of("kept") > 0n;
  if (status === OrderStatus.pending) return !isThere && isSettled ? OrderStatus.failed : status;
  return isThere && !(await wasPaid(tx, order)) ? OrderStatus.pending : status;
}

/** Keeps the operator's list in line with what an order took beyond its amount, and with what went back of a paid one. */
async function noteDifferences(
  ledger: Ledger,
  tx: Database,
  order: Order,
  book: OrderBook,
  isEnough: boolean,
): Promise<void> {
  const net = book.paying();
  await noteDifference(ledger, tx, order, "surplus", book.of("surplus"));
  if (order.rail === "usdt") return;
  const isShort = isEnough && net < order.amount;
  await noteDifference(ledger, tx, order, "partly refunded", isShort ? order.amount - net : 0n);
  // A provider takes a price whole: less is no part payment that the rest may follow. While a bank contests a part, that is open.
  const isContested = book.of("disputed") > 0n;
  await noteDifference(ledger, tx, order, "amount differs", isContested ? 0n : book.of("open"));
  const again = await disputedAfterRefund(tx, book, order);
  await noteDifference(ledger, tx, order, "disputed after refund", again);
  // What an operator kept was settled some other way, mostly by days, which nothing takes back by itself; nor gives them again
  // when the money comes back after all.
  const gone = book.movedByAll("kept", "disputed") + book.movedByAll("kept", "returned");
  const cameBack = await seenTo(tx, order, "kept came back");
  await noteDifference(ledger, tx, order, "kept went back", gone + cameBack);
  const wentBack = await seenTo(tx, order, "kept went back");
  await noteDifference(ledger, tx, order, "kept came back", wentBack - gone);
}

/** Whether the account of an order was deleted. */
export async function isOfDeleted(db: Database, { accountId }: Order): Promise<boolean> {
  return (await db.$count(accounts, and(eq(accounts.id, accountId), isNotNull(accounts.deletedAt)))) > 0;
}

/** Smallest units on balances of an order. */
const standing = (...balances: readonly Balance[]) => {
  const those = sql.raw(balances.map((balance) => `'${balance}'`).join(", "));
  return sql<string>`(SELECT coalesce(sum(
    CASE WHEN ${movements.to} IN (${those}) THEN ${movements.amount} ELSE 0 END
    - CASE WHEN ${movements.from} IN (${those}) THEN ${movements.amount} ELSE 0 END), 0)
  FROM ${movements} WHERE ${movements.orderId} = ${orders.id})`;
};
const paying = standing(...PAYING);
/** A release that ran beside this one may have left it as it was. */
const isMislisted = sql`${orders.partPaid} <> (${standing("open")} >= ${sql.raw(String(CENT))})`;

/** In the stored settings: the tolerance of the last sweep. */
const SWEPT_WITH = "swept with tolerance";

/** The tolerance of the last sweep. One that was raised since confirms orders, which is no fault. */
const toleranceBefore = async (db: Database, tolerance: bigint): Promise<bigint> =>
  BigInt(await storedSetting(db, SWEPT_WITH, String(tolerance)));

async function keepTolerance(db: Database, tolerance: bigint): Promise<void> {
  await db
    .update(storedSettings)
    .set({ value: String(tolerance) })
    .where(eq(storedSettings.key, SWEPT_WITH));
}

/** Orders that a sweep settles at most. */
const SWEPT = 500;
/** Ms back in which it looks for money: in a whole sweep, and in one between two of those. */
const WHOLE = 7 * DAY;
export const RECENT = 2 * HOUR;

/**
 * Settles orders that are not confirmed although the credited money covers them. Every payment settles its order itself,
 * so an order that is found here shows a fault, which is reported; or its money is enough by a tolerance that was raised.
 * When that was, a whole sweep looks at every order that is paid in part, whatever its age.
 * @param back ms in which the money came: of the whole week there may be much
 * @returns how many
 */
export async function sweep(ledger: Ledger, back = WHOLE): Promise<number> {
  const { db, now, log, tolerance } = ledger;
  const since = new Date(now() - back);
  const before = await toleranceBefore(db, tolerance);
  const paid = sql`(
    SELECT ${transfers.orderId} FROM ${transfers} WHERE ${gt(transfers.finalAt, since)}
    UNION SELECT ${payments.orderId} FROM ${payments} WHERE ${gt(payments.takenAt, since)})`;
  const isRaised = back >= WHOLE && tolerance > before;
  // In one list: of two, every order there is would be compared with both.
  const paidOrShort = sql`(${paid} UNION SELECT ${orders.id} FROM ${orders} WHERE ${isPartPaid})`;
  const owed = sql`${orders.amount} - ${toleranceIn(tolerance)}`;
  const isPayable = sql`NOT EXISTS (
    SELECT FROM ${accounts} WHERE ${accounts.id} = ${orders.accountId} AND ${accounts.deletedAt} IS NOT NULL)`;
  const found = await db
    .select({
      id: orders.id,
      // An older one may have been left by an earlier rise.
      isForgiven: sql<boolean>`NOT ${isUnwritten}
        AND (${paying} < ${orders.amount} - ${toleranceIn(before)} OR NOT ${inArray(orders.id, paid)})`,
    })
    .from(orders)
    .where(
      and(
        inArray(orders.id, isRaised ? paidOrShort : paid),
        or(
          isUnwritten,
          isMislisted,
          and(ne(orders.status, OrderStatus.confirmed), isPayable, sql`${paying} >= ${owed}`),
        ),
      ),
    )
    .limit(SWEPT);
  let confirmed = 0;
  for (const { id, isForgiven } of found) {
    const settled = await inTransaction(db, (tx) => settleOrder(ledger, tx, id));
    if (settled !== "confirmed") continue;
    confirmed += 1;
    if (isForgiven) log("short order confirmed", { order: id });
    else log("order swept", { order: id }, "warn");
  }
  // Those that it confirms are found first, however many, and however old.
  if (before !== tolerance && back >= WHOLE && found.length < SWEPT) await keepTolerance(db, tolerance);
  return confirmed;
}
