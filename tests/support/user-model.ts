/** User models: what a user can do and see, in a small model that knows nothing of the chart. Its paths are performed on the chart, on the screen and in a browser. */
import { createShortestPathsGen, createTestModel, type PathGenerator } from "@xstate/test";
import { describe, expect, test } from "vitest";
import {
  getNextSnapshot,
  setup,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventFrom,
  type EventObject,
  type InputFrom,
  type Snapshot,
  type SnapshotFrom,
} from "xstate";
import type { StatePath } from "xstate/graph";
import { keepWalk } from "./coverage.ts";
import { repeats } from "./lane.ts";
import type { Reply } from "./replies.ts";
import type { User } from "../user.ts";
import { Harness } from "./harness.ts";

/** The toast, or "": what is said politely, but for the words of a long wait. */
export const toastText = async (user: User): Promise<string> =>
  (await user.statusTexts()).find((words) => !words.startsWith(LATE)) ?? "";
/** Decisions, "Default timeout none". */
export const isLate = (user: User): Promise<boolean> => user.hasText(LATE);
const LATE = "This is taking longer than usual. Your connection may be slow.";

/** Which of the named fields are marked as wrong. */
export async function markedAmong(user: User, names: readonly string[]): Promise<string[]> {
  const marked: string[] = [];
  for (const name of names) if (await user.isVisible(`[name=${name}][aria-invalid=true]`)) marked.push(name);
  return marked;
}

/* The model. */

/** How something that happens comes about: for the chart, and for the person. */
export type Action<M extends AnyStateMachine> = (
  | { sends: EventFrom<M> | readonly EventFrom<M>[] }
  /** To the chart that it invokes by that id. */
  | { child: string; event: EventObject }
  /** A port answers its invoke, or fails. */
  | { invoke: string; output: unknown }
  | { invoke: string; error: Error }
  | { ms: number }
  /** The chart does not hear of it. */
  | { outsideChart: true }
  /** The person leaves the screen, and the chart goes with it. */
  | { unmounts: true }
) &
  OnScreen;
type OnScreen = {
  does?: (user: User) => Promise<unknown>;
  /** What the service answers to which call. */
  call?: string;
  reply?: Reply;
  /** In a browser the real service says the same. */
  real?: boolean;
};

export type UserModel<M extends AnyStateMachine = AnyStateMachine, View extends object = object> = {
  chart: M;
  input?: InputFrom<M>;
  /** Invokes that are answered at once, by their port. */
  immediate?: Record<string, (input: never, now: number) => unknown>;
  /** Written from the specification: its events are the names of actions, the `meta` of its states is what is seen there. */
  person: AnyStateMachine;
  /** What is seen where the model says nothing else. */
  defaultView: View;
  actions: Readonly<Record<string, Action<M>>>;
  /** The part of the view that the chart knows. */
  viewOfChart: (state: SnapshotFrom<M>, harness: Harness<M>) => Partial<View>;
  viewOnScreen: (user: User) => Promise<View>;
};

/** Begins the model of a person: the `meta` of its states is what is seen there. */
export const userWhoSees = <View extends object>(_look: View) =>
  setup({ types: { meta: {} as Partial<View> } });

export const wait = {
  /**
   * A wait for an answer, in the model of a person: what is seen meanwhile, what ends it, and what a long one may be
   * ended by, each with where that leads (`#person.…`). Decisions, "Default timeout none".
   */
  of: <View extends object>(
    defaultView: View,
    answers: Record<string, string>,
    givenUp: Record<string, string>,
  ) => ({
    initial: "short" as const,
    states: {
      short: { meta: defaultView, on: { ...answers, "nine seconds pass": "almostLong" } },
      almostLong: { meta: defaultView, on: { "the tenth second passes": "long" } },
      long: { meta: { ...defaultView, slow: true }, on: { ...answers, ...givenUp } },
    },
  }),
  /** How it grows long. */
  actions: { "nine seconds pass": { ms: 9_000 }, "the tenth second passes": { ms: 1_000 } },
  stop: {
    sends: { type: "cancel" } as const,
    does: (user: User) => user.tap("button", "Stop waiting"),
  },
};

/** A screen that failed without one asks anew by itself. */
export const networkIsBack = {
  sends: { type: "screen.activated" } as const,
  does: async (user: User) => {
    await user.network("goes");
    await user.network("comes");
  },
};

