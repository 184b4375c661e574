/** What became of a card payment: asked until the API says so, half a minute at most, and again before it is paid anew. */
import { expect } from "vitest";
import {
  cardResultMachine,
  type CardOrder,
  type CardProof,
  type CardResult,
} from "../../machines/card-result.ts";
import type { OrderReading } from "../../machines/order-status.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import { answerIn, asked, asksOneAtATime, errorIn, letsGoWhenTold, PATIENCE } from "../support/invariants.ts";
import { readingOf } from "../support/samples.ts";

const order: CardOrder = { orderId: "C7", amount: "9.90", reference: "order_9A33XWu170gUtm" };
const proof: CardProof = { paymentId: "pay_29QQoUBi66xm2f", reference: order.reference, signature: "9ef4" };
const readings = { confirmed: readingOf(1), failed: readingOf(9), pending: readingOf(0) };

const result = invariantsOf(cardResultMachine, {
  inputs: [
    { order, proof, claim: "taken" },
    { order, proof: null, claim: "taken" },
    { order, proof: null, claim: "failed" },
    { order, proof: null, claim: "unknown" },
  ],
  events: [{ type: "retry" }, { type: "cancel" }, { type: "page.visible" }],
  answers: { verifyCard: readings, readOrder: readings },
  repeats: 1,
});

type Past = History<typeof cardResultMachine>;
type Asked = "verifyCard" | "readOrder" | "glance" | "recallOrder";
type Case = {
  became: CardResult | undefined;
  isTaken: boolean;
  isUnknown: boolean;
  asking: Asked | null;
  /** When it was said that the provider took the money, and when the API last had nothing new to say of it. */
  takenAt: number;
  restingAt: number;
  /** When it is looked at what became of a failure. */
  glanceDue: number;
  /** What is asked in this moment, and what is said. */
  asks: Asked | null;
  says: readonly object[];
};
const opening: Case = {
  became: undefined,
  isTaken: false,
  isUnknown: false,
  asking: null,
  takenAt: Infinity,
  restingAt: Infinity,
  glanceDue: Infinity,
  asks: null,
  says: [],
};
const SOON = 3_000;
const MINUTE = 60_000;
const failed = { type: "payment.failed", orderId: order.orderId };
const bill = {
  type: "bill.opened",
  orderId: order.orderId,
  status: 0,
  amount: "9.90",
  createdAt: "",
  isLast: true,
};

function next(before: Case, moment: Past[number]): Case {
  const { event, at } = moment;
  const quiet: Case = { ...before, asks: null, says: [] };
  const ask = (asks: Asked): Case => ({
    ...quiet,
    asks,
    asking: asks,
    restingAt: Infinity,
    glanceDue: Infinity,
  });
  const rest = (more: Partial<Case>): Case => ({ ...quiet, asking: null, ...more });
  const end = (became: CardResult, says: readonly object[] = []): Case => ({ ...opening, became, says });

  if (event.type === "start") {
    if (!("input" in event)) throw new Error("A history has an input.");
    if (event.input.claim !== "taken") {
      const says =
        event.input.claim === "failed" ? [{ type: "payment.reported", orderId: order.orderId }] : [];
      return { ...quiet, isUnknown: event.input.claim === "unknown", glanceDue: at + SOON, says };
    }
    return { ...ask(event.input.proof ? "verifyCard" : "readOrder"), isTaken: true, takenAt: at };
  }
  if (quiet.became) return quiet;
  // Thirty seconds without a word: the bill goes on asking.
  if (at - quiet.takenAt >= 30_000) return end("billed", [bill]);
  if (at - quiet.restingAt >= 3_000) return ask("readOrder");
  if (at >= quiet.glanceDue) return ask("glance");
  if ("output" in event || "error" in event) {
    const id = quiet.asking;
    const error = errorIn(moment, id ?? "");
    const status = (answerIn(moment, id ?? "")?.output as OrderReading | undefined)?.status;
    if (status === 1) return end("paid");
    switch (id) {
      case "verifyCard":
        // An API without this call: the order itself is asked about.
        return error ? ask("readOrder") : rest({ restingAt: at });
      case "readOrder":
        return status === 9 ? end("billed", [bill]) : rest({ restingAt: at });
      case "glance":
        return status === 9
          ? rest({ says: [failed] })
          : rest({ glanceDue: quiet.isUnknown ? at + MINUTE : Infinity });
      case "recallOrder":
        if (error) return rest({ glanceDue: at + SOON, says: [{ type: "request.failed", error }] });
        return status === 9 ? end("failed", [failed]) : end("open");
      case null:
        return quiet;
    }
  }
  const isFree = !quiet.isTaken && quiet.asking !== "recallOrder";
  if (event.type === "retry") return isFree ? ask("recallOrder") : quiet;
  // A failure that is looked at again is asked about again.
  if (event.type === "page.visible") return isFree ? ask("glance") : quiet;
  if (event.type !== "cancel") return quiet;
  // The provider took the money: the bill tells what the API makes of it.
  if (quiet.isTaken) return end("billed", [bill]);
  return quiet.asking === "recallOrder" ? rest({ glanceDue: at + SOON }) : quiet;
}
const caseOf = (history: Past) => history.reduce(next, opening);

asksOneAtATime(result);
letsGoWhenTold(result, ["verifyCard", "readOrder", "recallOrder"]);

result.always("ends with the API's word, or at the bill", ({ state }, history) => {
  const { became } = caseOf(history);
  expect({ status: state.status, output: state.output }).toEqual({
    status: became ? "done" : "active",
    output: became,
  });
});

result.always("asks for nothing but what is due, and nothing anew unasked", (moment, history) => {
  const { asks } = caseOf(history);
  const about = { orderId: order.orderId };
  expect(asked(moment)).toEqual(
    asks ? [{ id: asks, input: asks === "verifyCard" ? { ...about, proof } : about }] : [],
  );
});

result.always(
  "says only that it is reported failed, failed, left to its bill, or that a retry failed",
  (moment, history) => {
    expect(moment.emitted).toEqual(caseOf(history).says);
  },
);

result.always(
  "tells, from the tenth second on, that an answer is late",
  ({ state, pending, at }, history) => {
    const { takenAt, became } = caseOf(history);
    // From the provider's word to the API's it is one wait, however many questions.
    const waited = pending.filter(({ id }) => id === "recallOrder");
    const since = Math.min(takenAt, ...waited.map((call) => call.at));
    expect({ slow: state.hasTag("slow"), busy: state.hasTag("busy") }).toEqual({
      slow: became === undefined && at - since >= PATIENCE,
      busy: waited.length > 0,
    });
  },
);
