/** Hands a card to the sandbox's provider as its script does, on a network of the test's choice. */
import { cardholderOf, type Card } from "../../machines/card-fields.ts";
import { CardError } from "../../machines/card-error.ts";
import type { CardOrder, CardProof } from "../../machines/card-result.ts";

type Outcome = {
  id?: string;
  status?: string;
  response?: { razorpay_payment_id: string; razorpay_order_id: string; razorpay_signature: string };
  error?: { description?: string };
};

/**
 * @param atBank hears of a payment whose bank asks; its page is closed without an answer
 * @returns the proof; rejects with `CardError`, its outcome `unknown` where the answer did not come or cannot be read
 */
export async function charge(
  send: (path: string, request: RequestInit) => Promise<Response>,
  order: CardOrder,
  key: string,
  card: Card,
  atBank: (paymentId: string) => void,
): Promise<CardProof> {
  const body = JSON.stringify({
    key,
    order_id: order.reference,
    amount: order.amount.replace(".", ""),
    currency: "USD",
    method: "card",
    "card[name]": cardholderOf(card),
    "card[number]": card.card_number.replaceAll(" ", ""),
    "card[cvv]": card.cvv,
    "card[expiry_month]": card.expiry.slice(0, 2),
    "card[expiry_year]": card.expiry.slice(-2),
  });
  const headers = { "Content-Type": "application/json" };
  const read = async (): Promise<Outcome> => {
    const answer = await send("/sandbox/card/payments", { method: "POST", headers, body });
    return (await answer.json()) as Outcome;
  };
  const { id, status, response, error } = await read().catch((): Outcome => ({}));
  if (status === "captured" && response) {
    const { razorpay_payment_id: paymentId, razorpay_order_id: reference, razorpay_signature } = response;
    return { paymentId, reference, signature: razorpay_signature };
  }
  if (status === "open" && id !== undefined) atBank(id);
  const { description } = error ?? {};
  if (typeof description !== "string")
    throw new CardError({ outcome: "unknown", description: "", field: null });
  throw new CardError({ outcome: "failed", description, field: null });
}
