/** The bar at the top during a navigation, which way it led, and the views that are kept. Specification, section 2 ("On every navigation …"). */
import { assign, emit, setup } from "xstate";

/**
 * A view that was visited. `key` tells two of one name apart (the same route with other parameters); `step` is its place
 * in the history, and `entry` the name of that place; `returns` where it stands in a step's stead to lead back, as the
 * arrow of a screen does.
 */
export type Visit = {
  name: string;
  key: string;
  noCache: boolean;
  params: Readonly<Record<string, string>>;
  step: number;
  entry: string;
  returns: boolean;
};

/** By the entry of the history: what stands one step before it. */
export type Trail = Readonly<Record<string, Pick<Visit, "name" | "params">>>;

/** Which way the last navigation led: on, back, or to something else in the same place. */
export type Direction = "forward" | "back" | "across";

/** Kept views hold their whole page in memory; a person goes back a few steps, not twenty. */
const MOST_KEPT = 8;
const LEAST = 0.3;

/** `moves`: it may be seen to come, and the one before it to go. */
type Arrived = { type: "navigation.finished"; visit: Visit; moves: boolean };

type ProgressEvent =
  | { type: "navigation.started" }
  | Arrived
  /** What it takes to go there could not be had. */
  | { type: "navigation.missed" }
  /** The first view was in the page as it came: there was no way to it, so nothing runs. */
  | { type: "page.opened"; visit: Visit }
  /** What was known of it before a reload. */
  | { type: "trail.recalled"; trail: Trail }
  /** What is kept belongs to somebody else, or is out of date. */
  | { type: "views.dropped" };

/** The view on the screen is about to be left: whoever knows where one was on it remembers now. */
export type ProgressEmitted = { type: "view.left" };

/** The next stop of the bar: ever smaller steps, never the end. */
const trickled = (value: number) => {
  const step = value < 0.5 ? 0.04 : value < 0.8 ? 0.02 : value < 0.99 ? 0.005 : 0;
  return Math.round((value + step) * 1000) / 1000;
};

/** What stands before a visit is what it was led on from; before one in another's stead, what stood before that. */
function trailed(trail: Trail, from: Visit | null, { entry, step }: Visit): Trail {
  const before = from && (step === from.step ? trail[from.entry] : step === from.step + 1 ? from : null);
  if (!before) return trail;
  const { name, params } = before;
  return { ...trail, [entry]: { name, params } };
}

function wayOf(from: Visit | null, to: Visit): Direction {
  if (!from) return "across";
  if (to.step === from.step) return to.returns ? "back" : "across";
  return to.step < from.step ? "back" : "forward";
}

/** Whether one step back leads to `place`, as far as is known. */
export function cameFrom(
  { trail, current }: { trail: Trail; current: Visit | null },
  { to, params = {} }: { to: string; params?: Readonly<Record<string, string>> },
): boolean {
  const before = current && trail[current.entry];
  return before?.name === to && Object.keys(params).every((name) => before.params[name] === params[name]);
}

const arrival = {
  target: "moving",
  actions: [
    { type: "keepLeaving", params: ({ event }: { event: Arrived }) => event },
    { type: "keepVisit", params: ({ event }: { event: Arrived }) => event },
  ],
} as const;

export const progressMachine = setup({
  types: {
    context: {} as {
      value: number;
      current: Visit | null;
      kept: readonly Visit[];
      way: Direction;
      /** The view that is seen to go, until it has gone. */
      leaving: Visit | null;
      trail: Trail;
    },
    events: {} as ProgressEvent,
    emitted: {} as ProgressEmitted,
  },
  delays: { trickle: 200, speed: 500, turn: 360 },
  actions: {
    begin: assign({ value: LEAST }),
    tellLeft: emit({ type: "view.left" }),
    creep: assign({ value: ({ context }) => trickled(context.value) }),
    fill: assign({ value: 1 }),
    empty: assign({ value: 0 }),
    keepVisit: assign({
      current: (_, { visit }: { visit: Visit }) => visit,
      trail: ({ context: { trail, current } }, { visit }: { visit: Visit }) => trailed(trail, current, visit),
      way: ({ context }, { visit }: { visit: Visit }) => wayOf(context.current, visit),
      kept: ({ context }, { visit }: { visit: Visit }) => {
        const others = context.kept.filter((kept) => kept.key !== visit.key);
        return visit.noCache ? others : [...others, visit].slice(-MOST_KEPT);
      },
    }),
    keepLeaving: assign({
      leaving: ({ context: { current } }, { visit, moves }: { visit: Visit; moves: boolean }) =>
        moves && current?.key !== visit.key ? current : null,
    }),
    forgetLeaving: assign({ leaving: null }),
    recall: assign({ trail: ({ context }, { trail }: { trail: Trail }) => ({ ...trail, ...context.trail }) }),
    /** The one on the screen stays until it is left. */
    dropViews: assign({ kept: [] }),
  },
}).createMachine({
  id: "progress",
  context: { value: 0, current: null, kept: [], way: "across", leaving: null, trail: {} },
  type: "parallel",
  on: {
    "page.opened": { actions: { type: "keepVisit", params: ({ event }) => event } },
    "trail.recalled": { actions: { type: "recall", params: ({ event }) => event } },
    "views.dropped": { actions: "dropViews" },
  },
  states: {
    turn: {
      initial: "still",
      states: {
        still: { entry: "forgetLeaving", on: { "navigation.finished": arrival } },
        moving: { after: { turn: "still" }, on: { "navigation.finished": { ...arrival, reenter: true } } },
      },
    },
    bar: {
      initial: "idle",
      on: {
        "navigation.started": { target: ".running", actions: ["tellLeft", "begin"] },
        "navigation.finished": ".finishing",
      },
      states: {
        idle: { entry: "empty" },
        running: {
          on: {
            // A redirect starts another navigation within the first: the bar goes on from where it is.
            "navigation.started": { actions: "tellLeft" },
            "navigation.missed": "finishing",
          },
          after: { trickle: { target: "running", reenter: true, actions: "creep" } },
        },
        finishing: { entry: "fill", after: { speed: "idle" } },
      },
    },
  },
});
