/** Paying for a package in USDT, as a user meets it. Specification, sections 2 (pay) and 7 (order/create); Decisions, "Double taps and retries", "Leave guard" and "Default timeout none". */
import type { EarlierKind, EarlierPayment } from "../../machines/earlier-orders.ts";
import type { EarlierEvent } from "../../machines/pay-once.ts";
import type { KeptOrder } from "../../machines/kept-orders.ts";
import { purchaseMachine } from "../../machines/purchase.ts";
import { userWhoSees, userModel, wait, type UserModel } from "../support/user-model.ts";
import { noReply } from "../support/harness.ts";
import { address, detail, ethereumAddress, kept, monthly, no, ok } from "../support/replies.ts";
import { lost, refused } from "../support/samples.ts";
import type { User } from "../user.ts";

const blank = {
  place: "pay",
  /** The one that is chosen, where nothing stands in front of it. */
  network: "TRC20" as string | null,
  /** What is asked in front of everything. */
  question: null as string | null,
  busy: false,
  slow: false,
  waiting: [] as string[],
};
type View = typeof blank;

const call = "/api/order/create";
const detailCall = "/api/order/detail";
const asks = { busy: true, waiting: [call] };
const asksEarlier = { busy: true, waiting: [detailCall] };
/** At the address to pay to. */
const paying = (network: string, amount = "the price shown") => ({
  meta: { place: `payDetail on ${network}, ${amount}`, network: null },
});
const { createMachine } = userWhoSees(blank);

const payer = createMachine({
  id: "person",
  initial: "chooses",
  states: {
    chooses: { on: { "prefers ERC20": "choosesOther", "prefers TRC20": "chooses", pays: "waits" } },
    choosesOther: {
      meta: { network: "ERC20" },
      on: { "prefers TRC20": "chooses", pays: "waitsOther" },
    },
    waitsOther: {
      meta: { ...asks, network: "ERC20" },
      on: { "is given an address on ERC20": "paysOther", "is not heard": "choosesOther" },
    },
    waits: {
      meta: asks,
      on: {
        "is given an address": "paysIt",
        "is asked for more": "reconsiders",
        "is refused": "chooses",
        "is not heard": "chooses",
        "pays once more": "waits",
        "waits ten seconds": "waitsLong",
      },
    },
    waitsLong: {
      meta: { ...asks, slow: true },
      on: { "is given an address": "paysIt", "is not heard": "chooses", "stops waiting": "chooses" },
    },
    // A user does not pay more than was shown without having said yes.
    reconsiders: {
      meta: { network: null, question: "agree to another price?" },
      on: { agrees: "waitsForMore", "does not agree": "chooses" },
    },
    // The order's time may have run out while its price was asked about.
    waitsForMore: {
      meta: asks,
      on: { "is given an address at that price": "paysMore", "is not heard": "choosesAgain" },
    },
    choosesAgain: {},
    paysIt: paying("TRC20"),
    paysOther: paying("ERC20"),
    paysMore: paying("TRC20", "10.01"),
  },
});

/** Two of the 9.99 USDT of an earlier order have come, or more. Decisions, "Pay once". */
const payerAgain = createMachine({
  id: "person",
  initial: "chooses",
  states: {
    chooses: { on: { pays: "isHeldUp" } },
    isHeldUp: {
      meta: asksEarlier,
      on: {
        "hears that a part came": "isTold",
        "hears that all of it came": "isToldOfAll",
        "hears that it is paid": "isToldOfMembership",
        "hears that nothing came": "waits",
        "hears that it is unknown": "waits",
        "hears nothing": "chooses",
        "waits ten seconds": "isHeldUpLong",
      },
    },
    isHeldUpLong: {
      meta: { ...asksEarlier, slow: true },
      on: { "hears that a part came": "isTold", "stops waiting": "chooses" },
    },
    isTold: {
      meta: { network: null, question: "a part has come: 2.00, 7.99 missing" },
      on: { "goes on with it": "earlier", "orders anew": "waits", "closes the question": "chooses" },
    },
    isToldOfAll: {
      meta: { network: null, question: "all has come: 9.99" },
      on: { "sees the bill": "bill", "orders anew": "waits", "closes the question": "chooses" },
    },
    isToldOfMembership: {
      meta: { network: null, question: "it is paid" },
      on: { "sees the bill": "bill", "buys another": "waits", "closes the question": "choosesAgain" },
    },
    // Nothing is asked twice.
    waits: { meta: asks, on: { "is not heard": "choosesAgain", "is given an address": "paysIt" } },
    choosesAgain: {},
    earlier: paying("TRC20"),
    bill: { meta: { place: "billDetail", network: null } },
    paysIt: paying("TRC20"),
  },
});

