/** All walks of a chart, kept moment by moment, to be judged by what the specification promises. */
import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, expect, test } from "vitest";
import type {
  AnyMachineSnapshot,
  AnyStateMachine,
  AnyTransitionDefinition,
  EventFrom,
  InputFrom,
  SnapshotFrom,
} from "xstate";
import { keepWalk } from "./coverage.ts";
import { Model, Trail, type ModelEvent, type Samples } from "./model.ts";
import { everyNode, Harness, type Call, type Emission } from "./harness.ts";

/** What was seen after one event. `calls` and `emitted` are those of this moment alone. */
export type Moment<M extends AnyStateMachine> = {
  event: ModelEvent<M> | { type: "start"; input: InputFrom<M> };
  at: number;
  state: SnapshotFrom<M>;
  calls: readonly Call[];
  emitted: readonly Emission<M>[];
  /** The questions that wait for an answer. */
  pending: readonly Call[];
};
/** All moments of a path so far; the last one is now. */
export type History<M extends AnyStateMachine> = readonly Moment<M>[];

const WANDERERS = 40;
const WANDERED_STEPS = 50;

/** What is asked of every moment until it fails once. */
type Check<M extends AnyStateMachine> = {
  judge: (moment: Moment<M>, history: History<M>) => void;
  /** Tells the test that declared it. */
  fail: (error: unknown) => void;
};

export class InvariantRunner<M extends AnyStateMachine> {
  readonly #checks = new Set<Check<M>>();
  #isOver = false;
  #beginning = new Trail();
  readonly #taken = new Set<AnyTransitionDefinition>();
  readonly #entered = new Set<string>();
  /** Without those that are left at once. */
  readonly #rested = new Set<string>();
  readonly #disturbed: string[] = [];
  readonly #chart: M;
  readonly #samples: Samples<M>;
  #paths = 0;
  #walking: Promise<void> | undefined;

  constructor(chart: M, samples: Samples<M>) {
    this.#chart = chart;
    this.#samples = samples;
    this.#judge();
    // A test that failed may have left a walk under way, and what was walked takes hundreds of megabytes.
    afterAll(() => {
      this.#isOver = true;
      this.#beginning = new Trail();
    });
  }

  /** Once, when the first test needs it. */
  #walkAll(): Promise<void> {
    return (this.#walking ??= this.#walkEvery());
  }
  async #walkEvery(): Promise<void> {
    const inputs = this.#samples.inputs ?? [undefined as InputFrom<M>];
    for (const input of inputs) {
      const model = new Model(this.#chart, this.#samples, input);
      const generated = model.paths();
      this.#paths += generated.length;
      for (const path of generated) {
        if (this.#isOver) return;
        await this.#walk(model, input, path);
      }
      for (let seed = 0; seed < WANDERERS / inputs.length && !this.#isOver; seed++) {
        await this.#walk(model, input, model.wander(seed, WANDERED_STEPS));
      }
    }
    for (const id of this.#rested) this.#entered.add(id);
    for (const { source } of this.#taken) this.#entered.add(source.id);
  }

  /** Declares a test: in every state of every path, this holds. It fails at once where it does not, while the walk goes on. */
  always(promise: string, judge: Check<M>["judge"]): void {
    const failed = new Promise<never>((_, fail) => this.#checks.add({ judge, fail }));
    // It may fail before its test is the next.
    failed.catch(() => {});
    test(`always ${promise}`, async () => {
      // In this order: of two that are settled the first one counts.
      await Promise.race([failed, this.#walkAll()]);
    });
  }

  /** Asks a moment, the last of its history, everything that has held so far. */
  #check(history: History<M>): void {
    for (const check of this.#checks) {
      try {
        check.judge(history.at(-1) as Moment<M>, history);
      } catch (error) {
        if (error instanceof Error) error.message += `\nPath: ${describePath(history)}`;
        this.#checks.delete(check);
        check.fail(error);
      }
    }
  }

  /** Performs a path on the real chart, beside the model. */
  async #walk(model: Model<M>, input: InputFrom<M>, path: readonly ModelEvent<M>[]): Promise<void> {
    const harness = new Harness<M>(this.#chart, { input, alone: true });
    const history: Moment<M>[] = [];
    const steps = [{ type: "start" as const, input }, ...path];
    let trail = this.#beginning;
    let situation = model.start;
    for (const [index, event] of steps.entries()) {
      const [calls, emitted] = index === 0 ? [0, 0] : [harness.calls.length, harness.emitted.length];
      if (index === 0) await harness.advance(0);
      else if ("output" in event) await harness.answer(event.id, event.output);
      else if ("error" in event) await harness.answer(event.id, event.error);
      else if ("ms" in event) await harness.sleep(event.ms);
      else await harness.send(event as EventFrom<M>);
      history.push({
        event,
        at: harness.clock.now(),
        state: harness.state,
        calls: harness.calls.slice(calls),
        emitted: harness.emitted.slice(emitted),
        pending: harness.pending,
      });
      trail = trail.after(event);
      if (trail.situation) {
        situation = trail.situation;
        continue;
      }
      if (index > 0) situation = model.transition(situation, event as ModelEvent<M>);
      trail.situation = situation;
      this.#check(history);
      const real: AnyMachineSnapshot = harness.state;
      for (const node of real._nodes) this.#rested.add(node.id);
      const shown = { value: real.value, context: real.context, fault: harness.fault };
      const { value, context } = situation.snapshot;
      const expected = { value, context, fault: undefined };
      if (!isDeepStrictEqual(shown, expected)) expect(shown, describePath(history)).toEqual(expected);
    }
    for (const one of harness.taken) this.#taken.add(one);
    const { state, emitted } = harness;
    const told = emitted.length;
    await harness.answerLate();
    if (harness.state !== state || emitted.length !== told) this.#disturbed.push(describePath(history));
  }

  /** Declares the tests that hold for any chart. */
  #judge(): void {
    const chart = this.#chart;
    const nodes = everyNode(chart.root);
    const transitions = nodes
      .flatMap((node) => [...[...node.transitions.values()].flat(), ...(node.always ?? [])])
      .map(transitionName);
    test(`walks all ${nodes.length} states and ${transitions.length} transitions`, async ({ task }) => {
      await this.#walkAll();
      keepWalk(task, {
        level: "chart",
        chart: chart.id,
        paths: this.#paths,
        states: { [chart.id]: this.#entered },
        whole: { all: nodes.length, states: [...this.#rested], transitions: transitions.length },
      });
      const taken = new Set([...this.#taken].map(transitionName));
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
    test("is not moved by an answer that it no longer waits for", async () => {
      await this.#walkAll();
      expect(this.#disturbed).toEqual([]);
    });
  }
}

/**
 * Declares the tests that hold for any chart, on every generated path: every state and transition is walked, nothing
 * kills the chart, and it behaves as its model in time as well as in order.
 */
export const invariantsOf = <M extends AnyStateMachine>(chart: M, samples: Samples<M>): InvariantRunner<M> =>
  new InvariantRunner(chart, samples);

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
