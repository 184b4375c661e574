/** Customer support in its own window. Specification, sections 1, 7 (contact) and 8; Decisions, "Windows opened for the user". */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import { type RequestFailed, requestFailed, announceErrorIn, keepOutputIn } from "./call-error.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

export type SupportPorts = {
  /**
   * Opens a blank window within the tap, asks the API for the address and sends the window there. `blocked` is the
   * address for a link when the window was blocked, else null.
   */
  openSupport: PromiseActorLogic<{ blocked: string | null }>;
};

export const supportMachine = setup({
  types: {
    context: {} as { blocked: string | null },
    events: {} as { type: "support.requested" } | { type: "cancel" },
    emitted: {} as RequestFailed,
    tags: {} as "busy" | "slow",
  },
  actors: {} as SupportPorts,
  delays: waitingDelays,
  actions: {
    keepBlocked: assign({ blocked: (_, { blocked }: { blocked: string | null }) => blocked }),
    announceError: emit(requestFailed),
  },
}).createMachine({
  id: "support",
  context: { blocked: null },
  initial: "resting",
  states: {
    resting: { on: { "support.requested": "opening" } },
    opening: {
      tags: "busy",
      invoke: {
        id: "openSupport",
        src: "openSupport",
        onDone: keepOutputIn("resting", "keepBlocked"),
        onError: announceErrorIn("resting"),
      },
      ...waiting,
      on: { cancel: "resting" },
    },
  },
});
