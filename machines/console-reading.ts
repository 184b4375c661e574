/** What a screen of the operator's page reads: an order, a search, or a list page by page. Read again when something was done. */
import { assign, setup, type PromiseActorLogic } from "xstate";
import { showErrorIn, type CallError, keepOutputIn } from "./call-error.ts";

/** `items` in their order; `next` is the cursor of the page after them, null where there is none. */
export type Reading = { items: readonly unknown[]; next: string | null };

export type ConsoleReadingPorts = {
  /** @param input what is read, and how many rows at least; `cursor` null: from its beginning */
  read: PromiseActorLogic<Reading, { question: unknown; cursor: string | null; atLeast: number }>;
};

export const consoleReadingMachine = setup({
  types: {
    context: {} as { question: unknown; reading: Reading; error: CallError | null },
    input: {} as { question: unknown },
    events: {} as { type: "retry" } | { type: "more.requested" } | { type: "refresh.requested" },
    tags: {} as "shown" | "busy",
  },
  actors: {} as ConsoleReadingPorts,
  guards: { hasMore: ({ context }) => context.reading.next !== null },
  actions: {
    keep: assign({ reading: (_, reading: Reading) => reading, error: null }),
    add: assign({
      reading: ({ context }, { items, next }: Reading) => ({
        items: [...context.reading.items, ...items],
        next,
      }),
      error: null,
    }),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
  },
}).createMachine({
  id: "consoleReading",
  context: ({ input }) => ({
    question: input.question,
    reading: { items: [], next: null },
    error: null,
  }),
  initial: "loading",
  states: {
    loading: {
      tags: "busy",
      invoke: {
        id: "read",
        src: "read",
        input: ({ context }) => ({ question: context.question, cursor: null, atLeast: 0 }),
        onDone: keepOutputIn("showing", "keep"),
        onError: showErrorIn("failed"),
      },
      on: { "refresh.requested": { target: "loading", reenter: true } },
    },
    failed: { on: { retry: "loading", "refresh.requested": "loading" } },
    showing: {
      tags: "shown",
      on: { "more.requested": { guard: "hasMore", target: "adding" }, "refresh.requested": "refreshing" },
    },
    // What was read stays visible, and as many rows are read again.
    refreshing: {
      tags: ["shown", "busy"],
      invoke: {
        id: "readAgain",
        src: "read",
        input: ({ context: { question, reading } }) => ({
          question,
          cursor: null,
          atLeast: reading.items.length,
        }),
        onDone: keepOutputIn("showing", "keep"),
        onError: showErrorIn("stale"),
      },
      on: { "refresh.requested": { target: "refreshing", reenter: true } },
    },
    // It may be old: that is said, and read again where it is asked for.
    stale: { tags: "shown", on: { retry: "refreshing", "refresh.requested": "refreshing" } },
    adding: {
      tags: ["shown", "busy"],
      invoke: {
        id: "readMore",
        src: "read",
        input: ({ context: { question, reading } }) => ({ question, cursor: reading.next, atLeast: 0 }),
        onDone: keepOutputIn("showing", "add"),
        onError: showErrorIn("addingFailed"),
      },
      on: { "refresh.requested": "refreshing" },
    },
    addingFailed: { tags: "shown", on: { retry: "adding", "refresh.requested": "refreshing" } },
  },
});
