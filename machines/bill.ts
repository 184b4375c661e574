/** Bill screen: reads an order's status at once, then every minute for ten minutes. Specification, section 4 ("Order/bill status"); Decisions, "Bill". */
import { assign, emit, not, setup, stateIn, type PromiseActorLogic, type SnapshotFrom } from "xstate";
import { errorOf, type CallError, showErrorIn, outputOf, keepOutputIn } from "./call-error.ts";
import {
  isConfirmed,
  isFailed,
  isOver,
  missingFrom,
  surplusFrom,
  type OrderReading,
  type OrderSettled,
} from "./order-status.ts";
import { isTransfer, wasReported, type KeptOrder } from "./kept-orders.ts";
import type { Standing } from "./pending-orders.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

export type BillPorts = {
  /** One request per call. Every statement about the order comes from this answer. */
  readOrder: PromiseActorLogic<OrderReading, { orderId: string }>;
};

/**
 * `inBackground`: the order is looked at where no screen shows its bill. `claimed`: the status that the address
 * names. Only the API can say that an order is settled.
 */
export type BillInput = { orderId: string; inBackground?: true; claimed?: number };

type BillEvent =
  | { type: "retry" }
  /** The page became visible or online again. */
  | { type: "page.visible" };

export type BillEmitted = OrderSettled;

type Begun = ReturnType<typeof begunAs>;

/** What is known here of a payment begun at a provider: nothing yet, or that its script called it failed. Null for any other order. */
export const begunAs = (order: KeptOrder | null): "open" | "reported" | null => {
  if (order === null || isTransfer(order)) return null;
  return wasReported(order) ? "reported" : "open";
};

export const billMachine = setup({
  types: {
    context: {} as BillInput & {
      reading: OrderReading | null;
      error: CallError | null;
      /** Whether the user asked for the last read. Then the screen confirms the read even if nothing changed. */
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
    isConfirmed: (_, reading: OrderReading) => isConfirmed(reading),
    isOver: stateIn({ limit: "over" }),
    /** The API does not know this order, or not for this account. An earlier status no longer holds. */
    isUnknown: (_, { error }: { error: CallError }) => error.kind === "refused",
    isFailed: (_, reading: OrderReading) => isFailed(reading),
  },
  actions: {
    keepReading: assign({ reading: (_, reading: OrderReading) => reading, error: null }),
    announceSettled: emit(
      ({ context: { orderId, inBackground } }, { isPaid }: { isPaid: boolean }): BillEmitted => ({
        type: "order.settled",
        orderId,
        isPaid,
        ...(inBackground ? { inBackground } : {}),
      }),
    ),
    dropReading: assign({ reading: null }),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
    keepAsker: assign({ byHand: ({ event }) => event.type === "retry" }),
  },
}).createMachine({
  id: "bill",
  context: ({ input }) => ({ ...input, reading: null, error: null, byHand: false }),
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
                guard: { type: "isConfirmed", params: outputOf },
                ...keepOutputIn("confirmed", "keepReading"),
              },
              {
                guard: { type: "isFailed", params: outputOf },
                ...keepOutputIn("failed", "keepReading"),
              },
              keepOutputIn("pausing", "keepReading"),
            ],
            onError: [
              {
                guard: { type: "isUnknown", params: errorOf },
                target: "unknown",
                actions: ["dropReading", { type: "keepError", params: errorOf }],
              },
              // A failed request says nothing about the payment, so it is retried at the next minute.
              showErrorIn("pausing"),
            ],
          },
          ...waiting,
          // A request that hangs must not stop the polling.
          after: {
            pollEvery: { guard: not("isOver"), target: "asking", reenter: true },
          },
          on: {
            retry: { target: "asking", reenter: true },
            // A request sent before the phone slept or changed networks may never be answered.
            "page.visible": { target: "asking", reenter: true },
          },
        },
        pausing: {
          tags: "pending",
          always: { guard: "isOver", target: "stopped" },
          after: { pollEvery: "asking" },
          on: { "page.visible": "asking", retry: "asking" },
        },
        // The refusal may be temporary, so the user can retry.
        unknown: { on: { "page.visible": "asking", retry: "asking" } },
        stopped: { tags: "pending", on: { "page.visible": "asking", retry: "asking" } },
        confirmed: { tags: "settled", entry: { type: "announceSettled", params: { isPaid: true } } },
        failed: { tags: "settled", entry: { type: "announceSettled", params: { isPaid: false } } },
      },
    },
  },
});

/* What a bill says of the money */

/** USDT still to send after a partial payment. Null before any payment, once settled, while a person checks it, and for orders without an address. */
export const missingIn = (reading: OrderReading | null): string | null =>
  reading === null || reading.held || isConfirmed(reading) || isFailed(reading) || reading.unit === "USD"
    ? null
    : missingFrom(reading);