/** Says what a model is made of, with its types. */
export const userModel = <M extends AnyStateMachine, View extends object>(model: UserModel<M, View>) => model;

type Path = {
  /** The actions, in order. */
  name: string;
  /** `happen` performs an action, `see` compares what is seen with what the model expects; both are called step by step. */
  perform: (
    happen: (action: Action<AnyStateMachine>) => Promise<void>,
    see: (defaultView: object) => Promise<void>,
  ) => Promise<void>;
};

type Traversal = {
  events: (state: AnyMachineSnapshot) => readonly EventObject[];
  serializeState: (state: AnyMachineSnapshot, event?: EventObject) => string;
};
export const serializeState = ({ value, context }: AnyMachineSnapshot) => JSON.stringify([value, context]);

export type Step = { event: EventObject; state: AnyMachineSnapshot };
type Generator<S, E extends EventObject, I> = PathGenerator<S & Snapshot<unknown>, E, I>;

/** What a person may do in a state, and where it leads. */
export const stepsFrom = (
  person: AnyStateMachine,
  { events }: Traversal,
  state: AnyMachineSnapshot,
): Step[] => events(state).map((event) => ({ event, state: getNextSnapshot(person, state, event) }));

/** The shortest way to every state, continued by everything that a person may do there. */
function everyStep<S, E extends EventObject, I>(person: AnyStateMachine): Generator<S, E, I> {
  return (logic, options) =>
    createShortestPathsGen<S & Snapshot<unknown>, E, I>()(logic, options).flatMap((path) => {
      const state = path.state as unknown as AnyMachineSnapshot;
      const nexts = stepsFrom(person, options as unknown as Traversal, state);
      const isIdle = (next: Step) => serializeState(next.state) === serializeState(state);
      // What changes nothing can all be tried on one path.
      return [
        continued(path, nexts.filter(isIdle)),
        ...nexts.filter((next) => !isIdle(next)).map((next) => continued(path, [next])),
      ];
    });
}

/** So many steps are few enough to be read when one of them fails. */
const LONGEST_TOUR = 24;

/**
 * Few long walks, because a browser is slow to open. They go on for as long as one of the names that `of` gives a step, from
 * the state before it, has not been met.
 */
function toursOf<S, E extends EventObject, I>(
  person: AnyStateMachine,
  of: (from: AnyMachineSnapshot, step: Step) => readonly string[],
): Generator<S, E, I> {
  return (logic, options) => {
    const paths = createShortestPathsGen<S & Snapshot<unknown>, E, I>()(logic, options);
    const [beginning] = paths.toSorted((one, other) => one.steps.length - other.steps.length);
    if (!beginning) return [];
    const start = beginning.state as unknown as AnyMachineSnapshot;
    const toured = new Set<string>();
    const tour = (from: AnyMachineSnapshot, way: readonly Step[]) => {
      for (const [at, step] of way.entries())
        for (const name of of(way[at - 1]?.state ?? from, step)) toured.add(name);
    };
    /** The shortest way to what has not been toured yet, that included. */
    const wayToNew = (from: AnyMachineSnapshot): Step[] | undefined => {
      const seen = new Set([serializeState(from)]);
      const queue: { state: AnyMachineSnapshot; way: Step[] }[] = [{ state: from, way: [] }];
      for (const { state, way } of queue) {
        const nexts = stepsFrom(person, options as unknown as Traversal, state);
        const fresh = nexts.find((next) => of(state, next).some((name) => !toured.has(name)));
        if (fresh) return [...way, fresh];
        for (const next of nexts) {
          const id = serializeState(next.state);
          if (seen.has(id)) continue;
          seen.add(id);
          queue.push({ state: next.state, way: [...way, next] });
        }
      }
      return undefined;
    };
    const tours: Step[][] = [];
    for (let way = wayToNew(start); way; way = wayToNew(start)) {
      const steps: Step[] = [];
      for (let more: Step[] | undefined = way; more;) {
        tour(steps.at(-1)?.state ?? start, more);
        steps.push(...more);
        more = steps.length < LONGEST_TOUR ? wayToNew(steps.at(-1)?.state ?? start) : undefined;
      }
      tours.push(steps);
    }
    return tours.map((steps) => continued(beginning, steps));
  };
}

