/** Copying one of several texts on a screen, and saying that it worked. Specification, sections 2 (payDetail) and 8 (success toasts). */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";

/** What is copied: its name for the words that tell of it, and the text itself. */
export type Copyable = { what: "address" | "amount" | "orderId"; text: string };

export type CopyingPorts = {
  /** Puts a text on the clipboard. */
  copyText: PromiseActorLogic<void, { text: string }>;
};

export type CopyingEmitted = { type: "copy.succeeded"; what: Copyable["what"] } | { type: "copy.failed" };

/** What only a copying that was asked for has. */
const copiedOf = ({ copied }: { copied: Copyable | null }): Copyable => {
  if (!copied) throw new Error("Only what was asked for is copied.");
  return copied;
};

export const copyingMachine = setup({
  types: {
    context: {} as { copied: Copyable | null },
    events: {} as { type: "copy.asked"; copyable: Copyable },
    emitted: {} as CopyingEmitted,
  },
  actors: {} as CopyingPorts,
  delays: { copiedTime: 2_000 },
  actions: {
    keep: assign({ copied: (_, { copyable }: { copyable: Copyable }) => copyable }),
    drop: assign({ copied: null }),
    announceCopied: emit(({ context }): CopyingEmitted => ({
      type: "copy.succeeded",
      what: copiedOf(context).what,
    })),
    announceFailed: emit({ type: "copy.failed" }),
  },
}).createMachine({
  id: "copying",
  context: { copied: null },
  initial: "resting",
  on: {
    "copy.asked": {
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
