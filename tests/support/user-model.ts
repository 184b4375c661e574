/** Plays: what a person may do and see, told by a small model that knows nothing of the chart, and performed by the chart, on the screen and in a browser. */
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
import type { Reply } from "./replies.ts";
import { Stage } from "./harness.ts";

/* What a hand can do and an eye can see, on any screen. */

export type Role = "button" | "link" | "radio" | "checkbox" | "slider" | "option" | "switch";
type Name = string | RegExp;

/** One person in front of one screen. Only what can be seen counts; a name or text is the whole of it, unless it is a pattern. */
export interface ScreenDriver {
  /** `at`: which one, where several have the name. What stands behind an open sheet is out of reach. */
  tap: (role: Role, name: Name, at?: number) => Promise<void>;
  /** Puts a text in the place of what the field of this label holds. */
  type: (label: Name, text: string) => Promise<void>;
  /** Turns the wheel of this label by its keys. */
  turn: (label: string, keys: string) => Promise<void>;
  press: (keys: string) => Promise<void>;
  /** A finger on the first thing at a selector: it comes, moves so many pixels from where it came, and goes. */
  finger: (
    does: "comes" | "moves" | "goes" | "is lost",
    selector: string,
    by?: { down: number; across: number },
  ) => Promise<void>;
  /** The way back, as the phone knows it. */
  back: () => Promise<void>;
  /** Another address, from elsewhere in the app. */
  visit: (path: string) => Promise<void>;
  /** The person comes back to the page. */
  lookAgain: () => Promise<void>;
  network: (does: "goes" | "comes") => Promise<void>;
  /** The phone sleeps, no timer firing before it wakes. */
  sleep: (ms: number) => Promise<void>;
  /** Another tab changes what is stored. */
  storeElsewhere: (key: string, value: string | null) => Promise<void>;

  /** The path of the address bar. */
  place: () => Promise<string>;
  title: () => Promise<string>;
  reads: (text: Name) => Promise<boolean>;
  has: (role: Role | "timer" | "img" | "heading" | "alertdialog" | "dialog", name?: Name) => Promise<boolean>;
  isBusy: (name: Name) => Promise<boolean>;
  isChecked: (role: "checkbox" | "radio" | "option" | "switch", name: Name) => Promise<boolean>;
  /** Of the field with this label. */
  value: (label: Name) => Promise<string>;
  /** What the wheel of this label stands on, or "" where there is none. */
  stands: (label: string) => Promise<string>;
  /** Whether the password of the field with this label can be read. */
  isRevealed: (label: Name) => Promise<boolean>;
  /** What is said politely (a toast, a state), and what is said at once. */
  said: () => Promise<string[]>;
  warned: () => Promise<string[]>;
  /** Whether anything at a selector can be seen: for pictures and shapes that have no words. */
  shows: (selector: string) => Promise<boolean>;
  /** What can be read there. */
  texts: (selector: string) => Promise<string[]>;
  /** Where the windows are that were opened beside this one. */
  windows: () => Promise<string[]>;
  clipboard: () => Promise<string>;
  /** What a stored key holds. */
  stored: (key: string) => Promise<string | null>;

  /** The calls that the play answers and that wait, by path. */
  waiting: () => string[];
  /** `real`: the real service answers. */
  answer: (path: string, reply: Reply | "real") => Promise<void>;
  pass: (ms: number) => Promise<void>;
}

/** The toast, or "": what is said politely, but for the words of a long wait. */
export const toastBefore = async (hand: ScreenDriver): Promise<string> =>
  (await hand.said()).find((words) => !words.startsWith(LATE)) ?? "";
/** Decisions, "Default timeout none". */
export const isLate = (hand: ScreenDriver): Promise<boolean> => hand.reads(LATE);
const LATE = "This is taking longer than usual. Your connection may be slow.";

/** Which of the named fields are marked as wrong. */
export async function markedAmong(hand: ScreenDriver, names: readonly string[]): Promise<string[]> {
  const marked: string[] = [];
  for (const name of names) if (await hand.shows(`[name=${name}][aria-invalid=true]`)) marked.push(name);
  return marked;
}

/* The play. */

/** How something that happens comes about: for the chart, and for the person. */
export type Deed<M extends AnyStateMachine> = (
  | { sends: EventFrom<M> | readonly EventFrom<M>[] }
  /** To the chart that it invokes by that id. */
  | { tells: string; event: EventObject }
  /** A port answers its invoke, or fails. */
  | { invoke: string; told: unknown }
  | { invoke: string; refused: Error }
  | { ms: number }
  /** The chart does not hear of it. */
  | { unheard: true }
  /** The person leaves the screen, and the chart goes with it. */
  | { leaves: true }
) &
  ByHand;
