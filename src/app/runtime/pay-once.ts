/** Looks for earlier payments, in storage and at the API, and asks for money where none is in the way. Decisions, "Pay once". */
import type { InputFrom } from "xstate";
import type { CardProof } from "../../../machines/card-result.ts";
import type { CardCharge } from "../../../machines/card-setup.ts";
import { CallFailed } from "../../../machines/call-error.ts";
import type { CheckoutPorts, OpenedCheckout } from "../../../machines/checkout.ts";
import { EarlierFound, storedEarlier, type EarlierPayment } from "../../../machines/earlier-orders.ts";
import { PriceChanged } from "../../../machines/price-changed.ts";
import { sameAmount } from "../../contract/money.ts";
import type { Dependencies } from "./dependencies.ts";
import type { Api } from "../ports/api.ts";
import type { OrderStore } from "../ports/order-store.ts";

const refuse = (earlier: EarlierPayment | null) => {
  if (earlier) throw new EarlierFound(earlier);
};

export type PayOnce = ReturnType<typeof createPayOnce>;

export function createPayOnce({
  orderStore: { orders, paid, keep },
  api,
  dependencies,
  userName,
  syncAccount,
}: {
  orderStore: OrderStore;
  api: Pick<Api, "findEarlier" | "createCheckout">;
  dependencies: Pick<Dependencies, "openWindow" | "payByCard">;
  /** The account that is signed in. */
  userName: () => string | null;
  syncAccount: () => boolean;
}) {
  const findEarlier = (
    { ignoredIds, key = "" }: { ignoredIds: readonly string[]; key?: string },
    signal?: AbortSignal,
  ): Promise<EarlierPayment | null> =>
    api.findEarlier({ orders: orders(), accountName: userName(), ignoredIds, key }, signal);

  /**
   * Notes that a card is handed to the provider, unless another tab has begun a payment, or seen one paid, since this
   * visit began. Synchronous, because the provider must be called within the tap.
   * @returns the other payment; null where the card may go
   */
  const claim = ({
    order,
    offer,
    visit,
    ignoredIds,
  }: Omit<CardCharge, "key" | "card">): EarlierPayment | null => {
    const accountName = userName();
    if (accountName === null || !syncAccount()) throw new CallFailed({ kind: "signedOut" });
    const earlier = storedEarlier({ orders: orders(), paid: paid(), accountName, ignoredIds, visit });
    if (earlier) return earlier;
    const { orderId, amount } = order;
    keep({ orderId, amount, accountName, packName: offer.name, productId: offer.product_id, visit });
    return null;
  };

  return {
    paidOrders: (): readonly string[] =>
      paid().flatMap(({ accountName, orderId }) => (accountName === userName() ? [orderId] : [])),

    /**
     * Asks the API about the account's payments, here and on its other devices.
     * @param key the idempotency key of the payment to come
     * @returns the one to tell the user of, null where there is none; rejects with `CallFailed`
     */
    findEarlier,

    /** The port of the checkout chart. A payment that this browser knows to be open stops it before a window flashes up. */
    openCheckout: async (
      input: InputFrom<CheckoutPorts["openCheckout"]>,
      signal: AbortSignal,
    ): Promise<OpenedCheckout> => {
      const accountName = userName();
      const { ignoredIds } = input;
      refuse(storedEarlier({ orders: orders(), paid: [], accountName, ignoredIds, visit: null }));
      const made = {
        orderId: null as string | null,
        packName: input.offer.name,
        productId: input.offer.product_id,
        amount: "",
        createdAt: "",
        payUrl: "",
      };
      const { blocked } = await dependencies.openWindow(async () => {
        refuse(await findEarlier(input, signal));
        Object.assign(made, await api.createCheckout(input, signal));
        if (!sameAmount(made.amount, input.agreed)) throw new PriceChanged(made.amount);
        return made.payUrl;
      }, signal);
      return { ...made, blocked: blocked !== null };
    },

    /** The port of the card chart. */
    payByCard: async ({ key, card, ...payment }: CardCharge): Promise<CardProof | null> => {
      refuse(claim(payment));
      return dependencies.payByCard(payment.order, key, card);
    },
  };
}
