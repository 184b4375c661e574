/** The API's calls about orders: creating, reading and listing them, and finding the earlier one to tell the user of. */
import * as v from "valibot";
import { CallFailed } from "../../../machines/call-error.ts";
import type { Offer } from "../../../machines/catalogue.ts";
import type { EarlierPayment } from "../../../machines/earlier-orders.ts";
import {
  earlierOf,
  maybePaidOf,
  type EarlierWanted,
  type OrderRead,
} from "../../../machines/rank-earlier.ts";
import type { IssuedOrder, Network } from "../../../machines/issued-order.ts";
import type { KeptOrder } from "../../../machines/kept-orders.ts";
import type { OrderPage } from "../../../machines/order-history.ts";
import { isConfirmed, isOver, type OrderReading } from "../../../machines/order-status.ts";
import type { IssuedReading } from "../../../machines/order.ts";
import type { OrderRequest } from "../../../machines/purchase.ts";
import {
  coinTypes,
  createdCheckout,
  createdOrder,
  orderDetail,
  orderList,
  paths,
  type ListedOrder,
  type OrderDetail,
} from "../../contract/calls.ts";
import { DAY, PAYMENT_WINDOW } from "../../contract/durations.ts";
import { Code } from "../../contract/envelope.ts";
import { toUnits, USDT_DECIMALS } from "../../contract/money.ts";
import type { ApiDependencies, Requests } from "./api-request.ts";
import { missingCode } from "./missing-code.ts";
import { deadlineOf, networkOf, pastOrderOf, readingOf, readingOfListed } from "./order-reading.ts";
import { TEN_YEARS } from "./stored-values.ts";
import { isSafeAddress } from "./windows.ts";

/** The payment page to open in its own window, and its order (null when the API does not name it). */
export type Checkout = { payUrl: string; orderId: string | null; amount: string; createdAt: string };

export function orderCalls(
  { post, postFull }: Requests,
  { clock, config }: Pick<ApiDependencies, "clock" | "config">,
) {
  const askForDetail = ({ orderId }: { orderId: string }, signal?: AbortSignal) =>
    post(paths.orderDetail, orderDetail, { order_id: orderId }, signal);

  const createOrder = async (
    { offer, network, key }: OrderRequest,
    signal?: AbortSignal,
    isRenewed = false,
  ): Promise<IssuedOrder> => {
    const asking = post(
      paths.createOrder,
      createdOrder,
      { pack_id: offer.id, product_id: offer.product_id, coin_type: coinTypes[network] },
      signal,
      { key },
    );
    const [{ order, payData }, paymentAddress] = await Promise.all([asking, learnAddresses()]);
    const address = paymentAddress(network, payData.address);
    // The user must never be told to send money to an invalid address, or an amount that no wallet can send.
    if (address === null || !isPayable(order.payment_amount)) throw new CallFailed({ kind: "unreadable" });
    const now = clock.now();
    // `created_at` is the time of this request, or of the first one with the same key.
    const deadline = deadlineOf(order.created_at, now, DAY) ?? now + PAYMENT_WINDOW;
    if (isExpired(order.created_at, now) && !isRenewed)
      return createOrder({ offer, network, key: keyAfter(key, order.order_id) }, signal, true);
    return {
      orderId: order.order_id,
      network,
      amount: order.payment_amount,
      address,
      deadline,
      ...(order.network_behind ? { networkBehind: true } : {}),
    };
  };

  /** Creates an order that is paid in a provider's window. Rejects when the API returns no URL, or an unsafe one. */
  const createCheckout = async (
    { offer, key }: { offer: Offer; key: string },
    signal?: AbortSignal,
    isRenewed = false,
  ): Promise<Checkout> => {
    const { data, message } = await postFull(
      paths.createOrder,
      v.optional(v.nullable(createdCheckout)),
      { pack_id: offer.id, product_id: offer.product_id, payment_method: "Stripe" },
      signal,
      { key },
    );
    const { sandbox } = await config();
    const { order, payUrl } = data ?? {};
    if (!payUrl) throw new CallFailed({ kind: "refused", code: Code.success, message });
    if (!isSafeAddress(payUrl, sandbox)) throw new CallFailed({ kind: "unreadable" });
    if (order && isExpired(order.created_at, clock.now()) && !isRenewed)
      return createCheckout({ offer, key: keyAfter(key, order.order_id) }, signal, true);
    return {
      payUrl,
      orderId: order?.order_id ?? null,
      amount: order?.payment_amount ?? offer.buy_price,
      createdAt: order?.created_at ?? "",
    };
  };

  return {
    createOrder,
    readOrder: async (about: { orderId: string }, signal?: AbortSignal): Promise<OrderReading> => {
      const detail = await askForDetail(about, signal);
      const deadline = deadlineOf(detail.created_at, clock.now(), TEN_YEARS);
      return { ...readingOf(detail), ...(deadline !== null && { deadline }) };
    },
    readIssued: async (about: { orderId: string }, signal?: AbortSignal): Promise<IssuedReading> => {
      const [detail, paymentAddress] = await Promise.all([askForDetail(about, signal), learnAddresses()]);
      return { ...readingOf(detail), issued: issuedOf(detail, paymentAddress, clock.now()) };
    },
    /**
     * The earlier payment to tell the user of before another: one of `orders`, or of the account's other devices. One
     * call, where the API has the list; else each of `orders` is read. Decisions, "Pay once".
     */
    findEarlier: async (
      { orders: keptOrders, accountName, ignoredIds, key }: EarlierWanted,
      signal?: AbortSignal,
    ): Promise<EarlierPayment | null> => {
      const orders = maybePaidOf(keptOrders, accountName, ignoredIds);
      const ids = orders.map(({ orderId }) => orderId);
      const entries = await post(
        paths.orderList,
        orderList,
        { state: "unsettled", order_ids: ids, idempotency_key: key },
        signal,
      ).then(({ orders: listed }) => listed, nothingListed);
      const kept = orders.map(async (order): Promise<OrderRead[]> => {
        const entry = entries.find(({ order_id }) => order_id === order.orderId);
        // The API lists a paid order until its detail was read. So it is read, and the user told of it.
        if (entry && !isConfirmed(entry)) return [{ order, reading: readingOfListed(entry) }];
        const detail = await askForDetail(order, signal).catch(nothingKnown);
        return detail ? [{ order, reading: readingOf(detail) }] : [];
      });
      const unknown = entries.filter(({ order_id }) => ![...ignoredIds, ...ids].includes(order_id));
      const paymentAddress = unknown.some(({ address }) => address) ? await learnAddresses() : () => null;
      const others = unknown
        .map((entry) => ({ entry, reading: readingOfListed(entry) }))
        // A card order is made when the form opens: until money has come for it, it is no payment.
        .filter(({ entry, reading }) => entry.payment_method !== "Razorpay" || isOver(reading))
        .map(({ entry, reading }): OrderRead => ({
          order: orderFrom(entry, accountName ?? "", clock.now(), paymentAddress),
          reading,
          isElsewhere: true,
        }));
      const earlier = earlierOf([...(await Promise.all(kept)).flat(), ...others]);
      // An order from another device is marked as told by reading its detail.
      if (earlier?.kind === "paid" && earlier.isElsewhere) void askForDetail(earlier.order).catch(() => null);
      return earlier;
    },
    /** A page of all orders of the account. Additive. */
    readOrders: async ({ cursor }: { cursor: string | null }, signal?: AbortSignal): Promise<OrderPage> => {
      const body = { state: "all", cursor };
      const { orders, next } = await post(paths.orderList, orderList, body, signal);
      return { orders: orders.map(pastOrderOf), next };
    },
    createCheckout,
  };
}