const leaver = createMachine({
  id: "person",
  initial: "chooses",
  states: {
    chooses: {
      on: {
        "goes back": "isAsked",
        "follows a link": "isAskedToo",
        pays: "waits",
      },
    },
    isAsked: {
      meta: { network: null, question: "leave this payment?" },
      on: { stays: "chooses", abandons: "packages" },
    },
    isAskedToo: {
      meta: { network: null, question: "leave this payment?" },
      on: { stays: "chooses", abandons: "agreement" },
    },
    waits: { meta: asks, on: { "goes back": "isAskedWaiting", "is given an address": "paysIt" } },
    isAskedWaiting: {
      meta: { network: null, busy: false, waiting: [call], question: "leave this payment?" },
      on: {
        stays: "waits",
        abandons: "packages",
        // There is nothing to ask any more.
        "is given an address": "paysIt",
        "is not heard": "isAsked",
      },
    },
    paysIt: { ...paying("TRC20"), on: { "goes back": "packages" } },
    packages: { meta: { place: "buy", network: null } },
    agreement: { meta: { place: "service", network: null } },
  },
});

/* What is done, and what comes of it. */

const issued = {
  orderId: "A100",
  network: "TRC20",
  amount: "9.99",
  address,
  deadline: kept.deadline,
} as const;
const issuedOther = { ...issued, network: "ERC20", address: ethereumAddress } as const;
const orderOf = (payment_amount: string, to: string) =>
  ok({
    order: { order_id: "A100", payment_amount, created_at: "2026-01-01T00:00:00.000Z" },
    payData: { address: to },
  });
const answered = (output: typeof issued | typeof issuedOther) => ({
  invoke: "createOrder",
  output,
  call,
  reply: orderOf("9.99", output.address),
  real: true,
});
const answeredMore = {
  invoke: "createOrder",
  output: { ...issued, amount: "10.01" },
  call,
  reply: orderOf("10.01", address),
};
const prefers = (network: "TRC20" | "ERC20") => ({
  sends: { type: "network.chosen", network } as const,
  does: (user: User) => user.tap("radio", new RegExp(`^${network}`)),
});
const pays = {
  sends: { type: "pay.requested" },
  does: (user: User) => user.tap("button", /^Pay [\d.]+ USDT$/),
} as const;
const isNotHeard = { invoke: "createOrder", error: lost, call };

const placeOf = (network: string, amount: string) =>
  `payDetail on ${network}, ${amount === "10.01" ? amount : "the price shown"}`;

const viewOnScreen = async (user: User): Promise<View> => {
  const [, place = "", , , on = "", amount = ""] = (await user.path()).split("/");
  const questions: Record<string, string> = {
    "The price has changed": "agree to another price?",
    "Leave this payment?": "leave this payment?",
    "Part of an earlier payment has arrived": "a part has come",
    "Your earlier payment has arrived": "all has come",
    "Your earlier payment went through": "it is paid",
  };
  const sums: Record<string, RegExp> = {
    "a part has come": /([\d.]+) USDT has arrived for Monthly\. Send the missing ([\d.]+) USDT/,
    "all has come": /([\d.]+) USDT has arrived for Monthly, and is still being checked\./,
  };
  let question: string | null = null;
  for (const [title, asked] of Object.entries(questions))
    if (await user.has("alertdialog", title)) question = asked;
  const sum = sums[question ?? ""]?.exec((await user.texts("[role=alertdialog]")).join());
  if (sum) question = `${question}: ${sum[1]}${sum[2] ? `, ${sum[2]} missing` : ""}`;
  const isFree = place === "pay" && question === null;
  const networks = [];
  for (const network of isFree ? ["TRC20", "ERC20"] : []) {
    if (await user.isChecked("radio", new RegExp(`^${network}`))) networks.push(network);
  }
  return {
    place: place === "payDetail" ? placeOf(on, amount) : place,
    network: isFree ? networks.join() : null,
    question,
    busy: isFree && (await user.isBusy(/^Pay [\d.]+ USDT$/)),
    slow: await user.has("button", "Stop waiting"),
    waiting: user.pendingCalls().filter((path) => path === call || (place === "pay" && path === detailCall)),
  };
};

const common = {
  chart: purchaseMachine,
  input: { offer: monthly, visit: "word1", network: "TRC20" as const },
  // This browser keeps no earlier payment.
  immediate: { findEarlier: () => null },
  defaultView: blank,
  viewOnScreen,
};
const waitingOf: (...of: Parameters<UserModel<typeof purchaseMachine, View>["viewOfChart"]>) => string[] = (
  _,
  { pending },
) => pending.map(() => call);

