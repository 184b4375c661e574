/** Where the account is logged in: read, and ended only with the password, once, and never this session. */
import { expect } from "vitest";
import { endedBy, sessionsMachine } from "../../machines/sessions.ts";
import { everywhere, sessions as model } from "../models/sessions.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import {
  answerIn,
  asked,
  asksOneAtATime,
  errorIn,
  PATIENCE,
  besideForm,
  formFailed,
} from "../support/invariants.ts";
import { refused, refusedFor } from "../support/samples.ts";

const alone = everywhere.filter(({ isCurrent }) => isCurrent);
const send = (password: string) => ({ type: "form.submitted", password }) as const;
const ask = (sessionId: string | null) => ({ type: "ending.requested", sessionId }) as const;

const sessions = invariantsOf(sessionsMachine, {
  events: [
    ask(null),
    ask("2"),
    // This one, and one that is not there.
    ask("1"),
    ask("9"),
    { type: "ending.dismissed" },
    send("secret"),
    send(""),
    { type: "form.edited" },
    { type: "retry" },
    { type: "cancel" },
    { type: "screen.activated" },
  ],
  answers: {
    readSessions: { everywhere, alone },
    endSessions: { ended: undefined, refused, refusedPassword: refusedFor("password") },
  },
  repeats: 1,
});

type Past = History<typeof sessionsMachine>;
type Screen = {
  at: "loading" | "failed" | "listing" | "confirming" | "ending";
  /** The ids in the list, and what is to be ended. */
  ids: readonly string[];
  ended: string | null;
  formError: object | null;
  asks: "readSessions" | "endSessions" | null;
  says: readonly object[];
};

/** What is ended, by the rules and not by the chart. */
const goneBy = (ids: readonly string[], ended: string | null) =>
  ids.filter((id) => id !== "1" && (ended === null || id === ended));

function next(before: Screen, moment: Past[number]): Screen {
  const { event } = moment;
  const quiet: Screen = { ...before, asks: null, says: [] };
  const read: Screen = { ...quiet, at: "loading", asks: "readSessions" };
  const refreshed: Screen = { ...quiet, at: "listing", asks: "readSessions" };
  if (event.type === "start") return read;
  const list = answerIn(moment, "readSessions");
  if (list)
    return { ...quiet, at: "listing", ids: (list.output as typeof everywhere).map((each) => each.sessionId) };
  // What is on the screen stays there.
  if (errorIn(moment, "readSessions")) return quiet.at === "loading" ? { ...quiet, at: "failed" } : quiet;
  if (answerIn(moment, "endSessions")) {
    const gone = goneBy(quiet.ids, quiet.ended);
    const ids = quiet.ids.filter((id) => !gone.includes(id));
    return { ...refreshed, ids, says: [{ type: "sessions.ended" }] };
  }
  const error = errorIn(moment, "endSessions");
  if (error)
    return {
      ...quiet,
      at: "confirming",
      formError: besideForm(error),
      says: [formFailed(error)],
    };
  switch (event.type) {
    case "retry":
      return quiet.at === "loading" || quiet.at === "failed" ? read : quiet;
    case "screen.activated":
      if (quiet.at === "failed") return read;
      return quiet.at === "listing" ? refreshed : quiet;
    case "cancel":
      return quiet.at === "ending" ? { ...quiet, at: "confirming" } : quiet;
    case "ending.requested":
      return quiet.at === "listing" && goneBy(quiet.ids, event.sessionId).length > 0
        ? { ...quiet, at: "confirming", ended: event.sessionId }
        : quiet;
    case "ending.dismissed":
      return ["confirming", "ending"].includes(quiet.at) ? { ...refreshed, formError: null } : quiet;
    case "form.edited":
      return quiet.at === "confirming" ? { ...quiet, formError: null } : quiet;
    case "form.submitted":
      if (quiet.at !== "confirming") return quiet;
      if (event.password !== "") return { ...quiet, at: "ending", formError: null, asks: "endSessions" };
      return { ...quiet, formError: { kind: "passwordMissing", fields: ["password"] } };
    case "wait":
    default:
      return quiet;
  }
}
const screenOf = (history: Past) =>
  history.reduce<Screen>(next, {
    at: "loading",
    ids: [],
    ended: null,
    formError: null,
    asks: null,
    says: [],
  });

asksOneAtATime(sessions);

sessions.always("tells, from the tenth second on, that what a person waits for is late", (moment) => {
  const { state, pending, at } = moment;
  const isAwaited = state.matches("loading") || state.matches("ending");
  const late = isAwaited && pending.some((call) => at - call.at >= PATIENCE);
  expect(state.hasTag("slow")).toBe(late);
});

sessions.always(
  "lists what goes on, and asks for the password before anything is ended",
  ({ state }, history) => {
    const { at, ids, formError } = screenOf(history);
    const values = ["loading", "failed", "listing", "confirming", "ending"] as const;
    expect({
      at: values.filter((value) => state.matches(value)),
      busy: state.hasTag("busy"),
      ids: state.context.sessions.map(({ sessionId }) => sessionId),
      formError: state.context.formError,
    }).toEqual({ at: [at], busy: at === "ending", ids, formError });
  },
);

sessions.always(
  "ends what was chosen, once, with the password, and never this session",
  (moment, history) => {
    const { asks, ended } = screenOf(history);
    const input = asks === "endSessions" ? { sessionId: ended, password: "secret" } : undefined;
    expect(asked(moment)).toEqual(asks ? [{ id: asks, input }] : []);
    if (asks === "endSessions") {
      const { sessions: list, ended: chosen } = moment.state.context;
      const gone = endedBy(list, chosen).map(({ sessionId }) => sessionId);
      expect(gone).toEqual(
        goneBy(
          list.map(({ sessionId }) => sessionId),
          ended,
        ),
      );
      expect(gone).not.toContain("1");
    }
  },
);

sessions.always("tells what happened", (moment, history) => {
  expect(moment.emitted).toEqual(screenOf(history).says);
});

sessions.always("says why the list could not be read", (moment) => {
  const error = errorIn(moment, "readSessions");
  if (error && moment.state.matches("failed")) expect(moment.state.context.error).toEqual(error);
});

runOnMachine(model);
