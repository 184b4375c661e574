/** The operator's command that takes back what an audit entry did: days, movements of money, locks, and how rows of the operator's list were settled. */
import { isDeepStrictEqual } from "node:util";
import { and, eq, inArray, sql, type Column } from "drizzle-orm";
import { OrderStatus } from "../../../contract/calls.ts";
import { holds, phrase, type SubjectName } from "../../../contract/console.ts";
import { addVersion, newestVersion, packagesOf } from "../../catalogue-versions.ts";
import { toLine } from "../../catalogue.ts";
import { lockAccount } from "../../accounts/locks.ts";
import { lockOrders } from "../../payments/book.ts";
import { MovedOn, undoMovements } from "../../payments/book-by-hand.ts";
import { settleOrder, type Ledger } from "../../payments/ledger.ts";
import { undoMembershipEntries } from "../../payments/membership.ts";
import type { Database } from "../../store/database.ts";
import { accounts, auditEntries, orders, unmatchedPayments } from "../../store/schema.ts";
import { audited, keptOf, type AuditEntry, type Kept } from "./audit.ts";
import { statusWord, type Change, type State, type Subject } from "./change.ts";
import { auditNumber, change, CommandRefused, type Commands } from "./command.ts";

/** @throws CommandRefused in the words of the command that did it, where nothing takes it back */
function undoable(entry: AuditEntry | undefined, id: number): { entry: AuditEntry; kept: Kept } {
  if (!entry) throw new CommandRefused(`There is no audit entry ${id}.`);
  const kept = keptOf(entry);
  if (kept === null)
    throw new CommandRefused(
      `Audit entry ${id}, ${entry.action}, cannot be undone: it did not note what it changed.`,
    );
  if (kept.undo !== true) throw new CommandRefused(kept.undo);
  return { entry, kept };
}

/** All that the entry was about, so that the same is read before and after its undoing. */
const subjectOf = (
  { subject }: AuditEntry,
  { change: { after, confirm } }: Kept,
  file: string | undefined,
): Subject => ({
  name: subject as SubjectName,
  word: confirm,
  accounts: after.members.map(({ id }) => id),
  orders: after.orders.map(({ order }) => order),
  unmatched: after.unmatched.map(({ row }) => row),
  catalogue: after.catalogue && file,
});

/** The members or rows that the entry changed, each before and after. */
function changedOf<Kind extends "members" | "unmatched">(
  { before, after }: Change,
  kind: Kind,
  isSame: (one: State[Kind][number], other: State[Kind][number]) => boolean,
  key: (one: State[Kind][number]) => number,
) {
  return (after[kind] as State[Kind][number][]).flatMap((each) => {
    const was = (before[kind] as State[Kind][number][]).find((one) => key(one) === key(each));
    return was === undefined || isSame(was, each) ? [] : [{ was, became: each }];
  });
}

const dateOf = (iso: string | null) => (iso === null ? null : new Date(iso));
const isStill = (column: Column, value: unknown) => sql`${column} IS NOT DISTINCT FROM ${value}`;

/** Locks or unlocks again, as it was before. */
async function undoLocks(tx: Database, undone: Change, now: number): Promise<void> {
  const locks = changedOf(
    undone,
    "members",
    (one, other) => one.lockedAt === other.lockedAt,
    ({ id }) => id,
  );
  for (const { was, became } of locks) {
    const [account] = await tx
      .select({ lockedAt: accounts.lockedAt })
      .from(accounts)
      .where(eq(accounts.id, was.id));
    if ((account?.lockedAt?.toISOString() ?? null) !== became.lockedAt)
      throw new CommandRefused(phrase("locked since", { member: was.member }));
    await lockAccount(tx, was.id, dateOf(was.lockedAt), now);
  }
}

/** Has rows of the operator's list open again, or settled as they were before. @returns the orders that they are about */
async function undoSettlements(tx: Database, undone: Change): Promise<string[]> {
  const settled = changedOf(
    undone,
    "unmatched",
    (one, other) => JSON.stringify(one) === JSON.stringify(other),
    ({ row }) => row,
  );
  for (const { was, became } of settled) {
    const { resolution, resolvedAs, auditId, order: orderId } = was;
    const restored = await tx
      .update(unmatchedPayments)
      .set({ resolvedAt: dateOf(was.resolvedAt), resolution, resolvedAs, auditId, orderId })
      .where(
        and(
          eq(unmatchedPayments.id, was.row),
          isStill(unmatchedPayments.resolution, became.resolution),
          isStill(unmatchedPayments.auditId, became.auditId),
        ),
      )
      .returning({ id: unmatchedPayments.id });
    if (restored.length === 0) throw new CommandRefused(phrase("row settled since", { row: was.row }));
  }
  return settled.map(({ was }) => was.order).filter((id) => id !== null);
}

