/** Checkout in the provider's own window: opened within the tap, then sent to the API's payUrl. Specification, sections 1, 7 (order/create) and 8; Decisions, "Windows opened for the user" and "Pay once". */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import type { Offer } from "./catalogue.ts";
import { EarlierFound, type EarlierPayment } from "./earlier-orders.ts";
import { type RequestFailed, requestFailed, announceErrorIn } from "./call-error.ts";
import { invariant } from "./invariant.ts";
import type { BillOpened } from "./order-status.ts";
import { endLeadsTo, endsAs, payOnceMachine, type PayOnceOutput } from "./pay-once.ts";
import type { PaymentBegun } from "./pending-orders.ts";
import { PriceChanged } from "./price-changed.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

/** `orderId` is null when the API does not name the order; `blocked`: no window could be sent to `payUrl`. */
export type OpenedCheckout = {
  orderId: string | null;
  packName: string;
  productId: string;
  amount: string;
  createdAt: string;
  payUrl: string;
  blocked: boolean;
};

export type CheckoutPorts = {
  /**
   * Opens a blank window within the tap, creates the order and sends the window to its payUrl. Rejects with
   * `EarlierFound`, creating no order, when a payment that is not in `ignoredIds` was made or may still go through.
   * Rejects with `PriceChanged`, sending the window nowhere, when the order's amount is not `agreed`.
   */
  openCheckout: PromiseActorLogic<OpenedCheckout, Wanted & { agreed: string; ignoredIds: readonly string[] }>;
};

type Wanted = { offer: Offer; key: string };

type CheckoutEvent =
  | ({ type: "checkout.requested" } & Wanted)
  | { type: "price.accepted" }
  | { type: "price.declined" }
  /** The user dismissed the link. */
  | { type: "checkout.dismissed" }
  /** An order was paid or failed: the link to another order's page is withdrawn. */
  | { type: "order.settled" }
  | { type: "cancel" }
  /** Another account is signed in, so the request no longer applies. */
  | { type: "account.changed" };

export type CheckoutEmitted = BillOpened | PaymentBegun | RequestFailed;

type CheckoutContext = {
  opened: OpenedCheckout | null;
  /** The last request without an answer: a retry uses the same key, so it is the same order. */
  wanted: Wanted | null;
  /** The amount that the API charges, where it is not the price shown. */
  price: string | null;
  earlier: EarlierPayment | null;
  /** The ids of the earlier payments that the user was told of. */
  ignoredIds: readonly string[];
};

