/** What the ledger keeps of a network: how far it has been read, and the transfers that were found. Position and transfers change in one transaction. */
import {
  and,
  asc,
  between,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  lte,
  ne,
  or,
  sql,
  type Column,
} from "drizzle-orm";
import { toTronAddress, toEthereumAddress } from "../../../contract/address.ts";
import type { Network } from "../../../contract/calls.ts";
import { DAY, MINUTE } from "../../../contract/durations.ts";
import type { Database } from "../../store/database.ts";
import {
  accounts,
  chainBlocks,
  chainPositions,
  orders,
  receivingAddresses,
  sweeps,
  transfers,
} from "../../store/schema.ts";
import { inTransaction } from "../../store/transaction.ts";
import { settleOrder, type Ledger } from "../ledger.ts";
import {
  CENT,
  lockOrders,
  recordSweep,
  recordTransfer,
  sameTransfers,
  transferCause,
  transferCauseIn,
} from "../book.ts";
import { heldOf } from "../book-by-hand.ts";
import { openUnmatched, RESOLVED_BY_ITSELF, resolveUnmatched } from "../unmatched.ts";
import { NodeFailed } from "./json-rpc.ts";
import { identityOf, type TransferLog } from "./transfer-log.ts";

export type Position = typeof chainPositions.$inferSelect;
type Transfer = typeof transfers.$inferSelect;

export interface BlockId {
  number: number;
  hash: string;
}

/** The newest block that a node showed. */
export interface SeenHead {
  number: number;
  /** When it was made. */
  at: Date;
}

/** Blocks that were final when they were first read, both included; they are looked at once more. */
export interface Again {
  from: number;
  to: number;
}

/** Another process has gone on in the meantime, or leads now. */
export class PositionMoved extends Error {}

/** Ms after which a node knows the transfers of a block that it shows, if it ever does. */
const INDEXED = MINUTE;
/** Blocks that are kept below the last final one, so that a reorganisation deeper than the confirmations is noticed. */
const KEPT = 1_000;

/** The address that people see, of 20 bytes in hexadecimal digits. */
export function shownAddress(network: Network, raw: string): string {
  const bytes = Uint8Array.from(Buffer.from(raw, "hex"));
  return network === "TRC20" ? toTronAddress(bytes) : toEthereumAddress(bytes);
}

/**
 * Has this process lead a network for some seconds, by the database's clock. There is one leader at a time; another
 * process takes over when the time is up.
 * @param seen what a node showed since the last time; undefined: none has answered
 * @returns the position, or null when another process leads; `undefined` when the network has never been read
 */
export async function lead(
  db: Database,
  network: Network,
  holder: string,
  seconds: number,
  seen?: SeenHead,
): Promise<Position | null | undefined> {
  const [mine] = await db
    .update(chainPositions)
    .set({
      holder,
      leaseUntil: sql`clock_timestamp() + ${`${seconds} seconds`}::interval`,
      ...(seen && { headNumber: seen.number, headAt: seen.at, checkedAt: sql`clock_timestamp()` }),
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

/** Blocks, both included, and the transfers in them. */
export interface FoundIn extends Again {
  logs: readonly TransferLog[];
}

/** Whether a transfer is of another block than the one of its number among `blocks`. */
export function contradicts(logs: readonly TransferLog[], blocks: readonly BlockId[]): boolean {
  const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]));
  return logs.some(({ blockNumber, blockHash }) => (hashes.get(blockNumber) ?? blockHash) !== blockHash);
}

/** The same, among the blocks that were read and are still kept. */
export const contradictsKept = async (
  db: Database,
  network: Network,
  { from, to, logs }: FoundIn,
): Promise<boolean> => contradicts(logs, await keptBlocks(db, network, to, to - from + 1));

/** Locks the position, and holds it against what the caller knows. @throws PositionMoved */
async function lockedPosition(tx: Database, network: Network, expected: Position): Promise<Position> {
  const [position] = await tx
    .select()
    .from(chainPositions)
    .where(eq(chainPositions.network, network))
    .for("update");
  if (
    !position ||
    position.number !== expected.number ||
    position.hash !== expected.hash ||
    position.holder !== expected.holder
  ) {
    throw new PositionMoved(`${network} has been read by another process.`);
  }
  return position;
}

/**
 * Writes down what further blocks hold, in one transaction: the transfers to our addresses, the position, and the orders
 * that are paid by what is final now.
 * @param expected the position that the blocks follow
 * @param blocks the blocks that may still be replaced, and the last one
 * @param finalNumber the last block that counts as final
 * @param again what is to be looked at once more from now on; null: nothing; undefined: what was
 * @throws PositionMoved
 */
