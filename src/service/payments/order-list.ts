/** The orders of an account: those that come before another payment (open, partly paid, or paid although the app was not told; Decisions, "Pay once"), and all of them by pages. */
import { and, arrayContains, desc, eq, gt, inArray, isNotNull, isNull, not, or, sql } from "drizzle-orm";
import { OrderStatus, type ListedOrder, type OrderList } from "../../contract/calls.ts";
import type { Language } from "../../contract/languages.ts";
import { DAY } from "../../contract/durations.ts";
import type { Shop } from "./shop.ts";
import type { Database } from "../store/database.ts";
import { after, cursorOf, pageOf } from "../store/pages.ts";
import { accounts, orders } from "../store/schema.ts";
import { refreshOrders, summaryOf, type OrderSeen } from "./order-detail.ts";
import { isPayable } from "./orders.ts";
import { balancesOf, receivedFor } from "./standing.ts";
import { transfersOf } from "./usdt.ts";

/** Ms for which an order that was not settled is told of. */
const SPAN = 30 * DAY;
/** Beside those that were named. */
const MOST_LISTED = 20;
/** Orders of one page of all. */
const PAGE = 20;
/** Questions to providers for one list; each may take seconds. */
const MOST_REFRESHED = 4;

interface Wanted {
  /** Listed whatever their state. */
  ids: readonly string[];
  /** The Idempotency-Key of the payment that is to come. */
  key: string;
}

const ordersSeen = (db: Database) =>
  db
    .select({
      order: orders,
      balances: balancesOf(orders.id),
      received: receivedFor(orders.id),
      transfers: transfersOf(orders.id),
    })
    .from(orders)
    // With another table beside it, the columns of both are written with their tables, as the parts of the query need them.
    .innerJoin(accounts, eq(accounts.id, orders.accountId));

async function unsettledOrders(
  db: Database,
  accountId: number,
  { ids, key }: Wanted,
  now: number,
): Promise<OrderSeen[]> {
  const isNamed = inArray(orders.id, [...ids, ""]);
  const isUnsettled = or(
    eq(orders.status, OrderStatus.pending),
    and(eq(orders.status, OrderStatus.confirmed), isNull(orders.toldAt)),
  );
  const isRepeated = or(eq(orders.idempotencyKey, key), arrayContains(orders.furtherKeys, [key]));
  return (
    ordersSeen(db)
      .where(
        and(
          eq(orders.accountId, accountId),
          or(isNamed, and(gt(orders.createdAt, new Date(now - SPAN)), isUnsettled)),
          key === "" ? undefined : not(sql`coalesce(${isRepeated}, false)`),
        ),
      )
      // What the browser names is not pushed out by what it does not know.
      .orderBy(desc(isNamed), desc(orders.createdAt), desc(orders.id))
      .limit(MOST_LISTED + ids.length)
  );
}

const listed = (shop: Shop, seen: OrderSeen, language: Language): ListedOrder => ({
  ...summaryOf(shop, seen, language),
  pack_id: seen.order.packId,
  product_id: seen.order.productId,
});

const isTransfer = ({ rail }: OrderSeen["order"]) => rail === "usdt";
/** Whether the outside may know more of it than is written down. */
const mayBeTaken = (order: OrderSeen["order"]) => order.status === OrderStatus.pending && isPayable(order);

/** data of the list of orders: as they stand now, the latest first. */
export async function listOf(
  shop: Shop,
  accountId: number,
  wanted: Wanted,
  language: Language,
): Promise<OrderList> {
  const { db, now } = shop;
  const read = () => unsettledOrders(db, accountId, wanted, now());
  const found = await read();
  const open = found.map(({ order }) => order).filter(mayBeTaken);
  const [sent, handed] = [open.filter(isTransfer), open.filter((order) => !isTransfer(order))];
  const due = [...sent, ...handed.slice(0, MOST_REFRESHED)];
  const current = (await refreshOrders(shop, due)) ? await read() : found;
  const latestFirst = current.toSorted(
    (one, other) => other.order.createdAt.getTime() - one.order.createdAt.getTime(),
  );
  // One that no provider has is nothing that could be paid.
  return {
    orders: latestFirst.filter(({ order }) => isPayable(order)).map((seen) => listed(shop, seen, language)),
    next: null,
  };
}

/**
 * data of a page of all orders: as they are written down, without a question to the outside; the latest first.
 * @param cursor of `orderListQuery`: the orders after that one; null: from the latest on
 */
export async function orderPage(
  shop: Shop,
  accountId: number,
  cursor: string | null,
  language: Language,
): Promise<OrderList> {
  const found = await ordersSeen(shop.db)
    .where(
      and(
        eq(orders.accountId, accountId),
        after(cursor, orders.createdAt, orders.id, "text"),
        // One that no provider has is nothing that could be paid.
        or(isNotNull(orders.address), isNotNull(orders.thirdReferenceId)),
      ),
    )
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(PAGE + 1);
  const { rows, next } = pageOf(found, PAGE, ({ order }) => cursorOf(order.createdAt, order.id));
  return { orders: rows.map((seen) => listed(shop, seen, language)), next };
}
