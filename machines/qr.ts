/** Loads the code that draws QR codes, with retries; until then the user can pay with the address beside it. Specification, section 2 (payDetail); Decision 11. */
import { setup, type PromiseActorLogic } from "xstate";

export type QrPorts = {
  /** Loads the file; rejects when the network fails. */
  loadQr: PromiseActorLogic<void>;
};

export const qrMachine = setup({
  types: {
    /** The page became visible or online again. */
    events: {} as { type: "page.visible" },
  },
  actors: {} as QrPorts,
  delays: { again: 3_000 },
}).createMachine({
  id: "qr",
  initial: "loading",
  states: {
    loading: { invoke: { id: "loadQr", src: "loadQr", onDone: "here", onError: "missing" } },
    missing: { after: { again: "loading" }, on: { "page.visible": "loading" } },
    here: {},
  },
});
