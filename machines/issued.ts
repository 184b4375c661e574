/** What an order was issued with, and how long that holds: plain arithmetic, for whoever shows it before the chart is there too. Decisions, "Payment details in a URL are not believed" and "Countdown". */
import { sameAmount } from "./money.ts";
import type { IssuedOrder, Network } from "./purchase.ts";

export const COUNTDOWN_SECONDS = 30 * 60;

/** What the address bar says. Nothing of it is shown until it is known to be what the API issued. */
export type ClaimedOrder = {
  orderId: string;
  /** Null for one that nobody knows. */
  network: Network | null;
  amount: string;
  address: string;
};

/** Whether the address bar says what the API issued. */
export const isSameOrder = (claimed: ClaimedOrder, issued: IssuedOrder) =>
  claimed.orderId === issued.orderId &&
  claimed.network === issued.network &&
  claimed.address === issued.address &&
  sameAmount(claimed.amount, issued.amount);

/**
 * Whole seconds left, between 0 (run out) and thirty minutes.
 * @param now milliseconds since 1970; null until the clock was first read
 */
export function secondsLeft({ issued, now }: { issued: IssuedOrder | null; now: number | null }): number {
  if (!issued || now === null) return COUNTDOWN_SECONDS;
  return Math.min(COUNTDOWN_SECONDS, Math.max(0, Math.ceil((issued.deadline - now) / 1000)));
}
