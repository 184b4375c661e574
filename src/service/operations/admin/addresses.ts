/** The operator's commands about receiving addresses: what to sweep, and a series that a restored database does not know. */
import { and, asc, eq, gte, isNull, sql, sum } from "drizzle-orm";
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

async function addresses({ ledger: { db }, options }: Call): Promise<Answer> {
  const wanted = and(
    eq(transfers.state, "final"),
    options["network"] === undefined ? undefined : sql`${transfers.network} = ${options["network"]}`,
    options["since"] === undefined ? undefined : gte(transfers.finalAt, dateOf(options["since"])),
  );
  const rows = await db
    .select({
      network: orders.network,
      address: orders.address,
      series: orders.addressSeries,
      index: orders.addressIndex,
      key: orders.keyFingerprint,
      received: sum(transfers.amount),
    })
    .from(transfers)
    .innerJoin(orders, eq(orders.id, transfers.orderId))
    .where(wanted)
    .groupBy(orders.id)
    .orderBy(asc(orders.network), asc(orders.addressSeries), asc(orders.addressIndex));
  const unordered = await db
    .select({
      network: transfers.network,
      recipient: transfers.recipient,
      series: receivingAddresses.series,
      index: receivingAddresses.index,
      key: receivingAddresses.fingerprint,
      received: sum(transfers.amount),
    })
    .from(transfers)
    .innerJoin(receivingAddresses, eq(receivingAddresses.raw, transfers.recipient))
    .where(and(isNull(transfers.orderId), wanted))
    .groupBy(
      transfers.network,
      transfers.recipient,
      receivingAddresses.fingerprint,
      receivingAddresses.series,
      receivingAddresses.index,
    )
    .orderBy(asc(transfers.network), asc(receivingAddresses.series), asc(receivingAddresses.index));
  return [
    ...rows,
    ...unordered.map(({ recipient, network, ...row }) => ({
      network,
      address: shownAddress(network, recipient),
      ...row,
    })),
  ].map(({ received, ...row }) => ({ ...row, received: usdt(BigInt(received ?? 0)) }));
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
