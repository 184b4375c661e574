/** Paying by card: five steps, success on the API's word alone, and a card that outlives nothing. */
import { describe, expect, test } from "vitest";
import { cardMachine, cardOutcome } from "../../machines/card.ts";
import { EarlierFound, type EarlierPayment } from "../../machines/earlier-orders.ts";
import { CardError } from "../../machines/card-error.ts";
import type { CardOrder, CardProof } from "../../machines/card-result.ts";
import { emptyCard, type Card, type CardField } from "../../machines/card-fields.ts";
import type { PayOnceOutput } from "../../machines/pay-once.ts";
import { payingByCard, preparingCard } from "../models/card.ts";
import { runOnMachine } from "../support/user-model.ts";
import { Harness } from "../support/harness.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import {
  answerIn,
  asked,
  asksOneAtATime,
  errorIn,
  letsGoWhenTold,
  tellsWhenSlow,
} from "../support/invariants.ts";
import { earlierPayment, lost, monthly, readingOf } from "../support/samples.ts";

const order: CardOrder = { orderId: "C7", amount: "9.90", reference: "order_9A33XWu170gUtm" };
/** The API charges more than was shown. */
const dearer: CardOrder = { ...order, amount: "10.01" };
const proof: CardProof = { paymentId: "pay_29QQoUBi66xm2f", reference: order.reference, signature: "9ef4" };
const valid: Card = {
  card_number: "4111 1111 1111 1111",
  expiry: "12/2030",
  cvv: "1234",
  cardholder: "Ann Lee",
};
const misread = "4111 1111 1111 1112";
const input = { offer: monthly, visit: "visit", today: { year: 2026, month: 11 }, ignoredIds: ["before"] };
const typed = (field: CardField, text: string) => ({ type: "card.edited", field, text }) as const;

const refusals = {
  declined: new CardError({ outcome: "failed", description: "Your card was declined.", field: null }),
  misprinted: new CardError({ outcome: "failed", description: "Wrong code.", field: "cvv" }),
  cancelled: new CardError({ outcome: "cancelled", description: "Payment CANCELLED by you.", field: null }),
  closed: new CardError({ outcome: "cancelled", description: "", field: null }),
  broken: new CardError({ outcome: "unknown", description: "Not reached.", field: null }),
  silent: new CardError({ outcome: "unknown", description: "", field: null }),
};

const reported = earlierPayment("reported");
/** How the chart ends that looks for an earlier payment. */
const checked = (end: PayOnceOutput["end"], more: Partial<PayOnceOutput> = {}): PayOnceOutput => ({
  end,
  ignoredIds: ["before"],
  earlier: null,
  error: null,
  ...more,
});
/** What another tab has begun since. */
const elsewhere = earlierPayment("open");

const card = invariantsOf(cardMachine, {
  inputs: [input],
  events: [
    typed("card_number", "4111111111111111"),
    typed("card_number", misread),
    typed("expiry", valid.expiry),
    typed("cvv", valid.cvv),
    typed("cardholder", valid.cardholder),
    typed("cardholder", ""),
    { type: "pay.requested" },
    { type: "price.accepted" },
    { type: "price.declined" },
    { type: "close.requested" },
    { type: "cancel" },
    { type: "screen.activated" },
    { type: "page.visible" },
    { type: "retry" },
  ],
  answers: {
    payOnce: {
      free: checked("free"),
      freeOnceTold: checked("free", { ignoredIds: ["before", "E-paid"] }),
      reported: checked("free", { earlier: reported }),
      followed: checked("followed"),
      dismissed: checked("dismissed"),
      failed: checked("failed", { error: lost.error }),
    },
    createCardOrder: { made: order, dearer },
    openProvider: { opened: { key: "rzp_key" } },
    payByCard: { paid: proof, unread: null, ...refusals, elsewhere: new EarlierFound(elsewhere) },
    result: { paid: "paid", failed: "failed", open: "open", billed: "billed" },
  },
  infallible: ["payOnce", "result"],
  // Which of the other fields are filled makes no difference, only how many.
  distinguish: ({ card: { card_number, ...others }, wrong, description, spent, earlier: found }) => [
    found?.kind,
    card_number,
    Object.values(others).filter((text) => text !== "").length,
    wrong,
    description === null,
    spent > 0,
  ],
  repeats: 1,
});

