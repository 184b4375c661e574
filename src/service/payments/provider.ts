/** What the card provider and Stripe report, written into the ledger: captured payments, and refunds and disputes of them. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { and, eq, gt, sql } from "drizzle-orm";
import { OrderStatus } from "../../contract/calls.ts";
import { MINUTE } from "../../contract/durations.ts";
import type { Database } from "../store/database.ts";
import { orders, payments, reversals, type Rail } from "../store/schema.ts";
import { inTransaction, advisoryLock } from "../store/transaction.ts";
import { isWithdrawn, least, lockOrders, receiveAgain } from "./book.ts";
import { isOfDeleted, settleOrder, type Ledger, type Order, type Settled } from "./ledger.ts";
import { resolveUnmatched } from "./unmatched.ts";

export type ProviderRail = Exclude<Rail, "usdt">;

/** What names an order of ours at a provider: its own identifier, or our order's id from the metadata. */
export interface OrderNames {
  reference: string | null;
  orderId: string | null;
}

/** Money that a provider took for an order of ours. */
export interface CapturedPayment extends OrderNames {
  rail: ProviderRail;
  /** The provider's number of the payment. */
  paymentId: string;
  /** In smallest units. */
  amount: bigint;
}

/** Money that went back, or that a bank contests. */
export interface Reversal {
  rail: ProviderRail;
  /** The provider's number of the refund, dispute, or payment that was refunded. */
  reversalId: string;
  paymentId: string;
  /** `total`: all that went back of a payment so far, where the provider says the sum alone. */
  kind: "refund" | "total" | "dispute";
  /** In smallest units. 0 of a dispute: how much it is about is not told. */
  amount: bigint;
  /** `void`: it failed, was won or closed, and counts no more. `lost` is not undone by `closed`. */
  state: "open" | "done" | "lost" | "closed" | "void";
  /** When the provider said so, in milliseconds. Of two reports the later one holds, in whatever order they arrive. */
  asOf: number;
}

/** A payment for an order that is none of ours. */
export class OrderUnknown extends Error {}

/** A payment that came for an order after its account was deleted. */
export class AccountDeleted extends Error {
  readonly orderId: string;
  constructor(orderId: string) {
    super("The account of the order was deleted.");
    this.orderId = orderId;
  }
}

/** HMAC-SHA256 in hexadecimal digits, as both providers sign. */
export const sign = (signed: string | Uint8Array, secret: string) =>
  createHmac("sha256", secret).update(signed).digest("hex");

