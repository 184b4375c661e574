/** The session of an operator at their page: opened by a link or a passkey, restored, ended by a logout or by the service. docs/security.md, "The operator's page". */
import { assign, setup, type PromiseActorLogic } from "xstate";
import { errorOf, isTooMany, type CallError, showErrorIn, outputOf, keepOutputIn } from "./call-error.ts";
import { invariant } from "./invariant.ts";

/** Who is signed in. */
export type Operator = { name: string };

export type OperatorSessionPorts = {
  /** Uses up a link. */
  enter: PromiseActorLogic<Operator, { link: string }>;
  /** Asks the device for its passkey; null: the person closed its question. */
  enterByPasskey: PromiseActorLogic<Operator | null>;
  /** Has the device make a passkey; false: the person closed its question. */
  addPasskey: PromiseActorLogic<boolean>;
  whoami: PromiseActorLogic<Operator>;
  leave: PromiseActorLogic<void>;
};

export const operatorSessionMachine = setup({
  types: {
    context: {} as {
      link: string | null;
      operator: Operator | null;
      /** Why the page is closed, where there is more to say than that no one is signed in. */
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
      | { type: "logout.requested" }
      | { type: "session.ended" },
    tags: {} as "busy",
  },
  actors: {} as OperatorSessionPorts,
  guards: {
    hasLink: ({ context }) => context.link !== null,
    isSignedOut: (_, { error }: { error: CallError }) => error.kind === "signedOut",
    /** The device has no passkey that the page may ask for. */
    isRefused: (_, { error }: { error: CallError }) => error.kind === "refused",
    isProved: (_, operator: Operator | null) => operator !== null,
    isAdded: (_, { added }: { added: boolean }) => added,
    /** Too many wrong tries came from this network. */
    isTooMany: (_, { error }: { error: CallError }) => isTooMany(error),
  },
  actions: {
    keepOperator: assign({
      operator: (_, operator: Operator | null) => operator,
      link: null,
      why: null,
      error: null,
    }),
    forgetOperator: assign({ operator: null, link: null, error: null, hasNewPasskey: false }),
    keepWhy: assign({ why: (_, { why }: { why: "link" | "passkey" | "tooMany" | "ended" }) => why }),
    forgetWhy: assign({ why: null }),
    notePasskey: assign({ hasNewPasskey: true }),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
    forgetError: assign({ error: null }),
  },
}).createMachine({
  id: "operatorSession",
  context: ({ input }) => ({
    link: input.link,
    operator: null,
    why: null,
    hasNewPasskey: false,
    error: null,
  }),
  initial: "waking",
  states: {
    waking: { always: [{ guard: "hasLink", target: "entering" }, { target: "restoring" }] },
    entering: {
      tags: "busy",
      invoke: {
        id: "enter",
        src: "enter",
        input: ({ context: { link } }) => ({ link: invariant(link) }),
        onDone: keepOutputIn("signedIn", "keepOperator"),
        onError: [
          {
            guard: { type: "isSignedOut", params: errorOf },
            target: "signedOut",
            actions: ["forgetOperator", { type: "keepWhy", params: { why: "link" } }],
          },
          {
            guard: { type: "isTooMany", params: errorOf },
            target: "signedOut",
            actions: ["forgetOperator", { type: "keepWhy", params: { why: "tooMany" } }],
          },
          // The link may be used up: the session that it opened, if it did, is asked for.
          { target: "unreachable", actions: ["forgetOperator"] },
        ],
      },
    },
    restoring: {
      tags: "busy",
      invoke: {
        id: "whoami",
        src: "whoami",
        onDone: keepOutputIn("signedIn", "keepOperator"),
        onError: [
          {
            guard: { type: "isSignedOut", params: errorOf },
            target: "signedOut",
          },
          { target: "unreachable" },
        ],
      },
    },
    unreachable: { on: { retry: "restoring" } },
    enteringByPasskey: {
      tags: "busy",
      invoke: {
        id: "enterByPasskey",
        src: "enterByPasskey",
        onDone: [
          {
            guard: { type: "isProved", params: outputOf },
            ...keepOutputIn("signedIn", "keepOperator"),
          },
          { target: "signedOut" },
        ],
        onError: [
          {
            guard: { type: "isSignedOut", params: errorOf },
            target: "signedOut",
            actions: { type: "keepWhy", params: { why: "passkey" } },
          },
          {
            guard: { type: "isRefused", params: errorOf },
            target: "signedOut",
            actions: { type: "keepWhy", params: { why: "passkey" } },
          },
          {
            guard: { type: "isTooMany", params: errorOf },
            target: "signedOut",
            actions: { type: "keepWhy", params: { why: "tooMany" } },
          },
          { target: "unreachable" },
        ],
      },
    },
    signedIn: {
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
        "logout.requested": { target: "leaving", actions: "forgetError" },
        "session.ended": {
          target: "signedOut",
          actions: ["forgetOperator", { type: "keepWhy", params: { why: "ended" } }],
        },
      },
    },
    leaving: {
      tags: "busy",
      invoke: {
        id: "leave",
        src: "leave",
        onDone: { target: "signedOut", actions: "forgetOperator" },
        onError: [
          {
            guard: { type: "isSignedOut", params: errorOf },
            target: "signedOut",
            actions: "forgetOperator",
          },
          // The session may still be open: it is not said to be over.
          showErrorIn("signedIn"),
        ],
      },
    },
    signedOut: { on: { "passkey.used": { target: "enteringByPasskey", actions: "forgetWhy" } } },
  },
});
