/** The membership ledger: every extension and every revocation is an entry of its own, and none is changed. Specification, section 4. */
import { and, desc, eq, gt, isNotNull, lte, sql } from "drizzle-orm";
import type { Language } from "../../contract/languages.ts";
import type { Database } from "../store/database.ts";
import { accounts, membershipEntries, type orders } from "../store/schema.ts";
import { inTransaction } from "../store/transaction.ts";
import { addEvent } from "./outbox.ts";

type Order = typeof orders.$inferSelect;
type Entry = typeof membershipEntries.$inferInsert;
type PackName = Record<Language, string>;

/** Why days of an order are taken back. */
export type RevokeReason = "refund" | "dispute" | "reorganisation";

const DAY = 86_400_000;

/** The state after the latest entry, past memberships included; undefined when there never was one. */
export async function membershipOf(db: Database, accountId: number) {
  const [latest] = await db
    .select({ endsAt: membershipEntries.endsAt, packName: membershipEntries.packName })
    .from(membershipEntries)
    .where(eq(membershipEntries.accountId, accountId))
    .orderBy(desc(membershipEntries.id))
    .limit(1);
  return latest;
}

/** Appends an entry, one of an account at a time, and tells other systems. */
async function append(
  tx: Database,
  accountId: number,
  now: number,
  entryAfter: (endsAt: number | null) => Promise<Omit<Entry, "accountId" | "createdAt">>,
): Promise<void> {
  const [account] = await tx
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("no key update");
  const current = await membershipOf(tx, accountId);
  const entry = await entryAfter(current?.endsAt.getTime() ?? null);
  const [added] = await tx
    .insert(membershipEntries)
    .values({ ...entry, accountId, createdAt: new Date(now) })
    .returning({ id: membershipEntries.id });
  await tx.update(accounts).set({ membershipEndsAt: entry.endsAt }).where(eq(accounts.id, accountId));
  const isExtended = entry.reason === "order" || entry.days > 0;
  await addEvent(tx, now, isExtended ? "membership.extended" : "membership.revoked", {
    account_id: String(accountId),
    account_name: account?.name ?? "",
    order_id: entry.orderId ?? null,
    reason: entry.reason,
    days: entry.days,
    ends_at: entry.endsAt.toISOString(),
    // Events may arrive in any order: the highest is the latest.
    sequence: added?.id ?? 0,
  });
}

/** Of the n-th entry of one order, n. Its unique index makes a payment count once. */
const nextOrdinal = async (tx: Database, orderId: string) =>
  (await tx.$count(membershipEntries, eq(membershipEntries.orderId, orderId))) + 1;

/** The latest grant of an order, its length in ms, and the entry that revoked it, if any. */
async function latestGrant(tx: Database, orderId: string) {
  const entries = await tx
    .select()
    .from(membershipEntries)
    .where(eq(membershipEntries.orderId, orderId))
    .orderBy(desc(membershipEntries.id))
    .limit(2);
  const at = entries.findIndex(({ reason }) => reason === "order");
  const grant = entries[at];
  return (
    grant && { ...grant, lasts: grant.endsAt.getTime() - grant.beginsAt.getTime(), revoked: entries[at - 1] }
  );
}

/**
 * Ms of membership that an order grants: its days, or what was left when they were revoked, where the same money is there
 * again. A transfer that was given back never counts again, so that what pays such an order is new money.
 */
async function grantDuration(tx: Database, order: Order): Promise<number> {
  const grant = await latestGrant(tx, order.id);
  const isNewMoney = order.rail === "usdt" && grant?.revoked?.reason === "refund";
  if (!grant?.revoked || isNewMoney) return order.days * DAY;
  const left = grant.endsAt.getTime() - Math.max(grant.revoked.createdAt.getTime(), grant.beginsAt.getTime());
  return Math.min(grant.lasts, Math.max(0, left));
}

/** Adds the days of a confirmed order, from now or from the end of the current membership. */
export async function extendMembership(tx: Database, order: Order, now: number): Promise<void> {
  await append(tx, order.accountId, now, async (endsAt) => {
    const duration = await grantDuration(tx, order);
    const beginsAt = duration === 0 ? (endsAt ?? now) : Math.max(now, endsAt ?? now);
    return {
      orderId: order.id,
      ordinal: await nextOrdinal(tx, order.id),
      reason: "order",
      days: Math.ceil(duration / DAY),
      beginsAt: new Date(beginsAt),
      endsAt: new Date(beginsAt + duration),
      packName: order.packName,
    };
  });
}

/** Revokes the latest grant of an order. */
export async function revokeMembership(
  tx: Database,
  order: Order,
  reason: RevokeReason,
  now: number,
): Promise<void> {
  await append(tx, order.accountId, now, async (endsAt) => {
    const { days = order.days, lasts = order.days * DAY } = (await latestGrant(tx, order.id)) ?? {};
    return {
      orderId: order.id,
      ordinal: await nextOrdinal(tx, order.id),
      reason,
      days: -days,
      beginsAt: new Date(now),
      endsAt: new Date((endsAt ?? now) - lasts),
      packName: await packNameWithout(tx, order),
    };
  });
}

/**
 * Adds days, or takes them back where `days` is negative, by hand.
 * @param packName what a membership is called that has no name yet
 */
export async function creditMembership(
  tx: Database,
  accountId: number,
  days: number,
  packName: PackName,
  now: number,
): Promise<void> {
  const before = await membershipOf(tx, accountId);
  await append(tx, accountId, now, async (endsAt) => {
    const beginsAt = days > 0 ? Math.max(now, endsAt ?? now) : now;
    const from = days > 0 ? beginsAt : (endsAt ?? now);
    return {
      reason: days > 0 ? "credit" : "revoked",
      days,
      beginsAt: new Date(beginsAt),
      endsAt: new Date(from + days * DAY),
      packName: before?.packName ?? packName,
    };
  });
}

/** What the membership was called before the order, or is called by a later one. */
async function packNameWithout(tx: Database, order: Order): Promise<PackName | null> {
  const [other] = await tx
    .select({ packName: membershipEntries.packName })
    .from(membershipEntries)
    .where(
      and(
        eq(membershipEntries.accountId, order.accountId),
        sql`${membershipEntries.orderId} IS DISTINCT FROM ${order.id}`,
        gt(membershipEntries.days, 0),
        isNotNull(membershipEntries.packName),
      ),
    )
    .orderBy(desc(membershipEntries.id))
    .limit(1);
  return other?.packName ?? null;
}

/** Memberships whose end is announced at a time. */
const BATCH = 200;

/** Tells other systems of memberships that have ended, each end once. @returns how many */
export async function announceEnds(db: Database, now: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const ended = await tx
      .select({ id: accounts.id, name: accounts.name, endsAt: accounts.membershipEndsAt })
      .from(accounts)
      .where(
        and(
          lte(accounts.membershipEndsAt, new Date(now)),
          sql`${accounts.membershipEndAnnounced} IS DISTINCT FROM ${accounts.membershipEndsAt}`,
        ),
      )
      .orderBy(accounts.membershipEndsAt)
      .limit(BATCH)
      .for("no key update", { skipLocked: true });
    for (const { id, name, endsAt } of ended) {
      await tx.update(accounts).set({ membershipEndAnnounced: endsAt }).where(eq(accounts.id, id));
      await addEvent(tx, now, "membership.ended", {
        account_id: String(id),
        account_name: name,
        ends_at: endsAt?.toISOString() ?? null,
      });
    }
    return ended.length;
  });
}
