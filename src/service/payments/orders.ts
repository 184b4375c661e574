/** Placing an order, whichever way it is to be paid. Specification, sections 3 and 7. */
import { and, arrayContains, desc, eq, isNull, notExists, or, sql } from "drizzle-orm";
import { shownUnits } from "../../contract/money.ts";
import { OrderStatus, type Network } from "../../contract/calls.ts";
import { HOUR } from "../../contract/durations.ts";
import type { Buyer, Shop } from "./shop.ts";
import { ApiError } from "../platform/errors.ts";
import type { Entry } from "../catalogue.ts";
import { CENT } from "./book.ts";
import type { Order } from "./ledger.ts";
import { RailFailed, railKeyOf, type Rail } from "./rails.ts";
import { randomId } from "../platform/random-id.ts";
import type { Database } from "../store/database.ts";
import { accounts, orders, payments, receivingAddresses, transfers } from "../store/schema.ts";
import { inTransaction } from "../store/transaction.ts";
import { isOfRemovedOrder } from "./usdt.ts";

/** How many further idempotency keys of an order are remembered. */
const MOST_KEYS = 50;

/** Crockford's Base32: no two characters sound or look alike. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 80 bits. */
const ID_LENGTH = 16;
export const ORDER_ID = new RegExp(`^[${ALPHABET}]{${ID_LENGTH}}$`);

/** How an order is to be paid. */
export type Way = { rail: "usdt"; network: Network } | { rail: "card" | "stripe"; network: null };

/** What is told of any new order. */
export const madeOrder = (order: Order) => ({
  order_id: order.id,
  payment_amount: shownUnits(order.amount),
  created_at: order.createdAt.toISOString(),
});

/** @throws ApiError when that way to pay is closed */
function railOf({ rails }: Shop, way: Pick<Order, "rail" | "network">): Rail {
  const rail = rails[railKeyOf(way)];
  if (!rail?.status().open) throw ApiError.of("methodClosed");
  return rail;
}

export const isPayable = (order: Order) => order.address !== null || order.thirdReferenceId !== null;

/**
 * Makes a committed order payable, outside of any transaction: the outside may take seconds to answer. When this fails, the
 * order stays as it is, and the same Idempotency-Key goes on from here.
 */
async function makePayable(
  { db, log }: Shop,
  rail: Rail,
  { order, isRepeated }: { order: Order; isRepeated: boolean },
): Promise<Order> {
  if (isPayable(order)) return order;
  const payable = await rail.open(order, isRepeated).catch((error: unknown) => {
    if (!(error instanceof RailFailed)) throw error;
    log("open failed", { order: order.id, rail: order.rail, error: error.message }, "error");
    throw ApiError.of("railSilent");
  });
  const [opened] = await db
    .update(orders)
    .set(payable)
    .where(and(eq(orders.id, order.id), isNull(orders.address), isNull(orders.thirdReferenceId)))
    .returning();
  if (opened) return opened;
  // Another request with the same key was faster.
  const [made] = await db.select().from(orders).where(eq(orders.id, order.id));
  return made ?? order;
}

const priceOf = (entry: Entry) => entry.buy_price * CENT;

/** The account's order by card for that package, at today's price, for which no money came yet. */
async function openCardOrder(
  tx: Database,
  accountId: number,
  entry: Entry,
  { providerAccount = "" }: Rail,
): Promise<Order | undefined> {
  const [open] = await tx
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.accountId, accountId),
        eq(orders.rail, "card"),
        eq(orders.status, OrderStatus.pending),
        eq(orders.packId, entry.id),
        eq(orders.productId, entry.product_id),
        eq(orders.days, entry.days),
        eq(orders.amount, priceOf(entry)),
        // Another account of the provider does not know it. Of an earlier release it is not yet written down.
        or(isNull(orders.providerAccount), eq(orders.providerAccount, providerAccount)),
        notExists(tx.select().from(payments).where(eq(payments.orderId, orders.id))),
      ),
    )
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(1);
  return open;
}

/**
 * Reuses an open order. It counts as created now, because the provider job polls young orders only. The new key finds it
 * again, also when it has been paid by then.
 */
async function reuseOrder(tx: Database, open: Order, key: string | null, now: number): Promise<Order> {
  const furtherKeys = key === null ? open.furtherKeys : [...open.furtherKeys, key].slice(-MOST_KEYS);
  const change = { furtherKeys, createdAt: new Date(now), refreshedAt: null };
  await tx.update(orders).set(change).where(eq(orders.id, open.id));
  return { ...open, ...change };
}

