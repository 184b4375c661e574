/** An order of the user who asks, and what placing one takes from their request. */
import type { Context } from "hono";
import { HOUR } from "../../contract/durations.ts";
import { IDEMPOTENCY_HEADER } from "../../contract/envelope.ts";
import { createLimits, networkBounds } from "../limits/attempt-limits.ts";
import type { Principal } from "../accounts/sessions.ts";
import { openedOrderQuery, refreshOrders, type OrderSeen } from "../payments/order-detail.ts";
import { ORDER_ID } from "../payments/orders.ts";
import type { Buyer } from "../payments/shop.ts";
import { ApiError } from "../platform/errors.ts";
import { languageFor } from "./answers.ts";
import { addressOf } from "./client-address.ts";
import { readAuthenticated } from "./principal.ts";
import type { Env, Service } from "./service.ts";

export const buyerOf = (c: Context<Env>, service: Service, { id }: Principal): Buyer => ({
  accountId: id,
  language: languageFor(c),
  key: c.req.header(IDEMPOTENCY_HEADER) ?? null,
  // An unpaid order is kept for months, and its address for good; and a limit for each account is none where accounts are free.
  admit: (tx) => {
    const limit = { name: "order", most: service.settings.networkOrdersPerHour, span: HOUR };
    const bounds = networkBounds(limit, addressOf(c, service), "networkOrdersOften");
    return createLimits(tx, service.now).limitTries(bounds);
  },
});

/**
 * An order of the user's, as it is written down, without a question to the outside.
 * @throws ApiError when no user is signed in, or there is no order of that number
 */
export async function lookedUpOrder(c: Context<Env>, service: Service, id: string): Promise<OrderSeen> {
  const found = await readAuthenticated(c, service, openedOrderQuery(service.db), {
    order: ORDER_ID.test(id) ? id : "",
  });
  if (!found) throw ApiError.signedOut();
  const { order, ...money } = found;
  if (!order) throw ApiError.of("orderUnknown");
  return { order, ...money };
}

/**
 * An order of the user's, as it stands now.
 * @throws ApiError when no user is signed in, or there is no order of that number
 */
export async function orderOf(c: Context<Env>, service: Service, id: string): Promise<OrderSeen> {
  const seen = await lookedUpOrder(c, service, id);
  return (await refreshOrders(service, [seen.order])) ? lookedUpOrder(c, service, id) : seen;
}
