/** What waits: pending orders, unmatched payments, undelivered events, blocks that are not read yet; and which backups were made. */
import { and, count, desc, eq, isNotNull, isNull, lt, max, sql, type SQL } from "drizzle-orm";
import { OrderStatus } from "../../contract/calls.ts";
import { HOUR, MINUTE, SECOND } from "../../contract/durations.ts";
import type { Database } from "../store/database.ts";
import {
  auditEntries,
  orders,
  outboxEvents,
  unmatchedPayments,
  type chainPositions,
} from "../store/schema.ts";

/** Ms after which an event that was not delivered is late. */
const LATE = 10 * MINUTE;

export interface Backlog {
  /** Money that no rule settles. */
  unmatchedPayments: number;
  /** When the latest of it came; null: there is none. */
  latestUnmatched: Date | null;
  /** Events that were not delivered in ten minutes, and those that were given up. */
  eventsLate: number;
  eventsGivenUp: number;
}

/**
 * Each number has an index of what waits alone.
 * @param now milliseconds since 1970, UTC
 * @param hasReceiver whether events are delivered; without a receiver none is late
 */
export async function backlogOf(db: Database, now: number, hasReceiver: boolean): Promise<Backlog> {
  const late = new Date(now - LATE);
  const [[unmatched], eventsLate, eventsGivenUp] = await Promise.all([
    db
      .select({ number: count(), latest: max(unmatchedPayments.receivedAt) })
      .from(unmatchedPayments)
      .where(isNull(unmatchedPayments.resolvedAt)),
    hasReceiver
      ? db.$count(outboxEvents, and(isNotNull(outboxEvents.nextAttemptAt), lt(outboxEvents.createdAt, late)))
      : 0,
    db.$count(outboxEvents, and(isNull(outboxEvents.nextAttemptAt), isNull(outboxEvents.deliveredAt))),
  ]);
  return {
    unmatchedPayments: unmatched?.number ?? 0,
    latestUnmatched: unmatched?.latest ?? null,
    eventsLate,
    eventsGivenUp,
  };
}

/**
 * Orders that are not paid yet. They may be millions, most of them never to be paid: for a look now and then. Counted once,
 * however often the promise is awaited, as a count of drizzle's is not.
 */
export const countPending = async (db: Database): Promise<number> =>
  db.$count(orders, eq(orders.status, OrderStatus.pending));

type Position = Pick<typeof chainPositions.$inferSelect, "number" | "headNumber" | "headAt" | "checkedAt">;

const secondsSince = (moment: Date | null, now: number) =>
  moment === null ? null : Math.max(0, Math.round((now - moment.getTime()) / SECOND));

/**
 * How far a network is read: seconds since its newest block was made and since a node last answered, and blocks that are
 * not read yet. Null: no node has told.
 * @param now milliseconds since 1970, UTC
 */
export const readingOf = ({ number, headNumber, headAt, checkedAt }: Position, now: number) => ({
  age: secondsSince(headAt, now),
  silence: secondsSince(checkedAt, now),
  unread: headNumber === null ? null : Math.max(0, headNumber - number),
});

export interface Backup {
  at: Date;
  actor: string;
  /** A file of the machine, or the page. */
  to: string;
  /** Null: it was not finished. */
  bytes: number | null;
  /** Why not, where that is known. */
  failed: string | null;
}

const { action, details, subject } = auditEntries;
export const isBackup = and(eq(subject, "database"), eq(action, "backup"));

async function backupsWhere(db: Database, condition: SQL | undefined, most: number): Promise<Backup[]> {
  const entries = await db
    .select()
    .from(auditEntries)
    .where(condition)
    .orderBy(desc(auditEntries.id))
    .limit(most);
  return entries.map(({ at, actor, reason, details: { bytes, failed } }) => ({
    at,
    actor,
    to: reason,
    bytes: typeof bytes === "number" ? bytes : null,
    failed: typeof failed === "string" ? failed : null,
  }));
}

/** Backups that were begun by a command or on the page, the latest first. Other ways to make one leave no entry. */
export const latestBackups = (db: Database, most: number) => backupsWhere(db, isBackup, most);

/** The last of them that was finished; null: none was. */
export const lastBackup = async (db: Database): Promise<Backup | null> =>
  (await backupsWhere(db, and(isBackup, sql`${details} ->> 'bytes' IS NOT NULL`), 1))[0] ?? null;

/**
 * Whether a backup of that time is old. One that lies as far ahead of a clock that was set back is, too: no one knows its age.
 * @param now milliseconds since 1970, UTC
 * @param hours after which it is; 0: never
 */
export const isOld = (at: Date, now: number, hours: number): boolean =>
  hours > 0 && Math.abs(now - at.getTime()) > hours * HOUR;
