/** Keeps the addresses that are given out next in the database. When an older state of it is put back, money for an order that it has lost is still seen. */
import { setImmediate } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Database } from "../store/database.ts";
import { addressSeries, orders, receivingAddresses } from "../store/schema.ts";
import { addressesOf } from "./addresses.ts";

/** Addresses that are derived before anything else gets its turn. One takes about a millisecond. */
const SLICE = 10;

/**
 * Derives the addresses that the series still lack: up to so many after the last one that an order has.
 * Safe to repeat, and to do in several processes at once.
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
  let made = 0;
  for (const xpub of new Set(xpubs)) {
    const addressAt = addressesOf(xpub);
    const { fingerprint } = addressAt("ERC20", 0, 0);
    // Rows of removed orders do not count: there may be gaps between them.
    const { rows } = (await db.execute(sql`
      SELECT * FROM (SELECT s.series,
        (SELECT coalesce(max(r.index), -1) FROM ${receivingAddresses} r
          WHERE r.fingerprint = ${fingerprint} AND r.series = s.series AND r.order_id IS NULL) AS derived,
        (SELECT coalesce(max(o.address_index), -1) FROM ${orders} o WHERE o.address_series = s.series) AS issued
        FROM ${addressSeries} s) each WHERE derived < issued + ${ahead} ORDER BY series DESC`)) as {
      rows: { series: number; derived: number; issued: number }[];
    };
    for (const { series, derived, issued } of rows) {
      for (let from = derived + 1; from <= issued + ahead; from += SLICE) {
        if (isEnding()) return made;
        const count = Math.min(SLICE, issued + ahead - from + 1);
        const slice = Array.from({ length: count }, (_, at) => {
          const { raw, index } = addressAt("ERC20", series, from + at);
          return { fingerprint, series, index, raw };
        });
        await db.insert(receivingAddresses).values(slice).onConflictDoNothing();
        made += count;
        await setImmediate();
      }
    }
  }
  return made;
}
