/** An order waiting for its money: what to send where, until when. Specification, sections 2 (payDetail), 4 and 9; Decisions, "Payment details in a URL are not believed" and "Countdown". */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import { failureMet, failureOf, type Failure, type FailureMet } from "./failure.ts";
import { isSameOrder, secondsLeft, type ClaimedOrder } from "./issued.ts";
import type { IssuedOrder } from "./purchase.ts";
import { waiting, waitingDelays } from "./waiting.ts";

/** The API's word on an order. `issued` is null where the API does not repeat what it issued; `received` is USDT seen so far. */
export type OrderReading = {
  status: number;
  amount: string;
  createdAt: string;
  issued: IssuedOrder | null;
  received: string | null;
  /** What `amount` is counted in, where the API says. */
  unit?: "USDT" | "USD";
};

export type OrderPorts = {
  readOrder: PromiseActorLogic<OrderReading, { orderId: string }>;
  /** Now, in milliseconds since 1970, by the API's clock as last heard. */
  readClock: PromiseActorLogic<number>;
};

/** `kept` is what this browser kept of the API's answer when the order was made. */
export type OrderInput = { claimed: ClaimedOrder; kept: IssuedOrder | null };

type OrderEvent =
  | { type: "pay.completed" }
  | { type: "waiting.dropped" }
  | { type: "asked.again" }
  /** The page is looked at again, or online again. */
  | { type: "page.seen" };

export type OrderEmitted =
  /** On to the bill. `status` is a hint for the address bar. */
  { type: "bill.asked"; orderId: string; status: number; amount: string; createdAt: string } | FailureMet;

type OrderContext = {
  claimed: ClaimedOrder;
  issued: IssuedOrder | null;
  /** Milliseconds since 1970; null until the clock was first read. */
  now: number | null;
  received: string | null;
  failure: Failure | null;
};

export const orderMachine = setup({
  types: {
    context: {} as OrderContext,
    input: {} as OrderInput,
    events: {} as OrderEvent,
    emitted: {} as OrderEmitted,
    tags: {} as "busy" | "slow" | "shown",
  },
  actors: {} as OrderPorts,
  delays: { ...waitingDelays, second: 1_000 },
  guards: {
    isKept: ({ context }) => context.issued !== null && isSameOrder(context.claimed, context.issued),
    isAsIssued: ({ context }, { reading }: { reading: OrderReading }) =>
      reading.issued !== null && isSameOrder(context.claimed, reading.issued),
    isSettled: (_, { status }: { status: number }) => status === 1 || status === 9,
    hasRunOut: ({ context }) => secondsLeft(context) === 0,
    isPast: ({ context }, { now }: { now: number }) => secondsLeft({ issued: context.issued, now }) === 0,
  },
  actions: {
    keepIssued: assign({ issued: (_, { reading }: { reading: OrderReading }) => reading.issued }),
    keepReceived: assign({ received: (_, { reading }: { reading: OrderReading }) => reading.received }),
    keepNow: assign({ now: (_, { now }: { now: number }) => now }),
    keepFailure: assign({ failure: (_, { failure }: { failure: Failure }) => failure }),
    announceBill: emit(
      ({ context }, { reading, status }: { reading: OrderReading; status: number }): OrderEmitted => ({
        type: "bill.asked",
        orderId: context.claimed.orderId,
        status,
        amount: reading.amount,
        createdAt: reading.createdAt,
      }),
    ),
    announceFailure: emit(failureMet),
  },
}).createMachine({
  id: "order",
  context: ({ input }) => ({
    claimed: input.claimed,
    issued: input.kept,
    now: null,
    received: null,
    failure: null,
  }),
  initial: "checking",
  states: {
    checking: { always: [{ guard: "isKept", target: "open" }, { target: "verifying" }] },
    verifying: {
      invoke: {
        id: "verifyOrder",
        src: "readOrder",
        input: ({ context }) => ({ orderId: context.claimed.orderId }),
        onDone: [
          {
            guard: { type: "isAsIssued", params: ({ event }) => ({ reading: event.output }) },
            target: "open",
            actions: [
              { type: "keepIssued", params: ({ event }) => ({ reading: event.output }) },
              { type: "keepReceived", params: ({ event }) => ({ reading: event.output }) },
            ],
          },
          { target: "unverified" },
        ],
        onError: {
          target: "unreachable",
          actions: { type: "keepFailure", params: ({ event }) => ({ failure: failureOf(event.error) }) },
        },
      },
      ...waiting,
      on: { "asked.again": { target: "verifying", reenter: true } },
    },
    unverified: {},
    unreachable: { on: { "asked.again": "verifying", "page.seen": "verifying" } },
    open: {
      tags: "shown",
      type: "parallel",
      states: {
        countdown: {
          initial: "readingClock",
          states: {
            readingClock: {
              invoke: {
                id: "readClock",
                src: "readClock",
                onDone: [
                  {
                    guard: { type: "isPast", params: ({ event }) => ({ now: event.output }) },
                    target: "expired",
                    actions: { type: "keepNow", params: ({ event }) => ({ now: event.output }) },
                  },
                  {
                    target: "counting",
                    actions: { type: "keepNow", params: ({ event }) => ({ now: event.output }) },
                  },
                ],
              },
            },
            counting: { after: { second: "readingClock" }, on: { "page.seen": "readingClock" } },
            // Not final: money that arrives late is still credited, and a corrected clock takes it back.
            expired: { after: { second: "readingClock" }, on: { "page.seen": "readingClock" } },
          },
        },
        asking: {
          initial: "glancing",
          states: {
            resting: { on: { "page.seen": "glancing", "pay.completed": "reading" } },
            // Somebody may come back from a wallet: a settled order goes to its bill by itself.
            glancing: {
              invoke: {
                id: "glance",
                src: "readOrder",
                input: ({ context }) => ({ orderId: context.claimed.orderId }),
                onDone: [
                  {
                    guard: { type: "isSettled", params: ({ event }) => event.output },
                    target: "resting",
                    actions: {
                      type: "announceBill",
                      params: ({ event }) => ({ reading: event.output, status: event.output.status }),
                    },
                  },
                  {
                    target: "resting",
                    actions: { type: "keepReceived", params: ({ event }) => ({ reading: event.output }) },
                  },
                ],
                onError: "resting",
              },
              on: { "pay.completed": "reading" },
            },
            reading: {
              tags: "busy",
              invoke: {
                id: "readOrder",
                src: "readOrder",
                input: ({ context }) => ({ orderId: context.claimed.orderId }),
                onDone: [
                  {
                    guard: "hasRunOut",
                    target: "resting",
                    actions: {
                      type: "announceBill",
                      params: ({ event }) => ({ reading: event.output, status: 0 }),
                    },
                  },
                  {
                    target: "resting",
                    actions: {
                      type: "announceBill",
                      params: ({ event }) => ({ reading: event.output, status: event.output.status }),
                    },
                  },
                ],
                onError: {
                  target: "resting",
                  actions: {
                    type: "announceFailure",
                    params: ({ event }) => ({ failure: failureOf(event.error) }),
                  },
                },
              },
              ...waiting,
              on: { "waiting.dropped": "resting" },
            },
          },
        },
      },
    },
  },
});
