/** What the inspector hears, keeps and moves, on small charts of its own. */
import { expect, test, vi } from "vitest";
import { createActor, emit, fromPromise, setup, SimulatedClock, assign } from "xstate";
import { jump, JUMPED } from "../../src/inspector/jump.ts";
import { eventWords, readable, stateWords } from "../../src/inspector/readable.ts";
import { Recording, type ChartActor } from "../../src/inspector/record.ts";
import { Ring } from "../../src/inspector/ring.ts";

/** Asks, waits, counts: a chart with all that a jump must put back. */
const lamp = setup({
  types: {
    context: {} as { lit: number },
    events: {} as { type: "lit" } | { type: "left" } | { type: "mended" },
    emitted: {} as { type: "lamp.lit"; times: number },
  },
  actors: { readOil: fromPromise<string, { lit: number }>(() => new Promise(() => {})) },
  delays: { patience: 1_000 },
  actions: { count: assign({ lit: ({ context }) => context.lit + 1 }) },
}).createMachine({
  id: "lamp",
  context: { lit: 0 },
  initial: "dark",
  states: {
    dark: {
      on: {
        lit: {
          target: "burning",
          actions: ["count", emit(({ context }) => ({ type: "lamp.lit", times: context.lit }))],
        },
      },
    },
    burning: {
      invoke: {
        id: "oil",
        src: "readOil",
        input: ({ context }) => ({ lit: context.lit }),
        onDone: "bright",
      },
      after: { patience: "smoking" },
    },
    bright: { on: { left: "dark" } },
    smoking: { on: { mended: "dark" } },
  },
});

function harness() {
  const clock = new SimulatedClock();
  const record = new Recording(() => clock.now());
  const answers: ((oil: string) => void)[] = [];
  const inputs: unknown[] = [];
  const signals: AbortSignal[] = [];
  const readOil = fromPromise<string, { lit: number }>(({ input, signal }) => {
    inputs.push(input);
    signals.push(signal);
    return new Promise((resolve) => answers.push(resolve));
  });
  const ref = createActor(lamp.provide({ actors: { readOil } }), { clock, inspect: record.hear }).start();
  const [actor] = record.actors.values();
  if (!actor) throw new Error("The recording did not hear of the actor.");
  return { clock, record, ref, actor, answers, inputs, signals };
}

const momentAt = (actor: ChartActor, value: string, index = 0) => {
  const moment = actor.moments.toArray().filter(({ snapshot }) => snapshot.value === value)[index];
  if (!moment) throw new Error(`It was never ${value}.`);
  return moment;
};

test("hears who sent what to whom, when, and what was said", async () => {
  const { clock, record, ref, actor, answers } = harness();
  ref.send({ type: "lit" });
  clock.increment(400);
  answers[0]?.("olive");
  await vi.waitFor(() => expect(actor.snapshot.value).toBe("bright"));
  record.send(actor, { type: "left" });
  ref.send({ type: "lit" });
  clock.increment(1_000);
  ref.stop();
  const log = record.log.toArray().map(({ at, kind, sender, event }) => [at, kind, sender, event.type]);
  expect(log).toEqual([
    [0, "sent", "outside", "xstate.init"],
    [0, "sent", "outside", "lit"],
    [0, "said", "itself", "lamp.lit"],
    [400, "sent", { call: "oil" }, "xstate.done.actor.oil"],
    [400, "sent", "inspector", "left"],
    [400, "sent", "outside", "lit"],
    [400, "said", "itself", "lamp.lit"],
    [1_400, "sent", "timer", "xstate.after.patience.lamp.burning"],
    [1_400, "sent", "outside", "xstate.stop"],
  ]);
  expect(actor.moments.toArray().map(({ snapshot }) => snapshot.value)).toEqual([
    "dark",
    "burning",
    "bright",
    "dark",
    "burning",
    "smoking",
  ]);
});

