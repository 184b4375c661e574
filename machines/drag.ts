/** Dragging a bottom sheet: it follows the finger down and closes when dragged far enough or flicked. Specification, section 4 ("Language popup"). */
import { assign, emit, setup } from "xstate";

/** A smaller movement counts as a tap, in px. */
export const SLOP = 6;
/** The sheet closes beyond this share of its height, or at this speed in px/ms. */
const LEAST_SHARE = 0.35;
const LEAST_SPEED = 0.5;
/** Speed is measured over the last so many ms; after a pause it is zero. */
const SPEED_TIME = 50;
const REST_TIME = 70;

/** Px from where the touch began, and the time in ms. */
type Move = { down: number; across: number; at: number };
/** `height` of the sheet, in px. */
type Release = { at: number; height: number };
type Sample = { down: number; at: number };

type DragEvent =
  | { type: "touch.began"; at: number }
  | ({ type: "touch.moved" } & Move)
  | ({ type: "touch.ended" } & Release)
  /** The browser cancelled the touch. */
  | { type: "touch.lost" };

export type DragEmitted = { type: "sheet.thrown" };

type DragContext = {
  /** How far the sheet is dragged down, in px. */
  distance: number;
  last: Sample;
  /** The sample that speed is measured from. */
  mark: Sample;
};

const speedOf = ({ last, mark }: DragContext, at: number) =>
  at - last.at > REST_TIME ? 0 : (last.down - mark.down) / Math.max(1, last.at - mark.at);

export const dragMachine = setup({
  types: {
    context: {} as DragContext,
    events: {} as DragEvent,
    emitted: {} as DragEmitted,
    tags: {} as "following",
  },
  delays: {
    /** Longer than the closing animation: if the owner keeps the sheet open, it comes back. */
    leavingTime: 400,
  },
  guards: {
    isElsewhere: (_, { down, across }: Move) => Math.abs(across) > SLOP && Math.abs(across) > Math.abs(down),
    isUp: (_, { down }: Move) => down < -SLOP,
    isDown: (_, { down }: Move) => down > SLOP,
    isThrown: ({ context }, { at, height }: Release) => {
      const speed = speedOf(context, at);
      // A sheet that moves up again stays open, however far down it is.
      return speed > LEAST_SPEED || (speed > -LEAST_SPEED && context.distance > height * LEAST_SHARE);
    },
  },
  actions: {
    begin: assign((_, { at }: { at: number }) => ({ last: { down: 0, at }, mark: { down: 0, at } })),
    follow: assign(({ context: { last, mark } }, { down, at }: Move) => ({
      distance: Math.max(0, down - SLOP),
      last: { down, at },
      mark: at - mark.at > SPEED_TIME ? last : mark,
    })),
    letGo: assign({ distance: 0 }),
    announceThrow: emit({ type: "sheet.thrown" }),
  },
}).createMachine({
  id: "drag",
  context: { distance: 0, last: { down: 0, at: 0 }, mark: { down: 0, at: 0 } },
  initial: "resting",
  on: { "touch.lost": ".resting" },
  states: {
    resting: {
      entry: "letGo",
      on: { "touch.began": { target: "touched", actions: { type: "begin", params: ({ event }) => event } } },
    },
    touched: {
      on: {
        "touch.moved": [
          { guard: { type: "isElsewhere", params: ({ event }) => event }, target: "resting" },
          { guard: { type: "isUp", params: ({ event }) => event }, target: "resting" },
          {
            guard: { type: "isDown", params: ({ event }) => event },
            target: "dragged",
            actions: { type: "follow", params: ({ event }) => event },
          },
        ],
        "touch.ended": "resting",
      },
    },
    dragged: {
      tags: "following",
      on: {
        "touch.moved": { actions: { type: "follow", params: ({ event }) => event } },
        "touch.ended": [
          {
            guard: { type: "isThrown", params: ({ event }) => event },
            target: "leaving",
            actions: "announceThrow",
          },
          { target: "resting" },
        ],
      },
    },
    leaving: { after: { leavingTime: "resting" } },
  },
});
