/** The sheet under a finger: how far it follows, and when letting it go throws it away. */
import { expect, test } from "vitest";
import { dragMachine } from "../../machines/drag.ts";
import { drag as model } from "../models/drag.ts";
import { runOnMachine } from "../support/user-model.ts";
import { Harness } from "../support/harness.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";

const height = 400;

const drag = invariantsOf(dragMachine, {
  events: [
    { type: "touch.began", at: 0 },
    { type: "touch.moved", down: 3, across: 0, at: 10 },
    { type: "touch.moved", down: 4, across: 30, at: 20 },
    { type: "touch.moved", down: -20, across: 0, at: 30 },
    { type: "touch.moved", down: 30, across: 4, at: 100 },
    { type: "touch.moved", down: 206, across: 0, at: 1_000 },
    { type: "touch.ended", at: 1_010, height },
    { type: "touch.lost" },
  ],
  answers: {},
  distinguish: ({ distance }) => distance,
});

type Sheet = { finger: "away" | "down" | "pulling"; distance: number; thrown: number | null };
const resting: Sheet = { finger: "away", distance: 0, thrown: null };

const sheetOf = (history: History<typeof dragMachine>) =>
  history.reduce<Sheet>((sheet, { event, at }) => {
    if (event.type === "touch.lost") return resting;
    if (sheet.thrown !== null) return at - sheet.thrown >= 400 ? resting : sheet;
    if (event.type === "touch.began") return sheet.finger === "away" ? { ...resting, finger: "down" } : sheet;
    if (sheet.finger === "away") return sheet;
    if (event.type === "touch.ended") {
      // From 200 px down one that rests is let go; from 24 px only one that is quick.
      return sheet.finger === "pulling" && sheet.distance === 200
        ? { finger: "away", distance: 200, thrown: at }
        : resting;
    }
    if (event.type !== "touch.moved") return sheet;
    const pulling: Sheet = { finger: "pulling", distance: Math.max(0, event.down - 6), thrown: null };
    if (sheet.finger === "pulling" || event.down > 6) return pulling;
    return event.down === 3 ? sheet : resting;
  }, resting);

drag.always("is where the finger pulled it, less what a tap may move", ({ state }, history) => {
  const { finger, distance } = sheetOf(history);
  expect({ distance: state.context.distance, following: state.hasTag("following") }).toEqual({
    distance,
    following: finger === "pulling",
  });
});

drag.always("is thrown once, when it is let go far down", ({ event, emitted }, history) => {
  const thrown = event.type === "touch.ended" && sheetOf(history.slice(0, -1)).distance === 200;
  const before = sheetOf(history.slice(0, -1)).finger === "pulling";
  expect(emitted).toEqual(thrown && before ? [{ type: "sheet.thrown" }] : []);
});

type Way = [down: number, at: number][];

/** What the chart tells of a finger that comes, goes its way and is lifted; px down, and ms. */
async function told(came: number, way: Way, lifted: number): Promise<unknown[]> {
  const harness = new Harness(dragMachine);
  await harness.send({ type: "touch.began", at: came });
  for (const [down, at] of way) await harness.send({ type: "touch.moved", down, across: 0, at });
  await harness.send({ type: "touch.ended", at: lifted, height });
  return harness.emitted;
}

const gestures: [name: string, way: Way, lifted: number, thrown: boolean, came?: number][] = [
  [
    "a flick",
    [
      [10, 16],
      [25, 32],
      [45, 48],
    ],
    50,
    true,
  ],
  [
    "a flick after a slow beginning",
    [
      [10, 100],
      [20, 300],
      [22, 500],
      [40, 516],
      [60, 532],
    ],
    540,
    true,
  ],
  [
    "a short way, slowly",
    [
      [20, 100],
      [60, 400],
      [80, 700],
    ],
    710,
    false,
  ],
  [
    "a flick that came to rest",
    [
      [40, 16],
      [80, 32],
    ],
    200,
    false,
  ],
  [
    "far down, at rest",
    [
      [80, 100],
      [160, 200],
    ],
    600,
    true,
  ],
  [
    "far down, and thrown back up",
    [
      [200, 300],
      [180, 316],
      [150, 332],
    ],
    340,
    false,
  ],
  [
    "back to where it was",
    [
      [100, 100],
      [0, 400],
    ],
    410,
    false,
  ],
  // At the very bounds.
  ["held for 70 ms", [[45, 48]], 118, true],
  ["held for 71 ms", [[45, 48]], 119, false],
  ["half a px a millisecond", [[20, 40]], 41, false],
  ["a little more", [[21, 40]], 41, true],
  [
    "half a px a millisecond back up",
    [
      [200, 300],
      [190, 320],
    ],
    321,
    false,
  ],
  [
    "a little less, far down",
    [
      [200, 300],
      [191, 320],
    ],
    321,
    true,
  ],
  ["35 % of its height", [[146, 1_000]], 1_100, false],
  ["one px more of it", [[147, 1_000]], 1_100, true],
  ["a flick long after the page opened", [[45, 5_016]], 5_020, true, 5_000],
  [
    "quick within the last 50 ms, and slower at their end",
    [
      [30, 25],
      [32, 50],
    ],
    51,
    true,
  ],
  [
    "the same, a moment later",
    [
      [30, 50],
      [31, 60],
    ],
    61,
    true,
    40,
  ],
  [
    "quick before the last 50 ms, and slower in them",
    [
      [30, 26],
      [32, 51],
    ],
    52,
    false,
  ],
];

test.each(gestures)("%s", async (_, way, lifted, thrown, came = 0) => {
  expect(await told(came, way, lifted)).toEqual(thrown ? [{ type: "sheet.thrown" }] : []);
});

test.each([
  // [down, across, whether it follows, and whether it does when the finger then goes far down]
  [6, 0, false, true],
  [7, 0, true, true],
  [-6, 0, false, true],
  [-7, 0, false, false],
  [3, 6, false, true],
  [6, 7, false, false],
  [7, 7, true, true],
  [10, 8, true, true],
])("a finger that went %i px down and %i across at first: %s, then %s", async (down, across, ...follows) => {
  const harness = new Harness(dragMachine);
  await harness.send({ type: "touch.began", at: 0 });
  const seen = [];
  for (const move of [
    { down, across },
    { down: 300, across: 0 },
  ]) {
    await harness.send({ type: "touch.moved", ...move, at: 500 });
    seen.push(harness.state.hasTag("following"));
  }
  expect(seen).toEqual(follows);
});

test("comes back when its owner keeps it", async () => {
  const harness = new Harness(dragMachine);
  await harness.send({ type: "touch.began", at: 0 });
  await harness.send({ type: "touch.moved", down: 300, across: 0, at: 16 });
  await harness.send({ type: "touch.ended", at: 20, height });
  expect(harness.state.context.distance).toBe(294);
  await harness.advance(400);
  expect(harness.state.context.distance).toBe(0);
});

runOnMachine(model);
