/** The bill: settled on the API's word alone, asked about every minute for ten minutes, then on request. */
import { expect, test } from "vitest";
import {
  arrivedIn,
  begunAs,
  billMachine,
  billMessage,
  billStatus,
  deadlineIn,
  isCheckedAgain,
  isUnsent,
  missingIn,
  standingOf,
  surplusIn,
} from "../../machines/bill.ts";
import type { OrderReading } from "../../machines/order-status.ts";
import { bill as model } from "../models/bill.ts";
import { runOnMachine } from "../support/user-model.ts";
import { Harness } from "../support/harness.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import {
  answerIn,
  asked,
  asksOneAtATime,
  errorIn,
  tellsWhenSlow,
  wasAsking,
  inputIn,
} from "../support/invariants.ts";
import { readingOf, refused } from "../support/samples.ts";

const MINUTE = 60_000;
const LIMIT = 10 * MINUTE;

const bill = invariantsOf(billMachine, {
  inputs: [{ orderId: "A100" }, { orderId: "A100", inBackground: true }],
  events: [{ type: "retry" }, { type: "page.visible" }],
  answers: {
    readOrder: {
      confirmed: readingOf(1),
      failed: readingOf(9),
      pending: readingOf(0),
      odd: readingOf(2),
      refused,
    },
  },
  distinguish: ({ reading, byHand }) => [reading === null, byHand],
  repeats: 1,
});

type Past = History<typeof billMachine>;
/** A refusal takes back what was said before. */
const isWord = (moment: Past[number]) =>
  answerIn(moment, "readOrder") !== undefined || errorIn(moment, "readOrder")?.kind === "refused";
const wordOf = (history: Past) => {
  const last = history.findLast(isWord);
  return ((last && answerIn(last, "readOrder")?.output) as OrderReading | undefined) ?? null;
};
const isSettled = (history: Past) => [1, 9].includes(wordOf(history)?.status ?? 0);

asksOneAtATime(bill);
tellsWhenSlow(bill, ["readOrder"]);

bill.always("says what the API said last, and nothing else, whatever failed since", (moment, history) => {
  const { state, pending } = moment;
  const reading = wordOf(history);
  const error = history.slice(history.findLastIndex((moment) => answerIn(moment, "readOrder")) + 1);
  expect({
    context: { ...state.context, byHand: false },
    confirmed: state.matches({ bill: "confirmed" }),
    failed: state.matches({ bill: "failed" }),
    settled: state.hasTag("settled"),
    asking: state.hasTag("asking"),
    pending: state.hasTag("pending"),
  }).toEqual({
    context: {
      ...inputIn(history),
      reading,
      error: error.map((moment) => errorIn(moment, "readOrder")).findLast(Boolean) ?? null,
      byHand: false,
    },
    confirmed: reading?.status === 1,
    failed: reading?.status === 9,
    settled: isSettled(history),
    asking: pending.length === 1,
    pending: !isSettled(history) && !isUnknown(history),
  });
});

bill.always("knows whether the last question was the person's own", ({ state }, history) => {
  const question = history.findLast(({ calls }) => calls.length > 0);
  expect(state.context.byHand).toBe(question?.event.type === "retry");
});

/** The API's last word is that it knows no such order, whatever it said before. */
const isUnknown = (history: Past) => {
  const last = history.findLast((moment) => errorIn(moment, "readOrder") ?? answerIn(moment, "readOrder"));
  return (
    last !== undefined &&
    errorIn(last, "readOrder")?.kind === "refused" &&
    history.at(-1)?.pending.length === 0
  );
};

bill.always("shows no status of an order that the API does not know", ({ state }, history) => {
  expect(state.matches({ bill: "unknown" })).toBe(isUnknown(history));
});

