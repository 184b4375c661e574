/** The session: which user is signed in, in every tab. Specification, sections 3, 4 and 6; Decisions, "A reply that belongs to a past session". */
import { assign, emit, setup } from "xstate";

/** `userName` is shown in the top bar and means signed in; null means signed out. */
export type SessionInput = { userName: string | null };

/** What ends every session of the account, so that the answer of its request may be lost with this one. */
type Ending = "password" | "account";

/** A request that changes the password or deletes the account was sent. */
export type EndingSent = { type: "ending.sent"; ending: Ending };

/** It was answered, and ended nothing. */
export type EndingRefused = { type: "ending.refused" };

type SessionEvent =
  | EndingSent
  | EndingRefused
  /** Its requests are cancelled. */
  | { type: "screen.left" }
  | { type: "login.succeeded"; accountName: string }
  | { type: "logout.requested" }
  /** The API ended every session of the account: the password was changed, or the account deleted. */
  | { type: "sessions.closed" }
  /** The API answered that the user is not signed in: sent once for all pending requests. */
  | { type: "session.refused" }
  /** Another tab signed in or out, or the stored name was edited. */
  | { type: "storage.changed"; userName: string | null };

export type SessionEmitted =
  /** Login in this tab: store the name, greet the user, go home. */
  | { type: "session.began"; accountName: string }
  /** The API is to end the session. This browser ends it all the same, whatever becomes of the request. */
  | { type: "session.left"; userName: string | null }
  /** Logout of `userName` in this tab: delete their data, go to the login page. */
  | { type: "session.ended"; userName: string | null }
  /**
   * "Please log in first": delete the user's data, show it once, go to the login page. `unheard`: what this user may have
   * done to end the session, so that something else is to be said.
   */
  | { type: "session.required"; userName: string | null; unheard: Ending | null }
  /** Another tab changed the session; the screen shows another account's data. */
  | { type: "session.switched"; userName: string | null };

const nothingSent = { sent: null, unheard: null };

export const sessionMachine = setup({
  types: {
    context: {} as {
      userName: string | null;
      /** The last such request. */
      sent: Ending | null;
      /** One before whose answer was not heard: it may have been carried out, or may still be. */
      unheard: Ending | null;
    },
    input: {} as SessionInput,
    events: {} as SessionEvent,
    emitted: {} as SessionEmitted,
    tags: {} as "busy",
  },
  delays: {
    logoutDelay: 500,
    /** As long as a toast: if another tab signed out just now, the user is told why this one goes to the login page. */
    otherWindowEcho: 2_000,
  },
  guards: {
    isNamed: ({ context }) => context.userName !== null,
    isSomebody: (_, { userName }: { userName: string | null }) => userName !== null,
    isSame: ({ context }, { userName }: { userName: string | null }) => userName === context.userName,
  },
  actions: {
    keepName: assign((_, { userName }: { userName: string | null }) => ({ ...nothingSent, userName })),
    forgetName: assign({ ...nothingSent, userName: null }),
    keepSent: assign(({ context: { sent, unheard } }, { ending }: { ending: Ending | null }) => ({
      sent: ending,
      unheard: sent ?? unheard,
    })),
    forgetSent: assign({ sent: null }),
    announceBegun: emit((_, { accountName }: { accountName: string }) => ({
      type: "session.began" as const,
      accountName,
    })),
    announceLeft: emit(({ context: { userName } }) => ({ type: "session.left" as const, userName })),
    announceEnded: emit(({ context: { userName } }) => ({ type: "session.ended" as const, userName })),
    announceRequired: emit(({ context: { userName, unheard } }) => ({
      type: "session.required" as const,
      userName,
      unheard,
    })),
    announceSwitched: emit((_, { userName }: { userName: string | null }) => ({
      type: "session.switched" as const,
      userName,
    })),
  },
}).createMachine({
  id: "session",
  context: ({ input }) => ({ ...nothingSent, userName: input.userName }),
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
        // Another tab signed out just now.
        elsewhere: { after: { otherWindowEcho: "resting" } },
      },
    },
    signedIn: {
      initial: "resting",
      on: {
        "ending.sent": { actions: { type: "keepSent", params: ({ event }) => event } },
        "ending.refused": { actions: "forgetSent" },
        "screen.left": { actions: { type: "keepSent", params: { ending: null } } },
        "sessions.closed": { target: "signedOut", actions: ["announceEnded", "forgetName"] },
        "session.refused": { target: "signedOut", actions: ["announceRequired", "forgetName"] },
      },
      states: {
        resting: { on: { "logout.requested": "leaving" } },
        leaving: {
          tags: "busy",
          on: {
            // A user who is logging out is not told to log in.
            "session.refused": { target: "#session.signedOut", actions: ["announceEnded", "forgetName"] },
          },
          after: {
            logoutDelay: {
              target: "#session.signedOut",
              actions: ["announceLeft", "announceEnded", "forgetName"],
            },
          },
        },
      },
    },
  },
});
