/** An order's status as the API reports it, and what it means for the payment: pure functions. Specification, section 4 ("Order/bill status"). */
import { hasArrived } from "./money.ts";

/** A transfer on the network. `confirmations` counts to `needed`, at which it is final. */
export type ChainTransfer = {
  transaction: string;
  confirmations: number;
  needed: number;
  /** Where people can look it up; null: nowhere known. */
  explorerUrl: string | null;
};

/** `received` is the USDT seen so far. */
export type OrderReading = {
  status: number;
  amount: string;
  createdAt: string;
  received: string | null;
  /** The unit of `amount`, if the API names it. */
  unit?: "USDT" | "USD";
  /** What the network shows of the payment, if the API tells. */
  transfers?: readonly ChainTransfer[];
  /** Whether a person has to check what arrived, because it came late or on another network. */
  held?: boolean;
  /** Whether a failed order had been paid, and the money was given back or is contested. */
  returned?: boolean;
};

export const isConfirmed = ({ status }: OrderReading) => status === 1;
export const isFailed = ({ status }: OrderReading) => status === 9;

/** Settled, fully received and waiting for confirmations, or checked by a person: the user must not be asked to send money. */
export const isOver = (reading: OrderReading) =>
  isConfirmed(reading) ||
  isFailed(reading) ||
  reading.held === true ||
  hasArrived(reading.amount, reading.received);

/**
 * Go to the bill. `status` is a hint in the URL; `isLast`: replace this screen, because there is nothing to come
 * back to.
 */
export type BillAsked = {
  type: "bill.asked";
  orderId: string;
  status: number;
  amount: string;
  createdAt: string;
  isLast: boolean;
};

/** The event that opens the bill of an order that was read. */
export const billAsked = (orderId: string, reading: OrderReading): BillAsked => ({
  type: "bill.asked",
  orderId,
  status: reading.status,
  amount: reading.amount,
  createdAt: reading.createdAt,
  isLast: isOver(reading),
});
