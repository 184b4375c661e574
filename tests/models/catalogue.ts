/** The packages on sale, as a person meets them where they are bought, and in the personal centre. Specification, sections 2 (buy, personal_info) and 5 ("Payment method choice"); Decisions, "EbPay", "Default timeout none". */
import { catalogueMachine } from "../../machines/catalogue.ts";
import type { Method } from "../../machines/payment-methods.ts";
import { userWhoSees, userModel, wait } from "../support/user-model.ts";
import { monthly, no, ok, packagesOf, quarterly } from "../support/replies.ts";
import { lost, refused } from "../support/samples.ts";
import { errorWords } from "../support/error-words.ts";
import type { User } from "../user.ts";

const call = "/api/packegs/list";
const names = ["Monthly", "Quarterly"];
/** Whether the screen says why nothing is there. */
const isFailed = async (user: User) =>
  (await Promise.all(errorWords.map((words) => user.hasText(words)))).includes(true);
const late = "This is taking longer than usual. Your connection may be slow.";

const come = {
  invoke: "readPackages",
  output: [monthly, quarterly],
  call,
  reply: packagesOf(monthly, quarterly),
};
const none = { invoke: "readPackages", output: [], call, reply: packagesOf() };
const noAnswer = { invoke: "readPackages", error: lost, call };
const away = (place: string) => async (user: User) => {
  await user.visit("/service");
  await user.visit(place);
};
const seenOf = async (names: readonly string[], isSeen: (name: string) => Promise<boolean>) => {
  const seen: string[] = [];
  for (const name of names) if (await isSeen(name)) seen.push(name);
  return seen;
};

/* The buy screen. */

const shop = {
  place: "/buy",
  awaited: false,
  slow: false,
  failed: false,
  empty: false,
  offers: [] as string[],
  picked: null as string | null,
  /** Whether there is a way on. */
  ready: false,
  waiting: [] as string[],
};
const waiting = [call];
/** Here as in the personal centre. */
const waits = wait.of(
  { awaited: true, waiting },
  {
    "the packages come": "#person.listed",
    "there are none": "#person.empty",
    "they are not heard of": "#person.failed",
  },
  { "asks again": "#person.waits" },
);
const both = { offers: names };
const picked = { ...both, picked: "Monthly", ready: true };

const buyer = userWhoSees(shop).createMachine({
  id: "person",
  initial: "waits",
  states: {
    waits,
    empty: { meta: { empty: true }, on: { "asks again": "waits", "comes back": "waits" } },
    failed: { meta: { failed: true }, on: { "asks again": "waits", "comes back": "waits" } },
    listed: {
      meta: both,
      on: { "goes on": "listed", "picks the first": "picked", "comes back": "listedAgain" },
    },
    // The list stays on the screen; an error leaves it as it was.
    listedAgain: {
      meta: { ...both, waiting },
      on: {
        "the packages come": "listed",
        "there are none": "empty",
        "they are not heard of": "listed",
        "picks the first": "pickedAgain",
      },
    },
    picked: {
      meta: picked,
      on: {
        "picks the second": "pickedOther",
        "picks the first": "picked",
        "goes on": "taken",
        "comes back": "pickedAgain",
      },
    },
    pickedOther: { meta: { ...picked, picked: "Quarterly" } },
    pickedAgain: {
      meta: { ...picked, waiting },
      on: {
        "the packages come": "picked",
        "only the second comes": "soldOut",
        "they are not heard of": "picked",
      },
    },
    soldOut: { meta: { offers: ["Quarterly"] } },
    taken: { meta: { place: "/pay/vpn.month" } },
  },
});

const picks = (productId: string, name: string) => ({
  sends: { type: "offer.picked", productId } as const,
  does: (user: User) => user.tap("radio", new RegExp(`^${name}`)),
});

export const buying = userModel({
  chart: catalogueMachine,
  input: { wanted: null, picked: null, knownOffers: [] },
  person: buyer,
  defaultView: shop,
  actions: {
    "the packages come": come,
    "only the second comes": {
      invoke: "readPackages",
      output: [quarterly],
      call,
      reply: packagesOf(quarterly),
    },
    "there are none": none,
    "they are not heard of": noAnswer,
    ...wait.actions,
    "asks again": {
      sends: { type: "retry" },
      does: (user) => user.tap("button", /^(Try again|Refresh)$/),
    },
    "picks the first": picks("vpn.month", "Monthly"),
    "picks the second": picks("vpn.quarter", "Quarterly"),
    "goes on": { sends: { type: "offer.taken" }, does: (user) => user.tap("button", "Continue") },
    "comes back": { sends: { type: "screen.activated" }, does: away("/buy") },
  },
  viewOfChart: (state, { emitted, pending }) => {
    const taken = emitted.find(({ type }) => type === "offer.chosen");
    const { offers, picked } = state.context;
    const isListing = state.matches("listing") && !taken;
    return {
      place: taken && "offer" in taken ? `/pay/${taken.offer.product_id}` : "/buy",
      awaited: state.matches("loading"),
      slow: state.hasTag("slow"),
      failed: state.matches("failed"),
      empty: state.matches("empty"),
      offers: isListing ? offers.map(({ name }) => name) : [],
      picked: (isListing && offers.find(({ product_id }) => product_id === picked)?.name) || null,
      waiting: pending.map(() => call),
    };
  },
  viewOnScreen: async (user) => {
    const place = await user.path();
    const isHere = place === "/buy";
    const nameOf = (name: string) => new RegExp(`^${name}`);
    const offers = isHere ? await seenOf(names, (name) => user.has("radio", nameOf(name))) : [];
    const [picked = null] = await seenOf(offers, (name) => user.isChecked("radio", nameOf(name)));
    return {
      place,
      awaited: isHere && (await user.isVisible('[aria-busy="true"]:not(button)')),
      slow: await user.hasText(late),
      failed: await isFailed(user),
      empty: await user.hasText("No packages on sale right now"),
      offers,
      picked,
      ready: isHere && !(await user.isVisible("button:disabled")),
      waiting: user.pendingCalls(),
    };
  },
});

