/** The orders that this browser created and has not seen settled. They survive a reload, a closed tab and an empty battery. Decisions, "Closing and payment". */
import { assign, emit, setup, type SnapshotFrom } from "xstate";
import {
  changedOrders,
  isTransfer,
  openPaymentOf,
  type KeptOrder,
  type KeptPayment,
  type OrdersChange,
} from "./kept-orders.ts";

/** A provider has the order; only the API knows whether it was paid. */
export type PaymentBegun = { type: "payment.begun" } & Required<
  Pick<KeptPayment, "orderId" | "amount" | "packName" | "productId" | "payUrl">
>;

/** The API said that the payment failed. */
export type PaymentFailed = { type: "payment.failed"; orderId: string };

/** The provider's script reported failure; the API may still say otherwise. */
export type PaymentReported = { type: "payment.reported"; orderId: string };

type PendingOrdersEvent =
  | OrdersChange
  /** The user wants to be reminded of it no more, and is asked whether they mean it. */
  | { type: "drop.asked"; orderId: string }
  | { type: "drop.confirmed" }
  | { type: "drop.declined" }
  /** The stored list, including other tabs' changes. */
  | { type: "storage.changed"; orders: readonly KeptOrder[] };

/** This tab's change, to be applied to the stored list. */
export type PendingOrdersEmitted = { type: "orders.changed"; change: OrdersChange };

type PendingOrdersContext = {
  orders: readonly KeptOrder[];
  /** The order that the user is asked about. */
  asked: string;
};

const change = [
  { type: "change", params: ({ event }: { event: OrdersChange }) => event },
  { type: "announce", params: ({ event }: { event: OrdersChange }) => event },
] as const;

/** The order that the user was asked about. */
const dropped = ({ context }: { context: PendingOrdersContext }): OrdersChange => ({
  type: "order.dropped",
  orderId: context.asked,
});

export const pendingOrdersMachine = setup({
  types: {
    context: {} as PendingOrdersContext,
    input: {} as { orders: readonly KeptOrder[] },
    events: {} as PendingOrdersEvent,
    emitted: {} as PendingOrdersEmitted,
  },
  guards: {
    /** Settled or dropped meanwhile, in another tab too. */
    isGone: ({ context: { orders, asked } }) => !orders.some(({ orderId }) => orderId === asked),
  },
  actions: {
    keepAsked: assign({ asked: (_, { orderId }: { orderId: string }) => orderId }),
    change: assign({ orders: ({ context }, made: OrdersChange) => changedOrders(context.orders, made) }),
    replaceOrders: assign({ orders: (_, { orders }: { orders: readonly KeptOrder[] }) => orders }),
    announce: emit((_, made: OrdersChange) => ({ type: "orders.changed" as const, change: made })),
  },
}).createMachine({
  id: "pendingOrders",
  context: ({ input }) => ({ orders: input.orders, asked: "" }),
  on: {
    "order.kept": { actions: change },
    "order.settled": { actions: change },
    "order.dropped": { actions: change },
    "payment.reported": { actions: change },
    "storage.changed": { actions: { type: "replaceOrders", params: ({ event }) => event } },
  },
  initial: "keeping",
  states: {
    keeping: {
      on: {
        "drop.asked": { target: "asking", actions: { type: "keepAsked", params: ({ event }) => event } },
      },
    },
    asking: {
      always: { guard: "isGone", target: "keeping" },
      on: {
        "drop.confirmed": {
          target: "keeping",
          actions: [
            { type: "change", params: dropped },
            { type: "announce", params: dropped },
          ],
        },
        "drop.declined": "keeping",
      },
    },
  },
});

/** The account's payment whose result comes before the next payment by card; null where there is none. */
export const paymentBeforeNext = (
  { context }: SnapshotFrom<typeof pendingOrdersMachine>,
  accountName: string | null,
): KeptPayment | null => openPaymentOf(context.orders, accountName) ?? null;

/* What a reminder says of an order */

/** What the API says of it. `part`: partly paid. `arrived`: all of it, or a person checks it. `gone`: it no longer knows the order. */
export type Standing = "part" | "arrived" | "gone" | null;

export type ReminderMessage = "part" | "arrived" | "gone" | "unsent" | "reported" | "unknown";

export function reminderMessage(order: KeptOrder, standing: Standing): ReminderMessage {
  if (standing !== null) return standing;
  if (isTransfer(order)) return "unsent";
  return order.reportedFailed === true ? "reported" : "unknown";
}
