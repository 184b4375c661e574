/** Overlay stack: the sheets and dialogs over the screen. Going back closes the topmost one before it navigates. */
import { assign, emit, setup } from "xstate";

type LayersEvent =
  | { type: "layer.opened"; id: string }
  | { type: "layer.closed"; id: string }
  /** The browser's back button or back gesture. */
  | { type: "back.requested" };

/** The owner of the overlay decides whether to close it. */
export type OverlaysEmitted = { type: "layer.dismissed"; id: string };

type Layer = { id: string };

export const overlaysMachine = setup({
  types: {
    /** Bottom to top. */
    context: {} as { open: readonly string[] },
    events: {} as LayersEvent,
    emitted: {} as OverlaysEmitted,
    tags: {} as "covered",
  },
  guards: {
    isLast: ({ context }, { id }: Layer) => context.open.every((one) => one === id),
  },
  actions: {
    lay: assign({ open: ({ context }, { id }: Layer) => [...context.open.filter((one) => one !== id), id] }),
    lift: assign({ open: ({ context }, { id }: Layer) => context.open.filter((one) => one !== id) }),
    dismissTop: emit(({ context }) => ({ type: "layer.dismissed" as const, id: context.open.at(-1) ?? "" })),
  },
}).createMachine({
  id: "overlays",
  context: { open: [] },
  initial: "clear",
  on: {
    "layer.opened": { target: ".covered", actions: { type: "lay", params: ({ event }) => event } },
  },
  states: {
    clear: {},
    covered: {
      tags: "covered",
      on: {
        "layer.closed": [
          {
            guard: { type: "isLast", params: ({ event }) => event },
            target: "clear",
            actions: { type: "lift", params: ({ event }) => event },
          },
          { actions: { type: "lift", params: ({ event }) => event } },
        ],
        "back.requested": { actions: "dismissTop" },
      },
    },
  },
});
