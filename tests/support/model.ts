/** Walks charts: derives the model of a chart, generates paths through it, performs them on the real chart, and keeps what happened. */
import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createShortestPathsGen, createSimplePathsGen, TestModel } from "@xstate/test";
import { expect, test } from "vitest";
import {
  createActor,
  fromPromise,
  SimulatedClock,
  type AnyActorLogic,
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
  type Actor,
  type EmittedFrom,
  type EventFrom,
  type InputFrom,
  type InspectionEvent,
  type OutputFrom,
  type SnapshotFrom,
  type StateMachine,
} from "xstate";
import { CallFailed } from "../../machines/failure.ts";

/* The stage: a real chart, its clock and its ports in the hands of a test. */

type Question = { readonly id: string; readonly src: string; readonly input: unknown };
/** One question to a port, by the id of its invoke. */
type Call = Question & { readonly at: number };

type Port<M> =
  // oxlint-disable-next-line typescript/no-explicit-any -- the other parameters of a machine do not matter here
  M extends StateMachine<any, any, any, infer P, any, any, any, any, any, any, any, any, any, any>
    ? P
    : never;
type NamedPort<M> = Extract<Port<M>, { src: string; logic: AnyActorLogic }>;

/** Answers at once to every call of a port, by its input and the time; an Error is a refusal. A port that is left out waits for the test. */
type Replies<M> = {
  [P in NamedPort<M> as P["src"]]?: (
    input: InputFrom<P["logic"]>,
    now: number,
  ) => OutputFrom<P["logic"]> | Error;
};

/** Simulated time that stops at every timer, so that a timer armed on the way starts when it is armed. */
class SlicedClock extends SimulatedClock {
  readonly #dues = new Map<number, number>();
  override setTimeout(run: (...args: unknown[]) => void, delay: number): number {
    const id = super.setTimeout(() => {
      this.#dues.delete(id);
      run();
    }, delay);
    this.#dues.set(id, this.now() + delay);
    return id;
  }
  override clearTimeout(id: number): void {
    this.#dues.delete(id);
    super.clearTimeout(id);
  }
  /** The next timer that is due within `until`. */
  next(until: number): number | undefined {
    const due = Math.min(...this.#dues.values());
    return due <= until ? due : undefined;
  }
}

const everyNode = (node: AnyStateMachine["root"]): AnyStateMachine["root"][] => [
  node,
  ...Object.values(node.states).flatMap(everyNode),
];

/** The stage of each system of actors, for the ports: a chart is given its ports once, whatever it is performed on. */
const stages = new WeakMap<object, { ask: (question: Question, signal: AbortSignal) => Promise<unknown> }>();
const staged = new WeakMap<AnyStateMachine, AnyStateMachine>();

function putOnStage(chart: AnyStateMachine): AnyStateMachine {
  const sources = everyNode(chart.root).flatMap((node) => node.invoke.map(({ src }) => String(src)));
  const portOf = (src: string) =>
    fromPromise<unknown, unknown>(async ({ input, self, system, signal }) =>
      stages.get(system)?.ask({ id: self.id, src, input }, signal),
    );
  const provided = chart.provide({ actors: Object.fromEntries(sources.map((src) => [src, portOf(src)])) });
  staged.set(chart, provided);
  return provided;
}

/** A chart whose ports answer only when the test says so. */
export class Stage<M extends AnyStateMachine> {
  readonly clock = new SlicedClock();
  readonly calls: Call[] = [];
  readonly emitted: EmittedFrom<M>[] = [];
  /** What killed the chart, if anything did. */
  fault: unknown = undefined;
  readonly taken = new Set<AnyTransitionDefinition>();
  readonly #actor: Actor<M>;
  readonly #settle = new Map<Call, (value: unknown) => void>();
  readonly #over = new Set<Call>();
  #isRestless = false;

