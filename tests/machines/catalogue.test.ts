/** The packages on sale: what is listed stays, a choice is always of what is on sale, and one sheet of ways to pay. */
import { describe, expect } from "vitest";
import { catalogueMachine, type CatalogueEmitted, type Offer } from "../../machines/catalogue.ts";
import { buying, choosing } from "../models/catalogue.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import { answerIn, asked, asksOneAtATime, errorIn, PATIENCE } from "../support/invariants.ts";
import { monthly, yearly } from "../support/samples.ts";

const catalogue = invariantsOf(catalogueMachine, {
  inputs: [
    { wanted: null, picked: null, knownOffers: [] },
    { wanted: " YEARLY", picked: null, knownOffers: [] },
    { wanted: "Weekly", picked: null, knownOffers: [] },
    { wanted: null, picked: yearly.product_id, knownOffers: [] },
    { wanted: null, picked: "vpn.gone", knownOffers: [] },
    { wanted: null, picked: yearly.product_id, knownOffers: [monthly, yearly] },
    { wanted: "yearly", picked: null, knownOffers: [monthly, yearly] },
  ],
  events: [
    { type: "offer.picked", productId: monthly.product_id },
    { type: "offer.picked", productId: "sold out" },
    { type: "offer.taken" },
    { type: "methods.requested", productId: monthly.product_id },
    { type: "methods.requested", productId: "sold out" },
    { type: "methods.dismissed" },
    { type: "method.chosen", method: "EbPay" },
    { type: "screen.activated" },
    { type: "retry" },
  ],
  answers: {
    readPackages: { both: [monthly, yearly], fewer: [yearly], none: [] },
    readMethods: { some: ["EbPay"], none: [] },
  },
  distinguish: ({ offers, picked }) => ({ offers: offers.length, picked }),
  repeats: 1,
});

/** Sections 2 and 5 in a few words: what is listed, which one is picked, and whether the ways to pay are shown. */
type Shop = {
  offers: readonly Offer[];
  picked: string | null;
  sheet: "closed" | "asking" | "open";
  said: CatalogueEmitted[];
};

const shopOf = (history: History<typeof catalogueMachine>) => {
  const [start] = history;
  const {
    wanted = null,
    picked: before = null,
    knownOffers = [],
  } = start?.event.type === "start" && "input" in start.event ? start.event.input : {};
  const preselected = wanted?.trim().toLowerCase() === "yearly" ? yearly.product_id : null;
  return history.reduce<Shop>(
    (shop, moment) => {
      const { event } = moment;
      const quiet = { ...shop, said: [] };
      const isListed = (id: string) => shop.offers.some(({ product_id }) => product_id === id);
      const picked = shop.offers.find(({ product_id }) => product_id === shop.picked);
      const choose = (): Shop => ({
        ...quiet,
        sheet: "closed",
        said: picked ? [{ type: "offer.chosen", offer: picked, method: "EbPay" }] : [],
      });
      const list = answerIn(moment, "readPackages")?.output as readonly Offer[] | undefined;
      if (list) {
        const onSale = (id: string | null) => list.find(({ product_id }) => product_id === id)?.product_id;
        // What a person picked is remembered even while nothing is on sale.
        const next = list.length === 0 ? shop.picked : (onSale(shop.picked) ?? onSale(preselected) ?? null);
        return { ...quiet, offers: list, picked: next };
      }
      if (answerIn(moment, "readMethods")) return { ...quiet, sheet: "open" };
      const error = errorIn(moment, "readMethods");
      if (error) return { ...quiet, sheet: "closed", said: [{ type: "request.failed", error }] };
      if (event.type === "methods.dismissed") return { ...quiet, sheet: "closed" };
      if (event.type === "method.chosen" && shop.sheet === "open") return choose();
      if (shop.sheet !== "closed") return quiet;
      if (event.type === "offer.taken") return choose();
      if (event.type === "offer.picked" && isListed(event.productId))
        return { ...quiet, picked: event.productId };
      if (event.type === "methods.requested" && isListed(event.productId)) {
        return { ...quiet, picked: event.productId, sheet: "asking" };
      }
      return quiet;
    },
    {
      offers: knownOffers,
      picked: knownOffers.length > 0 ? (before ?? preselected) : before,
      sheet: "closed",
      said: [],
    },
  );
};

asksOneAtATime(catalogue);

catalogue.always(
  "lists the API's last word, or what the page came with, whatever failed since",
  ({ state }, history) => {
    const { offers, picked, sheet } = shopOf(history);
    const listed = offers.length > 0;
    expect({
      listed: state.matches("listing") || state.matches("choosingMethod"),
      offers: state.context.offers,
      picked: state.context.picked,
      asking: state.matches({ choosingMethod: "reading" }),
      open: state.matches({ choosingMethod: "open" }),
    }).toEqual({ listed, offers, picked, asking: sheet === "asking", open: sheet === "open" });
  },
);

catalogue.always("tells a choice, of what is on sale, once", ({ emitted }, history) => {
  expect(emitted).toEqual(shopOf(history).said);
});

catalogue.always("knows the ways to pay by the API's last word", ({ state }, history) => {
  // An older one is no word at all.
  const word = history.findLast(
    (moment) => answerIn(moment, "readMethods") ?? moment.calls.find(({ id }) => id === "readMethods"),
  );
  expect(state.context.methods).toEqual((word && answerIn(word, "readMethods")?.output) ?? null);
});

const wasPending = (history: History<typeof catalogueMachine>, call: object) =>
  history.at(-2)?.pending.some((each) => each === call) ?? false;

catalogue.always("asks when opened, looked at again, or told to", (moment, history) => {
  const { event } = moment;
  const before = shopOf(history.slice(0, -1));
  const waits = history.at(-2)?.pending.length === 1;
  const isListed = before.offers.length > 0;
  const [first] = history[0]?.calls ?? [];
  // One that is not answered for ten seconds makes room for the next.
  const isFirst = first !== undefined && moment.at - first.at < PATIENCE && wasPending(history, first);
  const packages =
    event.type === "start" ||
    // What is asked for as the screen opens is asked for once.
    (event.type === "screen.activated" && !isFirst && (!waits || isListed) && before.sheet === "closed") ||
    // A person asks again because the first question seems lost.
    (event.type === "retry" && !isListed);
  const methods = before.sheet === "closed" && shopOf(history).sheet === "asking";
  expect(asked(moment).map(({ id }) => id)).toEqual(
    packages ? ["readPackages"] : methods ? ["readMethods"] : [],
  );
});

catalogue.always("shows why there is nothing to see", ({ state, event }) => {
  const error = errorIn({ event }, "readPackages");
  if (error && state.matches("failed")) expect(state.context.error).toEqual(error);
  expect(state.matches("failed") && state.context.error === null).toBe(false);
});

catalogue.always("tells, from the tenth second on, that what a person waits for is late", (moment) => {
  const { state, pending, at } = moment;
  const late = pending.some((call) => at - call.at >= PATIENCE && !state.matches("listing"));
  expect(state.hasTag("slow")).toBe(late);
});

describe("the packages", () => {
  runOnMachine(buying);
});
describe("the ways to pay", () => {
  runOnMachine(choosing);
});
