/** The operator's export: the book of a month as CSV, and whether the book agrees with the chains and the providers. */
import { and, asc, eq, lt, sql } from "drizzle-orm";
import { shownUnits } from "../../../contract/money.ts";
import { csvCell } from "../../../contract/csv.ts";
import {
  balancesAt,
  bookDifferences,
  networksAt,
  unsettledAt,
  type Balances,
} from "../../payments/book-check.ts";
import type { Ledger } from "../../payments/ledger.ts";
import { completeBook } from "../../payments/earlier-books.ts";
import type { Database } from "../../store/database.ts";
import { accounts, auditEntries, movements, orders } from "../../store/schema.ts";
import { inSnapshot } from "../../store/transaction.ts";
import { at, month, query, type Commands, type Lines, type Rows } from "./command.ts";

/** The first moment of a month and of the next, UTC. */
function bounds(from: Date): { from: Date; to: Date } {
  const to = new Date(from);
  to.setUTCMonth(to.getUTCMonth() + 1);
  return { from, to };
}

/** The columns of the export, by their names. */
const columns = {
  movement: movements.id,
  at: movements.at,
  kind: movements.kind,
  from: movements.from,
  to: movements.to,
  amount: movements.amount,
  currency: movements.currency,
  rail: movements.rail,
  network: movements.network,
  order: movements.orderId,
  account: accounts.name,
  package: orders.packId,
  days: orders.days,
  reference: movements.reference,
  cause: movements.cause,
  undoes: movements.undoes,
  operator: auditEntries.actor,
  reason: auditEntries.reason,
};

/** Movements that are read at a time. In between the database is free, however slowly the lines are taken. */
const PAGE = 1_000;

/** The page of the movements after one, in the book's order; the time as text, because JavaScript's has no microseconds. */
const pageAfter = (db: Database, time: string, movement: number, before: Date) =>
  db
    .select({ line: columns, time: sql<string>`${movements.at}::text` })
    .from(movements)
    .leftJoin(orders, eq(orders.id, movements.orderId))
    .leftJoin(accounts, eq(accounts.id, sql`coalesce(${movements.accountId}, ${orders.accountId})`))
    .leftJoin(auditEntries, eq(auditEntries.id, movements.auditId))
    .where(
      and(
        sql`(${movements.at}, ${movements.id}) > (${time}::timestamptz, ${movement}::bigint)`,
        lt(movements.at, before),
      ),
    )
    .orderBy(asc(movements.at), asc(movements.id))
    .limit(PAGE);

/** Lines are only added to the book: of a month that is over, the pages are those of one moment; of the one that runs, the next export has what was just being written. */
async function* linesOf({ db }: Ledger, { from, to }: ReturnType<typeof bounds>): AsyncGenerator<string> {
  yield Object.keys(columns).join(",");
  let [time, movement] = [from.toISOString(), 0];
  for (;;) {
    const rows = await pageAfter(db, time, movement, to);
    const lines = rows.map(({ line }) =>
      Object.values({ ...line, at: at(line.at), amount: shownUnits(line.amount) })
        .map(csvCell)
        .join(","),
    );
    if (lines.length > 0) yield lines.join("\n");
    const last = rows[PAGE - 1];
    if (!last) return;
    [time, movement] = [last.time, last.line.movement];
  }
}

async function exportMonth(ledger: Ledger, first: Date): Promise<Lines> {
  await completeBook(ledger);
  return linesOf(ledger, bounds(first));
}

const balanceNames = [
  "received",
  "credited",
  "surplus",
  "held",
  "open",
  "disputed",
  "returned",
  "kept",
  "swept",
] as const;

const shownBalances = (balances: Balances) =>
  Object.fromEntries(
    balanceNames.map((name) => [name === "open" ? "part-paid" : name, shownUnits(balances[name])]),
  );

/** Of a month: what came in and where it stands, by rail and network, the orders behind it, and what does not agree. */
async function reconcileMonth(ledger: Ledger, first: Date): Promise<Rows> {
  const { from, to } = bounds(first);
  await completeBook(ledger);
  const { before, after, networksBefore, networks, unsettled, differences } = await inSnapshot(
    ledger.db,
    async (db) => ({
      before: await balancesAt(db, from),
      after: await balancesAt(db, to),
      networksBefore: await networksAt(db, from),
      networks: await networksAt(db, to),
      unsettled: await unsettledAt(db, to),
      differences: await bookDifferences({ db }),
    }),
  );
  const totals = after.flatMap(({ rail, balances }) => {
    const earlier = before.find((one) => one.rail === rail)?.balances;
    const change = Object.fromEntries(
      balanceNames.map((name) => [name, balances[name] - (earlier?.[name] ?? 0n)]),
    ) as Balances;
    return [
      { what: `${rail}: in the month`, order: null, ...shownBalances(change) },
      { what: `${rail}: at its end`, order: null, ...shownBalances(balances) },
    ];
  });
  const onNetworks = networks.flatMap(({ network, received, swept }) => {
    const earlier = networksBefore.find((one) => one.network === network);
    return [
      {
        what: `${network}: in the month`,
        order: null,
        received: shownUnits(received - (earlier?.received ?? 0n)),
        swept: shownUnits(swept - (earlier?.swept ?? 0n)),
      },
      {
        what: `${network}: at its end`,
        order: null,
        received: shownUnits(received),
        swept: shownUnits(swept),
      },
    ];
  });
  const behind = unsettled.map(({ rail, orderId, balances }) => ({
    what: `${rail}: behind it`,
    order: orderId,
    ...shownBalances(balances),
  }));
  return [
    ...totals,
    ...onNetworks,
    ...behind,
    ...differences.flatMap(({ what, number, named }) => [
      ...named.map(({ order, amount }) => ({
        what: `DIFFERENCE: ${what}`,
        order,
        received: shownUnits(amount),
      })),
      ...(number > named.length
        ? [{ what: `DIFFERENCE: ${what}: ${number - named.length} more, not named`, order: null }]
        : []),
    ]),
    ...(differences.length === 0
      ? [{ what: "The book agrees with what was read of chains and providers.", order: null }]
      : []),
  ];
}

export const exportCommands: Commands = {
  export: query({
    help: "the book of a month (UTC) as CSV, a line a movement of money",
    args: { month },
    run: ({ ledger, args }) => exportMonth(ledger, args.month),
  }),
  reconcile: query({
    help: "what came in by that month's end and where it stands, and whether the book agrees with what was read of chains and providers",
    args: { month },
    run: ({ ledger, args }) => reconcileMonth(ledger, args.month),
  }),
};
