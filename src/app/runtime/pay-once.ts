/** Looks for earlier payments, in storage and at the API, before money is asked for again. Decisions, "Pay once". */
import type { CardCharge } from "../../../machines/card-setup.ts";
import { CallFailed } from "../../../machines/call-error.ts";
import { storedEarlier, type EarlierPayment } from "../../../machines/earlier-orders.ts";
import type { Api } from "../ports/api.ts";
import type { OrderStore } from "../ports/order-store.ts";

export type PayOnce = ReturnType<typeof createPayOnce>;

export function createPayOnce({
  orderStore: { orders, paid, keep },
  api,
  userName,
  isCurrent,
}: {
  orderStore: OrderStore;
  api: Pick<Api, "findEarlier">;
  /** The account that is signed in. */
  userName: () => string | null;
  isCurrent: () => boolean;
}) {
  return {
    paidOrders: (): readonly string[] =>
      paid().flatMap(({ accountName, orderId }) => (accountName === userName() ? [orderId] : [])),

    /**
     * Asks the API about the account's payments, here and on its other devices.
     * @param key the idempotency key of the payment to come
     * @returns the one to tell the person of, null where there is none; rejects with `CallFailed`
     */
    findEarlier: (
      { ignoredIds, key = "" }: { ignoredIds: readonly string[]; key?: string },
      signal?: AbortSignal,
    ): Promise<EarlierPayment | null> =>
      api.findEarlier({ orders: orders(), accountName: userName(), ignoredIds, key }, signal),

    /** A payment at a provider whose result is not known, as far as this browser knows: at once, within a tap. */
    findOpen: (ignoredIds: readonly string[]): EarlierPayment | null =>
      storedEarlier({ orders: orders(), paid: [], accountName: userName(), ignoredIds, visit: null }),

    /**
     * Notes that a card is handed to the provider, unless another tab has begun a payment, or seen one paid, since this
     * visit began. All within the tap, for the provider must be called in it.
     * @returns the other payment; null where the card may go
     */
    claim: ({ order, offer, visit, ignoredIds }: Omit<CardCharge, "key" | "card">): EarlierPayment | null => {
      const accountName = userName();
      if (accountName === null || !isCurrent()) throw new CallFailed({ kind: "signedOut" });
      const earlier = storedEarlier({ orders: orders(), paid: paid(), accountName, ignoredIds, visit });
      if (earlier) return earlier;
      const { orderId, amount } = order;
      keep({ orderId, amount, accountName, packName: offer.name, productId: offer.product_id, visit });
      return null;
    },
  };
}
