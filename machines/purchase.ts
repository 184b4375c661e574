/** Buying the chosen package in USDT: choose a network, then create one order. Specification, sections 2 (pay), 4 and 7; Decisions, "Double taps and retries" and "Pay once". */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import type { Offer } from "./catalogue.ts";
import type { EarlierPayment } from "./earlier-orders.ts";
import {
  earlierGuards,
  earlierIn,
  earlierPaymentMachine,
  knowing,
  type EarlierPorts,
} from "./earlier-payment.ts";
import { failed, type RequestFailed, requestFailed } from "./failure.ts";
import type { IssuedOrder, Network } from "./issued-order.ts";
import { sameAmount } from "../src/contract/money.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

/** `key` is the idempotency key: retries create one order. */
export type OrderRequest = { offer: Offer; network: Network; key: string };

export type PurchasePorts = EarlierPorts & {
  /** One request; a retry with the same key returns the same order. */
  createOrder: PromiseActorLogic<IssuedOrder, OrderRequest>;
};

/** `visit` is a fresh random nonce: the prefix of every idempotency key of this visit. */
export type PurchaseInput = { offer: Offer; visit: string };

type PurchaseEvent =
  | { type: "network.chosen"; network: Network }
  | { type: "pay.asked" }
  | { type: "cancel" }
  | { type: "price.accepted" }
  | { type: "price.declined" };

export type PurchaseEmitted = { type: "order.issued"; offer: Offer; order: IssuedOrder } | RequestFailed;

type PurchaseContext = {
  offer: Offer;
  visit: string;
  network: Network;
  order: IssuedOrder | null;
  earlier: EarlierPayment | null;
  /** The ids of the earlier payments that the user was told of. */
  known: readonly string[];
};

export const purchaseMachine = setup({
  types: {
    context: {} as PurchaseContext,
    input: {} as PurchaseInput,
    events: {} as PurchaseEvent,
    emitted: {} as PurchaseEmitted,
    children: {} as { earlier: "earlier" },
    /** `guarded`: leaving asks for confirmation. */
    tags: {} as "busy" | "slow" | "guarded",
  },
  actors: { earlier: earlierPaymentMachine } as PurchasePorts & { earlier: typeof earlierPaymentMachine },
  delays: waitingDelays,
  guards: {
    isNone: (_, earlier: EarlierPayment | null) => earlier === null,
    ...earlierGuards,
    isAsShown: ({ context }, { order }: { order: IssuedOrder }) =>
      sameAmount(order.amount, context.offer.buy_price),
  },
  actions: {
    keepNetwork: assign({ network: (_, { network }: { network: Network }) => network }),
    keepOrder: assign({ order: (_, { order }: { order: IssuedOrder }) => order }),
    dropOrder: assign({ order: null }),
    keepEarlier: assign({ earlier: (_, earlier: EarlierPayment | null) => earlier }),
    knowEarlier: assign(({ context }) => knowing(context)),
    announceOrder: emit(({ context }): PurchaseEmitted => {
      if (!context.order) throw new Error("An order is announced only once it is issued.");
      return { type: "order.issued", offer: context.offer, order: context.order };
    }),
    announceFailure: emit(requestFailed),
  },
}).createMachine({
  id: "purchase",
  context: ({ input }) => ({
    offer: input.offer,
    visit: input.visit,
    network: "TRC20",
    order: null,
    earlier: null,
    known: [],
  }),
  initial: "choosing",
  states: {
    choosing: {
      tags: "guarded",
      on: {
        "network.chosen": { actions: { type: "keepNetwork", params: ({ event }) => event } },
        "pay.asked": "asking",
      },
    },
    // A new address is issued only once the last payment's status is known, or the user was told of it.
    asking: {
      tags: ["busy", "guarded"],
      invoke: {
        id: "findEarlier",
        src: "findEarlier",
        input: ({ context: { known } }) => ({ known }),
        onDone: [
          { guard: { type: "isNone", params: ({ event }) => event.output }, target: "ordering" },
          { target: "warned", actions: { type: "keepEarlier", params: ({ event }) => event.output } },
        ],
        onError: {
          target: "choosing",
          actions: { type: "announceFailure", params: failed },
        },
      },
      ...waiting,
      on: { cancel: "choosing" },
    },
    warned: {
      tags: "guarded",
      invoke: {
        id: "earlier",
        src: "earlier",
        input: ({ context }) => ({ earlier: earlierIn(context), asks: true, isLast: true }),
        onDone: [
          { guard: { type: "isFollowed", params: ({ event }) => event.output }, target: "left" },
          {
            guard: { type: "isPassed", params: ({ event }) => event.output },
            // There may be another one.
            target: "asking",
            actions: "knowEarlier",
          },
          { target: "choosing" },
        ],
      },
    },
    left: { tags: "busy" },
    ordering: {
      tags: ["busy", "guarded"],
      invoke: {
        id: "createOrder",
        src: "createOrder",
        input: ({ context: { offer, network, visit } }) => ({ offer, network, key: `${visit}-${network}` }),
        onDone: [
          {
            guard: { type: "isAsShown", params: ({ event }) => ({ order: event.output }) },
            target: "issued",
            actions: { type: "keepOrder", params: ({ event }) => ({ order: event.output }) },
          },
          {
            target: "repriced",
            actions: { type: "keepOrder", params: ({ event }) => ({ order: event.output }) },
          },
        ],
        onError: {
          target: "choosing",
          actions: { type: "announceFailure", params: failed },
        },
      },
      ...waiting,
      on: { cancel: "choosing" },
    },
    // The API sets the amount; if it differs from the one shown, the user agrees to it first.
    repriced: {
      tags: "guarded",
      on: { "price.accepted": "issued", "price.declined": { target: "choosing", actions: "dropOrder" } },
    },
    // Until the payment screen is shown.
    issued: { tags: "busy", entry: "announceOrder" },
  },
});
