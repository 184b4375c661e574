/** Messages over any screen: a toast, a notification, a confirmation dialog. Specification, section 4; Decisions, "Leave guard". */
import { assign, emit, setup } from "xstate";

/** A catalogue message, translated when shown, or the service's own message. */
export type Words =
  string | { readonly id: string; readonly message?: string; readonly values?: Record<string, unknown> };

/** `silent`: the screen says it to a screen reader elsewhere. */
export type Toast = { words: Words; tone: "plain" | "success" | "failure"; silent?: boolean | undefined };
export type Notify = { words: Words };
/** A confirmation. Each is answered exactly once, by `dialog.settled` with the same `id`. */
export type Dialog = {
  id: string;
  title: Words;
  text: Words;
  confirm: Words;
  cancel: Words;
  /** `danger` when confirming loses something. */
  tone: "plain" | "danger";
};

type NoticeEvent =
  | { type: "toast.requested"; toast: Toast }
  | { type: "notify.requested"; notify: Notify }
  | { type: "dialog.requested"; dialog: Dialog }
  | { type: "dialog.confirmed" }
  | { type: "dialog.cancelled" }
  /** The caller no longer needs an answer. */
  | { type: "dialog.withdrawn"; id: string };

export type NotificationsEmitted = { type: "dialog.settled"; id: string; confirmed: boolean };

export const notificationsMachine = setup({
  types: {
    context: {} as { toast: Toast | null; notify: Notify | null; dialog: Dialog | null },
    events: {} as NoticeEvent,
    emitted: {} as NotificationsEmitted,
    /** A user is to read it now, whatever else the screen waits for. */
    tags: {} as "urgent",
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
  id: "notifications",
  type: "parallel",
  context: { toast: null, notify: null, dialog: null },
  states: {
    toast: {
      initial: "hidden",
      // The same toast again restarts its timer. `reenter` would also restart the parallel regions.
      on: {
        "toast.requested": {
          target: ".shown",
          actions: { type: "keepToast", params: ({ event }) => event },
        },
      },
      states: {
        hidden: {},
        shown: { tags: "urgent", after: { toastTime: { target: "hidden", actions: "dropToast" } } },
      },
    },
    notify: {
      initial: "hidden",
      on: {
        "notify.requested": {
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
            "dialog.requested": {
              target: "open",
              actions: { type: "keepDialog", params: ({ event }) => event },
            },
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
            // A second dialog replaces the first, which is answered "no".
            "dialog.requested": {
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
