/** An order of the API as the charts use it. */
import type { PastOrder } from "../../../machines/order-history.ts";
import type { ChainTransfer, OrderReading, PaymentWay } from "../../../machines/order-status.ts";
import {
  coinTypes,
  networks,
  type ArrivedTransfer,
  type ListedOrder,
  type OrderDetail,
} from "../../contract/calls.ts";
import { PAYMENT_WINDOW } from "../../contract/durations.ts";
import { hasArrived } from "../../contract/money.ts";
import { isWithin } from "./stored-values.ts";

const transferOf = (sent: ArrivedTransfer): ChainTransfer => ({
  transaction: sent.tx_hash,
  confirmations: sent.confirmations,
  needed: sent.confirmations_needed,
  explorerUrl: sent.explorer_url,
});

/** An amount that is more than nothing. */
const someOf = (amount: string) => (hasArrived("0", amount) ? amount : null);

/** An order's detail as the charts use it. */
export function readingOf(detail: OrderDetail): OrderReading {
  const network = networkOf(detail.coin_type);
  return {
    status: detail.status,
    amount: detail.payment_amount,
    createdAt: detail.created_at,
    received: detail.paid_amount ?? null,
    ...(detail.owed_amount ? { owed: someOf(detail.owed_amount) } : {}),
    ...(detail.surplus_amount ? { surplus: someOf(detail.surplus_amount) } : {}),
    // Only orders in USDT have a `coin_type`; if the API leaves the field out, the unit is unknown.
    ...(detail.coin_type === undefined ? {} : { unit: detail.coin_type === null ? "USD" : "USDT" }),
    ...(network && detail.address ? { network, address: detail.address } : {}),
    ...(detail.held ? { held: true } : {}),
    ...(detail.network_behind ? { networkBehind: true } : {}),
    ...(detail.returned ? { returned: true } : {}),
    ...(detail.transfers?.length ? { transfers: detail.transfers.map(transferOf) } : {}),
    ...(detail.pack_name ? { packName: detail.pack_name } : {}),
    ...(detail.payment_method ? { way: wayOf(detail.payment_method, detail.coin_type) } : {}),
    ...(detail.paid_at ? { paidAt: detail.paid_at } : {}),
    ...(detail.references?.length ? { references: detail.references } : {}),
  };
}

export const readingOfListed = (entry: ListedOrder) =>
  readingOf({ ...entry, transfers: undefined, network_behind: undefined });

/** The API's names of the payment methods other than USDT. */
const otherWays: Readonly<Partial<Record<string, PaymentWay>>> = { Razorpay: "card", Stripe: "Stripe" };
const wayOf = (method: string, coinType: number | null | undefined): PaymentWay =>
  otherWays[method] ?? networkOf(coinType) ?? "USDT";

/** The network of an order in USDT, as far as this app knows it. */
export const networkOf = (coinType: number | null | undefined) =>
  networks.find((name) => coinTypes[name] === coinType);

/** An order of a list as the charts use it. */
export const pastOrderOf = (order: ListedOrder): PastOrder => ({
  orderId: order.order_id,
  packName: order.pack_name,
  way: wayOf(order.payment_method, order.coin_type),
  reading: readingOfListed(order),
});

/**
 * Thirty minutes after a time with a zone, and at most thirty minutes from `now`. Null without a zone, and when the
 * time is more than `most` milliseconds from `now`.
 */
export function deadlineOf(createdAt: string | null | undefined, now: number, most: number): number | null {
  if (!createdAt || !/:\d\d(\.\d+)? ?(Z|[+-]\d\d:?\d\d)$/i.test(createdAt)) return null;
  const moment = Date.parse(createdAt);
  return isWithin(most, moment, now) ? Math.min(moment, now) + PAYMENT_WINDOW : null;
}
