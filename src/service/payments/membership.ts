/** The membership ledger: what is given and what is taken back is an entry of its own, and none is changed. Specification, section 4. */
import { and, asc, desc, eq, gt, inArray, isNull, lte, sql } from "drizzle-orm";
import type { Language } from "../../contract/languages.ts";
import { DAY, MINUTE } from "../../contract/durations.ts";
import type { Database } from "../store/database.ts";
import {
  accounts,
  auditEntries,
  endIsTold,
  endIsUntold,
  membershipEntries,
  type orders,
} from "../store/schema.ts";
import { inTransaction } from "../store/transaction.ts";
import { MembershipChain, type NextEntry } from "./membership-chain.ts";
import { addAccountEvents } from "../events/account-events.ts";

type Order = typeof orders.$inferSelect;
type Entry = typeof membershipEntries.$inferSelect;
type PackName = Record<Language, string>;

/** Why days of an order are taken back. */
export type RevokeReason = "refund" | "dispute" | "reorganisation";

/** By whose hand it happens. */
export interface ByOperator {
  /** The operator's audit entry; absent: money did it. */
  auditId?: number;
}

/** What an entry did. */
export interface MembershipChange {
  /** When the membership ends now; null when there never was one. */
  endsAt: Date | null;
  /** Ms that were given, negative where they were taken. */
  length: number;
  /** The same in days, rounded, as people are told. */
  days: number;
}

/** What a membership is called that only an operator gave. */
export const CREDIT: PackName = { en: "Credit", "zh-CN": "赠送" };

/** Appends an entry, one of an account at a time, and tells other systems. */
async function append(
  tx: Database,
  accountId: number,
  now: number,
  { auditId }: ByOperator,
  nextAfter: (entries: readonly Entry[], chain: MembershipChain) => NextEntry | Promise<NextEntry>,
): Promise<MembershipChange> {
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  const entries = await tx
    .select()
    .from(membershipEntries)
    .where(eq(membershipEntries.accountId, accountId))
    .orderBy(asc(membershipEntries.id));
  const chain = new MembershipChain(entries);
  const next = await nextAfter(entries, chain);
  const { orderId, reason, undoes } = next;
  const length = chain.follow(next, now);
  // Nothing can be taken where nothing was ever given.
  if (chain.endsAt === null) return { endsAt: null, length: 0, days: 0 };
  const endsAt = new Date(chain.endsAt);
  // Not the negative zero, which is another number to some.
  const days = Math.round(length / DAY) || 0;
  await tx.insert(membershipEntries).values({
    accountId,
    orderId,
    // Of the n-th entry of one order, n. Its unique index makes a payment count once.
    ordinal: orderId === null ? null : entries.filter((entry) => entry.orderId === orderId).length + 1,
    reason,
    days,
    beginsAt: new Date(length > 0 ? chain.endsAt - length : now),
    endsAt,
    packName: chain.packNameAt(now) ?? next.packName,
    createdAt: new Date(now),
    length,
    undoes,
    auditId: auditId ?? null,
  });
  await tx.update(accounts).set({ membershipEndsAt: endsAt }).where(eq(accounts.id, accountId));
  const isExtended = reason === "order" || reason === "credit";
  const type = isExtended ? "membership.extended" : "membership.revoked";
  await addAccountEvents(tx, now, type, [accountId], { order_id: orderId, reason, days });
  return { endsAt, length, days };
}

/** Whether an operator undoes an earlier entry: what comes back then is what was there before. */
async function isUndoing(tx: Database, { auditId }: ByOperator): Promise<boolean> {
  if (auditId === undefined) return false;
  const [entry] = await tx
    .select({ undoes: auditEntries.undoes })
    .from(auditEntries)
    .where(eq(auditEntries.id, auditId));
  return typeof entry?.undoes === "number";
}

/**
 * Gives the days of a confirmed order, from now or from the end of the current membership. Where the same money is there
 * again, it gives exactly what was taken. A transfer that was given back never counts again, so that what pays such an order
 * is new money and buys all of its days; unless an operator undoes that it was given back.
 */
export async function extendMembership(
  tx: Database,
  order: Order,
  now: number,
  by: ByOperator = {},
): Promise<MembershipChange> {
  const { id: orderId, packName } = order;
  return append(tx, order.accountId, now, by, async (entries) => {
    const latest = entries.findLast((entry) => entry.orderId === orderId);
    const isTaken = latest !== undefined && latest.reason !== "order";
    const isReturned = isTaken && order.rail === "usdt" && latest.reason === "refund";
    const isSameMoney = isTaken && (!isReturned || (await isUndoing(tx, by)));
    const gives = isSameMoney
      ? { length: null, undoes: latest.id }
      : { length: order.days * DAY, undoes: null };
    return { ...gives, orderId, reason: "order", packName };
  });
}

