/** Runs a transaction. The only place that begins one, so that each says its isolation. */
import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { is, sql } from "drizzle-orm";
import { PgTransaction } from "drizzle-orm/pg-core";
import type { Database } from "./database.ts";

/** How often a transaction is begun at most. */
const ATTEMPTS = 5;
/** Ms before it is begun again the first time, at most; then twice as many, and so on. Those that met do not meet again. */
const APART = 20;
/** PostgreSQL ended it so that another could go on: in a deadlock, and where transactions would not be one after the other. */
const GAVE_WAY: ReadonlySet<unknown> = new Set(["40P01", "40001"]);

/** Whether PostgreSQL has refused something for one of these reasons: `codes` are SQLSTATEs. */
export function hasCode(error: unknown, codes: ReadonlySet<unknown>): boolean {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if ("code" in inner && codes.has(inner.code)) return true;
  }
  return false;
}

/**
 * Runs `act` in a transaction, in read committed whatever the database's default is: a sum that is taken under a row's lock
 * has to see what others committed while the lock was waited for. Within another transaction it is a savepoint.
 * @param act is run again, from its beginning, where the transaction had to give way to another: it changes nothing but
 * what it writes by `tx`. What it logs may be logged again
 */
export async function inTransaction<T>(db: Database, act: (tx: Database) => Promise<T>): Promise<T> {
  // One that had to give way is over as a whole.
  const attempts = is(db, PgTransaction) ? 1 : ATTEMPTS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      // oxlint-disable-next-line no-restricted-properties -- this is the place
      return await db.transaction(act, { isolationLevel: "read committed" });
    } catch (error) {
      if (attempt >= attempts || !hasCode(error, GAVE_WAY)) throw error;
      await pause(randomInt(APART * 2 ** (attempt - 1)));
    }
  }
}

/** What a snapshot begins with: its statements take as long as they need, and say nothing meanwhile. */
export const UNLIMITED = "SET LOCAL statement_timeout = 0";

/** Runs `act`, which only reads, on the data as they are at one moment, for as long as it takes. */
export const inSnapshot = <T>(db: Database, act: (tx: Database) => Promise<T>): Promise<T> =>
  // oxlint-disable-next-line no-restricted-properties -- this is the place
  db.transaction(
    async (tx) => {
      await tx.execute(sql.raw(UNLIMITED));
      return act(tx);
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );

/** Waits for the advisory lock of that name, which `tx` holds until it ends: what follows is done by one process at a time. */
export async function advisoryLock(tx: Database, name: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

/** Takes the advisory lock of that name, which `tx` holds until it ends. @returns whether it was free */
export async function tryAdvisoryLock(tx: Database, name: string): Promise<boolean> {
  const { rows } = (await tx.execute(
    sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS taken`,
  )) as { rows: { taken?: boolean }[] };
  return rows[0]?.taken === true;
}
