/** An order's status as the API reports it, and what it means for the payment: pure functions. Specification, section 4 ("Order/bill status"). */
import type { Network } from "./issued-order.ts";
import { isTransfer, type KeptOrder, type KeptTransfer } from "./kept-orders.ts";
import { hasArrived, missingOf, surplusOf } from "../src/contract/money.ts";

/** A transfer on the network. `confirmations` counts to `needed`, at which it is final. */
export type ChainTransfer = {
  transaction: string;
  confirmations: number;
  needed: number;
  /** The explorer's address of the transaction; null when unknown. */
  explorerUrl: string | null;
};

/** How an order is paid; in USDT where the API does not name the network. */
export type PaymentWay = Network | "USDT" | "card" | "Stripe";

/** `received` is the USDT seen so far. */
export type OrderReading = {
  status: number;
  amount: string;
  createdAt: string;
  /** Until when it is to be paid, in milliseconds since 1970 by the API's clock, where that is known. */
  deadline?: number;
  received: string | null;
  /** What is still asked for and what may be claimed back, where the API says so; null: nothing. Absent: it follows from `received`. */
  owed?: string | null | undefined;
  surplus?: string | null;
  /** The unit of `amount`, if the API names it. */
  unit?: "USDT" | "USD";
  /** Where it is to be sent, as the API says: the payment screen checks the address before it shows it. */
  network?: Network;
  address?: string;
  /** What the network shows of the payment, if the API tells. */
  transfers?: readonly ChainTransfer[];
  /** Whether a person has to check what arrived, because it came late or on another network. */
  held?: boolean;
  /** Whether the order's network is read late, so that a payment shows later than usual. */
  networkBehind?: boolean;
  /** Whether money came for a failed order, and was given back, kept for something else, or is contested. */
  returned?: boolean;
  /** For its receipt, as far as the API tells: what was bought, how it was paid and when, and by which transactions. */
  packName?: string;
  way?: PaymentWay;
  paidAt?: string;
  references?: readonly string[];
};

export const isConfirmed = ({ status }: Pick<OrderReading, "status">) => status === 1;
export const isFailed = ({ status }: Pick<OrderReading, "status">) => status === 9;

/** Settled, fully received and waiting for confirmations, or checked by a person: the user must not be asked to send money. */
export const isOver = (reading: OrderReading) =>
  isConfirmed(reading) || isFailed(reading) || reading.held === true || isCovered(reading);

/** What is known of an order's money. */
export type OrderMoney = Pick<OrderReading, "amount" | "received" | "owed">;

/** Whether something came, and nothing more is asked for. */
const isCovered = ({ amount, received, owed }: OrderMoney) =>
  owed === undefined ? hasArrived(amount, received) : owed === null && hasArrived("0", received);

/** What is left to send after a partial payment: the API's word, or else what follows from the amounts. Null before any payment. */
export const missingFrom = ({ amount, received, owed }: OrderMoney): string | null => {
  if (owed === undefined) return missingOf(amount, received);
  return hasArrived("0", received) ? owed : null;
};

/** What came beyond the amount and was not given back: the API's word, or else what follows from the amounts. */
export const surplusFrom = ({ amount, received, surplus }: OrderReading): string | null =>
  surplus === undefined ? surplusOf(amount, received) : surplus;

/** Where an order is paid: what the payment screen's address is made of. */
export type Payable = { orderId: string; network: Network; address: string; amount: string };

/**
 * Where an order is paid, by what this browser kept of it, or else by what the API says. Null where it is paid at a
 * provider's, or the API does not say.
 */
export function payableOf(
  orderId: string,
  { network, address, amount }: OrderReading,
  kept: KeptOrder | null,
): (Payable & Partial<KeptTransfer>) | null {
  if (kept) return isTransfer(kept) ? kept : null;
  return network && address ? { orderId, network, address, amount } : null;
}

/** The API's final status of an order: it is no longer pending. `inBackground`: no screen says so. */
export type OrderSettled = { type: "order.settled"; orderId: string; isPaid: boolean; inBackground?: true };

/**
 * Go to the bill. `status` is a hint in the URL; `isLast`: replace this screen, because there is nothing to come
 * back to.
 */
export type BillOpened = {
  type: "bill.opened";
  orderId: string;
  status: number;
  amount: string;
  createdAt: string;
  isLast: boolean;
};

/** The event that opens the bill of an order that was read. */
export const billOpened = (orderId: string, reading: OrderReading): BillOpened => ({
  type: "bill.opened",
  orderId,
  status: reading.status,
  amount: reading.amount,
  createdAt: reading.createdAt,
  isLast: isOver(reading),
});
