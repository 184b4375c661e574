/** A receipt: shown of a confirmed order alone, and saved or printed once for each time it is asked for. */
import { expect } from "vitest";
import { receiptMachine } from "../../machines/receipt.ts";
import { picture, reading, receipt as model } from "../models/receipt.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import {
  answerIn,
  asked,
  asksOneAtATime,
  errorIn,
  letsGoWhenTold,
  PATIENCE,
  wasAsking,
} from "../support/invariants.ts";
import { readingOf } from "../support/samples.ts";

const receipt = invariantsOf(receiptMachine, {
  inputs: [{ orderId: "A100" }],
  events: [
    { type: "retry" },
    { type: "screen.activated" },
    { type: "picture.requested", picture },
    { type: "print.requested" },
    { type: "cancel" },
  ],
  answers: {
    readOrder: { paid: reading, unpaid: readingOf(0), failed: readingOf(9) },
    savePicture: { saved: true, dismissed: false },
    print: { printed: undefined },
  },
  repeats: 1,
});

type Past = History<typeof receiptMachine>;
const readIn = (past: Past) =>
  past.map((moment) => answerIn(moment, "readOrder")?.output as typeof reading | undefined).filter(Boolean);

asksOneAtATime(receipt);
letsGoWhenTold(receipt, ["savePicture", "print"]);

receipt.always("keeps what was read last", ({ state }, past) => {
  expect(state.context.reading).toEqual(readIn(past).at(-1) ?? null);
});

receipt.always("shows nothing but a confirmed order", ({ state }, past) => {
  const last = readIn(past).at(-1);
  expect(state.hasTag("paid")).toBe(last?.status === 1);
  if (state.matches("unpaid")) expect(last?.status).not.toBe(1);
});

receipt.always("asks for the order, the picture and the paper, each with what it needs", (moment, past) => {
  const { event, state } = moment;
  const before = past.slice(0, -1);
  const wasPaid = readIn(before).at(-1)?.status === 1;
  const isBusy = wasAsking(past, "savePicture") || wasAsking(past, "print");
  const expected =
    event.type === "picture.requested" && wasPaid && !isBusy
      ? [{ id: "savePicture", input: picture }]
      : event.type === "print.requested" && wasPaid && !isBusy
        ? [{ id: "print", input: undefined }]
        : null;
  if (expected) expect(asked(moment)).toEqual(expected);
  else
    expect(asked(moment)).toEqual(
      asked(moment).length > 0 ? [{ id: "readOrder", input: { orderId: "A100" } }] : [],
    );
  expect(state.matches("loading") && moment.pending.length === 0).toBe(false);
});

receipt.always("tells that it is saved, or that it cannot be saved or printed, once", (moment) => {
  const saved = answerIn(moment, "savePicture");
  expect(moment.emitted).toEqual(
    saved?.output === true
      ? [{ type: "picture.saved" }]
      : errorIn(moment, "savePicture")
        ? [{ type: "picture.failed" }]
        : errorIn(moment, "print")
          ? [{ type: "print.failed" }]
          : [],
  );
});

receipt.always("tells, from the tenth second on, that the order is late", ({ state, pending, at }) => {
  expect(state.hasTag("slow")).toBe(
    state.matches("loading") && pending.some((call) => at - call.at >= PATIENCE),
  );
});

receipt.always("says why the order could not be read", (moment) => {
  const error = errorIn(moment, "readOrder");
  if (error) expect([moment.state.value, moment.state.context.error]).toEqual(["failed", error]);
});

runOnMachine(model);