type Past = History<typeof cardMachine>;
type Asked = "payOnce" | "createCardOrder" | "openProvider" | "payByCard" | "result";
/** Section 4 in a few words: the five steps, and what lies before and after them. */
type Screen = {
  step: "checking" | "preparing" | "unavailable" | "repriced" | 1 | 2 | 3 | 4 | 5 | "over";
  /** An earlier payment that holds nothing up, and the numbers of those that the user was told of. */
  found: EarlierPayment | null;
  ignoredIds: readonly string[];
  order: CardOrder;
  /** The price that was shown, or agreed to since. */
  agreed: string;
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
  /** What the provider gave for the money. */
  proof: CardProof | null;
  /** What is asked in this moment, and what is said. */
  asks: Asked | null;
  says: readonly object[];
};

const opening: Screen = {
  step: "checking",
  found: null,
  ignoredIds: ["before"],
  order,
  agreed: monthly.buy_price,
  card: emptyCard,
  wrong: [],
  description: null,
  open: false,
  unsettled: false,
  spent: 0,
  asking: null,
  proof: null,
  asks: null,
  says: [],
};
const settled = { type: "order.settled", orderId: order.orderId, isPaid: true };
const followed = (one: EarlierPayment) => ({ type: "earlier.followed", earlier: one, isLast: true });