bill.always("names one status, and what a reminder must say", ({ state }, history) => {
  const { reading } = state.context;
  const isPart = missingIn(reading) !== null;
  const settled = reading?.status === 1 ? "confirmed" : "failed";
  const open = isPart ? "partlyPaid" : "pending";
  const known = isSettled(history) ? settled : open;
  expect({ status: billStatus(state, null), standing: standingOf(state) }).toEqual({
    status: isUnknown(history) ? "unknown" : known,
    standing: isUnknown(history) ? "gone" : isPart ? "part" : reading && "none",
  });
});

bill.always("says that it checked again when the person asked and nothing is new", ({ state }, history) => {
  const at = history.findLastIndex(({ calls }) => calls.length > 0);
  const isAnswered = history.slice(at + 1).some((moment) => answerIn(moment, "readOrder"));
  expect(isCheckedAgain(state)).toBe(
    history[at]?.event.type === "retry" && isAnswered && !isSettled(history) && !isUnknown(history),
  );
});

bill.always("tells once that the order is settled", (moment, history) => {
  const settles = answerIn(moment, "readOrder") && isSettled(history);
  expect(moment.emitted).toEqual(
    settles ? [{ type: "order.settled", ...inputIn(history), isPaid: wordOf(history)?.status === 1 }] : [],
  );
});

bill.always(
  "asks at once, a minute after each answer (or none) within ten minutes, and on request",
  (moment, history) => {
    const asking = wasAsking(history, "readOrder");
    // A question that hangs for a minute is asked anew.
    const last = asking ? history.at(-2)?.pending[0] : history.findLast(({ event }) => "id" in event);
    const { type } = moment.event;
    const asks =
      type === "start" ||
      (!isSettled(history) &&
        // A user who asks during a request thinks that it is lost; for a user who comes back it may be lost.
        (type === "retry" ||
          type === "page.visible" ||
          (!isUnknown(history) &&
            last !== undefined &&
            "ms" in moment.event &&
            moment.at === last.at + MINUTE &&
            moment.at < LIMIT)));
    expect(asked(moment)).toEqual(asks ? [{ id: "readOrder", input: { orderId: "A100" } }] : []);
  },
);

bill.always("stops by itself after ten minutes", ({ state, at, pending }, history) => {
  const stopped = at >= LIMIT && pending.length === 0 && !isSettled(history) && !isUnknown(history);
  expect(state.matches({ bill: "stopped" })).toBe(stopped);
});

const pendingBill = () =>
  new Harness(billMachine, { input: { orderId: "A100" }, replies: { readOrder: () => readingOf(0) } });

test("asks at 0 s, 60 s, … 540 s, and then only on request", async () => {
  const harness = pendingBill();
  await harness.advance(60 * MINUTE);
  const timetable = Array.from({ length: 10 }, (_, minute) => minute * MINUTE);
  expect(harness.calls.map(({ at }) => at)).toEqual(timetable);
  await harness.send({ type: "retry" });
  await harness.send({ type: "page.visible" });
  await harness.advance(60 * MINUTE);
  expect(harness.calls.map(({ at }) => at)).toEqual([...timetable, 60 * MINUTE, 60 * MINUTE]);
});

test("asks once after an hour's sleep, not sixty times", async () => {
  const harness = pendingBill();
  await harness.advance(30_000);
  await harness.sleep(60 * MINUTE);
  await harness.advance(60 * MINUTE);
  expect(harness.calls.map(({ at }) => at)).toEqual([0, 30_000 + 60 * MINUTE]);
  expect(harness.state.value).toEqual({ limit: "over", bill: "stopped" });
});

test("goes on asking after every failure", async () => {
  const harness = new Harness(billMachine, {
    input: { orderId: "A100" },
    replies: { readOrder: () => new Error() },
  });
  await harness.advance(60 * MINUTE);
  expect({ calls: harness.calls.length, error: harness.state.context.error }).toEqual({
    calls: 10,
    error: { kind: "unreadable" },
  });
});