export const purchase = userModel({
  ...common,
  person: payer,
  actions: {
    "prefers TRC20": prefers("TRC20"),
    "prefers ERC20": prefers("ERC20"),
    pays,
    "pays once more": { ...pays, does: (user) => user.press("{Enter}") },
    "is given an address": answered(issued),
    "is given an address on ERC20": answered(issuedOther),
    "is asked for more": answeredMore,
    "is given an address at that price": answeredMore,
    "is refused": { invoke: "createOrder", error: refused, call, reply: no("No.") },
    "is not heard": isNotHeard,
    "waits ten seconds": { ms: 10_000 },
    "stops waiting": wait.stop,
    agrees: { sends: { type: "price.accepted" }, does: (user) => user.tap("button", "Pay 10.01 USDT") },
    "does not agree": {
      sends: { type: "price.declined" },
      does: (user) => user.tap("button", "Not now"),
    },
  },
  viewOfChart: (state, harness) => {
    const told = harness.emitted.find(({ type }) => type === "order.issued");
    const isAsked = state.matches("repriced");
    return {
      place: told?.type === "order.issued" ? placeOf(told.order.network, told.order.amount) : "pay",
      network: isAsked || told ? null : state.context.network,
      question: isAsked ? "agree to another price?" : null,
      busy: !told && state.hasTag("busy"),
      slow: state.hasTag("slow"),
      waiting: waitingOf(state, harness),
    };
  },
});

const earlierOrder: KeptOrder = { ...kept, network: "TRC20", orderId: "A099" };
const found = (kind: EarlierKind, more: object, received: string | null, missing: string | null) => ({
  invoke: "findEarlier",
  output: { kind, order: earlierOrder, received, missing } satisfies EarlierPayment,
  call: detailCall,
  reply: ok(detail({ order_id: "A099", ...more })),
});
const answers = (event: EarlierEvent["type"], name: string) => ({
  child: "payOnce",
  event: { type: event },
  does: (user: User) => user.tap("button", name),
});

export const purchaseAgain = userModel({
  ...common,
  // The one that was passed over is all that this browser keeps.
  immediate: {
    findEarlier: ({ ignoredIds }: { ignoredIds: readonly string[] }) =>
      ignoredIds.length > 0 ? null : noReply,
  },
  person: payerAgain,
  actions: {
    pays,
    "hears that a part came": found("part", { paid_amount: "2.00" }, "2.00", "7.99"),
    "hears that all of it came": found("arrived", { paid_amount: "9.99" }, "9.99", null),
    "hears that it is paid": found("paid", { status: 1 }, "0", null),
    "hears that nothing came": {
      invoke: "findEarlier",
      output: null,
      call: detailCall,
      reply: ok(detail({ order_id: "A099" })),
    },
    // The API does not know it: no money is on its way that it could tell of.
    "hears that it is unknown": { invoke: "findEarlier", output: null, call: detailCall, reply: no("No.") },
    "hears nothing": { invoke: "findEarlier", error: lost, call: detailCall },
    "waits ten seconds": { ms: 10_000 },
    "stops waiting": wait.stop,
    "goes on with it": answers("earlier.followed", "Continue payment"),
    "sees the bill": answers("earlier.followed", "See the bill"),
    "orders anew": answers("earlier.passed", "Make a new order"),
    "buys another": answers("earlier.passed", "Buy another"),
    "closes the question": {
      child: "payOnce",
      event: { type: "earlier.dismissed" },
      does: (user) => user.back(),
    },
    "is given an address": answered(issued),
    "is not heard": isNotHeard,
  },
  viewOfChart: (state, { emitted, pending }) => {
    const payOnce = state.children.payOnce?.getSnapshot();
    const earlier = payOnce?.context.earlier;
    const told = emitted.find(({ type }) => type === "order.issued");
    const left = emitted.find(({ type }) => type === "earlier.followed");
    const isAsked = payOnce?.matches("telling") ?? false;
    const words = {
      part: `a part has come: ${earlier?.received ?? ""}, ${earlier?.missing ?? ""} missing`,
      arrived: `all has come: ${earlier?.received ?? ""}`,
      paid: "it is paid",
      open: null,
      reported: null,
    };
    return {
      place:
        told?.type === "order.issued"
          ? placeOf(told.order.network, told.order.amount)
          : left?.type === "earlier.followed"
            ? left.earlier.kind === "part"
              ? placeOf("TRC20", "9.99")
              : "billDetail"
            : "pay",
      network: isAsked || told || left ? null : state.context.network,
      question: isAsked && earlier ? words[earlier.kind] : null,
      busy: !told && !left && (state.hasTag("busy") || (payOnce?.hasTag("busy") ?? false)),
      slow: state.hasTag("slow") || (payOnce?.hasTag("slow") ?? false),
      waiting: pending.map(({ id }) => (id === "findEarlier" ? detailCall : call)),
    };
  },
});

/** What this browser keeps when that begins. */
export const keptBefore = [earlierOrder];

export const purchaseLeft = userModel({
  ...common,
  person: leaver,
  actions: {
    pays,
    "goes back": { outsideChart: true, does: (user) => user.tap("button", "Back") },
    "follows a link": { outsideChart: true, does: (user) => user.visit("/service") },
    stays: { outsideChart: true, does: (user) => user.tap("button", "Continue payment") },
    abandons: { unmounts: true, does: (user) => user.tap("button", "Abandon payment") },
    "is given an address": answered(issued),
    "is not heard": isNotHeard,
  },
  viewOfChart: (state, harness) => ({ waiting: waitingOf(state, harness) }),
});
