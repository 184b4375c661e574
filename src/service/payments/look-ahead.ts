/** Keeps the addresses that are given out next in the database. When an older state of it is put back, money for an order that it has lost is still seen. */
import { setImmediate } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Database } from "../store/database.ts";
import { addressSeries, orders, receivingAddresses } from "../store/schema.ts";
import { addressesOf, FIRST_SECOND, type ReceivingAddress } from "./addresses.ts";

/** Addresses that are derived before anything else gets its turn. One takes about a millisecond. */
const SLICE = 10;

/** The fingerprints of all keys, one by one from the index, because each has thousands of rows. */
async function knownKeys(db: Database): Promise<string[]> {
  const { rows } = (await db.execute(sql`
    WITH RECURSIVE keys AS (
      SELECT min(r.fingerprint) AS fingerprint FROM ${receivingAddresses} r
      UNION ALL
      SELECT (SELECT min(r.fingerprint) FROM ${receivingAddresses} r WHERE r.fingerprint > keys.fingerprint)
      FROM keys WHERE keys.fingerprint IS NOT NULL)
    SELECT fingerprint FROM keys WHERE fingerprint IS NOT NULL`)) as { rows: { fingerprint: string }[] };
  return rows.map(({ fingerprint }) => fingerprint);
}

/** A row of the key in the series `each`; null: there is none. By the limit it is looked up in the index, one series at a time. */
const rowOf = (fingerprint: string, condition = sql`true`) => sql`(SELECT r.index FROM ${receivingAddresses} r
  WHERE r.fingerprint = ${fingerprint} AND r.series = each.series AND ${condition} LIMIT 1)`;

/**
 * Series that no key has a row in, but of a removed order. One that this release opened has rows of all its keys: it is of an
 * earlier release, or its rows were not put back.
 */
async function unclaimed(db: Database): Promise<number[]> {
  const keys = await knownKeys(db);
  const hasNone = keys.map((fingerprint) => sql`${rowOf(fingerprint, sql`r.order_id IS NULL`)} IS NULL`);
  const { rows } = (await db.execute(sql`
    SELECT each.series FROM ${addressSeries} each WHERE ${sql.join([sql`true`, ...hasNone], sql` AND `)}
    ORDER BY each.series DESC`)) as { rows: { series: number }[] };
  return rows.map(({ series }) => series);
}

/**
 * Whether an operator added the series `each`, as its time tells: one that a process opens is of its own second or later.
 * Any key may have given out its addresses.
 */
const isAdded = sql`each.opened_at
  >= ${new Date(FIRST_SECOND).toISOString()}::timestamptz + (each.series + 1) * interval '1 second'`;

/**
 * Derives the addresses that the series still lack: up to so many after the last one that an order has, of each key that
 * may have given out addresses there. Safe to repeat, and to do in several processes at once.
 * @param xpubs the accounts' keys
 * @param ahead how many; 0: none
 * @param isEnding whether to stop early
 * @returns how many were derived
 */
export async function lookAhead(
  db: Database,
  xpubs: readonly string[],
  ahead: number,
  isEnding: () => boolean = () => false,
): Promise<number> {
  if (ahead === 0) return 0;
  const keys = [...new Set(xpubs)].map(addressesOf);
  if (keys.length === 0) return 0;
  let made = 0;
  const derive = async (rows: readonly ReceivingAddress[]) => {
    const kept = rows.map(({ fingerprint, series, index, raw }) => ({ fingerprint, series, index, raw }));
    await db.insert(receivingAddresses).values(kept).onConflictDoNothing();
    made += rows.length;
    await setImmediate();
  };
  for (const series of await unclaimed(db)) {
    if (isEnding()) return made;
    // All keys at once, or one that comes later would find the series to be the others'.
    await derive(keys.map((addressAt) => addressAt("ERC20", series, 0)));
  }
  for (const addressAt of keys) {
    const { fingerprint } = addressAt("ERC20", 0, 0);
    // Rows of removed orders do not count: there may be gaps between them. Orders of the other keys do: all keys of a
    // process share its numbers.
    const { rows } = (await db.execute(sql`
      SELECT series, derived, issued FROM (SELECT s.series, s.opened_at,
        (SELECT coalesce(max(r.index), -1) FROM ${receivingAddresses} r
          WHERE r.fingerprint = ${fingerprint} AND r.series = s.series AND r.order_id IS NULL) AS derived,
        (SELECT coalesce(max(o.address_index), -1) FROM ${orders} o WHERE o.address_series = s.series) AS issued
        FROM ${addressSeries} s) each
      WHERE derived < issued + ${ahead} AND (${isAdded} OR ${rowOf(fingerprint)} IS NOT NULL)
      ORDER BY series DESC`)) as { rows: { series: number; derived: number; issued: number }[] };
    for (const { series, derived, issued } of rows) {
      for (let from = derived + 1; from <= issued + ahead; from += SLICE) {
        if (isEnding()) return made;
        const count = Math.min(SLICE, issued + ahead - from + 1);
        await derive(Array.from({ length: count }, (_, at) => addressAt("ERC20", series, from + at)));
      }
    }
  }
  return made;
}
