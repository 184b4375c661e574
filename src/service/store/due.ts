/** Rows that are tried until it succeeds, in whichever process is first: which of them are due, by clocks that differ and that may be set back. */
import { and, gt, isNotNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { MINUTE } from "../../contract/durations.ts";

/** Ms by which the clocks of two processes may differ: what one has just taken is not due by the other's. */
const SKEW = MINUTE;

export interface Waits {
  /** Ms until the next attempt after the first, second, … failed one. */
  retries: readonly number[];
  /** Ms for which a row that is being tried is not taken by another process. */
  underWay: number;
}

/** @param now milliseconds since 1970, UTC */
export function isDue(
  row: { nextAttemptAt: PgColumn; attempts: PgColumn },
  { retries, underWay }: Waits,
  now: number,
): SQL | undefined {
  const at = new Date(now);
  // What was tried never, once, twice, … and waits for longer was written before the clock was set back.
  const longest = [0, ...retries.map((wait) => Math.max(wait, underWay)), underWay];
  const waits = `{${longest.map((wait) => wait + SKEW).join()}}`;
  const latest = sql`${at.toISOString()}::timestamptz + (${waits}::int[])[${row.attempts} + 1] * interval '1 millisecond'`;
  return and(isNotNull(row.nextAttemptAt), or(lte(row.nextAttemptAt, at), gt(row.nextAttemptAt, latest)));
}
