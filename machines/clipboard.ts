/** Copies one of several texts on a screen and confirms it. Specification, sections 2 (payDetail) and 8 (success toasts). */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import { invariant } from "./invariant.ts";

/** `what` selects the wording of the confirmation; `text` is what is copied. */
export type Copyable = { what: "address" | "amount" | "orderId" | "payUrl"; text: string };

export type ClipboardPorts = {
  /** Writes a text to the clipboard. */
  copyText: PromiseActorLogic<void, { text: string }>;
};

export type ClipboardEmitted = { type: "copy.succeeded"; what: Copyable["what"] } | { type: "copy.failed" };

/** For states in which a copy was requested; throws otherwise. */
const copiedOf = ({ copied }: { copied: Copyable | null }): Copyable => invariant(copied);

export const clipboardMachine = setup({
  types: {
    context: {} as { copied: Copyable | null },
    events: {} as { type: "copy.requested"; copyable: Copyable },
    emitted: {} as ClipboardEmitted,
  },
  actors: {} as ClipboardPorts,
  delays: { copiedTime: 2_000 },
  actions: {
    keep: assign({ copied: (_, { copyable }: { copyable: Copyable }) => copyable }),
    drop: assign({ copied: null }),
    announceCopied: emit(({ context }): ClipboardEmitted => ({
      type: "copy.succeeded",
      what: copiedOf(context).what,
    })),
    announceFailed: emit({ type: "copy.failed" }),
  },
}).createMachine({
  id: "clipboard",
  context: { copied: null },
  initial: "resting",
  on: {
    "copy.requested": {
      target: ".writing",
      actions: { type: "keep", params: ({ event }) => event },
    },
  },
  states: {
    resting: { entry: "drop" },
    writing: {
      invoke: {
        id: "copyText",
        src: "copyText",
        input: ({ context }) => ({ text: copiedOf(context).text }),
        onDone: { target: "copied", actions: "announceCopied" },
        onError: { target: "resting", actions: "announceFailed" },
      },
    },
    copied: { after: { copiedTime: "resting" } },
  },
});