/* The personal centre. */

const ways = "/api/payment_method_list";
const centre = {
  place: "/personal_info",
  awaited: false,
  slow: false,
  failed: false,
  /** Of the packages, and of the ways to pay. */
  empty: false,
  tiles: [] as string[],
  /** Whether it is asked how to pay, and the answers there are. */
  asked: false,
  ways: [] as string[],
  toast: null as string | null,
  waiting: [] as string[],
};
const tiles = { tiles: names };
const asked = { ...tiles, asked: true };

const member = userWhoSees(centre).createMachine({
  id: "person",
  initial: "waits",
  states: {
    waits,
    empty: { meta: { empty: true }, on: { "comes back": "waits" } },
    failed: { meta: { failed: true }, on: { "asks again": "waits" } },
    listed: { meta: tiles, on: { "taps a package": "asks", "comes back": "listedAgain" } },
    listedAgain: {
      meta: { ...tiles, waiting },
      on: {
        "the packages come": "listed",
        "there are none": "empty",
        "they are not heard of": "listed",
        "taps a package": "asks",
      },
    },
    asks: wait.of(
      { ...asked, awaited: true, waiting: [ways] },
      {
        "the ways come": "#person.offered",
        "no way is open": "#person.noWay",
        "the ways are refused": "#person.refused",
        closes: "#person.listed",
      },
      { "stops waiting": "#person.listed" },
    ),
    offered: {
      meta: { ...asked, ways: ["USDT", "Card"] },
      on: { "chooses USDT": "chosen", closes: "listed" },
    },
    noWay: { meta: { ...asked, empty: true }, on: { closes: "listed" } },
    refused: { meta: { ...tiles, toast: "Later." } },
    chosen: { meta: { place: "/pay/vpn.month" } },
  },
});

export const choosing = userModel({
  chart: catalogueMachine,
  input: { wanted: null, picked: null, knownOffers: [] },
  person: member,
  defaultView: centre,
  actions: {
    "the packages come": come,
    "there are none": none,
    "they are not heard of": noAnswer,
    ...wait.actions,
    "asks again": { sends: { type: "retry" }, does: (user) => user.tap("button", "Try again") },
    "comes back": { sends: { type: "screen.activated" }, does: away("/personal_info") },
    "taps a package": {
      sends: { type: "methods.requested", productId: "vpn.month" },
      does: (user) => user.tap("button", /^Monthly/),
    },
    "the ways come": {
      invoke: "readMethods",
      output: ["EbPay", "Razorpay"] satisfies Method[],
      call: ways,
      reply: ok([
        { payment_method: "Barter", open: "1" },
        { payment_method: "EbPay", open: "1" },
        { payment_method: "Stripe", open: "0" },
        { payment_method: "Razorpay", open: 1 },
      ]),
    },
    "no way is open": {
      invoke: "readMethods",
      output: [],
      call: ways,
      reply: ok([{ payment_method: "EbPay", open: "0" }]),
    },
    "the ways are refused": { invoke: "readMethods", error: refused, call: ways, reply: no("Later.") },
    "stops waiting": {
      sends: { type: "methods.dismissed" },
      does: (user) => user.tap("button", "Stop waiting"),
    },
    closes: { sends: { type: "methods.dismissed" }, does: (user) => user.tap("button", "Close") },
    "chooses USDT": {
      sends: { type: "method.chosen", method: "EbPay" },
      does: (user) => user.tap("button", /^USDT/),
    },
  },
  viewOfChart: (state, { emitted, pending }) => {
    const chosen = emitted.find(({ type }) => type === "offer.chosen");
    const isAsked = state.matches("choosingMethod");
    return {
      place: chosen && "offer" in chosen ? `/pay/${chosen.offer.product_id}` : "/personal_info",
      awaited: state.matches("loading") || state.matches({ choosingMethod: "reading" }),
      slow: state.hasTag("slow"),
      failed: state.matches("failed"),
      empty: state.matches("empty") || (state.context.methods?.length === 0 && isAsked),
      tiles: chosen ? [] : state.context.offers.map(({ name }) => name),
      asked: isAsked,
      waiting: pending.map(({ id }) => (id === "readMethods" ? ways : call)),
    };
  },
  viewOnScreen: async (user) => {
    const place = await user.path();
    const isHere = place === "/personal_info";
    const labels = ["USDT", "Card", "Stripe", "Barter"];
    const isAsked = await user.has("dialog", "How would you like to pay?");
    const said = await user.statusTexts();
    return {
      place,
      awaited: isHere && (await user.isVisible('[aria-busy="true"]:not(button)')),
      slow: await user.hasText(late),
      failed: await isFailed(user),
      empty:
        (await user.hasText("No packages on sale right now")) ||
        (await user.hasText("No payment method is available right now. Please try again later.")),
      tiles: isHere ? await seenOf(names, (name) => user.has("button", new RegExp(`^${name}`))) : [],
      asked: isAsked,
      ways: isAsked ? await seenOf(labels, (label) => user.has("button", new RegExp(`^${label}`))) : [],
      toast: said.includes("Later.") ? "Later." : null,
      waiting: user.pendingCalls(),
    };
  },
});
