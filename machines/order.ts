/** Payment screen of an order: verifies what to send where, and counts down to its deadline. Specification, sections 2 (payDetail), 4 and 9; Decisions, "Payment details in a URL are not believed" and "Countdown". */
import { assign, emit, sendTo, setup, type PromiseActorLogic, type SnapshotFrom } from "xstate";
import { errorOf, keepOutputIn, outputOf, showErrorIn, type CallError } from "./call-error.ts";
import { isSameOrder, secondsLeft, type ClaimedOrder, type IssuedOrder } from "./issued-order.ts";
import { orderCheckMachine, type OrderCheckEvent } from "./order-check.ts";
import { billOpened, isOver, type BillOpened, type OrderReading } from "./order-status.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

/** A status with the issued order; `issued` is null when the API does not repeat it or names an invalid address. */
export type IssuedReading = OrderReading & { issued: IssuedOrder | null };

export type OrderPorts = {
  readIssued: PromiseActorLogic<IssuedReading, { orderId: string }>;
  /** Now by the API's clock, in milliseconds since 1970. */
  readClock: PromiseActorLogic<number>;
};

/** `kept` is what this browser stored of the API's answer when the order was created. */
export type OrderInput = { claimed: ClaimedOrder; kept: IssuedOrder | null };

type OrderEvent =
  | { type: "retry" }
  | { type: "cancel" }
  /** The page became visible or online again. */
  | { type: "page.visible" };

export type OrderEmitted = BillOpened;

type OrderContext = {
  claimed: ClaimedOrder;
  issued: IssuedOrder | null;
  /** Milliseconds since 1970; null until the clock was first read. */
  now: number | null;
  /** What had arrived when the order was verified. */
  received: string | null;
  owed: string | null | undefined;
  /** Whether payments on its network show late, as far as was known when the screen opened. */
  networkBehind: boolean;
  error: CallError | null;
};

const order = setup({
  types: {
    context: {} as OrderContext,
    input: {} as OrderInput,
    events: {} as OrderEvent,
    emitted: {} as OrderEmitted,
    children: {} as { check: "check" },
    tags: {} as "slow" | "unverified",
  },
  actors: { check: orderCheckMachine } as OrderPorts & { check: typeof orderCheckMachine },
  delays: { ...waitingDelays, second: 1_000 },
  guards: {
    isKept: ({ context }) => context.issued !== null && isSameOrder(context.claimed, context.issued),
    isAsIssued: ({ context }, { issued }: IssuedReading) =>
      issued !== null && isSameOrder(context.claimed, issued),
    isOver: (_, reading: OrderReading) => isOver(reading),
    isRefused: (_, { error }: { error: CallError }) => error.kind === "refused",
  },
  actions: {
    keepIssued: assign((_, { issued, received, owed, networkBehind = false }: IssuedReading) => ({
      issued,
      received,
      owed,
      networkBehind,
    })),
    keepNow: assign({ now: (_, now: number) => now }),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
    announceBill: emit(({ context }, reading: OrderReading) => billOpened(context.claimed.orderId, reading)),
    tellCheck: sendTo("check", ({ event }) => event as OrderCheckEvent),
    tellMinute: sendTo("check", ({ context: { issued } }, now: number) => ({
      type: "clock.read",
      minute: Math.ceil(((issued?.deadline ?? now) - now) / 60_000),
    })),
  },
});

/** The time left, read from the clock every second, because phones sleep. The payment is checked meanwhile. */
const open = order.createStateConfig({
  invoke: {
    id: "check",
    src: "check",
    input: ({ context: { claimed, received, owed, networkBehind } }) => ({
      orderId: claimed.orderId,
      received,
      owed,
      networkBehind,
    }),
  },
  on: { cancel: { actions: "tellCheck" } },
  initial: "readingClock",
  states: {
    readingClock: {
      invoke: {
        id: "readClock",
        src: "readClock",
        onDone: {
          target: "counting",
          actions: [
            { type: "keepNow", params: outputOf },
            { type: "tellMinute", params: outputOf },
          ],
        },
      },
    },
    // Goes on after the deadline: a late payment is still credited, and a corrected clock can reopen the countdown.
    counting: {
      after: { second: "readingClock" },
      on: { "page.visible": { target: "readingClock", actions: "tellCheck" } },
    },
  },
});

export const orderMachine = order.createMachine({
  id: "order",
  context: ({ input }) => ({
    claimed: input.claimed,
    issued: input.kept,
    now: null,
    received: null,
    owed: undefined,
    networkBehind: input.kept?.networkBehind ?? false,
    error: null,
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
            guard: { type: "isOver", params: outputOf },
            target: "over",
            actions: { type: "announceBill", params: outputOf },
          },
          {
            guard: { type: "isAsIssued", params: outputOf },
            ...keepOutputIn("open", "keepIssued"),
          },
          { target: "forged" },
        ],
        onError: [
          // The API does not know this order, or not for this account.
          { guard: { type: "isRefused", params: errorOf }, target: "unknown" },
          showErrorIn("unreachable"),
        ],
      },
      ...waiting,
      on: {
        retry: { target: "verifying", reenter: true },
        "page.visible": { target: "verifying", reenter: true },
      },
    },
    over: {},
    /** The URL differs from what was issued, which will not change. */
    forged: { tags: "unverified" },
    /** The API does not know the order at the moment. */
    unknown: { tags: "unverified", on: { retry: "verifying", "page.visible": "verifying" } },
    unreachable: { on: { retry: "verifying", "page.visible": "verifying" } },
    open,
  },
});

/* What the payment screen shows of the time */

/** Seconds left to pay: all thirty minutes before the clock was read. */
export const remainingSeconds = ({ context }: SnapshotFrom<typeof orderMachine>) => secondsLeft(context);

export const isExpired = (snapshot: SnapshotFrom<typeof orderMachine>) => remainingSeconds(snapshot) === 0;

/** The message below the countdown: a part is missing, in time or late, or the time is up and nothing has come. */
export type TimeMessage = "part" | "partLate" | "late" | "none";

/** @param missing USDT still to send after a partial payment; null where nothing has come */
export function timeMessage(expired: boolean, missing: string | null): TimeMessage {
  if (missing !== null) return expired ? "partLate" : "part";
  return expired ? "late" : "none";
}
