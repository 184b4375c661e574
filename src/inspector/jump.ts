/** Time travel: returns a running actor to an earlier snapshot. Decision 6 says how, and what cannot be undone. */
import {
  createActor,
  type Actor,
  type AnyActor,
  type AnyMachineSnapshot,
  type AnyStateMachine,
} from "xstate";
import type { ChartActor, Moment, Recording } from "./record.ts";

/** The event by which the log shows a jump. */
export const JUMPED = "inspector.jumped";

/**
 * Keeps the actor itself, so that its views, listeners and parents see only a new snapshot. For one event its logic
 * returns the old snapshot instead of running the chart; xstate restores the rest. @throws when the actor is not
 * running: a finished or hidden one takes no event
 */
export function jump(record: Recording, actor: ChartActor, moment: Moment): void {
  if (!actor.isRunning) throw new Error(`The actor ${actor.name} does not run.`);
  const ref = actor.ref;
  const chart = ref.logic;
  const once: AnyStateMachine = Object.create(chart, {
    transition: {
      value: (current: AnyMachineSnapshot, _event: unknown, scope: Scope) =>
        restore(record, chart, moment, current, scope),
    },
  });
  ref.logic = once;
  try {
    record.send(actor, { type: JUMPED });
  } finally {
    ref.logic = chart;
  }
}

type Scope = Parameters<AnyStateMachine["transition"]>[2];

function restore(
  record: Recording,
  chart: AnyStateMachine,
  { order, snapshot }: Moment,
  current: AnyMachineSnapshot,
  scope: Scope,
): AnyMachineSnapshot {
  const self = scope.self as Actor<AnyStateMachine>;
  for (const child of Object.values<AnyActor>(current.children)) scope.stopChild(child);
  scope.system.scheduler.cancelAll(self);

  const restored = chart.restoreSnapshot({ ...snapshot, children: {} } as never, scope) as AnyMachineSnapshot;
  // Pending invocations are started again with their input of that time.
  for (const [id, child] of Object.entries<AnyActor>(snapshot.children)) {
    if (!record.wasActive(child, order)) continue;
    const { logic, options, src, systemId } = child;
    restored.children[id] = createActor(logic, {
      id,
      src,
      parent: self,
      input: options.input,
      ...(systemId === undefined ? {} : { systemId }),
    });
  }
  scope.defer(() => {
    chart.start(restored);
    for (const { type, delay } of timersOf(restored, self)) {
      scope.system.scheduler.schedule(self, self, { type }, delay, type);
    }
  });
  return restored;
}

/** The delays of these states, at full length: the time left is not recorded. */
function timersOf(snapshot: AnyMachineSnapshot, self: AnyActor): { type: string; delay: number }[] {
  const { delays } = snapshot.machine.implementations;
  const timers = new Map<string, number>();
  for (const node of snapshot._nodes) {
    for (const { eventType, delay } of node.after) {
      const named: unknown = typeof delay === "number" ? delay : delays[String(delay)];
      const ms: unknown =
        typeof named === "function"
          ? named({ context: snapshot.context, event: { type: JUMPED }, self }, undefined)
          : named;
      if (typeof ms === "number") timers.set(eventType, ms);
    }
  }
  return [...timers].map(([type, delay]) => ({ type, delay }));
}
