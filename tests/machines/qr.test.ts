/** The QR code's own file: asked for until it is here, and then never again. */
import { expect } from "vitest";
import { qrMachine } from "../../machines/qr.ts";
import { qr as model } from "../models/qr.ts";
import { runOnMachine } from "../support/user-model.ts";
import { answerIn, asked, asksOneAtATime, errorIn } from "../support/invariants.ts";
import { invariantsOf } from "../support/invariant-runner.ts";
import { lost } from "../support/samples.ts";

const AGAIN = 3_000;

const qr = invariantsOf(qrMachine, {
  events: [{ type: "page.visible" }],
  answers: { loadQr: { here: undefined, lost } },
  simple: true,
});

asksOneAtATime(qr);

qr.always("is here from the moment that it came", ({ state }, history) => {
  expect(state.matches("here")).toBe(history.some((moment) => answerIn(moment, "loadQr")));
});

qr.always(
  "asks at once, again three seconds after it was not heard, sooner where a user looks, and never when it is here",
  (moment, history) => {
    const before = history.at(-2);
    const failedAt = history.findLast((each) => errorIn(each, "loadQr"))?.at;
    const isMissing = before !== undefined && before.state.matches("missing");
    const isDue = failedAt !== undefined && moment.at - failedAt >= AGAIN;
    const asks =
      moment.event.type === "start" || (isMissing && (isDue || moment.event.type === "page.visible"));
    expect(asked(moment).map(({ id }) => id)).toEqual(asks ? ["loadQr"] : []);
  },
);

runOnMachine(model);
