/** Paying in a window of the provider's own: opened in the tap, sent to the API's payUrl. Specification, sections 1, 7 (order/create) and 8; Decisions, "Windows opened for the user". */
import { assign, emit, enqueueActions, setup, type PromiseActorLogic } from "xstate";
import type { Offer } from "./catalogue.ts";
import { failureMet, failureOf, type FailureMet } from "./failure.ts";
import type { BillAsked } from "./order.ts";
import type { PaymentBegun } from "./unfinished.ts";
import { waiting, waitingDelays } from "./waiting.ts";

/** `orderId` null where the API does not name the order; `blocked` is where to pay if no window went there. */
export type OpenedCheckout = {
  orderId: string | null;
  packName: string;
  productId: string;
  amount: string;
  createdAt: string;
  blocked: string | null;
};

export type CheckoutPorts = {
  /** Opens a blank window within the tap, makes the order, and sends the window to its payUrl. */
  openCheckout: PromiseActorLogic<OpenedCheckout, { offer: Offer; key: string }>;
};

type CheckoutEvent =
  | { type: "checkout.asked"; offer: Offer; key: string }
  | { type: "checkout.left" }
  /** The link is put away. */
  | { type: "checkout.dismissed" }
  /** An order was paid, or failed: what was asked for beside it is not offered any longer. */
  | { type: "order.settled" }
  | { type: "waiting.dropped" }
  /** Whatever was asked for belongs to somebody else now. */
  | { type: "account.changed" };

export type CheckoutEmitted = BillAsked | PaymentBegun | FailureMet;

type CheckoutContext = {
  opened: OpenedCheckout | null;
  /** What was last asked for and never answered: asked again, it is the same order. */
  wanted: { offer: Offer; key: string } | null;
};

/** What only a blocked window leaves. */
const openedOf = ({ opened }: CheckoutContext): OpenedCheckout => {
  if (!opened) throw new Error("Only what was opened is left.");
  return opened;
};

export const checkoutMachine = setup({
  types: {
    context: {} as CheckoutContext,
    events: {} as CheckoutEvent,
    emitted: {} as CheckoutEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as CheckoutPorts,
  delays: waitingDelays,
  guards: {
    isBlocked: (_, { opened }: { opened: OpenedCheckout }) => opened.blocked !== null,
    isNamed: (_, { opened }: { opened: OpenedCheckout }) => opened.orderId !== null,
  },
  actions: {
    keepOpened: assign({ opened: (_, { opened }: { opened: OpenedCheckout }) => opened }),
    dropOpened: assign({ opened: null }),
    keepWanted: assign({
      wanted: ({ context: { wanted } }, { offer, key }: { offer: Offer; key: string }) => ({
        offer,
        key: wanted?.offer.product_id === offer.product_id ? wanted.key : key,
      }),
    }),
    dropWanted: assign({ wanted: null }),
    announceOpened: enqueueActions(({ enqueue }, { opened }: { opened: OpenedCheckout }) => {
      const { packName, productId, amount, createdAt } = opened;
      const orderId = opened.orderId ?? "";
      enqueue.emit({ type: "payment.begun", orderId, amount, packName, productId });
      enqueue.emit({ type: "bill.asked", orderId, status: 0, amount, createdAt, isLast: false });
    }),
    announceFailure: emit(failureMet),
  },
}).createMachine({
  id: "checkout",
  context: { opened: null, wanted: null },
  initial: "resting",
  on: { "account.changed": { target: ".resting", actions: ["dropWanted", "dropOpened"] } },
  states: {
    resting: {
      on: {
        "checkout.asked": {
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
        input: ({ context: { wanted } }) => {
          if (!wanted) throw new Error("Only what was asked for is opened.");
          return wanted;
        },
        onDone: [
          {
            guard: { type: "isBlocked", params: ({ event }) => ({ opened: event.output }) },
            target: "blocked",
            actions: [
              "dropWanted",
              { type: "keepOpened", params: ({ event }) => ({ opened: event.output }) },
            ],
          },
          {
            guard: { type: "isNamed", params: ({ event }) => ({ opened: event.output }) },
            target: "resting",
            actions: [
              "dropWanted",
              { type: "announceOpened", params: ({ event }) => ({ opened: event.output }) },
            ],
          },
          { target: "resting", actions: "dropWanted" },
        ],
        onError: {
          target: "resting",
          actions: { type: "announceFailure", params: ({ event }) => ({ failure: failureOf(event.error) }) },
        },
      },
      ...waiting,
      on: { "waiting.dropped": "resting" },
    },
    // No window went there: a link stays in sight until it is used, put away, or another is asked for.
    blocked: {
      on: {
        "checkout.left": [
          {
            guard: { type: "isNamed", params: ({ context }) => ({ opened: openedOf(context) }) },
            target: "resting",
            actions: [
              { type: "announceOpened", params: ({ context }) => ({ opened: openedOf(context) }) },
              "dropOpened",
            ],
          },
          { target: "resting", actions: "dropOpened" },
        ],
        "checkout.dismissed": { target: "resting", actions: "dropOpened" },
        "order.settled": { target: "resting", actions: "dropOpened" },
        "checkout.asked": {
          target: "opening",
          actions: ["dropOpened", { type: "keepWanted", params: ({ event }) => event }],
        },
      },
    },
  },
});
