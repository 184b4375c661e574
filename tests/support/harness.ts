/** A real chart whose clock and ports the test controls. */
import {
  createActor,
  fromPromise,
  SimulatedClock,
  StateMachine,
  type AnyActorLogic,
  type AnyActorRef,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
  type Actor,
  type EmittedFrom,
  type EventFrom,
  type EventObject,
  type InputFrom,
  type InspectionEvent,
  type OutputFrom,
  type SnapshotFrom,
} from "xstate";

type Question = { readonly id: string; readonly src: string; readonly input: unknown };
/** One question to a port, by the id of its invoke. */
export type Call = Question & { readonly at: number };

type Port<M> =
  // oxlint-disable-next-line typescript/no-explicit-any -- the other parameters of a machine do not matter here
  M extends StateMachine<any, any, any, infer P, any, any, any, any, any, any, any, any, any, any>
    ? P
    : never;
export type NamedPort<M> = Extract<Port<M>, { src: string; logic: AnyActorLogic }>;
/** The charts that a chart invokes. */
type Invoked<M> = Extract<NamedPort<M>["logic"], AnyStateMachine>;
/** What it and the charts that it invokes emit. */
export type Emission<M extends AnyStateMachine> = EmittedFrom<M> | EmittedFrom<Invoked<M>>;

/** Answers at once to every call of a port, by its input and the time; an Error is a refusal. A port that is left out waits for the test. */
/** What a reply gives where none comes by itself. */
export const noReply = Symbol("no reply");

type Replies<M> = {
  [P in NamedPort<M> | NamedPort<Invoked<M>> as P["src"]]?: (
    input: InputFrom<P["logic"]>,
    now: number,
  ) => OutputFrom<P["logic"]> | Error | typeof noReply;
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

export const everyNode = (node: AnyStateMachine["root"]): AnyStateMachine["root"][] => [
  node,
  ...Object.values(node.states).flatMap(everyNode),
];

/** The harness of each system of actors, for the ports: a chart is given its ports once, for all harnesses. */
const harnesses = new WeakMap<
  object,
  { ask: (question: Question, signal: AbortSignal) => Promise<unknown> }
>();
/** With the charts that they invoke, and alone: the test then answers for those, too. */
const withPorts = { whole: new WeakMap<AnyStateMachine, AnyStateMachine>(), alone: new WeakMap() };

function withTestPorts(chart: AnyStateMachine, mode: keyof typeof withPorts): AnyStateMachine {
  const known = withPorts[mode].get(chart) as AnyStateMachine | undefined;
  if (known) return known;
  const sources = everyNode(chart.root).flatMap((node) => node.invoke.map(({ src }) => String(src)));
  const actorOf = (src: string): AnyActorLogic => {
    const logic: unknown = chart.implementations.actors[src];
    return logic instanceof StateMachine && mode === "whole"
      ? withTestPorts(logic as AnyStateMachine, mode)
      : fromPromise<unknown, unknown>(async ({ input, self, system, signal }) =>
          harnesses.get(system)?.ask({ id: self.id, src, input }, signal),
        );
  };
  const provided = chart.provide({
    actors: Object.fromEntries(sources.map((src) => [src, actorOf(src)])),
  }) as AnyStateMachine;
  withPorts[mode].set(chart, provided);
  return provided;
}

/** A chart whose ports answer only when the test says so. */
export class Harness<M extends AnyStateMachine> {
  readonly clock = new SlicedClock();
  readonly calls: Call[] = [];
  /** By the chart and those that it invokes. */
  readonly emitted: Emission<M>[] = [];
  /** What killed the chart, if anything did. */
  fault: unknown = undefined;
  readonly taken = new Set<AnyTransitionDefinition>();
  readonly #actor: Actor<M>;
  readonly #settle = new Map<Call, (value: unknown) => void>();
  readonly #over = new Set<Call>();
  #isRestless = false;

  constructor(
    chart: M,
    {
      input,
      replies = {},
      alone = false,
    }: { input?: InputFrom<NoInfer<M>>; replies?: Replies<NoInfer<M>>; alone?: boolean } = {},
  ) {
    const options = {
      input,
      clock: this.clock,
      inspect: (event: InspectionEvent) => {
        if (event.type === "@xstate.microstep") for (const one of event._transitions) this.taken.add(one);
        if (event.type === "@xstate.actor")
          (event.actorRef as AnyActorRef).on("*", (emission) => this.emitted.push(emission as Emission<M>));
      },
    };
    this.#actor = createActor(withTestPorts(chart, alone ? "alone" : "whole") as M, options as never);
    this.#actor.subscribe({ error: (error) => (this.fault = error) });
    harnesses.set(this.#actor.system, { ask: (question, signal) => this.#ask(question, signal, replies) });
    this.#actor.start();
  }

  get state(): SnapshotFrom<M> {
    return this.#actor.getSnapshot();
  }
  /** The ids of the states that it and the charts that it invokes are in, by chart. */
  get states(): Record<string, string[]> {
    const { machine, _nodes, children } = this.state as AnyMachineSnapshot;
    const snapshots = Object.values(children as Record<string, AnyActorRef>).map(
      (child) => child.getSnapshot() as AnyMachineSnapshot,
    );
    return Object.fromEntries(
      [{ machine, _nodes }, ...snapshots.filter((snapshot) => "_nodes" in snapshot)].map((snapshot) => [
        snapshot.machine.id,
        snapshot._nodes.map(({ id }) => id),
      ]),
    );
  }
  /** The questions that are neither answered nor turned away from. */
  get pending(): Call[] {
    return this.calls.filter((call) => !this.#over.has(call));
  }

  /** Something happens; whatever is answered at once is answered. */
  async send(event: EventFrom<M>): Promise<void> {
    // One that is done hears nothing, and XState warns of it.
    if ((this.state as AnyMachineSnapshot).status === "active") this.#actor.send(event);
    await this.#rest();
  }
  /** Something happens to a chart that it invokes. */
  async sendToChild(id: string, event: EventObject): Promise<void> {
    const { children } = this.state as AnyMachineSnapshot;
    // One that is gone hears nothing.
    children[id]?.send(event);
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
  async advance(ms: number): Promise<void> {
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
      const reply = (replies as Partial<Record<string, (input: unknown, now: number) => unknown>>)[call.src];
      const given = reply ? reply(call.input, call.at) : noReply;
      if (given !== noReply) this.#settle.get(call)?.(given);
    });
  }
}