const part = { ...readingOf(0), amount: "9.99", received: "4" };
test.each([
  ["nothing", null, { missing: null, arrived: null, surplus: null }],
  ["a part", part, { missing: "5.99", arrived: null, surplus: null }],
  ["all of it", { ...part, received: "9.99" }, { missing: null, arrived: "9.99", surplus: null }],
  ["it twice", { ...part, received: "19.98" }, { missing: null, arrived: "19.98", surplus: "9.99" }],
  // The API says what is asked for and may be claimed: within its tolerance, and after a surplus was given back.
  [
    "a part within the tolerance",
    { ...part, received: "9.95", owed: null, surplus: null },
    { missing: null, arrived: "9.95", surplus: null },
  ],
  [
    "nothing, with the API's word",
    { ...part, received: "0.00", owed: "9.99" },
    { missing: null, arrived: null, surplus: null },
  ],
  [
    "a part, with the API's word",
    { ...part, owed: "5.98" },
    { missing: "5.98", arrived: null, surplus: null },
  ],
  [
    "too much, given back since",
    { ...part, status: 1, received: "9.99", owed: null, surplus: null },
    { missing: null, arrived: "9.99", surplus: null },
  ],
  [
    "too much",
    { ...part, status: 1, received: "19.98", owed: null, surplus: "9.99" },
    { missing: null, arrived: "19.98", surplus: "9.99" },
  ],
  [
    "too much, given back in part",
    { ...part, status: 1, received: "19.98", owed: null, surplus: "4.99" },
    { missing: null, arrived: "19.98", surplus: "4.99" },
  ],
  // What is settled wants no more, and what has no address can be sent nothing.
  ["a part of what failed", { ...part, status: 9 }, { missing: null, arrived: "4", surplus: null }],
  ["a part that was enough", { ...part, status: 1 }, { missing: null, arrived: "4", surplus: null }],
  ["a part by card", { ...part, unit: "USD" }, { missing: null, arrived: null, surplus: null }],
  [
    "it twice by card",
    { ...part, unit: "USD", received: "19.98" },
    { missing: null, arrived: null, surplus: "9.99" },
  ],
] as const)("says of the money when %s has come", (_, reading, said) => {
  expect({
    missing: missingIn(reading),
    arrived: arrivedIn(reading),
    surplus: surplusIn(reading),
  }).toEqual(said);
});

/** A bill whose first answer is `reading` (null: none comes), after `minutes`. */
async function billAfter(reading: OrderReading | null, minutes: number) {
  const harness = new Harness(billMachine, {
    input: { orderId: "A100" },
    ...(reading && { replies: { readOrder: () => reading } }),
  });
  await harness.advance(minutes * MINUTE);
  return harness.state;
}
const all = { ...part, received: "9.99" };
const none = { ...part, received: null };
test.each([
  ["no answer has come", null, 0, "pending", "waiting", null, false],
  ["nothing has come", none, 0, "pending", "waiting", "none", true],
  ["nothing has come in ten minutes", none, 10, "pending", "checksStopped", "none", true],
  ["a part has come", part, 0, "partlyPaid", "partMissing", "part", false],
  ["no more than a part has come in ten minutes", part, 10, "partlyPaid", "partMissing", "part", false],
  ["all of it has come", all, 0, "pending", "confirming", "arrived", false],
  ["an operator looks at what has come", { ...part, held: true }, 0, "held", "held", "arrived", false],
  ["an operator looks, and nothing counts yet", { ...none, held: true }, 0, "held", "held", "arrived", false],
  ["it has failed", { ...none, status: 9 }, 0, "failed", "waiting", "none", false],
  [
    "what had paid it was given back",
    { ...none, status: 9, returned: true },
    0,
    "returned",
    "waiting",
    "none",
    false,
  ],
  [
    "it is paid, and was given back once",
    { ...all, status: 1, returned: true },
    0,
    "confirmed",
    "confirming",
    "arrived",
    false,
  ],
  ["it is paid at a provider", { ...none, unit: "USD" }, 0, "pending", "paidElsewhere", "none", true],
] as const)("says of a bill when %s", async (_, reading, minutes, status, message, standing, unsent) => {
  const state = await billAfter(reading, minutes);
  expect({
    status: billStatus(state, null),
    message: billMessage(state, null, false),
    standing: standingOf(state),
    unsent: isUnsent(state),
  }).toEqual({ status, message, standing, unsent });
});

