/** Paying by card: five steps, success on the API's word alone, and a card that outlives nothing. */
import { describe, expect, test } from "vitest";
import { cardMachine, cardOutcome } from "../../machines/card.ts";
import { EarlierFound } from "../../machines/earlier-orders.ts";
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
type Moment = Past[number];
/** Section 4 in a few words: the five steps, and what lies before and after them. */
type Step = "checking" | "preparing" | "unavailable" | "repriced" | 1 | 2 | 3 | 4 | 5 | "left" | "over";

const checkIn = (moment: Moment) => answerIn(moment, "payOnce")?.output as PayOnceOutput | undefined;
const orderIn = (moment: Moment) => answerIn(moment, "createCardOrder")?.output as CardOrder | undefined;
const resultIn = (moment: Moment) => answerIn(moment, "result")?.output;
const asks = (id: string) => (moment: Moment) => moment.calls.some((call) => call.id === id);
const answers = (id: string) => (moment: Moment) => "id" in moment.event && moment.event.id === id;
/** From the last moment of this sort on; nothing before the first. */
const sinceLast = (history: Past, is: (moment: Moment) => boolean): Past => {
  const at = history.findLastIndex(is);
  return at < 0 ? [] : history.slice(at);
};

/** How the last attempt ended at the provider, in which step, and whether the bank may let it through still. */
function lastAttempt(history: Past) {
  const [, ...since] = sinceLast(history, asks("payByCard"));
  const end = since.find((moment) => moment.event.type === "cancel" || answers("payByCard")(moment))?.event;
  const words = { description: null as string | null, field: null as CardField | null };
  if (!end || "output" in end) return { ...words, step: 2, isOpen: false } as const;
  if (!("error" in end)) return { ...words, step: 5, isOpen: true } as const;
  const { error } = end as { error: unknown };
  // No reply, or only a server error: neither says anything about the payment.
  if (error === refusals.silent || error === refusals.broken)
    return { ...words, step: 4, isOpen: true } as const;
  // Another error than the provider's came before the card was sent.
  if (!(error instanceof CardError)) return { ...words, step: 4, isOpen: false } as const;
  const { outcome, description, field } = error;
  const step = outcome === "cancelled" ? 5 : 4;
  return { step, isOpen: false, description: description || null, field } as const;
}

/** The step that the last question, and what came of it, make it. */
function stepOf(history: Past): Step {
  const [question, ...since] = sinceLast(history, ({ calls }) => calls.length > 0);
  const id = question?.calls.at(-1)?.id ?? "";
  const answer = since.find(answers(id));
  const attempt = lastAttempt(history).step;
  if (!answer) {
    const waiting: Partial<Record<string, Step>> = { payOnce: "checking", payByCard: 2, result: attempt };
    return waiting[id] ?? "preparing";
  }
  switch (id) {
    case "payOnce":
      return checkIn(answer)?.end === "failed" ? "unavailable" : "left";
    case "createCardOrder":
      if (errorIn(answer, id)) return "unavailable";
      return since.slice(since.indexOf(answer)).some(({ event }) => event.type === "price.declined")
        ? "left"
        : "repriced";
    case "openProvider":
      return errorIn(answer, id) ? "unavailable" : 1;
    case "result":
      if (resultIn(answer) === "paid") return 3;
      return attempt === 2 ? "over" : 1;
    // Another tab's payment was found.
    default:
      return "over";
  }
}
/** In the moment before. */
const stepBefore = (history: Past) => stepOf(history.slice(0, -1));

/** The card that was typed since the form came last. */
function typedCard(history: Past): Card {
  const form = sinceLast(history, (moment) => answers("openProvider")(moment) || answers("result")(moment));
  const charge = form.findIndex(asks("payByCard"));
  const edits = (charge < 0 ? form : form.slice(0, charge)).flatMap(({ event }) =>
    event.type === "card.edited" ? [[event.field, event.text] as const] : [],
  );
  const texts = edits.map(([field, text]) => [field, text === "4111111111111111" ? valid.card_number : text]);
  return { ...emptyCard, ...(Object.fromEntries(texts) as Partial<Card>) };
}

const ordersIn = (history: Past) => history.flatMap((moment) => orderIn(moment) ?? []);
/** Whether the API called the order failed in this moment, so that another one is made. */
const isSpent = (moment: Moment) => answers("result")(moment) && asks("createCardOrder")(moment);

