/** What waits: pending orders, unmatched payments, undelivered events, and the next backup. */
import { and, desc, eq, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { OrderStatus } from "../../contract/calls.ts";
import type { Database } from "../store/database.ts";
import { auditEntries, orders, outboxEvents, unmatchedPayments } from "../store/schema.ts";

/** Ms after which an event that was not delivered is late. */
const LATE = 600_000;

export interface Backlog {
  pendingOrders: number;
  /** Money that no rule settles. */
  unmatchedPayments: number;
  /** Events that were not delivered in ten minutes, and those that were given up. */
  eventsLate: number;
  eventsGivenUp: number;
}

/** Each number has an index of what waits alone. @param now milliseconds since 1970, UTC */
export async function backlogOf(db: Database, now: number): Promise<Backlog> {
  const late = new Date(now - LATE);
  const [pendingOrders, unmatched, eventsLate, eventsGivenUp] = await Promise.all([
    db.$count(orders, eq(orders.status, OrderStatus.pending)),
    db.$count(unmatchedPayments, isNull(unmatchedPayments.resolvedAt)),
    db.$count(outboxEvents, and(isNotNull(outboxEvents.nextAttemptAt), lt(outboxEvents.createdAt, late))),
    db.$count(outboxEvents, and(isNull(outboxEvents.nextAttemptAt), isNull(outboxEvents.deliveredAt))),
  ]);
  return { pendingOrders, unmatchedPayments: unmatched, eventsLate, eventsGivenUp };
}

/** When the last backup was begun that a command has finished; null: none was. Other ways to make one leave no entry. */
export async function lastBackup(db: Database): Promise<Date | null> {
  const { action, at, details, id, subject } = auditEntries;
  const [entry] = await db
    .select({ at })
    .from(auditEntries)
    .where(and(eq(subject, "database"), eq(action, "backup"), sql`${details} ->> 'bytes' IS NOT NULL`))
    .orderBy(desc(id))
    .limit(1);
  return entry?.at ?? null;
}
