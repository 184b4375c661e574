/** The chart as a plain graph, in which answers and the passing of time are events like any other: paths through it are generated, not written. */
import { createShortestPathsGen, createSimplePathsGen, TestModel } from "@xstate/test";
import {
  createActor,
  fromPromise,
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventFrom,
  type InputFrom,
  type OutputFrom,
  type SnapshotFrom,
} from "xstate";
import { CallFailed } from "../../machines/call-error.ts";
import type { NamedPort } from "./harness.ts";
import { randomFrom } from "./random.ts";

/** What a port may say, by name; an Error is a refusal. Every port may also fail to be reached: `error.<invoke id>`. */
type Answers<M> = {
  [P in NamedPort<M> as P["src"]]: Record<string, OutputFrom<P["logic"]> | Error>;
};

type Answered =
  | { type: `done.${string}`; id: string; output: unknown }
  | { type: `error.${string}`; id: string; error: unknown };
type Passed = { type: `after.${string}` | "wait"; ms: number };
export type ModelEvent<M extends AnyStateMachine> = EventFrom<M> | Answered | Passed;

export type Samples<M extends AnyStateMachine> = {
  /** Every one begins its own paths. */
  inputs?: readonly InputFrom<M>[];
  /** Sent in every state, expected there or not. */
  events: readonly EventFrom<M>[];
  answers: Answers<M>;
  /** Invokes that cannot fail, by their port's own promise. */
  infallible?: readonly string[];
  /** The part of the context that tells situations apart; all of it unless told, which may be endless. */
  distinguish?: (context: SnapshotFrom<M>["context"]) => unknown;
  /** So many questions to one port are told apart; more are walked as so many. Two unless told. */
  repeats?: number;
  /** Whether the chart is so small that every path without a circle is walked, too. */
  simple?: boolean;
};

/** Where the model is: the chart's snapshot, the timers that run, and how often each port was asked. */
export type Situation = {
  snapshot: AnyMachineSnapshot;
  now: number;
  timers: readonly { id: string; due: number }[];
  asked: Readonly<Record<string, number>>;
};

const unreachable = new CallFailed({ kind: "network" });
const earliest = (timers: Situation["timers"]) =>
  timers.reduce<(typeof timers)[number] | undefined>((a, b) => (a && a.due <= b.due ? a : b), undefined);
const delayName = (timer: string) => timer.replace(/^xstate\.after\.([^.]+)\..*$/, "$1");

/** Longer than anything that a chart waits for. */
const LONG = 3_600_000;

/** A chart that needs more has a context without an end: `distinguish` less of it. */
const MOST_STEPS = 20_000;

/** `createTestModel` refuses charts that ask and wait; of this plain logic `TestModel` finds the paths as well. */
export class Model<M extends AnyStateMachine> {
  readonly #chart: M;
  readonly #samples: Samples<M>;
  readonly start: Situation;
  /** As for xstate's own `transition`, which is slower: it makes an actor at every step. */
  readonly #scope: AnyActorScope;
  readonly #actions: { type: string; params: unknown }[] = [];