  constructor(
    chart: M,
    { input, replies = {} }: { input?: InputFrom<NoInfer<M>>; replies?: Replies<NoInfer<M>> } = {},
  ) {
    const options = {
      input,
      clock: this.clock,
      inspect: (event: InspectionEvent) => {
        if (event.type === "@xstate.microstep") for (const one of event._transitions) this.taken.add(one);
      },
    };
    this.#actor = createActor((staged.get(chart) ?? putOnStage(chart)) as M, options as never);
    this.#actor.subscribe({ error: (error) => (this.fault = error) });
    this.#actor.on("*", (event) => this.emitted.push(event));
    stages.set(this.#actor.system, { ask: (question, signal) => this.#ask(question, signal, replies) });
    this.#actor.start();
  }

  get state(): SnapshotFrom<M> {
    return this.#actor.getSnapshot();
  }
  /** The questions that are neither answered nor turned away from. */
  get pending(): Call[] {
    return this.calls.filter((call) => !this.#over.has(call));
  }

  /** Something happens; whatever is answered at once is answered. */
  async send(event: EventFrom<M>): Promise<void> {
    this.#actor.send(event);
    await this.#rest();
  }
  /** Answers the pending call of this invoke; an Error is a refusal. */
  async answer(id: string, value?: unknown): Promise<void> {
    const call = this.pending.find((each) => each.id === id);
    if (!call) throw new Error(`${id} waits for no answer.`);
    this.#settle.get(call)?.(value);
    await this.#rest();
  }
  /** Answers every question that the chart has turned away from. */
  async answerLate(value?: unknown): Promise<void> {
    for (const call of this.#over) this.#settle.get(call)?.(value);
    await this.#rest();
  }
  /** Time passes as it does for a phone that is awake. */
  async pass(ms: number): Promise<void> {
    const until = this.clock.now() + ms;
    await this.#rest();
    for (let due = this.clock.next(until); due !== undefined; due = this.clock.next(until)) {
      this.clock.set(due);
      await this.#rest();
    }
    this.clock.set(until);
  }
  /** The phone sleeps: no timer fires in between, and all that are overdue fire at the end. */
  async sleep(ms: number): Promise<void> {
    this.clock.increment(ms);
    await this.#rest();
  }

  /** Until every answer that was given has been heard. */
  async #rest(): Promise<void> {
    while (this.#isRestless) {
      this.#isRestless = false;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #ask(question: Question, signal: AbortSignal, replies: Replies<M>): Promise<unknown> {
    const call = { ...question, at: this.clock.now() };
    this.calls.push(call);
    signal.addEventListener("abort", () => this.#over.add(call));
    return new Promise((resolve, reject) => {
      this.#settle.set(call, (value) => {
        this.#over.add(call);
        this.#isRestless = true;
        if (value instanceof Error) reject(value);
        else resolve(value);
      });
      const reply = replies[call.src as keyof Replies<M>];
      if (reply) this.#settle.get(call)?.(reply(call.input, call.at));
    });
  }
}

/* The model: the chart as a plain graph, in which answers and the passing of time are events like any other. */

/** What a port may say, by name; an Error is a refusal. Every port may also fail to be reached: `error.<invoke id>`. */
type Answers<M> = {
  [P in NamedPort<M> as P["src"]]: Record<string, OutputFrom<P["logic"]> | Error>;
};

type Answered =
  | { type: `done.${string}`; id: string; output: unknown }
  | { type: `error.${string}`; id: string; error: unknown };
type Passed = { type: `after.${string}` | "wait"; ms: number };
type ModelEvent<M extends AnyStateMachine> = EventFrom<M> | Answered | Passed;

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
const MOST_STEPS = 10_000;

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
      const idle = (event: ModelEvent<M>) => this.serialize(this.transition(situation, event)) === name;
      const nexts = this.events(situation);
      // What changes nothing can all happen on one path.
      const still = [...events, ...nexts.filter(idle), ...this.#brink(situation)];
      return [still, ...nexts.filter((event) => !idle(event)).map((event) => [...events, event])];
    });
    const beginnings = new Set(paths.flatMap((path) => trailsOf(path).slice(0, -1)));
    return [...new Map(paths.map((path) => [trailsOf(path).at(-1) ?? "", path]))]
      .filter(([trail]) => !beginnings.has(trail))
      .map(([, path]) => path);
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

/** The serialized beginnings of a path, the shortest first. */
function trailsOf(path: readonly object[]): string[] {
  let trail = "";
  return path.map((event) => (trail += `${JSON.stringify(event)}\n`));
}

/** Numbers between 0 and 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/* The study: all walks of a chart, kept moment by moment, to be judged by what the specification promises. */

/** What was seen after one event. `calls` and `emitted` are those of this moment alone. */
export type Moment<M extends AnyStateMachine> = {
  event: ModelEvent<M> | { type: "start"; input: InputFrom<M> };
  at: number;
  state: SnapshotFrom<M>;
  calls: readonly Call[];
  emitted: readonly EmittedFrom<M>[];
  /** The questions that wait for an answer. */
  pending: readonly Call[];
};
/** All moments of a path so far; the last one is now. */
export type History<M extends AnyStateMachine> = readonly Moment<M>[];

const WANDERERS = 40;
const WANDERED_STEPS = 50;

export class Study<M extends AnyStateMachine> {
  /** One for every moment that was ever seen. */
  readonly #histories: History<M>[] = [];
  /** Where the model was after each beginning of a path. */
  readonly #situations = new Map<string, Situation>();
  readonly #taken = new Set<AnyTransitionDefinition>();
  readonly #entered = new Set<string>();
  readonly #disturbed: string[] = [];

  /** Declares a test: in every state of every path, this holds. */
  always(promise: string, check: (moment: Moment<M>, history: History<M>) => void): void {
    test(`always ${promise}`, () => {
      for (const history of this.#histories) {
        try {
          check(history.at(-1) as Moment<M>, history);
        } catch (error) {
          if (error instanceof Error) error.message += `\nPath: ${describePath(history)}`;
          throw error;
        }
      }
    });
  }