/** Whether something may still be taken for this order, or for one that was reported failed and is another one. */
function isUnsettled(history: Past): boolean {
  const began = history.findLastIndex(isSpent) + 1;
  return history.some((moment, at) => {
    if (at < began) return false;
    const until = history.slice(0, at + 1);
    const isEnd = answers("payByCard")(moment) || (moment.event.type === "cancel" && asks("result")(moment));
    if (isEnd) return lastAttempt(until).isOpen;
    const [check, ...since] = sinceLast(until, answers("payOnce"));
    const isFound = check && checkIn(check)?.earlier;
    return Boolean(isFound) && since.length > 0 && ordersIn(since).length > 0;
  });
}

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
  const step = stepOf(history);
  const steps = (["step1", "step2", "step3", "step4", "step5"] as const).filter((tag) => state.hasTag(tag));
  expect({
    steps,
    checking: state.matches("payingOnce"),
    preparing: state.matches("preparing"),
    unavailable: state.matches("unavailable"),
    repriced: state.matches("repriced"),
    left: state.matches("leaving"),
    over: state.matches("handedOver"),
  }).toEqual({
    // It looks as it did until the bill is there.
    steps: typeof step === "number" ? [`step${step}`] : step === "over" ? ["step2"] : [],
    checking: step === "checking",
    preparing: step === "preparing",
    unavailable: step === "unavailable",
    repriced: step === "repriced",
    left: step === "left",
    over: step === "over",
  });
});

card.always("says why there is no paying by card", (moment) => {
  const told = checkIn(moment);
  const error = told?.error ?? errorIn(moment, "createCardOrder", "openProvider");
  if (error) expect(moment.state.context.error).toEqual(error);
});

card.always("shows success on the API's word alone", ({ state }, history) => {
  const word = history.some((moment) => resultIn(moment) === "paid");
  expect(state.hasTag("step3")).toBe(word);
});

card.always(
  "holds the card while it is typed and handed over, and not a moment longer",
  ({ state, emitted, calls, pending }, history) => {
    const isHeld = stepOf(history) === 1 || pending.some(({ id }) => id === "payByCard");
    expect(state.context.card).toEqual(isHeld ? typedCard(history) : emptyCard);
    const elsewhere = JSON.stringify([
      { ...state.context, card: null },
      emitted,
      calls.filter(({ id }) => id !== "payByCard"),
    ]);
    for (const secret of ["4111", valid.cvv, valid.cardholder]) expect(elsewhere).not.toContain(secret);
  },
);

card.always("marks the fields in error until they are edited", ({ state }, history) => {
  const marks = history.map((moment, at): CardField | null | undefined => {
    const until = history.slice(0, at + 1);
    if (asks("payByCard")(moment)) return null;
    if (answers("payByCard")(moment)) return lastAttempt(until).field;
    if (moment.event.type !== "pay.requested" || stepBefore(until) !== 1) return undefined;
    const { card_number, ...others } = typedCard(until);
    return card_number === misread && !Object.values(others).includes("") ? "card_number" : undefined;
  });
  const at = marks.findLastIndex((mark) => mark !== undefined);
  const isEdited = history.some(
    ({ event }, when) =>
      when > at &&
      event.type === "card.edited" &&
      event.field === marks[at] &&
      stepBefore(history.slice(0, when + 1)) === 1,
  );
  expect(state.context.wrong).toEqual(marks[at] && !isEdited ? [marks[at]] : []);
});

card.always("says that the bank may let it through only where it was not refused", ({ state }, history) => {
  const step = stepOf(history);
  expect(state.hasTag("open")).toBe((step === 4 || step === 5) && lastAttempt(history).isOpen);
});

card.always("names what became of it where its last steps are shown", ({ state }, history) => {
  const step = stepOf(history);
  const outcomes = { 3: "paid", 4: "failed", 5: "cancelled" } as const;
  if (step === 3 || step === 4 || step === 5) {
    const isOpen = step !== 3 && lastAttempt(history).isOpen;
    expect(cardOutcome(state)).toBe(isOpen ? "open" : outcomes[step]);
  }
});

card.always("shows the provider's description of what went wrong", ({ state }, history) => {
  expect(state.context.description).toBe(lastAttempt(history).description);
});

