/** The operator's commands about receiving addresses: what to sweep, and a series that a restored database does not know. */
import { and, asc, eq, gte, sql, sum } from "drizzle-orm";
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

/** What each receiving address received on each network, whichever order it was credited to, and where its key is. */
async function addresses({ ledger: { db }, options }: Call): Promise<Answer> {
  const { network, since } = options;
  const known = networks.find((one) => one === network);
  if (network !== undefined && !known)
    throw new CommandRefused(`${network} is none of ${networks.join(", ")}.`);
  const path = {
    series: sql<number | null>`coalesce(${orders.addressSeries}, ${receivingAddresses.series})`,
    index: sql<number | null>`coalesce(${orders.addressIndex}, ${receivingAddresses.index})`,
    key: sql<string | null>`coalesce(${orders.keyFingerprint}, ${receivingAddresses.fingerprint})`,
  };
  const rows = await db
    .select({
      network: transfers.network,
      recipient: transfers.recipient,
      ...path,
      received: sum(transfers.amount),
    })
    .from(transfers)
    .leftJoin(orders, eq(orders.rawAddress, transfers.recipient))
    .leftJoin(receivingAddresses, eq(receivingAddresses.raw, transfers.recipient))
    .where(
      and(
        eq(transfers.state, "final"),
        known && eq(transfers.network, known),
        since === undefined ? undefined : gte(transfers.finalAt, dateOf(since)),
      ),
    )
    .groupBy(transfers.network, transfers.recipient, path.series, path.index, path.key)
    .orderBy(asc(transfers.network), asc(path.series), asc(path.index));
  return rows.map(({ recipient, received, network: on, ...row }) => ({
    network: on,
    address: shownAddress(on, recipient),
    ...row,
    received: usdt(BigInt(received ?? 0)),
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
    help: "receiving addresses with their path below the key and what they received, for sweeping",
    run: addresses,
  },
  "series-add": {
    usage: '<series> --reason "…"',
    help: "look for money at the addresses of a series that a restored database does not know",
    run: addSeries,
  },
};
