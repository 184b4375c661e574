/** The overlays that are open, which Back closes first, and the finger that drags one. */
import { createActor, type ActorRefFrom } from "xstate";
import { dragMachine } from "../../../machines/drag.ts";
import type { overlaysMachine } from "../../../machines/overlays.ts";
import type { Dependencies } from "./dependencies.ts";
import type { Overlay } from "../ui/overlay-context.ts";

/** @returns what an overlay uses, and what the chart's `overlay.dismissed` leads to */
export function createOverlays(
  overlays: ActorRefFrom<typeof overlaysMachine>,
  options: { inspect?: NonNullable<Dependencies["inspect"]> },
): { overlayContext: Overlay; dismiss: (id: string) => void } {
  const dismissals = new Map<string, () => void>();
  let opened = 0;
  return {
    dismiss: (id) => dismissals.get(id)?.(),
    overlayContext: {
      open: (dismiss) => {
        opened += 1;
        const id = String(opened);
        dismissals.set(id, dismiss);
        overlays.send({ type: "overlay.opened", id });
        return () => {
          dismissals.delete(id);
          overlays.send({ type: "overlay.closed", id });
        };
      },
      newDragHandle: () => {
        let drag: ActorRefFrom<typeof dragMachine> | undefined;
        return {
          hold: (at) => drag?.send({ type: "touch.began", at }),
          follow: (move) => drag?.send({ type: "touch.moved", ...move }),
          release: (end) => drag?.send({ type: "touch.ended", ...end }),
          lose: () => drag?.send({ type: "touch.lost" }),
          isFollowing: () => drag?.getSnapshot().hasTag("following") ?? false,
          watch: (place, thrown) => {
            const held = createActor(dragMachine, options).start();
            held.subscribe(({ context }) => place(context.distance));
            held.on("sheet.thrown", thrown);
            drag = held;
            return () => {
              held.stop();
              drag = undefined;
            };
          },
        };
      },
    },
  };
}
