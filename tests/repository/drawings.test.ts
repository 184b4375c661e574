/** docs/charts shows the charts as they are. */
import { expect, test } from "vitest";
import { createMachine, not, setup } from "xstate";
import ELK from "elkjs/lib/elk.bundled.js";
import { readChart } from "../../src/inspector/chart.ts";
import { draw } from "../../src/inspector/drawing.ts";
import { drawCharts, readDrawings } from "../tools/charts.ts";

/** The first layout of a chart is slow. */
const patience = { timeout: 60_000 };

test(
  "every drawing is up to date, none is missing, none is left over: else `npm run charts`",
  patience,
  async () => {
    const [expected, found] = [await drawCharts(), readDrawings()];
    const names = [...new Set([...expected.keys(), ...found.keys()])].toSorted();
    const faults = names.flatMap((name) => {
      if (!found.has(name)) return `${name} is missing`;
      if (!expected.has(name)) return `${name} belongs to no chart`;
      return expected.get(name) === found.get(name) ? [] : `${name} is out of date`;
    });
    expect(faults).toEqual([]);
    // Whatever was laid out before.
    expect(await drawCharts()).toEqual(expected);
  },
);

test("says all that a chart does", () => {
  const machine = setup({
    types: { events: {} as { type: "go" } | { type: "stay" }, tags: {} as "lit" },
    delays: { patience: 10_000, moment: () => 5 },
    guards: { isTrue: () => true },
    actions: { greet: () => {}, part: () => {} },
  }).createMachine({
    id: "small",
    initial: "one",
    states: {
      one: {
        tags: "lit",
        entry: "greet",
        exit: "part",
        after: { patience: "two", moment: { actions: "greet" }, 60_000: "two" },
        on: { stay: { guard: not("isTrue"), actions: "greet" }, go: "two" },
      },
      two: {
        type: "parallel",
        states: { left: { always: { guard: "isTrue", target: "#small.end" } }, right: {} },
      },
      end: { type: "final" },
    },
  });
  const { root, transitions } = readChart(machine);
  const [one, two, end] = root.states;
  expect(one).toEqual({
    id: "small.one",
    name: "one",
    kind: "atomic",
    isRegion: false,
    tags: ["lit"],
    lines: [
      { mark: "entry", text: "greet" },
      { mark: "takes", text: "stay [not isTrue] / greet" },
      { mark: "takes", text: "after moment / greet" },
      { mark: "exit", text: "part" },
    ],
    initial: null,
    states: [],
  });
  expect(root.initial).toBe("small.one");
  expect([two?.kind, two?.states.map(({ isRegion }) => isRegion), end?.kind]).toEqual([
    "parallel",
    [true, true],
    "final",
  ]);
  expect(
    transitions.map(({ source, target, cause, title, guard }) => [source, target, cause, title, guard]),
  ).toEqual([
    ["small.one", "small.two", "event", "go", null],
    ["small.one", "small.two", "delay", "after 1 min", null],
    ["small.one", "small.two", "delay", "after patience, 10 s", null],
    ["small.two.left", "small.end", "always", "", "isTrue"],
  ]);
});

test("lays states inside their parents, and words over nothing else", async () => {
  const machine = createMachine({
    id: "laid",
    initial: "a",
    states: {
      a: { on: { "to.b": "b", "also.to.b": "b", "to.inner": "c.inner" } },
      b: { on: { "back.to.a": "a" } },
      c: {
        initial: "inner",
        on: { "go.inside": ".other" },
        states: { inner: { on: { "out.to.b": "#laid.b" } }, other: {} },
      },
    },
  });
  const { boxes, arrows } = await draw(readChart(machine), new ELK());
  const boxOf = (id: string) => {
    const box = boxes.find(({ state }) => state.id === id);
    if (!box) throw new Error(`${id} was not drawn`);
    return box;
  };
  for (const { state, x, y, width, height } of boxes) {
    for (const child of state.states.map(({ id }) => boxOf(id))) {
      expect(child.x >= x && child.y >= y).toBe(true);
      expect(child.x + child.width <= x + width && child.y + child.height <= y + height).toBe(true);
    }
  }
  expect(arrows.map(({ words }) => words.map(({ text }) => text))).toEqual([
    ["to.b", "also.to.b"],
    ["to.inner"],
    ["back.to.a"],
    ["go.inside"],
    ["out.to.b"],
  ]);
  // Not through the name of the state that it leaves.
  expect(arrows[3]?.points[0]?.y).toBeGreaterThan(boxOf("laid.c").y + 20);
  const places = [
    ...arrows.flatMap(({ label }) => (label ? [label] : [])),
    ...boxes.filter(({ state }) => state.states.length === 0),
  ];
  const overlaps = places.flatMap((one, index) =>
    places
      .slice(index + 1)
      .filter(
        (other) =>
          one.x < other.x + other.width &&
          other.x < one.x + one.width &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      ),
  );
  expect(overlaps).toEqual([]);
});
