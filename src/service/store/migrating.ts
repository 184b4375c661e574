/** Changes the tables of a server while the release before works with them: no call of it waits long behind a change that waits itself. */
import { setTimeout as pause } from "node:timers/promises";
import type { ClientBase } from "pg";
import { MINUTE, SECOND } from "../../contract/durations.ts";
import { log } from "../platform/log.ts";
import { hasCode } from "./transaction.ts";

/**
 * Ms that a change waits for a table that another transaction uses. Each query of that table meanwhile waits behind it, so
 * this is well below the lock timeout of the other processes. It is longer than PostgreSQL's `deadlock_timeout` of a second,
 * after which a vacuum gives way, and no longer than twice that: in a deadlock with a backup, the change ends, not the backup.
 */
const LOCK_TIMEOUT = 2 * SECOND;
/** Ms between two attempts, in which the queries that waited are answered. */
const PAUSE = 5 * SECOND;
/** Ms between two lines of the log. */
const TOLD = MINUTE;
/** The lock was not granted in time; a deadlock. */
const GAVE_WAY: ReadonlySet<unknown> = new Set(["55P03", "40P01"]);

/** The statement that could not be run, and which transaction may be why. */
export type Blocked = Record<string, string | number>;

interface Holder {
  pid: number;
  program: string;
  open: number | null;
}

/** The oldest of the transactions that use a table; which table it is, PostgreSQL does not say. */
async function findHolder(client: ClientBase): Promise<Blocked> {
  const { rows } = await client.query<Holder>(
    `SELECT pid, application_name AS program, extract(epoch FROM clock_timestamp() - xact_start)::int AS open
      FROM pg_stat_activity activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND EXISTS (
        SELECT FROM pg_locks held JOIN pg_class used ON used.oid = held.relation
        WHERE held.pid = activity.pid AND held.granted AND held.database = activity.datid
          AND used.relnamespace = 'public'::regnamespace)
      ORDER BY xact_start LIMIT 1`,
  );
  const [holder] = rows;
  if (!holder) return {};
  const { pid, program, open } = holder;
  // The server tells only some roles since when another role's transaction is open.
  return { pid, ...(program && { program }), ...(open !== null && { open }) };
}

/**
 * Runs `change`, which commits the transaction that `client` is in, or rolls it back where it fails.
 * @returns null once it is done; what was in its way, where nothing was changed and it is to be run again
 */
export async function changeUnlessBlocked(
  client: ClientBase,
  change: () => Promise<void>,
): Promise<Blocked | null> {
  await client.query(`SET LOCAL lock_timeout TO ${LOCK_TIMEOUT}`);
  try {
    await change();
    return null;
  } catch (error) {
    if (!hasCode(error, GAVE_WAY)) throw error;
    const [statement = ""] =
      error instanceof Error && "query" in error ? String(error.query).trim().split("\n") : [];
    return { statement, ...(await findHolder(client).catch(() => ({}))) };
  }
}

/** Runs `attempt` until nothing was in its way, and says in the log what it waits for. */
export async function untilDone(place: string, attempt: () => Promise<Blocked | null>): Promise<void> {
  const begunAt = performance.now();
  let toldAt = -TOLD;
  for (;;) {
    const blocked = await attempt();
    if (!blocked) return;
    const waited = performance.now() - begunAt;
    if (waited - toldAt >= TOLD) {
      toldAt = waited;
      log("migration waits", { place, seconds: Math.round(waited / 1000), ...blocked }, "warn");
    }
    await pause(PAUSE);
  }
}
