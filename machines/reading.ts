/** The API's word on an order, and what it says of the money: plain arithmetic. Specification, section 4 ("Order/bill status"). */
import { hasArrived } from "./money.ts";

/** `received` is USDT seen so far. */
export type OrderReading = {
  status: number;
  amount: string;
  createdAt: string;
  received: string | null;
  /** What `amount` is counted in, where the API says. */
  unit?: "USDT" | "USD";
};

export const isConfirmed = ({ status }: OrderReading) => status === 1;
export const isFailed = ({ status }: OrderReading) => status === 9;

/** Settled, or only waiting for the network to confirm what has come: nobody is shown where to send money for it. */
export const isOver = (reading: OrderReading) =>
  isConfirmed(reading) || isFailed(reading) || hasArrived(reading.amount, reading.received);