  constructor(chart: M, samples: Samples<M>, input: InputFrom<M> | undefined) {
    // The graph only looks at what would be asked; nothing is.
    const mute = fromPromise(() => new Promise(() => {}));
    this.#chart = chart.provide({
      actors: Object.fromEntries(Object.keys(samples.answers).map((src) => [src, mute])),
    } as never) as M;
    this.#samples = samples;
    const self = createActor(this.#chart, { input } as never);
    this.#scope = {
      self,
      id: self.id,
      sessionId: self.sessionId,
      system: self.system,
      logger: () => {},
      defer: () => {},
      emit: () => {},
      stopChild: () => {},
      actionExecutor: (action) => this.#actions.push(action),
    };
    const snapshot = this.#chart.getInitialSnapshot(this.#scope as never, input);
    this.start = this.#after({ snapshot, now: 0, timers: [], asked: {} }, snapshot);
  }

  /** Everything that may happen next. */
  readonly events = ({ snapshot, now, timers }: Situation): ModelEvent<M>[] => {
    const next = earliest(timers);
    return [
      // A chart that has forgotten a timer stays where it should not: what comes after a long time tells.
      ...(next ? [] : [{ type: "wait" as const, ms: LONG }]),
      ...this.#samples.events,
      ...Object.entries(snapshot.children).flatMap(([id, child]) => {
        const { src } = child as { src: keyof Answers<M> };
        const answers = Object.entries(this.#samples.answers[src] as Record<string, unknown>);
        const told = answers.map(([name, value]): Answered =>
          value instanceof Error
            ? { type: `error.${id}.${name}`, id, error: value }
            : { type: `done.${id}.${name}`, id, output: value },
        );
        const lost: Answered = { type: `error.${id}`, id, error: unreachable };
        return this.#samples.infallible?.includes(id) ? told : [...told, lost];
      }),
      ...(next ? [{ type: `after.${delayName(next.id)}` as const, ms: next.due - now }] : []),
    ];
  };

  readonly transition = (from: Situation, event: ModelEvent<M>): Situation => {
    if ("output" in event) {
      return this.#take(from, { type: `xstate.done.actor.${event.id}`, output: event.output });
    }
    if ("error" in event) {
      return this.#take(from, { type: `xstate.error.actor.${event.id}`, error: event.error });
    }
    if (!("ms" in event)) return this.#take(from, event);
    let situation = { ...from, now: from.now + event.ms };
    for (let due = earliest(situation.timers); due && due.due <= situation.now;) {
      const { id } = due;
      situation = this.#take(
        { ...situation, timers: situation.timers.filter((timer) => timer.id !== id) },
        { type: id },
      );
      due = earliest(situation.timers);
    }
    return situation;
  };

  /** Two situations with one name are walked as one. */
  readonly serialize = ({ snapshot, now, timers, asked }: Situation): string =>
    JSON.stringify([
      snapshot.value,
      (this.#samples.distinguish ?? ((context: unknown) => context))(snapshot.context),
      timers.map(({ id, due }) => [id, due - now]),
      Object.entries(asked).map(([id, times]) => [id, Math.min(this.#samples.repeats ?? 2, times)]),
    ]);

  /** The shortest path to every situation, continued by everything that may happen there. */
  paths(): ModelEvent<M>[][] {
    const logic = {
      transition: this.transition,
      getInitialSnapshot: () => this.start,
      getPersistedSnapshot: (situation: Situation) => situation,
    };
    const options = { serializeState: this.serialize, events: this.events, traversalLimit: MOST_STEPS };
    const model = new TestModel(logic as never, options as never);
    const reached = [
      ...createShortestPathsGen()(model.logic, model.options),
      ...(this.#samples.simple ? createSimplePathsGen()(model.logic, model.options) : []),
    ];
    const paths = reached.flatMap(({ steps, state }) => {
      const situation = state as unknown as Situation;
      // The first step is the chart's own beginning.
      const events = steps.slice(1).map((step) => step.event as unknown as ModelEvent<M>);
      const name = this.serialize(situation);
      const nexts = this.events(situation).map((event) => ({
        event,
        isIdle: this.serialize(this.transition(situation, event)) === name,
      }));
      const idle = nexts.filter(({ isIdle }) => isIdle).map(({ event }) => event);
      const others = nexts.filter(({ isIdle }) => !isIdle);
      // What changes nothing can all happen on one path.
      return [
        [...events, ...idle, ...this.#brink(situation)],
        ...others.map(({ event }) => [...events, event]),
      ];
    });
    // A path that another one begins with is walked on that one.
    const beginning = new Trail();
    const ends = new Map(
      paths.map((path) => [path.reduce((trail, event) => trail.after(event), beginning), path]),
    );
    return [...ends].filter(([trail]) => trail.isEnd).map(([, path]) => path);
  }

  /** A long path without a plan, the same for the same seed; time may also pass without anything happening. */
  wander(seed: number, steps: number): ModelEvent<M>[] {
    const random = randomFrom(seed);
    const path: ModelEvent<M>[] = [];
    let situation = this.start;
    for (let step = 0; step < steps; step++) {
      const [brink] = this.#brink(situation);
      const wait: Passed[] = brink ? [brink, { type: "wait", ms: Math.ceil(brink.ms / 2) }] : [];
      const events = [...this.events(situation), ...wait];
      const event = events[Math.floor(random() * events.length)];
      if (!event) break;
      path.push(event);
      situation = this.transition(situation, event);
    }
    return path;
  }

  /** All but a millisecond of the time until something happens by itself: a timer that is late is seen there. */
  #brink({ timers, now }: Situation): Passed[] {
    const next = earliest(timers);
    return next && next.due - now > 1 ? [{ type: "wait", ms: next.due - now - 1 }] : [];
  }

  #take(from: Situation, event: object): Situation {
    return this.#after(from, this.#chart.transition(from.snapshot, event, this.#scope as never));
  }

  /** Keeps account of the timers and questions that the chart has just begun or ended. */
  #after(from: Situation, snapshot: AnyMachineSnapshot): Situation {
    let timers = from.timers;
    const asked = { ...from.asked };
    for (const { type, params } of this.#actions.splice(0)) {
      if (type === "xstate.raise") {
        const { id, delay } = params as { id: string; delay: number };
        timers = [...timers.filter((timer) => timer.id !== id), { id, due: from.now + delay }];
      } else if (type === "xstate.cancel") {
        const { sendId } = params as { sendId: string };
        timers = timers.filter((timer) => timer.id !== sendId);
      } else if (type === "xstate.spawnChild") {
        const { id } = params as { id: string };
        asked[id] = (asked[id] ?? 0) + 1;
      }
    }
    return { snapshot, now: from.now, timers, asked };
  }
}

const names = new WeakMap<object, string>();
function nameOf(event: object): string {
  const known = names.get(event) ?? JSON.stringify(event);
  names.set(event, known);
  return known;
}

/** The beginning of some paths, told apart by their events alone: paths that begin alike share it. */
export class Trail {
  /** Where the model is at its end, once a test has walked it. */
  situation: Situation | undefined;
  readonly #next = new Map<string, Trail>();

  get isEnd(): boolean {
    return this.#next.size === 0;
  }
  after(event: object): Trail {
    const name = nameOf(event);
    const next = this.#next.get(name) ?? new Trail();
    this.#next.set(name, next);
    return next;
  }
}
