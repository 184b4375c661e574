/** Where the account is logged in, and logging out there, with the password. Decision 27. */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import {
  type CallError,
  loadFailed,
  type RequestFailed,
  requestFailed,
  showErrorIn,
  keepOutputIn,
} from "./call-error.ts";
import {
  type Failed,
  fieldErrorOf,
  formEvents,
  type FormEvent,
  confirmationError,
  type Confirmation,
  type ConfirmationError,
  sentForm,
  showFieldErrorIn,
} from "./form.ts";
import { refreshing } from "./refreshing.ts";
import { loading, waiting, waitingDelays } from "./slow-request.ts";

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
  endSessions: PromiseActorLogic<void, Ended & Confirmation>;
};

/** The sessions that ending it would end. */
export const endedBy = (sessions: readonly Session[], { sessionId }: Ended) =>
  sessions.filter((each) => !each.isCurrent && (sessionId === null || each.sessionId === sessionId));

type SessionsEvent =
  | ({ type: "ending.requested" } & Ended)
  | { type: "ending.dismissed" }
  | FormEvent<Confirmation>
  | { type: "retry" }
  | { type: "screen.activated" };

export type SessionsEmitted = { type: "sessions.ended" } | RequestFailed;

type SessionsContext = {
  sessions: readonly Session[];
  /** What is to be ended, while it is confirmed. */
  ended: Ended;
  formError: ConfirmationError | null;
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
    isComplete: (_, form: Confirmation) => confirmationError(form) === null,
  },
  actions: {
    keepSessions: assign({
      sessions: (_, sessions: readonly Session[]) => sessions,
      error: null,
    }),
    keepEnded: assign({ ended: (_, { sessionId }: Ended) => ({ sessionId }) }),
    dropEnded: assign({
      sessions: ({ context: { sessions, ended } }) => {
        const gone = endedBy(sessions, ended);
        return sessions.filter((each) => !gone.includes(each));
      },
    }),
    judge: assign({ formError: (_, form: Confirmation) => confirmationError(form) }),
    keepFieldError: assign({ formError: (_, failed: Failed) => fieldErrorOf(failed, ["password"]) }),
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
      ...loading,
      invoke: {
        id: "readSessions",
        src: "readSessions",
        onDone: keepOutputIn("listing", "keepSessions"),
        onError: showErrorIn("failed"),
      },
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
      ...refreshing({
        id: "readSessions",
        src: "readSessions",
        onDone: keepOutputIn("current", "keepSessions"),
      }),
    },
    // The password confirms that it is the member, not someone who found an open session.
    confirming: {
      on: {
        ...formEvents("ending"),
        // Read again: it may have been ended, and only the response was lost.
        "ending.dismissed": { target: "listing.refreshing", actions: "clearFormError" },
      },
    },
    ending: {
      tags: "busy",
      ...waiting,
      invoke: {
        id: "endSessions",
        src: "endSessions",
        input: ({ context, event }) => ({ ...context.ended, ...sentForm({ event }) }),
        onDone: { target: "listing.refreshing", actions: ["dropEnded", "announceEnded"] },
        // Sending it again does no harm.
        onError: showFieldErrorIn("confirming"),
      },
      on: { cancel: "confirming", "ending.dismissed": "listing.refreshing" },
    },
  },
});
