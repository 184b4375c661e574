/** Paying for the chosen package in USDT: which network, then one order. Specification, sections 2 (pay), 4 and 7; Decisions, "Double taps and retries". */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import type { Offer } from "./catalogue.ts";
import { failureMet, failureOf, type FailureMet } from "./failure.ts";
import { sameAmount } from "./money.ts";
import { waiting, waitingDelays } from "./waiting.ts";

export type Network = "TRC20" | "ERC20";

/** What the API issued: pay `amount` USDT to `address` on `network` until `deadline` (milliseconds since 1970 by the API's clock). */
export type IssuedOrder = {
  orderId: string;
  network: Network;
  amount: string;
  address: string;
  deadline: number;
};

/** `key` makes retries one order. */
export type OrderRequest = { offer: Offer; network: Network; key: string };

export type PurchasePorts = {
  /** Asks once; asked again with the same key it answers with the same order. */
  createOrder: PromiseActorLogic<IssuedOrder, OrderRequest>;
};

/** `visit` is a fresh random word: the first part of every key of this visit to the screen. */
export type PurchaseInput = { offer: Offer; visit: string };

type PurchaseEvent =
  | { type: "network.chosen"; network: Network }
  | { type: "pay.asked" }
  | { type: "waiting.dropped" }
  | { type: "price.accepted" }
  | { type: "price.declined" };

export type PurchaseEmitted = { type: "order.issued"; offer: Offer; order: IssuedOrder } | FailureMet;

export const purchaseMachine = setup({
  types: {
    context: {} as { offer: Offer; visit: string; network: Network; order: IssuedOrder | null },
    input: {} as PurchaseInput,
    events: {} as PurchaseEvent,
    emitted: {} as PurchaseEmitted,
    /** `guarded`: leaving asks first. */
    tags: {} as "busy" | "slow" | "guarded",
  },
  actors: {} as PurchasePorts,
  delays: waitingDelays,
  guards: {
    isAsShown: ({ context }, { order }: { order: IssuedOrder }) =>
      sameAmount(order.amount, context.offer.buy_price),
  },
  actions: {
    keepNetwork: assign({ network: (_, { network }: { network: Network }) => network }),
    keepOrder: assign({ order: (_, { order }: { order: IssuedOrder }) => order }),
    dropOrder: assign({ order: null }),
    announceOrder: emit(({ context }): PurchaseEmitted => {
      if (!context.order) throw new Error("An order is announced only once it is issued.");
      return { type: "order.issued", offer: context.offer, order: context.order };
    }),
    announceFailure: emit(failureMet),
  },
}).createMachine({
  id: "purchase",
  context: ({ input }) => ({ offer: input.offer, visit: input.visit, network: "TRC20", order: null }),
  initial: "choosing",
  states: {
    choosing: {
      tags: "guarded",
      on: {
        "network.chosen": { actions: { type: "keepNetwork", params: ({ event }) => event } },
        "pay.asked": "ordering",
      },
    },
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
          actions: { type: "announceFailure", params: ({ event }) => ({ failure: failureOf(event.error) }) },
        },
      },
      ...waiting,
      on: { "waiting.dropped": "choosing" },
    },
    // The amount is the API's to decide; another one than the screen showed is agreed to first.
    repriced: {
      tags: "guarded",
      on: { "price.accepted": "issued", "price.declined": { target: "choosing", actions: "dropOrder" } },
    },
    issued: { entry: "announceOrder" },
  },
});
