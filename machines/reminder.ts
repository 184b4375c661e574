/** Which pending orders the account is reminded of, what the reminder says, and where it leads: pure functions, in a file of their own because the first load does without them. Decisions, "Closing and payment". */
import { isTransfer, paymentsOf, transfersOf, type KeptOrder, type KeptTransfer } from "./kept-orders.ts";
import type { Standing } from "./pending-orders.ts";

/**
 * The account's orders that can be continued: its latest payment, and all its transfers, because money may be on its
 * way to any of them. One that is superseded is never the latest.
 */
export function openOf(
  orders: readonly KeptOrder[],
  accountName: string | null,
): { latest: readonly KeptOrder[]; earlier: readonly KeptTransfer[] } {
  const transfers = transfersOf(orders, accountName);
  const transfer = transfers.find(({ superseded }) => superseded !== true);
  const payment = paymentsOf(orders, accountName).find(({ putAway }) => putAway !== true);
  return {
    latest: [transfer, payment].filter((order) => order !== undefined),
    earlier: transfers.filter((each) => each !== transfer),
  };
}

export type ReminderMessage = "part" | "arrived" | "gone" | "unsent" | "reported" | "unknown";

export function reminderMessage(order: KeptOrder, standing: Standing): ReminderMessage {
  if (standing !== null && standing !== "none") return standing;
  if (isTransfer(order)) return "unsent";
  return order.reportedFailed === true ? "reported" : "unknown";
}

/**
 * Whether its reminder leads to the payment screen, where money is asked for. One that is gone or paid leads to its bill,
 * and so does one that is late, unless the API has said what is missing: the bill asks the API first.
 */
export function canContinue(order: KeptOrder, standing: Standing, late: boolean): order is KeptTransfer {
  return isTransfer(order) && (late ? standing === "part" : standing !== "gone" && standing !== "arrived");
}
