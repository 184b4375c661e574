/** Whether the phone is online. The app also opens offline and says what is unavailable. */
import { setup } from "xstate";

type ConnectionEvent = { type: "network.lost" } | { type: "network.found" };

export const connectionMachine = setup({
  types: {
    context: {} as { online: boolean },
    input: {} as { online: boolean },
    events: {} as ConnectionEvent,
  },
  guards: { isOnline: ({ context }) => context.online },
}).createMachine({
  id: "connection",
  context: ({ input }) => input,
  initial: "beginning",
  states: {
    beginning: { always: [{ guard: "isOnline", target: "online" }, "offline"] },
    online: { on: { "network.lost": "offline" } },
    offline: { on: { "network.found": "online" } },
  },
});
