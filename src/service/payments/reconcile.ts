/** Whether the book agrees with what the chains and the providers say, and where its money stands at a time. */
import { lt, ne, or, sql } from "drizzle-orm";
import type { Database } from "../store/database.ts";
import { movements, orders, payments, sweeps, transfers, type Balance } from "../store/schema.ts";
import { isBookComplete } from "./earlier-books.ts";
import type { Ledger } from "./ledger.ts";

/** What stands on each balance, in smallest units. */
export type Balances = Record<Exclude<Balance, "outside" | "address"> | "received", bigint>;

/** What has to be seen to, or waits: on these balances money is neither earned nor gone. */
const UNSETTLED = ["surplus", "held", "open", "disputed"] as const;

/** The network, or the provider. */
const railName = sql<string>`coalesce(${movements.network}, ${movements.rail})`;

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

/** Where the money stands at a time, by rail. @param before movements from then on do not count */
export async function balancesAt(
  db: Database,
  before: Date,
): Promise<{ rail: string; balances: Balances }[]> {
  const rows = await db
    .select({ rail: railName, ...columns })
    .from(movements)
    .where(lt(movements.at, before))
    .groupBy(railName);
  return rows
    .map((row) => ({ rail: row.rail, balances: balancesIn(row) }))
    .toSorted((one, other) => one.rail.localeCompare(other.rail));
}

/** The orders whose money is not settled at a time; null: money of no order. @param before movements from then on do not count */
export async function unsettledAt(
  db: Database,
  before: Date,
): Promise<{ rail: string; orderId: string | null; balances: Balances }[]> {
  const rows = await db
    .select({ rail: railName, orderId: movements.orderId, ...columns })
    .from(movements)
    .where(lt(movements.at, before))
    .groupBy(railName, movements.orderId)
    .having(or(...UNSETTLED.map((name) => ne(columns[name], "0"))));
  return rows.map((row) => ({ rail: row.rail, orderId: row.orderId, balances: balancesIn(row) }));
}

/** Something that does not agree. */
export interface Difference {
  what: string;
  order: string | null;
  /** By how much, in smallest units. */
  amount: bigint;
}

/** Differences of one kind that are told at most. */
const MOST = 100;

/** Compares the book with the transfers and payments that are written down, and with the orders. */
export async function bookDifferences({ db }: Pick<Ledger, "db">): Promise<Difference[]> {
  const asked: readonly (readonly [string, ReturnType<typeof sql>])[] = [
    [
      "a transfer that the book does not have as the chain has it",
      sql`SELECT t.order_id AS order, (CASE WHEN t.state = 'final' THEN t.amount ELSE 0 END - coalesce(m.received, 0))::text AS amount
        FROM ${transfers} t LEFT JOIN (${receivedBy}) m ON m.cause = t.network || ':' || t.block_hash || ':' || t.log_index
        WHERE (CASE WHEN t.state = 'final' THEN t.amount ELSE 0 END) <> coalesce(m.received, 0)`,
    ],
    [
      "a sweep that the book does not have as the chain has it",
      sql`SELECT NULL AS order, (CASE WHEN t.state = 'final' THEN t.amount ELSE 0 END - coalesce(m.swept, 0))::text AS amount
        FROM ${sweeps} t LEFT JOIN (${sweptBy}) m ON m.cause = t.network || ':' || t.block_hash || ':' || t.log_index
        WHERE (CASE WHEN t.state = 'final' THEN t.amount ELSE 0 END) <> coalesce(m.swept, 0)`,
    ],
    [
      "a provider's payment that the book does not have",
      sql`SELECT p.order_id AS order, (p.amount - coalesce(m.received, 0))::text AS amount
        FROM ${payments} p LEFT JOIN (${receivedBy}) m ON m.cause = p.rail || ':' || p.payment_id
        WHERE coalesce(m.received, 0) NOT IN (p.amount, CASE WHEN m.cause IS NULL THEN p.amount ELSE 0 END)`,
    ],
    [
      "an order that is confirmed without money, or not confirmed with it",
      sql`SELECT o.id AS order, coalesce(m.credited, 0)::text AS amount
        FROM ${orders} o LEFT JOIN (
          SELECT order_id, sum(CASE WHEN to_balance = 'credited' THEN amount ELSE 0 END
            - CASE WHEN from_balance = 'credited' THEN amount ELSE 0 END) AS credited
          FROM ${movements} WHERE order_id IS NOT NULL GROUP BY order_id) m ON m.order_id = o.id
        WHERE (o.status = 1) <> (coalesce(m.credited, 0) > 0)`,
    ],
  ];
  const found: Difference[] = [];
  for (const [what, query] of asked) {
    const { rows } = (await db.execute(sql`${query} LIMIT ${sql.raw(String(MOST))}`)) as {
      rows: { order: string | null; amount: string }[];
    };
    for (const { order, amount } of rows) found.push({ what, order, amount: BigInt(amount) });
  }
  return found;
}

const receivedBy = sql`SELECT cause, sum(CASE WHEN from_balance = 'outside' THEN amount ELSE 0 END
  - CASE WHEN to_balance = 'outside' THEN amount ELSE 0 END) AS received
  FROM ${movements} WHERE 'outside' IN (from_balance, to_balance) GROUP BY cause`;
const sweptBy = sql`SELECT cause, sum(CASE WHEN to_balance = 'swept' THEN amount ELSE -amount END) AS swept
  FROM ${movements} WHERE 'swept' IN (from_balance, to_balance) GROUP BY cause`;

/** Has the log tell of every difference, as an error: the alarm is on it. @returns how many */
export async function checkBook(ledger: Ledger): Promise<number> {
  if (!(await isBookComplete(ledger.db))) return 0;
  const differences = await bookDifferences(ledger);
  for (const { what, order, amount } of differences)
    ledger.log("book differs", { what, order: order ?? "", amount: String(amount) }, "error");
  return differences.length;
}
