/** The operator's commands about receiving addresses: what to sweep, and a series that a restored database does not know. */
import { and, asc, eq, gte, sql, sum, type Column } from "drizzle-orm";
import { networks } from "../../../contract/calls.ts";
import { seriesAt } from "../../payments/addresses.ts";
import { shownAddress } from "../../payments/chain/blocks.ts";
import { addressSeries, orders, receivingAddresses, transfers } from "../../store/schema.ts";
import {
  audited,
  CommandRefused,
  dateOf,
  need,
  usdt,
  type Answer,
  type Call,
  type Commands,
} from "./command.ts";

/**
 * A part of the path of a transfer's recipient: of the order that was given it, or as it was derived ahead. By subqueries,
 * because two early orders, one on each network, may have the same 20 bytes: a join would count their money twice.
 */
const pathOf = (ofOrder: Column, ofAddress: Column) => sql<string | number | null>`coalesce(
  (SELECT ${ofOrder} FROM ${orders} WHERE ${orders.rawAddress} = ${transfers.recipient} AND ${ofOrder} IS NOT NULL LIMIT 1),
  (SELECT ${ofAddress} FROM ${receivingAddresses} WHERE ${receivingAddresses.raw} = ${transfers.recipient}))`;

/** What each receiving address received on each network and still holds, whichever order it was credited to, and where its key is. */
async function addresses({ ledger: { db }, options }: Call): Promise<Answer> {
  const { network, since } = options;
  const known = networks.find((one) => one === network);
  if (network !== undefined && !known)
    throw new CommandRefused(`${network} is none of ${networks.join(", ")}.`);
  const path = {
    series: pathOf(orders.addressSeries, receivingAddresses.series),
    index: pathOf(orders.addressIndex, receivingAddresses.index),
    key: pathOf(orders.keyFingerprint, receivingAddresses.fingerprint),
  };
  const rows = await db
    .select({
      network: transfers.network,
      recipient: transfers.recipient,
      ...path,
      received: sum(transfers.amount),
      // By an alias: of a query of one table, drizzle leaves the tables' names out.
      swept: sql<string>`(SELECT coalesce(sum(s.amount), 0) FROM sweeps s
        WHERE s.sender = transfers.recipient AND s.network = transfers.network AND s.state = 'final')`,
    })
    .from(transfers)
    .where(
      and(
        eq(transfers.state, "final"),
        known && eq(transfers.network, known),
        since === undefined ? undefined : gte(transfers.finalAt, dateOf(since)),
      ),
    )
    .groupBy(transfers.network, transfers.recipient)
    .orderBy(asc(transfers.network), asc(path.series), asc(path.index));
  return rows.map(({ recipient, received, swept, network: on, ...row }) => ({
    network: on,
    address: shownAddress(on, recipient),
    ...row,
    received: usdt(BigInt(received ?? 0)),
    swept: usdt(BigInt(swept)),
    // What came before a day that was named is not counted in what lies there.
    ...(since === undefined ? { there: usdt(BigInt(received ?? 0) - BigInt(swept)) } : {}),
  }));
}

/** Has a series watched of which the database that was put back knows nothing. */
async function addSeries(call: Call): Promise<Answer> {
  const { ledger, args } = call;
  const series = Number(need(args[0], "The series"));
  if (!Number.isSafeInteger(series) || series < 1 || series > seriesAt(ledger.now())) {
    throw new CommandRefused("The series is the number in a line `address series` of the log.");
  }
  await audited(call, "series add", `series ${series}`, (tx) =>
    tx
      .insert(addressSeries)
      .values({ series, openedAt: new Date(ledger.now()) })
      .onConflictDoNothing(),
  );
  return [{ series, watched: "from the next start on" }];
}

export const addressCommands: Commands = {
  addresses: {
    usage: "[--network TRC20|ERC20] [--since YYYY-MM-DD]",
    help: "receiving addresses with their path below the key and what they received and still hold, for sweeping",
    run: addresses,
  },
  "series-add": {
    usage: '<series> --reason "…"',
    help: "look for money at the addresses of a series that a restored database does not know",
    run: addSeries,
  },
};