export async function advance(
  ledger: Ledger,
  network: Network,
  expected: Position,
  blocks: readonly BlockId[],
  logs: readonly TransferLog[],
  finalNumber: number,
  again?: Again | null,
): Promise<void> {
  const last = blocks.at(-1) ?? expected;
  await inTransaction(ledger.db, async (tx) => {
    const position = await lockedPosition(tx, network, expected);
    // A node may lag behind another one: what is final stays so.
    const final = Math.max(position.finalNumber, Math.min(finalNumber, last.number));
    const waiting = await tx
      .selectDistinct({ id: transfers.orderId })
      .from(transfers)
      .where(becomesFinal(transfers, network, final));
    await insertTransfers(ledger, tx, network, logs, idsOf(waiting));
    if (blocks.length > 0) {
      await tx
        .insert(chainBlocks)
        .values(blocks.map(({ number, hash }) => ({ network, number, hash })))
        .onConflictDoNothing();
    }
    await finalise(ledger, tx, network, final);
    await tx
      .update(chainPositions)
      .set({
        number: last.number,
        hash: last.hash,
        finalNumber: final,
        checkedAt: sql`clock_timestamp()`,
        ...(again === null && { againFrom: null, againTo: null, againAt: null }),
        ...(again && {
          againFrom: again.from,
          againTo: again.to,
          againAt: new Date(ledger.now() + INDEXED),
        }),
      })
      .where(eq(chainPositions.network, network));
    await tx
      .delete(chainBlocks)
      .where(and(eq(chainBlocks.network, network), lte(chainBlocks.number, final - KEPT)));
  });
}

/**
 * Writes down transfers of blocks that are final already, and settles their orders. What is known stays as it is.
 * @param db a database, or a transaction that it becomes a part of
 * @returns how many were not known
 */
export function addFinal(
  ledger: Ledger,
  db: Database,
  network: Network,
  { from, to, logs }: FoundIn,
): Promise<number> {
  const standing = and(
    eq(transfers.network, network),
    between(transfers.blockNumber, from, to),
    ne(transfers.state, "orphaned"),
  );
  return inTransaction(db, async (tx) => {
    const [position] = await tx
      .select()
      .from(chainPositions)
      .where(eq(chainPositions.network, network))
      .for("update");
    if (!position || to > position.finalNumber) throw new PositionMoved(`Block ${to} is not final any more.`);
    const before = await tx.$count(transfers, standing);
    const waiting = await tx
      .selectDistinct({ id: transfers.orderId })
      .from(transfers)
      .where(becomesFinal(transfers, network, position.finalNumber));
    await insertTransfers(ledger, tx, network, logs, idsOf(waiting));
    await finalise(ledger, tx, network, position.finalNumber);
    return (await tx.$count(transfers, standing)) - before;
  });
}

/**
 * Has reading go on after a later block that is final, whatever is in those between. What was seen and is not final counts
 * for nothing, until it is read again: its block may have been replaced.
 * @returns the last block that was final before; null, and nothing is changed, where the block is read already
 */
export async function skipTo(tx: Database, network: Network, block: BlockId): Promise<number | null> {
  const [position] = await tx
    .select()
    .from(chainPositions)
    .where(eq(chainPositions.network, network))
    .for("update");
  if (!position || position.number >= block.number) return null;
  await tx
    .update(chainPositions)
    .set({ ...block, finalNumber: block.number })
    .where(eq(chainPositions.network, network));
  const unread = { state: "orphaned" as const };
  await tx
    .update(transfers)
    .set(unread)
    .where(becomesFinal(transfers, network, block.number));
  await tx
    .update(sweeps)
    .set(unread)
    .where(becomesFinal(sweeps, network, block.number));
  await tx
    .insert(chainBlocks)
    .values({ network, ...block })
    .onConflictDoNothing();
  return position.finalNumber;
}

/** An address of ours, and the order that has it, if any. */
interface OwnAddress {
  raw: string;
  orderId: string | null;
  network: Network | null;
  createdAt: Date | null;
}

/** Of some addresses, those that are ours: of orders, or given out before. A raw address may be that of an order on each network. */
async function ownAddresses(tx: Database, wanted: readonly string[]): Promise<OwnAddress[]> {
  if (wanted.length === 0) return [];
  // One parameter, however many: a statement has room for 65,535.
  const named = (column: Column) => sql`${column} = ANY(${sql.param([...wanted])}::text[])`;
  const { id: orderId, rawAddress: raw, network, createdAt } = orders;
  const ofOrders = await tx.select({ orderId, raw, network, createdAt }).from(orders).where(named(raw));
  const orderAddresses = new Set(ofOrders.map((order) => order.raw));
  const others = await tx
    .select({ raw: receivingAddresses.raw })
    .from(receivingAddresses)
    .where(named(receivingAddresses.raw));
  return [
    ...ofOrders.flatMap((order) => (order.raw === null ? [] : [{ ...order, raw: order.raw }])),
    ...others
      .filter((address) => !orderAddresses.has(address.raw))
      .map((address) => ({ ...address, orderId: null, network: null, createdAt: null })),
  ];
}

