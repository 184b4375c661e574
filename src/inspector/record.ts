/** Records what the inspector observes: actors, their events and their recent snapshots. Stores references only; nothing is copied or formatted until it is shown. */
import {
  StateMachine,
  type Actor,
  type ActorRefLike,
  type AnyActor,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
  type InspectionEvent,
  type Snapshot,
} from "xstate";
import { Ring } from "./ring.ts";

const LOG_LENGTH = 2_000;
const MOMENTS_KEPT = 200;
/** Views and their actors come and go; so many stopped ones are kept. */
const MOST_RESTING = 40;

/** An actor that runs a chart. */
export type ChartActor = {
  key: string;
  name: string;
  ref: Actor<AnyStateMachine>;
  chart: AnyStateMachine;
  /** False while its view is hidden, and after it has stopped. */
  isRunning: boolean;
  snapshot: AnyMachineSnapshot;
  /** The transitions of the last event. */
  taken: readonly AnyTransitionDefinition[];
  moments: Ring<Moment>;
  /** Its invocations, by id. */
  calls: Map<string, PortCall>;
};

/** An actor's state after an event. `order` is the position among all recorded events. */
export type Moment = { order: number; at: number; event: AnyEventObject; snapshot: AnyMachineSnapshot };

/** An invocation: how often it ran, and its last result. */
export type PortCall = {
  id: string;
  src: string;
  times: number;
  status: Snapshot<unknown>["status"];
  began: number;
  ended: number | null;
  input: unknown;
  /** The output or the error. */
  answer: unknown;
};

export type Sender = "outside" | "inspector" | "timer" | "itself" | { call: string } | { actor: string };

export type Entry = {
  order: number;
  at: number;
  /** An event that an actor received, or one that it emitted. */
  kind: "sent" | "said";
  actor: ChartActor;
  sender: Sender;
  event: AnyEventObject;
};

export class Recording {
  readonly log = new Ring<Entry>(LOG_LENGTH);
  readonly actors = new Map<string, ChartActor>();
  /** When an actor without a chart ended. */
  readonly #ended = new WeakMap<ActorRefLike, number>();
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #order = 0;
  #isSending = false;

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Increases with every recorded event. */
  get order(): number {
    return this.#order;
  }

  /** Called for every recorded event, so listeners must be cheap. */
  listen(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }

  /** For xstate's `inspect`. */
  readonly hear = (heard: InspectionEvent): void => {
    const ref = heard.actorRef as AnyActor;
    const isChart = ref.logic instanceof StateMachine;
    this.#order += 1;
    if (heard.type === "@xstate.event") {
      if (isChart) this.#hearEvent(ref as Actor<AnyStateMachine>, heard.event, heard.sourceRef);
      else if (heard.event.type === "xstate.init") this.#hearQuestion(ref);
    } else if (heard.type === "@xstate.snapshot") {
      if (isChart) this.#hearSnapshot(ref, heard.event, heard.snapshot as AnyMachineSnapshot);
      else if (heard.snapshot.status !== "active") this.#hearAnswer(ref, heard.snapshot);
    } else if (heard.type === "@xstate.microstep") {
      const actor = this.actors.get(ref.sessionId);
      if (actor) actor.taken = [...actor.taken, ...heard._transitions];
    } else if (heard.type === "@xstate.action" && heard.action.type === "xstate.emit") {
      const actor = this.actors.get(ref.sessionId);
      const { event } = heard.action.params as { event: AnyEventObject };
      if (actor) this.#write({ kind: "said", actor, sender: "itself", event });
    }
    for (const changed of this.#listeners) changed();
  };

  /** Sends an event on behalf of the inspector. */
  send(actor: ChartActor, event: AnyEventObject): void {
    this.#isSending = true;
    try {
      actor.ref.send(event);
    } finally {
      this.#isSending = false;
    }
  }

  /** Whether a child was running at that moment. */
  wasActive(child: ActorRefLike, order: number): boolean {
    const ended = this.#ended.get(child);
    return ended === undefined || ended > order;
  }

  #hearEvent(ref: Actor<AnyStateMachine>, event: AnyEventObject, source: ActorRefLike | undefined): void {
    if (event.type === "xstate.init") this.#welcome(ref);
    const actor = this.actors.get(ref.sessionId);
    if (!actor) return;
    // The parent receives the done event before xstate announces the end.
    if (/^xstate\.(done|error)\.actor\./.test(event.type) && source) this.#end(source);
    actor.taken = [];
    this.#write({ kind: "sent", actor, sender: this.#senderOf(ref, event, source as AnyActor), event });
  }

  #senderOf(ref: AnyActor, event: AnyEventObject, source: AnyActor | undefined): Sender {
    if (!source) return this.#isSending ? "inspector" : "outside";
    if (source === ref) return event.type.startsWith("xstate.after.") ? "timer" : "itself";
    return source.logic instanceof StateMachine ? { actor: source.id } : { call: source.id };
  }

  #hearSnapshot(ref: AnyActor, event: AnyEventObject, snapshot: AnyMachineSnapshot): void {
    const actor = this.actors.get(ref.sessionId);
    if (!actor) return;
    // A hidden view's actor is stopped, and later continues from its snapshot.
    if (event.type === "xstate.stop") {
      actor.isRunning = false;
      this.#write({ kind: "sent", actor, sender: "outside", event });
      this.#forget();
      return;
    }
    actor.snapshot = snapshot;
    if (snapshot.status !== "active") actor.isRunning = false;
    actor.moments.push({ order: this.#order, at: this.#now(), event, snapshot });
  }

  #welcome(ref: Actor<AnyStateMachine>): void {
    const existing = this.actors.get(ref.sessionId);
    if (existing) {
      existing.isRunning = true;
      return;
    }
    const chart = ref.logic;
    this.actors.set(ref.sessionId, {
      key: ref.sessionId,
      name: chart.id,
      ref,
      chart,
      isRunning: true,
      snapshot: ref.getSnapshot(),
      taken: [],
      moments: new Ring(MOMENTS_KEPT),
      calls: new Map(),
    });
  }

  #forget(): void {
    const resting = [...this.actors.values()].filter(({ isRunning }) => !isRunning);
    for (const { key } of resting.slice(0, -MOST_RESTING)) this.actors.delete(key);
  }

  #hearQuestion(ref: AnyActor): void {
    const parent = ref._parent && this.actors.get(ref._parent.sessionId);
    if (!parent) return;
    parent.calls.set(ref.id, {
      id: ref.id,
      src: typeof ref.src === "string" ? ref.src : "inline",
      times: (parent.calls.get(ref.id)?.times ?? 0) + 1,
      status: "active",
      began: this.#now(),
      ended: null,
      input: ref.options.input,
      answer: undefined,
    });
  }

  #hearAnswer(ref: AnyActor, snapshot: Snapshot<unknown>): void {
    this.#end(ref);
    const call = ref._parent && this.actors.get(ref._parent.sessionId)?.calls.get(ref.id);
    if (!call) return;
    call.status = snapshot.status;
    call.ended = this.#now();
    call.answer = snapshot.status === "error" ? snapshot.error : snapshot.output;
  }

  #end(child: ActorRefLike): void {
    if (!this.#ended.has(child)) this.#ended.set(child, this.#order);
  }

  #write(entry: Omit<Entry, "order" | "at">): void {
    this.log.push({ ...entry, order: this.#order, at: this.#now() });
  }
}