/** What an order has only later. */
const nothingYet = {
  address: null,
  rawAddress: null,
  addressSeries: null,
  addressIndex: null,
  keyFingerprint: null,
  thirdReferenceId: null,
  providerAccount: null,
  payUrl: null,
  partPaid: false,
  furtherKeys: [],
  confirmedAt: null,
  toldAt: null,
  refreshedAt: null,
};

/**
 * Places an order, or finds the one that was placed with the same Idempotency-Key. By card, an order for the same package
 * that is still open is gone on with, whatever the key: the provider takes the money for it once, however many screens
 * show it. From then on that key finds it too.
 * @throws ApiError
 */
export async function placeOrder(
  shop: Shop,
  { accountId, language, key, admit }: Buyer,
  wanted: { pack_id: string; product_id: string },
  way: Way,
): Promise<Order> {
  const { db, now, settings, catalogue } = shop;
  const rail = railOf(shop, way);
  if (key !== null && !/^[\x21-\x7e]{1,255}$/.test(key)) throw ApiError.of("unreadable");

  const prepared = rail.prepare?.() ?? null;
  let isSpent = false;
  const placed = await inTransaction(db, async (tx) => {
    // One order of an account at a time, so that what is looked up here still holds when the order is written.
    const [account] = await tx
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.id, accountId), isNull(accounts.deletedAt)))
      .for("no key update");
    // It was deleted since the request was read.
    if (!account) throw ApiError.unauthenticated();

    const [found] = await tx
      .select({
        madeId: orders.id,
        open: sql<string>`(SELECT count(*) FROM ${orders} o WHERE o.account_id = ${accountId} AND o.rail = ${way.rail}
          AND o.status = ${OrderStatus.pending} AND o.created_at > ${new Date(now() - HOUR)})`,
        // Of another order, also a removed one, or one that got money once.
        isAddressKnown: sql<boolean>`EXISTS (SELECT FROM ${orders} o WHERE o.raw_address = ${prepared?.rawAddress ?? null})
          OR EXISTS (SELECT FROM ${transfers} t WHERE t.recipient = ${prepared?.rawAddress ?? null})
          OR EXISTS (SELECT FROM ${receivingAddresses} WHERE ${isOfRemovedOrder(prepared?.rawAddress ?? null)})`,
      })
      .from(sql`(VALUES (1)) one`)
      .leftJoin(
        orders,
        and(
          eq(orders.accountId, accountId),
          or(eq(orders.idempotencyKey, key ?? ""), arrayContains(orders.furtherKeys, [key ?? ""])),
        ),
      );
    if (found?.madeId) {
      const [made] = await tx.select().from(orders).where(eq(orders.id, found.madeId));
      const isSame =
        made?.packId === wanted.pack_id &&
        made.productId === wanted.product_id &&
        made.rail === way.rail &&
        made.network === way.network;
      if (!isSame) throw ApiError.of("keyReused");
      return { order: made, isRepeated: true };
    }

    const entry = catalogue.entries.find(
      (one) => one.id === wanted.pack_id && one.product_id === wanted.product_id,
    );
    if (!entry) throw ApiError.of("packageUnknown");

    if (way.rail === "card") {
      const open = await openCardOrder(tx, accountId, entry, rail);
      if (open) return { order: await reuseOrder(tx, open, key, now()), isRepeated: true };
    } else if (settings.openOrdersPerHour > 0) {
      // By card there is one for each package. The other ways are counted apart, so that none of them closes another.
      if (Number(found?.open) >= settings.openOrdersPerHour) throw ApiError.of("tooManyOrders");
    }
    await admit(tx);

    const payable = found?.isAddressKnown === true ? null : prepared;
    // Also one that was another order's already, and one that may have been written when this fails.
    isSpent = true;
    // Whole, so that what was written need not be read again.
    const fresh: Order = {
      ...nothingYet,
      id: randomId(ALPHABET, ID_LENGTH),
      accountId,
      packId: entry.id,
      productId: entry.product_id,
      packName: entry.name,
      days: entry.days,
      ...way,
      ...payable,
      amount: priceOf(entry),
      currency: way.rail === "usdt" ? "USDT" : "USD",
      language,
      live: settings.payments === "live",
      status: OrderStatus.pending,
      idempotencyKey: key,
      createdAt: new Date(now()),
    };
    await tx.insert(orders).values(fresh);
    return { order: fresh, isRepeated: false };
  }).finally(() => {
    if (prepared && !isSpent) rail.giveBack?.(prepared);
  });
  return makePayable(shop, rail, placed);
}