/** Puts the packages on sale that were before the entry. */
async function undoPackages(
  tx: Database,
  { before: { catalogue: before }, after: { catalogue: after } }: Change,
  entry: { at: Date; auditId: number },
): Promise<void> {
  if (!before || !after) return;
  const newest = await newestVersion(tx);
  // What an undo puts back is a version of its own.
  const isAsItWas =
    after.version === null
      ? (newest?.packages ?? null) === null
      : isDeepStrictEqual(newest?.packages?.map(toLine), after.packages);
  if (!isAsItWas) throw new CommandRefused(phrase("packages changed since", {}));
  await addVersion(tx, before.version === null ? null : await packagesOf(tx, before.version), entry);
}

const wasPending = ({ before }: Change, id: string) =>
  before.orders.some(({ order, status }) => order === id && status === statusWord(OrderStatus.pending));

/** Takes movements of money back, and has their orders follow: one that was pending is so again, and can still be paid. */
async function undoMoney(
  ledger: Ledger,
  tx: Database,
  undone: { id: number; change: Change },
  auditId: number,
): Promise<string[]> {
  try {
    const ids = await undoMovements(tx, undone.id, { at: new Date(ledger.now()), auditId });
    for (const id of ids) {
      const settled = await settleOrder(ledger, tx, id, { cause: "refund", auditId });
      if (settled === "revoked" && wasPending(undone.change, id))
        await tx.update(orders).set({ status: OrderStatus.pending }).where(eq(orders.id, id));
    }
    return ids;
  } catch (error) {
    if (!(error instanceof MovedOn)) throw error;
    throw new CommandRefused(phrase("money moved since", {}));
  }
}

export const undoCommands: Commands = {
  undo: change({
    help: "take back exactly what an audit entry did, once; an undo can be undone, too",
    args: { id: auditNumber },
    changes: "money",
    undo: true,
    // Besides, what the entry needed.
    right: "support",
    async run(call) {
      const { ledger, args } = call;
      const [found] = await ledger.db.select().from(auditEntries).where(eq(auditEntries.id, args.id));
      const { entry, kept } = undoable(found, args.id);
      // Entries of earlier releases do not say what they needed.
      const needed = kept.right ?? "money";
      if (!holds(call.right, needed))
        throw new CommandRefused(phrase("right to undo", { entry: args.id, right: needed, has: call.right }));
      return audited(
        { ...call, change: { ...call.change, right: needed } },
        "undo",
        subjectOf(entry, kept, call.catalogue),
        async (tx, auditId, told) => {
          const { action, actor, reason } = entry;
          told.note(phrase("undoes", { action, at: entry.at.toISOString(), actor, reason }));
          await undoLocks(tx, kept.change, ledger.now());
          await undoMembershipEntries(tx, entry.id, auditId, ledger.now());
          // Rows are open again before the orders are settled, which would write them anew.
          const listed = await undoSettlements(tx, kept.change);
          const moved = await undoMoney(ledger, tx, { id: entry.id, change: kept.change }, auditId);
          // Their rows are in line with the money as it is now: it may have moved since, or be too much for an order that failed.
          const touched = [...new Set([...listed, ...moved])].toSorted();
          await lockOrders(tx, touched);
          for (const id of touched) await settleOrder(ledger, tx, id);
          await undoPackages(tx, kept.change, { at: new Date(ledger.now()), auditId });
          const members = kept.change.after.members.map(({ id }) => id);
          const rows =
            members.length === 0
              ? []
              : await tx
                  .select({
                    member: accounts.name,
                    ends: accounts.membershipEndsAt,
                    lockedAt: accounts.lockedAt,
                    deletedAt: accounts.deletedAt,
                  })
                  .from(accounts)
                  .where(inArray(accounts.id, members));
          const gone = rows.find(
            ({ deletedAt, ends }) => deletedAt !== null && ends !== null && ends.getTime() > ledger.now(),
          );
          if (gone) throw new CommandRefused(phrase("member again", { member: gone.member }));
          const undone = rows.map(({ member, ends, lockedAt }) => ({
            undone: entry.id,
            member,
            ends: ends?.toISOString() ?? null,
            locked: lockedAt !== null,
          }));
          return undone.length === 0 ? [{ undone: entry.id }] : undone;
        },
        entry.id,
      );
    },
  }),
};
