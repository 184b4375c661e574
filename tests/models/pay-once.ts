/** What a user meets on the card screen who may have paid already. Decisions, "Pay once" and "Default timeout none". */
import type { AnyStateMachine } from "xstate";
import type { EarlierKind, EarlierPayment } from "../../machines/earlier-orders.ts";
import type { KeptOrder } from "../../machines/kept-orders.ts";
import { payOnceMachine, type EarlierEvent } from "../../machines/pay-once.ts";
import { noReply } from "../support/harness.ts";
import { detail, kept, no, ok } from "../support/replies.ts";
import { lost } from "../support/samples.ts";
import { userModel, userWhoSees, type Action } from "../support/user-model.ts";
import type { User } from "../user.ts";

const blank = {
  place: "card",
  /** What is asked in front of everything. */
  question: null as string | null,
  /** Whether the form is on its way. */
  awaited: false,
  slow: false,
  unavailable: false,
  form: false,
  waiting: [] as string[],
};
type View = typeof blank;

const call = "/api/order/detail";
const asks = { awaited: true, waiting: [call] };
const paysByCard = { meta: { form: true } };
const { createMachine } = userWhoSees(blank);

/** Who sent USDT for another order. */
const sender = createMachine({
  id: "person",
  initial: "waits",
  states: {
    waits: {
      meta: asks,
      on: {
        "hears that a part came": "isTold",
        "hears that all of it came": "isToldOfAll",
        "hears that it is paid": "isToldOfMembership",
        "hears that nothing came": "form",
        "hears that it is unknown": "form",
        "hears nothing": "unavailable",
        "waits ten seconds": "waitsLong",
      },
    },
    waitsLong: {
      meta: { ...asks, slow: true },
      on: { "asks again": "waits", "hears nothing": "unavailable" },
    },
    isTold: {
      meta: { question: "a part has come" },
      on: { "goes on with it": "payment", "orders anew": "form", "closes the question": "account" },
    },
    isToldOfAll: {
      meta: { question: "all has come" },
      on: { "sees the bill": "bill", "orders anew": "form", "closes the question": "account" },
    },
    isToldOfMembership: {
      meta: { question: "it is paid" },
      on: { "sees the bill": "bill", "buys another": "form", "closes the question": "account" },
    },
    form: paysByCard,
    unavailable: { meta: { unavailable: true } },
    payment: { meta: { place: "payDetail" } },
    bill: { meta: { place: "billDetail" } },
    account: { meta: { place: "personal_info" } },
  },
});

/** Whose card the provider's script has called declined: what the route does not lead to its bill. */
const declined = createMachine({
  id: "person",
  initial: "waits",
  states: {
    waits: {
      meta: asks,
      on: {
        "hears that it is open": "form",
        "hears that it failed": "form",
        "hears that it is paid": "isTold",
      },
    },
    isTold: { meta: { question: "it is paid" }, on: { "sees the bill": "bill", "buys another": "form" } },
    form: paysByCard,
    bill: { meta: { place: "billDetail" } },
  },
});

const questions = {
  part: ["a part has come", "Part of an earlier payment has arrived"],
  arrived: ["all has come", "Your earlier payment has arrived"],
  paid: ["it is paid", "Your earlier payment went through"],
} as const;
const questionOf = (earlier: EarlierPayment | null) =>
  Object.entries(questions).find(([kind]) => kind === earlier?.kind)?.[1][0] ?? null;

const payOnceOf = (person: AnyStateMachine, order: KeptOrder) => {
  const hears = (more: object, kind: EarlierKind | null, received = "0", missing: string | null = null) => ({
    invoke: "findEarlier",
    output: kind && ({ kind, order, received, missing } satisfies EarlierPayment),
    call,
    reply: ok(detail({ order_id: order.orderId, ...more })),
  });
  const answers = (type: EarlierEvent["type"], name: string) => ({
    sends: { type },
    does: (user: User) => user.tap("button", name),
  });
  const actions: Readonly<Record<string, Action<typeof payOnceMachine>>> = {
    "hears that a part came": hears({ paid_amount: "2.00" }, "part", "2.00", "7.99"),
    "hears that all of it came": hears({ paid_amount: "9.99" }, "arrived", "9.99"),
    "hears that it is paid": hears({ status: 1 }, "paid"),
    "hears that nothing came": hears({}, null),
    // The API does not know it: no money is on its way that it could tell of.
    "hears that it is unknown": { ...hears({}, null), reply: no("No.") },
    "hears that it failed": hears({ status: 9 }, null),
    "hears that it is open": hears({}, "reported"),
    "hears nothing": { invoke: "findEarlier", error: lost, call },
    "waits ten seconds": { ms: 10_000 },
    "asks again": {
      sends: { type: "retry" },
      does: (user) => user.tap("button", "Try again"),
    },
    "goes on with it": answers("earlier.followed", "Continue payment"),
    "sees the bill": answers("earlier.followed", "See the bill"),
    "orders anew": answers("earlier.passed", "Make a new order"),
    "buys another": answers("earlier.passed", "Buy another"),
    "closes the question": {
      sends: { type: "earlier.dismissed" },
      does: (user) => user.back(),
    },
  };
  return userModel({
    chart: payOnceMachine,
    input: { ignoredIds: [], followedAtOnce: ["open"], passedAtOnce: ["reported"], isLast: true },
    // What was passed over is all that this browser keeps.
    immediate: {
      findEarlier: ({ ignoredIds }: { ignoredIds: readonly string[] }) =>
        ignoredIds.length > 0 ? null : noReply,
    },
    person,
    actions: Object.fromEntries(Object.entries(actions).filter(([name]) => person.events.includes(name))),
    defaultView: blank,
    viewOfChart: (state, { pending }) => {
      const { end, earlier } = state.context;
      const followed = earlier?.kind === "part" ? "payDetail" : "billDetail";
      const over = end === "dismissed" ? "personal_info" : "card";
      return {
        place: state.matches("followed") ? followed : state.matches("over") ? over : "card",
        question: state.matches("telling") ? questionOf(earlier) : null,
        awaited: state.hasTag("busy"),
        slow: state.hasTag("slow"),
        unavailable: end === "failed",
        form: state.matches("free"),
        waiting: pending.map(() => call),
      };
    },
    viewOnScreen: async (user): Promise<View> => {
      const [, screen = ""] = (await user.path()).split("/");
      const isHere = screen === "razorpayDetail";
      let question: string | null = null;
      for (const [name, title] of Object.values(questions))
        if (await user.has("alertdialog", title)) question = name;
      return {
        place: isHere ? "card" : screen,
        question,
        awaited: isHere && (await user.isVisible('main div[aria-busy="true"]')),
        slow: await user.hasText("This is taking longer than usual. Your connection may be slow."),
        unavailable: isHere && (await user.hasText("We could not load this")),
        form: isHere && (await user.isVisible("form")),
        waiting: user.pendingCalls().filter((path) => isHere && path === call),
      };
    },
  });
};

const orders = {
  sent: { ...kept, network: "TRC20", orderId: "A099" },
  declined: {
    orderId: "A097",
    amount: "9.99",
    accountName: "Anna",
    packName: "Monthly",
    reportedFailed: true,
  },
} as const satisfies Record<string, KeptOrder>;

/** The models, each with the order that this browser keeps. */
export const payOnceModels = [
  { model: payOnceOf(sender, orders.sent), order: orders.sent },
  { model: payOnceOf(declined, orders.declined), order: orders.declined },
];