function continued<S, E extends EventObject>(
  path: StatePath<S & Snapshot<unknown>, E>,
  more: readonly Step[],
): StatePath<S & Snapshot<unknown>, E> {
  const steps = [...path.steps, ...(more as unknown as typeof path.steps)];
  return { ...path, steps, state: (more.at(-1)?.state as unknown as typeof path.state) ?? path.state };
}

/** The shortest way to every state, and no further. */
const everyState = <S, E extends EventObject, I>(): Generator<S, E, I> =>
  createShortestPathsGen<S & Snapshot<unknown>, E, I>();

/** What a tour goes on for: every step from every state, or every state and what the real service answers. */
const news = {
  toursOfSteps:
    () =>
    (from: AnyMachineSnapshot, { event }: Step) => [`${serializeState(from)} ${event.type}`],
  toursOfStates:
    (actions: UserModel["actions"]) =>
    (_from: AnyMachineSnapshot, { state, event }: Step) => [
      serializeState(state),
      ...(actions[event.type]?.real ? [event.type] : []),
    ],
};

type PathKind = "everyStep" | "everyState" | keyof typeof news;

function generatorOf<S, E extends EventObject, I>(
  kind: PathKind,
  { person, actions }: Pick<UserModel, "person" | "actions">,
): Generator<S, E, I> {
  if (kind === "everyStep") return everyStep(person);
  return kind === "everyState" ? everyState() : toursOf(person, news[kind](actions));
}

/** Paths that together take every step of the model, or come to all its states: many short ones, or few long tours. */
export function pathsOf(of: Pick<UserModel, "person" | "defaultView" | "actions">, kind: PathKind): Path[] {
  const { person, defaultView, actions } = of;
  const model = createTestModel(person, { serializeState });
  return model.getPaths(generatorOf(kind, of)).map((path) => ({
    name:
      path.steps
        .slice(1)
        .map(({ event }) => event.type as string)
        .join(" → ") || "begins",
    perform: async (happen, see) => {
      await path.test({
        states: { "*": async (state) => see(expectedView(defaultView, state)) },
        events: Object.fromEntries(
          Object.entries(actions).map(([type, action]) => [type, async () => happen(action)]),
        ),
      });
    },
  }));
}

/** What a state of the model says on top of what is seen anyway. */
export const expectedView = <View extends object>(defaultView: View, state: AnyMachineSnapshot): View =>
  Object.assign({}, defaultView, ...Object.values(state.getMeta())) as View;

/** Declares one test a path: performed on the chart alone, which must know what the person sees. */
export function runOnMachine<M extends AnyStateMachine, View extends object>(
  model: UserModel<M, View>,
): void {
  describe("as a user meets it", () => {
    test("every action is one that the model knows, and the other way round", () => {
      expect(Object.keys(model.actions).toSorted()).toEqual(model.person.events.map(String).toSorted());
    });
    for (const { name, perform } of pathsOf(model, "everyStep")) {
      test(`path: ${name}`, async ({ task }) => {
        const harness = harnessOf(model);
        const states = new Map<string, Set<string>>();
        let isOver = false;
        await harness.advance(0);
        await perform(
          (action) => {
            isOver ||= "unmounts" in action;
            return performOnMachine(harness, action as Action<M>);
          },
          async (view) => {
            if (isOver) return;
            addStates(states, harness);
            const known = model.viewOfChart(harness.state, harness);
            expect(known).toEqual(Object.fromEntries(Object.entries(view).filter(([key]) => key in known)));
          },
        );
        keepWalk(task, { level: "chart", chart: model.chart.id, states: Object.fromEntries(states) });
      });
    }
  });
}

/** Adds the states that the chart and those it invokes are in, by chart. */
function addStates(states: Map<string, Set<string>>, harness: Harness<AnyStateMachine>): void {
  for (const [chart, ids] of Object.entries(harness.states))
    states.set(chart, new Set([...(states.get(chart) ?? []), ...ids]));
}

/** The chart in a harness, as the model wants it. */
const harnessOf = <M extends AnyStateMachine>({
  chart,
  input,
  immediate,
}: Pick<UserModel<M>, "chart" | "input" | "immediate">): Harness<M> =>
  new Harness<M>(chart, { ...(input === undefined ? {} : { input }), replies: (immediate ?? {}) as never });

