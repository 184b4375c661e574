/** Navigation: the current view, the cached ones and the back stack, the direction of the transition, and the progress bar at the top. Specification, section 2 ("On every navigation …"). */
import { assign, emit, setup } from "xstate";

/**
 * A visited view. `key` distinguishes views of the same route with other parameters; `step` is its history index and
 * `entry` its history key. `returns`: it replaces an entry in order to go back, as a screen's back arrow does.
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

/** For each history entry, the view one step before it. */
export type BackStack = Readonly<Record<string, Pick<Visit, "name" | "params">>>;

/** The last navigation's direction: forward, back, or a replacement of the same history entry. */
export type Direction = "forward" | "back" | "across";

/** Cached views keep their whole DOM in memory, and users go back only a few steps. */
const MOST_KEPT = 8;
const LEAST = 0.3;

/** `moves`: the transition is animated. */
type Arrived = { type: "navigation.finished"; visit: Visit; moves: boolean };

type NavigationEvent =
  | { type: "navigation.started" }
  | Arrived
  /** The first view was prerendered: there was no navigation, so no bar is shown. */
  | { type: "page.opened"; visit: Visit }
  /** The back stack restored after a reload. */
  | { type: "backStack.restored"; backStack: BackStack }
  /** The cached views belong to another account or are out of date. */
  | { type: "views.dropped" };

/** The current view is about to be left: scroll and focus positions are stored now. */
export type NavigationEmitted = { type: "view.left" };

/** The bar's next value: steps get smaller, and it never reaches the end by itself. */
const trickled = (value: number) => {
  const step = value < 0.5 ? 0.04 : value < 0.8 ? 0.02 : value < 0.99 ? 0.005 : 0;
  return Math.round((value + step) * 1000) / 1000;
};

/** The entry before a visit is the view that led to it; a replacement keeps the entry before the replaced one. */
function backStackAfter(backStack: BackStack, from: Visit | null, { entry, step }: Visit): BackStack {
  const before = from && (step === from.step ? backStack[from.entry] : step === from.step + 1 ? from : null);
  if (!before) return backStack;
  const { name, params } = before;
  return { ...backStack, [entry]: { name, params } };
}

function directionOf(from: Visit | null, to: Visit): Direction {
  if (!from) return "across";
  if (to.step === from.step) return to.returns ? "back" : "across";
  return to.step < from.step ? "back" : "forward";
}

/** A route, with those of its parameters that tell it from others. */
export type Place = { to: string; params?: Readonly<Record<string, string>> };

/** Whether one step back leads to `place`, as far as is known. */
export function cameFrom(
  { backStack, current }: { backStack: BackStack; current: Visit | null },
  { to, params = {} }: Place,
): boolean {
  const before = current && backStack[current.entry];
  return before?.name === to && Object.keys(params).every((name) => before.params[name] === params[name]);
}

/** Whether the current view opens where it was left: a cached one does, and another does after a step back. */
export const opensAsLeft = ({
  current,
  direction,
}: {
  current: Pick<Visit, "noCache"> | null;
  direction: Direction;
}): boolean => current?.noCache !== true || direction === "back";

const arrival = {
  target: "moving",
  actions: [
    { type: "keepLeaving", params: ({ event }: { event: Arrived }) => event },
    { type: "keepVisit", params: ({ event }: { event: Arrived }) => event },
  ],
} as const;

export const navigationMachine = setup({
  types: {
    context: {} as {
      progress: number;
      current: Visit | null;
      kept: readonly Visit[];
      direction: Direction;
      /** The view that is animated out, until the animation ends. */
      leaving: Visit | null;
      backStack: BackStack;
    },
    events: {} as NavigationEvent,
    emitted: {} as NavigationEmitted,
  },
  delays: { trickle: 200, speed: 500, transition: 360 },
  actions: {
    begin: assign({ progress: LEAST }),
    announceLeft: emit({ type: "view.left" }),
    creep: assign({ progress: ({ context }) => trickled(context.progress) }),
    fill: assign({ progress: 1 }),
    empty: assign({ progress: 0 }),
    keepVisit: assign({
      current: (_, { visit }: { visit: Visit }) => visit,
      backStack: ({ context: { backStack, current } }, { visit }: { visit: Visit }) =>
        backStackAfter(backStack, current, visit),
      direction: ({ context }, { visit }: { visit: Visit }) => directionOf(context.current, visit),
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
    restoreBackStack: assign({
      backStack: ({ context }, { backStack }: { backStack: BackStack }) => ({
        ...backStack,
        ...context.backStack,
      }),
    }),
    /** The current view stays until it is left. */
    dropViews: assign({ kept: [] }),
  },
}).createMachine({
  id: "navigation",
  context: { progress: 0, current: null, kept: [], direction: "across", leaving: null, backStack: {} },
  type: "parallel",
  on: {
    "page.opened": { actions: { type: "keepVisit", params: ({ event }) => event } },
    "backStack.restored": { actions: { type: "restoreBackStack", params: ({ event }) => event } },
    "views.dropped": { actions: "dropViews" },
  },
  states: {
    transition: {
      initial: "still",
      states: {
        still: { entry: "forgetLeaving", on: { "navigation.finished": arrival } },
        moving: {
          after: { transition: "still" },
          on: { "navigation.finished": { ...arrival, reenter: true } },
        },
      },
    },
    bar: {
      initial: "idle",
      on: {
        "navigation.started": { target: ".running", actions: ["announceLeft", "begin"] },
        "navigation.finished": ".finishing",
      },
      states: {
        idle: { entry: "empty" },
        running: {
          on: {
            // A redirect starts a second navigation within the first: the bar continues from its value.
            "navigation.started": { actions: "announceLeft" },
          },
          after: { trickle: { target: "running", reenter: true, actions: "creep" } },
        },
        finishing: { entry: "fill", after: { speed: "idle" } },
      },
    },
  },
});
