/** Customer support: one window a tap, and a link where the browser refused it. */
import { expect } from "vitest";
import { supportMachine } from "../../machines/support.ts";
import { support as model, supportBlocked } from "../models/support.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf } from "../support/invariant-runner.ts";
import { answerIn, asked, errorIn, keepsNobodyWaiting, wasAsking } from "../support/invariants.ts";
import { refused } from "../support/samples.ts";

const address = "https://support.example/";

const support = invariantsOf(supportMachine, {
  events: [{ type: "support.requested" }, { type: "cancel" }],
  answers: { openSupport: { opened: { blocked: null }, blocked: { blocked: address }, refused } },
  simple: true,
});

keepsNobodyWaiting(support, ["openSupport"]);

support.always("opens one window at a time", (moment, history) => {
  const opens = moment.event.type === "support.requested" && !wasAsking(history, "openSupport");
  expect(asked(moment).map(({ id }) => id)).toEqual(opens ? ["openSupport"] : []);
  expect(moment.state.hasTag("busy")).toBe(moment.pending.length === 1);
});

support.always("offers a link to what the browser last refused to open", ({ state }, history) => {
  const last = history.findLast((moment) => answerIn(moment, "openSupport"));
  expect(state.context).toEqual((last && answerIn(last, "openSupport")?.output) ?? { blocked: null });
});

support.always("tells a failure", (moment) => {
  const error = errorIn(moment, "openSupport");
  expect(moment.emitted).toEqual(error ? [{ type: "request.failed", error }] : []);
});

runOnMachine(model);
runOnMachine(supportBlocked);
