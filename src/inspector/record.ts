/** What the inspector heard: the actors, the log of their events, and their snapshots of late. Keeps what it is given as it is; nothing is copied or worded until somebody looks. */
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
/** Views come and go, and so do their actors; of those that rest so many are remembered. */
const MOST_RESTING = 40;

/** An actor that runs a chart. */
export type ChartActor = {
  key: string;
  name: string;
  ref: Actor<AnyStateMachine>;
  chart: AnyStateMachine;
  /** False while its view is hidden, and once it is gone. */
  isRunning: boolean;
  snapshot: AnyMachineSnapshot;
  /** The transitions of the last event. */
  taken: readonly AnyTransitionDefinition[];
  moments: Ring<Moment>;
  /** The ports it asked, by the id of the invocation. */
  asked: Map<string, Asked>;
};

/** Where an actor was after an event. `order` counts all that was heard. */
export type Moment = { order: number; at: number; event: AnyEventObject; snapshot: AnyMachineSnapshot };

/** An invocation: how often, and what became of the last one. */
export type Asked = {
  id: string;
  src: string;
  times: number;
  status: Snapshot<unknown>["status"];
  began: number;
  ended: number | null;
  input: unknown;
  /** The output, or the error. */
  answer: unknown;
};

export type Sender = "outside" | "inspector" | "timer" | "itself" | { asked: string } | { actor: string };

export type Entry = {
  order: number;
  at: number;
  /** An event that an actor was sent, or what it said to whoever listens. */
  kind: "sent" | "said";
  actor: ChartActor;
  sender: Sender;
  event: AnyEventObject;
};

export class Recording {
  readonly log = new Ring<Entry>(LOG_LENGTH);
  readonly actors = new Map<string, ChartActor>();
  /** When an actor that is no chart came to its end. */
  readonly #ended = new WeakMap<ActorRefLike, number>();
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #order = 0;
  #isSending = false;

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Grows with everything heard. */
  get order(): number {
    return this.#order;
  }

  /** Called with everything heard, so whoever listens does little. */
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

  /** Sends an event as the inspector. */
  send(actor: ChartActor, event: AnyEventObject): void {
    this.#isSending = true;
    try {
      actor.ref.send(event);
    } finally {
      this.#isSending = false;
    }
  }

  /** Whether a child was at work at that moment. */
  wasActive(child: ActorRefLike, order: number): boolean {
    const ended = this.#ended.get(child);
    return ended === undefined || ended > order;
  }

  #hearEvent(ref: Actor<AnyStateMachine>, event: AnyEventObject, source: ActorRefLike | undefined): void {
    if (event.type === "xstate.init") this.#welcome(ref);
    const actor = this.actors.get(ref.sessionId);
    if (!actor) return;
    // The parent hears of an end before it is announced as one.
    if (/^xstate\.(done|error)\.actor\./.test(event.type) && source) this.#end(source);
    actor.taken = [];
    this.#write({ kind: "sent", actor, sender: this.#senderOf(ref, event, source as AnyActor), event });
  }

  #senderOf(ref: AnyActor, event: AnyEventObject, source: AnyActor | undefined): Sender {
    if (!source) return this.#isSending ? "inspector" : "outside";
    if (source === ref) return event.type.startsWith("xstate.after.") ? "timer" : "itself";
    return source.logic instanceof StateMachine ? { actor: source.id } : { asked: source.id };
  }

  #hearSnapshot(ref: AnyActor, event: AnyEventObject, snapshot: AnyMachineSnapshot): void {
    const actor = this.actors.get(ref.sessionId);
    if (!actor) return;
    // A hidden view's actor is told to stop, and goes on later from where it was.
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
    const known = this.actors.get(ref.sessionId);
    if (known) {
      known.isRunning = true;
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
      asked: new Map(),
    });
  }

  #forget(): void {
    const resting = [...this.actors.values()].filter(({ isRunning }) => !isRunning);
    for (const { key } of resting.slice(0, -MOST_RESTING)) this.actors.delete(key);
  }

  #hearQuestion(ref: AnyActor): void {
    const parent = ref._parent && this.actors.get(ref._parent.sessionId);
    if (!parent) return;
    parent.asked.set(ref.id, {
      id: ref.id,
      src: typeof ref.src === "string" ? ref.src : "inline",
      times: (parent.asked.get(ref.id)?.times ?? 0) + 1,
      status: "active",
      began: this.#now(),
      ended: null,
      input: ref.options.input,
      answer: undefined,
    });
  }

  #hearAnswer(ref: AnyActor, snapshot: Snapshot<unknown>): void {
    this.#end(ref);
    const asked = ref._parent && this.actors.get(ref._parent.sessionId)?.asked.get(ref.id);
    if (!asked) return;
    asked.status = snapshot.status;
    asked.ended = this.#now();
    asked.answer = snapshot.status === "error" ? snapshot.error : snapshot.output;
  }

  #end(child: ActorRefLike): void {
    if (!this.#ended.has(child)) this.#ended.set(child, this.#order);
  }

  #write(entry: Omit<Entry, "order" | "at">): void {
    this.log.push({ ...entry, order: this.#order, at: this.#now() });
  }
}