  /** Performs a path on the real chart, beside the model. */
  async walk(chart: M, model: Model<M>, input: InputFrom<M>, path: readonly ModelEvent<M>[]): Promise<void> {
    const stage = new Stage<M>(chart, { input });
    const history: Moment<M>[] = [];
    const steps = [{ type: "start" as const, input }, ...path];
    const trails = trailsOf(steps);
    let situation = model.start;
    for (const [index, event] of steps.entries()) {
      const [calls, emitted] = index === 0 ? [0, 0] : [stage.calls.length, stage.emitted.length];
      if (index === 0) await stage.pass(0);
      else if ("output" in event) await stage.answer(event.id, event.output);
      else if ("error" in event) await stage.answer(event.id, event.error);
      else if ("ms" in event) await stage.sleep(event.ms);
      else await stage.send(event as EventFrom<M>);
      history.push({
        event,
        at: stage.clock.now(),
        state: stage.state,
        calls: stage.calls.slice(calls),
        emitted: stage.emitted.slice(emitted),
        pending: stage.pending,
      });
      const trail = trails[index] ?? "";
      const known = this.#situations.get(trail);
      if (known) {
        situation = known;
        continue;
      }
      if (index > 0) situation = model.transition(situation, event as ModelEvent<M>);
      this.#situations.set(trail, situation);
      this.#histories.push([...history]);
      const real: AnyMachineSnapshot = stage.state;
      for (const node of real._nodes) this.#entered.add(node.id);
      const shown = { value: real.value, context: real.context, fault: stage.fault };
      const { value, context } = situation.snapshot;
      const expected = { value, context, fault: undefined };
      if (!isDeepStrictEqual(shown, expected)) expect(shown, describePath(history)).toEqual(expected);
    }
    for (const one of stage.taken) this.#taken.add(one);
    const { state, emitted } = stage;
    const told = emitted.length;
    await stage.answerLate();
    if (stage.state !== state || emitted.length !== told) this.#disturbed.push(describePath(history));
  }

  /** Declares the tests that hold for any chart. */
  judge(chart: M, paths: number): void {
    const taken = new Set([...this.#taken].map(transitionName));
    for (const { source } of this.#taken) this.#entered.add(source.id);
    const nodes = everyNode(chart.root);
    const transitions = nodes
      .flatMap((node) => [...[...node.transitions.values()].flat(), ...(node.always ?? [])])
      .map(transitionName);
    test(`walks ${nodes.length} states and ${transitions.length} transitions in ${paths} paths`, () => {
      expect({
        states: nodes.map(({ id }) => id).filter((id) => !this.#entered.has(id)),
        transitions: transitions.filter((name) => !taken.has(name)),
      }).toEqual({ states: [], transitions: [] });
    });
    test("is named for its file", () => {
      const { testPath = "" } = expect.getState();
      const file = basename(testPath, ".test.ts");
      expect(chart.id).toBe(file.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()));
    });
    test("is not moved by an answer that it no longer waits for", () => expect(this.#disturbed).toEqual([]));
  }
}

/**
 * Walks every generated path on the real chart and declares the tests that hold for any chart: every state and
 * transition is walked, nothing kills the chart, and it behaves as its model in time as well as in order.
 */
export async function study<M extends AnyStateMachine>(chart: M, samples: Samples<M>): Promise<Study<M>> {
  const result = new Study<M>();
  let paths = 0;
  const inputs = samples.inputs ?? [undefined as InputFrom<M>];
  try {
    for (const input of inputs) {
      const model = new Model(chart, samples, input);
      const generated = model.paths();
      paths += generated.length;
      for (const path of generated) await result.walk(chart, model, input, path);
      for (let seed = 0; seed < WANDERERS / inputs.length; seed++) {
        await result.walk(chart, model, input, model.wander(seed, WANDERED_STEPS));
      }
    }
  } catch (error) {
    // A test of its own: a file that cannot be loaded says nothing of what else is wrong.
    test("can be walked to the end", () => {
      throw error;
    });
  }
  result.judge(chart, paths);
  return result;
}

const describePath = (history: readonly { event: { type: string } }[]) =>
  history.map(({ event }) => event.type).join(" → ");

/** `source event → target`, with its rank where several transitions share an event. */
function transitionName(one: AnyTransitionDefinition): string {
  const { source, eventType, target } = one;
  const rivals: readonly unknown[] =
    (eventType === "" ? source.always : source.transitions.get(eventType)) ?? [];
  const rank = rivals.length > 1 ? ` (${rivals.indexOf(one) + 1})` : "";
  return `${source.id} ${eventType || "always"}${rank} → ${target?.map(({ id }) => id).join(", ") ?? "(stays)"}`;
}
