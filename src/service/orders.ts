/** Placing an order, whichever way it is to be paid, and what is told of it. Specification, sections 3 and 7. */
import { randomBytes } from "node:crypto";
import { and, count, eq, gt, sql } from "drizzle-orm";
import type { Context } from "hono";
import { fromUnits, USD_DECIMALS, USDT_DECIMALS } from "../../machines/money.ts";
import { coinTypes, OrderStatus, type Network, type OrderDetail } from "../contract/calls.ts";
import { IDEMPOTENCY_HEADER } from "../contract/envelope.ts";
import { languageFor, Refusal, type Env, type Service } from "./answer.ts";
import { takenFor, UNITS_PER_CENT } from "./rails/provider.ts";
import type { Order } from "./rails/settling.ts";
import { paidFor } from "./rails/usdt.ts";
import type { Database } from "./store/open.ts";
import { accounts, erc20Index, orders, trc20Index } from "./store/schema.ts";

const HOUR = 3_600_000;
const indexes = { TRC20: trc20Index.seqName, ERC20: erc20Index.seqName };

/** Crockford's letters: none that is taken for another when read out. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const ORDER_ID = new RegExp(`^[${LETTERS}]{16}$`);

/** An order number that cannot be guessed: 80 bits. */
const newOrderId = () => Array.from(randomBytes(16), (byte) => LETTERS[byte % LETTERS.length]).join("");

/** Amounts as the API says them, "9.90". */
export const shown = (units: bigint) => fromUnits(units, USDT_DECIMALS, USD_DECIMALS);

/** How an order is to be paid. */
export type Way = { rail: "usdt"; network: Network } | { rail: "card" | "stripe"; network: null };

/** What is told of any new order. */
export const madeOrder = (order: Order) => ({
  order_id: order.id,
  payment_amount: shown(order.amount),
  created_at: order.createdAt.toISOString(),
});

async function nextIndex(db: Database, network: Network): Promise<number> {
  const [row] = await db
    .select({ index: sql<string>`nextval(${indexes[network]})` })
    .from(sql`(values (1)) as one`);
  return Number(row?.index);
}

/** What the order will be paid to. */
async function destination({ receiving, card, stripe }: Service, tx: Database, way: Way) {
  if (way.rail === "usdt") {
    return { address: receiving(way.network, await nextIndex(tx, way.network)), thirdReferenceId: null };
  }
  const provider = way.rail === "card" ? card : stripe;
  if (!provider) throw Refusal.because("methodClosed");
  return { address: null, thirdReferenceId: provider.newReference() };
}

/**
 * Places an order, or finds the one that was placed with the same Idempotency-Key.
 * @throws Refusal
 */
export async function placeOrder(
  c: Context<Env>,
  service: Service,
  accountId: number,
  wanted: { pack_id: string; product_id: string },
  way: Way,
): Promise<Order> {
  const { db, now, settings, catalogue } = service;
  const key = c.req.header(IDEMPOTENCY_HEADER) ?? null;
  if (key !== null && !/^[\x21-\x7e]{1,255}$/.test(key)) throw Refusal.because("unreadable");

  return db.transaction(async (tx): Promise<Order> => {
    // One order of an account at a time, so that what is looked up here still holds when the order is written.
    await tx
      .select({ id: accounts.id })
      .from(accounts)
      .where(eq(accounts.id, accountId))
      .for("no key update");

    if (key !== null) {
      const [made] = await tx
        .select()
        .from(orders)
        .where(and(eq(orders.accountId, accountId), eq(orders.idempotencyKey, key)));
      const same =
        made?.packId === wanted.pack_id &&
        made.productId === wanted.product_id &&
        made.rail === way.rail &&
        made.network === way.network;
      if (made && !same) throw Refusal.because("keyReused");
      if (made) return made;
    }

    const entry = catalogue.entries.find(
      (one) => one.id === wanted.pack_id && one.product_id === wanted.product_id,
    );
    if (!entry) throw Refusal.because("packageUnknown");

    const [open] = await tx
      .select({ count: count() })
      .from(orders)
      .where(
        and(
          eq(orders.accountId, accountId),
          eq(orders.status, OrderStatus.pending),
          gt(orders.createdAt, new Date(now() - HOUR)),
        ),
      );
    if (settings.openOrdersPerHour > 0 && (open?.count ?? 0) >= settings.openOrdersPerHour) {
      throw Refusal.because("tooManyOrders");
    }

    const made: Order = {
      id: newOrderId(),
      accountId,
      packId: entry.id,
      productId: entry.product_id,
      packName: entry.name,
      days: entry.days,
      ...way,
      ...(await destination(service, tx, way)),
      amount: entry.buy_price * UNITS_PER_CENT,
      status: OrderStatus.pending,
      idempotencyKey: key,
      createdAt: new Date(now()),
      confirmedAt: null,
    };
    await tx.insert(orders).values(made);
    return made;
  });
}

/**
 * An order of this account, as it stands now.
 * @throws Refusal when there is none of that number
 */
export async function orderOf({ db, sandbox }: Service, accountId: number, id: string): Promise<Order> {
  if (!ORDER_ID.test(id)) throw Refusal.because("orderUnknown");
  // What fell due is counted now, whatever the timer is doing.
  await sandbox?.settle();
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.accountId, accountId)));
  if (!order) throw Refusal.because("orderUnknown");
  return order;
}

/** data of order detail. */
export async function detailOf(c: Context<Env>, { db }: Service, order: Order): Promise<OrderDetail> {
  const paid = order.rail === "usdt" ? await paidFor(db, order.id, "seen") : await takenFor(db, order.id);
  return {
    ...madeOrder(order),
    status: order.status,
    address: order.address,
    coin_type: order.network && coinTypes[order.network],
    paid_amount: shown(paid),
    pack_name: order.packName[languageFor(c)],
  };
}
