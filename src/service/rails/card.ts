/** The card provider's side of an order: its number there, the signature the browser brings back, and the provider's own notices. */
import * as v from "valibot";
import type { Database } from "../store/open.ts";
import { isSigned, once, sign, takePayment, UNITS_PER_CENT } from "./provider.ts";

/** The shop's account with the provider. */
export interface CardAccount {
  /** Public: the browser's script is opened with it. */
  keyId: string;
  keySecret: string;
  webhookSecret: string;
  /** The provider's number for a new order. */
  newReference(): string;
}

const identifier = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));

const notice = v.looseObject({ event: v.string() });
/** Of `payment.captured` and `order.paid` alike. `amount` is in cents. */
const captured = v.looseObject({
  payload: v.looseObject({
    payment: v.looseObject({
      entity: v.looseObject({
        id: identifier,
        order_id: identifier,
        amount: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
        currency: v.literal("USD"),
      }),
    }),
  }),
});

/** What the provider signs for the browser when a payment succeeded. */
export const receiptOf = (reference: string, paymentId: string) => `${reference}|${paymentId}`;

export const signReceipt = (account: CardAccount, reference: string, paymentId: string) =>
  sign(receiptOf(reference, paymentId), account.keySecret);

/**
 * Whether the provider itself says that the payment paid the order.
 * @param reference the one that was stored with the order, never the one that the browser sends
 */
export function isReceipt(
  account: CardAccount,
  reference: string,
  paymentId: string,
  signature: string,
): boolean {
  return (
    v.is(identifier, paymentId) && isSigned(receiptOf(reference, paymentId), signature, account.keySecret)
  );
}

/**
 * Hears a notice of the provider. They come more than once and in any order; what is not about money that was taken
 * changes nothing, for a payment that failed may still be followed by one that does not.
 * @param raw the body as it came, byte for byte
 * @throws OrderUnknown
 * @returns false when it is not the provider's
 */
export async function hearCard(
  db: Database,
  account: CardAccount,
  { raw, signature, eventId }: { raw: string; signature: string; eventId: string },
  now: number,
): Promise<boolean> {
  if (!isSigned(raw, signature, account.webhookSecret)) return false;
  if (!v.is(identifier, eventId)) return false;
  const body: unknown = JSON.parse(raw);
  if (!v.is(notice, body) || !["payment.captured", "order.paid"].includes(body.event)) return true;
  const { payload } = v.parse(captured, body);
  const { id: paymentId, order_id: reference, amount } = payload.payment.entity;
  await once(db, "card", eventId, now, (tx) =>
    takePayment(tx, { rail: "card", reference, paymentId, amount: BigInt(amount) * UNITS_PER_CENT }, now),
  );
  return true;
}
