/** What operators move in the book: money that was given back, is kept, or is credited to an order, and the undoing of it. */
import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../store/database.ts";
import { movements, orders, transfers, unmatchedPayments, type MovementKind } from "../store/schema.ts";
import {
  least,
  lockOrders,
  ofOrder,
  post,
  readBook,
  sameTransfers,
  takenFrom,
  transferCause,
  type NewMovement,
} from "./book.ts";
import { RESOLVED_BY_ITSELF } from "./unmatched.ts";

type Order = typeof orders.$inferSelect;
type Transfer = typeof transfers.$inferSelect;

/** Takes what was held, or too much, or paid at all, to where an operator says it went. */
async function moveByHand(
  tx: Database,
  which: ReturnType<typeof eq>,
  move: { from: "held" | "surplus" | "paying"; to: "returned" | "kept"; amount?: bigint; cause?: string },
  common: Omit<NewMovement, "kind" | "from" | "to" | "amount" | "cause">,
): Promise<bigint> {
  const book = await readBook(tx, which);
  const there = move.from === "paying" ? book.paying() : book.of(move.from, move.cause);
  let left = move.amount === undefined ? there : least(move.amount, there);
  let moved = 0n;
  const kind: MovementKind = move.to;
  const causes = move.cause === undefined ? book.causes() : [move.cause];
  // The latest money is the surplus.
  for (const cause of move.from === "surplus" ? causes.toReversed() : causes) {
    const amount = least(left, move.from === "held" ? book.of("held", cause) : book.paying(cause));
    if (amount <= 0n) continue;
    const parts = move.from === "held" ? [{ from: "held" as const, amount }] : takenFrom(book, amount);
    await post(
      tx,
      book,
      parts.map((part) => ({ ...common, ...part, kind, to: move.to, cause })),
    );
    moved += amount;
    left -= amount;
  }
  return moved;
}

/** By whose hand money is moved, and what people can find it by. */
export interface ByHand {
  at: Date;
  /** Null for what an earlier release did. */
  auditId: number | null;
  /** The transaction that gave it back. */
  reference?: string | null;
}

/**
 * Notes that money of an order went back or is kept: a surplus, what pays it, or what is held.
 * @param amount at most so much; absent: all of it
 * @returns how much
 */
export async function moveOfOrder(
  tx: Database,
  order: Order,
  move: { from: "held" | "surplus" | "paying"; to: "returned" | "kept"; amount?: bigint; cause?: string },
  { at, auditId, reference }: ByHand,
): Promise<bigint> {
  const common = { ...ofOrder(order, { at }), auditId, reference: reference ?? null };
  return moveByHand(tx, eq(movements.orderId, order.id), move, common);
}

/** Notes that a held transfer went back or is kept. @returns how much */
export async function moveHeldTransfer(
  tx: Database,
  transfer: Transfer,
  to: "returned" | "kept",
  { at, auditId, reference }: ByHand,
): Promise<bigint> {
  const cause = transferCause(transfer);
  const { orderId, network } = transfer;
  const common = { at, auditId, reference: reference ?? null, currency: "USDT", rail: "usdt" } as const;
  const accountId = orderId === null ? null : await accountOf(tx, orderId);
  return moveByHand(
    tx,
    eq(movements.cause, cause),
    { from: "held", to, cause },
    { ...common, network, orderId, accountId },
  );
}

async function accountOf(tx: Database, orderId: string): Promise<number | null> {
  const [order] = await tx.select({ id: orders.accountId }).from(orders).where(eq(orders.id, orderId));
  return order?.id ?? null;
}

/** What is held of a transfer. */
export async function heldOf(tx: Database, transfer: Transfer): Promise<bigint> {
  const cause = transferCause(transfer);
  return (await readBook(tx, eq(movements.cause, cause))).of("held", cause);
}

/** Has a held transfer pay an order. The order is settled afterwards. */
export async function creditHeld(
  tx: Database,
  transfer: Transfer,
  order: Order,
  { at, auditId }: ByHand,
): Promise<void> {
  const cause = transferCause(transfer);
  const amount = await heldOf(tx, transfer);
  const kind = "credited by hand";
  const common = { at, auditId, currency: "USDT", rail: "usdt", network: transfer.network, cause } as const;
  const row = { ...common, kind, amount, reference: transfer.txHash } as const;
  const mine = { orderId: order.id, accountId: order.accountId };
  if (transfer.orderId === order.id) {
    await tx.insert(movements).values({ ...row, ...mine, from: "held", to: "open" });
    return;
  }
  // It leaves the books of the one, and is received in those of the other.
  const accountId = transfer.orderId === null ? null : await accountOf(tx, transfer.orderId);
  await tx.insert(movements).values([
    { ...row, orderId: transfer.orderId, accountId, from: "held", to: "outside" },
    { ...row, ...mine, from: "outside", to: "open" },
  ]);
  await tx.update(transfers).set({ orderId: order.id }).where(isTransfer(transfer));
}

