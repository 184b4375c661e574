/** All orders of the account, the latest first, page by page. Decision 30. */
import { assign, setup, type PromiseActorLogic } from "xstate";
import { type CallError, loadFailed, showErrorIn, keepOutputIn } from "./call-error.ts";
import type { OrderReading, PaymentWay } from "./order-status.ts";
import { refreshing } from "./refreshing.ts";
import { loading, waiting, waitingDelays } from "./slow-request.ts";

export type PastOrder = {
  orderId: string;
  packName: string;
  way: PaymentWay;
  reading: OrderReading;
};

/** `next` is the cursor of the page after this one; null: there is none. */
export type OrderPage = { orders: readonly PastOrder[]; next: string | null };

export type OrderHistoryPorts = {
  /** `cursor` null: the first page. */
  readOrders: PromiseActorLogic<OrderPage, { cursor: string | null }>;
};

/** The list after its first page was read again: orders that follow that page stay, if nothing lies between. */
export function withFirstPage(list: OrderPage, page: OrderPage): OrderPage {
  const last = page.orders.at(-1)?.orderId;
  const at = list.orders.findIndex(({ orderId }) => orderId === last);
  const rest = at === -1 ? [] : list.orders.slice(at + 1);
  return rest.length === 0 ? page : { orders: [...page.orders, ...rest], next: list.next };
}

/** The list with another page. An order that was listed already is not listed twice. */
export const withNextPage = (list: OrderPage, page: OrderPage): OrderPage => ({
  orders: [
    ...list.orders,
    ...page.orders.filter(({ orderId }) => list.orders.every((one) => one.orderId !== orderId)),
  ],
  next: page.next,
});

const firstPage = { id: "readOrders", src: "readOrders", input: { cursor: null } } as const;

export const orderHistoryMachine = setup({
  types: {
    context: {} as { list: OrderPage; error: CallError | null },
    events: {} as
      | { type: "more.requested" }
      | { type: "retry" }
      | { type: "screen.activated" }
      /** The page became visible or online again. */
      | { type: "page.visible" },
    tags: {} as "listed" | "busy" | "slow",
  },
  actors: {} as OrderHistoryPorts,
  delays: waitingDelays,
  guards: {
    hasMore: ({ context }) => context.list.next !== null,
  },
  actions: {
    keepFirst: assign({
      list: ({ context }, page: OrderPage) => withFirstPage(context.list, page),
      error: null,
    }),
    keepNext: assign({
      list: ({ context }, page: OrderPage) => withNextPage(context.list, page),
      error: null,
    }),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
  },
}).createMachine({
  id: "orderHistory",
  context: { list: { orders: [], next: null }, error: null },
  initial: "loading",
  states: {
    loading: {
      ...loading,
      invoke: {
        ...firstPage,
        onDone: keepOutputIn("listing", "keepFirst"),
        onError: showErrorIn("failed"),
      },
    },
    failed: loadFailed,
    listing: {
      tags: "listed",
      on: {
        "more.requested": { guard: "hasMore", target: "adding" },
        // From the wallet, perhaps.
        "page.visible": ".refreshing",
      },
      ...refreshing({ ...firstPage, onDone: keepOutputIn("current", "keepFirst") }),
    },
    adding: {
      tags: ["listed", "busy"],
      invoke: {
        id: "readMore",
        src: "readOrders",
        input: ({ context }) => ({ cursor: context.list.next }),
        onDone: keepOutputIn("listing", "keepNext"),
        onError: showErrorIn("addingFailed"),
      },
      ...waiting,
      on: {
        retry: { target: "adding", reenter: true },
        "screen.activated": { target: "adding", reenter: true },
      },
    },
    addingFailed: {
      tags: "listed",
      on: { retry: "adding", "screen.activated": "adding" },
    },
  },
});
