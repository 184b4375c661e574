/** Who is in at the operator's page: comes in by a link, goes on with a session, goes out, or is put out. docs/security.md, "The operator's page". */
import { assign, setup, type PromiseActorLogic } from "xstate";
import { errorOf, isTooMany, type CallError } from "./call-error.ts";

/** Who is in. `until`: when the session ends, ISO 8601. */
export type Insider = { name: string; right: "look" | "support" | "money"; until: string };

export type ConsoleDoorPorts = {
  /** Uses up a link. */
  enter: PromiseActorLogic<Insider, { link: string }>;
  whoami: PromiseActorLogic<Insider>;
  leave: PromiseActorLogic<void>;
};

export const consoleDoorMachine = setup({
  types: {
    context: {} as {
      link: string | null;
      who: Insider | null;
      /** Why the page is closed, where there is more to say than that no one has come in. */
      why: "link" | "tooMany" | "ended" | null;
      error: CallError | null;
    },
    input: {} as { link: string | null },
    events: {} as { type: "retry" } | { type: "leave.requested" } | { type: "session.ended" },
    tags: {} as "busy",
  },
  actors: {} as ConsoleDoorPorts,
  guards: {
    hasLink: ({ context }) => context.link !== null,
    isSignedOut: (_, { error }: { error: CallError }) => error.kind === "signedOut",
    /** Too many wrong links came from this network. */
    isTooMany: (_, { error }: { error: CallError }) => isTooMany(error),
  },
  actions: {
    keepInsider: assign({ who: (_, { who }: { who: Insider }) => who, link: null, why: null, error: null }),
    forgetInsider: assign({ who: null, link: null, error: null }),
    keepWhy: assign({ why: (_, { why }: { why: "link" | "tooMany" | "ended" }) => why }),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
    forgetError: assign({ error: null }),
  },
}).createMachine({
  id: "consoleDoor",
  context: ({ input }) => ({ link: input.link, who: null, why: null, error: null }),
  initial: "arriving",
  states: {
    arriving: { always: [{ guard: "hasLink", target: "entering" }, { target: "asking" }] },
    entering: {
      tags: "busy",
      invoke: {
        id: "enter",
        src: "enter",
        input: ({ context }) => ({ link: context.link ?? "" }),
        onDone: {
          target: "inside",
          actions: { type: "keepInsider", params: ({ event }) => ({ who: event.output }) },
        },
        onError: [
          {
            guard: { type: "isSignedOut", params: errorOf },
            target: "outside",
            actions: ["forgetInsider", { type: "keepWhy", params: { why: "link" } }],
          },
          {
            guard: { type: "isTooMany", params: errorOf },
            target: "outside",
            actions: ["forgetInsider", { type: "keepWhy", params: { why: "tooMany" } }],
          },
          // The link may be used up: the session that it opened, if it did, is asked for.
          { target: "unreachable", actions: ["forgetInsider"] },
        ],
      },
    },
    asking: {
      tags: "busy",
      invoke: {
        id: "whoami",
        src: "whoami",
        onDone: {
          target: "inside",
          actions: { type: "keepInsider", params: ({ event }) => ({ who: event.output }) },
        },
        onError: [
          {
            guard: { type: "isSignedOut", params: errorOf },
            target: "outside",
            actions: "forgetInsider",
          },
          { target: "unreachable" },
        ],
      },
    },
    unreachable: { on: { retry: "asking" } },
    inside: {
      on: {
        "leave.requested": { target: "leaving", actions: "forgetError" },
        "session.ended": {
          target: "outside",
          actions: ["forgetInsider", { type: "keepWhy", params: { why: "ended" } }],
        },
      },
    },
    leaving: {
      tags: "busy",
      invoke: {
        id: "leave",
        src: "leave",
        onDone: { target: "outside", actions: "forgetInsider" },
        onError: [
          {
            guard: { type: "isSignedOut", params: errorOf },
            target: "outside",
            actions: "forgetInsider",
          },
          // The session may still be open: it is not said to be over.
          { target: "inside", actions: { type: "keepError", params: errorOf } },
        ],
      },
    },
    outside: {},
  },
});
