/** Paying by card: five steps, success on the API's word alone, and a card that outlives nothing. */
import { describe, expect, test } from "vitest";
import { cardMachine } from "../../machines/card.ts";
import { CardRefused } from "../../machines/card-refusal.ts";
import type { CardOrder, CardProof } from "../../machines/card-setup.ts";
import { emptyCard, type Card, type CardField } from "../../machines/card-fields.ts";
import type { OrderReading } from "../../machines/reading.ts";
import { payingByCard, preparingCard } from "../models/card.ts";
import { rehearse } from "../support/play.ts";
import { Stage } from "../support/stage.ts";
import { study, type History } from "../support/study.ts";
import { answerIn, asked, asksOneAtATime, failureIn, letsGoWhenTold, PATIENCE } from "../support/promises.ts";
import { monthly, readingOf } from "../support/samples.ts";

const order: CardOrder = { orderId: "C7", amount: "9.90", reference: "order_9A33XWu170gUtm" };
const proof: CardProof = { paymentId: "pay_29QQoUBi66xm2f", reference: order.reference, signature: "9ef4" };
const valid: Card = {
  card_number: "4111 1111 1111 1111",
  expiry: "12/2030",
  cvv: "1234",
  cardholder: "Ann Lee",
};
const misread = "4111 1111 1111 1112";
const input = { offer: monthly, visit: "visit", today: { year: 2026, month: 11 } };
const typed = (field: CardField, text: string) => ({ type: "card.edited", field, text }) as const;

const refusals = {
  declined: new CardRefused({
    code: "",
    description: "Your card was declined.",
    reason: "declined",
    field: null,
  }),
  misprinted: new CardRefused({ code: "", description: "Wrong code.", reason: "invalid_cvv", field: "cvv" }),
  told: new CardRefused({ code: "", description: "Payment CANCELLED by you.", reason: "", field: null }),
  closed: new CardRefused({ code: "", description: "", reason: "payment_cancelled", field: null }),
  broken: new CardRefused({ code: "SERVER_ERROR", description: "Not reached.", reason: "", field: null }),
  gateway: new CardRefused({ code: "gateway_error", description: "Try later.", reason: "", field: null }),
  silent: new CardRefused({ code: "", description: "", reason: "", field: null }),
};

const card = study(cardMachine, {
  inputs: [input],
  events: [
    typed("card_number", "4111111111111111"),
    typed("card_number", misread),
    typed("expiry", valid.expiry),
    typed("cvv", valid.cvv),
    typed("cardholder", valid.cardholder),
    typed("cardholder", ""),
    { type: "pay.asked" },
    { type: "retry.asked" },
    { type: "close.asked" },
    { type: "waiting.dropped" },
    { type: "page.shown" },
    { type: "asked.again" },
  ],
  answers: {
    createCardOrder: { made: order },
    openProvider: { opened: { key: "rzp_key" } },
    payByCard: { paid: proof, unread: null, ...refusals },
    verifyCard: { confirmed: readingOf(1), failed: readingOf(9), pending: readingOf(0) },
    readOrder: { confirmed: readingOf(1), failed: readingOf(9), pending: readingOf(0) },
  },
  // Which of the other fields are filled makes no difference, only how many.
  distinguish: ({ card: { card_number, ...others }, wrong, description, spent }) => [
    card_number,
    Object.values(others).filter((text) => text !== "").length,
    wrong,
    description === null,
    spent > 0,
  ],
  repeats: 1,
});

type Past = History<typeof cardMachine>;
type Asked = "createCardOrder" | "openProvider" | "payByCard" | "verifyCard" | "readOrder" | "recallOrder";
/** Section 4 in a few words: the five steps, and what lies before and after them. */
type Screen = {
  step: "preparing" | "unavailable" | 1 | 2 | 3 | 4 | 5 | "over";
  card: Card;
  wrong: readonly CardField[];
  description: string | null;
  /** Whether the bank may let it through still. */
  open: boolean;
  /** Whether an attempt at this order was left without a word. */
  unsettled: boolean;
  /** How many orders the API has called failed. */
  spent: number;
  /** The question that waits for its answer. */
  asking: Asked | null;
  /** When the provider said that it took the money, and when the API last had nothing new to say of it. */
  provenAt: number;
  restingAt: number;
  /** What is asked in this moment, and what is said. */
  asks: Asked | null;
  says: readonly object[];
};

