/** Events about accounts. Each carries the whole state of its account, so that of several the latest alone suffices. */
import { and, asc, eq, gt, inArray, isNotNull, lt, sql } from "drizzle-orm";
import { DAY } from "../../contract/durations.ts";
import type { Database } from "../store/database.ts";
import { accounts, membershipEntries, outboxEvents, storedSettings } from "../store/schema.ts";
import { inTransaction } from "../store/transaction.ts";
import { addEvents, type AccountEventType, type EventData } from "./outbox.ts";

/** Where the least `sequence` of a new event is kept, in a database that was restored. */
const LEAST_SEQUENCE = "least event sequence";

/**
 * Has the events from now on count for later than all that were told by a database that is lost, within the transaction of
 * its restoring: by its clock, too, which may have run ahead by up to a year.
 */
export async function beginSequenceAnew(tx: Database): Promise<void> {
  const value = sql`(extract(epoch FROM clock_timestamp() + interval '1 year') * 1000)::bigint::text`;
  await tx
    .insert(storedSettings)
    .values({ key: LEAST_SEQUENCE, value })
    .onConflictDoUpdate({ target: storedSettings.key, set: { value } });
}

/**
 * Writes an event about each of the accounts, within the transaction of what it tells of: after that has changed them.
 * Of two events about one account, the one with the higher `sequence` is the later one, whatever clocks and restores did:
 * it grows by one at least, and is no less than the milliseconds since 1970, and than what a restored database begins with.
 * @param facts what the event tells besides the state
 */
export async function addAccountEvents(
  tx: Database,
  now: number,
  type: AccountEventType,
  ids: readonly number[],
  facts: EventData = {},
): Promise<void> {
  if (ids.length === 0) return;
  // Earlier releases gave the number of the membership's latest entry.
  const earlier = sql`(SELECT max(${membershipEntries.id}) FROM ${membershipEntries} WHERE ${membershipEntries.accountId} = ${accounts.id})`;
  const least = sql`(SELECT ${storedSettings.value}::bigint FROM ${storedSettings} WHERE ${storedSettings.key} = ${LEAST_SEQUENCE})`;
  const told = await tx
    .update(accounts)
    .set({
      eventSequence: sql`greatest(coalesce(${accounts.eventSequence}, ${earlier}, 0) + 1, ${Math.floor(now)}::bigint, ${least})`,
    })
    .where(inArray(accounts.id, [...ids]))
    .returning({
      id: accounts.id,
      name: accounts.name,
      key: accounts.nameKey,
      endsAt: accounts.membershipEndsAt,
      lockedAt: accounts.lockedAt,
      deletedAt: accounts.deletedAt,
      sequence: accounts.eventSequence,
    });
  if (told.length === 0) return;
  await addEvents(
    tx,
    now,
    type,
    told.map(({ id, name, key, endsAt, lockedAt, deletedAt, sequence }) => ({
      account_id: String(id),
      account_name: name,
      account_key: key,
      sequence: sequence ?? 0,
      active: deletedAt === null && lockedAt === null && endsAt !== null && endsAt.getTime() > now,
      ends_at: endsAt?.toISOString() ?? null,
      locked: lockedAt !== null,
      deleted: deletedAt !== null,
      ...facts,
    })),
  );
}

/** Where the announcing of every member has got to: the end and the number of the last one. */
const POSITION = "announce members";
/** Members that are announced at once. */
const PAGE = 100;
/** Their events that may still wait then: a payment's own event is not to wait behind more. */
const WAITING = 50;
/** Tries, within a quarter of an hour, after which an event is waited for no more: of a few accounts the receiver may refuse each. */
const TRIES = 5;

/**
 * Ms for which a membership that is over is announced, too: a receiver that was restored from a backup of its own lets in
 * whom it knew as a member, until it hears that the membership was ended since.
 */
const ENDED = 31 * DAY;

/**
 * Has every member be announced again, from the beginning: whose membership runs, or has ended not long ago.
 * @returns how many those are now
 */
export async function startAnnouncing(tx: Database, now: number): Promise<number> {
  const since = new Date(now - ENDED);
  const value = JSON.stringify({ end: since.toISOString(), id: 0 });
  await tx
    .insert(storedSettings)
    .values({ key: POSITION, value })
    .onConflictDoUpdate({ target: storedSettings.key, set: { value } });
  return tx.$count(accounts, gt(accounts.membershipEndsAt, since));
}

/**
 * Announces the next members, where that was begun and most of the earlier ones have been delivered. They come in the order of their
 * ends: one whose end moves meanwhile is told of by that change itself.
 * @returns how many
 */
export async function announceNext(db: Database, now: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const at = eq(storedSettings.key, POSITION);
    const [position] = await tx.select().from(storedSettings).where(at).for("update", { skipLocked: true });
    if (!position) return 0;
    const waiting = and(
      isNotNull(outboxEvents.nextAttemptAt),
      eq(outboxEvents.type, "membership.state"),
      lt(outboxEvents.attempts, TRIES),
    );
    if ((await tx.$count(outboxEvents, waiting)) > WAITING) return 0;
    const { end, id } = JSON.parse(position.value) as { end: string; id: number };
    const next = await tx
      .select({ id: accounts.id, end: accounts.membershipEndsAt })
      .from(accounts)
      .where(sql`(${accounts.membershipEndsAt}, ${accounts.id}) > (${end}::timestamptz, ${id}::bigint)`)
      .orderBy(asc(accounts.membershipEndsAt), asc(accounts.id))
      .limit(PAGE);
    const last = next.at(-1);
    if (!last) {
      await tx.delete(storedSettings).where(at);
      return 0;
    }
    const value = JSON.stringify({ end: last.end?.toISOString(), id: last.id });
    await tx.update(storedSettings).set({ value }).where(at);
    // Locked in the order in which all accounts are.
    const ids = next.map((account) => account.id).toSorted((one, other) => one - other);
    await tx
      .select({ id: accounts.id })
      .from(accounts)
      .where(inArray(accounts.id, ids))
      .orderBy(asc(accounts.id))
      .for("no key update");
    await addAccountEvents(tx, now, "membership.state", ids);
    return ids.length;
  });
}
