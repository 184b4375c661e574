/** What money on any USDT network means for an order: counted once, credited whenever it arrives, never lost. Specification, section 4. */
import { and, eq, isNotNull, isNull, sum } from "drizzle-orm";
import type { Network } from "../../contract/calls.ts";
import type { Database } from "../store/open.ts";
import { orders, transfers } from "../store/schema.ts";
import { confirmOrder } from "./settling.ts";

/** One payment within a transaction: a transaction may hold several. */
export interface TransferKey {
  network: Network;
  txHash: string;
  logIndex: number;
}

export interface Transfer extends TransferKey {
  address: string;
  /** Smallest units, six decimals. */
  amount: bigint;
  /** When the network will call it final, where that is known. */
  dueAt: Date | null;
}

/**
 * Notes a transfer, not yet final, under the order its address belongs to. Seen again, it changes nothing.
 * @returns false when the address belongs to no order
 */
export async function recordTransfer(db: Database, transfer: Transfer, now: number): Promise<boolean> {
  const [order] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.network, transfer.network), eq(orders.address, transfer.address)));
  if (!order) return false;
  await db
    .insert(transfers)
    .values({ ...transfer, orderId: order.id, seenAt: new Date(now) })
    .onConflictDoNothing();
  return true;
}

/**
 * Takes the network's word that a transfer is final. When the final transfers of its order reach the amount, the order
 * is confirmed and its days are added to the membership, once, in the same transaction.
 * Safe to repeat, at the same time too. How late the money is does not matter.
 */
export async function confirmTransfer(db: Database, key: TransferKey, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    const [confirmed] = await tx
      .update(transfers)
      .set({ confirmedAt: new Date(now) })
      .where(
        and(
          eq(transfers.network, key.network),
          eq(transfers.txHash, key.txHash),
          eq(transfers.logIndex, key.logIndex),
          isNull(transfers.confirmedAt),
        ),
      )
      .returning({ orderId: transfers.orderId });
    if (!confirmed) return;

    // The row is locked before the sum is taken: of two transfers confirmed at once, the later one sees both.
    const [order] = await tx.select().from(orders).where(eq(orders.id, confirmed.orderId)).for("update");
    if (!order || (await paidFor(tx, order.id, "confirmed")) < order.amount) return;
    await confirmOrder(tx, order, now);
  });
}

/** What has come in for an order, in smallest units: final transfers only, or all that were seen. */
export async function paidFor(db: Database, orderId: string, which: "confirmed" | "seen"): Promise<bigint> {
  const [row] = await db
    .select({ total: sum(transfers.amount) })
    .from(transfers)
    .where(
      and(
        eq(transfers.orderId, orderId),
        which === "confirmed" ? isNotNull(transfers.confirmedAt) : undefined,
      ),
    );
  return BigInt(row?.total ?? 0);
}