const opening: Screen = {
  step: "preparing",
  card: emptyCard,
  wrong: [],
  description: null,
  open: false,
  unsettled: false,
  spent: 0,
  asking: null,
  provenAt: Infinity,
  restingAt: Infinity,
  asks: null,
  says: [],
};
const begun = {
  type: "payment.begun",
  orderId: order.orderId,
  amount: "9.90",
  packName: monthly.name,
  productId: monthly.product_id,
};
const failed = { type: "payment.failed", orderId: order.orderId };
const settled = { type: "order.settled", orderId: order.orderId };
const bill = {
  type: "bill.asked",
  orderId: order.orderId,
  status: 0,
  amount: "9.90",
  createdAt: "",
  isLast: true,
};

function next(before: Screen, moment: Past[number]): Screen {
  const { event, at } = moment;
  const quiet: Screen = { ...before, asks: null, says: [] };
  const { step } = quiet;
  const ask = (asks: Asked, more: Partial<Screen> = {}): Screen => ({
    ...quiet,
    asks,
    asking: asks,
    restingAt: Infinity,
    ...more,
  });
  const rest = (more: Partial<Screen>): Screen => ({
    ...quiet,
    asking: null,
    provenAt: Infinity,
    restingAt: Infinity,
    ...more,
  });
  const wait = (): Screen => ({ ...quiet, asking: null, restingAt: at });

  if (event.type === "start") return ask("createCardOrder");
  // Thirty seconds without a word: the bill goes on asking.
  if (at - quiet.provenAt >= 30_000) return rest({ step: "over", says: [bill] });
  if (at - quiet.restingAt >= 3_000) return ask("readOrder");
  if ("output" in event || "error" in event) {
    const id = quiet.asking;
    const failure = failureIn(moment, id ?? "");
    const status = (answerIn(moment, "verifyCard", "readOrder", "recallOrder")?.output as OrderReading)
      ?.status;
    if (status === 1) return rest({ step: 3, says: [settled] });
    switch (id) {
      case "createCardOrder":
        return failure ? rest({ step: "unavailable" }) : ask("openProvider");
      case "openProvider":
        return failure ? rest({ step: "unavailable" }) : rest({ step: 1 });
      case "payByCard": {
        if ("output" in event) {
          return ask(event.output ? "verifyCard" : "readOrder", { card: emptyCard, provenAt: at });
        }
        const { error } = event as { error: unknown };
        // Nobody says anything of the money, or only that they broke down.
        const unheard = [refusals.silent, refusals.broken, refusals.gateway].some((each) => each === error);
        const refusal = error instanceof CardRefused && !unheard ? error : { description: "", field: null };
        return rest({
          step: error === refusals.told || error === refusals.closed ? 5 : 4,
          card: emptyCard,
          open: unheard,
          wrong: refusal.field === null ? [] : [refusal.field],
          description: refusal.description || null,
          // Then it may have gone through, and what is known of the next says nothing of it.
          unsettled: quiet.unsettled || unheard,
          says: quiet.unsettled || unheard ? [] : [failed],
        });
      }
      case "verifyCard":
        // An API without this call: the order itself is asked about.
        return failure ? ask("readOrder") : wait();
      case "readOrder":
        return status === 9 ? rest({ step: "over", says: [bill] }) : wait();
      case "recallOrder":
        if (failure) return rest({ says: [{ type: "failure.met", failure }] });
        return status === 9
          ? ask("createCardOrder", {
              step: "preparing",
              spent: quiet.spent + 1,
              unsettled: false,
              says: [failed],
            })
          : rest({ step: 1 });
      case null:
        return quiet;
    }
  }
  switch (event.type) {
    case "card.edited": {
      if (step !== 1) return quiet;
      const text = event.text === "4111111111111111" ? valid.card_number : event.text;
      const wrong = quiet.wrong.filter((field) => field !== event.field);
      return { ...quiet, card: { ...quiet.card, [event.field]: text }, wrong };
    }
    case "pay.asked":
      if (step !== 1 || Object.values(quiet.card).includes("")) return quiet;
      if (quiet.card.card_number === misread) return { ...quiet, wrong: ["card_number"] };
      return ask("payByCard", { step: 2, wrong: [], description: null, says: [begun] });
    case "retry.asked":
      return (step === 4 || step === 5) && quiet.asking === null ? ask("recallOrder") : quiet;
    case "close.asked":
      return step === 3 ? { ...quiet, says: [{ type: "card.closed" }] } : quiet;
    case "page.shown":
      return step === "unavailable" ? ask("createCardOrder", { step: "preparing" }) : quiet;
    case "asked.again":
      return step === "preparing" || step === "unavailable"
        ? ask("createCardOrder", { step: "preparing" })
        : quiet;
    case "waiting.dropped":
      // Whoever waits no longer is asked to begin anew, and the order is asked about first.
      if (quiet.asking === "payByCard")
        return rest({ step: 5, card: emptyCard, open: true, unsettled: true });
      // The provider took the money: the bill tells what the API makes of it.
      if (step === 2) return rest({ step: "over", says: [bill] });
      return quiet.asking === "recallOrder" ? rest({}) : quiet;
    case "wait":
    default:
      return quiet;
  }
}
const screenOf = (history: Past) => history.reduce(next, opening);