test("follows what is asked: waiting, answered, dropped", async () => {
  const { clock, ref, actor, answers } = harness();
  ref.send({ type: "lit" });
  const oil = () => actor.calls.get("oil");
  expect(oil()).toEqual({
    id: "oil",
    src: "readOil",
    times: 1,
    status: "active",
    began: 0,
    ended: null,
    input: { lit: 1 },
    answer: undefined,
  });
  clock.increment(300);
  answers[0]?.("olive");
  await vi.waitFor(() => expect(oil()).toMatchObject({ status: "done", ended: 300, answer: "olive" }));
  ref.send({ type: "left" });
  ref.send({ type: "lit" });
  clock.increment(1_000);
  expect(oil()).toMatchObject({ times: 2, status: "stopped", began: 300, ended: 1_300 });
});

test("knows the transitions that the last event took", () => {
  const { ref, actor } = harness();
  ref.send({ type: "lit" });
  expect(actor.taken.map(({ source, eventType }) => [source.id, eventType])).toEqual([["lamp.dark", "lit"]]);
  ref.send({ type: "mended" });
  expect(actor.taken).toEqual([]);
});

test("a hidden view's actor rests and goes on as the same one", () => {
  const { ref, record, actor } = harness();
  ref.send({ type: "lit" });
  ref.stop();
  expect([actor.isRunning, actor.snapshot.value]).toEqual([false, "burning"]);
  expect(() => jump(record, actor, momentAt(actor, "dark"))).toThrow("does not run");
});

test("of the actors at rest the oldest are forgotten", () => {
  const record = new Recording(() => 0);
  const kept = createActor(lamp, { inspect: record.hear }).start();
  for (let count = 0; count < 100; count++) createActor(lamp, { inspect: record.hear }).start().stop();
  const actors = [...record.actors.values()];
  expect([actors.length, actors.filter(({ isRunning }) => isRunning).map(({ ref }) => ref === kept)]).toEqual(
    [41, [true]],
  );
});

test("the log stays bounded however much is heard", () => {
  const { ref, record, actor } = harness();
  for (let count = 0; count < 5_000; count++) ref.send({ type: "mended" });
  expect([record.log.length, record.log.pushed, actor.moments.length]).toEqual([2_000, 5_001, 200]);
  expect(record.log.last?.order).toBe(record.log.toArray().at(-1)?.order);
});

test("jumping back moves the running actor: whoever watches it sees it, and it takes events from there", () => {
  const { clock, ref, record, actor } = harness();
  const seen: unknown[] = [];
  ref.send({ type: "lit" });
  clock.increment(1_000);
  ref.subscribe(({ value, context }) => seen.push([value, context.lit]));
  jump(record, actor, momentAt(actor, "dark"));
  expect(seen).toEqual([["dark", 0]]);
  expect(record.log.last).toMatchObject({ sender: "inspector", event: { type: JUMPED } });
  ref.send({ type: "lit" });
  expect(ref.getSnapshot()).toMatchObject({ value: "burning", context: { lit: 1 } });
});

test("what was being asked is asked again with the input of then, and its answer counts", async () => {
  const { clock, ref, record, actor, answers, inputs } = harness();
  ref.send({ type: "lit" });
  clock.increment(1_000);
  jump(record, actor, momentAt(actor, "burning"));
  expect(inputs).toEqual([{ lit: 1 }, { lit: 1 }]);
  expect(actor.calls.get("oil")).toMatchObject({ times: 2, status: "active" });
  answers[0]?.("late");
  answers[1]?.("olive");
  await vi.waitFor(() => expect(ref.getSnapshot().value).toBe("bright"));
});

test("delays start again at full length, and those of the place left behind do not fire", () => {
  const { clock, ref, record, actor } = harness();
  ref.send({ type: "lit" });
  clock.increment(900);
  jump(record, actor, momentAt(actor, "burning"));
  clock.increment(900);
  expect(ref.getSnapshot().value).toBe("burning");
  clock.increment(100);
  expect(ref.getSnapshot().value).toBe("smoking");
});

