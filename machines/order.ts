/** An order waiting for its money: what to send where, until when. Specification, sections 2 (payDetail), 4 and 9; Decisions, "Payment details in a URL are not believed" and "Countdown". */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import { failureMet, failureOf, type Failure, type FailureMet } from "./failure.ts";
import { isSameOrder, secondsLeft, type ClaimedOrder } from "./issued.ts";
import type { IssuedOrder } from "./purchase.ts";
import { isOver, type OrderReading } from "./reading.ts";
import { waiting, waitingDelays } from "./waiting.ts";

/** A reading with what was issued; null where the API does not repeat that, or names an address that no wallet takes. */
export type IssuedReading = OrderReading & { issued: IssuedOrder | null };

export type OrderPorts = {
  readOrder: PromiseActorLogic<OrderReading, { orderId: string }>;
  readIssued: PromiseActorLogic<IssuedReading, { orderId: string }>;
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

/** On to the bill. `status` is a hint for the address bar; `isLast`: there is nothing here to come back to. */
export type BillAsked = {
  type: "bill.asked";
  orderId: string;
  status: number;
  amount: string;
  createdAt: string;
  isLast: boolean;
};

export type OrderEmitted = BillAsked | FailureMet;

type OrderContext = {
  claimed: ClaimedOrder;
  issued: IssuedOrder | null;
  /** Milliseconds since 1970; null until the clock was first read. */
  now: number | null;
  /** In which minute before its deadline it was last looked whether money has come; null before the clock was read. */
  looked: number | null;
  received: string | null;
  failure: Failure | null;
};

/** Whole minutes to the deadline, the one that has begun among them; negative after it. */
const minuteOf = ({ issued, now }: Pick<OrderContext, "issued" | "now">) =>
  issued && now !== null ? Math.ceil((issued.deadline - now) / 60_000) : null;

const order = setup({
  types: {
    context: {} as OrderContext,
    input: {} as OrderInput,
    events: {} as OrderEvent,
    emitted: {} as OrderEmitted,
    tags: {} as "busy" | "slow" | "shown" | "unverified",
  },
  actors: {} as OrderPorts,
  delays: { ...waitingDelays, second: 1_000 },
  guards: {
    isKept: ({ context }) => context.issued !== null && isSameOrder(context.claimed, context.issued),
    isAsIssued: ({ context }, { issued }: IssuedReading) =>
      issued !== null && isSameOrder(context.claimed, issued),
    isOver: (_, reading: OrderReading) => isOver(reading),
    isRefused: (_, { failure }: { failure: Failure }) => failure.kind === "refused",
    hasRunOut: ({ context }) => secondsLeft(context) === 0,
    /** Another minute than when it was last looked for; as long after its time as a bill asks by itself. */
    isDue: ({ context }) => {
      const minute = minuteOf(context);
      return minute !== null && minute !== context.looked && minute >= -10;
    },
    isPast: ({ context: { issued } }, now: number) => secondsLeft({ issued, now }) === 0,
  },
  actions: {
    keepIssued: assign({ issued: (_, { issued }: IssuedReading) => issued }),
    keepReceived: assign({ received: (_, { received }: OrderReading) => received }),
    keepNow: assign(({ context: { issued, looked } }, now: number) => ({
      now,
      looked: looked ?? minuteOf({ issued, now }),
    })),
    keepLook: assign({ looked: ({ context }) => minuteOf(context) }),
    keepFailure: assign({ failure: (_, { failure }: { failure: Failure }) => failure }),
    announceBill: emit(
      (
        { context },
        { reading, status = reading.status }: { reading: OrderReading; status?: number },
      ): OrderEmitted => ({
        type: "bill.asked",
        orderId: context.claimed.orderId,
        status,
        amount: reading.amount,
        createdAt: reading.createdAt,
        isLast: isOver(reading),
      }),
    ),
    announceFailure: emit(failureMet),
  },
});

/** The time that is left, read anew each second. */
const countdown = order.createStateConfig({
  initial: "readingClock",
  states: {
    readingClock: {
      invoke: {
        id: "readClock",
        src: "readClock",
        onDone: [
          {
            guard: { type: "isPast", params: ({ event }) => event.output },
            target: "expired",
            actions: { type: "keepNow", params: ({ event }) => event.output },
          },
          { target: "counting", actions: { type: "keepNow", params: ({ event }) => event.output } },
        ],
      },
    },
    counting: { after: { second: "readingClock" }, on: { "page.seen": "readingClock" } },
    // Not final: money that arrives late is still credited, and a corrected clock takes it back.
    expired: { after: { second: "readingClock" }, on: { "page.seen": "readingClock" } },
  },
});

/** What the API knows of the money: a glance when the page is seen and every minute of the countdown, an answer when it is asked for. Whatever was asked before the phone slept, or changed its network, is asked anew. */
const asking = order.createStateConfig({
  initial: "glancing",
  states: {
    resting: {
      always: { guard: "isDue", target: "glancing" },
      on: { "page.seen": "glancing", "pay.completed": "reading" },
    },
    // Somebody may come back from a wallet, or have paid from another device: an order that is over goes to its bill by itself.
    glancing: {
      entry: "keepLook",
      always: { guard: "isDue", target: "glancing", reenter: true },
      invoke: {
        id: "glance",
        src: "readOrder",
        input: ({ context }) => ({ orderId: context.claimed.orderId }),
        onDone: [
          {
            guard: { type: "isOver", params: ({ event }) => event.output },
            target: "resting",
            actions: { type: "announceBill", params: ({ event }) => ({ reading: event.output }) },
          },
          { target: "resting", actions: { type: "keepReceived", params: ({ event }) => event.output } },
        ],
        onError: "resting",
      },
      on: { "page.seen": { target: "glancing", reenter: true }, "pay.completed": "reading" },
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
            actions: { type: "announceBill", params: ({ event }) => ({ reading: event.output, status: 0 }) },
          },
          {
            target: "resting",
            actions: { type: "announceBill", params: ({ event }) => ({ reading: event.output }) },
          },
        ],
        onError: {
          target: "resting",
          actions: { type: "announceFailure", params: ({ event }) => ({ failure: failureOf(event.error) }) },
        },
      },
      ...waiting,
      on: { "page.seen": { target: "reading", reenter: true }, "waiting.dropped": "resting" },
    },
  },
});