function next(before: Screen, moment: Past[number]): Screen {
  const { event } = moment;
  const quiet: Screen = { ...before, asks: null, says: [] };
  const { step } = quiet;
  const ask = (asks: Asked, more: Partial<Screen> = {}): Screen => ({
    ...quiet,
    asks,
    asking: asks,
    ...more,
  });
  const rest = (more: Partial<Screen>): Screen => ({ ...quiet, asking: null, ...more });

  if (event.type === "start") return ask("payOnce");
  if ("output" in event || "error" in event) {
    const id = quiet.asking;
    const error = errorIn(moment, id ?? "");
    switch (id) {
      case "payOnce": {
        const { end, ignoredIds, earlier: found } = (event as { output: PayOnceOutput }).output;
        switch (end) {
          case "free":
            return ask("createCardOrder", { step: "preparing", ignoredIds, found });
          case "failed":
            return rest({ step: "unavailable", ignoredIds, found });
          case "followed":
            return rest({ step: "over", ignoredIds, found });
          case "dismissed":
            return rest({ step: "over", says: [{ type: "card.closed" }] });
        }
      }
      case "createCardOrder": {
        if (error) return rest({ step: "unavailable" });
        const made = (event as { output: CardOrder }).output;
        // Two orders for one wish could both be taken.
        const more = { order: made, unsettled: quiet.unsettled || quiet.found !== null, found: null };
        return made.amount === quiet.agreed ? ask("openProvider", more) : rest({ ...more, step: "repriced" });
      }
      case "openProvider":
        return error ? rest({ step: "unavailable" }) : rest({ step: 1 });
      case "payByCard": {
        if ("output" in event) {
          return ask("result", { card: emptyCard, proof: event.output as CardProof | null });
        }
        const { error } = event as { error: unknown };
        if (error instanceof EarlierFound)
          return rest({ step: "over", card: emptyCard, found: elsewhere, says: [followed(elsewhere)] });
        // No reply, or only a server error: neither says anything about the payment.
        const isUnanswered = [refusals.silent, refusals.broken].some((each) => each === error);
        const refusal =
          error instanceof CardError && !isUnanswered ? error : { description: "", field: null };
        return ask("result", {
          step: error === refusals.cancelled || error === refusals.closed ? 5 : 4,
          card: emptyCard,
          proof: null,
          open: isUnanswered,
          wrong: refusal.field === null ? [] : [refusal.field],
          description: refusal.description || null,
          // Then it may have gone through, and what is known of the next says nothing of it.
          unsettled: quiet.unsettled || isUnanswered,
        });
      }
      case "result": {
        const became = answerIn(moment, "result")?.output;
        if (became === "paid") return rest({ step: 3, says: [settled] });
        if (step === 2) return rest({ step: "over" });
        return became === "failed"
          ? ask("createCardOrder", { step: "preparing", spent: quiet.spent + 1, unsettled: false })
          : rest({ step: 1 });
      }
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
    case "pay.requested":
      if (step !== 1 || Object.values(quiet.card).includes("")) return quiet;
      if (quiet.card.card_number === misread) return { ...quiet, wrong: ["card_number"] };
      return ask("payByCard", { step: 2, wrong: [], description: null });
    case "price.accepted":
      return step === "repriced"
        ? ask("openProvider", { step: "preparing", agreed: quiet.order.amount })
        : quiet;
    case "price.declined":
      return step === "repriced" ? rest({ step: "over", says: [{ type: "card.closed" }] }) : quiet;
    case "close.requested":
      return step === 3 ? { ...quiet, says: [{ type: "card.closed" }] } : quiet;
    case "screen.activated":
      return step === "unavailable" ? ask("payOnce", { step: "checking" }) : quiet;
    case "retry":
      return step === "preparing" || step === "unavailable" ? ask("payOnce", { step: "checking" }) : quiet;
    case "cancel":
      // A user who stops waiting is asked to start again, and the order is requested first.
      return quiet.asking === "payByCard"
        ? ask("result", { step: 5, card: emptyCard, proof: null, open: true, unsettled: true })
        : quiet;
    default:
      return quiet;
  }
}
const screenOf = (history: Past) => history.reduce(next, opening);

card.always("opens no way to pay but at a price that was shown or agreed to", ({ state, calls }, history) => {
  const seen = history.some(({ event }) => event.type === "price.accepted");
  const { order: made } = state.context;
  const isOpen = state.hasTag("step1") || calls.some(({ id }) => id === "openProvider" || id === "payByCard");
  if (isOpen && !seen) expect(made?.amount).toBe(monthly.buy_price);
});

asksOneAtATime(card);

tellsWhenSlow(card, ["createCardOrder", "openProvider", "payByCard"]);
letsGoWhenTold(card, ["payByCard"]);

card.always("is at the step that the API's and the provider's words make it", ({ state }, history) => {
  const { step } = screenOf(history);
  const steps = (["step1", "step2", "step3", "step4", "step5"] as const).filter((tag) => state.hasTag(tag));
  expect({
    steps,
    checking: state.matches("payingOnce"),
    preparing: state.matches("preparing"),
    unavailable: state.matches("unavailable"),
    repriced: state.matches("repriced"),
    over: state.matches("handedOver"),
  }).toEqual({
    // It looks as it did until the bill is there.
    steps: typeof step === "number" ? [`step${step}`] : step === "over" ? ["step2"] : [],
    checking: step === "checking",
    preparing: step === "preparing",
    unavailable: step === "unavailable",
    repriced: step === "repriced",
    over: step === "over",
  });
});

card.always("says why there is no paying by card", (moment) => {
  const told = answerIn(moment, "payOnce")?.output as PayOnceOutput | undefined;
  const error = told?.error ?? errorIn(moment, "createCardOrder", "openProvider");
  if (error) expect(moment.state.context.error).toEqual(error);
});

card.always("shows success on the API's word alone", ({ state }, history) => {
  const word = history.some((moment) => answerIn(moment, "result")?.output === "paid");
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

card.always("says that the bank may let it through only where it was not refused", ({ state }, history) => {
  const { step, open } = screenOf(history);
  expect(state.hasTag("open")).toBe((step === 4 || step === 5) && open);
});

card.always("names what became of it where its last steps are shown", ({ state }, history) => {
  const { step, open } = screenOf(history);
  const outcomes = { 3: "paid", 4: "failed", 5: "cancelled" } as const;
  if (step === 3 || step === 4 || step === 5) {
    expect(cardOutcome(state)).toBe(open && step !== 3 ? "open" : outcomes[step]);
  }
});

card.always("shows the provider's description of what went wrong", ({ state }, history) => {
  expect(state.context.description).toBe(screenOf(history).description);
});

card.always(
  "asks for nothing but what is due: one payment a tap, and no retry unasked",
  (moment, history) => {
    const { asks, step, proof: given, unsettled, spent, ignoredIds, order: made } = screenOf(history);
    const claim = step === 2 ? "taken" : unsettled ? "unknown" : "failed";
    const inputs = {
      // Retries are one order, unless the API called the last one failed.
      createCardOrder: { offer: monthly, key: `visit-card-${spent}` },
      openProvider: undefined,
      payByCard: { order: made, key: "rzp_key", card: valid, offer: monthly, visit: "visit", ignoredIds },
      payOnce: {
        ignoredIds,
        // The bill of a payment whose result is not known explains it.
        followedAtOnce: ["open"],
        passedAtOnce: ["reported"],
        isLast: true,
      },
      result: { order: made, proof: given, claim },
    };
    expect(asked(moment)).toEqual(asks ? [{ id: asks, input: inputs[asks] }] : []);
  },
);

card.always("says only that it is settled, elsewhere, or closed", (moment, history) => {
  expect(moment.emitted).toEqual(screenOf(history).says);
});

card.always("asks before it is left, from the first field to the last word", ({ state }, history) => {
  const { step } = screenOf(history);
  expect({ guarded: state.hasTag("guarded"), busy: state.hasTag("busy") }).toEqual({
    guarded: step === 1 || step === 2,
    busy: step === 2 || step === "over",
  });
});

type StageReplies = NonNullable<ConstructorParameters<typeof Harness<typeof cardMachine>>[1]>["replies"];
/** A screen whose card is typed, before the tap. */
async function ready(replies: StageReplies = {}) {
  const harness = new Harness(cardMachine, {
    input,
    replies: {
      findEarlier: () => null,
      createCardOrder: () => order,
      openProvider: () => ({ key: "rzp_key" }),
      ...replies,
    },
  });
  await harness.advance(0);
  for (const field of ["card_number", "expiry", "cvv", "cardholder"] as const) {
    await harness.send(typed(field, valid[field]));
  }
  return harness;
}

test("a price that was agreed to is not asked about again, and another one is", async () => {
  const amounts = ["10.01", "10.01", "11.01"];
  const harness = new Harness(cardMachine, {
    input,
    replies: {
      findEarlier: () => null,
      createCardOrder: () => ({ ...order, amount: amounts.shift() ?? "" }),
      openProvider: () => ({ key: "rzp_key" }),
    },
  });
  await harness.advance(0);
  expect(harness.state.value).toBe("repriced");
  await harness.send({ type: "price.accepted" });
  const fails = async () => {
    for (const field of ["card_number", "expiry", "cvv", "cardholder"] as const) {
      await harness.send(typed(field, valid[field]));
    }
    await harness.send({ type: "pay.requested" });
    await harness.answer("payByCard", refusals.declined);
    await harness.sendToChild("result", { type: "retry" });
    // The API calls the order failed: the next one is another.
    await harness.answer("recallOrder", readingOf(9));
    return harness.state.value;
  };
  expect([await fails(), await fails()]).toEqual([{ entering: "filling" }, "repriced"]);
});

test.each([
  ["given up", async (harness: Awaited<ReturnType<typeof ready>>) => harness.send({ type: "cancel" })],
  [
    "over without a word",
    async (harness: Awaited<ReturnType<typeof ready>>) => harness.answer("payByCard", refusals.silent),
  ],
])("an attempt that is %s stays open, whatever is said of the next", async (_, ends) => {
  const harness = await ready();
  await harness.send({ type: "pay.requested" });
  await ends(harness);
  await harness.sendToChild("result", { type: "retry" });
  await harness.answer("recallOrder", readingOf(0));
  for (const field of ["card_number", "expiry", "cvv", "cardholder"] as const) {
    await harness.send(typed(field, valid[field]));
  }
  await harness.send({ type: "pay.requested" });
  await harness.answer("payByCard", refusals.declined);
  expect(harness.emitted).toEqual([]);
});

test("a screen that is left gives up asking what became of the payment", async () => {
  const harness = await ready({ payByCard: () => refusals.declined });
  await harness.send({ type: "pay.requested" });
  await harness.sendToChild("result", { type: "retry" });
  expect(harness.pending.map(({ id }) => id)).toContain("recallOrder");
  await harness.send({ type: "cancel" });
  expect(harness.pending.map(({ id }) => id)).not.toContain("recallOrder");
});

test("looks three seconds after a failure what became of it, and when the page is seen again", async () => {
  const harness = await ready({ payByCard: () => refusals.declined, readOrder: () => readingOf(0) });
  await harness.send({ type: "pay.requested" });
  await harness.advance(600_000);
  await harness.send({ type: "page.visible" });
  await harness.advance(600_000);
  expect({
    glances: harness.calls.filter(({ id }) => id === "glance").map(({ at }) => at),
    emitted: harness.emitted,
  }).toEqual({
    glances: [3_000, 600_000],
    emitted: [{ type: "payment.reported", orderId: order.orderId }],
  });
});

test.each([
  ["the provider gives the same order to pay", order.orderId, false],
  ["the provider gives another order to pay", "C6", true],
])("warns of paying twice after a reported failure where %s: %s", async (_, orderId, unsettled) => {
  const found = { ...reported, order: { ...reported.order, orderId } };
  const harness = await ready({ findEarlier: () => found });
  expect(harness.state.context.unsettled).toBe(unsettled);
});

test("an API without the additive call is asked about its order, every three seconds, for half a minute", async () => {
  const harness = await ready({
    payByCard: () => proof,
    verifyCard: () => new Error("404"),
    readOrder: () => readingOf(0),
  });
  await harness.send({ type: "pay.requested" });
  await harness.advance(60_000);
  expect({
    asked: harness.calls.filter(({ id }) => id === "readOrder").map(({ at }) => at),
    state: harness.state.value,
    emitted: harness.emitted,
  }).toEqual({
    asked: Array.from({ length: 10 }, (_, time) => time * 3_000),
    state: "handedOver",
    emitted: [
      {
        type: "bill.opened",
        orderId: order.orderId,
        status: 0,
        amount: "9.90",
        createdAt: "",
        isLast: true,
      },
    ],
  });
});

test.each(["card_number", "expiry", "cvv", "cardholder"] as const)(
  "nothing is paid while %s is empty",
  async (field) => {
    const harness = await ready();
    await harness.send(typed(field, ""));
    await harness.send({ type: "pay.requested" });
    expect({ steps: harness.state.hasTag("step1"), wrong: harness.state.context.wrong }).toEqual({
      steps: true,
      wrong: [],
    });
    expect(harness.calls.map(({ id }) => id)).toEqual(["findEarlier", "createCardOrder", "openProvider"]);
  },
);

describe("until there is a form", () => {
  runOnMachine(preparingCard);
});
describe("from the form on", () => {
  runOnMachine(payingByCard);
});
