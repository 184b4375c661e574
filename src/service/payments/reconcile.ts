/** Whether the book agrees with what the chains and the providers say, and where its money stands at a time. */
import { lt, sql } from "drizzle-orm";
import type { Database } from "../store/database.ts";
import { movements, orders, payments, sweeps, transfers, type Balance } from "../store/schema.ts";
import { isBookComplete } from "./earlier-books.ts";
import type { Ledger } from "./ledger.ts";

/** What stands on each balance, in smallest units. */
export type Balances = Record<Exclude<Balance, "outside" | "address"> | "received", bigint>;

const NONE: Balances = {
  received: 0n,
  credited: 0n,
  surplus: 0n,
  held: 0n,
  open: 0n,
  disputed: 0n,
  returned: 0n,
  kept: 0n,
  swept: 0n,
};

/** What has to be seen to, or waits: on these balances money is neither earned nor gone. */
const UNSETTLED = ["surplus", "held", "open", "disputed"] as const;

/** The network, or the provider. */
const railName = sql<string>`coalesce(${movements.network}, ${movements.rail})`;

/**
 * Where the money stands at a time, by rail, with the orders whose money is not settled.
 * @param before movements from then on do not count
 */
export async function balancesAt(
  db: Database,
  before: Date,
): Promise<{
  rails: { rail: string; balances: Balances }[];
  unsettled: { rail: string; orderId: string | null; balances: Balances }[];
}> {
  const ofOrders = await db
    .select({
      rail: railName,
      orderId: movements.orderId,
      from: movements.from,
      to: movements.to,
      amount: sql<string>`sum(${movements.amount})`,
    })
    .from(movements)
    .where(lt(movements.at, before))
    .groupBy(railName, movements.orderId, movements.from, movements.to);
  const byOrder = Map.groupBy(ofOrders, ({ rail, orderId }) => `${rail} ${orderId ?? ""}`);
  const books = [...byOrder.values()].map((rows) => ({
    rail: rows[0]?.rail ?? "",
    orderId: rows[0]?.orderId ?? null,
    balances: sumOf(rows),
  }));
  const rails = [...Map.groupBy(books, ({ rail }) => rail)].map(([rail, found]) => ({
    rail,
    balances: added(found.map(({ balances }) => balances)),
  }));
  const unsettled = books.filter(({ balances }) => UNSETTLED.some((name) => balances[name] !== 0n));
  return { rails: rails.toSorted((one, other) => one.rail.localeCompare(other.rail)), unsettled };
}

function sumOf(rows: readonly { from: Balance; to: Balance; amount: string }[]): Balances {
  const sums = { ...NONE };
  for (const { from, to, amount } of rows) {
    const units = BigInt(amount);
    if (from === "outside") sums.received += units;
    else if (from !== "address") sums[from] -= units;
    if (to === "outside") sums.received -= units;
    else if (to !== "address") sums[to] += units;
  }
  return sums;
}

const added = (all: readonly Balances[]) => {
  const total = { ...NONE };
  for (const each of all)
    for (const name of Object.keys(NONE) as (keyof Balances)[]) total[name] += each[name];
  return total;
};

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
