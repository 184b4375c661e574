/** A file that an operator saves: the service makes it and sends it, and is told once all of it has come where that counts. docs/operating.md, "The operator's page". */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import { keepOutputIn, outputOf, showErrorIn, type CallError } from "./call-error.ts";
import { invariant } from "./invariant.ts";

/** A command that answers with a file, and its words. */
export type WantedFile = { command: string; args: readonly string[] };
/** How far it is: rows in the file that is being made, or bytes that have come. */
export type FileProgress = { rows: number } | { bytes: number; of: number };

export type ConsoleDownloadPorts = {
  /**
   * Saves the file, once all of it has come.
   * @returns the audit entry of the one that is to be confirmed; null: none
   */
  download: PromiseActorLogic<{ entry: number | null }, WantedFile>;
  /** Tells the service that all of it has come. */
  confirm: PromiseActorLogic<void, { entry: number }>;
};

type Requested = { type: "file.requested"; wanted: WantedFile };
const requested = {
  "file.requested": {
    target: "loading",
    actions: {
      type: "keepWanted",
      params: ({ event }: { event: Requested }) => ({ wanted: event.wanted }),
    },
  },
} as const;

export const consoleDownloadMachine = setup({
  types: {
    context: {} as {
      wanted: WantedFile;
      progress: FileProgress | null;
      entry: number | null;
      error: CallError | null;
    },
    events: {} as
      | Requested
      | { type: "file.progressed"; progress: FileProgress }
      | { type: "retry" }
      | { type: "cancel" }
      /** The operator is signed out. */
      | { type: "session.ended" },
    emitted: {} as { type: "file.saved" },
    tags: {} as "busy" | "saved",
  },
  actors: {} as ConsoleDownloadPorts,
  guards: {
    isToConfirm: (_, { entry }: { entry: number | null }) => entry !== null,
  },
  actions: {
    keepWanted: assign({
      wanted: (_, { wanted }: { wanted: WantedFile }) => wanted,
      progress: null,
      entry: null,
      error: null,
    }),
    keepProgress: assign({ progress: (_, { progress }: { progress: FileProgress }) => progress }),
    keepEntry: assign({ entry: (_, { entry }: { entry: number | null }) => entry }),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
    forget: assign({ wanted: { command: "", args: [] }, progress: null, entry: null, error: null }),
    forgetError: assign({ error: null }),
    tell: emit({ type: "file.saved" }),
  },
}).createMachine({
  id: "consoleDownload",
  context: { wanted: { command: "", args: [] }, progress: null, entry: null, error: null },
  initial: "idle",
  on: { "session.ended": { target: ".idle", actions: "forget" } },
  states: {
    idle: { on: requested },
    loading: {
      tags: "busy",
      invoke: {
        id: "download",
        src: "download",
        input: ({ context }) => context.wanted,
        onDone: [
          {
            guard: { type: "isToConfirm", params: outputOf },
            ...keepOutputIn("confirming", "keepEntry"),
          },
          { target: "saved", actions: "tell" },
        ],
        onError: showErrorIn("failed"),
      },
      on: {
        "file.progressed": {
          actions: { type: "keepProgress", params: ({ event }) => ({ progress: event.progress }) },
        },
        cancel: { target: "idle", actions: "forget" },
      },
    },
    failed: { on: requested },
    confirming: {
      tags: ["busy", "saved"],
      invoke: {
        id: "confirm",
        src: "confirm",
        input: ({ context }) => ({ entry: invariant(context.entry) }),
        onDone: { target: "saved", actions: "tell" },
        onError: showErrorIn("unconfirmed"),
      },
    },
    // The file is there, and the service does not know it.
    unconfirmed: {
      tags: "saved",
      on: {
        ...requested,
        retry: { target: "confirming", actions: "forgetError" },
      },
    },
    saved: { tags: "saved", on: requested },
  },
});
