/** Pull-to-refresh under the top bar: pull, release, load, done, or no network to load from. Specification, section 4 ("Pull-to-refresh") and section 9. */
import { assign, emit, setup } from "xstate";
import { SLOP } from "./drag.ts";

/** Height of the head in px; a release beyond it refreshes. */
export const HEAD_HEIGHT = 50;

/** How far the head follows a touch that moved `down` px: one to one, then half, then a quarter. */
export function eased(down: number): number {
  if (down <= HEAD_HEIGHT) return Math.max(0, Math.round(down));
  if (down < HEAD_HEIGHT * 2) return Math.round(HEAD_HEIGHT + (down - HEAD_HEIGHT) / 2);
  return Math.round(HEAD_HEIGHT * 1.5 + (down - HEAD_HEIGHT * 2) / 4);
}

/** Px from where the touch began. */
type Move = { down: number; across: number };

type PullEvent =
  | { type: "touch.began"; atTop: boolean }
  | ({ type: "touch.moved" } & Move)
  /** `online`: there is a network to refresh from. */
  | { type: "touch.ended"; online: boolean }
  /** The browser cancelled the touch. */
  | { type: "touch.lost" };

export type PullEmitted = { type: "refresh.requested" };

export const pullMachine = setup({
  types: {
    context: {} as { distance: number },
    events: {} as PullEvent,
    emitted: {} as PullEmitted,
    tags: {} as "following",
  },
  delays: {
    /** The refresh of the top bar ends by itself after this time. */
    reset: 1_000,
    successTime: 500,
  },
  guards: {
    isAtTop: (_, { atTop }: { atTop: boolean }) => atTop,
    isSideways: (_, { down, across }: Move) => Math.abs(across) > SLOP && Math.abs(across) > Math.abs(down),
    isFar: (_, { down }: Move) => eased(down) >= HEAD_HEIGHT,
    isDown: (_, { down }: Move) => down > SLOP,
    isOnline: (_, { online }: { online: boolean }) => online,
  },
  actions: {
    follow: assign({ distance: (_, { down }: Move) => eased(down) }),
    holdHead: assign({ distance: HEAD_HEIGHT }),
    letGo: assign({ distance: 0 }),
    announceRefresh: emit({ type: "refresh.requested" }),
  },
}).createMachine({
  id: "pull",
  context: { distance: 0 },
  initial: "normal",
  states: {
    normal: {
      initial: "resting",
      entry: "letGo",
      states: {
        resting: {
          on: {
            "touch.began": { guard: { type: "isAtTop", params: ({ event }) => event }, target: "touched" },
          },
        },
        touched: {
          on: {
            "touch.moved": [
              { guard: { type: "isSideways", params: ({ event }) => event }, target: "resting" },
              {
                guard: { type: "isFar", params: ({ event }) => event },
                target: "#pull.loosing",
                actions: { type: "follow", params: ({ event }) => event },
              },
              {
                guard: { type: "isDown", params: ({ event }) => event },
                target: "#pull.pulling",
                actions: { type: "follow", params: ({ event }) => event },
              },
            ],
            "touch.ended": "resting",
            "touch.lost": "resting",
          },
        },
      },
    },
    pulling: {
      tags: "following",
      on: {
        "touch.moved": [
          {
            guard: { type: "isFar", params: ({ event }) => event },
            target: "loosing",
            actions: { type: "follow", params: ({ event }) => event },
          },
          { actions: { type: "follow", params: ({ event }) => event } },
        ],
        "touch.ended": "normal",
        "touch.lost": "normal",
      },
    },
    loosing: {
      tags: "following",
      on: {
        "touch.moved": [
          {
            guard: { type: "isFar", params: ({ event }) => event },
            actions: { type: "follow", params: ({ event }) => event },
          },
          { target: "pulling", actions: { type: "follow", params: ({ event }) => event } },
        ],
        "touch.ended": [
          {
            guard: { type: "isOnline", params: ({ event }) => event },
            target: "loading",
            actions: "announceRefresh",
          },
          // What was read before is all that can be shown now, so it stays.
          "offline",
        ],
        // A cancelled touch is no release, so nothing is refreshed.
        "touch.lost": "normal",
      },
    },
    loading: {
      entry: "holdHead",
      after: { reset: "success" },
    },
    success: { after: { successTime: "normal" } },
    offline: { entry: "holdHead", after: { reset: "normal" } },
  },
});
