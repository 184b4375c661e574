/** Paying for a package in USDT, as a person meets it. Specification, sections 2 (pay) and 7 (order/create); Decisions, "Double taps and retries", "Leave guard" and "Default timeout none". */
import { purchaseMachine } from "../../machines/purchase.ts";
import { personWhoSees, playOf, wait, type Hand, type Play } from "../support/play.ts";
import { address, ethereumAddress, kept, monthly, no, ok } from "../support/replies.ts";
import { lost, refused } from "../support/samples.ts";

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
type Look = typeof blank;

const call = "/api/order/create";
const asks = { busy: true, waiting: [call] };
/** At the address to pay to. */
const paying = (network: string, amount = "the price shown") => ({
  meta: { place: `payDetail on ${network}, ${amount}`, network: null },
});
const { createMachine } = personWhoSees(blank);

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
    // Nobody pays more than was shown without having said yes.
    reconsiders: {
      meta: { network: null, question: "agree to another price?" },
      on: { agrees: "paysMore", "does not agree": "chooses" },
    },
    paysIt: paying("TRC20"),
    paysOther: paying("ERC20"),
    paysMore: paying("TRC20", "10.01"),
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
const answered = (told: typeof issued | typeof issuedOther) => ({
  invoke: "createOrder",
  told,
  call,
  reply: orderOf("9.99", told.address),
  real: true,
});
const prefers = (network: "TRC20" | "ERC20") => ({
  sends: { type: "network.chosen", network } as const,
  does: (hand: Hand) => hand.tap("radio", new RegExp(`^${network}`)),
});
const pays = {
  sends: { type: "pay.asked" },
  does: (hand: Hand) => hand.tap("button", /^Pay [\d.]+ USDT$/),
} as const;
const isNotHeard = { invoke: "createOrder", refused: lost, call };

const placeOf = (network: string, amount: string) =>
  `payDetail on ${network}, ${amount === "10.01" ? amount : "the price shown"}`;

const looks = async (hand: Hand): Promise<Look> => {
  const [, place = "", , , on = "", amount = ""] = (await hand.place()).split("/");
  const question = (await hand.has("alertdialog", "The price has changed"))
    ? "agree to another price?"
    : (await hand.has("alertdialog", "Leave this payment?"))
      ? "leave this payment?"
      : null;
  const isFree = place === "pay" && question === null;
  const networks = [];
  for (const network of isFree ? ["TRC20", "ERC20"] : []) {
    if (await hand.isChecked("radio", new RegExp(`^${network}`))) networks.push(network);
  }
  return {
    place: place === "payDetail" ? placeOf(on, amount) : place,
    network: isFree ? networks.join() : null,
    question,
    busy: isFree && (await hand.isBusy(/^Pay [\d.]+ USDT$/)),
    slow: await hand.has("button", "Stop waiting"),
    waiting: hand.waiting().filter((path) => path === call),
  };
};

const common = { chart: purchaseMachine, input: { offer: monthly, visit: "word1" }, look: blank, looks };
const waitingOf: (...of: Parameters<Play<typeof purchaseMachine, Look>["tells"]>) => string[] = (
  _,
  { pending },
) => pending.map(() => call);

export const purchase = playOf({
  ...common,
  person: payer,
  deeds: {
    "prefers TRC20": prefers("TRC20"),
    "prefers ERC20": prefers("ERC20"),
    pays,
    "pays once more": { ...pays, does: (hand) => hand.press("{Enter}") },
    "is given an address": answered(issued),
    "is given an address on ERC20": answered(issuedOther),
    "is asked for more": {
      invoke: "createOrder",
      told: { ...issued, amount: "10.01" },
      call,
      reply: orderOf("10.01", address),
    },
    "is refused": { invoke: "createOrder", refused, call, reply: no("No.") },
    "is not heard": isNotHeard,
    "waits ten seconds": { ms: 10_000 },
    "stops waiting": wait.stop,
    agrees: { sends: { type: "price.accepted" }, does: (hand) => hand.tap("button", "Pay 10.01 USDT") },
    "does not agree": { sends: { type: "price.declined" }, does: (hand) => hand.tap("button", "Not now") },
  },
  tells: (state, stage) => {
    const told = stage.emitted.find(({ type }) => type === "order.issued");
    const isAsked = state.matches("repriced");
    return {
      place: told?.type === "order.issued" ? placeOf(told.order.network, told.order.amount) : "pay",
      network: isAsked || told ? null : state.context.network,
      question: isAsked ? "agree to another price?" : null,
      busy: state.hasTag("busy"),
      slow: state.hasTag("slow"),
      waiting: waitingOf(state, stage),
    };
  },
});

export const purchaseLeft = playOf({
  ...common,
  person: leaver,
  deeds: {
    pays,
    "goes back": { unheard: true, does: (hand) => hand.tap("button", "Back") },
    "follows a link": { unheard: true, does: (hand) => hand.visit("/service") },
    stays: { unheard: true, does: (hand) => hand.tap("button", "Continue payment") },
    abandons: { leaves: true, does: (hand) => hand.tap("button", "Abandon payment") },
    "is given an address": answered(issued),
    "is not heard": isNotHeard,
  },
  tells: (state, stage) => ({ waiting: waitingOf(state, stage) }),
});
