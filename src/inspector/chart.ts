/** Reads a chart as a plain graph of states and transitions, for any machine. */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from "xstate";

/** What triggers a transition. `inner`: the inner states are done. */
export type Cause = "event" | "done" | "error" | "delay" | "always" | "inner";

/** One line of a state: an entry or exit action, a port it invokes, or an event handled without leaving. */
export type Line = { mark: "entry" | "exit" | "asks" | "takes"; text: string };

export type State = {
  id: string;
  name: string;
  kind: "atomic" | "compound" | "parallel" | "final" | "history";
  /** One of several parallel states. */
  isRegion: boolean;
  tags: string[];
  lines: Line[];
  /** The initial inner state. */
  initial: string | null;
  states: State[];
};

export type Transition = {
  id: string;
  source: string;
  target: string;
  cause: Cause;
  title: string;
  guard: string | null;
  actions: string[];
};

export type Chart = { id: string; root: State; transitions: Transition[] };

/** Equal for the same transition in every copy of the chart, so that a taken transition is found in the drawing. */
export function transitionId({ source, eventType }: AnyTransitionDefinition, rank: number): string {
  return `${source.id} ${eventType || "always"} ${rank}`;
}

/** The transitions of a state, each with its index among those of the same event. */
export function rankedTransitions(node: AnyStateNode): { rank: number; one: AnyTransitionDefinition }[] {
  const lists: (readonly AnyTransitionDefinition[])[] = [...node.transitions.values(), node.always ?? []];
  return lists.flatMap((list) => list.map((one, rank) => ({ rank, one })));
}

export function readChart(machine: AnyStateMachine): Chart {
  const transitions: Transition[] = [];
  const root = readState(machine.root, machine, transitions);
  return { id: machine.id, root, transitions };
}

function readState(node: AnyStateNode, machine: AnyStateMachine, transitions: Transition[]): State {
  const taken: Line[] = [];
  for (const { rank, one } of rankedTransitions(node)) {
    const wording = {
      ...causeOf(one, node, machine),
      guard: guardName(one.guard),
      actions: namesOf(one.actions),
    };
    if (wording.cause === "always" && wording.guard === null && rank > 0) wording.title = "else";
    const id = transitionId(one, rank);
    if (one.target) {
      for (const [index, target] of one.target.entries()) {
        // Entering several regions is one transition; only its first arrow is labelled.
        const words = index === 0 ? wording : { ...wording, title: "", guard: null, actions: [] };
        transitions.push({
          id: index === 0 ? id : `${id} ${index}`,
          source: node.id,
          target: target.id,
          ...words,
        });
      }
    } else {
      const guard = wording.guard === null ? "" : ` [${wording.guard}]`;
      const actions = wording.actions.length === 0 ? "" : ` / ${wording.actions.join(", ")}`;
      taken.push({ mark: "takes", text: wording.title + guard + actions });
    }
  }
  const entry = namesOf(node.config.entry);
  const exit = namesOf(node.config.exit);
  return {
    id: node.id,
    name: node.key,
    kind: node.type,
    isRegion: node.parent?.type === "parallel",
    tags: [...node.tags],
    lines: [
      ...(entry.length === 0 ? [] : [{ mark: "entry" as const, text: entry.join(", ") }]),
      ...node.invoke.map(({ id, src }): Line => {
        const port = typeof src === "string" && !src.startsWith("xstate.invoke.") ? src : "inline";
        return { mark: "asks", text: port === id ? port : `${id}: ${port}` };
      }),
      ...taken,
      ...(exit.length === 0 ? [] : [{ mark: "exit" as const, text: exit.join(", ") }]),
    ],
    initial: node.type === "compound" ? (node.initial.target[0]?.id ?? null) : null,
    states: Object.values(node.states).map((child) => readState(child, machine, transitions)),
  };
}

function causeOf(
  one: AnyTransitionDefinition,
  node: AnyStateNode,
  machine: AnyStateMachine,
): { cause: Cause; title: string } {
  const type = one.eventType;
  if (type === "") return { cause: "always", title: "" };
  const delayed = node.after.find((after) => after.eventType === type);
  if (delayed) return { cause: "delay", title: delayWords(delayed.delay, machine) };
  const done = /^xstate\.done\.actor\.(.*)$/.exec(type)?.[1];
  if (done !== undefined) return { cause: "done", title: `${done} done` };
  const failed = /^xstate\.error\.actor\.(.*)$/.exec(type)?.[1];
  if (failed !== undefined) return { cause: "error", title: `${failed} failed` };
  if (type.startsWith("xstate.done.state.")) return { cause: "inner", title: "finished" };
  return { cause: "event", title: type };
}

function delayWords(delay: unknown, machine: AnyStateMachine): string {
  if (typeof delay === "number") return `after ${duration(delay)}`;
  const fixed: unknown = machine.implementations.delays[String(delay)];
  return typeof fixed === "number" ? `after ${String(delay)}, ${duration(fixed)}` : `after ${String(delay)}`;
}

/** Milliseconds as readable text. */
export function duration(ms: number): string {
  if (ms >= 60_000 && ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms >= 1_000 ? `${ms / 1_000} s` : `${ms} ms`;
}

function namesOf(actions: unknown): string[] {
  const list: unknown[] = actions === undefined ? [] : Array.isArray(actions) ? actions : [actions];
  return list.map(nameOf);
}

/** The name of an action or guard: the string, its type, or xstate's name of an inline one. */
function nameOf(named: unknown): string {
  if (typeof named === "string") return named;
  const { type, name } = named as { type?: unknown; name?: string };
  if (typeof type === "string") return type.replace(/^xstate\./, "");
  return name ?? "inline";
}

function guardName(guard: unknown): string | null {
  if (guard === undefined) return null;
  // The guards of `not`, `and` and `or` are shown by their parts.
  const { name, guards } = guard as { name?: string; guards?: unknown[] };
  if (guards) {
    const names = guards.map((one) => guardName(one) ?? "");
    return name === "not" ? `not ${names.join("")}` : names.join(` ${name} `);
  }
  return nameOf(guard);
}
