/** Orders: making one, and asking what became of it. Specification, sections 3, 4 and 7. */
import { randomBytes } from "node:crypto";
import { and, count, eq, gt, sql } from "drizzle-orm";
import { Hono } from "hono";
import { fromUnits, USD_DECIMALS, USDT_DECIMALS } from "../../../machines/money.ts";
import {
  coinTypes,
  newOrder,
  orderQuery,
  OrderStatus,
  paths,
  type CreatedOrder,
  type Network,
  type OrderDetail,
} from "../../contract/calls.ts";
import { IDEMPOTENCY_HEADER } from "../../contract/envelope.ts";
import { holderFor, languageFor, readBody, Refusal, succeed, type Env, type Service } from "../answer.ts";
import { paidFor } from "../rails/usdt.ts";
import type { Database } from "../store/open.ts";
import { accounts, erc20Index, orders, trc20Index } from "../store/schema.ts";

const HOUR = 3_600_000;
/** One dollar is one USDT: cents become smallest units. */
const UNITS_PER_CENT = 10n ** BigInt(USDT_DECIMALS - USD_DECIMALS);
const indexes = { TRC20: trc20Index.seqName, ERC20: erc20Index.seqName };

type Order = typeof orders.$inferSelect;

/** Crockford's letters: none that is taken for another when read out. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const ORDER_ID = new RegExp(`^[${LETTERS}]{16}$`);

/** An order number that cannot be guessed: 80 bits. */
const newOrderId = () => Array.from(randomBytes(16), (byte) => LETTERS[byte % LETTERS.length]).join("");

/** Amounts as the API says them, "9.90". */
const shown = (units: bigint) => fromUnits(units, USDT_DECIMALS, USD_DECIMALS);

async function nextIndex(db: Database, network: Network): Promise<number> {
  const [row] = await db
    .select({ index: sql<string>`nextval(${indexes[network]})` })
    .from(sql`(values (1)) as one`);
  return Number(row?.index);
}

export function orderRoutes(service: Service) {
  const { db, now, settings, catalogue, receiving } = service;
  const routes = new Hono<Env>();

  routes.post(paths.createOrder, async (c) => {
    const holder = await holderFor(c, service);
    if (!holder) throw Refusal.unauthenticated();
    const { accountId } = holder;
    const wanted = await readBody(c, newOrder);
    const network: Network = wanted.coin_type === coinTypes.ERC20 ? "ERC20" : "TRC20";
    const key = c.req.header(IDEMPOTENCY_HEADER) ?? null;
    if (key !== null && !/^[\x21-\x7e]{1,255}$/.test(key)) throw Refusal.because("unreadable");

    const order = await db.transaction(async (tx): Promise<Order> => {
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
          made?.packId === wanted.pack_id && made.productId === wanted.product_id && made.network === network;
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
        network,
        address: receiving(network, await nextIndex(tx, network)),
        amount: entry.buy_price * UNITS_PER_CENT,
        status: OrderStatus.pending,
        idempotencyKey: key,
        createdAt: new Date(now()),
        confirmedAt: null,
      };
      await tx.insert(orders).values(made);
      return made;
    });

    const answer: CreatedOrder = {
      order: {
        order_id: order.id,
        payment_amount: shown(order.amount),
        created_at: order.createdAt.toISOString(),
      },
      payData: { address: order.address },
    };
    return succeed(c, answer);
  });

  routes.post(paths.orderDetail, async (c) => {
    const holder = await holderFor(c, service);
    if (!holder) throw Refusal.signedOut();
    const { order_id: id } = await readBody(c, orderQuery);
    if (!ORDER_ID.test(id)) throw Refusal.because("orderUnknown");
    // A transfer that fell due is counted now, whatever the timer is doing.
    await service.sandbox?.settle();
    const [order] = await db
      .select()
      .from(orders)
      .where(and(eq(orders.id, id), eq(orders.accountId, holder.accountId)));
    if (!order) throw Refusal.because("orderUnknown");
    const answer: OrderDetail = {
      order_id: order.id,
      status: order.status,
      payment_amount: shown(order.amount),
      created_at: order.createdAt.toISOString(),
      address: order.address,
      coin_type: coinTypes[order.network],
      paid_amount: shown(await paidFor(db, order.id, "seen")),
      pack_name: order.packName[languageFor(c)],
    };
    return succeed(c, answer);
  });

  return routes;
}
