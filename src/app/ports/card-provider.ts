/** The card provider's browser script, by its documented surface. Specification, section 7 ("Card provider script"). */
import * as v from "valibot";
import { CardRefused } from "../../../machines/card-refusal.ts";
import type { CardOrder, CardProof } from "../../../machines/card-setup.ts";
import { readExpiry, type Card, type CardField } from "../../../machines/card-fields.ts";
import { CallFailed } from "../../../machines/failure.ts";
import { toUnits, USD_DECIMALS } from "../../../machines/money.ts";

/** What the script puts on the window. */
type Provider = new (options: { key: string }) => {
  createPayment: (payment: Record<string, string | number>) => void;
  on: (event: "payment.success" | "payment.error", heard: (answer: unknown) => void) => void;
};

const success = v.looseObject({
  razorpay_payment_id: v.string(),
  razorpay_order_id: v.string(),
  razorpay_signature: v.string(),
});
const refusal = v.looseObject({
  error: v.looseObject({
    code: v.fallback(v.string(), ""),
    description: v.fallback(v.string(), ""),
    reason: v.fallback(v.string(), ""),
    field: v.fallback(v.nullable(v.string()), null),
  }),
});

/** The provider's names of the fields, as the form has them. */
function fieldOf(name: string | null): CardField | null {
  if (name === null) return null;
  if (/number/.test(name)) return "card_number";
  if (/expiry/.test(name)) return "expiry";
  if (/cvv/.test(name)) return "cvv";
  return /name/.test(name) ? "cardholder" : null;
}

/**
 * Hands the card to the provider. Must run within the tap, or the provider's window is blocked.
 * @returns what the provider says of the payment, null where that cannot be read; rejects with `CardRefused`
 */
export function payByCard(order: CardOrder, key: string, card: Card): Promise<CardProof | null> {
  const { Razorpay } = window as unknown as { Razorpay?: Provider };
  const expiry = readExpiry(card.expiry);
  const cents = toUnits(order.amount, USD_DECIMALS);
  if (!Razorpay || !expiry || cents === null) return Promise.reject(new CallFailed({ kind: "unreadable" }));
  return new Promise((resolve, reject) => {
    const payment = new Razorpay({ key });
    payment.on("payment.success", (answer) => {
      const read = v.safeParse(success, answer);
      resolve(
        read.success
          ? {
              paymentId: read.output.razorpay_payment_id,
              reference: read.output.razorpay_order_id,
              signature: read.output.razorpay_signature,
            }
          : null,
      );
    });
    payment.on("payment.error", (answer) => {
      const read = v.safeParse(refusal, answer);
      const { field, ...said } = read.success
        ? read.output.error
        : { code: "", description: "", reason: "", field: null };
      reject(new CardRefused({ ...said, field: fieldOf(field) }));
    });
    payment.createPayment({
      amount: Number(cents),
      currency: "USD",
      order_id: order.reference,
      method: "card",
      "card[name]": card.cardholder.trim(),
      "card[number]": card.card_number.replaceAll(" ", ""),
      "card[cvv]": card.cvv,
      "card[expiry_month]": String(expiry.month).padStart(2, "0"),
      "card[expiry_year]": String(expiry.year % 100).padStart(2, "0"),
    });
  });
}
