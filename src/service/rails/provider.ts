/** What the word of a payment provider means for an order, once it is known to be the provider's: the same for the card provider and Stripe. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { and, eq, sum } from "drizzle-orm";
import { USD_DECIMALS, USDT_DECIMALS } from "../../../machines/money.ts";
import { OrderStatus } from "../../contract/calls.ts";
import type { Database } from "../store/open.ts";
import { notices, orders, payments, type Rail } from "../store/schema.ts";
import { confirmOrder, type Order } from "./settling.ts";

/** One dollar is one USDT: cents become smallest units. */
export const UNITS_PER_CENT = 10n ** BigInt(USDT_DECIMALS - USD_DECIMALS);

export type ProviderRail = Exclude<Rail, "usdt">;

/** Money that a provider took for an order of ours. */
export interface Taken {
  rail: ProviderRail;
  /** The provider's number of the order. */
  reference: string;
  /** The provider's number of the payment. */
  paymentId: string;
  /** In smallest units. */
  amount: bigint;
}

/** Money that a provider took for an order that is none of ours: it takes a person to find out whose it is. */
export class OrderUnknown extends Error {
  readonly taken: Taken;
  constructor(taken: Taken) {
    super("A payment belongs to no order.");
    this.taken = taken;
  }
}

/** HMAC-SHA256 in hexadecimal digits, as both providers sign. */
export const sign = (text: string, secret: string) => createHmac("sha256", secret).update(text).digest("hex");

/** Whether `signature` is that of `text`; how long this takes says nothing about either. */
export function isSigned(text: string, signature: string, secret: string): boolean {
  const expected = Buffer.from(sign(text, secret));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The order of a provider's number, its row locked first of all, so that two words about it wait for each other. */
async function lockedOrder(tx: Database, rail: ProviderRail, reference: string): Promise<Order | undefined> {
  const [order] = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.rail, rail), eq(orders.thirdReferenceId, reference)))
    .for("update");
  return order;
}

/**
 * Notes money that was taken, and confirms its order when there is enough of it. Safe to repeat, at the same time too.
 * How late the money is, and whether the order had failed, does not matter.
 * @throws OrderUnknown
 */
export async function takePayment(db: Database, taken: Taken, now: number): Promise<void> {
  const { rail, reference, paymentId, amount } = taken;
  await db.transaction(async (tx) => {
    const order = await lockedOrder(tx, rail, reference);
    if (!order) throw new OrderUnknown(taken);
    await tx
      .insert(payments)
      .values({ rail, paymentId, orderId: order.id, amount, takenAt: new Date(now) })
      .onConflictDoNothing();
    if ((await takenFor(tx, order.id)) >= order.amount) await confirmOrder(tx, order, now);
  });
}

/** Takes the provider's word that an order will not be paid. One that was paid stays paid. */
export async function failOrder(db: Database, rail: ProviderRail, reference: string): Promise<void> {
  await db
    .update(orders)
    .set({ status: OrderStatus.failed })
    .where(
      and(
        eq(orders.rail, rail),
        eq(orders.thirdReferenceId, reference),
        eq(orders.status, OrderStatus.pending),
      ),
    );
}

/** What providers took in for an order, in smallest units. */
export async function takenFor(db: Database, orderId: string): Promise<bigint> {
  const [row] = await db
    .select({ total: sum(payments.amount) })
    .from(payments)
    .where(eq(payments.orderId, orderId));
  return BigInt(row?.total ?? 0);
}

/**
 * Acts on a notice unless it was acted upon before. A failure of `act` undoes the note as well, so that the provider's
 * next attempt finds everything still to be done.
 */
export async function once(
  db: Database,
  rail: ProviderRail,
  eventId: string,
  now: number,
  act: (tx: Database) => Promise<unknown>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [fresh] = await tx
      .insert(notices)
      .values({ rail, eventId, heardAt: new Date(now) })
      .onConflictDoNothing()
      .returning();
    if (fresh) await act(tx);
  });
}
