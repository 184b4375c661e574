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
/** Ms after which a row is tried again where another one is accepted, however long it would wait. */
const TRIED_AGAIN = 10 * MINUTE;
/** Rows that are made due then. The next run takes more of them. */
const MADE_DUE = 1_000;
const LONGEST_ERROR = 500;

type Deliverable = typeof outboxEvents | typeof alertMessages;

export interface Delivery<T extends Deliverable> {
  table: T;
  /** Ms until the next attempt after the first, second, … failed one; after all of them and their time, a row is given up. */
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
  const longest = [0, ...retries.map((wait) => Math.max(wait, UNDER_WAY))].map((wait) => wait + SKEW);
  const latest = sql`${at.toISOString()}::timestamptz + ${waitAfter(attempts, longest)}`;
  return and(isNotNull(nextAttemptAt), or(lte(nextAttemptAt, at), gt(nextAttemptAt, latest)));
}

/** Of the waits after no, one, two, … attempts, that of a row; after more attempts, the last one. */
const waitAfter = (attempts: Deliverable["attempts"], waits: readonly number[]) =>
  sql`(${`{${waits.join()}}`}::int[])[least(${attempts} + 1, ${waits.length})] * interval '1 millisecond'`;

/** What waits for its next attempt, and was not tried for some time. */
function isWaiting({ nextAttemptAt, attempts }: Deliverable, retries: readonly number[], at: Date) {
  const triedAt = sql`${nextAttemptAt} - ${waitAfter(attempts, [0, ...retries])}`;
  return and(
    // Another process may be sending it.
    gt(nextAttemptAt, new Date(at.getTime() + UNDER_WAY + SKEW)),
    lte(triedAt, new Date(at.getTime() - TRIED_AGAIN)),
  );
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

  /** The receiver accepts again: what it refused before need not wait for hours. Those written first are sent first. */
  async function makeDue(at: Date): Promise<void> {
    const waiting = db
      .select({ id: table.id })
      .from(rows)
      .where(and(where, isWaiting(table, retries, at)))
      .orderBy(asc(table.createdAt))
      .limit(MADE_DUE)
      .for("update", { skipLocked: true });
    const nextAttemptAt = sql`least(${table.createdAt}, ${at.toISOString()}::timestamptz)`;
    await db
      .update(rows)
      .set({ nextAttemptAt })
      .where(sql`${table.id} = ANY(ARRAY(${waiting}))`);
  }
  const longest = retries.reduce((sum, wait) => sum + wait, 0);

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
      if (accepted === 1) await makeDue(over);
    } else if (signal.aborted) {
      await write(db, row, { attempts: row.attempts - 1, nextAttemptAt: over });
    } else {
      const wait = retries[row.attempts - 1];
      // Tried more often because others were accepted, it is given up no sooner.
      const givenUp = wait === undefined && over.getTime() - row.createdAt.getTime() >= longest;
      const next = new Date(over.getTime() + (wait ?? retries.at(-1) ?? 0));
      await write(db, row, {
        nextAttemptAt: givenUp ? null : next,
        lastError: error.slice(0, LONGEST_ERROR),
      });
      onFailure(row, error, givenUp);
    }
  }
  return accepted;
}
