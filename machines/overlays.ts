/** Overlay stack: the sheets and dialogs over the screen. Going back closes the topmost one before it navigates. */
import { assign, emit, setup } from "xstate";

type OverlaysEvent =
  | { type: "overlay.opened"; id: string }
  | { type: "overlay.closed"; id: string }
  /** The browser's back button or back gesture. */
  | { type: "back.requested" };

/** The owner of the overlay decides whether to close it. */
export type OverlaysEmitted = { type: "overlay.dismissed"; id: string };

type Overlay = { id: string };

export const overlaysMachine = setup({
  types: {
    /** Bottom to top. */
    context: {} as { open: readonly string[] },
    events: {} as OverlaysEvent,
    emitted: {} as OverlaysEmitted,
    tags: {} as "covered",
  },
  guards: {
    isLast: ({ context }, { id }: Overlay) => context.open.every((one) => one === id),
  },
  actions: {
    push: assign({
      open: ({ context }, { id }: Overlay) => [...context.open.filter((one) => one !== id), id],
    }),
    remove: assign({ open: ({ context }, { id }: Overlay) => context.open.filter((one) => one !== id) }),
    dismissTop: emit(({ context }) => ({
      type: "overlay.dismissed" as const,
      id: context.open.at(-1) ?? "",
    })),
  },
}).createMachine({
  id: "overlays",
  context: { open: [] },
  initial: "clear",
  on: {
    "overlay.opened": { target: ".covered", actions: { type: "push", params: ({ event }) => event } },
  },
  states: {
    clear: {},
    covered: {
      tags: "covered",
      on: {
        "overlay.closed": [
          {
            guard: { type: "isLast", params: ({ event }) => event },
            target: "clear",
            actions: { type: "remove", params: ({ event }) => event },
          },
          { actions: { type: "remove", params: ({ event }) => event } },
        ],
        "back.requested": { actions: "dismissTop" },
      },
    },
  },
});
