/** The card provider's browser script, used by its documented API. Specification, section 7 ("Card provider script"). */
import * as v from "valibot";
import { CardError, type CardErrorDetails } from "../../../machines/card-error.ts";
import type { CardOrder, CardProof } from "../../../machines/card-result.ts";
import { cardholderOf, readExpiry, type Card, type CardField } from "../../../machines/card-fields.ts";
import { CallFailed } from "../../../machines/call-error.ts";
import { toUnits, USD_DECIMALS } from "../../contract/money.ts";

/** The script's global. */
type Provider = new (options: { key: string }) => {
  createPayment: (payment: Record<string, string | number>) => void;
  on: (event: "payment.success" | "payment.error", heard: (answer: unknown) => void) => void;
};

const success = v.looseObject({
  razorpay_payment_id: v.string(),
  razorpay_order_id: v.string(),
  razorpay_signature: v.string(),
});
const errorEvent = v.looseObject({
  error: v.looseObject({
    code: v.fallback(v.string(), ""),
    description: v.fallback(v.string(), ""),
    reason: v.fallback(v.string(), ""),
    field: v.fallback(v.nullable(v.string()), null),
  }),
});

/** Maps the provider's field names to the form's. */
function fieldOf(name: string | null): CardField | null {
  if (name === null) return null;
  if (/number/.test(name)) return "card_number";
  if (/expiry/.test(name)) return "expiry";
  if (/cvv/.test(name)) return "cvv";
  return /name/.test(name) ? "cardholder" : null;
}

/** A server or gateway error says nothing about the money, nor does one without a description. Specification, section 4. */
function outcomeOf(error: {
  code: string;
  description: string;
  reason: string;
}): CardErrorDetails["outcome"] {
  const { code, description, reason } = error;
  if (/cancelled/i.test(description) || reason === "payment_cancelled") return "cancelled";
  return description === "" || /^(server|gateway)_error$/i.test(code) ? "unknown" : "failed";
}

/**
 * Hands the card to the provider. Must run within the tap, or the provider's window is blocked. @returns the
 * provider's proof of the payment, null when it is unreadable; rejects with `CardError`
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
      const read = v.safeParse(errorEvent, answer);
      const error = read.success ? read.output.error : { code: "", description: "", reason: "", field: null };
      const { description, field } = error;
      reject(new CardError({ outcome: outcomeOf(error), description, field: fieldOf(field) }));
    });
    payment.createPayment({
      amount: Number(cents),
      currency: "USD",
      order_id: order.reference,
      method: "card",
      "card[name]": cardholderOf(card),
      "card[number]": card.card_number.replaceAll(" ", ""),
      "card[cvv]": card.cvv,
      "card[expiry_month]": String(expiry.month).padStart(2, "0"),
      "card[expiry_year]": String(expiry.year % 100).padStart(2, "0"),
    });
  });
}
