/** Buying the chosen package in USDT: choose a network, then create one order. Specification, sections 2 (pay), 4 and 7; Decisions, "Double taps and retries" and "Pay once". */
import { assign, emit, sendTo, setup, type PromiseActorLogic } from "xstate";
import type { Offer } from "./catalogue.ts";
import { type RequestFailed, requestFailed, announceErrorIn, outputOf, keepOutputIn } from "./call-error.ts";
import { invariant } from "./invariant.ts";
import type { IssuedOrder, Network } from "./issued-order.ts";
import { sameAmount } from "../src/contract/money.ts";
import { endLeadsTo, endsAs, errorOfEnd, payOnceMachine, type PayOnceOutput } from "./pay-once.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

/** `key` is the idempotency key: retries create one order. */
export type OrderRequest = { offer: Offer; network: Network; key: string };

export type PurchasePorts = {
  /** A retry with the same key returns the same order, or another one once its time is over. */
  createOrder: PromiseActorLogic<IssuedOrder, OrderRequest>;
};

/** `visit` is a fresh random nonce: the prefix of every idempotency key of this visit. */
/** `network`: the one that was chosen in this tab before, through a reload too. */
export type PurchaseInput = { offer: Offer; visit: string; network: Network };

type PurchaseEvent =
  | { type: "network.chosen"; network: Network }
  | { type: "pay.requested" }
  | { type: "cancel" }
  | { type: "price.accepted" }
  | { type: "price.declined" };

export type PurchaseEmitted =
  | { type: "order.issued"; offer: Offer; order: IssuedOrder }
  | { type: "network.kept"; network: Network }
  | RequestFailed;

type PurchaseContext = {
  offer: Offer;
  visit: string;
  network: Network;
  /** The one that was issued; before that, the one whose price is asked about or was agreed to. */
  order: IssuedOrder | null;
  /** The ids of the earlier payments that the user was told of. */
  ignoredIds: readonly string[];
};

export const purchaseMachine = setup({
  types: {
    context: {} as PurchaseContext,
    input: {} as PurchaseInput,
    events: {} as PurchaseEvent,
    emitted: {} as PurchaseEmitted,
    children: {} as { payOnce: "payOnce" },
    /** `guarded`: leaving asks for confirmation. */
    tags: {} as "busy" | "slow" | "guarded",
  },
  actors: { payOnce: payOnceMachine } as PurchasePorts & { payOnce: typeof payOnceMachine },
  delays: waitingDelays,
  guards: {
    endsAs,
    isAgreed: ({ context: { offer, order: agreed } }, order: IssuedOrder) =>
      sameAmount(order.amount, offer.buy_price) ||
      (agreed !== null && sameAmount(order.amount, agreed.amount)),
  },
  actions: {
    keepNetwork: assign({ network: (_, { network }: { network: Network }) => network }),
    announceNetwork: emit((_, { network }: { network: Network }): PurchaseEmitted => ({
      type: "network.kept",
      network,
    })),
    keepOrder: assign({ order: (_, order: IssuedOrder) => order }),
    dropOrder: assign({ order: null }),
    keepChecked: assign((_, { ignoredIds }: PayOnceOutput) => ({ ignoredIds })),
    askNoMore: sendTo("payOnce", { type: "cancel" }),
    announceOrder: emit(({ context: { offer, order } }): PurchaseEmitted => ({
      type: "order.issued",
      offer,
      order: invariant(order),
    })),
    announceError: emit(requestFailed),
  },
}).createMachine({
  id: "purchase",
  context: ({ input }) => ({
    offer: input.offer,
    visit: input.visit,
    network: input.network,
    order: null,
    ignoredIds: [],
  }),
  initial: "choosing",
  states: {
    choosing: {
      tags: "guarded",
      on: {
        "network.chosen": {
          actions: [
            { type: "keepNetwork", params: ({ event }) => event },
            { type: "announceNetwork", params: ({ event }) => event },
          ],
        },
        // The price is on the button again.
        "pay.requested": { target: "payingOnce", actions: "dropOrder" },
      },
    },
    // A new address is issued only once the last payment's status is known, or the user was told of it.
    payingOnce: {
      tags: "guarded",
      invoke: {
        id: "payOnce",
        src: "payOnce",
        input: ({ context: { ignoredIds } }) => ({ ignoredIds, isLast: true }),
        onDone: [
          endLeadsTo("free", "ordering"),
          endLeadsTo("followed", "left"),
          endLeadsTo("dismissed", "choosing"),
          {
            target: "choosing",
            actions: [
              { type: "keepChecked", params: outputOf },
              { type: "announceError", params: errorOfEnd },
            ],
          },
        ],
      },
      on: { cancel: { actions: "askNoMore" } },
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
            guard: { type: "isAgreed", params: outputOf },
            ...keepOutputIn("issued", "keepOrder"),
          },
          keepOutputIn("repriced", "keepOrder"),
        ],
        onError: announceErrorIn("choosing"),
      },
      ...waiting,
      on: { cancel: "choosing" },
    },
    // The API sets the amount; if it differs from the one shown, the user agrees to it first.
    repriced: {
      tags: "guarded",
      on: {
        // Asked for again: its time may have run out meanwhile.
        "price.accepted": "ordering",
        "price.declined": { target: "choosing", actions: "dropOrder" },
      },
    },
    // Until the payment screen is shown.
    issued: { tags: "busy", entry: "announceOrder" },
  },
});
