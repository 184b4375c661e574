/** The bar at the top: from 0.3 on it only ever grows, and is full for half a second; and the views that are kept. */
import { describe, expect, test } from "vitest";
import { cameFrom, navigationMachine, opensAsLeft, type Visit } from "../../machines/navigation.ts";
import { returning, travelling } from "../models/navigation.ts";
import { runOnMachine } from "../support/user-model.ts";
import { Harness } from "../support/harness.ts";
import { invariantsOf, type Moment as MomentOf } from "../support/invariant-runner.ts";

type Moment = MomentOf<typeof navigationMachine>;

const visitOf = (name: string, more: Partial<Visit> = {}): Visit => ({
  name,
  key: name,
  noCache: false,
  params: {},
  step: 0,
  // Whatever stands in another's stead has a name of its own.
  entry: `${name} ${more.step ?? 0}`,
  returns: false,
  ...more,
});

const navigation = invariantsOf(navigationMachine, {
  events: [
    { type: "navigation.started" },
    { type: "navigation.finished", visit: visitOf("home"), moves: true },
    { type: "navigation.finished", visit: visitOf("buy", { step: 2 }), moves: false },
    { type: "navigation.finished", visit: visitOf("arrow", { returns: true }), moves: true },
    { type: "navigation.finished", visit: visitOf("card", { noCache: true, step: 1 }), moves: true },
    { type: "page.opened", visit: visitOf("home") },
    {
      type: "backStack.restored",
      backStack: { "home 0": { name: "before", params: {} }, "card 1": { name: "other", params: {} } },
    },
    { type: "views.dropped" },
  ],
  answers: {},
  // The bar's length is told apart by its promises, not by paths of its own.
  distinguish: ({ current, kept, direction, leaving }) => ({ current, kept, direction, leaving }),
});

/** Whether the bar ends its run here: the view is there. */
const ends = (moment: Moment | undefined) => moment?.event.type === "navigation.finished";

navigation.always(
  "is empty at rest, full for half a second, between 0.3 and 1 else",
  ({ state, at }, history) => {
    const end = history.findLastIndex(ends);
    const start = history.findLastIndex(({ event }) => event.type === "navigation.started");
    const { progress: value } = state.context;
    if (start > end) expect(value >= 0.3 && value < 1, String(value)).toBe(true);
    else expect(value).toBe(end < 0 || at - (history[end]?.at ?? 0) >= 500 ? 0 : 1);
  },
);

navigation.always("grows every 200 ms, and never shrinks while it runs", ({ state }, history) => {
  const start = history.findLastIndex(ends);
  const run = history.slice(start + 1).filter((moment) => moment.state.matches({ bar: "running" }));
  const began = run[0];
  if (!began || !state.matches({ bar: "running" })) return;
  const values = run.map((moment) => moment.state.context.progress);
  expect(values).toEqual(values.toSorted((one, other) => one - other));
  for (const [index, moment] of run.entries()) {
    const before = run[index - 1];
    if (before && moment.event.type === "after.trickle") {
      expect(moment.state.context.progress).toBeGreaterThan(before.state.context.progress);
    }
  }
});

navigation.always(
  "says that the view is about to be left, each time that a user sets out",
  ({ event, emitted }) => {
    expect(emitted).toEqual(event.type === "navigation.started" ? [{ type: "view.left" }] : []);
  },
);

navigation.always("keeps each visited view once, the latest last, and none that may not be", (_, history) => {
  let kept: Visit[] = [];
  let current: Visit | null = null;
  for (const { event } of history) {
    if (event.type === "views.dropped") kept = [];
    if (!("visit" in event)) continue;
    current = event.visit;
    kept = kept.filter(({ key }) => key !== event.visit.key);
    if (!event.visit.noCache) kept.push(event.visit);
  }
  const { context } = history.at(-1)?.state ?? {};
  expect({ kept: context?.kept, current: context?.current }).toEqual({ kept, current });
});

navigation.always("knows what stands before each step of the history", ({ state }, history) => {
  const known: Record<string, string> = {};
  let last: Visit | null = null;
  for (const { event } of history) {
    if ("backStack" in event) {
      // What is recalled is older than whatever was seen since.
      for (const [entry, { name }] of Object.entries(event.backStack)) known[entry] ??= name;
    }
    if (!("visit" in event)) continue;
    const { visit } = event;
    const before = last && known[last.entry];
    if (last && visit.step === last.step + 1) known[visit.entry] = last.name;
    else if (visit.step === last?.step && before) known[visit.entry] = before;
    last = visit;
  }
  const names = Object.entries(state.context.backStack).map(([entry, { name }]) => [entry, name]);
  expect(Object.fromEntries(names)).toEqual(known);
});

navigation.always(
  "shows what is left until it has gone, where it may be seen to go",
  ({ state, at }, history) => {
    const turned = history.findLastIndex(({ event }) => event.type === "navigation.finished");
    const turn = history[turned];
    const before = history[turned - 1]?.state.context.current ?? null;
    const goes =
      turn?.event.type === "navigation.finished" &&
      turn.event.moves &&
      before?.key !== turn.event.visit.key &&
      at - turn.at < 360;
    expect(state.context.leaving).toEqual(goes ? before : null);
  },
);

