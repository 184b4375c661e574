/** The language: the last one that was chosen, once its messages are here. */
import { expect } from "vitest";
import { languageMachine } from "../../machines/language.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import { answerIn, asked, asksOneAtATime, errorIn } from "../support/invariants.ts";

const language = invariantsOf(languageMachine, {
  events: [
    { type: "language.chosen", language: "en" },
    { type: "language.chosen", language: "zh-CN" },
  ],
  answers: { setLocale: { shown: true } },
});

const chosenIn = (history: History<typeof languageMachine>) =>
  history.flatMap(({ event }) => (event.type === "language.chosen" ? [event.language] : [])).at(-1);

asksOneAtATime(language);

language.always("loads each language that is chosen, and waits for the last one alone", (moment, history) => {
  const isChosen = moment.event.type === "language.chosen";
  expect(asked(moment)).toEqual(
    isChosen ? [{ id: "setLocale", input: { language: chosenIn(history) } }] : [],
  );
});

language.always("tells of a language once it is shown, and of one that did not come", (moment, history) => {
  const error = errorIn(moment, "setLocale");
  const isShown = answerIn(moment, "setLocale") !== undefined;
  expect(moment.emitted).toEqual(
    isShown
      ? [{ type: "language.changed", language: chosenIn(history) }]
      : error
        ? [{ type: "request.failed", error }]
        : [],
  );
});
