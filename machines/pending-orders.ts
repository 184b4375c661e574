/** The orders that this browser created and has not seen settled, as they are stored. They survive a reload, a closed tab and an empty battery. Decisions, "Closing and payment". */
import { assign, emit, setup, type SnapshotFrom } from "xstate";
import { isTransfer, openPaymentOf, type KeptOrder, type KeptPayment } from "./kept-orders.ts";

/** A provider has the order; only the API knows whether it was paid. */
export type PaymentBegun = { type: "payment.begun" } & Required<
  Pick<KeptPayment, "orderId" | "amount" | "packName" | "productId" | "payUrl">
>;

/** The API said that the payment failed. */
export type PaymentFailed = { type: "payment.failed"; orderId: string };

/** The provider's script reported a failure; the API may still say otherwise. */
export type PaymentReported = { type: "payment.reported"; orderId: string };

/** It is left behind, and its user was told what comes of that. A transfer already sent is still credited. */
export type OrderDropped = { type: "order.dropped"; orderId: string };

/** The user is no longer reminded of it. */
export type ReminderPutAway = { type: "reminder.putAway"; orderId: string };

type PendingOrdersEvent =
  /** What is stored, by this tab and others. */
  | { type: "storage.changed"; orders: readonly KeptOrder[] }
  /** Now by the API's clock, in milliseconds since 1970. */
  | { type: "clock.read"; now: number }
  /** The user makes a new order in its place. */
  | OrderDropped
  /** The user no longer wants to be reminded of it, and is asked to confirm. */
  | { type: "drop.requested"; orderId: string; standing: Standing }
  /** The API said what has come for it. */
  | { type: "standing.read"; orderId: string; standing: Standing }
  | { type: "drop.confirmed" }
  | { type: "drop.declined" };

export type PendingOrdersEmitted = OrderDropped | ReminderPutAway;

type PendingOrdersContext = {
  orders: readonly KeptOrder[];
  /** When the clock was last read. */
  now: number;
  /** The order that the user is asked about. */
  droppedId: string;
};

export const pendingOrdersMachine = setup({
  types: {
    context: {} as PendingOrdersContext,
    input: {} as Pick<PendingOrdersContext, "orders" | "now">,
    events: {} as PendingOrdersEvent,
    emitted: {} as PendingOrdersEmitted,
  },
  guards: {
    isOther: ({ context }, { orders }: { orders: readonly KeptOrder[] }) =>
      JSON.stringify(orders) !== JSON.stringify(context.orders),
    canDrop: (_, { standing }: { standing: Standing }) => canDrop(standing),
    /** Money has come for the order that the user is asked about. */
    isInTheWay: ({ context }, { orderId, standing }: { orderId: string; standing: Standing }) =>
      orderId === context.droppedId && isFunded(standing),
    /** Settled or dropped meanwhile, in another tab too. */
    isGone: ({ context: { orders, droppedId } }) => !orders.some(({ orderId }) => orderId === droppedId),
  },
  actions: {
    keepDropped: assign({ droppedId: (_, { orderId }: { orderId: string }) => orderId }),
    keepNow: assign({ now: (_, { now }: { now: number }) => now }),
    keepOrders: assign({ orders: (_, { orders }: { orders: readonly KeptOrder[] }) => orders }),
    announceDropped: emit((_, { orderId }: { orderId: string }): PendingOrdersEmitted => ({
      type: "order.dropped",
      orderId,
    })),
    announcePutAway: emit(({ context }): PendingOrdersEmitted => ({
      type: "reminder.putAway",
      orderId: context.droppedId,
    })),
  },
}).createMachine({
  id: "pendingOrders",
  context: ({ input }) => ({ ...input, droppedId: "" }),
  on: {
    "storage.changed": {
      guard: { type: "isOther", params: ({ event }) => event },
      actions: { type: "keepOrders", params: ({ event }) => event },
    },
    "clock.read": { actions: { type: "keepNow", params: ({ event }) => event } },
    "order.dropped": { actions: { type: "announceDropped", params: ({ event }) => event } },
  },
  initial: "keeping",
  states: {
    keeping: {
      on: {
        "drop.requested": {
          guard: { type: "canDrop", params: ({ event }) => event },
          target: "asking",
          actions: { type: "keepDropped", params: ({ event }) => event },
        },
      },
    },
    asking: {
      always: { guard: "isGone", target: "keeping" },
      on: {
        "drop.confirmed": {
          target: "keeping",
          actions: "announcePutAway",
        },
        "drop.declined": "keeping",
        "standing.read": {
          guard: { type: "isInTheWay", params: ({ event }) => event },
          target: "keeping",
        },
      },
    },
  },
});

/** The account's payment whose result comes before the next payment by card; null where there is none. */
export const paymentBeforeNext = (
  { context }: SnapshotFrom<typeof pendingOrdersMachine>,
  accountName: string | null,
): KeptPayment | null => openPaymentOf(context.orders, accountName) ?? null;

/**
 * What the API says of it; null before it has answered. `none`: nothing has come. `part`: partly paid. `arrived`: all of it,
 * or a person checks it. `gone`: it no longer knows the order.
 */
export type Standing = "none" | "part" | "arrived" | "gone" | null;

/** Whether the time to pay it is over. The user may have paid meanwhile. A payment at a provider has no such time. */
export const isLate = (order: KeptOrder, now: number): boolean => isTransfer(order) && order.deadline <= now;

/** Whether money has come for it. */
export const isFunded = (standing: Standing): boolean => standing === "part" || standing === "arrived";

/** Whether its reminder can be dismissed: once the API has said that no money has come for it. */
export const canDrop = (standing: Standing): boolean => standing !== null && !isFunded(standing);