/** Performs an action on the chart. */
async function performOnMachine<M extends AnyStateMachine>(
  harness: Harness<M>,
  action: Action<M>,
): Promise<void> {
  if ("ms" in action) return harness.advance(action.ms);
  if ("output" in action) return harness.answer(action.invoke, action.output);
  if ("error" in action) return harness.answer(action.invoke, action.error);
  if ("outsideChart" in action || "unmounts" in action) return;
  if ("child" in action) return harness.sendToChild(action.child, action.event);
  const events = Array.isArray(action.sends) ? action.sends : [action.sends];
  for (const event of events as EventFrom<M>[]) await harness.send(event);
}

/** Performs an action on a screen. */
export async function performOnScreen(
  user: User,
  action: Action<AnyStateMachine>,
  isReal: boolean,
): Promise<void> {
  if (action.does) await action.does(user);
  else if (action.call !== undefined)
    await user.answer(action.call, isReal && action.real ? "real" : (action.reply ?? "lost"));
  else if ("ms" in action) await user.advance(action.ms);
}

/** A user model, and what opens its first screen in a browser. */
export interface BrowserWalk {
  model: UserModel;
  open: () => Promise<User>;
}

type Tour = BrowserWalk & Path & { steps: number; sees: readonly string[] };

/** What a tour comes to: the states of the charts, and the answers of the real service. */
async function tourOf({ model, open }: BrowserWalk, path: Path): Promise<Tour> {
  const harness = harnessOf(model);
  const states = new Map<string, Set<string>>();
  const answers = new Set<string>();
  let steps = 0;
  await harness.advance(0);
  await path.perform(
    async (action) => {
      steps += 1;
      if (action.real) answers.add(`${model.chart.id} ${nameOf(model, action)}`);
      await performOnMachine(harness, action);
    },
    async () => addStates(states, harness),
  );
  return {
    model,
    open,
    ...path,
    steps,
    sees: [...answers, ...[...states.values()].flatMap((ids) => [...ids])],
  };
}
const nameOf = ({ actions }: UserModel, action: Action<AnyStateMachine>) =>
  Object.keys(actions).find((name) => actions[name] === action);

/** To open a screen takes as long as so many steps on it. */
const OPENING = 4;

/** Those of the tours that together come to all that any of them comes to: again and again the one with most that is new for its length. */
function coverOf(tours: readonly Tour[]): Tour[] {
  const left = new Set(tours.flatMap(({ sees }) => sees));
  const worthOf = ({ sees, steps }: Tour) => sees.filter((each) => left.has(each)).length / (steps + OPENING);
  const chosen: Tour[] = [];
  while (left.size > 0) {
    const [best] = tours.toSorted((one, other) => worthOf(other) - worthOf(one));
    if (!best) break;
    chosen.push(best);
    for (const each of best.sees) left.delete(each);
  }
  return tours.filter((tour) => chosen.includes(tour));
}

/**
 * Declares one test a tour: those that come to every state of the charts and every answer of the real service, and in the
 * second lane those of every step. Performed in a real browser, whose chart cannot be looked into; another performs it beside.
 */
export async function runInBrowser(walks: readonly BrowserWalk[]): Promise<void> {
  const kind = repeats ? "toursOfSteps" : "toursOfStates";
  const all: Tour[] = [];
  for (const walk of walks) for (const path of pathsOf(walk.model, kind)) all.push(await tourOf(walk, path));
  for (const { model, open, name, perform } of repeats ? all : coverOf(all)) {
    test(`${model.chart.id}, as a user meets it, path: ${name}`, async ({ task }) => {
      const user = await open();
      const harness = harnessOf(model);
      await harness.advance(0);
      const states = new Map<string, Set<string>>();
      await perform(
        async (action) => {
          await performOnMachine(harness, action);
          await performOnScreen(user, action, true);
        },
        async (view) => {
          await expect.poll(() => model.viewOnScreen(user), { timeout: 30_000 }).toEqual(view);
          addStates(states, harness);
        },
      );
      keepWalk(task, { level: "browser", chart: model.chart.id, states: Object.fromEntries(states) });
    });
  }
}
