/** Who is in at the operator's page: comes in by a link, goes on with a session, goes out, or is put out. docs/security.md, "The operator's page". */
import { assign, setup, type PromiseActorLogic } from "xstate";
import { errorOf, isTooMany, type CallError, showErrorIn, outputOf, keepOutputIn } from "./call-error.ts";
import { invariant } from "./invariant.ts";

/** Who is in. */
export type Insider = { name: string };

export type ConsoleDoorPorts = {
  /** Uses up a link. */
  enter: PromiseActorLogic<Insider, { link: string }>;
  /** Asks the device for its passkey; null: the person closed its question. */
  enterByPasskey: PromiseActorLogic<Insider | null>;
  /** Has the device make a passkey; false: the person closed its question. */
  addPasskey: PromiseActorLogic<boolean>;
  whoami: PromiseActorLogic<Insider>;
  leave: PromiseActorLogic<void>;
};

export const consoleDoorMachine = setup({
  types: {
    context: {} as {
      link: string | null;
      who: Insider | null;
      /** Why the page is closed, where there is more to say than that no one has come in. */
      why: "link" | "passkey" | "tooMany" | "ended" | null;
      /** Whether this device has just got a passkey. */
      hasNewPasskey: boolean;
      error: CallError | null;
    },
    input: {} as { link: string | null },
    events: {} as
      | { type: "retry" }
      | { type: "passkey.used" }
      | { type: "passkey.requested" }
      | { type: "leave.requested" }
      | { type: "session.ended" },
    tags: {} as "busy",
  },
  actors: {} as ConsoleDoorPorts,
  guards: {
    hasLink: ({ context }) => context.link !== null,
    isSignedOut: (_, { error }: { error: CallError }) => error.kind === "signedOut",
    /** The device has no passkey that the page may ask for. */
    isRefused: (_, { error }: { error: CallError }) => error.kind === "refused",
    isProved: (_, who: Insider | null) => who !== null,
    isAdded: (_, { added }: { added: boolean }) => added,
    /** Too many wrong tries came from this network. */
    isTooMany: (_, { error }: { error: CallError }) => isTooMany(error),
  },
  actions: {
    keepInsider: assign({ who: (_, who: Insider | null) => who, link: null, why: null, error: null }),
    forgetInsider: assign({ who: null, link: null, error: null, hasNewPasskey: false }),
    keepWhy: assign({ why: (_, { why }: { why: "link" | "passkey" | "tooMany" | "ended" }) => why }),
    forgetWhy: assign({ why: null }),
    notePasskey: assign({ hasNewPasskey: true }),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
    forgetError: assign({ error: null }),
  },
}).createMachine({
  id: "consoleDoor",
  context: ({ input }) => ({ link: input.link, who: null, why: null, hasNewPasskey: false, error: null }),
  initial: "arriving",
  states: {
    arriving: { always: [{ guard: "hasLink", target: "entering" }, { target: "asking" }] },
    entering: {
      tags: "busy",
      invoke: {
        id: "enter",
        src: "enter",
        input: ({ context: { link } }) => ({ link: invariant(link) }),
        onDone: keepOutputIn("inside", "keepInsider"),
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
        onDone: keepOutputIn("inside", "keepInsider"),
        onError: [
          {
            guard: { type: "isSignedOut", params: errorOf },
            target: "outside",
          },
          { target: "unreachable" },
        ],
      },
    },
    unreachable: { on: { retry: "asking" } },
    proving: {
      tags: "busy",
      invoke: {
        id: "enterByPasskey",
        src: "enterByPasskey",
        onDone: [
          {
            guard: { type: "isProved", params: outputOf },
            ...keepOutputIn("inside", "keepInsider"),
          },
          { target: "outside" },
        ],
        onError: [
          {
            guard: { type: "isSignedOut", params: errorOf },
            target: "outside",
            actions: { type: "keepWhy", params: { why: "passkey" } },
          },
          {
            guard: { type: "isRefused", params: errorOf },
            target: "outside",
            actions: { type: "keepWhy", params: { why: "passkey" } },
          },
          {
            guard: { type: "isTooMany", params: errorOf },
            target: "outside",
            actions: { type: "keepWhy", params: { why: "tooMany" } },
          },
          { target: "unreachable" },
        ],
      },
    },
    inside: {
      initial: "working",
      states: {
        working: { on: { "passkey.requested": { target: "addingPasskey", actions: "forgetError" } } },
        addingPasskey: {
          invoke: {
            id: "addPasskey",
            src: "addPasskey",
            onDone: [
              {
                guard: { type: "isAdded", params: ({ event }) => ({ added: event.output }) },
                target: "working",
                actions: "notePasskey",
              },
              { target: "working" },
            ],
            onError: showErrorIn("working"),
          },
        },
      },
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
          showErrorIn("inside"),
        ],
      },
    },
    outside: { on: { "passkey.used": { target: "proving", actions: "forgetWhy" } } },
  },
});