asksOneAtATime(card);

card.always("tells, from the tenth second on, that an answer is late", ({ state, pending, at }, history) => {
  const { provenAt } = screenOf(history);
  // From the provider's word to the API's it is one wait, however many questions.
  const since = Math.min(provenAt, ...pending.map((call) => call.at));
  expect(state.hasTag("slow")).toBe(at - since >= PATIENCE);
});
letsGoWhenTold(card, ["payByCard", "verifyCard", "readOrder", "recallOrder"]);

card.always("is at the step that the API's and the provider's words make it", ({ state }, history) => {
  const { step } = screenOf(history);
  const steps = (["step1", "step2", "step3", "step4", "step5"] as const).filter((tag) => state.hasTag(tag));
  expect({
    steps,
    preparing: state.matches("preparing"),
    unavailable: state.matches("unavailable"),
    over: state.matches("handedOver"),
  }).toEqual({
    // It looks as it did until the bill is there.
    steps: typeof step === "number" ? [`step${step}`] : step === "over" ? ["step2"] : [],
    preparing: step === "preparing",
    unavailable: step === "unavailable",
    over: step === "over",
  });
});

card.always("says why there is no paying by card", (moment) => {
  const failure = failureIn(moment, "createCardOrder", "openProvider");
  if (failure) expect(moment.state.context.failure).toEqual(failure);
});

card.always("shows success on the API's word alone", ({ state }, history) => {
  const word = history.some((moment) => {
    const told = answerIn(moment, "verifyCard", "readOrder", "recallOrder")?.output as OrderReading;
    return told?.status === 1;
  });
  expect(state.hasTag("step3")).toBe(word);
});

card.always(
  "holds the card while it is typed and handed over, and not a moment longer",
  (moment, history) => {
    const { step, card: shown, asking } = screenOf(history);
    expect(moment.state.context.card).toEqual(shown);
    if (step !== 1 && asking !== "payByCard") expect(moment.state.context.card).toEqual(emptyCard);
    const elsewhere = JSON.stringify([
      { ...moment.state.context, card: null },
      moment.emitted,
      moment.calls.filter(({ id }) => id !== "payByCard"),
    ]);
    for (const secret of ["4111", valid.cvv, valid.cardholder]) expect(elsewhere).not.toContain(secret);
  },
);

card.always("marks the fields in error until they are edited", ({ state }, history) => {
  expect(state.context.wrong).toEqual(screenOf(history).wrong);
});

card.always(
  "says that the bank may let it through only where nobody has refused it",
  ({ state }, history) => {
    const { step, open } = screenOf(history);
    expect(state.hasTag("open")).toBe((step === 4 || step === 5) && open);
  },
);

card.always("shows the provider's description of what went wrong", ({ state }, history) => {
  expect(state.context.description).toBe(screenOf(history).description);
});

card.always(
  "asks for nothing but what is due: one payment a tap, and no retry unasked",
  (moment, history) => {
    const { asks, spent } = screenOf(history);
    const about = { orderId: order.orderId };
    const inputs = {
      // Retries are one order, unless the API called the last one failed.
      createCardOrder: { offer: monthly, key: `visit-card-${spent}` },
      openProvider: undefined,
      payByCard: { order, key: "rzp_key", card: valid },
      verifyCard: { ...about, proof },
      readOrder: about,
      recallOrder: about,
    };
    expect(asked(moment)).toEqual(asks ? [{ id: asks, input: inputs[asks] }] : []);
  },
);