test.each([
  ["waits for the provider's result", none, "paidElsewhere"],
  ["waits for it before the first answer", null, "paidElsewhere"],
  ["has got a part", part, "partMissing"],
  ["has got all of it", all, "confirming"],
] as const)("a bill whose payment began at a provider here %s", async (_, reading, message) => {
  expect(billMessage(await billAfter(reading, 0), "open", false)).toBe(message);
});

test.each([
  ["before the first answer", null, 0, "reported", "reported"],
  ["while the API knows of no payment", { ...none, unit: "USD" }, 0, "reported", "reported"],
  ["after ten minutes of that", { ...none, unit: "USD" }, 10, "reported", "checksStopped"],
  ["once it is paid after all", { ...all, unit: "USD", status: 1 }, 0, "confirmed", "paidElsewhere"],
] as const)(
  "a bill whose payment was called failed here says so %s",
  async (_, reading, minutes, status, message) => {
    const state = await billAfter(reading, minutes);
    expect({ status: billStatus(state, "reported"), message: billMessage(state, "reported", false) }).toEqual(
      {
        status,
        message,
      },
    );
  },
);

const OVER = Date.parse("2026-01-01T00:30:00Z");
const transfer = {
  orderId: "A100",
  network: "TRC20",
  amount: "9.99",
  address: "T",
  deadline: OVER + MINUTE,
  accountName: "Anna",
  packName: "Monthly",
  packId: "1",
  productId: "vpn.month",
} as const;
const payment = { orderId: "A100", amount: "9.99", accountName: "Anna", packName: "Monthly" };
test("knows of a kept payment whether its provider's script called it failed", () => {
  const reported = { ...payment, reportedFailed: true } as const;
  expect([null, transfer, payment, reported].map(begunAs)).toEqual([null, null, "open", "reported"]);
});

test("what the API says counts, whatever the address calls an order", async () => {
  const harness = new Harness(billMachine, {
    input: { orderId: "A100", claimed: 9 },
    replies: { readOrder: () => none },
  });
  await harness.advance(0);
  expect(billStatus(harness.state, null)).toBe("pending");
});

test.each([1, 9])(
  "of an order whose address calls it settled, by %s, nothing is said until the API has answered",
  (claimed) => {
    const { state } = new Harness(billMachine, { input: { orderId: "A100", claimed } });
    expect({ status: billStatus(state, null), message: billMessage(state, null, false) }).toEqual({
      status: "unread",
      message: null,
    });
  },
);

test.each([0, 2, Number.NaN])(
  "an order whose address names the status %s is pending until then",
  (claimed) => {
    const { state } = new Harness(billMachine, { input: { orderId: "A100", claimed } });
    expect(billStatus(state, null)).toBe("pending");
  },
);

const unpaid = { ...none, deadline: OVER };
test.each([
  ["by what the API says", unpaid, null, OVER],
  ["by what this browser keeps", unpaid, transfer, OVER + MINUTE],
  ["by nothing that is known", none, null, null],
  ["no more once a part has come", { ...unpaid, received: "4" }, null, null],
  ["no more once it is paid", { ...unpaid, received: "9.99", status: 1 }, null, null],
  ["at no time where a provider takes the money", { ...unpaid, unit: "USD" }, null, null],
  ["at no time where it went to a provider from here", unpaid, payment, null],
] as const)("an order is to be paid in time %s", async (_, reading, kept, deadline) => {
  expect(deadlineIn(await billAfter(reading, 0), kept)).toBe(deadline);
});

test("a bill whose time is up says so", async () => {
  expect(billMessage(await billAfter(unpaid, 0), null, true)).toBe("timeUp");
});

runOnMachine(model);