type PaymentAddress = (network: Network, address: string) => string | null;
/** Address checksums, loaded with the first address because no screen needs them before. */
async function learnAddresses(): Promise<PaymentAddress> {
  try {
    return (await import("../../contract/address.ts")).paymentAddress;
  } catch {
    throw await missingCode();
  }
}

/** Ms, longer than a page that is open keeps the key of an order. What was made before says nothing of ours. */
const LONGEST_KEPT = 30 * DAY;

/** Whether the time to pay an order is over: its answer was lost, and the user asks again only now. */
function isExpired(createdAt: string | null | undefined, now: number): boolean {
  const deadline = deadlineOf(createdAt, now, LONGEST_KEPT);
  return deadline !== null && deadline <= now;
}

/** The key of the order that takes an expired one's place. Made of its number, it is the same when it is asked for twice. */
const keyAfter = (key: string, orderId: string) => `${key}-${orderId}`;

/** Whether a wallet can send this amount of USDT. */
const isPayable = (amount: string) => Boolean(toUnits(amount, USDT_DECIMALS));

/** Statuses of an API that has the list, and cannot say it now. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** Another API knows no such list: its orders are read one by one. Without a network, or an account, there is nothing to read. */
function nothingListed(error: unknown): ListedOrder[] {
  const failed = error instanceof CallFailed ? error.error : null;
  const hasList = failed?.kind === "http" && PASSING.has(failed.status);
  if (hasList || ["network", "outdated", "signedOut"].includes(failed?.kind ?? "network")) throw error;
  return [];
}

/** Null for an order that the API does not know: no money is known for it. */
function nothingKnown(error: unknown): null {
  if (error instanceof CallFailed && error.error.kind === "refused") return null;
  throw error;
}

/** A listed order as this browser would have kept it: it was made in another one. */
function orderFrom(
  entry: ListedOrder,
  accountName: string,
  now: number,
  paymentAddress: PaymentAddress,
): KeptOrder {
  const network = networkOf(entry.coin_type);
  const address = network && paymentAddress(network, entry.address ?? "");
  const order = {
    orderId: entry.order_id,
    amount: entry.payment_amount,
    accountName,
    packName: entry.pack_name,
    productId: entry.product_id,
  };
  return network && address
    ? {
        ...order,
        network,
        address,
        packId: entry.pack_id,
        deadline: deadlineOf(entry.created_at, now, TEN_YEARS) ?? now,
      }
    : order;
}

/** What was issued for an order in USDT; null when the API does not repeat all of it, or when it cannot be paid. */
function issuedOf(detail: OrderDetail, paymentAddress: PaymentAddress, now: number): IssuedOrder | null {
  const { order_id: orderId, payment_amount: amount } = detail;
  const network = networkOf(detail.coin_type);
  const address = network && paymentAddress(network, detail.address ?? "");
  const deadline = deadlineOf(detail.created_at, now, TEN_YEARS);
  if (!network || !address || deadline === null || !isPayable(amount)) return null;
  return { orderId, network, amount, address, deadline };
}