/** Takes back what is left of an order's days: what was used was paid for. The days of other orders stay whole. */
export async function revokeMembership(
  tx: Database,
  order: Order,
  reason: RevokeReason,
  now: number,
  by: ByOperator = {},
): Promise<MembershipChange> {
  return append(tx, order.accountId, now, by, (_, chain) => ({
    orderId: order.id,
    reason,
    length: null,
    undoes: chain.grantOf(order.id),
    packName: chain.timeLeft(now) > chain.timeLeftOf(order.id, now) ? CREDIT : null,
  }));
}

/**
 * Adds days by hand; or takes them from the end of the membership where `days` is negative, no more than are left.
 * @param packName what a membership is called that has no name yet
 */
export async function creditMembership(
  tx: Database,
  accountId: number,
  days: number,
  packName: PackName,
  now: number,
  by: ByOperator = {},
): Promise<MembershipChange> {
  const reason = days > 0 ? "credit" : "revoked";
  return append(tx, accountId, now, by, () => ({
    orderId: null,
    reason,
    length: days * DAY,
    undoes: null,
    packName,
  }));
}

/** Takes days of one order by hand, no more than are left of them. The days of other orders stay whole. @param order a confirmed one */
export async function revokeDaysOf(
  tx: Database,
  order: Order,
  days: number,
  now: number,
  by: ByOperator,
): Promise<MembershipChange> {
  return append(tx, order.accountId, now, by, (_, chain) => ({
    // Not of the order: entries of orders follow their money.
    orderId: null,
    reason: "revoked",
    length: -days * DAY,
    undoes: chain.grantOf(order.id),
    packName: CREDIT,
  }));
}

/**
 * Takes back what an operator's entry did to memberships by hand: of days that were added, what is left of them; of days that
 * were taken, exactly as much is given back. An entry that did so itself can be undone in turn. Entries of orders follow
 * their money, which the ledger settles.
 * @param newAuditId the audit entry of the undoing
 */
export async function undoMembershipEntries(
  tx: Database,
  auditId: number,
  newAuditId: number,
  now: number,
): Promise<MembershipChange[]> {
  const done = await tx
    .select()
    .from(membershipEntries)
    .where(and(eq(membershipEntries.auditId, auditId), isNull(membershipEntries.orderId)))
    .orderBy(desc(membershipEntries.id));
  const changes: MembershipChange[] = [];
  for (const { id, accountId, reason, packName } of done) {
    const inverse = reason === "credit" ? "revoked" : "credit";
    const next = { orderId: null, reason: inverse, length: null, undoes: id, packName } as const;
    changes.push(await append(tx, accountId, now, { auditId: newAuditId }, () => next));
  }
  return changes;
}

/** Memberships whose end is announced, or taken back, at a time. */
const BATCH = 200;

/** Tells other systems of memberships that have ended, each end once. @returns how many */
export async function announceEnds(db: Database, now: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const ended = await tx
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(lte(accounts.membershipEndsAt, new Date(now)), endIsUntold(accounts)))
      .orderBy(accounts.membershipEndsAt, accounts.id)
      .limit(BATCH)
      .for("no key update", { skipLocked: true });
    if (ended.length === 0) return 0;
    const ids = ended.map(({ id }) => id);
    await tx
      .update(accounts)
      .set({ membershipEndAnnounced: sql`${accounts.membershipEndsAt}` })
      .where(inArray(accounts.id, ids));
    await addAccountEvents(tx, now, "membership.ended", ids);
    return ended.length;
  });
}

/** Ms by which processes may differ in what time it is: an end that one has just announced is not taken back by another. */
const APART = MINUTE;

/** As `retractEnds`, of a batch. */
const retractBatch = (db: Database, now: number): Promise<number> =>
  inTransaction(db, async (tx) => {
    const running = await tx
      .select({ id: accounts.id })
      .from(accounts)
      .where(
        and(
          gt(accounts.membershipEndsAt, new Date(now + APART)),
          endIsTold(accounts),
          // Of a deleted account it was said that it is gone.
          isNull(accounts.deletedAt),
        ),
      )
      .orderBy(accounts.membershipEndsAt, accounts.id)
      .limit(BATCH)
      .for("no key update", { skipLocked: true });
    const ids = running.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await tx.update(accounts).set({ membershipEndAnnounced: null }).where(inArray(accounts.id, ids));
    await addAccountEvents(tx, now, "membership.state", ids);
    return ids.length;
  });

/**
 * Tells other systems that memberships run whose end was announced by a clock that had jumped ahead, and comes back. Their true
 * end is announced again.
 * @param signal ends it after a batch
 * @returns how many
 */
export async function retractEnds(db: Database, now: number, signal?: AbortSignal): Promise<number> {
  let retracted = 0;
  for (;;) {
    const found = await retractBatch(db, now);
    retracted += found;
    if (found < BATCH || signal?.aborted) return retracted;
  }
}