/** USDT received once the full amount is there, or a person checks it, for an order with an address; null until then. */
export const arrivedIn = (reading: OrderReading | null): string | null =>
  reading !== null && reading.unit !== "USD" && isOver(reading) ? reading.received : null;

/** Whether nothing has come that a pending order in USDT could be paid with. */
export const isUnsent = (snapshot: SnapshotFrom<typeof billMachine>): boolean => {
  const { reading } = snapshot.context;
  if (!snapshot.hasTag("pending") || reading === null || reading.held) return false;
  return missingIn(reading) === null && arrivedIn(reading) === null;
};

/** Whether a payment that is not confirmed yet may show later than usual, because its network is read late. */
export const isLateIn = (reading: OrderReading | null): boolean => reading?.networkBehind ?? false;

/** The overpaid amount, in the order's unit; null when nothing was overpaid. */
export const surplusIn = (reading: OrderReading | null): string | null => reading && surplusFrom(reading);

type OrderStatus = "confirmed" | "failed" | "returned" | "held" | "partlyPaid" | "pending";

/**
 * What the bill shows first. `partlyPaid` and `held` are pending, too, and `returned` has failed. `unread`: an order that is
 * called settled, until the API has said so. `reported`: pending, and the provider's script called it failed.
 */
export type BillStatus = OrderStatus | "unknown" | "unread" | "reported";

/** What an order that was read is shown as. */
export const statusOf = (reading: OrderReading | null): OrderStatus => {
  if (reading === null) return "pending";
  if (isConfirmed(reading)) return "confirmed";
  if (isFailed(reading)) return reading.returned ? "returned" : "failed";
  if (reading.held) return "held";
  return missingIn(reading) === null ? "pending" : "partlyPaid";
};

/** @param begun what this browser knows of a payment that it began at a provider */
export const billStatus = (snapshot: SnapshotFrom<typeof billMachine>, begun: Begun): BillStatus => {
  const { reading, claimed: status = 0 } = snapshot.context;
  if (snapshot.matches({ bill: "unknown" })) return "unknown";
  if (reading === null && (isConfirmed({ status }) || isFailed({ status }))) return "unread";
  const shown = statusOf(reading);
  return shown === "pending" && begun === "reported" ? "reported" : shown;
};

/**
 * Until when a pending order is to be paid that nothing has come for, in milliseconds since 1970; null where there is no such
 * time. `kept` is what this browser stored of it.
 */
export const deadlineIn = (
  snapshot: SnapshotFrom<typeof billMachine>,
  kept: KeptOrder | null,
): number | null => {
  const { reading } = snapshot.context;
  if (!isUnsent(snapshot) || reading?.unit === "USD" || begunAs(kept) !== null) return null;
  return (kept && isTransfer(kept) ? kept.deadline : reading?.deadline) ?? null;
};

/** What a reminder of the order must say. */
export const standingOf = (snapshot: SnapshotFrom<typeof billMachine>): Standing => {
  if (snapshot.matches({ bill: "unknown" })) return "gone";
  const { reading } = snapshot.context;
  if (reading === null) return null;
  if (reading.held || arrivedIn(reading) !== null) return "arrived";
  return missingIn(reading) === null ? "none" : "part";
};

/** Whether the user asked again, and the API had nothing new to say. */
export const isCheckedAgain = (snapshot: SnapshotFrom<typeof billMachine>): boolean =>
  snapshot.context.byHand &&
  snapshot.context.error === null &&
  snapshot.hasTag("pending") &&
  !snapshot.hasTag("asking");

/** What a pending bill tells the user. */
export type BillMessage =
  | "held"
  | "partMissing"
  | "confirming"
  | "checksStopped"
  | "reported"
  | "paidElsewhere"
  | "timeUp"
  | "waiting";

/** Null while nothing can be said: `unread`. @param timeUp whether the time to pay is over */
export const billMessage = (
  snapshot: SnapshotFrom<typeof billMachine>,
  begun: Begun,
  timeUp: boolean,
): BillMessage | null => {
  const { reading } = snapshot.context;
  const status = billStatus(snapshot, begun);
  if (status === "unread") return null;
  if (reading?.held) return "held";
  if (missingIn(reading) !== null) return "partMissing";
  if (arrivedIn(reading) !== null) return "confirming";
  if (snapshot.matches({ bill: "stopped" })) return "checksStopped";
  if (status === "reported") return "reported";
  if (begun !== null || reading?.unit === "USD") return "paidElsewhere";
  return timeUp ? "timeUp" : "waiting";
};
