/** What the ledger keeps of a network: how far it has been read, and the transfers that were found. Position and transfers change in one transaction. */
import { and, asc, desc, eq, gt, lte, ne, or, sql } from "drizzle-orm";
import { toTronAddress, toEthereumAddress } from "../../../contract/address.ts";
import type { Network } from "../../../contract/calls.ts";
import type { Database } from "../../store/database.ts";
import {
  accounts,
  chainBlocks,
  chainPositions,
  orders,
  receivingAddresses,
  transfers,
} from "../../store/schema.ts";
import { inTransaction } from "../../store/transaction.ts";
import { settleOrder, type Ledger } from "../ledger.ts";
import { RESOLVED_BY_ITSELF, resolveUnmatched, updateUnmatched } from "../unmatched.ts";
import type { TransferLog } from "./node.ts";

export type Position = typeof chainPositions.$inferSelect;
type Transfer = typeof transfers.$inferSelect;

export interface BlockId {
  number: number;
  hash: string;
}

/** Another process has gone on in the meantime, or leads now. */
export class PositionMoved extends Error {}

/** Blocks that are kept below the last final one, so that a reorganisation deeper than the confirmations is noticed. */
const KEPT = 1_000;
const DAY = 86_400_000;

/** The address that people see, of 20 bytes in hexadecimal digits. */
export function shownAddress(network: Network, raw: string): string {
  const bytes = Uint8Array.from(Buffer.from(raw, "hex"));
  return network === "TRC20" ? toTronAddress(bytes) : toEthereumAddress(bytes);
}

/**
 * Has this process lead a network for some seconds, by the database's clock. There is one leader at a time; another
 * process takes over when the time is up.
 * @returns the position, or null when another process leads; `undefined` when the network has never been read
 */
export async function lead(
  db: Database,
  network: Network,
  holder: string,
  seconds: number,
): Promise<Position | null | undefined> {
  const [mine] = await db
    .update(chainPositions)
    .set({
      holder,
      leaseUntil: sql`clock_timestamp() + ${`${seconds} seconds`}::interval`,
      checkedAt: sql`clock_timestamp()`,
    })
    .where(
      and(
        eq(chainPositions.network, network),
        or(
          eq(chainPositions.holder, holder),
          // Or it ends later than any can: the database's clock was set back since.
          sql`coalesce(${chainPositions.leaseUntil}, '-infinity')
            NOT BETWEEN clock_timestamp() AND clock_timestamp() + ${`${2 * seconds} seconds`}::interval`,
        ),
      ),
    )
    .returning();
  if (mine) return mine;
  const [other] = await db.select().from(chainPositions).where(eq(chainPositions.network, network));
  return other && null;
}

/** Lets another process lead at once. */
export async function resign(db: Database, network: Network, holder: string): Promise<void> {
  await db
    .update(chainPositions)
    .set({ leaseUntil: null })
    .where(and(eq(chainPositions.network, network), eq(chainPositions.holder, holder)));
}

/** Where reading begins, for a network that has never been read. */
export async function beginAt(db: Database, network: Network, block: BlockId): Promise<void> {
  await db
    .insert(chainPositions)
    .values({ network, ...block, finalNumber: block.number })
    .onConflictDoNothing();
  await db
    .insert(chainBlocks)
    .values({ network, ...block })
    .onConflictDoNothing();
}

export async function positionOf(db: Database, network: Network): Promise<Position | undefined> {
  const [position] = await db.select().from(chainPositions).where(eq(chainPositions.network, network));
  return position;
}

/** The blocks that are kept, the newest first, from a number downwards. */
export const keptBlocks = (db: Database, network: Network, from: number, limit: number): Promise<BlockId[]> =>
  db
    .select({ number: chainBlocks.number, hash: chainBlocks.hash })
    .from(chainBlocks)
    .where(and(eq(chainBlocks.network, network), lte(chainBlocks.number, from)))
    .orderBy(desc(chainBlocks.number))
    .limit(limit);

/** Locks the position, and holds it against what the caller knows. @throws PositionMoved */
async function locked(tx: Database, network: Network, known: Position): Promise<Position> {
  const [position] = await tx
    .select()
    .from(chainPositions)
    .where(eq(chainPositions.network, network))
    .for("update");
  if (
    !position ||
    position.number !== known.number ||
    position.hash !== known.hash ||
    position.holder !== known.holder
  ) {
    throw new PositionMoved(`${network} has been read by another process.`);
  }
  return position;
}