/** Whether `signature` is that of `signed`, in constant time. */
export function isSigned(signed: string | Uint8Array, signature: string, secret: string): boolean {
  const expected = Buffer.from(sign(signed, secret));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** An order of ours as a provider names it, its row not locked. Its own identifier goes before the metadata. */
export async function orderNamed(
  db: Database,
  rail: ProviderRail,
  { reference, orderId }: OrderNames,
): Promise<Order | undefined> {
  const ways = [
    reference === null ? undefined : eq(orders.thirdReferenceId, reference),
    orderId === null ? undefined : eq(orders.id, orderId),
  ];
  for (const way of ways) {
    if (!way) continue;
    const [order] = await db
      .select()
      .from(orders)
      .where(and(eq(orders.rail, rail), way));
    if (order) return order;
  }
  return undefined;
}

/** The same, its row and its account's locked. */
async function lockedOrder(tx: Database, rail: ProviderRail, names: OrderNames): Promise<Order | undefined> {
  const named = await orderNamed(tx, rail, names);
  const [order] = named ? await lockOrders(tx, [named.id]) : [];
  return order;
}

/** Holds up other reports on the same payment until this transaction ends: a refund and its capture may come at once. */
const lockPayment = (tx: Database, rail: ProviderRail, paymentId: string) =>
  advisoryLock(tx, `${rail}:${paymentId}`);

/** The refunds and disputes of a payment that count. */
async function reversalsOf(db: Database, rail: ProviderRail, paymentId: string) {
  const found = await db
    .select()
    .from(reversals)
    .where(and(eq(reversals.rail, rail), eq(reversals.paymentId, paymentId)));
  return found.filter(({ state }) => state !== "void" && state !== "closed");
}

/** What refunds gave back of a payment, in smallest units: no more than its amount. */
function refundedOf(standing: readonly (typeof reversals.$inferSelect)[], amount: bigint): bigint {
  const amounts = (kind: Reversal["kind"]) =>
    standing.filter((each) => each.kind === kind).map((each) => each.amount);
  const sum = amounts("refund").reduce((total, each) => total + each, 0n);
  const most = amounts("total").reduce((total, each) => (each > total ? each : total), sum);
  return least(most, amount);
}

/** What is left of a payment that was credited to no order, after its refunds and what banks took for good. */
export async function leftOf(
  db: Database,
  { rail, paymentId, amount }: Pick<CapturedPayment, "rail" | "paymentId" | "amount">,
): Promise<bigint> {
  const standing = await reversalsOf(db, rail, paymentId);
  const lost = standing.filter(({ kind, state }) => kind === "dispute" && state === "lost");
  // A dispute that tells no amount is about all of it.
  const taken = lost.reduce((total, each) => total + (each.amount === 0n ? amount : each.amount), 0n);
  return amount - least(refundedOf(standing, amount) + taken, amount);
}

/** Brings a payment in line with its refunds and disputes. */
async function applyReversals(tx: Database, rail: ProviderRail, paymentId: string): Promise<void> {
  const that = and(eq(payments.rail, rail), eq(payments.paymentId, paymentId));
  const [payment] = await tx.select().from(payments).where(that);
  if (!payment) return;
  const standing = await reversalsOf(tx, rail, paymentId);
  const refunded = refundedOf(standing, payment.amount);
  const disputes = standing.filter(({ kind }) => kind === "dispute").map(({ asOf }) => asOf.getTime());
  const disputedAt = disputes.length === 0 ? null : new Date(Math.min(...disputes));
  await tx.update(payments).set({ refunded, disputedAt }).where(that);
}

/**
 * Writes down money that was captured, and settles its order. Safe to repeat, at the same time too. How late the money is,
 * and whether the order had failed, does not matter. If it was unmatched before, it no longer is.
 * @param within the transaction of the webhook event that told of it
 * @param auditId the audit entry of the operator who credits it
 * @throws OrderUnknown, AccountDeleted
 */
export async function takePayment(
  ledger: Ledger,
  captured: CapturedPayment,
  within?: Database,
  auditId?: number,
): Promise<void> {
  const { rail, paymentId, amount } = captured;
  await inTransaction(within ?? ledger.db, async (tx) => {
    await lockPayment(tx, rail, paymentId);
    const order = await lockedOrder(tx, rail, captured);
    if (!order) throw new OrderUnknown();
    const that = and(eq(payments.rail, rail), eq(payments.paymentId, paymentId));
    if ((await isOfDeleted(tx, order)) && (await tx.$count(payments, that)) === 0)
      throw new AccountDeleted(order.id);
    await tx
      .insert(payments)
      .values({ rail, paymentId, orderId: order.id, amount, takenAt: new Date(ledger.now()) })
      .onConflictDoNothing();
    const [payment] = await tx.select().from(payments).where(that);
    // An operator took it away from an order: it is its own order's now, or the one that is named.
    const isOfAnother = payment !== undefined && payment.orderId !== order.id;
    if (payment && (isOfAnother || auditId !== undefined) && (await isWithdrawn(tx, payment))) {
      await tx.update(payments).set({ orderId: order.id }).where(that);
      await receiveAgain(tx, order, payment, { at: new Date(ledger.now()), auditId });
    }
    // What an operator took away from its order, and credits to none, stays on the list.
    if (payment && !(await isWithdrawn(tx, payment)))
      await resolveUnmatched(ledger, tx, { rail, paymentId }, "It was credited to its order.");
    await applyReversals(tx, rail, paymentId);
    await settleOrder(ledger, tx, order.id, {
      cause: "refund",
      ...(auditId === undefined ? {} : { auditId }),
    });
  });
}

/**
 * Writes down a refund or a dispute, and settles the order of its payment. One that comes before its payment counts once
 * the payment is there. Safe to repeat.
 * @returns what became of the order
 */
export async function reversePayment(
  ledger: Ledger,
  reversal: Reversal,
  within?: Database,
): Promise<Settled> {
  const { rail, paymentId, kind, asOf, ...rest } = reversal;
  return inTransaction(within ?? ledger.db, async (tx) => {
    await lockPayment(tx, rail, paymentId);
    const row = { rail, paymentId, kind, ...rest, asOf: new Date(asOf) };
    // Providers write whole seconds. Within one, the report that is further on holds.
    const isFurther = sql`(${reversals.state} = 'open' OR excluded.amount > ${reversals.amount})`;
    // What lies ahead of the clock was written before the clock was set back, and says nothing of what came first.
    const ahead = new Date(ledger.now() + MINUTE);
    const isLater = sql`(${reversals.asOf} < excluded.as_of OR ${gt(reversals.asOf, ahead)}
      OR (${reversals.asOf} = excluded.as_of AND ${isFurther}))`;
    const isUndoing = sql`(${reversals.state} = 'lost' AND excluded.state IN ('closed', 'open'))`;
    await tx
      .insert(reversals)
      .values(row)
      .onConflictDoUpdate({
        target: [reversals.rail, reversals.reversalId],
        set: { amount: row.amount, state: row.state, asOf: row.asOf },
        setWhere: sql`${isLater} AND NOT ${isUndoing}`,
      });
    const [payment] = await tx
      .select({ orderId: payments.orderId })
      .from(payments)
      .where(and(eq(payments.rail, rail), eq(payments.paymentId, paymentId)));
    if (!payment) return "unchanged";
    // Account and order are locked before the payment's row, as when money comes in.
    await lockOrders(tx, [payment.orderId]);
    await applyReversals(tx, rail, paymentId);
    return settleOrder(ledger, tx, payment.orderId, { cause: kind === "dispute" ? "dispute" : "refund" });
  });
}

/** Notes that an order will not be paid. One that was paid stays paid. */
export async function failOrder(db: Database, rail: ProviderRail, names: OrderNames): Promise<void> {
  await inTransaction(db, async (tx) => {
    const order = await lockedOrder(tx, rail, names);
    // Metadata alone may name an order whose own session is another one, which may still be paid.
    if (!order || (order.thirdReferenceId !== null && order.thirdReferenceId !== names.reference)) return;
    await tx
      .update(orders)
      .set({ status: OrderStatus.failed })
      .where(and(eq(orders.id, order.id), eq(orders.status, OrderStatus.pending)));
  });
}

/** The order that a provider's payment was credited to. */
export async function orderOfPayment(
  db: Database,
  rail: ProviderRail,
  paymentId: string,
): Promise<Order | undefined> {
  const [found] = await db
    .select({ order: orders })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(and(eq(payments.rail, rail), eq(payments.paymentId, paymentId)));
  return found?.order;
}
