/** Copying: what is said to be copied is what was asked for last. */
import { expect } from "vitest";
import { clipboardMachine, type Copyable } from "../../machines/clipboard.ts";
import { copying as model, copyingForbidden } from "../models/clipboard.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import { answerIn, asked, asksOneAtATime, errorIn } from "../support/invariants.ts";

const address: Copyable = { what: "address", text: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" };
const orderId: Copyable = { what: "orderId", text: "A100" };

const copying = invariantsOf(clipboardMachine, {
  events: [
    { type: "copy.requested", copyable: address },
    { type: "copy.requested", copyable: orderId },
  ],
  answers: { copyText: { done: undefined } },
  simple: true,
});

const lastAsked = (history: History<typeof clipboardMachine>) => {
  const last = history.findLast(({ event }) => event.type === "copy.requested");
  return last?.event.type === "copy.requested" ? last.event.copyable : null;
};

asksOneAtATime(copying);

copying.always("writes the very text that was asked for, at once", (moment) => {
  const { event } = moment;
  expect(asked(moment)).toEqual(
    event.type === "copy.requested" ? [{ id: "copyText", input: { text: event.copyable.text } }] : [],
  );
});

copying.always("tells what was copied, or that nothing was", (moment, history) => {
  expect(moment.emitted).toEqual(
    answerIn(moment, "copyText")
      ? [{ type: "copy.succeeded", what: lastAsked(history)?.what }]
      : errorIn(moment, "copyText")
        ? [{ type: "copy.failed" }]
        : [],
  );
});

copying.always("marks what was copied for two seconds", ({ state, at }, history) => {
  const last = history.findLast(({ event }) => event.type === "copy.requested" || "id" in event);
  const copied = last !== undefined && answerIn(last, "copyText") !== undefined && at - last.at < 2_000;
  const writing = last?.event.type === "copy.requested";
  expect({ value: state.value, copied: state.context.copied }).toEqual({
    value: writing ? "writing" : copied ? "copied" : "resting",
    copied: writing || copied ? lastAsked(history) : null,
  });
});

runOnMachine(model);
runOnMachine(copyingForbidden);
