/** Runs a transaction. The only place that begins one, so that each says its isolation. */
import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";

/**
 * Runs `act` in a transaction, in read committed whatever the database's default is: a sum that is taken under a row's lock
 * has to see what others committed while the lock was waited for. Within another transaction it is a savepoint.
 */
export const inTransaction = <T>(db: Database, act: (tx: Database) => Promise<T>): Promise<T> =>
  // oxlint-disable-next-line no-restricted-properties -- this is the place
  db.transaction(act, { isolationLevel: "read committed" });

/** Runs `act`, which only reads, on the data as they are at one moment. */
export const inSnapshot = <T>(db: Database, act: (tx: Database) => Promise<T>): Promise<T> =>
  // oxlint-disable-next-line no-restricted-properties -- this is the place
  db.transaction(act, { isolationLevel: "repeatable read", accessMode: "read only" });

/** Waits for the advisory lock of that name, which `tx` holds until it ends: what follows is done by one process at a time. */
export async function advisoryLock(tx: Database, name: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}
