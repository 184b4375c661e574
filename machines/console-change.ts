/** A change that an operator makes: filled in, previewed, agreed to by typing, done once, undone. docs/operating.md, "The operator's page". */
import { and, assign, emit, not, or, setup, stateIn, type PromiseActorLogic } from "xstate";
import { errorOf, isTooMany, keepOutputIn, outputOf, showErrorIn, type CallError } from "./call-error.ts";

/** A command with its words and options. */
export type GivenCommand = {
  command: string;
  args: readonly string[];
  options: Readonly<Record<string, string>>;
};

/** What a preview says. `details`: what would change, for the screen. */
export type Preview = { confirm: string; digest: string; details: unknown };
/** What was done. `entry`: its audit entry; null: the command's words alone. */
export type Done = { entry: number | null; answer: unknown };

export type ConsoleChangePorts = {
  /** Shows what would change; a change that its ticket did before is done already. */
  preview: PromiseActorLogic<{ preview: Preview } | { done: Done }, { given: GivenCommand }>;
  /** Does what was shown. Asked twice with the same ticket, it is done once. */
  perform: PromiseActorLogic<Done, { given: GivenCommand; shown: string }>;
};

const plain = (text: string) => text.normalize("NFKC").trim().toLowerCase();

/** For `onError`: nothing was taken back, and why is shown with what was done. */
const undoRefused = {
  guard: "isUndo",
  target: "done",
  actions: [{ type: "keepError", params: errorOf }, "takeBefore"],
} as const;

export const consoleChangeMachine = setup({
  types: {
    context: {} as {
      given: GivenCommand;
      preview: Preview | null;
      typed: string;
      done: Done | null;
      /** Whether what is done or shown takes a change back. */
      isUndo: boolean;
      /** What was done, while its undoing is asked for. */
      before: { given: GivenCommand; isUndo: boolean } | null;
      error: CallError | null;
    },
    input: {} as { given: GivenCommand },
    events: {} as
      | { type: "form.submitted"; given: GivenCommand }
      | { type: "confirmation.typed"; text: string }
      | { type: "change.confirmed" }
      | { type: "preview.dismissed" }
      | { type: "retry" }
      /** `ticket` of the undoing. */
      | { type: "undo.requested"; ticket: string; reason: string },
    emitted: {} as { type: "change.done" },
    tags: {} as "busy",
  },
  actors: {} as ConsoleChangePorts,
  guards: {
    isTyped: ({ context }) => plain(context.typed) === plain(context.preview?.confirm ?? ""),
    /** No answer, or none that can be read: what was asked may have been done. */
    isUnknown: (_, { error }: { error: CallError }) =>
      error.kind !== "refused" && error.kind !== "signedOut" && !isTooMany(error),
    isRefused: (_, { error }: { error: CallError }) => error.kind === "refused",
    isPreview: (_, answer: { preview: Preview } | { done: Done }) => "preview" in answer,
    isUndo: ({ context }) => context.isUndo,
    canUndo: ({ context }) => (context.done?.entry ?? null) !== null,
  },
  actions: {
    keepGiven: assign({
      given: (_, { given }: { given: GivenCommand }) => given,
      preview: null,
      typed: "",
      error: null,
    }),
    keepPreview: assign({
      preview: (_, answer: { preview: Preview } | { done: Done }) =>
        "preview" in answer ? answer.preview : null,
      typed: "",
      error: null,
    }),
    keepTyped: assign({ typed: (_, { text }: { text: string }) => text }),
    keepDone: assign({ done: (_, { done }: { done: Done }) => done, before: null, error: null }),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
    forgetError: assign({ error: null }),
    giveUndo: assign({
      before: ({ context: { given, isUndo } }) => ({ given, isUndo }),
      given: ({ context }, { ticket, reason }: { ticket: string; reason: string }) => ({
        command: "undo",
        args: [String(context.done?.entry)],
        options: { reason, ticket },
      }),
      isUndo: true,
      preview: null,
      typed: "",
    }),
    /** The undoing was not done: what was done stands. */
    takeBefore: assign(({ context: { before } }) => ({ ...before, before: null })),
    tell: emit({ type: "change.done" }),
  },
}).createMachine({
  id: "consoleChange",
  context: ({ input }) => ({
    given: input.given,
    preview: null,
    typed: "",
    done: null,
    isUndo: false,
    before: null,
    error: null,
  }),
  initial: "filling",
  states: {
    filling: {
      on: {
        "form.submitted": {
          target: "previewing",
          actions: { type: "keepGiven", params: ({ event }) => ({ given: event.given }) },
        },
      },
    },
    previewing: {
      tags: "busy",
      invoke: {
        id: "preview",
        src: "preview",
        input: ({ context }) => ({ given: context.given }),
        onDone: [
          {
            guard: { type: "isPreview", params: outputOf },
            ...keepOutputIn("shown", "keepPreview"),
          },
          {
            target: "done",
            actions: [
              {
                type: "keepDone",
                params: ({ event }) => ({
                  done: "done" in event.output ? event.output.done : { entry: null, answer: null },
                }),
              },
              "tell",
            ],
          },
        ],
        onError: [
          // What is undone has been filled in already.
          undoRefused,
          showErrorIn("filling"),
        ],
      },
    },
    shown: {
      on: {
        "confirmation.typed": {
          actions: { type: "keepTyped", params: ({ event }) => ({ text: event.text }) },
        },
        "change.confirmed": { guard: "isTyped", target: "performing" },
        "preview.dismissed": [
          { guard: "isUndo", target: "done", actions: "takeBefore" },
          { target: "filling" },
        ],
      },
    },
    performing: {
      tags: "busy",
      initial: "first",
      invoke: {
        id: "perform",
        src: "perform",
        input: ({ context }) => ({ given: context.given, shown: context.preview?.digest ?? "" }),
        onDone: {
          target: "done",
          actions: [{ type: "keepDone", params: ({ event }) => ({ done: event.output }) }, "tell"],
        },
        onError: [
          {
            guard: or([
              { type: "isUnknown", params: errorOf },
              and([stateIn({ performing: "again" }), not({ type: "isRefused", params: errorOf })]),
            ]),
            ...showErrorIn("unsure"),
          },
          // Nothing was done: it is looked at anew.
          undoRefused,
          showErrorIn("filling"),
        ],
      },
      states: {
        first: {},
        // The first answer was lost. Only one to this ticket tells that nothing was done.
        again: {},
      },
    },
    // Its answer was lost: the same ticket asks for the outcome, and does nothing twice.
    unsure: { on: { retry: "performing.again" } },
    done: {
      on: {
        "undo.requested": {
          guard: "canUndo",
          target: "previewing",
          actions: [
            "forgetError",
            { type: "giveUndo", params: ({ event: { ticket, reason } }) => ({ ticket, reason }) },
          ],
        },
      },
    },
  },
});