const placeOf = ({ blockHash, logIndex }: Pick<TransferLog, "blockHash" | "logIndex">) =>
  `${blockHash}:${logIndex}`;

type Indexed = Pick<TransferLog, "logIndex">;
const byIndex = (one: Indexed, other: Indexed) => one.logIndex - other.logIndex;

/**
 * The logs, each with the index by which it was written down: one node may have counted otherwise than another.
 * @throws NodeFailed where another transfer has the place of one
 */
async function asKnown(
  tx: Database,
  network: Network,
  logs: readonly TransferLog[],
): Promise<readonly TransferLog[]> {
  if (logs.length === 0) return logs;
  const blocks = sql.param([...new Set(logs.map(({ blockHash }) => blockHash))]);
  const inBlocks = (table: typeof transfers | typeof sweeps) =>
    and(eq(table.network, network), sql`${table.blockHash} = ANY(${blocks}::text[])`);
  const written = [
    ...(await tx.select().from(transfers).where(inBlocks(transfers))),
    ...(await tx.select().from(sweeps).where(inBlocks(sweeps))),
  ];
  const known = new Map(written.map((row) => [placeOf(row), row]));
  const isInPlace = (log: TransferLog) => {
    const row = known.get(placeOf(log));
    return row !== undefined && identityOf(row) === identityOf(log);
  };
  const taken = new Set(logs.filter(isInPlace).map(placeOf));
  const left = Map.groupBy(
    [...known.values()].filter((row) => !taken.has(placeOf(row))).toSorted(byIndex),
    identityOf,
  );
  return logs.toSorted(byIndex).map((log) => {
    if (isInPlace(log)) return log;
    const same = left.get(identityOf(log))?.shift();
    if (same) return { ...log, logIndex: same.logIndex };
    if (!known.has(placeOf(log))) return log;
    throw new NodeFailed(`another log ${log.logIndex} of block ${log.blockNumber} than was read`, "wrong");
  });
}

/**
 * Adds the transfers that are to an address of ours, and those from one. Those of nothing are spam.
 * @param waiting orders that become final with them: all are locked at once, in one order
 */
async function insertTransfers(
  ledger: Ledger,
  tx: Database,
  network: Network,
  logs: readonly TransferLog[],
  waiting: readonly string[],
): Promise<void> {
  // A node may tell of a transfer twice.
  const unique = new Map(logs.filter(({ amount }) => amount > 0n).map((log) => [placeOf(log), log]));
  const told = [...unique.values()];
  const named = [...new Set(told.flatMap(({ recipient, sender }) => [recipient, sender]))];
  const first = await ownAddresses(tx, named);
  const own = new Set(first.map(({ raw }) => raw));
  const found = await asKnown(
    tx,
    network,
    told.filter(({ recipient, sender }) => own.has(recipient) || own.has(sender)),
  );
  const orphaned = await orphanedBefore(
    tx,
    found.filter(({ recipient }) => own.has(recipient)),
  );
  // An order that is just being removed as unpaid is waited for, and then has gone: its address is asked for again.
  const ids = new Set(idsOf([...first, ...orphaned].map(({ orderId: id }) => ({ id }))));
  const locked = await lockOrders(tx, [...ids, ...waiting]);
  if (first.length === 0) return;
  const isAllThere = locked.filter(({ id }) => ids.has(id)).length === ids.size;
  const ours = isAllThere ? first : await ownAddresses(tx, named);
  const byAddress = Map.groupBy(ours, ({ raw }) => raw);
  const orphans = await ofDeletedAccounts(
    tx,
    locked.map(({ id }) => id),
  );
  await insertIncoming(ledger, tx, network, found, byAddress, orphans, orphaned);
  const outgoing = found
    .filter(({ sender }) => byAddress.has(sender))
    .map((log) => ({ ...log, network, state: "seen" as const, seenAt: new Date(ledger.now()) }));
  if (outgoing.length > 0) {
    await tx
      .insert(sweeps)
      .values(outgoing)
      .onConflictDoUpdate({ ...standsAgain(sweeps), set: { state: "seen" } });
  }
}

