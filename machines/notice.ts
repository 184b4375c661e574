/** What the app says over any screen: a toast, a notification, a question. Specification, section 4; Decisions, "Leave guard". */
import { assign, emit, setup } from "xstate";

/** A text of the catalogue, worded when shown, or the service's own message. */
export type Words =
  string | { readonly id: string; readonly message?: string; readonly values?: Record<string, unknown> };

export type Toast = { words: Words; tone: "plain" | "success" | "failure" };
export type Notify = { words: Words };
/** A question. Whoever asks is answered exactly once, by `dialog.settled` with the same `id`. */
export type Dialog = {
  id: string;
  title: Words;
  text: Words;
  confirm: Words;
  cancel: Words;
  /** `danger` where confirming loses something. */
  tone: "plain" | "danger";
};

type NoticeEvent =
  | { type: "toast.asked"; toast: Toast }
  | { type: "notify.asked"; notify: Notify }
  | { type: "dialog.asked"; dialog: Dialog }
  | { type: "dialog.confirmed" }
  | { type: "dialog.cancelled" }
  /** Whoever asked has no question any more. */
  | { type: "dialog.withdrawn"; id: string };

export type NoticeEmitted = { type: "dialog.settled"; id: string; confirmed: boolean };

export const noticeMachine = setup({
  types: {
    context: {} as { toast: Toast | null; notify: Notify | null; dialog: Dialog | null },
    events: {} as NoticeEvent,
    emitted: {} as NoticeEmitted,
  },
  delays: { toastTime: 2_000, notifyTime: 3_000 },
  guards: { isOpen: ({ context }, { id }: { id: string }) => context.dialog?.id === id },
  actions: {
    keepToast: assign({ toast: (_, { toast }: { toast: Toast }) => toast }),
    dropToast: assign({ toast: null }),
    keepNotify: assign({ notify: (_, { notify }: { notify: Notify }) => notify }),
    dropNotify: assign({ notify: null }),
    keepDialog: assign({ dialog: (_, { dialog }: { dialog: Dialog }) => dialog }),
    dropDialog: assign({ dialog: null }),
    settle: emit(({ context }, { confirmed }: { confirmed: boolean }) => ({
      type: "dialog.settled" as const,
      id: context.dialog?.id ?? "",
      confirmed,
    })),
  },
}).createMachine({
  id: "notice",
  type: "parallel",
  context: { toast: null, notify: null, dialog: null },
  states: {
    toast: {
      initial: "hidden",
      // Said again, it starts again. With `reenter` the regions beside it would start again, too.
      on: {
        "toast.asked": {
          target: ".shown",
          actions: { type: "keepToast", params: ({ event }) => event },
        },
      },
      states: {
        hidden: {},
        shown: { after: { toastTime: { target: "hidden", actions: "dropToast" } } },
      },
    },
    notify: {
      initial: "hidden",
      on: {
        "notify.asked": {
          target: ".shown",
          actions: { type: "keepNotify", params: ({ event }) => event },
        },
      },
      states: {
        hidden: {},
        shown: { after: { notifyTime: { target: "hidden", actions: "dropNotify" } } },
      },
    },
    dialog: {
      initial: "closed",
      states: {
        closed: {
          on: {
            "dialog.asked": { target: "open", actions: { type: "keepDialog", params: ({ event }) => event } },
          },
        },
        open: {
          on: {
            "dialog.confirmed": {
              target: "closed",
              actions: [{ type: "settle", params: { confirmed: true } }, "dropDialog"],
            },
            "dialog.cancelled": {
              target: "closed",
              actions: [{ type: "settle", params: { confirmed: false } }, "dropDialog"],
            },
            "dialog.withdrawn": {
              guard: { type: "isOpen", params: ({ event }) => event },
              target: "closed",
              actions: [{ type: "settle", params: { confirmed: false } }, "dropDialog"],
            },
            // A second question takes the place of the first, which is answered "no".
            "dialog.asked": {
              actions: [
                { type: "settle", params: { confirmed: false } },
                { type: "keepDialog", params: ({ event }) => event },
              ],
            },
          },
        },
      },
    },
  },
});
