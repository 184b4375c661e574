/** An earlier payment that comes before another one, and the one that this browser knows of without the API: pure functions. Decisions, "Pay once". */
import {
  isTransfer,
  openPaymentOf,
  type KeptOrder,
  type KeptPayment,
  type KeptTransfer,
  type PaidOrder,
} from "./kept-orders.ts";

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
  /** This browser does not keep it: it was made elsewhere, or is left behind. */
  isElsewhere?: true;
};

/** A port's rejection when it found an earlier payment. No request was sent to the provider. */
export class EarlierFound extends Error {
  readonly earlier: EarlierPayment;
  constructor(earlier: EarlierPayment) {
    super(earlier.kind);
    this.earlier = earlier;
  }
}

/** A partly received transfer, which is completed on its payment screen; null for any other payment, whose bill is shown. */
export const topUpOf = ({ kind, order }: EarlierPayment): KeptTransfer | null =>
  kind === "part" && isTransfer(order) ? order : null;

const storedPayment = (order: KeptPayment, kind: EarlierKind): EarlierPayment => ({
  kind,
  order,
  received: null,
  missing: null,
});

/**
 * The account's payment that the user is told of before the next one, as far as this browser knows. Synchronous, to be
 * called within a tap. `ignoredIds` are the ids of those that the user was told of; a payment begun in this `visit` is
 * the same payment.
 */
export function storedEarlier({
  orders,
  paid,
  accountName,
  ignoredIds,
  visit,
}: {
  orders: readonly KeptOrder[];
  paid: readonly PaidOrder[];
  accountName: string | null;
  ignoredIds: readonly string[];
  visit: string | null;
}): EarlierPayment | null {
  const isOther = (order: KeptPayment | KeptOrder) =>
    !ignoredIds.includes(order.orderId) && !("visit" in order && order.visit === visit);
  const open = openPaymentOf(orders.filter(isOther), accountName);
  if (open) return storedPayment(open, "open");
  const done = paid.find((order) => order.accountName === accountName && isOther(order));
  return done ? storedPayment(done, "paid") : null;
}
