/** The code that draws QR codes: asked for until it is here, for without it the address beside it can be paid to all the same. Specification, section 2 (payDetail); Decision 11. */
import { setup, type PromiseActorLogic } from "xstate";

export type QrPorts = {
  /** Fetches the drawing's code; fails where the network does. */
  loadQr: PromiseActorLogic<void>;
};

export const qrMachine = setup({
  types: {
    /** The page is looked at again, or online again. */
    events: {} as { type: "page.seen" },
  },
  actors: {} as QrPorts,
  delays: { again: 3_000 },
}).createMachine({
  id: "qr",
  initial: "loading",
  states: {
    loading: { invoke: { id: "loadQr", src: "loadQr", onDone: "here", onError: "missing" } },
    missing: { after: { again: "loading" }, on: { "page.seen": "loading" } },
    here: {},
  },
});
