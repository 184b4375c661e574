/** Rows that are sent until they are accepted, in whichever process is first, by clocks that differ and that may be set back. */
import { and, asc, eq, gt, isNotNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { MINUTE } from "../../contract/durations.ts";
import type { Database } from "./database.ts";
import type { alertMessages, outboxEvents } from "./schema.ts";
import { inTransaction } from "./transaction.ts";

/** Ms for which a row that is being sent is not taken by another process. */
const UNDER_WAY = MINUTE;
/** Ms by which the clocks of two processes may differ: what one has just taken is not due by the other's. */
const SKEW = MINUTE;
const LONGEST_ERROR = 500;

type Deliverable = typeof outboxEvents | typeof alertMessages;

export interface Delivery<T extends Deliverable> {
  table: T;
  /** Ms until the next attempt after the first, second, … failed one; after the last, a row is given up. */
  retries: readonly number[];
  /** Rows that are sent in one run. */
  batch: number;
  /** Which of the rows this process sends: all, unless it is given. */
  where?: SQL;
  /** @returns why it was not accepted; null when it was */
  send: (row: T["$inferSelect"], at: Date, signal: AbortSignal) => Promise<string | null>;
  onFailure: (row: T["$inferSelect"], error: string, givenUp: boolean) => void;
}

/** @param at the time of this process */
function isDue({ nextAttemptAt, attempts }: Deliverable, retries: readonly number[], at: Date) {
  // What was tried never, once, twice, … and waits for longer was written before the clock was set back.
  const longest = [0, ...retries.map((wait) => Math.max(wait, UNDER_WAY)), UNDER_WAY];
  const waits = `{${longest.map((wait) => wait + SKEW).join()}}`;
  const latest = sql`${at.toISOString()}::timestamptz + (${waits}::int[])[${attempts} + 1] * interval '1 millisecond'`;
  return and(isNotNull(nextAttemptAt), or(lte(nextAttemptAt, at), gt(nextAttemptAt, latest)));
}

/**
 * Sends the rows that are due, those first that have been due for longest. One may be sent more than once, where the process
 * ends between.
 * @param signal ends it early, which is no failure of the receiver's
 * @returns how many were accepted
 */
export async function deliver<T extends Deliverable>(
  db: Database,
  now: () => number,
  { table, retries, batch, where, send, onFailure }: Delivery<T>,
  signal: AbortSignal,
): Promise<number> {
  // Of either table, only the columns that both have are used.
  const rows: PgTable = table;
  const write = (tx: Database, { id }: T["$inferSelect"], to: Partial<Deliverable["$inferInsert"]>) =>
    tx.update(rows).set(to).where(eq(table.id, id));

  /** Takes the next row, so that no other process sends it meanwhile. */
  const takeNext = (at: Date) =>
    inTransaction(db, async (tx) => {
      const [next] = (await tx
        .select()
        .from(rows)
        .where(and(where, isDue(table, retries, at)))
        .orderBy(asc(table.nextAttemptAt))
        .limit(1)
        .for("update", { skipLocked: true })) as T["$inferSelect"][];
      if (!next) return undefined;
      const attempts = next.attempts + 1;
      await write(tx, next, { attempts, nextAttemptAt: new Date(at.getTime() + UNDER_WAY) });
      return { ...next, attempts };
    });

  let accepted = 0;
  for (let count = 0; count < batch && !signal.aborted; count += 1) {
    const row = await takeNext(new Date(now()));
    if (!row) break;
    const at = new Date(now());
    const error = await send(row, at, signal);
    const over = new Date(now());
    if (error === null) {
      accepted += 1;
      await write(db, row, { deliveredAt: over, nextAttemptAt: null, lastError: null });
    } else if (signal.aborted) {
      await write(db, row, { attempts: row.attempts - 1, nextAttemptAt: over });
    } else {
      const wait = retries[row.attempts - 1];
      const nextAttemptAt = wait === undefined ? null : new Date(over.getTime() + wait);
      await write(db, row, { nextAttemptAt, lastError: error.slice(0, LONGEST_ERROR) });
      onFailure(row, error, wait === undefined);
    }
  }
  return accepted;
}
