/** The orders that a browser keeps until the API settles them, and how they are told apart: plain arithmetic, for whoever reads them before the charts are there too. Decisions, "Closing and payment". */
import type { IssuedOrder } from "./purchase.ts";

/**
 * What somebody else's window was told to take: `amount` is USD. `accountName` keeps one person's orders out of another's
 * sight; `packName` is of the language of its day. Earlier builds noted no `productId`.
 */
export type KeptPayment = {
  orderId: string;
  amount: string;
  accountName: string;
  packName: string;
  productId?: string;
};

/** What is to be sent in USDT; the ids rebuild the payment's address. */
export type KeptTransfer = IssuedOrder & KeptPayment & { packId: string; productId: string };

export type KeptOrder = KeptTransfer | KeptPayment;

export const isTransfer = (order: KeptOrder): order is KeptTransfer => "address" in order;

/** An account's order of this number; null where this browser keeps none. */
export const keptOf = (
  orders: readonly KeptOrder[],
  accountName: string | null,
  orderId: string,
): KeptOrder | null =>
  orders.find((order) => order.accountName === accountName && order.orderId === orderId) ?? null;

/** An account's latest payment in somebody else's window that nobody has said the end of; undefined where there is none. */
export const openPaymentOf = (
  orders: readonly KeptOrder[],
  accountName: string | null,
): KeptPayment | undefined => orders.find((order) => order.accountName === accountName && !isTransfer(order));

/**
 * What an account may go on with: its latest transfer and its latest payment, for neither stands in the way to the other;
 * and its earlier transfers, for money may be on its way to any of them.
 */
export function openOf(
  orders: readonly KeptOrder[],
  accountName: string | null,
): { latest: readonly KeptOrder[]; earlier: readonly KeptTransfer[] } {
  const [transfer, ...earlier] = orders
    .filter(isTransfer)
    .filter((order) => order.accountName === accountName);
  const latest = [transfer, openPaymentOf(orders, accountName)].filter((order) => order !== undefined);
  return { latest, earlier };
}