navigation.always("knows which way the last navigation led", ({ state }, history) => {
  const [to, from] = history
    .map(({ event }) => event)
    .filter((event) => "visit" in event)
    .map(({ visit }) => visit)
    .toReversed();
  const ways: Record<string, string> = {
    "home card": "forward",
    "home buy": "forward",
    "card buy": "forward",
    "card home": "back",
    "buy home": "back",
    "buy card": "back",
    "home arrow": "back",
    "arrow arrow": "back",
    "arrow card": "forward",
    "card arrow": "back",
    "buy arrow": "back",
    "arrow buy": "forward",
  };
  expect(state.context.direction).toBe((from && to && ways[`${from.name} ${to.name}`]) ?? "across");
});

/** Whether one came from that place. */
async function came(place: Parameters<typeof cameFrom>[1], ...visits: Visit[]): Promise<boolean> {
  const harness = new Harness(navigationMachine);
  for (const visit of visits) await harness.send({ type: "navigation.finished", visit, moves: false });
  return cameFrom(harness.state.context, place);
}

test.each([
  ["the step before", [visitOf("/setting"), visitOf("/buy", { step: 1 })], true],
  [
    "two steps before",
    [visitOf("/setting"), visitOf("/home", { step: 1 }), visitOf("/buy", { step: 2 })],
    false,
  ],
  ["an unknown step before", [visitOf("/setting"), visitOf("/buy", { step: 2 })], false],
  ["another in its stead", [visitOf("/setting"), visitOf("/home"), visitOf("/buy", { step: 1 })], false],
  ["this very step", [visitOf("/home"), visitOf("/setting", { step: 1 })], false],
  [
    "the step before that in whose stead it stands",
    [visitOf("/setting"), visitOf("/home", { step: 1 }), visitOf("/buy", { step: 1 })],
    true,
  ],
  [
    "the step before, come back to",
    [
      visitOf("/setting"),
      visitOf("/buy", { step: 1 }),
      visitOf("/home", { step: 2 }),
      visitOf("/buy", { step: 1 }),
    ],
    true,
  ],
  ["nothing", [], false],
])("whether one came from the settings: %s", async (_, visits, expected) => {
  expect(await came({ to: "/setting" }, ...visits)).toBe(expected);
});

test("a place with other parameters is another place", async () => {
  const visits = [visitOf("/pay/$id", { params: { id: "monthly" } }), visitOf("/buy", { step: 1 })];
  const from = (id: string) => came({ to: "/pay/$id", params: { id } }, ...visits);
  expect([await from("monthly"), await from("annual")]).toEqual([true, false]);
});

test.each([
  [false, "forward", true],
  [false, "across", true],
  [true, "forward", false],
  [true, "across", false],
  [true, "back", true],
] as const)(
  "a view with noCache %s, reached by going %s, opens as it was left: %s",
  (noCache, direction, is) => {
    expect(opensAsLeft({ current: { noCache }, direction })).toBe(is);
  },
);

test("to a view that came with the page no bar runs", async () => {
  const harness = new Harness(navigationMachine);
  const visit = visitOf("home");
  await harness.send({ type: "page.opened", visit });
  expect({ at: harness.state.value, ...harness.state.context }).toEqual({
    at: { bar: "idle", transition: "still" },
    progress: 0,
    current: visit,
    kept: [visit],
    direction: "across",
    leaving: null,
    backStack: {},
  });
});

test("trickles every 200 ms, and never to the end", async () => {
  const harness = new Harness(navigationMachine);
  await harness.send({ type: "navigation.started" });
  await harness.advance(199);
  expect(harness.state.context.progress).toBe(0.3);
  await harness.advance(1);
  expect(harness.state.context.progress).toBeGreaterThan(0.3);
  await harness.advance(60_000);
  expect(harness.state.context.progress).toBeGreaterThan(0.9);
  expect(harness.state.context.progress).toBeLessThan(1);
});

/** Stops of the bar in thousandths, the first left out. */
const stops = (from: number, to: number, step: number) =>
  Array.from({ length: (to - from) / step }, (_, index) => from + (index + 1) * step);

test("creeps in ever smaller steps, and stays at 99 hundredths", async () => {
  const harness = new Harness(navigationMachine);
  await harness.send({ type: "navigation.started" });
  const expected = [...stops(300, 500, 40), ...stops(500, 800, 20), ...stops(800, 990, 5), 990, 990];
  const seen = [];
  for (const _ of expected) {
    await harness.advance(200);
    seen.push(harness.state.context.progress);
  }
  expect(seen).toEqual(expected.map((stop) => stop / 1000));
});

test("keeps the eight latest views", async () => {
  const harness = new Harness(navigationMachine);
  const visits = Array.from({ length: 12 }, (_, index) => visitOf(String(index)));
  for (const visit of visits) await harness.send({ type: "navigation.finished", visit, moves: false });
  expect(harness.state.context.kept).toEqual(visits.slice(4));
});

describe("the bar", () => {
  runOnMachine(travelling);
});
describe("the views that are kept", () => {
  runOnMachine(returning);
});
