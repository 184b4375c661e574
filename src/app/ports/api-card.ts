/** The API's calls of a card payment: the order, the provider's key, the proof of the payment. */
import type { CardOrder, CardProof } from "../../../machines/card-result.ts";
import type { Offer } from "../../../machines/catalogue.ts";
import { cardKey, createdCardOrder, orderDetail, paths } from "../../contract/calls.ts";
import type { Requests } from "./api-request.ts";
import { readingOf } from "./order-reading.ts";

export const cardCalls = ({ post, getBare }: Requests) => ({
  createCardOrder: async (
    { offer, key }: { offer: Offer; key: string },
    signal?: AbortSignal,
  ): Promise<CardOrder> => {
    const body = { pack_id: offer.id, product_id: offer.product_id, payment_method: "razorpay" };
    const { order } = await post(paths.createCardOrder, createdCardOrder, body, signal, { key });
    return { orderId: order.order_id, amount: order.payment_amount, reference: order.third_reference_id };
  },
  readCardKey: async (signal?: AbortSignal) => (await getBare(paths.cardKey, cardKey, signal)).key,
  verifyCard: async ({ orderId, proof }: { orderId: string; proof: CardProof }, signal?: AbortSignal) => {
    const body = {
      order_id: orderId,
      razorpay_order_id: proof.reference,
      razorpay_payment_id: proof.paymentId,
      razorpay_signature: proof.signature,
    };
    return readingOf(await post(paths.verifyCard, orderDetail, body, signal));
  },
});