type ByHand = {
  does?: (hand: ScreenDriver) => Promise<unknown>;
  /** What the service answers to which call. */
  call?: string;
  reply?: Reply;
  /** In a browser the real service says the same. */
  real?: boolean;
};

export type UserModel<M extends AnyStateMachine = AnyStateMachine, Look extends object = object> = {
  chart: M;
  input?: InputFrom<M>;
  /** Invokes that are answered at once, by their port. */
  prompt?: Record<string, (input: never, now: number) => unknown>;
  /** Written from the specification: its events are the names of actions, the `meta` of its states is what is seen there. */
  person: AnyStateMachine;
  /** What is seen where the model says nothing else. */
  look: Look;
  actions: Readonly<Record<string, Deed<M>>>;
  /** What the chart knows of the look. */
  tells: (state: SnapshotFrom<M>, stage: Stage<M>) => Partial<Look>;
  looks: (hand: ScreenDriver) => Promise<Look>;
};

/** Begins the model of a person: the `meta` of its states is what is seen there. */
export const userWhoSees = <Look extends object>(_look: Look) =>
  setup({ types: { meta: {} as Partial<Look> } });

export const wait = {
  /**
   * A wait for an answer, in the model of a person: what is seen meanwhile, what ends it, and what a long one may be
   * ended by, each with where that leads (`#person.…`). Decisions, "Default timeout none".
   */
  of: <Look extends object>(
    look: Look,
    answers: Record<string, string>,
    givenUp: Record<string, string>,
  ) => ({
    initial: "short" as const,
    states: {
      short: { meta: look, on: { ...answers, "nine seconds pass": "almostLong" } },
      almostLong: { meta: look, on: { "the tenth second passes": "long" } },
      long: { meta: { ...look, slow: true }, on: { ...answers, ...givenUp } },
    },
  }),
  /** How it grows long. */
  actions: { "nine seconds pass": { ms: 9_000 }, "the tenth second passes": { ms: 1_000 } },
  stop: {
    sends: { type: "waiting.dropped" } as const,
    does: (hand: ScreenDriver) => hand.tap("button", "Stop waiting"),
  },
};

/** A screen that failed without one asks anew by itself. */
export const networkIsBack = {
  sends: { type: "page.shown" } as const,
  does: async (hand: ScreenDriver) => {
    await hand.network("goes");
    await hand.network("comes");
  },
};

/** Says what a play is made of, with its types. */
export const userModel = <M extends AnyStateMachine, Look extends object>(play: UserModel<M, Look>) => play;

