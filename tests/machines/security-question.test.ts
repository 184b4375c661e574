/** The security question: set complete and with the password, read-only from then on, and replaced by another. */
import { expect } from "vitest";
import { securityQuestionMachine } from "../../machines/security-question.ts";
import { securityQuestion as model } from "../models/security-question.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import {
  answerIn,
  asked,
  asksOneAtATime,
  errorIn,
  PATIENCE,
  wasAsking,
  besideForm,
  formFailed,
} from "../support/invariants.ts";
import { refused, refusedFor } from "../support/samples.ts";

const form = (security_problem: string, security_problem_value: string, password = "secret") =>
  ({ type: "form.submitted", security_problem, security_problem_value, password }) as const;
const complete = form("First pet?", " Fox ");

const refusedAnswer = refusedFor("security_problem_value");
const refusedPassword = refusedFor("password");

const question = invariantsOf(securityQuestionMachine, {
  events: [
    complete,
    form("", "Fox"),
    form("First pet?", "  "),
    form("", "", ""),
    form("First pet?", "Fox", ""),
    { type: "form.edited" },
    { type: "question.replaced" },
    { type: "retry" },
    { type: "cancel" },
    { type: "screen.activated" },
  ],
  answers: {
    readQuestion: { none: null, empty: "", set: "First pet?" },
    saveQuestion: { saved: undefined, refused, refusedAnswer, refusedPassword },
  },
  repeats: 1,
});

type Past = History<typeof securityQuestionMachine>;
type Screen = {
  at: "loading" | "failed" | "editing" | "saving" | "settled";
  /** Whether another question is to take the place of the one that is set. */
  replacing: boolean;
  formError: object | null;
  asks: "readQuestion" | "saveQuestion" | null;
  says: readonly object[];
};

/** Sections 4 and 5 in a few words. */
function next(before: Screen, moment: Past[number]): Screen {
  const { event } = moment;
  const quiet: Screen = { ...before, asks: null, says: [] };
  const read: Screen = { ...quiet, at: "loading", asks: "readQuestion" };
  const told = answerIn(moment, "readQuestion");
  if (event.type === "start") return read;
  if (told)
    return told.output === "First pet?" && !quiet.replacing
      ? { ...quiet, at: "settled", formError: null }
      : { ...quiet, at: "editing" };
  // What is on the screen stays there.
  if (errorIn(moment, "readQuestion")) return quiet.at === "loading" ? { ...quiet, at: "failed" } : quiet;
  if (answerIn(moment, "saveQuestion"))
    return { ...read, replacing: false, says: [{ type: "question.saved" }] };
  const error = errorIn(moment, "saveQuestion");
  // It may have been saved all the same.
  if (error) {
    const formError = besideForm(error);
    return {
      ...quiet,
      at: "editing",
      formError,
      asks: "readQuestion",
      says: [formFailed(error)],
    };
  }
  switch (event.type) {
    case "retry":
      return quiet.at === "loading" || quiet.at === "failed" ? read : quiet;
    case "screen.activated":
      if (quiet.at === "failed") return read;
      return quiet.at === "settled" ? { ...quiet, asks: "readQuestion" } : quiet;
    case "cancel":
      return quiet.at === "saving" ? { ...quiet, at: "editing" } : quiet;
    case "question.replaced":
      return quiet.at === "settled" ? { ...quiet, at: "editing", replacing: true } : quiet;
    case "form.edited":
      return quiet.at === "editing" ? { ...quiet, formError: null } : quiet;
    case "form.submitted":
      if (quiet.at !== "editing") return quiet;
      if (event === complete) return { ...quiet, at: "saving", formError: null, asks: "saveQuestion" };
      return {
        ...quiet,
        formError: {
          kind:
            event.security_problem === ""
              ? "problemMissing"
              : event.security_problem_value.trim() === ""
                ? "answerMissing"
                : "passwordMissing",
          fields: (["security_problem", "security_problem_value", "password"] as const).filter(
            (name) => event[name].trim() === "",
          ),
        },
      };
    case "wait":
    default:
      return quiet;
  }
}
const screenOf = (history: Past) =>
  history.reduce<Screen>(next, { at: "loading", replacing: false, formError: null, asks: null, says: [] });

asksOneAtATime(question);

question.always("tells, from the tenth second on, that what a person waits for is late", (moment) => {
  const { state, pending, at } = moment;
  const isAwaited = state.matches("loading") || state.matches("saving");
  const late = isAwaited && pending.some((call) => at - call.at >= PATIENCE);
  expect(state.hasTag("slow")).toBe(late);
});

question.always(
  "can be filled in where the API knows of none, and is read-only where it does until another is chosen",
  ({ state }, history) => {
    const { at, formError } = screenOf(history);
    const values = ["loading", "failed", "editing", "saving", "settled"] as const;
    expect({
      at: values.filter((value) => state.matches(value)),
      busy: state.hasTag("busy"),
      formError: state.context.formError,
    }).toEqual({ at: [at], busy: at === "saving", formError });
    if (at === "settled") expect(state.context.question).toBe("First pet?");
  },
);

question.always("sends a complete form, once, with the password", (moment, history) => {
  const { asks } = screenOf(history);
  const input =
    asks === "saveQuestion"
      ? { security_problem: "First pet?", security_problem_value: " Fox ", password: "secret" }
      : undefined;
  expect(asked(moment)).toEqual(asks ? [{ id: asks, input }] : []);
});

question.always("is asked for again once it is saved, and tells what happened", (moment, history) => {
  expect(moment.emitted).toEqual(screenOf(history).says);
});

question.always("says why it could not be read", (moment, history) => {
  const error = errorIn(moment, "readQuestion");
  if (error && moment.state.matches("failed")) {
    expect(moment.state.context.error).toEqual(error);
  }
  expect(wasAsking(history, "readQuestion") || !error).toBe(true);
});

runOnMachine(model);
