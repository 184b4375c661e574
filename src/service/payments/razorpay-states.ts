/** What the states of Razorpay's payments and disputes mean for us. */
import type { Reversal } from "./provider.ts";
import type { ReportedReversal } from "./webhook-events.ts";

/** Whether a payment's money was taken; of one that went back, the refund is counted as well. */
export const isTaken = (payment: Record<string, unknown>): boolean =>
  payment["status"] === "captured" || (payment["status"] === "refunded" && !isReleased(payment));

/** Whether a payment failed, or went back without having been captured: refunded is then the provider's word for it, too. */
export const isReleased = ({ status, captured }: Record<string, unknown>): boolean =>
  status === "failed" || (status === "refunded" && captured === false);

/** The phases of a dispute before a chargeback: the bank asks, and takes nothing. https://razorpay.com/docs/payments/disputes */
const INQUIRIES: ReadonlySet<unknown> = new Set(["fraud", "retrieval"]);

/** The state of a dispute: an inquiry while it is open and nothing was deducted for it. */
export const disputeState = (
  state: Reversal["state"],
  { phase, amount_deducted: deducted }: Record<string, unknown>,
): ReportedReversal["state"] =>
  state === "open" && INQUIRIES.has(phase) && !(typeof deducted === "number" && deducted > 0)
    ? "inquiry"
    : state;
