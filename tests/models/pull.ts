/** Pulling the top bar down, as a user meets it. Specification, section 2 ("Top bar"), section 4 ("Pull-to-refresh") and section 9. */
import { pullMachine } from "../../machines/pull.ts";
import { userWhoSees, userModel } from "../support/user-model.ts";
import type { User } from "../user.ts";

/** Px by which the head is moved up out of sight. */
const ALL_OF_IT = 281;

const noNetwork = "No connection. Check your network and try again.";

/** What the head under the bar says, and how many pixels of it can be seen. */
const blank = { words: null as string | null, height: "none" as "none" | "20" | "50" | "beyond 50" };

const person = userWhoSees(blank).createMachine({
  id: "person",
  initial: "away",
  states: {
    away: { on: { "touches the bar": "down" } },
    down: {
      on: {
        // A click whose hand is not still.
        slips: "down",
        "pulls a little": "pulling",
        "pulls far": "loosing",
        "swipes sideways": "swiped",
        "lets go": "away",
        "loses hold": "away",
      },
    },
    // The finger is still there, but it does not pull any more.
    swiped: { on: { "pulls far": "swiped", "lets go": "away", "loses hold": "away" } },
    pulling: {
      meta: { words: "Pull to refresh", height: "20" },
      on: { "pulls far": "loosing", "lets go": "away", "loses hold": "away" },
    },
    loosing: {
      meta: { words: "Let go to refresh", height: "beyond 50" },
      // A finger that the system takes away has let nothing go.
      on: {
        "pulls a little": "pulling",
        "lets go": "loading",
        "lets go without a network": "offline",
        "loses hold": "away",
      },
    },
    loading: {
      meta: { words: "Refreshing…", height: "50" },
      on: { "touches the bar": "loading", "a second passes": "success" },
    },
    success: { meta: { words: "Up to date", height: "50" }, on: { "half a second passes": "away" } },
    offline: { meta: { words: noNetwork, height: "50" }, on: { "a second passes": "away" } },
  },
});

const moves = (down: number, across: number) => ({
  sends: { type: "touch.moved", down, across } as const,
  does: (user: User) => user.finger("moves", "header", { down, across }),
});

const heightOf = (distance: number): (typeof blank)["height"] =>
  distance === 0 ? "none" : distance > 50 ? "beyond 50" : distance === 50 ? "50" : "20";

export const pull = userModel({
  chart: pullMachine,
  person,
  defaultView: blank,
  actions: {
    "touches the bar": {
      sends: { type: "touch.began", atTop: true },
      does: (user) => user.finger("comes", "header"),
    },
    slips: moves(6, 0),
    "pulls a little": moves(20, 0),
    "pulls far": moves(200, 0),
    "swipes sideways": moves(20, 60),
    "lets go": {
      sends: { type: "touch.ended", online: true },
      does: (user) => user.finger("goes", "header"),
    },
    "lets go without a network": {
      sends: { type: "touch.ended", online: false },
      does: async (user) => {
        await user.network("goes");
        await user.finger("goes", "header");
        await user.network("comes");
      },
    },
    "loses hold": { sends: { type: "touch.lost" }, does: (user) => user.finger("is lost", "header") },
    "a second passes": { ms: 1_000 },
    "half a second passes": { ms: 500 },
  },
  viewOfChart: ({ context }) => ({ height: heightOf(context.distance) }),
  viewOnScreen: async (user) => {
    const said = await user.statusTexts();
    const words = ["Pull to refresh", "Let go to refresh", "Refreshing…", "Up to date", noNetwork];
    const isPulled = await user.isVisible('[style*="translate3d"]');
    let height = heightOf(isPulled ? Infinity : 0);
    for (const distance of [0, 20, 50]) {
      if (await user.isVisible(`[style*="${distance - ALL_OF_IT}px"]`)) height = heightOf(distance);
    }
    return { words: words.find((each) => said.includes(each)) ?? null, height };
  },
});