const keyOf = ({ network, blockHash, logIndex }: Pick<Transfer, "network" | "blockHash" | "logIndex">) =>
  `${network}:${blockHash}:${logIndex}`;

/**
 * Writes down what further blocks hold, in one transaction: the transfers to our addresses, the position, and the orders
 * that are paid by what is final now.
 * @param known the position that the blocks follow
 * @param blocks the blocks that may still be replaced, and the last one
 * @param finalNumber the last block that counts as final
 * @throws PositionMoved
 */
export async function advance(
  ledger: Ledger,
  network: Network,
  known: Position,
  blocks: readonly BlockId[],
  logs: readonly TransferLog[],
  finalNumber: number,
): Promise<void> {
  const last = blocks.at(-1) ?? known;
  await inTransaction(ledger.db, async (tx) => {
    const position = await locked(tx, network, known);
    // A node may lag behind another one: what is final stays so.
    const final = Math.max(position.finalNumber, Math.min(finalNumber, last.number));
    await insertTransfers(ledger, tx, network, logs);
    if (blocks.length > 0) {
      await tx
        .insert(chainBlocks)
        .values(blocks.map(({ number, hash }) => ({ network, number, hash })))
        .onConflictDoNothing();
    }
    await finalise(ledger, tx, network, final);
    await tx
      .update(chainPositions)
      .set({ number: last.number, hash: last.hash, finalNumber: final, checkedAt: sql`clock_timestamp()` })
      .where(eq(chainPositions.network, network));
    await tx
      .delete(chainBlocks)
      .where(and(eq(chainBlocks.network, network), lte(chainBlocks.number, final - KEPT)));
  });
}

/** Adds the transfers that are to an address of ours. Those of nothing are spam. */
async function insertTransfers(
  { now, lateDays }: Ledger,
  tx: Database,
  network: Network,
  logs: readonly TransferLog[],
): Promise<void> {
  const recipients = [...new Set(logs.filter(({ amount }) => amount > 0n).map(({ recipient }) => recipient))];
  if (recipients.length === 0) return;
  // One parameter, however many: a statement has room for 65,535.
  const known = await tx
    .select({ id: orders.id, raw: orders.rawAddress, network: orders.network, createdAt: orders.createdAt })
    .from(orders)
    .where(sql`${orders.rawAddress} = ANY(${sql.param(recipients)}::text[])`)
    // An order that is just being removed as unpaid is waited for, and then has gone.
    .for("key share");
  const ours = await withoutOrder(tx, recipients, known);
  if (known.length === 0 && ours.size === 0) return;
  const byAddress = new Map<string, typeof known>();
  for (const order of known)
    byAddress.set(order.raw ?? "", [...(byAddress.get(order.raw ?? "") ?? []), order]);
  const seenAt = new Date(now());
  // A node may tell of a transfer twice.
  const unique = new Map(logs.map((log) => [`${log.blockHash}:${log.logIndex}`, log])).values();
  const rows = [...unique].flatMap((log): (typeof transfers.$inferInsert)[] => {
    if (log.amount <= 0n) return [];
    const found = { ...log, network, state: "seen" as const, seenAt };
    if (ours.has(log.recipient)) return [{ ...found, orderId: null, heldFor: "no order" as const }];
    const candidates = byAddress.get(log.recipient) ?? [];
    const order = candidates.find((one) => one.network === network) ?? candidates[0];
    if (!order) return [];
    const late = seenAt.getTime() - order.createdAt.getTime() > lateDays * DAY;
    const heldFor = order.network !== network ? ("network" as const) : late ? ("late" as const) : null;
    return [{ ...found, orderId: order.id, heldFor }];
  });
  if (rows.length === 0) return;
  // A block that was replaced may become part of the chain again.
  await tx
    .insert(transfers)
    .values(rows)
    .onConflictDoUpdate({
      target: [transfers.network, transfers.blockHash, transfers.logIndex],
      set: { state: "seen" },
      setWhere: eq(transfers.state, "orphaned"),
    });
}

/** Of the recipients, those whose addresses are ours although no order has them. */
async function withoutOrder(
  tx: Database,
  recipients: readonly string[],
  known: readonly { raw: string | null }[],
): Promise<Set<string>> {
  const ofOrders = new Set(known.map(({ raw }) => raw));
  const others = recipients.filter((raw) => !ofOrders.has(raw));
  if (others.length === 0) return new Set();
  const found = await tx
    .select({ raw: receivingAddresses.raw })
    .from(receivingAddresses)
    .where(sql`${receivingAddresses.raw} = ANY(${sql.param(others)}::text[])`);
  return new Set(found.map(({ raw }) => raw));
}

