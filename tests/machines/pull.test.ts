/** The refresh head: how far it follows the finger, when it refreshes, how long it stays. */
import { expect, test } from "vitest";
import { eased, pullMachine } from "../../machines/pull.ts";
import { pull as model } from "../models/pull.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";

const pull = invariantsOf(pullMachine, {
  events: [
    { type: "touch.began", atTop: true },
    { type: "touch.began", atTop: false },
    { type: "touch.moved", down: -5, across: 0 },
    { type: "touch.moved", down: 0, across: 0 },
    { type: "touch.moved", down: 6, across: 0 },
    { type: "touch.moved", down: 1, across: 6 },
    { type: "touch.moved", down: 7, across: 0 },
    { type: "touch.moved", down: 30, across: -30 },
    { type: "touch.moved", down: 49, across: 0 },
    { type: "touch.moved", down: 50, across: 10 },
    { type: "touch.moved", down: 200, across: 0 },
    { type: "touch.moved", down: 10, across: 30 },
    { type: "touch.ended", online: true },
    { type: "touch.ended", online: false },
    { type: "touch.lost" },
  ],
  answers: {},
});

/** The finger's way: where it pulls, and since when what it released is loading and done. Section 4 and 9. */
type Head = {
  finger: "away" | "down" | "pulling";
  far: boolean;
  distance: number;
  loading: number | null;
  success: number | null;
  offline: number | null;
};
const resting: Head = {
  finger: "away",
  far: false,
  distance: 0,
  loading: null,
  success: null,
  offline: null,
};
const distances: Record<number, number> = {
  [-5]: 0,
  0: 0,
  1: 1,
  6: 6,
  7: 7,
  30: 30,
  49: 49,
  50: 50,
  200: 100,
  10: 10,
};

const headOf = (history: History<typeof pullMachine>) =>
  history.reduce<Head>((head, { event, at }) => {
    if (head.loading !== null) {
      const over = at - head.loading >= 1_000;
      return over ? { ...head, loading: null, success: at } : head;
    }
    if (head.success !== null) return at - head.success >= 500 ? resting : head;
    if (head.offline !== null) return at - head.offline >= 1_000 ? resting : head;
    if (head.finger === "away") {
      return event.type === "touch.began" && event.atTop ? { ...resting, finger: "down" } : head;
    }
    if (event.type === "touch.lost") return resting;
    if (event.type === "touch.ended") {
      return head.far ? { ...resting, distance: 50, [event.online ? "loading" : "offline"]: at } : resting;
    }
    if (event.type !== "touch.moved") return head;
    const isBeginning = head.finger === "down";
    // A hand that clicks slips by a few pixels.
    if (isBeginning && event.down <= 6 && Math.abs(event.across) <= 6) return head;
    if (isBeginning && Math.abs(event.across) > Math.abs(event.down)) return resting;
    return {
      ...head,
      finger: "pulling",
      far: event.down >= 50,
      distance: distances[event.down] ?? Number.NaN,
    };
  }, resting);

pull.always("shows where the finger pulled it, or what became of that", ({ state }, history) => {
  const { finger, far, distance, loading, success, offline } = headOf(history);
  const situation =
    loading !== null
      ? "loading"
      : success !== null
        ? "success"
        : offline !== null
          ? "offline"
          : finger === "pulling"
            ? far
              ? "loosing"
              : "pulling"
            : "normal";
  expect({
    distance: state.context.distance,
    is: state.matches(situation),
    following: state.hasTag("following"),
  }).toEqual({
    distance,
    is: true,
    following: finger === "pulling",
  });
});

pull.always("refreshes when it is let go beyond 50 px, and only then", ({ event, emitted }, history) => {
  const far = event.type === "touch.ended" && event.online && headOf(history.slice(0, -1)).far;
  expect(emitted).toEqual(far ? [{ type: "refresh.requested" }] : []);
});

test("follows one to one, then by half, then by a quarter", () => {
  const downs = [-5, 0, 49, 50, 51, 99, 100, 200];
  expect(downs.map(eased)).toEqual([0, 0, 49, 50, 51, 75, 75, 100]);
});

runOnMachine(model);
