/** The operator's commands about receiving addresses: what to sweep, and a series that a restored database does not know. */
import { and, asc, eq, gte, ne, sql, sum, type Column } from "drizzle-orm";
import { shownUnits } from "../../../contract/money.ts";
import type { Network } from "../../../contract/calls.ts";
import { seriesAt } from "../../payments/addresses.ts";
import { shownAddress } from "../../payments/chain/blocks.ts";
import type { Database } from "../../store/database.ts";
import { addressSeries, orders, receivingAddresses, sweeps, transfers } from "../../store/schema.ts";
import { audited } from "./audit.ts";
import {
  change,
  CommandRefused,
  day,
  flag,
  networkName,
  optional,
  query,
  seriesNumber,
  type Commands,
  type Rows,
} from "./command.ts";
import type { Subject } from "./change.ts";

/**
 * A part of the path of a transfer's recipient: of the order that was given it, or as it was derived ahead. By subqueries,
 * because two early orders, one on each network, may have the same 20 bytes: a join would count their money twice.
 */
const pathOf = (ofOrder: Column, ofAddress: Column) => sql<string | number | null>`coalesce(
  (SELECT ${ofOrder} FROM ${orders} WHERE ${orders.rawAddress} = ${transfers.recipient} AND ${ofOrder} IS NOT NULL LIMIT 1),
  (SELECT ${ofAddress} FROM ${receivingAddresses} WHERE ${receivingAddresses.raw} = ${transfers.recipient}))`;

/** What each receiving address received on each network and still holds, whichever order it was credited to, and where its key is. */
async function addresses(
  db: Database,
  { network, since, all }: { network: Network | undefined; since: Date | undefined; all: boolean },
): Promise<Rows> {
  const path = {
    series: pathOf(orders.addressSeries, receivingAddresses.series),
    index: pathOf(orders.addressIndex, receivingAddresses.index),
    key: pathOf(orders.keyFingerprint, receivingAddresses.fingerprint),
  };
  const moved = db
    .select({ network: sweeps.network, sender: sweeps.sender, swept: sum(sweeps.amount).as("swept_units") })
    .from(sweeps)
    .where(eq(sweeps.state, "final"))
    .groupBy(sweeps.network, sweeps.sender)
    .as("moved");
  const swept = sql<string>`coalesce(${moved.swept}, 0)`;
  const rows = await db
    .select({
      network: transfers.network,
      recipient: transfers.recipient,
      ...path,
      received: sum(transfers.amount),
      swept,
    })
    .from(transfers)
    .leftJoin(moved, and(eq(moved.network, transfers.network), eq(moved.sender, transfers.recipient)))
    .where(
      and(
        eq(transfers.state, "final"),
        network && eq(transfers.network, network),
        since && gte(transfers.finalAt, since),
      ),
    )
    .groupBy(transfers.network, transfers.recipient, moved.swept)
    // What came before a day that was named is not counted, so what lies there is not known.
    .having(all || since !== undefined ? undefined : ne(sum(transfers.amount), swept))
    .orderBy(asc(transfers.network), asc(path.series), asc(path.index));
  return rows.map(({ recipient, received, swept: gone, network: on, ...row }) => ({
    network: on,
    address: shownAddress(on, recipient),
    ...row,
    received: shownUnits(BigInt(received ?? 0)),
    swept: shownUnits(BigInt(gone)),
    ...(since === undefined ? { there: shownUnits(BigInt(received ?? 0) - BigInt(gone)) } : {}),
  }));
}

export const addressCommands: Commands = {
  addresses: query({
    help: "receiving addresses that hold something, or all, with their path below the key and what they received, for sweeping",
    options: { network: optional(networkName), since: optional(day), all: flag },
    run: ({ ledger, options }) => addresses(ledger.db, options),
  }),
  "series-add": change({
    help: "look for money at the addresses of a series that a restored database does not know",
    args: { series: seriesNumber },
    changes: "addresses",
    undo: "A series that is watched costs nothing: it stays.",
    async run(call) {
      const { ledger, args } = call;
      const { series } = args;
      if (series > seriesAt(ledger.now()))
        throw new CommandRefused("The series is the number in a line `address series` of the log.");
      const subject: Subject = { name: `series ${series}`, word: String(series) };
      return audited(call, "series add", subject, async (tx, _, told) => {
        told.note("The addresses of the series are looked at from the next start on.");
        await tx
          .insert(addressSeries)
          .values({ series, openedAt: new Date(ledger.now()) })
          .onConflictDoNothing();
        return [{ series, watched: "from the next start on" }];
      });
    },
  }),
};