/** Calls the transfers up to a block final, and settles their orders. */
async function finalise(ledger: Ledger, tx: Database, network: Network, final: number): Promise<void> {
  const due = await tx
    .update(transfers)
    .set({ state: "final", finalAt: new Date(ledger.now()) })
    .where(
      and(eq(transfers.network, network), eq(transfers.state, "seen"), lte(transfers.blockNumber, final)),
    )
    .returning();
  for (const transfer of due) {
    const { heldFor } = transfer;
    if (heldFor !== null && heldFor !== "refunded") await noteHeld(ledger, tx, transfer, heldFor);
  }
  // In one order everywhere, so that two transactions do not wait for each other.
  for (const id of ordersOf(due)) await settleOrder(ledger, tx, id);
}

const ordersOf = (found: readonly Transfer[]) =>
  [...new Set(found.map(({ orderId }) => orderId).filter((id) => id !== null))].toSorted();

/** Puts a transfer that is not credited by itself on the operator's list. */
async function noteHeld(
  ledger: Ledger,
  tx: Database,
  transfer: Transfer,
  reason: "late" | "network" | "no order",
): Promise<void> {
  const path = reason === "no order" ? await pathOf(tx, transfer.recipient) : "";
  await updateUnmatched(ledger, tx, {
    rail: "usdt",
    eventId: keyOf(transfer),
    reference: shownAddress(transfer.network, transfer.recipient),
    orderId: transfer.orderId,
    amount: String(transfer.amount),
    currency: "USDT",
    reason,
    body: `${transfer.txHash}${path}`,
  });
}

/** Where an address is below the account's key, for the operator who moves the money; and of a removed order, whose it was. */
async function pathOf(tx: Database, recipient: string): Promise<string> {
  const [found] = await tx
    .select({ at: receivingAddresses, account: accounts.name })
    .from(receivingAddresses)
    .leftJoin(accounts, eq(accounts.id, receivingAddresses.accountId))
    .where(eq(receivingAddresses.raw, recipient));
  if (!found) return "";
  const { series, index, fingerprint, orderId } = found.at;
  const removed = orderId === null ? "" : `, removed order ${orderId} of ${found.account}`;
  return ` ${series}/${index} of ${fingerprint}${removed}`;
}

/**
 * Goes back to a block that still stands, in one transaction: transfers above it are orphaned, and orders that they had
 * paid are pending again.
 * @throws PositionMoved
 */
export async function rewind(ledger: Ledger, network: Network, known: Position, to: BlockId): Promise<void> {
  const { db, log } = ledger;
  await inTransaction(db, async (tx) => {
    const position = await locked(tx, network, known);
    const gone = await tx
      .select()
      .from(transfers)
      .where(
        and(
          eq(transfers.network, network),
          gt(transfers.blockNumber, to.number),
          ne(transfers.state, "orphaned"),
        ),
      )
      .orderBy(asc(transfers.blockNumber))
      .for("update");
    await tx
      .update(transfers)
      .set({ state: "orphaned", finalAt: null })
      .where(
        and(
          eq(transfers.network, network),
          gt(transfers.blockNumber, to.number),
          ne(transfers.state, "orphaned"),
        ),
      );
    for (const id of ordersOf(gone)) await settleOrder(ledger, tx, id, "reorganisation");
    for (const transfer of gone) {
      const { txHash, state, orderId } = transfer;
      if (state !== "final") continue;
      const row = { rail: "usdt" as const, eventId: keyOf(transfer) };
      await resolveUnmatched(ledger, tx, row, RESOLVED_BY_ITSELF);
      log("final transfer orphaned", { network, transaction: txHash, order: orderId ?? "" }, "error");
    }
    await tx
      .delete(chainBlocks)
      .where(and(eq(chainBlocks.network, network), gt(chainBlocks.number, to.number)));
    await tx
      .update(chainPositions)
      .set({ number: to.number, hash: to.hash, finalNumber: Math.min(position.finalNumber, to.number) })
      .where(eq(chainPositions.network, network));
  });
  log("chain reorganised", { network, from: known.number, to: to.number }, "warn");
}