/** Transfers of the same transactions in blocks that were replaced, those that the book moved last first. */
async function orphanedBefore(tx: Database, logs: readonly TransferLog[]): Promise<Transfer[]> {
  if (logs.length === 0) return [];
  const hashes = [...new Set(logs.map(({ txHash }) => txHash))];
  const moved = sql`(SELECT max(m.id) FROM movements m WHERE m.cause = ${transferCauseIn(transfers)})`;
  return tx
    .select()
    .from(transfers)
    .where(
      and(
        sql`${transfers.txHash} = ANY(${sql.param(hashes)}::text[])`,
        eq(transfers.state, "orphaned"),
        isNotNull(transfers.orderId),
      ),
    )
    .orderBy(sql`${moved} DESC NULLS LAST`);
}

/** A block that was replaced may become part of the chain again. */
const standsAgain = (table: typeof transfers | typeof sweeps) => ({
  target: [table.network, table.blockHash, table.logIndex],
  setWhere: eq(table.state, "orphaned"),
});

/** Those of the orders whose account was deleted. @param ids of orders whose accounts are locked */
async function ofDeletedAccounts(tx: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const found = await tx
    .select({ id: orders.id })
    .from(orders)
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .where(and(inArray(orders.id, [...ids]), isNotNull(accounts.deletedAt)));
  return new Set(found.map(({ id }) => id));
}

async function insertIncoming(
  { now, lateDays }: Ledger,
  tx: Database,
  network: Network,
  logs: readonly TransferLog[],
  byAddress: ReadonlyMap<string, readonly OwnAddress[]>,
  orphans: ReadonlySet<string>,
  orphaned: readonly Transfer[],
): Promise<void> {
  const seenAt = new Date(now());
  const arrived = logs.map((log) => ({ ...log, network }));
  const rows = arrived.flatMap((log): (typeof transfers.$inferInsert)[] => {
    const candidates = byAddress.get(log.recipient) ?? [];
    const own = candidates.find((one) => one.network === network) ?? candidates[0];
    if (!own) return [];
    // The operator moves money: it was received before.
    if (byAddress.has(log.sender))
      return [{ ...log, state: "seen", seenAt, orderId: null, heldFor: "own address" }];
    const isLate = own.createdAt !== null && seenAt.getTime() - own.createdAt.getTime() > lateDays * DAY;
    const heldFor =
      own.orderId === null
        ? "no order"
        : own.network !== network
          ? "network"
          : orphans.has(own.orderId)
            ? "account deleted"
            : isLate
              ? "late"
              : null;
    // An operator may have credited it to another order.
    const same = sameTransfers<typeof log | Transfer>(log, [...orphaned, ...arrived]);
    const before = same.find((one): one is Transfer => "orderId" in one);
    return [{ ...log, state: "seen", seenAt, orderId: before?.orderId ?? own.orderId, heldFor }];
  });
  if (rows.length > 0) {
    await tx
      .insert(transfers)
      .values(rows)
      .onConflictDoUpdate({
        ...standsAgain(transfers),
        set: { state: "seen", orderId: sql`excluded.order_id` },
      });
  }
}

const becomesFinal = (table: typeof transfers | typeof sweeps, network: Network, final: number) =>
  and(eq(table.network, network), eq(table.state, "seen"), lte(table.blockNumber, final));

/** Calls the transfers up to a block final, writes them into the book, and settles their orders. */
async function finalise(ledger: Ledger, tx: Database, network: Network, final: number): Promise<void> {
  const at = new Date(ledger.now());
  const due = await tx
    .update(transfers)
    .set({ state: "final", finalAt: at })
    .where(becomesFinal(transfers, network, final))
    .returning();
  for (const transfer of due) {
    if (transfer.orderId === null) await recordTransfer(tx, transfer, at);
  }
  for (const id of ordersOf(due)) await settleOrder(ledger, tx, id);
  for (const transfer of due) {
    const { heldFor } = transfer;
    if (heldFor === null || heldFor === "refunded" || heldFor === "own address") continue;
    // Dust is held, and told to no one.
    if (transfer.amount >= CENT && (await heldOf(tx, transfer)) > 0n)
      await noteHeld(ledger, tx, transfer, heldFor);
  }
  const sent = await tx
    .update(sweeps)
    .set({ state: "final", finalAt: at })
    .where(becomesFinal(sweeps, network, final))
    .returning();
  await recordSweeps(tx, sent, at);
}

