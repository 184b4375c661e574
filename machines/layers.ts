/** What lies over the screen, a sheet or a question: the way back closes the uppermost before it leads anywhere. */
import { assign, emit, setup } from "xstate";

type LayersEvent =
  | { type: "layer.opened"; id: string }
  | { type: "layer.closed"; id: string }
  /** The browser's back button, or the gesture that stands for it. */
  | { type: "back.asked" };

/** Whoever opened the layer decides what that means. */
export type LayersEmitted = { type: "layer.dismissed"; id: string };

type Layer = { id: string };

export const layersMachine = setup({
  types: {
    /** The lowest first. */
    context: {} as { open: readonly string[] },
    events: {} as LayersEvent,
    emitted: {} as LayersEmitted,
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
  id: "layers",
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
        "back.asked": { actions: "dismissTop" },
      },
    },
  },
});
