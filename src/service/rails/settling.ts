/** What a paid order brings, whichever way it was paid: it is confirmed and its days are added to the membership, once. Specification, section 4. */
import { desc, eq } from "drizzle-orm";
import { OrderStatus } from "../../contract/calls.ts";
import type { Database } from "../store/open.ts";
import { accounts, memberships, orders } from "../store/schema.ts";

const DAY = 86_400_000;

export type Order = typeof orders.$inferSelect;

/** Confirms an order whose row the transaction `tx` holds locked. One that is confirmed already is left alone; one that had failed is not. */
export async function confirmOrder(tx: Database, order: Order, now: number): Promise<void> {
  if (order.status === OrderStatus.confirmed) return;
  await tx
    .update(orders)
    .set({ status: OrderStatus.confirmed, confirmedAt: new Date(now) })
    .where(eq(orders.id, order.id));
  // Two orders of one account extend it one after the other.
  await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, order.accountId))
    .for("no key update");
  const current = await membershipOf(tx, order.accountId);
  const beginsAt = new Date(Math.max(now, current?.endsAt.getTime() ?? now));
  await tx.insert(memberships).values({
    orderId: order.id,
    accountId: order.accountId,
    beginsAt,
    endsAt: new Date(beginsAt.getTime() + order.days * DAY),
  });
}

/** The membership that ends last, past ones included, with the name it was bought under; undefined when there never was one. */
export async function membershipOf(db: Database, accountId: number) {
  const [latest] = await db
    .select({ endsAt: memberships.endsAt, packName: orders.packName })
    .from(memberships)
    .innerJoin(orders, eq(orders.id, memberships.orderId))
    .where(eq(memberships.accountId, accountId))
    .orderBy(desc(memberships.endsAt))
    .limit(1);
  return latest;
}