/** The price that was shown, or agreed to since. */
function agreedPrice(history: Past): string {
  const at = history.findLastIndex(({ event, calls }) => event.type === "price.accepted" && calls.length > 0);
  return ordersIn(history.slice(0, at + 1)).at(-1)?.amount ?? monthly.buy_price;
}

/** What this moment asks for, by where it was just before. */
function due(moment: Moment, history: Past): string | null {
  const { event } = moment;
  if (event.type === "start") return "payOnce";
  const before = stepBefore(history);
  if (answers("payOnce")(moment)) return checkIn(moment)?.end === "free" ? "createCardOrder" : null;
  const made = orderIn(moment);
  if (made) return made.amount === agreedPrice(history) ? "openProvider" : null;
  if (answers("payByCard")(moment))
    return "error" in event && event.error instanceof EarlierFound ? null : "result";
  if (answers("result")(moment))
    return before !== 2 && resultIn(moment) === "failed" ? "createCardOrder" : null;
  switch (event.type) {
    case "price.accepted":
      return before === "repriced" ? "openProvider" : null;
    case "screen.activated":
      return before === "unavailable" ? "payOnce" : null;
    case "retry":
      return before === "unavailable" || before === "preparing" ? "payOnce" : null;
    case "pay.requested": {
      const { card_number, ...others } = typedCard(history);
      const isRight = card_number === valid.card_number && !Object.values(others).includes("");
      return before === 1 && isRight ? "payByCard" : null;
    }
    // A user who stops waiting is asked to start again, and the order is requested first.
    case "cancel":
      return history.at(-2)?.pending.some(({ id }) => id === "payByCard") ? "result" : null;
    default:
      return null;
  }
}

card.always(
  "asks for nothing but what is due: one payment a tap, and no retry unasked",
  (moment, history) => {
    const id = due(moment, history);
    expect(moment.calls.map((call) => call.id)).toEqual(id === null ? [] : [id]);
  },
);

card.always("asks with what it was told last", (moment, history) => {
  const order = ordersIn(history).at(-1);
  const { ignoredIds } = history.flatMap((one) => checkIn(one) ?? []).at(-1) ?? input;
  const isTaken = lastAttempt(history).step === 2;
  const proofs = sinceLast(history, asks("payByCard")).flatMap((one) => answerIn(one, "payByCard") ?? []);
  const inputs: Record<string, unknown> = {
    payOnce: {
      ignoredIds,
      // The bill of a payment whose result is not known explains it.
      followedAtOnce: ["open"],
      passedAtOnce: ["reported"],
      isLast: true,
    },
    // Retries are one order, unless the API called the last one failed.
    createCardOrder: { offer: monthly, key: `visit-card-${history.filter(isSpent).length}` },
    openProvider: undefined,
    payByCard: { order, key: "rzp_key", card: valid, offer: monthly, visit: "visit", ignoredIds },
    result: {
      order,
      proof: isTaken ? proofs[0]?.output : null,
      claim: isTaken ? "taken" : isUnsettled(history) ? "unknown" : "failed",
    },
  };
  for (const { id, input: told } of asked(moment)) expect(told).toEqual(inputs[id]);
});

card.always("says only that it is settled, elsewhere, or closed", (moment, history) => {
  const { event, emitted } = moment;
  const before = event.type === "start" ? null : stepBefore(history);
  const isClosed =
    (before === 3 && event.type === "close.requested") ||
    (before === "repriced" && event.type === "price.declined") ||
    checkIn(moment)?.end === "dismissed";
  const isFound = "error" in event && event.error instanceof EarlierFound;
  expect(emitted).toEqual([
    ...(isClosed ? [{ type: "card.closed" }] : []),
    ...(resultIn(moment) === "paid" ? [{ type: "order.settled", orderId: order.orderId, isPaid: true }] : []),
    ...(isFound ? [{ type: "earlier.followed", earlier: elsewhere, isLast: true }] : []),
  ]);
});

card.always("asks before it is left, from the first field to the last word", ({ state }, history) => {
  const step = stepOf(history);
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

test("looks anew for an earlier payment where that takes too long", async () => {
  const harness = new Harness(cardMachine, { input });
  await harness.advance(0);
  const looked = () => harness.calls.filter(({ id }) => id === "findEarlier").length;
  const before = looked();
  await harness.send({ type: "retry" });
  expect([before, looked()]).toEqual([1, 2]);
});

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
