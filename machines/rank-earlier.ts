/** Ranks what the API says of an account's orders before another payment: which are asked about, and which one the user is told of. Pure functions that only the API's chunk loads. Decisions, "Pay once". */
import type { EarlierKind, EarlierPayment } from "./earlier-orders.ts";
import { isTransfer, paymentsOf, transfersOf, type KeptOrder } from "./kept-orders.ts";
import { isConfirmed, isFailed, isOver, missingFrom, type OrderReading } from "./order-status.ts";

/**
 * `orders` are all that this browser keeps, `ignoredIds` the ids of those that the user was told of. `key` is the
 * idempotency key of the payment to come, whose own order is left out; "" where it has none yet.
 */
export type EarlierWanted = {
  orders: readonly KeptOrder[];
  accountName: string | null;
  ignoredIds: readonly string[];
  key: string;
};

/** What the API says of an order. */
export type OrderRead = { order: KeptOrder; reading: OrderReading } & Pick<EarlierPayment, "isElsewhere">;

/** How many transfers and payments are checked before a new payment; more would keep the user waiting. */
const MOST_ASKED = 4;

/** The account's orders that may have been paid, latest first, without those the user was told of. */
export const maybePaidOf = (
  orders: readonly KeptOrder[],
  accountName: string | null,
  ignoredIds: readonly string[],
): readonly KeptOrder[] =>
  [
    ...paymentsOf(orders, accountName).slice(0, MOST_ASKED),
    ...transfersOf(orders, accountName).slice(0, MOST_ASKED),
  ].filter(({ orderId }) => !ignoredIds.includes(orderId));

function kindOf(order: KeptOrder, reading: OrderReading): EarlierKind | null {
  if (isConfirmed(reading)) return "paid";
  if (isFailed(reading)) return null;
  if (isOver(reading)) return "arrived";
  if (!isTransfer(order)) return order.reportedFailed ? "reported" : "open";
  return missingFrom(reading) === null ? null : "part";
}

/** Most certain payments first. */
const ranks: readonly EarlierKind[] = ["paid", "arrived", "part", "open", "reported"];

/** The order to tell the user about; null when none was paid or may still be. */
export function earlierOf(readOrders: readonly OrderRead[]): EarlierPayment | null {
  const found = readOrders.flatMap(({ reading, ...of }): EarlierPayment[] => {
    const kind = kindOf(of.order, reading);
    const { received } = reading;
    return kind === null ? [] : [{ kind, ...of, received, missing: missingFrom(reading) }];
  });
  const [first = null] = ranks.flatMap((rank) => found.filter(({ kind }) => kind === rank));
  return first;
}
