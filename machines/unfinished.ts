/** The orders that this browser made and has not seen settled: they survive a reload, a closed tab, a dead battery. Decisions, "Closing and payment". */
import { assign, emit, setup } from "xstate";
import { isTransfer, type KeptOrder, type KeptPayment } from "./kept-orders.ts";

/** A provider has the order: whether it was paid, only the API knows. */
export type PaymentBegun = { type: "payment.begun" } & Required<Omit<KeptPayment, "accountName">>;

/** The provider, or the API, said that nothing came of it. */
export type PaymentFailed = { type: "payment.failed"; orderId: string };

/** Of transfers, and of payments: enough for a person who hesitates; the API keeps them all. */
const MOST_KEPT = 10;

type UnfinishedEvent =
  | { type: "order.kept"; order: KeptOrder }
  /** The API said what became of it. */
  | { type: "order.settled"; orderId: string }
  /** The person is done with it: what they may have sent is credited all the same. */
  | { type: "order.dropped"; orderId: string }
  /** Another tab changed the list. */
  | { type: "storage.changed"; orders: readonly KeptOrder[] };

export type UnfinishedEmitted = { type: "orders.changed"; orders: readonly KeptOrder[] };

export const unfinishedMachine = setup({
  types: {
    context: {} as { orders: readonly KeptOrder[] },
    input: {} as { orders: readonly KeptOrder[] },
    events: {} as UnfinishedEvent,
    emitted: {} as UnfinishedEmitted,
  },
  actions: {
    addOrder: assign({
      orders: ({ context }, { order }: { order: KeptOrder }) => {
        const orders = [order, ...context.orders.filter(({ orderId }) => orderId !== order.orderId)];
        const like = orders.filter((each) => isTransfer(each) === isTransfer(order));
        return orders.filter((each) => !like.slice(MOST_KEPT).includes(each));
      },
    }),
    dropOrder: assign({
      orders: ({ context }, { orderId }: { orderId: string }) =>
        context.orders.filter((order) => order.orderId !== orderId),
    }),
    replaceOrders: assign({ orders: (_, { orders }: { orders: readonly KeptOrder[] }) => orders }),
    announce: emit(({ context }) => ({ type: "orders.changed" as const, orders: context.orders })),
  },
}).createMachine({
  id: "unfinished",
  context: ({ input }) => ({ orders: input.orders }),
  initial: "keeping",
  states: {
    keeping: {
      on: {
        "order.kept": { actions: [{ type: "addOrder", params: ({ event }) => event }, "announce"] },
        "order.settled": { actions: [{ type: "dropOrder", params: ({ event }) => event }, "announce"] },
        "order.dropped": { actions: [{ type: "dropOrder", params: ({ event }) => event }, "announce"] },
        "storage.changed": { actions: { type: "replaceOrders", params: ({ event }) => event } },
      },
    },
  },
});
