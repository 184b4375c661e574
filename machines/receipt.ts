/** The receipt of an order: it is read, saved as a picture, and printed. Decision 33. */
import { assertEvent, assign, emit, setup, type PromiseActorLogic } from "xstate";
import { type CallError, loadFailed, showErrorIn, outputOf, keepOutputIn } from "./call-error.ts";
import { isConfirmed, type OrderReading } from "./order-status.ts";
import { loading, waitingDelays } from "./slow-request.ts";

/** The texts of the picture, in the user's language. */
export type ReceiptPicture = {
  /** The name of the file, without its ending. */
  file: string;
  brand: string;
  title: string;
  amount: string;
  lines: readonly (readonly [label: string, value: string])[];
};

export type ReceiptPorts = {
  readOrder: PromiseActorLogic<OrderReading, { orderId: string }>;
  /** Hands the picture to the phone, or downloads it. Resolves with false when the user cancelled. */
  savePicture: PromiseActorLogic<boolean, ReceiptPicture>;
  /** Resolves once the browser's own window is closed, or at once. */
  print: PromiseActorLogic<void, undefined>;
};

type ReceiptEvent =
  | { type: "retry" }
  | { type: "screen.activated" }
  | { type: "picture.requested"; picture: ReceiptPicture }
  | { type: "print.requested" }
  | { type: "cancel" };

export type ReceiptEmitted =
  { type: "picture.saved" } | { type: "picture.failed" } | { type: "print.failed" };

export const receiptMachine = setup({
  types: {
    input: {} as { orderId: string },
    context: {} as { orderId: string; reading: OrderReading | null; error: CallError | null },
    events: {} as ReceiptEvent,
    emitted: {} as ReceiptEmitted,
    tags: {} as "busy" | "slow" | "paid",
  },
  actors: {} as ReceiptPorts,
  delays: waitingDelays,
  guards: {
    isPaid: (_, reading: OrderReading) => isConfirmed(reading),
    isSaved: (_, { saved }: { saved: boolean }) => saved,
  },
  actions: {
    keepReading: assign({
      reading: (_, reading: OrderReading) => reading,
      error: null,
    }),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
    announceSaved: emit({ type: "picture.saved" }),
    announceUnsaved: emit({ type: "picture.failed" }),
    announceUnprinted: emit({ type: "print.failed" }),
  },
}).createMachine({
  id: "receipt",
  context: ({ input: { orderId } }) => ({ orderId, reading: null, error: null }),
  initial: "loading",
  states: {
    loading: {
      ...loading,
      invoke: {
        id: "readOrder",
        src: "readOrder",
        input: ({ context: { orderId } }) => ({ orderId }),
        onDone: [
          {
            guard: { type: "isPaid", params: outputOf },
            ...keepOutputIn("paid", "keepReading"),
          },
          keepOutputIn("unpaid", "keepReading"),
        ],
        onError: showErrorIn("failed"),
      },
    },
    failed: loadFailed,
    // Its bill says what is missing; money may have come meanwhile.
    unpaid: { on: { "screen.activated": "loading" } },
    paid: {
      tags: "paid",
      initial: "shown",
      states: {
        shown: { on: { "picture.requested": "saving", "print.requested": "printing" } },
        saving: {
          tags: "busy",
          invoke: {
            id: "savePicture",
            src: "savePicture",
            input: ({ event }) => {
              assertEvent(event, "picture.requested");
              return event.picture;
            },
            onDone: [
              {
                guard: { type: "isSaved", params: ({ event }) => ({ saved: event.output }) },
                target: "shown",
                actions: "announceSaved",
              },
              { target: "shown" },
            ],
            onError: { target: "shown", actions: "announceUnsaved" },
          },
          on: { cancel: "shown" },
        },
        printing: {
          invoke: {
            id: "print",
            src: "print",
            onDone: "shown",
            onError: { target: "shown", actions: "announceUnprinted" },
          },
          on: { cancel: "shown" },
        },
      },
    },
  },
});
