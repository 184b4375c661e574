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

/** The list with another page. An order that was listed already is not listed twice. */
export const withNextPage = (list: OrderPage, page: OrderPage): OrderPage => ({
  orders: [
    ...list.orders,
    ...page.orders.filter(({ orderId }) => list.orders.every((one) => one.orderId !== orderId)),
  ],
  next: page.next,
});

type Context = {
  list: OrderPage;
  /** The first pages of the list, as they were read again; empty before the first. */
  fresh: OrderPage;
  error: CallError | null;
};

const nothing: OrderPage = { orders: [], next: null };

/** The pages that were read again, with the one that has just come. */
const freshWith = ({ context, event }: { context: Context; event: { output: OrderPage } }) =>
  withNextPage(context.fresh, event.output);

/** An order of any page may have been settled since, so a list is read again as far as it is shown. */
const asFarAsShown = [
  {
    guard: { type: "isShort", params: freshWith },
    target: "rereading",
    reenter: true,
    actions: { type: "keepFresh", params: freshWith },
  },
  { target: "current", actions: { type: "keepList", params: freshWith } },
] as const;

const firstPage = { id: "readOrders", src: "readOrders", input: { cursor: null } } as const;

/** From the wallet or a bill, perhaps: what is shown may have changed, which comes before what is not. */
const returning = {
  "screen.activated": "#orderHistory.listing.refreshing",
  "page.visible": "#orderHistory.listing.refreshing",
} as const;

const again = refreshing({ ...firstPage, onDone: asFarAsShown });

export const orderHistoryMachine = setup({
  types: {
    context: {} as Context,
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
    /** There are more orders on the screen than in `pages`, and the last page led on. */
    isShort: ({ context: { list, fresh } }, pages: OrderPage) =>
      pages.next !== null &&
      pages.orders.length < list.orders.length &&
      pages.orders.length > fresh.orders.length,
  },
  actions: {
    keepList: assign({ list: (_, list: OrderPage) => list, error: null }),
    keepFresh: assign({ fresh: (_, pages: OrderPage) => pages }),
    dropFresh: assign({ fresh: nothing }),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
  },
}).createMachine({
  id: "orderHistory",
  context: { list: nothing, fresh: nothing, error: null },
  initial: "loading",
  states: {
    loading: {
      ...loading,
      invoke: {
        ...firstPage,
        onDone: keepOutputIn("listing", "keepList"),
        onError: showErrorIn("failed"),
      },
    },
    failed: loadFailed,
    listing: {
      tags: "listed",
      on: {
        "more.requested": { guard: "hasMore", target: "adding" },
        "page.visible": returning["page.visible"],
      },
      ...again,
      states: {
        ...again.states,
        refreshing: { ...again.states.refreshing, entry: "dropFresh" },
        rereading: {
          on: again.states.refreshing.on,
          invoke: {
            id: "readOrders",
            src: "readOrders",
            input: ({ context }) => ({ cursor: context.fresh.next }),
            onDone: asFarAsShown,
            onError: "current",
          },
        },
      },
    },
    adding: {
      tags: ["listed", "busy"],
      invoke: {
        id: "readMore",
        src: "readOrders",
        input: ({ context }) => ({ cursor: context.list.next }),
        onDone: {
          target: "listing",
          actions: {
            type: "keepList",
            params: ({ context, event }) => withNextPage(context.list, event.output),
          },
        },
        onError: showErrorIn("addingFailed"),
      },
      ...waiting,
      on: { ...returning, retry: { target: "adding", reenter: true } },
    },
    addingFailed: {
      tags: "listed",
      on: { ...returning, retry: "adding" },
    },
  },
});