export const orderMachine = order.createMachine({
  id: "order",
  context: ({ input }) => ({
    claimed: input.claimed,
    issued: input.kept,
    now: null,
    looked: null,
    received: null,
    failure: null,
  }),
  initial: "checking",
  states: {
    checking: { always: [{ guard: "isKept", target: "open" }, { target: "verifying" }] },
    verifying: {
      invoke: {
        id: "verifyOrder",
        src: "readIssued",
        input: ({ context }) => ({ orderId: context.claimed.orderId }),
        onDone: [
          {
            guard: { type: "isOver", params: ({ event }) => event.output },
            target: "over",
            actions: { type: "announceBill", params: ({ event }) => ({ reading: event.output }) },
          },
          {
            guard: { type: "isAsIssued", params: ({ event }) => event.output },
            target: "open",
            actions: [
              { type: "keepIssued", params: ({ event }) => event.output },
              { type: "keepReceived", params: ({ event }) => event.output },
            ],
          },
          { target: "forged" },
        ],
        onError: [
          // The API knows no such order, or not as this account's.
          {
            guard: { type: "isRefused", params: ({ event }) => ({ failure: failureOf(event.error) }) },
            target: "unknown",
          },
          {
            target: "unreachable",
            actions: { type: "keepFailure", params: ({ event }) => ({ failure: failureOf(event.error) }) },
          },
        ],
      },
      ...waiting,
      on: {
        "asked.again": { target: "verifying", reenter: true },
        "page.seen": { target: "verifying", reenter: true },
      },
    },
    over: {},
    /** The link says something else than what was issued, and always will. */
    forged: { tags: "unverified" },
    /** Not as far as the API says now. */
    unknown: { tags: "unverified", on: { "asked.again": "verifying", "page.seen": "verifying" } },
    unreachable: { on: { "asked.again": "verifying", "page.seen": "verifying" } },
    open: { tags: "shown", type: "parallel", states: { countdown, asking } },
  },
});