test("what is being asked when the jump comes is dropped", () => {
  const { ref, record, actor, signals } = harness();
  ref.send({ type: "lit" });
  jump(record, actor, momentAt(actor, "dark"));
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(ref.getSnapshot()).toMatchObject({ value: "dark", children: {} });
});

test("a question that had been answered by then is not asked again", async () => {
  const chart = setup({
    types: { events: {} as { type: "gone" } },
    actors: { ask: fromPromise<number>(() => new Promise(() => {})) },
    actions: { nothing: () => {} },
  }).createMachine({
    id: "stays",
    initial: "here",
    states: {
      here: { invoke: { id: "ask", src: "ask", onDone: { actions: "nothing" } }, on: { gone: "away" } },
      away: {},
    },
  });
  let calls = 0;
  const ask = fromPromise<number>(async () => (calls += 1));
  const record = new Recording(() => 0);
  const ref = createActor(chart.provide({ actors: { ask } }), { inspect: record.hear }).start();
  const [actor] = record.actors.values();
  if (!actor) throw new Error("The recording did not hear of the actor.");
  await vi.waitFor(() => expect(actor.moments.length).toBe(2));
  ref.send({ type: "gone" });
  const [first, answered] = actor.moments.toArray();
  if (!first || !answered) throw new Error("Two moments were kept.");
  jump(record, actor, answered);
  expect([calls, ref.getSnapshot().value]).toEqual([1, "here"]);
  jump(record, actor, first);
  expect([calls, ref.getSnapshot().value]).toEqual([2, "here"]);
});

test("after a jump the chart's own logic is back in its place", () => {
  const { ref, record, actor } = harness();
  const { logic } = ref;
  ref.send({ type: "lit" });
  jump(record, actor, momentAt(actor, "dark"));
  expect(ref.logic).toBe(logic);
});

test("a ring keeps the last, from the oldest to the newest", () => {
  const ring = new Ring<number>(3);
  expect([ring.last, ring.toArray()]).toEqual([undefined, []]);
  for (let one = 1; one <= 5; one++) ring.push(one);
  expect([ring.last, ring.length, ring.pushed, ring.toArray()]).toEqual([5, 3, 5, [3, 4, 5]]);
});

test("any value can be read", () => {
  const circle: Record<string, unknown> = { twice: [] };
  const shared = { a: 1 };
  circle["self"] = circle;
  const value = {
    none: undefined,
    big: 10n,
    error: new RangeError("too far"),
    map: new Map([["key", new Set([1])]]),
    run() {},
    circle,
    one: shared,
    other: shared,
  };
  expect(JSON.parse(readable(value))).toEqual({
    none: "(undefined)",
    big: "10n",
    error: { RangeError: "too far" },
    map: { key: [1] },
    run: "(function run)",
    circle: { twice: [], self: "(circle)" },
    one: { a: 1 },
    other: { a: 1 },
  });
  expect(readable("x".repeat(100_000)).length).toBeLessThan(50_000);
});

test.each([
  ["idle", "idle"],
  [
    { open: { countdown: "counting", asking: { reading: "slow" } } },
    "open (countdown: counting, asking: reading.slow)",
  ],
  [{ toast: "hidden", dialog: "open" }, "toast: hidden, dialog: open"],
  [{}, ""],
])("the state %j is put into words", (value, words) => expect(stateWords(value)).toBe(words));

test.each([
  ["xstate.init", "started"],
  ["xstate.stop", "stopped"],
  ["xstate.after.second.order.open", "after second"],
  ["xstate.done.actor.readOrder", "readOrder done"],
  ["xstate.error.actor.readOrder", "readOrder failed"],
  ["pay.requested", "pay.requested"],
])("the event %s is put into words", (type, words) => expect(eventWords(type)).toBe(words));
