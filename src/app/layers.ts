/** What lies over the screen, known to the layers' chart for the way back, and the fingers that hold it. */
import { createActor, type ActorRefFrom } from "xstate";
import { dragMachine } from "../../machines/drag.ts";
import type { layersMachine } from "../../machines/layers.ts";
import type { Outside } from "./outside.ts";
import type { Over } from "./parts/over.ts";

/** @param layers the chart, which is made when something is first opened. @returns besides, what its `layer.dismissed` leads to */
export function createOver(
  layers: () => ActorRefFrom<typeof layersMachine>,
  options: { inspect?: NonNullable<Outside["inspect"]> },
): { over: Over; dismiss: (id: string) => void } {
  const dismissals = new Map<string, () => void>();
  let opened = 0;
  return {
    dismiss: (id) => dismissals.get(id)?.(),
    over: {
      open: (dismiss) => {
        opened += 1;
        const id = String(opened);
        dismissals.set(id, dismiss);
        layers().send({ type: "layer.opened", id });
        return () => {
          dismissals.delete(id);
          layers().send({ type: "layer.closed", id });
        };
      },
      newGrip: () => {
        // Made now: the tap that opens it would wait for it.
        layers();
        // It lives while somebody watches.
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
