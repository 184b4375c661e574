/** The orders that this browser stores until the API settles them: pure functions that read the list, also used before the charts have loaded. Decisions, "Closing and payment" and "Pay once". */
import type { IssuedOrder } from "./issued-order.ts";

/**
 * A payment handed to a provider; `amount` is USD. `accountName` hides it from other accounts; `packName` is in the
 * language of that day. Earlier builds stored no `productId`.
 */
export type KeptPayment = {
  orderId: string;
  amount: string;
  accountName: string;
  packName: string;
  productId?: string;
  /** The provider's payment page. */
  payUrl?: string;
  /** The nonce of the card screen's visit that submitted the card. */
  visit?: string;
  /** The provider's script reported a failure. The API has not, so the payment may still go through. */
  reportedFailed?: true;
  /** Its owner wants no reminder of it. It may still go through, so they are told of it before they pay for another. */
  putAway?: true;
};

/** A transfer in USDT; the ids rebuild the payment screen's URL. */
export type KeptTransfer = IssuedOrder & {
  accountName: string;
  packName: string;
  packId: string;
  productId: string;
  /** Another order is paid in its place: it is listed, but its owner is not reminded of it. */
  superseded?: true;
};

export type KeptOrder = KeptTransfer | KeptPayment;

/** An order that the API called paid. Other tabs check this list before they ask for money. */
export type PaidOrder = Pick<KeptPayment, "orderId" | "amount" | "accountName" | "packName">;

export const isTransfer = (order: KeptOrder): order is KeptTransfer => "address" in order;

/** The account's stored order with this id, or null. */
export const keptOf = (
  orders: readonly KeptOrder[],
  accountName: string | null,
  orderId: string,
): KeptOrder | null =>
  orders.find((order) => order.accountName === accountName && order.orderId === orderId) ?? null;

/** Whether the user was told that it failed, which only the API can say. */
export const wasReported = (order: KeptOrder | null): order is KeptPayment =>
  order !== null && !isTransfer(order) && order.reportedFailed === true;

export const paymentsOf = (
  orders: readonly KeptOrder[],
  accountName: string | null,
): readonly KeptPayment[] =>
  orders.filter((order) => order.accountName === accountName && !isTransfer(order));

export const transfersOf = (
  orders: readonly KeptOrder[],
  accountName: string | null,
): readonly KeptTransfer[] => orders.filter(isTransfer).filter((order) => order.accountName === accountName);

/** The account's latest payment whose result is unknown and was not reported; undefined if there is none. */
export const openPaymentOf = (
  orders: readonly KeptOrder[],
  accountName: string | null,
): KeptPayment | undefined =>
  paymentsOf(orders, accountName).find(({ reportedFailed }) => reportedFailed !== true);

/** The order to remind the account of: its latest one that is not reported failed, put away or superseded; or null. */
export const unfinishedOf = (orders: readonly KeptOrder[], accountName: string | null): KeptOrder | null =>
  orders.find(
    (order) =>
      order.accountName === accountName &&
      (isTransfer(order) ? order.superseded : (order.reportedFailed ?? order.putAway)) !== true,
  ) ?? null;

/**
 * The transfers that the paid order supersedes: those of its account for the same package, and those made before it.
 * `orders` are the latest first.
 */
export function supersededBy(orders: readonly KeptOrder[], paid: KeptOrder): readonly KeptTransfer[] {
  const at = orders.indexOf(paid);
  const superseded = orders.filter(
    ({ productId }, place) => place > at || (place < at && productId === paid.productId),
  );
  return transfersOf(superseded, paid.accountName);
}

/** The limit for transfers, for payments, and for those seen paid. The API keeps all of them. */
const MOST_KEPT = 10;

/** The orders that are one too many, latest first: they are kept no longer. */
export const beyondLimit = (orders: readonly KeptOrder[]): readonly KeptOrder[] => [
  ...orders.filter(isTransfer).slice(MOST_KEPT),
  ...orders.filter((order) => !isTransfer(order)).slice(MOST_KEPT),
];

/** The same for those seen paid. */
export const paidBeyondLimit = (paid: readonly PaidOrder[]): readonly PaidOrder[] => paid.slice(MOST_KEPT);

/** Whether the order is for the selected package: another tab may have selected another one. Earlier builds stored names alone. */
export const isForSelected = (
  order: KeptOrder | null,
  selected: { product_id: string; name: string } | null,
): boolean =>
  order?.productId ? order.productId === selected?.product_id : order?.packName === selected?.name;

/** The part of an order that is kept once it is paid. */
export const paidOf = ({ orderId, amount, accountName, packName }: KeptOrder): PaidOrder => ({
  orderId,
  amount,
  accountName,
  packName,
});
