/** A sheet under a finger, as a user meets it. Specification, section 4 ("Language popup"). */
import { dragMachine } from "../../machines/drag.ts";
import { userWhoSees, userModel } from "../support/user-model.ts";
import type { User } from "../user.ts";

/** Begins with the sheet open. */
const blank = { sheet: "up" as "up" | "pulled" | "gone" };

const person = userWhoSees(blank).createMachine({
  id: "person",
  initial: "up",
  states: {
    up: { on: { "puts a finger on it": "held" } },
    held: {
      on: { "pulls it down": "pulled", "swipes sideways": "swiped", "lets go": "up", "loses hold": "up" },
    },
    // The finger is still there, but it does not pull any more.
    swiped: { on: { "pulls it down": "swiped", "lets go": "up" } },
    pulled: { meta: { sheet: "pulled" }, on: { "lets go": "gone", "loses hold": "up" } },
    gone: { meta: { sheet: "gone" }, on: { "half a second passes": "goneForGood" } },
    goneForGood: { meta: { sheet: "gone" } },
  },
});

const head = "dialog[open] h2";
const moves = (down: number, across: number) => ({
  sends: { type: "touch.moved", down, across, at: 20 } as const,
  does: (user: User) => user.finger("moves", head, { down, across }),
});

export const drag = userModel({
  chart: dragMachine,
  person,
  defaultView: blank,
  actions: {
    "puts a finger on it": {
      sends: { type: "touch.began", at: 0 },
      does: (user) => user.finger("comes", head),
    },
    "pulls it down": moves(300, 0),
    "swipes sideways": moves(10, 80),
    "lets go": {
      sends: { type: "touch.ended", at: 30, height: 400 },
      does: (user) => user.finger("goes", head),
    },
    "loses hold": { sends: { type: "touch.lost" }, does: (user) => user.finger("is lost", head) },
    "half a second passes": { ms: 500 },
  },
  viewOfChart: (state, { emitted }) => ({
    sheet: emitted.length > 0 ? "gone" : state.hasTag("following") ? "pulled" : "up",
  }),
  viewOnScreen: async (user) => {
    if (!(await user.isVisible("dialog[open]:not([data-leaving])"))) return { sheet: "gone" };
    return { sheet: (await user.isVisible("dialog[data-dragging]")) ? "pulled" : "up" };
  },
});
