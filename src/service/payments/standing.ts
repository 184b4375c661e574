/** What an order was paid, owes and has too much: read from the book, in one place, and told by every screen. */
import { sql, type Column } from "drizzle-orm";
import { OrderStatus } from "../../contract/calls.ts";
import { movements, orders, transfers, type Balance } from "../store/schema.ts";
import { CENT, least, PAYING, transferCauseIn } from "./book.ts";

type Order = typeof orders.$inferSelect;

/** What stands on an order's balances, as a query of the order reads it: amounts as digits. */
export type StoredBalances = Partial<Record<Balance, string>>;

/** For a query of an order: what stands on its balances. */
export const balancesOf = (orderId: Column) => sql<StoredBalances>`(
  SELECT coalesce(json_object_agg(balance, total::text), '{}') FROM (
    SELECT balance, sum(amount) AS total FROM (
      SELECT ${movements.to} AS balance, ${movements.amount} AS amount FROM ${movements} WHERE ${movements.orderId} = ${orderId}
      UNION ALL
      SELECT ${movements.from}, -${movements.amount} FROM ${movements} WHERE ${movements.orderId} = ${orderId}) moved
    GROUP BY balance) standing)`;

/** What came in for an order and was not taken back by its chain: the transaction or the provider's number, and when. */
export type Received = { reference: string; at: string };

/** For a query of an order: what was received for it, the oldest first. What was given back since was received, too. */
export const receivedFor = (orderId: Column) => sql<Received[]>`(
  SELECT coalesce(json_agg(json_build_object('reference', reference, 'at', at) ORDER BY at, reference), '[]') FROM (
    SELECT min(m.at) AS at, min(m.reference) AS reference FROM movements m
    WHERE m.order_id = ${orderId} AND 'outside' IN (m.from_balance, m.to_balance) GROUP BY m.cause
    HAVING sum(CASE WHEN m.from_balance = 'outside' THEN m.amount ELSE -m.amount END) > 0) received
  WHERE reference IS NOT NULL)`;

/** For a query of a transfer: what stands on a balance because of it. */
export const ofTransfer = (balance: Balance) => sql<string>`(
  SELECT coalesce(sum(CASE WHEN m.to_balance = ${balance} THEN m.amount WHEN m.from_balance = ${balance} THEN -m.amount ELSE 0 END), 0)
  FROM movements m WHERE m.cause = ${transferCauseIn(transfers)})`;

/** For a query of orders: whether some money came for one that is not paid. */
export const isPartPaid = sql`${orders.partPaid}`;

/** What people are told of an order's money, in smallest units. */
export interface Standing {
  /** What came in and was neither given back nor kept, final or not. */
  received: bigint;
  /** What is still asked for. */
  owed: bigint;
  /** What may be claimed back. */
  surplus: bigint;
  returned: bigint;
}

/** Less than a cent, which no one can be asked for, is forgiven always. */
const forgiven = (tolerance: bigint) => (tolerance < CENT ? CENT - 1n : tolerance);

/** Smallest units by which an order may be short: on a chain alone, and of half of it at most. */
export function toleranceOf(order: Pick<Order, "amount" | "rail">, tolerance: bigint): bigint {
  if (order.rail !== "usdt") return 0n;
  return least(forgiven(tolerance), order.amount / 2n);
}

/** The same for a query of orders. */
export const toleranceIn = (tolerance: bigint) =>
  sql`CASE WHEN ${orders.rail} = 'usdt'
    THEN least(${String(forgiven(tolerance))}::bigint, ${orders.amount} / 2) ELSE 0 END`;

/**
 * @param coming smallest units of transfers that are not final: those that will pay the order, and those that will be held
 */
export function standingOf(
  order: Pick<Order, "amount" | "rail" | "status">,
  balances: StoredBalances,
  coming: { paying: bigint; held: bigint },
  tolerance: bigint,
): Standing {
  const of = (balance: Balance) => BigInt(balances[balance] ?? 0);
  const paying = PAYING.reduce((sum, balance) => sum + of(balance), 0n);
  const arrived = atLeastCent(paying + coming.paying);
  const missing = order.amount - arrived;
  const isAsked = order.status === OrderStatus.pending && missing > toleranceOf(order, tolerance);
  return {
    received: arrived + atLeastCent(of("held") + coming.held) + of("disputed"),
    owed: isAsked ? missing : 0n,
    surplus: atLeastCent(of("surplus")),
    returned: of("returned"),
  };
}

/** Without dust, of which people are told nothing. */
const atLeastCent = (amount: bigint) => (amount >= CENT ? amount : 0n);
