/** Checks an order against the API while its payment screen is open: whether the money has come, and whether the API still knows the order. Specification, sections 2 (payDetail) and 4; Decisions, "Payment details in a URL are not believed". */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import {
  errorOf,
  type CallError,
  type RequestFailed,
  requestFailed,
  announceErrorIn,
  keepOutputIn,
  outputOf,
} from "./call-error.ts";
import { billOpened, isOver, type BillOpened, type OrderReading } from "./order-status.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

export type OrderCheckPorts = { readOrder: PromiseActorLogic<OrderReading, { orderId: string }> };

/**
 * `received` is the USDT seen so far; `owed`: what is still asked for, where the API says so. `networkBehind`: payments
 * on the order's network show late at the moment.
 */
export type OrderCheckInput = {
  orderId: string;
  received: string | null;
  owed?: string | null | undefined;
  networkBehind: boolean;
};

export type OrderCheckEvent =
  | { type: "pay.completed" }
  | { type: "cancel" }
  | { type: "retry" }
  /** The page became visible or online again. */
  | { type: "page.visible" }
  /** The countdown: minutes to the deadline, rounded up; negative after it. */
  | { type: "clock.read"; minute: number };

export type OrderCheckEmitted = BillOpened | RequestFailed;

type OrderCheckContext = OrderCheckInput & {
  /** Null before the clock was read. */
  minute: number | null;
  /** The minute in which the payment was last checked; null where it is to be checked whatever the minute. */
  looked: number | null;
};

const check = setup({
  types: {
    context: {} as OrderCheckContext,
    input: {} as OrderCheckInput,
    events: {} as OrderCheckEvent,
    emitted: {} as OrderCheckEmitted,
    /** `gone`: the API no longer knows the order, so its address may by now belong to another user. */
    tags: {} as "busy" | "slow" | "shown" | "gone",
  },
  actors: {} as OrderCheckPorts,
  delays: waitingDelays,
  guards: {
    isOver: (_, reading: OrderReading) => isOver(reading),
    isRefused: (_, { error }: { error: CallError }) => error.kind === "refused",
    hasRunOut: ({ context: { minute } }) => minute !== null && minute <= 0,
    /** A new minute since the last check, after the deadline for as long as a bill polls by itself; or a clock that jumped. */
    isDue: ({ context: { minute, looked } }) =>
      minute !== null && (looked === null || (minute !== looked && minute >= -10)),
  },
  actions: {
    keepReading: assign((_, { received, owed, networkBehind = false }: OrderReading) => ({
      received,
      owed,
      networkBehind,
    })),
    // Where it jumps, the phone's clock was set, or the phone slept: an answer of the API brings its time.
    keepMinute: assign(({ context: { looked, minute: last } }, { minute }: { minute: number }) => {
      if (last === null) return { minute, looked: minute };
      return { minute, looked: Math.abs(minute - last) > 1 ? null : looked };
    }),
    keepLook: assign({ looked: ({ context }) => context.minute }),
    announceBill: emit(({ context: { orderId } }, reading: OrderReading) => billOpened(orderId, reading)),
    /** The specification's status of an order whose time is up. */
    announceRunOut: emit(({ context: { orderId } }, reading: OrderReading) => ({
      ...billOpened(orderId, reading),
      status: 0,
    })),
    announceError: emit(requestFailed),
  },
});

/**
 * Checks the payment: in the background when the page is seen and every minute, and with a visible result when the
 * user asks. A request sent before the phone slept or changed networks is sent again.
 */
const open = check.createStateConfig({
  tags: "shown",
  initial: "glancing",
  states: {
    resting: {
      always: { guard: "isDue", target: "glancing" },
      on: { "page.visible": "glancing", "pay.completed": "reading" },
    },
    // The user may come back from a wallet, or have paid on another device: a finished order opens its bill.
    glancing: {
      entry: "keepLook",
      always: { guard: "isDue", target: "glancing", reenter: true },
      invoke: {
        id: "glance",
        src: "readOrder",
        input: ({ context: { orderId } }) => ({ orderId }),
        onDone: [
          {
            guard: { type: "isOver", params: outputOf },
            target: "resting",
            actions: { type: "announceBill", params: outputOf },
          },
          keepOutputIn("resting", "keepReading"),
        ],
        onError: [
          { guard: { type: "isRefused", params: errorOf }, target: "#orderCheck.gone" },
          { target: "resting" },
        ],
      },
      on: { "page.visible": { target: "glancing", reenter: true }, "pay.completed": "reading" },
    },
    reading: {
      tags: "busy",
      invoke: {
        id: "readOrder",
        src: "readOrder",
        input: ({ context: { orderId } }) => ({ orderId }),
        onDone: [
          {
            guard: "hasRunOut",
            target: "resting",
            actions: { type: "announceRunOut", params: outputOf },
          },
          { target: "resting", actions: { type: "announceBill", params: outputOf } },
        ],
        onError: [
          { guard: { type: "isRefused", params: errorOf }, target: "#orderCheck.gone" },
          announceErrorIn("resting"),
        ],
      },
      ...waiting,
      on: { "page.visible": { target: "reading", reenter: true }, cancel: "resting" },
    },
  },
});

/** Retried when the page is seen or the user asks: the API may have been restored, or have refused only for a moment. */
const gone = check.createStateConfig({
  tags: "gone",
  initial: "resting",
  states: {
    resting: { on: { retry: "asking", "page.visible": "asking" } },
    asking: {
      tags: "busy",
      invoke: {
        id: "askAgain",
        src: "readOrder",
        input: ({ context: { orderId } }) => ({ orderId }),
        onDone: [
          {
            guard: { type: "isOver", params: outputOf },
            target: "#orderCheck.over",
            actions: { type: "announceBill", params: outputOf },
          },
          keepOutputIn("#orderCheck.open", "keepReading"),
        ],
        onError: "resting",
      },
      ...waiting,
      on: { "page.visible": { target: "asking", reenter: true }, cancel: "resting" },
    },
  },
});

export const orderCheckMachine = check.createMachine({
  id: "orderCheck",
  context: ({ input }) => ({ ...input, minute: null, looked: null }),
  initial: "open",
  on: { "clock.read": { actions: { type: "keepMinute", params: ({ event }) => event } } },
  // Until the bill screen is shown.
  states: { open, gone, over: {} },
});
