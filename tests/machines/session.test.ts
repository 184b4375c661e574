/** Who is signed in: one announcement a cause, half a second before a logout, and no user kept waiting for the API. */
import { expect } from "vitest";
import { sessionMachine, type SessionEmitted } from "../../machines/session.ts";
import { session as model } from "../models/session.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";

const session = invariantsOf(sessionMachine, {
  inputs: [{ userName: null }, { userName: "Ann" }],
  events: [
    { type: "login.succeeded", accountName: "Ann" },
    { type: "login.succeeded", accountName: "Bob" },
    { type: "logout.requested" },
    { type: "sessions.closed" },
    { type: "session.refused" },
    { type: "ending.sent", ending: "password" },
    { type: "ending.sent", ending: "account" },
    { type: "ending.refused" },
    { type: "screen.left" },
    { type: "storage.changed", userName: null },
    { type: "storage.changed", userName: "Bob" },
  ],
  answers: {},
});

type Ending = "password" | "account";

/**
 * Sections 4 and 6 in a few words: who it is, since when they have been leaving, when another window last signed them out,
 * and which of their requests that end the session are without an answer, the last one and those before.
 */
type Person = {
  name: string | null;
  leaving: number | null;
  elsewhere: number;
  unanswered: readonly [last: Ending | null, before: Ending | null];
  said: SessionEmitted[];
};

/** Ms that a logout waits. */
const LEAVING = 500;

const personOf = (history: History<typeof sessionMachine>) =>
  history.reduce<Person>(
    (person, { event, at }) => {
      const gone = person.leaving !== null && at - person.leaving >= LEAVING;
      const quiet = { ...person, said: [] };
      const fresh = { leaving: null, elsewhere: -Infinity, unanswered: [null, null] } as const;
      const [last, before] = person.unanswered;
      const sends = (ending: Ending | null) =>
        person.name === null ? quiet : { ...quiet, unanswered: [ending, last ?? before] as const };
      if (event.type === "start") return { ...quiet, name: "input" in event ? event.input.userName : null };
      if (gone) {
        const said: SessionEmitted[] = [
          { type: "session.left", userName: person.name },
          { type: "session.ended", userName: person.name },
        ];
        return { ...fresh, name: null, said };
      }
      switch (event.type) {
        case "login.succeeded":
          return {
            ...fresh,
            name: event.accountName,
            said: [{ type: "session.began", accountName: event.accountName }],
          };
        case "storage.changed":
          return event.userName === person.name
            ? quiet
            : {
                ...fresh,
                name: event.userName,
                elsewhere: event.userName === null ? at : -Infinity,
                said: [{ type: "session.switched", userName: event.userName }],
              };
        case "session.refused":
          return {
            ...(person.name === null ? person : fresh),
            name: null,
            // A user who is logging out is not told to log in.
            said: [
              person.leaving === null
                ? { type: "session.required", userName: person.name, unheard: before }
                : { type: "session.ended", userName: person.name },
            ],
          };
        case "sessions.closed":
          return person.name === null
            ? quiet
            : { ...fresh, name: null, said: [{ type: "session.ended", userName: person.name }] };
        case "ending.sent":
          return sends(event.ending);
        case "screen.left":
          return sends(null);
        case "ending.refused":
          return { ...quiet, unanswered: [null, before] };
        case "logout.requested":
          return { ...quiet, leaving: person.name === null ? null : (person.leaving ?? at) };
        default:
          return quiet;
      }
    },
    { name: null, leaving: null, elsewhere: -Infinity, unanswered: [null, null], said: [] },
  );

session.always(
  "knows who is signed in, whether they are leaving, and what they may have done to end it",
  ({ state }, history) => {
    const { name, leaving, unanswered } = personOf(history);
    const [sent, unheard] = unanswered;
    expect({
      context: state.context,
      signedIn: state.matches("signedIn"),
      signedOut: state.matches("signedOut"),
      busy: state.hasTag("busy"),
    }).toEqual({
      context: { userName: name, sent, unheard },
      signedIn: name !== null,
      signedOut: name === null,
      busy: leaving !== null,
    });
  },
);

session.always("says once what happened", ({ emitted }, history) => {
  expect(emitted).toEqual(personOf(history).said);
});

session.always("knows for two seconds that it was another window", ({ state, at }, history) => {
  expect(state.matches({ signedOut: "elsewhere" })).toBe(at - personOf(history).elsewhere < 2_000);
});

session.always(
  "has the API told of a logout, once, half a second after it was asked for",
  (moment, history) => {
    const { leaving } = personOf(history.slice(0, -1));
    const isDue = leaving !== null && moment.at === leaving + LEAVING;
    expect(moment.emitted.filter(({ type }) => type === "session.left")).toHaveLength(isDue ? 1 : 0);
  },
);

runOnMachine(model);
