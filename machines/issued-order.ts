/** An issued order's data and the time left to pay it: pure functions, also used by the bootstrap script before the chart has loaded. Decisions, "Payment details in a URL are not believed" and "Countdown". */
import { PAYMENT_WINDOW, SECOND } from "../src/contract/durations.ts";
import { sameAmount } from "../src/contract/money.ts";

export type Network = "TRC20" | "ERC20";

/**
 * What the API issued: pay `amount` USDT to `address` on `network` until `deadline` (milliseconds since 1970 by the
 * API's clock). `networkBehind`: payments on that network showed late when the order was made.
 */
export type IssuedOrder = {
  orderId: string;
  network: Network;
  amount: string;
  address: string;
  deadline: number;
  networkBehind?: true;
};

export const COUNTDOWN_SECONDS = PAYMENT_WINDOW / SECOND;

/** The order as the URL states it. It is shown only once it is known to match what the API issued. */
export type ClaimedOrder = {
  orderId: string;
  /** Null for an unknown network. */
  network: Network | null;
  amount: string;
  address: string;
};

/** Whether the URL matches what the API issued. */
export const isSameOrder = (claimed: ClaimedOrder, issued: IssuedOrder) =>
  claimed.orderId === issued.orderId &&
  claimed.network === issued.network &&
  claimed.address === issued.address &&
  sameAmount(claimed.amount, issued.amount);

/**
 * Whole seconds left, from 0 (expired) to thirty minutes, which also stand for an unknown deadline or time.
 * @param now milliseconds since 1970; null until the clock was first read
 */
export function secondsLeft({ issued, now }: { issued: IssuedOrder | null; now: number | null }): number {
  if (!issued || now === null) return COUNTDOWN_SECONDS;
  return Math.min(COUNTDOWN_SECONDS, Math.max(0, Math.ceil((issued.deadline - now) / 1000)));
}
