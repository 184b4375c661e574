/** What is told of an order that was placed: as it is written down, and as its rail knows it now. Specification, sections 3 and 7. */
import { setTimeout } from "node:timers/promises";
import { and, eq, gt, isNull, lte, or, sql } from "drizzle-orm";
import { shownUnits } from "../../contract/money.ts";
import { coinTypes, OrderStatus, type OrderDetail } from "../../contract/calls.ts";
import type { Language } from "../../contract/languages.ts";
import { SECOND } from "../../contract/durations.ts";
import type { Shop } from "./shop.ts";
import { ApiError } from "../platform/errors.ts";
import { factsOf } from "../platform/log.ts";
import { isOpened, openedSession } from "../accounts/sessions.ts";
import { perDatabase } from "../store/database.ts";
import { accounts, orders, sessions } from "../store/schema.ts";
import { balancesOf, receivedFor, standingOf, type Received, type StoredBalances } from "./standing.ts";
import type { Order } from "./ledger.ts";
import { isPayable, madeOrder, ORDER_ID } from "./orders.ts";
import { railKeyOf, type Rail } from "./rails.ts";
import { comingOf, shownTransfers, transfersOf, type SeenTransfer } from "./usdt.ts";

/** Ms for which someone who looks at an order waits for the outside. */
const REFRESH_TIMEOUT = 3 * SECOND;

/** An order with what has come in for it. */
export interface OrderSeen {
  order: Order;
  balances: StoredBalances;
  received: Received[];
  /** In USDT: its transfers that stand, the oldest first. */
  transfers: SeenTransfer[];
}

/** An order of the account whose session a token opens, for `readAuthenticated`, with the placeholder `order`. */
export const openedOrderQuery = perDatabase((db) =>
  db
    .select({
      session: openedSession,
      order: orders,
      balances: balancesOf(orders.id),
      received: receivedFor(orders.id),
      transfers: transfersOf(orders.id),
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .leftJoin(orders, and(eq(orders.id, sql.placeholder("order")), eq(orders.accountId, accounts.id)))
    .where(isOpened)
    .prepare("order_detail"),
);

/**
 * Asks the outside about orders that may have changed, and waits for it a while: what is known is answered then.
 * @returns false when none of them is due
 */
export async function refreshOrders(shop: Shop, wanted: readonly Order[]): Promise<boolean> {
  const { log, rails } = shop;
  const refreshes: Promise<unknown>[] = [];
  /** A look at a network finds what has come for any order. */
  const looked = new Set<Rail>();
  for (const order of wanted) {
    const rail = rails[railKeyOf(order)];
    if (!rail || looked.has(rail) || !(await isRefreshDue(shop, rail, order))) continue;
    if (order.rail === "usdt") looked.add(rail);
    const failed = (error: unknown) =>
      log("refresh failed", { order: order.id, rail: order.rail, ...factsOf(error) }, "warn");
    refreshes.push(rail.refresh(order).catch(failed));
  }
  if (refreshes.length === 0) return false;
  await Promise.race([Promise.all(refreshes), setTimeout(REFRESH_TIMEOUT, undefined, { ref: false })]);
  return true;
}

/**
 * An order of this account as it is written down, without a question to the outside.
 * @throws ApiError when there is none of that number
 */
export async function storedOrder({ db }: Shop, accountId: number, id: string): Promise<Order> {
  if (!ORDER_ID.test(id)) throw ApiError.of("orderUnknown");
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.accountId, accountId)));
  if (!order) throw ApiError.of("orderUnknown");
  return order;
}

/** Whether an order that may still change was not asked about in the last seconds. It counts as asked about from now on. */
async function isRefreshDue({ db, now, settings }: Shop, rail: Rail, order: Order): Promise<boolean> {
  if (rail.isRefreshDue) return rail.isRefreshDue();
  if (order.status === OrderStatus.confirmed || !isPayable(order)) return false;
  const at = now();
  const latest = new Date(at - settings.refreshSeconds * SECOND);
  const { refreshedAt } = orders;
  const due = await db
    .update(orders)
    .set({ refreshedAt: new Date(at) })
    // In the future lies what was written before the clock was set back.
    .where(
      and(
        eq(orders.id, order.id),
        or(isNull(refreshedAt), lte(refreshedAt, latest), gt(refreshedAt, new Date(at + 60 * SECOND))),
      ),
    )
    .returning({ id: orders.id });
  return due.length > 0;
}

/** As payment_method_list calls them. */
const methods: Readonly<Record<Order["rail"], string>> = {
  usdt: "EbPay",
  card: "Razorpay",
  stripe: "Stripe",
};

/** The database writes a moment with its own zone. */
const momentOf = (received: Received | undefined) =>
  received === undefined ? null : new Date(received.at).toISOString();

/** What is told of an order and its money, in a list and in its detail. */
export function summaryOf(
  { ledger }: Shop,
  { order, balances, received, transfers }: OrderSeen,
  language: Language,
) {
  const standing = standingOf(order, balances, comingOf(transfers), ledger.tolerance);
  const hadMoney = Object.keys(balances).length > 0;
  return {
    ...madeOrder(order),
    status: order.status,
    address: order.address,
    coin_type: order.network && coinTypes[order.network],
    paid_amount: shownUnits(standing.received),
    owed_amount: shownUnits(standing.owed),
    surplus_amount: shownUnits(standing.surplus),
    pack_name: order.packName[language],
    held: transfers.some(({ isHeld }) => isHeld),
    returned: order.status === OrderStatus.failed && hadMoney,
    payment_method: methods[order.rail],
    paid_at: order.status === OrderStatus.confirmed ? momentOf(received.at(-1)) : null,
    references: received.map(({ reference }) => reference),
  };
}

/** Says that the network of an unconfirmed order is read late, or not at all, and nothing where it is not. */
export function networkBehind({ rails }: Shop, order: Order) {
  if (order.status === OrderStatus.confirmed || order.rail !== "usdt") return {};
  const rail = rails[railKeyOf(order)];
  return !rail || rail.status().isBehind === true ? { network_behind: true } : {};
}

/** data of order detail. Its account knows from then on that the order is confirmed. */
export async function detailOf(shop: Shop, seen: OrderSeen, language: Language): Promise<OrderDetail> {
  const { db, networks, now } = shop;
  const { order } = seen;
  if (order.status === OrderStatus.confirmed && order.toldAt === null) {
    await db
      .update(orders)
      .set({ toldAt: new Date(now()) })
      .where(and(eq(orders.id, order.id), isNull(orders.toldAt)));
  }
  const transfers = await shownTransfers(db, seen.transfers, networks);
  return {
    ...summaryOf(shop, seen, language),
    ...networkBehind(shop, order),
    transfers: transfers.map(({ txHash, amount, confirmations, needed, explorerUrl }) => ({
      tx_hash: txHash,
      amount: shownUnits(amount),
      confirmations,
      confirmations_needed: needed,
      explorer_url: explorerUrl,
    })),
  };
}