export const checkoutMachine = setup({
  types: {
    context: {} as CheckoutContext,
    events: {} as CheckoutEvent,
    emitted: {} as CheckoutEmitted,
    children: {} as { payOnce: "payOnce" },
    tags: {} as "busy" | "slow",
  },
  actors: { payOnce: payOnceMachine } as CheckoutPorts & { payOnce: typeof payOnceMachine },
  delays: waitingDelays,
  guards: {
    isBlocked: (_, { opened }: { opened: OpenedCheckout }) => opened.blocked,
    isEarlier: (_, { error }: { error: unknown }) => error instanceof EarlierFound,
    isRepriced: (_, { error }: { error: unknown }) => error instanceof PriceChanged,
    endsAs,
    isNamed: (_, { opened }: { opened: OpenedCheckout }) => opened.orderId !== null,
  },
  actions: {
    keepOpened: assign({ opened: (_, { opened }: { opened: OpenedCheckout }) => opened }),
    dropOpened: assign({ opened: null }),
    keepWanted: assign({
      wanted: ({ context: { wanted } }, { offer, key }: Wanted) => ({
        offer,
        key: wanted?.offer.product_id === offer.product_id ? wanted.key : key,
      }),
      price: null,
      // What was passed over once may have been paid since.
      ignoredIds: [],
    }),
    dropWanted: assign({ wanted: null, price: null, earlier: null }),
    keepPrice: assign({
      price: (_, { error }: { error: unknown }) => (error instanceof PriceChanged ? error.amount : null),
    }),
    keepEarlier: assign({
      earlier: (_, { error }: { error: unknown }) => (error instanceof EarlierFound ? error.earlier : null),
    }),
    keepChecked: assign((_, { ignoredIds }: PayOnceOutput) => ({ ignoredIds, earlier: null })),
    announceBegun: emit((_, { opened }: { opened: OpenedCheckout }): CheckoutEmitted => {
      const { orderId, packName, productId, amount, payUrl } = opened;
      return { type: "payment.begun", orderId: orderId ?? "", amount, packName, productId, payUrl };
    }),
    announceBill: emit((_, { opened }: { opened: OpenedCheckout }): CheckoutEmitted => {
      const { orderId, amount, createdAt } = opened;
      return { type: "bill.opened", orderId: orderId ?? "", status: 0, amount, createdAt, isLast: false };
    }),
    announceError: emit(requestFailed),
  },
}).createMachine({
  id: "checkout",
  context: { opened: null, wanted: null, price: null, earlier: null, ignoredIds: [] },
  initial: "resting",
  on: { "account.changed": { target: ".resting", actions: ["dropWanted", "dropOpened"] } },
  states: {
    resting: {
      on: {
        "checkout.requested": {
          target: "opening",
          actions: { type: "keepWanted", params: ({ event }) => event },
        },
      },
    },
    opening: {
      tags: "busy",
      invoke: {
        id: "openCheckout",
        src: "openCheckout",
        input: ({ context: { wanted, price, ignoredIds } }) => {
          const { offer, ...rest } = invariant(wanted);
          return { ...rest, offer, agreed: price ?? offer.buy_price, ignoredIds };
        },
        onDone: [
          // The bill screen links to the provider's page, in case the window was blocked or closed.
          {
            guard: { type: "isNamed", params: ({ event }) => ({ opened: event.output }) },
            target: "resting",
            actions: [
              "dropWanted",
              { type: "announceBegun", params: ({ event }) => ({ opened: event.output }) },
              { type: "announceBill", params: ({ event }) => ({ opened: event.output }) },
            ],
          },
          {
            guard: { type: "isBlocked", params: ({ event }) => ({ opened: event.output }) },
            target: "blocked",
            actions: [
              "dropWanted",
              { type: "keepOpened", params: ({ event }) => ({ opened: event.output }) },
            ],
          },
          { target: "resting", actions: "dropWanted" },
        ],
        onError: [
          {
            guard: { type: "isEarlier", params: ({ event }) => event },
            target: "warned",
            actions: { type: "keepEarlier", params: ({ event }) => event },
          },
          {
            guard: { type: "isRepriced", params: ({ event }) => event },
            target: "repriced",
            actions: { type: "keepPrice", params: ({ event }) => event },
          },
          announceErrorIn("resting"),
        ],
      },
      ...waiting,
      on: { cancel: "resting" },
    },
    warned: {
      invoke: {
        id: "payOnce",
        src: "payOnce",
        input: ({ context: { ignoredIds, earlier } }) => ({
          ignoredIds,
          found: earlier,
          followedAtOnce: ["open"] as const,
          isLast: false,
        }),
        onDone: [
          // The window must open within this tap.
          endLeadsTo("free", "opening"),
          { target: "resting", actions: "dropWanted" },
        ],
      },
    },
    // The API sets the amount; if it differs from the one shown, the user agrees to it before there is a page to pay on.
    repriced: {
      on: {
        // The window must open within this tap.
        "price.accepted": "opening",
        "price.declined": { target: "resting", actions: "dropWanted" },
      },
    },
    // The window was blocked, and an order without an id has no bill: the link stays until dismissed or replaced.
    blocked: {
      on: {
        "checkout.dismissed": { target: "resting", actions: "dropOpened" },
        "order.settled": { target: "resting", actions: "dropOpened" },
        "checkout.requested": {
          target: "opening",
          actions: ["dropOpened", { type: "keepWanted", params: ({ event }) => event }],
        },
      },
    },
  },
});
