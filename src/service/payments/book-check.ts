/** Whether the book agrees with what was read of the chains and the providers, and where its money stands at a time. */
import { and, isNotNull, lt, ne, or, sql, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Database } from "../store/database.ts";
import { movements, orders, payments, sweeps, transfers, type Balance } from "../store/schema.ts";
import { paymentCauseIn, transferCauseIn } from "./book.ts";
import { isBookComplete } from "./earlier-books.ts";
import type { Ledger } from "./ledger.ts";

/** What stands on each balance, in smallest units. */
export type Balances = Record<Exclude<Balance, "outside" | "address"> | "received", bigint>;

/** What has to be seen to, or waits: on these balances money is neither earned nor gone. */
const UNSETTLED = ["surplus", "held", "open", "disputed"] as const;

/** What came to a balance less what left it. */
const onBalance = (name: Balance) =>
  sql<string>`sum(CASE WHEN ${movements.to} = ${name} THEN ${movements.amount} WHEN ${movements.from} = ${name} THEN -${movements.amount} ELSE 0 END)`;
/** In columns, so that the database adds up: a year has millions of movements. */
const columns: Record<keyof Balances, ReturnType<typeof onBalance>> = {
  received: sql`-${onBalance("outside")}`,
  credited: onBalance("credited"),
  surplus: onBalance("surplus"),
  held: onBalance("held"),
  open: onBalance("open"),
  disputed: onBalance("disputed"),
  returned: onBalance("returned"),
  kept: onBalance("kept"),
  swept: onBalance("swept"),
};

const balancesIn = (row: Record<keyof Balances, string>) =>
  Object.fromEntries(
    Object.keys(columns).map((name) => [name, BigInt(row[name as keyof Balances])]),
  ) as Balances;

/**
 * Where the money stands at a time, by rail. An order can be paid by what came on another network, so the networks have no
 * balances of their own. @param before movements from then on do not count
 */
export async function balancesAt(
  db: Database,
  before: Date,
): Promise<{ rail: string; balances: Balances }[]> {
  const rows = await db
    .select({ rail: movements.rail, ...columns })
    .from(movements)
    .where(lt(movements.at, before))
    .groupBy(movements.rail)
    .orderBy(movements.rail);
  return rows.map((row) => ({ rail: row.rail, balances: balancesIn(row) }));
}

/** What came in on each network and was moved on from its addresses. @param before movements from then on do not count */
export async function networksAt(
  db: Database,
  before: Date,
): Promise<{ network: string; received: bigint; swept: bigint }[]> {
  const { received, swept } = columns;
  const rows = await db
    .select({ network: movements.network, received, swept })
    .from(movements)
    .where(and(lt(movements.at, before), isNotNull(movements.network)))
    .groupBy(movements.network)
    .orderBy(movements.network);
  return rows.map((row) => ({
    network: String(row.network),
    received: BigInt(row.received),
    swept: BigInt(row.swept),
  }));
}

/** The orders whose money is not settled at a time; null: money of no order. @param before movements from then on do not count */
export async function unsettledAt(
  db: Database,
  before: Date,
): Promise<{ rail: string; orderId: string | null; balances: Balances }[]> {
  const rows = await db
    .select({ rail: movements.rail, orderId: movements.orderId, ...columns })
    .from(movements)
    .where(lt(movements.at, before))
    .groupBy(movements.rail, movements.orderId)
    .having(or(...UNSETTLED.map((name) => ne(columns[name], "0"))));
  return rows.map((row) => ({ rail: row.rail, orderId: row.orderId, balances: balancesIn(row) }));
}

/** What does not agree, of one kind. */
export interface Differences {
  what: string;
  number: number;
  /** The first of them. `amount`: by how much, in smallest units. */
  named: { order: string | null; amount: bigint }[];
}

/** Differences of one kind that are named at most. */
const MOST = 100;

/** Rows that are compared at a time: few enough for the longest that a statement may take, and others get their turn in between. */
const PAGE = 1_000;

/** Something that the book must agree with, row by row. `t` is the row, and `m` what the book has of it. */
interface Comparison {
  what: string;
  table: PgTable;
  key: readonly string[];
  order: SQL;
  amount: SQL;
  book: SQL;
  differs: SQL;
}

const ofCause = (cause: SQL, sum: SQL) =>
  sql`SELECT sum(${sum}) AS amount FROM ${movements} WHERE cause = ${cause}`;
const received = sql`CASE WHEN from_balance = 'outside' THEN amount WHEN to_balance = 'outside' THEN -amount END`;
const swept = sql`CASE WHEN to_balance = 'swept' THEN amount WHEN from_balance = 'swept' THEN -amount END`;
const credited = sql`CASE WHEN to_balance = 'credited' THEN amount WHEN from_balance = 'credited' THEN -amount END`;

