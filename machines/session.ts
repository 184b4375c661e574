/** Who is signed in, in every tab at once. Specification, sections 3, 4 and 6; Decisions, "A reply that belongs to a past session". */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";

export type SessionPorts = {
  /** Tells the API, once. Its failure changes nothing: this browser forgets the session all the same. */
  logOut: PromiseActorLogic<void>;
};

/** `userName` is what the top bar shows, and the sign of being signed in; null is signed out. */
export type SessionInput = { userName: string | null };

type SessionEvent =
  | { type: "login.succeeded"; accountName: string }
  | { type: "logout.asked" }
  /** Every session of the account ended with its old password. */
  | { type: "password.changed" }
  /** The API said that nobody is signed in: once for all that was being asked then. */
  | { type: "session.refused" }
  /** Another tab signed in or out, or the stored name was edited. */
  | { type: "storage.changed"; userName: string | null };

export type SessionEmitted =
  /** A login here: keep the name, greet, go home. */
  | { type: "session.began"; accountName: string }
  /** A logout here: forget everything, go to the login page. */
  | { type: "session.ended" }
  /** "Please log in first": forget everything, say so once, go to the login page. */
  | { type: "session.required" }
  /** Another tab decided; what is on the screen belongs to somebody else. */
  | { type: "session.switched"; userName: string | null };

/** Out, by the person's own wish. */
const signedOut = {
  target: "#session.signedOut",
  actions: ["forgetName", "announceEnded"],
} as const;

export const sessionMachine = setup({
  types: {
    context: {} as { userName: string | null },
    input: {} as SessionInput,
    events: {} as SessionEvent,
    emitted: {} as SessionEmitted,
    tags: {} as "busy",
  },
  actors: {} as SessionPorts,
  delays: {
    logoutDelay: 500,
    /** As long as a toast: so long somebody who is led away by another window's word is told why. */
    otherWindowEcho: 2_000,
    /** The API may be out of reach; the person is not kept waiting for it. */
    farewell: 3_000,
  },
  guards: {
    isNamed: ({ context }) => context.userName !== null,
    isSomebody: (_, { userName }: { userName: string | null }) => userName !== null,
    isSame: ({ context }, { userName }: { userName: string | null }) => userName === context.userName,
  },
  actions: {
    keepName: assign({ userName: (_, { userName }: { userName: string | null }) => userName }),
    forgetName: assign({ userName: null }),
    announceBegun: emit((_, { accountName }: { accountName: string }) => ({
      type: "session.began" as const,
      accountName,
    })),
    announceEnded: emit({ type: "session.ended" }),
    announceRequired: emit({ type: "session.required" }),
    announceSwitched: emit((_, { userName }: { userName: string | null }) => ({
      type: "session.switched" as const,
      userName,
    })),
  },
}).createMachine({
  id: "session",
  context: ({ input }) => ({ userName: input.userName }),
  initial: "waking",
  on: {
    "login.succeeded": {
      target: ".signedIn",
      actions: [
        { type: "keepName", params: ({ event }) => ({ userName: event.accountName }) },
        { type: "announceBegun", params: ({ event }) => event },
      ],
    },
    "storage.changed": [
      { guard: { type: "isSame", params: ({ event }) => event } },
      {
        guard: { type: "isSomebody", params: ({ event }) => event },
        target: ".signedIn",
        actions: [
          { type: "keepName", params: ({ event }) => event },
          { type: "announceSwitched", params: ({ event }) => event },
        ],
      },
      {
        target: ".signedOut.elsewhere",
        actions: ["forgetName", { type: "announceSwitched", params: ({ event }) => event }],
      },
    ],
  },
  states: {
    waking: { always: [{ guard: "isNamed", target: "signedIn" }, { target: "signedOut" }] },
    signedOut: {
      initial: "resting",
      on: { "session.refused": { actions: "announceRequired" } },
      states: {
        resting: {},
        // In another window, just now.
        elsewhere: { after: { otherWindowEcho: "resting" } },
      },
    },
    signedIn: {
      initial: "resting",
      on: {
        "password.changed": { target: "signedOut", actions: ["forgetName", "announceEnded"] },
        "session.refused": { target: "signedOut", actions: ["forgetName", "announceRequired"] },
      },
      states: {
        resting: { on: { "logout.asked": "leaving" } },
        leaving: {
          tags: "busy",
          on: { "session.refused": signedOut },
          after: { logoutDelay: "sayingFarewell" },
        },
        sayingFarewell: {
          tags: "busy",
          // Somebody who leaves is not told to log in.
          on: { "session.refused": signedOut },
          invoke: {
            id: "logOut",
            src: "logOut",
            onDone: signedOut,
            onError: signedOut,
          },
          after: { farewell: signedOut },
        },
      },
    },
  },
});
