/** Deletes expired sessions, links and sessions of operators, attempts that no limit counts any more, old security events, events that other systems were told of long ago, and orders that were never paid. */
import { and, isNull, lt, sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { DAY, HOUR } from "../../contract/durations.ts";
import type { Ledger } from "../payments/ledger.ts";
import { removeUnpaidOrders } from "../payments/unpaid-orders.ts";
import type { Database } from "../store/database.ts";
import {
  attempts,
  operatorChallenges,
  operatorLinks,
  operatorSessions,
  outboxEvents,
  securityEvents,
  sessions,
} from "../store/schema.ts";
import { factsOf } from "../platform/log.ts";
import { repeat } from "../platform/repeat.ts";

/**
 * How long security events are kept, and events for other systems that were delivered or given up: long enough to look into
 * an account that was taken over, and no longer, for they hold names and networks.
 */
const EVENTS_KEPT = 90 * DAY;

/** Rows that one statement deletes: few enough for the longest that a statement may take, and others get their turn in between. */
const BATCH = 5_000;

async function deleteWhere(db: Database, table: PgTable, key: PgColumn, condition: SQL): Promise<void> {
  // What is being changed is left for the next time: two that wait for each other's rows would wait for ever. As an array it
  // is looked for once; as a list, once for each row of a table that was empty when the server last counted it.
  const next = db
    .select({ key })
    .from(table)
    .where(condition)
    .limit(BATCH)
    .for("update", { skipLocked: true });
  let deleted = BATCH;
  while (deleted === BATCH)
    deleted = (
      await db
        .delete(table)
        .where(sql`${key} = ANY(ARRAY(${next}))`)
        .returning({ key })
    ).length;
}

/** @param now milliseconds since 1970, UTC */
export async function deleteExpired(db: Database, now: number): Promise<void> {
  const since = new Date(now - EVENTS_KEPT);
  await deleteWhere(db, sessions, sessions.tokenHash, lt(sessions.expiresAt, new Date(now)));
  for (const table of [operatorChallenges, operatorLinks, operatorSessions])
    await deleteWhere(db, table, table.tokenHash, lt(table.expiresAt, new Date(now)));
  await deleteWhere(db, attempts, attempts.key, lt(attempts.expiresAt, new Date(now)));
  await deleteWhere(db, securityEvents, securityEvents.id, lt(securityEvents.at, since));
  const isSettled = and(isNull(outboxEvents.nextAttemptAt), lt(outboxEvents.createdAt, since));
  await deleteWhere(db, outboxEvents, outboxEvents.id, isSettled ?? sql`false`);
}

/** @param unpaidDays see `removeUnpaidOrders` @returns what stops it */
export function startRetention({ db, now, log }: Ledger, unpaidDays: number): () => Promise<void> {
  const act = () =>
    deleteExpired(db, now())
      .then(() => removeUnpaidOrders(db, now(), unpaidDays))
      .catch((error: unknown) => log("retention failed", factsOf(error), "error"));
  return repeat(HOUR, act, true);
}