/** @param isOwn whether it is from one address of ours to another: that is no movement */
const onChain = (isOwn: SQL) => {
  const amount = sql`CASE WHEN t.state = 'final' AND NOT (${isOwn}) THEN t.amount ELSE 0 END`;
  return {
    key: ["network", "block_hash", "log_index"],
    amount: sql`${amount} - coalesce(m.amount, 0)`,
    differs: sql`${amount} <> coalesce(m.amount, 0)`,
  };
};
const chainCause = transferCauseIn({
  network: sql`t.network`,
  blockHash: sql`t.block_hash`,
  logIndex: sql`t.log_index`,
});

const comparisons: readonly Comparison[] = [
  {
    ...onChain(sql`coalesce(t.held_for, '') = 'own address'`),
    what: "a transfer that the book does not have as the chain has it",
    table: transfers,
    order: sql`t.order_id`,
    book: ofCause(chainCause, received),
  },
  {
    ...onChain(sql`EXISTS (SELECT FROM ${transfers} o WHERE (o.network, o.block_hash, o.log_index) = (t.network, t.block_hash, t.log_index)
      AND o.held_for = 'own address')`),
    what: "a sweep that the book does not have as the chain has it",
    table: sweeps,
    order: sql`NULL`,
    book: ofCause(chainCause, swept),
  },
  {
    what: "a provider's payment that the book does not have",
    table: payments,
    key: ["rail", "payment_id"],
    order: sql`t.order_id`,
    amount: sql`t.amount - coalesce(m.amount, 0)`,
    book: ofCause(paymentCauseIn({ rail: sql`t.rail`, paymentId: sql`t.payment_id` }), received),
    // Taken away from its order by hand, it came to nothing.
    differs: sql`m.amount IS NULL OR m.amount NOT IN (t.amount, 0)`,
  },
  {
    what: "an order that is confirmed without money, or not confirmed with it",
    table: orders,
    key: ["id"],
    order: sql`t.id`,
    amount: sql`coalesce(m.amount, 0)`,
    book: sql`SELECT sum(${credited}) AS amount FROM ${movements} WHERE order_id = t.id`,
    differs: sql`(t.status = 1) <> (coalesce(m.amount, 0) > 0)`,
  },
];

/** Both drivers answer so. */
const rowsOf = async (db: Database, query: SQL) =>
  ((await db.execute(query)) as { rows: Record<string, unknown>[] }).rows;

/** What differs of one kind, in pages along its key: a year has millions of rows. */
async function compare(db: Database, comparison: Comparison, size: number): Promise<Differences> {
  const { what, table, key, order, amount, book, differs } = comparison;
  const keys = sql.raw(key.map((name) => `t.${name}`).join(", "));
  const found: Differences = { what, number: 0, named: [] };
  let after = sql`true`;
  for (let isLast = false; !isLast;) {
    const page = sql`SELECT * FROM ${table} t WHERE ${after} ORDER BY ${keys}`;
    const rows = await rowsOf(
      db,
      sql`SELECT ${order} AS order, (${amount})::text AS amount, count(*) OVER () AS number
        FROM (${page} LIMIT ${size}) t, LATERAL (${book}) m WHERE ${differs} LIMIT ${MOST}`,
    );
    found.number += Number(rows[0]?.["number"] ?? 0);
    for (const row of rows.slice(0, MOST - found.named.length))
      found.named.push({
        order: row["order"] as string | null,
        amount: BigInt(String(row["amount"])),
      });
    const [end] = await rowsOf(
      db,
      sql`SELECT ${keys} FROM (${page} LIMIT ${size}) t ORDER BY ${sql.raw(key.map((name) => `t.${name} DESC`).join(", "))} LIMIT 1`,
    );
    isLast = end === undefined;
    if (end)
      after = sql`(${keys}) > (${sql.join(
        key.map((name) => sql`${end[name]}`),
        sql`, `,
      )})`;
  }
  return found;
}

/**
 * Compares the book with the transfers and payments that are written down, and with the orders.
 * @param size rows that are compared at a time
 */
export async function bookDifferences({ db }: Pick<Ledger, "db">, size = PAGE): Promise<Differences[]> {
  const found: Differences[] = [];
  for (const comparison of comparisons) found.push(await compare(db, comparison, size));
  return found.filter(({ number }) => number > 0);
}

/** Has the log tell of the differences, up to a hundred of each kind and how many more, as an error: the alarm is on it. @returns how many */
export async function checkBook(ledger: Ledger): Promise<number> {
  if (!(await isBookComplete(ledger.db))) return 0;
  const { log } = ledger;
  let count = 0;
  for (const { what, number, named } of await bookDifferences(ledger)) {
    for (const { order, amount } of named)
      log("book differs", { what, order: order ?? "", amount: String(amount) }, "error");
    if (number > named.length) log("book differs", { what, more: number - named.length }, "error");
    count += number;
  }
  return count;
}
