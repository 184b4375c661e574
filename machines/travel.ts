/** What it takes to go from place to place: the router, which a page that is drawn does without until somebody is there. Decision 18. */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import { failureOf } from "./failure.ts";

/** Where somebody wants to go, and how: `replace`: no step leads back from there; `unasked`: no screen may hold them; `back`: by the arrow of a screen. */
export type Way = {
  readonly to: string;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly replace?: boolean;
  readonly unasked?: boolean;
  readonly back?: boolean;
};

export type TravelPorts = {
  /** Has the router's code come, and starts it. Rejects as outdated where the site answers, but no longer has it. */
  fetchRouter: PromiseActorLogic<void>;
};

type Asked = { type: "way.asked"; way: Way };

type TravelEvent =
  /** There is somebody: they have touched the page, or come near a link, or step through the history. */
  { type: "page.touched" } | Asked | { type: "network.found" };

export type TravelEmitted =
  /** Somebody sets out who has to wait for it. */
  | { type: "way.begun" }
  | { type: "way.led"; way: Way }
  /** It cannot be had now; it is, and they are led on, when the network is back. */
  | { type: "way.missed" }
  /** It cannot be had here any more: a newer release took it away, which the place's own address leads into. */
  | { type: "document.asked"; way: Way };

type Wish = { way: Way | null };

/** Of two ways that wait, the later one counts. */
const setOut = ["tellBegun", { type: "wish", params: ({ event }: { event: Asked }) => event }] as const;

export const travelMachine = setup({
  types: {
    /** What was asked for last, and waits. */
    context: {} as { wish: Way | null },
    events: {} as TravelEvent,
    emitted: {} as TravelEmitted,
  },
  actors: {} as TravelPorts,
  guards: {
    isWished: ({ context }) => context.wish !== null,
    isGone: ({ context }, { error }: { error: unknown }) =>
      context.wish !== null && failureOf(error).kind === "outdated",
  },
  actions: {
    wish: assign({ wish: (_, { way }: Wish) => way }),
    forget: assign({ wish: null }),
    tellBegun: emit({ type: "way.begun" }),
    tellMissed: emit({ type: "way.missed" }),
    lead: emit((_, { way }: Wish) => ({ type: "way.led" as const, way: way as Way })),
    openDocument: emit((_, { way }: Wish) => ({ type: "document.asked" as const, way: way as Way })),
  },
}).createMachine({
  id: "travel",
  context: { wish: null },
  initial: "without",
  states: {
    without: {
      on: {
        "page.touched": "bringing",
        "way.asked": { target: "bringing", actions: setOut },
      },
    },
    bringing: {
      invoke: {
        id: "fetchRouter",
        src: "fetchRouter",
        onDone: [
          {
            guard: "isWished",
            target: "here",
            actions: [{ type: "lead", params: ({ context }) => ({ way: context.wish }) }, "forget"],
          },
          { target: "here" },
        ],
        onError: [
          {
            guard: { type: "isGone", params: ({ event }) => event },
            target: "without",
            actions: [{ type: "openDocument", params: ({ context }) => ({ way: context.wish }) }, "forget"],
          },
          { guard: "isWished", target: "missing", actions: "tellMissed" },
          // With the next touch.
          { target: "without" },
        ],
      },
      on: {
        "way.asked": { actions: setOut },
      },
    },
    missing: {
      on: {
        "network.found": { target: "bringing", actions: "tellBegun" },
        "way.asked": { target: "bringing", actions: setOut },
      },
    },
    // A tap is answered within the tap.
    here: { on: { "way.asked": { actions: { type: "lead", params: ({ event }) => event } } } },
  },
});
