/** The packages on sale: the list, the selection and, in the personal centre, the payment method. Specification, section 2 (buy, personal_info). */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import {
  type CallError,
  type RequestFailed,
  loadFailed,
  requestFailed,
  showErrorIn,
  announceErrorIn,
  outputOf,
  keepOutputIn,
} from "./call-error.ts";
import { invariant } from "./invariant.ts";
import type { Method } from "./payment-methods.ts";
import { refreshing } from "./refreshing.ts";
import { loading, waiting, waitingDelays } from "./slow-request.ts";

/** A package as the API lists it. Amounts are decimal strings in USD; `discount` is the percentage of `price` charged. */
export type Offer = {
  id: string;
  name: string;
  product_id: string;
  price: string;
  buy_price: string;
  day_price: string;
  discount: string;
};

export type CataloguePorts = {
  readPackages: PromiseActorLogic<readonly Offer[]>;
  /** The enabled payment methods, in the order of `knownMethods`. */
  readMethods: PromiseActorLogic<readonly Method[]>;
};

/**
 * `wanted` is the package name of `/buy/{name}`; `picked` is the id of the package selected before and not yet paid
 * for. `knownOffers` is the list in the prerendered page, or empty: it is shown at once, and read from the API anyway.
 */
export type CatalogueInput = { wanted: string | null; picked: string | null; knownOffers: readonly Offer[] };

type CatalogueEvent =
  | { type: "offer.picked"; productId: string }
  /** Buy screen: go to the payment. */
  | { type: "offer.taken" }
  /** Personal centre: open the payment methods. */
  | { type: "methods.requested"; productId: string }
  | { type: "methods.dismissed" }
  | { type: "method.chosen"; method: Method }
  /** The screen was activated again, or the language changed. */
  | { type: "screen.activated" }
  | { type: "retry" };

export type CatalogueEmitted =
  /** A package and a payment method were chosen. */
  { type: "offer.chosen"; offer: Offer; method: Method } | RequestFailed;

type CatalogueContext = {
  wanted: string | null;
  offers: readonly Offer[];
  picked: string | null;
  /** Null until loaded. */
  methods: readonly Method[] | null;
  error: CallError | null;
};

const plain = (name: string) => name.trim().toLowerCase();

/** Whether `name` is the package's name, ignoring case and surrounding spaces. Null matches no package. */
export const isCalled = (offer: Offer, name: string | null) =>
  name !== null && plain(offer.name) === plain(name);

/** Reads the packages, and shows those there are in `target`. */
const readPackagesIn = <T extends string>(target: T) =>
  ({
    id: "readPackages",
    src: "readPackages",
    onDone: [
      { guard: { type: "isEmpty", params: outputOf }, target: "#catalogue.empty" },
      keepOutputIn(target, "keepOffers"),
    ],
  }) as const;

const refresh = readPackagesIn("current");
const listed = refreshing(refresh);

export const catalogueMachine = setup({
  types: {
    context: {} as CatalogueContext,
    input: {} as CatalogueInput,
    events: {} as CatalogueEvent,
    emitted: {} as CatalogueEmitted,
    tags: {} as "slow",
  },
  actors: {} as CataloguePorts,
  delays: waitingDelays,
  guards: {
    isEmpty: (_, offers: readonly Offer[]) => offers.length === 0,
    hasOffers: ({ context }) => context.offers.length > 0,
    isPicked: ({ context }) => context.offers.some((offer) => offer.product_id === context.picked),
    isOnSale: ({ context }, { productId }: { productId: string }) =>
      context.offers.some((offer) => offer.product_id === productId),
  },
  actions: {
    keepOffers: assign(({ context }, offers: readonly Offer[]) => ({
      offers,
      picked:
        offers.find((offer) => offer.product_id === context.picked)?.product_id ??
        offers.find((offer) => isCalled(offer, context.wanted))?.product_id ??
        null,
      error: null,
    })),
    /** Keeps the selection: the package is selected again when the list is reloaded. */
    dropOffers: assign({ offers: [] }),
    keepPicked: assign({ picked: (_, { productId }: { productId: string }) => productId }),
    dropMethods: assign({ methods: null }),
    keepMethods: assign({ methods: (_, methods: readonly Method[]) => methods }),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
    announceError: emit(requestFailed),
    announceChoice: emit(({ context }, { method }: { method: Method }): CatalogueEmitted => {
      const offer = context.offers.find(({ product_id }) => product_id === context.picked);
      return { type: "offer.chosen", offer: invariant(offer), method };
    }),
  },
}).createMachine({
  id: "catalogue",
  context: ({ input: { wanted, picked, knownOffers } }) => ({
    wanted,
    picked,
    offers: knownOffers,
    methods: null,
    error: null,
  }),
  initial: "beginning",
  states: {
    beginning: {
      always: [
        {
          guard: "hasOffers",
          target: "listing.updating",
          actions: { type: "keepOffers", params: ({ context }) => context.offers },
        },
        "loading",
      ],
    },
    loading: {
      ...loading,
      invoke: { ...readPackagesIn("listing"), onError: showErrorIn("failed") },
    },
    empty: { entry: "dropOffers", on: { retry: "loading", "screen.activated": "loading" } },
    failed: loadFailed,
    listing: {
      on: {
        "offer.picked": {
          guard: { type: "isOnSale", params: ({ event }) => event },
          actions: { type: "keepPicked", params: ({ event }) => event },
        },
        "offer.taken": {
          guard: "isPicked",
          actions: { type: "announceChoice", params: { method: "EbPay" } },
        },
        "methods.requested": {
          guard: { type: "isOnSale", params: ({ event }) => event },
          target: "choosingMethod",
          actions: { type: "keepPicked", params: ({ event }) => event },
        },
      },
      ...listed,
      states: {
        ...listed.states,
        // The list came with the page. The screen's first activation sends no second request while this one is under
        // way; after ten seconds without an answer it may.
        updating: { invoke: { ...refresh, onError: "current" }, after: { patience: "current" } },
      },
    },
    choosingMethod: {
      on: { "methods.dismissed": "listing" },
      initial: "reading",
      states: {
        reading: {
          entry: "dropMethods",
          invoke: {
            id: "readMethods",
            src: "readMethods",
            onDone: keepOutputIn("open", "keepMethods"),
            onError: announceErrorIn("#catalogue.listing"),
          },
          ...waiting,
        },
        open: {
          on: {
            "method.chosen": {
              target: "#catalogue.listing",
              actions: { type: "announceChoice", params: ({ event }) => event },
            },
          },
        },
      },
    },
  },
});