export const isTransfer = ({
  network,
  blockHash,
  logIndex,
}: Pick<Transfer, "network" | "blockHash" | "logIndex">) =>
  and(eq(transfers.network, network), eq(transfers.blockHash, blockHash), eq(transfers.logIndex, logIndex));

/** The transfer that a cause names, locked: its block may be taken back at the same time. Undefined where it names something else. */
export async function transferOf(tx: Database, cause: string): Promise<Transfer | undefined> {
  const [network, blockHash = "", logIndex = ""] = cause.split(":");
  if ((network !== "TRC20" && network !== "ERC20") || !/^\d+$/.test(logIndex)) return undefined;
  const [found] = await tx
    .select()
    .from(transfers)
    .where(isTransfer({ network, blockHash, logIndex: Number(logIndex) }))
    .for("update");
  return found;
}

const rowOf = (cause: string) =>
  and(eq(unmatchedPayments.rail, "usdt"), eq(unmatchedPayments.eventId, cause));

/** Where what a cause moved stands now: a reorganisation may have put its transaction into another block. */
async function standingCause(tx: Database, cause: string): Promise<string> {
  const transfer = await transferOf(tx, cause);
  if (transfer?.state !== "orphaned") return cause;
  const known = await tx.select().from(transfers).where(eq(transfers.txHash, transfer.txHash));
  const ofOne = known.filter(({ orderId }) => orderId === transfer.orderId);
  const again = sameTransfers(transfer, ofOne).find(({ state }) => state === "final");
  if (!again) return cause;
  const stands = transferCause(again);
  // What is held again is settled by the row that was settled before, not by one that has gone.
  await tx
    .update(unmatchedPayments)
    .set({ eventId: sql`${unmatchedPayments.eventId} || ':' || ${unmatchedPayments.id}` })
    .where(and(rowOf(stands), eq(unmatchedPayments.resolution, RESOLVED_BY_ITSELF)));
  if ((await tx.$count(unmatchedPayments, rowOf(stands))) === 0)
    await tx.update(unmatchedPayments).set({ eventId: stands }).where(rowOf(cause));
  return stands;
}

/** What an operator's entry moved has moved on since: it cannot be taken back. */
export class MovedOn extends Error {}

/**
 * Takes back what an operator's entry moved, by movements of their own. The orders are settled afterwards.
 * @returns the orders concerned
 * @throws MovedOn
 */
export async function undoMovements(
  tx: Database,
  auditId: number,
  { at, auditId: by }: ByHand,
): Promise<string[]> {
  const done = await tx.select().from(movements).where(eq(movements.auditId, auditId)).orderBy(movements.id);
  if (done.length === 0) return [];
  const ids = [...new Set(done.map(({ orderId }) => orderId).filter((id) => id !== null))].toSorted();
  await lockOrders(tx, ids);
  const standing = new Map<string, string>();
  for (const { cause } of done) {
    if (!standing.has(cause)) standing.set(cause, await standingCause(tx, cause));
  }
  await tx.insert(movements).values(
    done.toReversed().map(({ id, from, to, amount, currency, ...row }): NewMovement => ({
      at,
      amount,
      currency,
      rail: row.rail,
      network: row.network,
      orderId: row.orderId,
      accountId: row.accountId,
      cause: standing.get(row.cause) ?? row.cause,
      reference: row.reference,
      kind: "undone",
      from: to,
      to: from,
      undoes: id,
      auditId: by,
    })),
  );
  for (const cause of new Set(standing.values())) {
    const book = await readBook(tx, eq(movements.cause, cause));
    const stands = (["held", "returned", "kept"] as const).map((balance) => book.of(balance, cause));
    if ([...stands, book.paying(cause), book.received(cause)].some((amount) => amount < 0n))
      throw new MovedOn();
    await returnToReceiver(tx, cause);
  }
  return ids;
}

/** Has a transfer belong to the order that the book has it at. */
async function returnToReceiver(tx: Database, cause: string): Promise<void> {
  const transfer = await transferOf(tx, cause);
  if (!transfer) return;
  const received = sql`sum(CASE WHEN ${movements.from} = 'outside' THEN ${movements.amount}
    WHEN ${movements.to} = 'outside' THEN -${movements.amount} ELSE 0 END)`;
  const [receiver] = await tx
    .select({ orderId: movements.orderId })
    .from(movements)
    .where(eq(movements.cause, cause))
    .groupBy(movements.orderId)
    .having(sql`${received} > 0`);
  if (receiver) await tx.update(transfers).set({ orderId: receiver.orderId }).where(isTransfer(transfer));
}
