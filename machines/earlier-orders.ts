/** Which earlier payment is told of before another one begins, and why: pure functions, without the chart that tells of it. Decisions, "Pay once". */
import {
  isTransfer,
  openPaymentOf,
  type KeptOrder,
  type KeptPayment,
  type KeptTransfer,
  type PaidOrder,
} from "./kept-orders.ts";
import { isConfirmed, isFailed, isOver, missingFrom, type OrderReading } from "./order-status.ts";

/**
 * `paid`: the API confirmed it. `arrived`: fully received, waiting for network confirmations. `part`: partly
 * received. `open`: at a provider, result unknown. `reported`: the same, but the provider's script called it failed.
 */
export type EarlierKind = "paid" | "arrived" | "part" | "open" | "reported";

/** `received` is the USDT seen so far, `missing` what is left to send; null where they do not apply. */
export type EarlierPayment = {
  kind: EarlierKind;
  order: KeptOrder;
  received: string | null;
  missing: string | null;
};

/** A port's rejection when it found an earlier payment. No request was sent to the provider. */
export class EarlierFound extends Error {
  readonly earlier: EarlierPayment;
  constructor(earlier: EarlierPayment) {
    super(earlier.kind);
    this.earlier = earlier;
  }
}

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
export function earlierOf(
  asked: readonly { order: KeptOrder; reading: OrderReading }[],
): EarlierPayment | null {
  const found = asked.flatMap(({ order, reading }): EarlierPayment[] => {
    const kind = kindOf(order, reading);
    const { received } = reading;
    return kind === null ? [] : [{ kind, order, received, missing: missingFrom(reading) }];
  });
  const [first = null] = ranks.flatMap((rank) => found.filter(({ kind }) => kind === rank));
  return first;
}

/** The transfer of which a part has arrived: it is topped up on its payment screen. Any other payment has its bill to show: null. */
export const topUpOf = ({ kind, order }: EarlierPayment): KeptTransfer | null =>
  kind === "part" && isTransfer(order) ? order : null;

const storedPayment = (order: KeptPayment, kind: EarlierKind): EarlierPayment => ({
  kind,
  order,
  received: null,
  missing: null,
});

/**
 * The account's payment that stands in the way of the next one, as far as this browser knows: at once, within a tap.
 * `known` are the ids of those that the user was told of; what began in this `visit` is the same payment.
 */
export function storedEarlier({
  orders,
  paid,
  accountName,
  known,
  visit,
}: {
  orders: readonly KeptOrder[];
  paid: readonly PaidOrder[];
  accountName: string | null;
  known: readonly string[];
  visit: string | null;
}): EarlierPayment | null {
  const isOther = (order: KeptPayment | KeptOrder) =>
    !known.includes(order.orderId) && !("visit" in order && order.visit === visit);
  const open = openPaymentOf(orders.filter(isOther), accountName);
  if (open) return storedPayment(open, "open");
  const done = paid.find((order) => order.accountName === accountName && isOther(order));
  return done ? storedPayment(done, "paid") : null;
}
