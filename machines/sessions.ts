/** Where the account is logged in, and logging out there, with the password. Decision 27. */
import { assertEvent, assign, emit, setup, type PromiseActorLogic } from "xstate";
import {
  type CallError,
  loadFailed,
  type RequestFailed,
  requestFailed,
  showErrorIn,
  showFieldErrorIn,
} from "./call-error.ts";
import { fieldErrorOf, type FieldError } from "./field-error.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

/** As the API tells it; null is what it does not know. Times are ISO 8601. */
export type Session = {
  sessionId: string;
  createdAt: string;
  usedAt: string | null;
  network: string | null;
  browser: string | null;
  device: string | null;
  /** The session of this app. */
  isCurrent: boolean;
};

/** Which session to end; null: all but this one. */
export type Ended = { sessionId: string | null };

export type SessionsPorts = {
  readSessions: PromiseActorLogic<readonly Session[]>;
  endSessions: PromiseActorLogic<void, Ended & { password: string }>;
};

/** The sessions that ending it would end. */
export const endedBy = (sessions: readonly Session[], { sessionId }: Ended) =>
  sessions.filter((each) => !each.isCurrent && (sessionId === null || each.sessionId === sessionId));

type SessionsEvent =
  | ({ type: "ending.requested" } & Ended)
  | { type: "ending.dismissed" }
  | { type: "form.submitted"; password: string }
  | { type: "form.edited" }
  | { type: "retry" }
  | { type: "cancel" }
  | { type: "screen.activated" };

export type SessionsEmitted = { type: "sessions.ended" } | RequestFailed;

type SessionsContext = {
  sessions: readonly Session[];
  /** What is to be ended, while it is confirmed. */
  ended: Ended;
  formError: { kind: "passwordMissing"; fields: readonly ["password"] } | FieldError<"password"> | null;
  error: CallError | null;
};

export const sessionsMachine = setup({
  types: {
    context: {} as SessionsContext,
    events: {} as SessionsEvent,
    emitted: {} as SessionsEmitted,
    tags: {} as "busy" | "slow",
  },
  actors: {} as SessionsPorts,
  delays: waitingDelays,
  guards: {
    endsOne: ({ context }, ended: Ended) => endedBy(context.sessions, ended).length > 0,
    isComplete: (_, { password }: { password: string }) => password !== "",
  },
  actions: {
    keepSessions: assign({
      sessions: (_, { sessions }: { sessions: readonly Session[] }) => sessions,
      error: null,
    }),
    keepEnded: assign({ ended: (_, { sessionId }: Ended) => ({ sessionId }) }),
    dropEnded: assign({
      sessions: ({ context: { sessions, ended } }) => {
        const gone = endedBy(sessions, ended);
        return sessions.filter((each) => !gone.includes(each));
      },
    }),
    missPassword: assign({ formError: { kind: "passwordMissing", fields: ["password"] } }),
    keepFieldError: assign({
      formError: (_, { error }: { error: CallError }) => fieldErrorOf(error, ["password"]),
    }),
    clearFormError: assign({ formError: null }),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
    announceEnded: emit({ type: "sessions.ended" }),
    announceError: emit(requestFailed),
  },
}).createMachine({
  id: "sessions",
  context: { sessions: [], ended: { sessionId: null }, formError: null, error: null },
  initial: "loading",
  states: {
    loading: {
      invoke: {
        id: "readSessions",
        src: "readSessions",
        onDone: {
          target: "listing",
          actions: { type: "keepSessions", params: ({ event }) => ({ sessions: event.output }) },
        },
        onError: showErrorIn("failed"),
      },
      ...waiting,
      on: { retry: { target: "loading", reenter: true } },
    },
    failed: loadFailed,
    listing: {
      on: {
        "ending.requested": {
          guard: { type: "endsOne", params: ({ event }) => event },
          target: "confirming",
          actions: { type: "keepEnded", params: ({ event }) => event },
        },
      },
      initial: "current",
      states: {
        current: { on: { "screen.activated": "refreshing" } },
        // The list stays visible; a failed refresh changes nothing. A request sent before the phone changed
        // networks may never be answered.
        refreshing: {
          on: { "screen.activated": { target: "refreshing", reenter: true } },
          invoke: {
            id: "readSessions",
            src: "readSessions",
            onDone: {
              target: "current",
              actions: { type: "keepSessions", params: ({ event }) => ({ sessions: event.output }) },
            },
            onError: "current",
          },
        },
      },
    },
    // The password confirms that it is the member, not someone who found an open session.
    confirming: {
      on: {
        "form.edited": { actions: "clearFormError" },
        "form.submitted": [
          {
            guard: { type: "isComplete", params: ({ event }) => event },
            target: "ending",
            actions: "clearFormError",
          },
          { actions: "missPassword" },
        ],
        // Read again: it may have been ended, and only the response was lost.
        "ending.dismissed": { target: "listing.refreshing", actions: "clearFormError" },
      },
    },
    ending: {
      tags: "busy",
      invoke: {
        id: "endSessions",
        src: "endSessions",
        input: ({ context, event }) => {
          assertEvent(event, "form.submitted");
          return { ...context.ended, password: event.password };
        },
        onDone: { target: "listing.refreshing", actions: ["dropEnded", "announceEnded"] },
        // Sent again it does no harm.
        onError: showFieldErrorIn("confirming"),
      },
      ...waiting,
      on: { cancel: "confirming", "ending.dismissed": "listing.refreshing" },
    },
  },
});
