/** What became of an order: asked at once, then every minute for ten minutes. Specification, section 4 ("Order/bill status"); Decisions, "Bill". */
import { assign, emit, not, setup, stateIn, type PromiseActorLogic } from "xstate";
import { failureOf, type Failure } from "./failure.ts";
import { missingOf, surplusOf } from "./money.ts";
import { isConfirmed, isFailed, isOver, type OrderReading } from "./reading.ts";
import { waiting, waitingDelays } from "./waiting.ts";

export type BillPorts = {
  /** Asks once. The app makes no claim about the order that did not come from here. */
  readOrder: PromiseActorLogic<OrderReading, { orderId: string }>;
};

export type BillInput = { orderId: string };

type BillEvent =
  | { type: "check.asked" }
  /** The page is looked at again, or online again. */
  | { type: "page.seen" };

/** The API's word is final: nothing about this order is unfinished any more. */
export type BillEmitted = { type: "order.settled"; orderId: string };

export const billMachine = setup({
  types: {
    context: {} as {
      orderId: string;
      reading: OrderReading | null;
      failure: Failure | null;
      /** Whether the last question was the person's own: who taps and sees nothing change wants to know that it was asked. */
      byHand: boolean;
    },
    input: {} as BillInput,
    events: {} as BillEvent,
    emitted: {} as BillEmitted,
    tags: {} as "asking" | "slow" | "pending" | "settled",
  },
  actors: {} as BillPorts,
  delays: { ...waitingDelays, pollEvery: 60_000, pollLimit: 600_000 },
  guards: {
    isConfirmed: (_, { reading }: { reading: OrderReading }) => isConfirmed(reading),
    isOver: stateIn({ limit: "over" }),
    /** Of no order that was ever read: the API knows none of this name, or not as this account's. */
    isUnknown: ({ context }, { failure }: { failure: Failure }) =>
      context.reading === null && failure.kind === "refused",
    isFailed: (_, { reading }: { reading: OrderReading }) => isFailed(reading),
  },
  actions: {
    keepReading: assign({ reading: (_, { reading }: { reading: OrderReading }) => reading, failure: null }),
    announceSettled: emit(({ context }): BillEmitted => ({
      type: "order.settled",
      orderId: context.orderId,
    })),
    keepFailure: assign({ failure: (_, { failure }: { failure: Failure }) => failure }),
    keepAsker: assign({ byHand: ({ event }) => event.type === "check.asked" }),
  },
}).createMachine({
  id: "bill",
  context: ({ input }) => ({ orderId: input.orderId, reading: null, failure: null, byHand: false }),
  type: "parallel",
  states: {
    limit: {
      initial: "running",
      states: { running: { after: { pollLimit: "over" } }, over: {} },
    },
    bill: {
      initial: "asking",
      states: {
        asking: {
          tags: ["asking", "pending"],
          entry: "keepAsker",
          invoke: {
            id: "readOrder",
            src: "readOrder",
            input: ({ context }) => ({ orderId: context.orderId }),
            onDone: [
              {
                guard: { type: "isConfirmed", params: ({ event }) => ({ reading: event.output }) },
                target: "confirmed",
                actions: { type: "keepReading", params: ({ event }) => ({ reading: event.output }) },
              },
              {
                guard: { type: "isFailed", params: ({ event }) => ({ reading: event.output }) },
                target: "failed",
                actions: { type: "keepReading", params: ({ event }) => ({ reading: event.output }) },
              },
              {
                target: "pausing",
                actions: { type: "keepReading", params: ({ event }) => ({ reading: event.output }) },
              },
            ],
            onError: [
              {
                guard: { type: "isUnknown", params: ({ event }) => ({ failure: failureOf(event.error) }) },
                target: "unknown",
                actions: {
                  type: "keepFailure",
                  params: ({ event }) => ({ failure: failureOf(event.error) }),
                },
              },
              // A failed call is no answer about the money: ask again at the next minute.
              {
                target: "pausing",
                actions: {
                  type: "keepFailure",
                  params: ({ event }) => ({ failure: failureOf(event.error) }),
                },
              },
            ],
          },
          ...waiting,
          // Whatever hangs must not end the asking.
          after: {
            pollEvery: { guard: not("isOver"), target: "asking", reenter: true },
          },
          on: {
            "check.asked": { target: "asking", reenter: true },
            // A question from before the phone slept, or changed its network, may never be answered.
            "page.seen": { target: "asking", reenter: true },
          },
        },
        pausing: {
          tags: "pending",
          always: { guard: "isOver", target: "stopped" },
          after: { pollEvery: "asking" },
          on: { "page.seen": "asking", "check.asked": "asking" },
        },
        // An API may refuse what it cannot answer at the moment.
        unknown: { on: { "page.seen": "asking", "check.asked": "asking" } },
        stopped: { tags: "pending", on: { "page.seen": "asking", "check.asked": "asking" } },
        confirmed: { tags: "settled", entry: "announceSettled" },
        failed: { tags: "settled", entry: "announceSettled" },
      },
    },
  },
});

/* What a bill says of the money */

/** What is left to send when a part has come, in USDT; null while nothing has, when it is settled, and where it is paid without an address. */
export const missingIn = (reading: OrderReading | null): string | null =>
  reading === null || isConfirmed(reading) || isFailed(reading) || reading.unit === "USD"
    ? null
    : missingOf(reading.amount, reading.received);

/** What has come in USDT when all has, to an order that has an address; null until then. */
export const arrivedIn = (reading: OrderReading | null): string | null =>
  reading !== null && reading.unit !== "USD" && isOver(reading) ? reading.received : null;

/** What has come beyond the amount, in its unit; null where it is not more. */
export const surplusIn = (reading: OrderReading | null): string | null =>
  reading && surplusOf(reading.amount, reading.received);