async function recordSweeps(
  tx: Database,
  found: readonly (typeof sweeps.$inferSelect)[],
  at: Date,
): Promise<void> {
  const from = await ownAddresses(tx, [...new Set(found.map(({ sender }) => sender))]);
  const stays = await staying(tx, found);
  for (const sweep of found) {
    if (sweep.state === "final" && stays.has(transferCause(sweep))) continue;
    const candidates = from.filter(({ raw }) => raw === sweep.sender);
    const own = candidates.find(({ network }) => network === sweep.network) ?? candidates[0];
    await recordSweep(tx, sweep, own?.orderId ?? null, at);
  }
}

/** Of transfers from our addresses, those to another one of ours: their money has not moved on. */
async function staying(
  tx: Database,
  found: readonly (typeof sweeps.$inferSelect)[],
): Promise<ReadonlySet<string>> {
  const own = await tx
    .select()
    .from(transfers)
    .where(
      and(
        eq(transfers.heldFor, "own address"),
        inArray(
          transfers.txHash,
          found.map(({ txHash }) => txHash),
        ),
      ),
    );
  return new Set(own.map(transferCause));
}

const idsOf = (rows: readonly { id: string | null }[]) =>
  rows.flatMap(({ id }) => (id === null ? [] : [id])).toSorted();

/** In one order everywhere, so that two transactions do not wait for each other. */
const ordersOf = (found: readonly Transfer[]) => [
  ...new Set(idsOf(found.map(({ orderId }) => ({ id: orderId })))),
];

/** Puts a transfer that is not credited by itself on the operator's list. */
async function noteHeld(
  ledger: Ledger,
  tx: Database,
  transfer: Transfer,
  reason: Exclude<Transfer["heldFor"], "own address" | "refunded" | null>,
): Promise<void> {
  const path = reason === "no order" ? await pathOf(tx, transfer.recipient) : "";
  await openUnmatched(ledger, tx, {
    rail: "usdt",
    eventId: transferCause(transfer),
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
  const [found] = await tx.select().from(receivingAddresses).where(eq(receivingAddresses.raw, recipient));
  if (!found) return "";
  const { series, index, fingerprint, orderId, accountId } = found;
  // By its number: a row of the list stays, and a deleted account's name does not.
  const removed = orderId === null ? "" : `, removed order ${orderId} of account ${accountId}`;
  return ` ${series}/${index} of ${fingerprint}${removed}`;
}

/**
 * Goes back to a block that still stands, in one transaction: transfers above it are orphaned, and orders that they had
 * paid are pending again.
 * @throws PositionMoved
 */
export async function rewind(
  ledger: Ledger,
  network: Network,
  expected: Position,
  to: BlockId,
): Promise<void> {
  const { db, log } = ledger;
  await inTransaction(db, async (tx) => {
    const position = await lockedPosition(tx, network, expected);
    const isGone = (table: typeof transfers | typeof sweeps) =>
      and(eq(table.network, network), gt(table.blockNumber, to.number), ne(table.state, "orphaned"));
    const named = await tx.selectDistinct({ id: transfers.orderId }).from(transfers).where(isGone(transfers));
    await lockOrders(tx, idsOf(named));
    const gone = await tx
      .select()
      .from(transfers)
      .where(isGone(transfers))
      .orderBy(asc(transfers.blockNumber))
      .for("update");
    const orphaned = { state: "orphaned" as const, finalAt: null };
    await tx.update(transfers).set(orphaned).where(isGone(transfers));
    const at = new Date(ledger.now());
    for (const transfer of gone) {
      if (transfer.orderId === null) await recordTransfer(tx, { ...transfer, ...orphaned }, at);
    }
    // What was not final has paid nothing: it takes nothing with it.
    const wasFinal = gone.filter(({ state }) => state === "final");
    for (const id of ordersOf(wasFinal)) await settleOrder(ledger, tx, id, { cause: "reorganisation" });
    for (const transfer of wasFinal) {
      const { txHash, orderId } = transfer;
      const row = { rail: "usdt" as const, eventId: transferCause(transfer) };
      await resolveUnmatched(ledger, tx, row, RESOLVED_BY_ITSELF);
      log("final transfer orphaned", { network, transaction: txHash, order: orderId ?? "" }, "error");
    }
    await recordSweeps(tx, await tx.update(sweeps).set(orphaned).where(isGone(sweeps)).returning(), at);
    await tx
      .delete(chainBlocks)
      .where(and(eq(chainBlocks.network, network), gt(chainBlocks.number, to.number)));
    await tx
      .update(chainPositions)
      .set({ number: to.number, hash: to.hash, finalNumber: Math.min(position.finalNumber, to.number) })
      .where(eq(chainPositions.network, network));
  });
  log("chain reorganised", { network, from: expected.number, to: to.number }, "warn");
}