type Path = {
  /** The actions, in order. */
  name: string;
  /** `happen` makes a action come about, `see` compares the look with the person's; both are called step by step. */
  perform: (
    happen: (action: Deed<AnyStateMachine>) => Promise<void>,
    see: (look: object) => Promise<void>,
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

/** The same steps on few long walks: a browser is slow to open. */
function toursOfEveryStep<S, E extends EventObject, I>(person: AnyStateMachine): Generator<S, E, I> {
  return (logic, options) => {
    const paths = createShortestPathsGen<S & Snapshot<unknown>, E, I>()(logic, options);
    const [beginning] = paths.toSorted((one, other) => one.steps.length - other.steps.length);
    if (!beginning) return [];
    const start = beginning.state as unknown as AnyMachineSnapshot;
    const isTaken = new Set<string>();
    const name = (from: AnyMachineSnapshot, { event }: Step) => `${serializeState(from)} ${event.type}`;
    /** The shortest way to a step that has not been taken yet, and that step. */
    const wayToNew = (from: AnyMachineSnapshot): Step[] | undefined => {
      const seen = new Set([serializeState(from)]);
      const queue: { state: AnyMachineSnapshot; way: Step[] }[] = [{ state: from, way: [] }];
      for (const { state, way } of queue) {
        const nexts = stepsFrom(person, options as unknown as Traversal, state);
        const fresh = nexts.find((next) => !isTaken.has(name(state, next)));
        if (fresh) {
          isTaken.add(name(state, fresh));
          return [...way, fresh];
        }
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
      const tour = [...way];
      while (tour.length < LONGEST_TOUR) {
        const more = wayToNew(tour.at(-1)?.state ?? start);
        if (!more) break;
        tour.push(...more);
      }
      tours.push(tour);
    }
    return tours.map((tour) => continued(beginning, tour));
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

const generators = { short: everyStep, long: toursOfEveryStep, states: everyState };

/** Paths that together take every step of the model, many short ones or few long ones; or that come to all its states. */
export function pathsOf(
  { person, look, actions }: Pick<UserModel, "person" | "look" | "actions">,
  kind: keyof typeof generators,
): Path[] {
  const model = createTestModel(person, { serializeState });
  return model.getPaths(generators[kind](person)).map((path) => ({
    name:
      path.steps
        .slice(1)
        .map(({ event }) => event.type as string)
        .join(" → ") || "begins",
    perform: async (happen, see) => {
      await path.test({
        states: { "*": async (state) => see(lookOf(look, state)) },
        events: Object.fromEntries(
          Object.entries(actions).map(([type, action]) => [type, async () => happen(action)]),
        ),
      });
    },
  }));
}

/** What a state of the model says on top of what is seen anyway. */
export const lookOf = <Look extends object>(look: Look, state: AnyMachineSnapshot): Look =>
  Object.assign({}, look, ...Object.values(state.getMeta())) as Look;

/** Declares one test a path: performed on the chart alone, which must know what the person sees. */
export function runOnMachine<M extends AnyStateMachine, Look extends object>(play: UserModel<M, Look>): void {
  describe("as a person meets it", () => {
    test("every action is one that the model knows, and the other way round", () => {
      expect(Object.keys(play.actions).toSorted()).toEqual(play.person.events.map(String).toSorted());
    });
    for (const { name, perform } of pathsOf(play, "short")) {
      test(`path: ${name}`, async ({ task }) => {
        const stage = stageOf(play);
        const states = new Map<string, Set<string>>();
        let isOver = false;
        await stage.pass(0);
        await perform(
          (action) => {
            isOver ||= "leaves" in action;
            return happenOn(stage, action as Deed<M>);
          },
          async (look) => {
            if (isOver) return;
            addStates(states, stage);
            const told = play.tells(stage.state, stage);
            expect(told).toEqual(Object.fromEntries(Object.entries(look).filter(([key]) => key in told)));
          },
        );
        keepWalk(task, { level: "chart", chart: play.chart.id, states: Object.fromEntries(states) });
      });
    }
  });
}

/** Adds the states that a stage shows, by chart. */
function addStates(states: Map<string, Set<string>>, stage: Stage<AnyStateMachine>): void {
  for (const [chart, ids] of Object.entries(stage.states))
    states.set(chart, new Set([...(states.get(chart) ?? []), ...ids]));
}

/** A stage on which the chart performs a play. */
const stageOf = <M extends AnyStateMachine>({
  chart,
  input,
  prompt,
}: Pick<UserModel<M>, "chart" | "input" | "prompt">): Stage<M> =>
  new Stage<M>(chart, { ...(input === undefined ? {} : { input }), replies: (prompt ?? {}) as never });

/** Makes a action come about for the chart. */
async function happenOn<M extends AnyStateMachine>(stage: Stage<M>, action: Deed<M>): Promise<void> {
  if ("ms" in action) return stage.pass(action.ms);
  if ("told" in action) return stage.answer(action.invoke, action.told);
  if ("refused" in action) return stage.answer(action.invoke, action.refused);
  if ("unheard" in action || "leaves" in action) return;
  if ("tells" in action) return stage.tell(action.tells, action.event);
  const events = Array.isArray(action.sends) ? action.sends : [action.sends];
  for (const event of events as EventFrom<M>[]) await stage.send(event);
}

/** Makes a action come about in front of a hand. */
export async function happenBy(
  hand: ScreenDriver,
  action: Deed<AnyStateMachine>,
  isReal: boolean,
): Promise<void> {
  if (action.does) await action.does(hand);
  else if (action.call !== undefined)
    await hand.answer(action.call, isReal && action.real ? "real" : (action.reply ?? "lost"));
  else if ("ms" in action) await hand.pass(action.ms);
}

/** Declares one test a path: performed in a real browser, whose chart cannot be looked into; another performs it beside. */
export function runInBrowser<M extends AnyStateMachine, Look extends object>(
  play: UserModel<M, Look>,
  open: () => Promise<ScreenDriver>,
): void {
  describe(`${play.chart.id}, as a person meets it`, () => {
    for (const { name, perform } of pathsOf(play, "long")) {
      test(`path: ${name}`, async ({ task }) => {
        const hand = await open();
        const stage = stageOf(play);
        await stage.pass(0);
        const states = new Map<string, Set<string>>();
        await perform(
          async (action) => {
            await happenOn(stage, action as Deed<M>);
            await happenBy(hand, action, true);
          },
          async (look) => {
            await expect.poll(() => play.looks(hand), { timeout: 20_000 }).toEqual(look);
            addStates(states, stage);
          },
        );
        keepWalk(task, { level: "browser", chart: play.chart.id, states: Object.fromEntries(states) });
      });
    }
  });
}
