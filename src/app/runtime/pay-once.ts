/** Looks for earlier payments, in storage and at the API, before money is asked for again. Decisions, "Pay once". */
import type { CardCharge } from "../../../machines/card-setup.ts";
import { CallFailed } from "../../../machines/failure.ts";
import { earlierOf, storedEarlier, type EarlierPayment } from "../../../machines/earlier-orders.ts";
import { maybePaidOf } from "../../../machines/kept-orders.ts";
import type { OrderReading } from "../../../machines/order-status.ts";
import type { Api } from "../ports/api.ts";
import type { OrderStore } from "../ports/order-store.ts";

export type PayOnce = ReturnType<typeof createPayOnce>;

/** An order that the API refuses to know of takes no money that it could tell of. */
const readOrNothing = async (reading: Promise<OrderReading>) => {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof CallFailed && error.failure.kind === "refused") return null;
    throw error;
  }
};

export function createPayOnce({
  orderStore: { orders, paid, keep },
  api,
  userName,
  isCurrent,
}: {
  orderStore: OrderStore;
  api: Pick<Api, "readOrder">;
  /** The account that is signed in. */
  userName: () => string | null;
  isCurrent: () => boolean;
}) {
  return {
    paidOrders: (): readonly string[] =>
      paid().flatMap(({ accountName, orderId }) => (accountName === userName() ? [orderId] : [])),

    /**
     * Asks the API about the account's orders that may have been paid.
     * @returns the one to tell the person of, null where there is none; rejects with `CallFailed`
     */
    findEarlier: async (
      { known }: { known: readonly string[] },
      signal?: AbortSignal,
    ): Promise<EarlierPayment | null> => {
      const asked = await Promise.all(
        maybePaidOf(orders(), userName(), known).map(async (order) => ({
          order,
          reading: await readOrNothing(api.readOrder({ orderId: order.orderId }, signal)),
        })),
      );
      return earlierOf(asked.flatMap(({ order, reading }) => (reading === null ? [] : [{ order, reading }])));
    },

    /** A payment at a provider whose result is not known, as far as this browser knows: at once, within a tap. */
    findOpen: (known: readonly string[]): EarlierPayment | null =>
      storedEarlier({ orders: orders(), paid: [], accountName: userName(), known, visit: null }),

    /**
     * Notes that a card is handed to the provider, unless another tab has begun a payment, or seen one paid, since this
     * visit began. All within the tap, for the provider must be called in it.
     * @returns the other payment; null where the card may go
     */
    claim: ({ order, offer, visit, known }: Omit<CardCharge, "key" | "card">): EarlierPayment | null => {
      const accountName = userName();
      if (accountName === null || !isCurrent()) throw new CallFailed({ kind: "signedOut" });
      const earlier = storedEarlier({ orders: orders(), paid: paid(), accountName, known, visit });
      if (earlier) return earlier;
      const { orderId, amount } = order;
      keep({ orderId, amount, accountName, packName: offer.name, productId: offer.product_id, visit });
      return null;
    },
  };
}