card.always(
  "says only that it is begun, refused, settled, handed over, closed, or that a retry failed",
  (moment, history) => {
    expect(moment.emitted).toEqual(screenOf(history).says);
  },
);

card.always("asks before it is left, from the first field to the last word", ({ state }, history) => {
  const { step, asking } = screenOf(history);
  expect({ guarded: state.hasTag("guarded"), busy: state.hasTag("busy") }).toEqual({
    guarded: step === 1 || step === 2,
    busy: step === 2 || step === "over" || asking === "recallOrder",
  });
});

type StageReplies = NonNullable<ConstructorParameters<typeof Stage<typeof cardMachine>>[1]>["replies"];
/** A screen whose card is typed, before the tap. */
async function ready(replies: StageReplies = {}) {
  const stage = new Stage(cardMachine, {
    input,
    replies: { createCardOrder: () => order, openProvider: () => ({ key: "rzp_key" }), ...replies },
  });
  await stage.pass(0);
  for (const field of ["card_number", "expiry", "cvv", "cardholder"] as const) {
    await stage.send(typed(field, valid[field]));
  }
  return stage;
}

test.each([
  ["cancelled by customer", "", "step5"],
  ["Payment was CANCELLED", "", "step5"],
  ["", "payment_cancelled", "step5"],
  ["Payment failed", "payment_failed", "step4"],
  ["Cancel", "", "step4"],
  ["", "", "step4"],
] as const)("a refusal that says '%s' for the reason '%s' is %s", async (description, reason, step) => {
  const refusal = new CardRefused({ code: "", description, reason, field: null });
  const stage = await ready({ payByCard: () => refusal });
  await stage.send({ type: "pay.asked" });
  expect({
    step: (["step4", "step5"] as const).filter((tag) => stage.state.hasTag(tag)),
    description: stage.state.context.description,
  }).toEqual({ step: [step], description: description || null });
});

test.each([
  ["given up", async (stage: Awaited<ReturnType<typeof ready>>) => stage.send({ type: "waiting.dropped" })],
  [
    "over without a word",
    async (stage: Awaited<ReturnType<typeof ready>>) => stage.answer("payByCard", refusals.silent),
  ],
])("an attempt that is %s stays open, whatever is said of the next", async (_, ends) => {
  const stage = await ready();
  await stage.send({ type: "pay.asked" });
  await ends(stage);
  await stage.send({ type: "retry.asked" });
  await stage.answer("recallOrder", readingOf(0));
  for (const field of ["card_number", "expiry", "cvv", "cardholder"] as const) {
    await stage.send(typed(field, valid[field]));
  }
  await stage.send({ type: "pay.asked" });
  await stage.answer("payByCard", refusals.declined);
  expect(stage.emitted).toEqual([begun, begun]);
});

test("an API without the additive call is asked about its order, every three seconds, for half a minute", async () => {
  const stage = await ready({
    payByCard: () => proof,
    verifyCard: () => new Error("404"),
    readOrder: () => readingOf(0),
  });
  await stage.send({ type: "pay.asked" });
  await stage.pass(60_000);
  expect({
    asked: stage.calls.filter(({ id }) => id === "readOrder").map(({ at }) => at),
    state: stage.state.value,
    emitted: stage.emitted,
  }).toEqual({
    asked: Array.from({ length: 10 }, (_, time) => time * 3_000),
    state: "handedOver",
    emitted: [begun, bill],
  });
});

test.each(["card_number", "expiry", "cvv", "cardholder"] as const)(
  "nothing is paid while %s is empty",
  async (field) => {
    const stage = await ready();
    await stage.send(typed(field, ""));
    await stage.send({ type: "pay.asked" });
    expect({ steps: stage.state.hasTag("step1"), wrong: stage.state.context.wrong }).toEqual({
      steps: true,
      wrong: [],
    });
    expect(stage.calls.map(({ id }) => id)).toEqual(["createCardOrder", "openProvider"]);
  },
);

describe("until there is a form", () => {
  rehearse(preparingCard);
});
describe("from the form on", () => {
  rehearse(payingByCard);
});
