/** The result of a card payment: the API is asked until it confirms one that the provider took, and again about one that failed in the browser. Specification, sections 4 and 7; Decisions, "`payment.success` in the browser is not proof" and "Pay once". */
import { emit, setup, type PromiseActorLogic } from "xstate";
import { requestFailed, type RequestFailed, announceErrorIn, outputOf } from "./call-error.ts";
import { invariant } from "./invariant.ts";
import { isConfirmed, isFailed, type BillOpened, type OrderReading } from "./order-status.ts";
import type { PaymentFailed, PaymentReported } from "./pending-orders.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

/** `amount` is decimal USD; `reference` is the provider's own order number. */
export type CardOrder = { orderId: string; amount: string; reference: string };

/** The provider script's answer to a successful payment. The API checks the signature. */
export type CardProof = { paymentId: string; reference: string; signature: string };

export type CardResultPorts = {
  verifyCard: PromiseActorLogic<OrderReading, { orderId: string; proof: CardProof }>;
  readOrder: PromiseActorLogic<OrderReading, { orderId: string }>;
};

/** `claim`: what the provider's script says of all attempts at this order. `proof` is null where it gave none. */
export type CardResultInput = {
  order: CardOrder;
  proof: CardProof | null;
  claim: "taken" | "failed" | "unknown";
};

export type CardResultEvent =
  | { type: "retry" }
  | { type: "cancel" }
  /** The page became visible or online again. */
  | { type: "page.visible" };

/** `billed`: not known yet, the bill screen keeps polling. `open`: not paid so far, the same order may be paid. */
export type CardResult = "paid" | "failed" | "open" | "billed";

export type CardResultEmitted = BillOpened | PaymentFailed | PaymentReported | RequestFailed;

const result = setup({
  types: {
    context: {} as CardResultInput,
    input: {} as CardResultInput,
    events: {} as CardResultEvent,
    emitted: {} as CardResultEmitted,
    output: {} as CardResult,
    tags: {} as "busy" | "slow",
  },
  actors: {} as CardResultPorts,
  delays: { ...waitingDelays, askAgain: 3_000, mostAsking: 30_000, pollEvery: 60_000 },
  guards: {
    isTaken: ({ context }) => context.claim === "taken",
    isReported: ({ context }) => context.claim === "failed",
    isUnknown: ({ context }) => context.claim === "unknown",
    isProven: ({ context }) => context.proof !== null,
    isConfirmed: (_, reading: OrderReading) => isConfirmed(reading),
    isFailed: (_, reading: OrderReading) => isFailed(reading),
  },
  actions: {
    announceReported: emit(({ context }): CardResultEmitted => ({
      type: "payment.reported",
      orderId: context.order.orderId,
    })),
    announceFailed: emit(({ context }): CardResultEmitted => ({
      type: "payment.failed",
      orderId: context.order.orderId,
    })),
    announceBill: emit(({ context: { order } }): CardResultEmitted => {
      const { orderId, amount } = order;
      return { type: "bill.opened", orderId, status: 0, amount, createdAt: "", isLast: true };
    }),
    announceError: emit(requestFailed),
  },
});

/** The provider's script is not proof: success needs the API's confirmation. Without it, the bill screen keeps polling. */
const asking = result.createStateConfig({
  initial: "beginning",
  states: {
    beginning: { always: [{ guard: "isProven", target: "checking" }, { target: "asking" }] },
    checking: {
      invoke: {
        id: "verifyCard",
        src: "verifyCard",
        input: ({ context: { order, proof } }) => ({ orderId: order.orderId, proof: invariant(proof) }),
        onDone: [
          { guard: { type: "isConfirmed", params: outputOf }, target: "#cardResult.paid" },
          { target: "pausing" },
        ],
        // An API without this call learns of the payment from the provider, so the order's status is polled.
        onError: "asking",
      },
    },
    asking: {
      invoke: {
        id: "readOrder",
        src: "readOrder",
        input: ({ context }) => ({ orderId: context.order.orderId }),
        onDone: [
          { guard: { type: "isConfirmed", params: outputOf }, target: "#cardResult.paid" },
          // The provider has the money but the API says the order failed: the bill screen names the support
          // contact.
          { guard: { type: "isFailed", params: outputOf }, target: "#cardResult.billed" },
          { target: "pausing" },
        ],
        onError: "pausing",
      },
    },
    pausing: { after: { askAgain: "asking" } },
  },
});

const verifying = result.createStateConfig({
  type: "parallel",
  states: { word: asking, patience: waiting },
  on: { cancel: "billed" },
  after: { mostAsking: "billed" },
});

/**
 * The bank may still accept a payment that was called failed, so the API is asked soon after and whenever the page
 * is seen. Of one whose result is not known, the user waits for the word: it is asked about each minute.
 */
const resting = result.createStateConfig({
  on: { retry: "recalling" },
  initial: "soon",
  states: {
    soon: { after: { askAgain: "glancing" }, on: { "page.visible": "glancing" } },
    glancing: {
      invoke: {
        id: "glance",
        src: "readOrder",
        input: ({ context }) => ({ orderId: context.order.orderId }),
        onDone: [
          { guard: { type: "isConfirmed", params: outputOf }, target: "#cardResult.paid" },
          {
            guard: { type: "isFailed", params: outputOf },
            target: "later",
            actions: "announceFailed",
          },
          { guard: "isUnknown", target: "pausing" },
          { target: "later" },
        ],
        onError: [{ guard: "isUnknown", target: "pausing" }, { target: "later" }],
      },
      on: { "page.visible": { target: "glancing", reenter: true } },
    },
    pausing: { after: { pollEvery: "glancing" }, on: { "page.visible": "glancing" } },
    later: { on: { "page.visible": "glancing" } },
  },
});

export const cardResultMachine = result.createMachine({
  id: "cardResult",
  context: ({ input }) => input,
  output: ({ event }) => event.output as CardResult,
  initial: "beginning",
  states: {
    beginning: {
      always: [
        { guard: "isTaken", target: "verifying" },
        { guard: "isReported", target: "resting", actions: "announceReported" },
        { target: "resting" },
      ],
    },
    verifying,
    resting,
    // A payment that failed in the browser may have gone through: its order is checked before paying again.
    recalling: {
      tags: "busy",
      invoke: {
        id: "recallOrder",
        src: "readOrder",
        input: ({ context }) => ({ orderId: context.order.orderId }),
        onDone: [
          { guard: { type: "isConfirmed", params: outputOf }, target: "paid" },
          {
            guard: { type: "isFailed", params: outputOf },
            target: "failed",
            actions: "announceFailed",
          },
          { target: "open" },
        ],
        onError: announceErrorIn("resting"),
      },
      ...waiting,
      on: { cancel: "resting" },
    },
    paid: { type: "final", output: "paid" as const },
    failed: { type: "final", output: "failed" as const },
    open: { type: "final", output: "open" as const },
    billed: { type: "final", entry: "announceBill", output: "billed" as const },
  },
});
