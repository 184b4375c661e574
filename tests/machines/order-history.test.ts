/** All orders of the account: read page by page, none twice and none left out, whatever answers when. */
import { expect, test } from "vitest";
import {
  orderHistoryMachine,
  withNextPage,
  type OrderPage,
  type PastOrder,
} from "../../machines/order-history.ts";
import { allOrders, firstPage, lastPage, noOrders, orderHistory as model } from "../models/order-history.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf, type History } from "../support/invariant-runner.ts";
import { answerIn, asked, asksOneAtATime, errorIn, PATIENCE } from "../support/invariants.ts";

const [first] = lastPage.orders as [PastOrder];
const middlePage: OrderPage = { orders: [first], next: "1.A100" };
const oldestPage: OrderPage = { orders: [{ ...first, orderId: "A050" }], next: null };

const history = invariantsOf(orderHistoryMachine, {
  events: [
    { type: "more.requested" },
    { type: "retry" },
    { type: "screen.activated" },
    { type: "page.visible" },
  ],
  answers: { readOrders: { firstPage, middlePage, oldestPage, noOrders, allOrders } },
  repeats: 1,
});

type Past = History<typeof orderHistoryMachine>;
/** Each place with its state of the chart. */
const places = {
  loading: "loading",
  failed: "failed",
  listing: { listing: "current" },
  refreshing: { listing: "refreshing" },
  rereading: { listing: "rereading" },
  adding: "adding",
  addingFailed: "addingFailed",
} as const;
type At = keyof typeof places;
type Screen = {
  at: At;
  ids: readonly string[];
  next: string | null;
  fresh: OrderPage;
  asks: string | null;
};

const idsOf = ({ orders }: OrderPage) => orders.map(({ orderId }) => orderId);

/** What is shown, by the rules and not by the chart. */
function next(before: Screen, moment: Past[number]): Screen {
  const { event } = moment;
  const quiet: Screen = { ...before, asks: null };
  const asking = (at: At, asks: string): Screen => ({ ...quiet, at, asks });
  if (event.type === "start") return asking("loading", "readOrders");
  const page = answerIn(moment, "readOrders")?.output as OrderPage | undefined;
  if (page) {
    const again = quiet.at === "rereading" ? quiet.fresh : noOrders;
    const pages = withNextPage(again, page);
    const isLonger = pages.orders.length > again.orders.length;
    // As long as there are fewer than are shown, and they become more.
    return isLonger && pages.orders.length < quiet.ids.length && page.next !== null
      ? { ...asking("rereading", "readOrders"), fresh: pages }
      : { ...quiet, at: "listing", ids: idsOf(pages), next: page.next };
  }
  if (errorIn(moment, "readOrders")) return { ...quiet, at: quiet.at === "loading" ? "failed" : "listing" };
  const more = answerIn(moment, "readMore")?.output as OrderPage | undefined;
  if (more)
    return { ...quiet, at: "listing", ids: [...new Set([...quiet.ids, ...idsOf(more)])], next: more.next };
  if (errorIn(moment, "readMore")) return { ...quiet, at: "addingFailed" };
  const isShown = quiet.at !== "loading" && quiet.at !== "failed";
  const isAdding = quiet.at === "adding" || quiet.at === "addingFailed";
  switch (event.type) {
    case "more.requested":
      return isShown && !isAdding && quiet.next !== null ? asking("adding", "readMore") : quiet;
    case "retry":
      if (isAdding) return asking("adding", "readMore");
      return quiet.at === "loading" || quiet.at === "failed" ? asking("loading", "readOrders") : quiet;
    case "screen.activated":
      if (quiet.at === "failed") return asking("loading", "readOrders");
      return isShown ? asking("refreshing", "readOrders") : quiet;
    case "page.visible":
      return isShown ? asking("refreshing", "readOrders") : quiet;
    case "wait":
    default:
      return quiet;
  }
}
const screenOf = (past: Past) =>
  past.reduce<Screen>(next, { at: "loading", ids: [], next: null, fresh: noOrders, asks: null });

asksOneAtATime(history);

history.always("lists each order once, and goes on where the page before ended", (moment, past) => {
  const { at, ids, next: cursor, fresh, asks } = screenOf(past);
  const { state } = moment;
  const { orders, next: known } = state.context.list;
  expect({
    at: Object.values(places).filter((place) => state.matches(place)),
    isListed: state.hasTag("listed"),
    ids: orders.map(({ orderId }) => orderId),
    cursor: known,
  }).toEqual({ at: [places[at]], isListed: at !== "loading" && at !== "failed", ids, cursor });
  expect(new Set(ids).size).toBe(ids.length);
  const input = { cursor: asks === "readMore" ? cursor : at === "rereading" ? fresh.next : null };
  expect(asked(moment)).toEqual(asks ? [{ id: asks, input }] : []);
});

history.always("tells, from the tenth second on, that what a person waits for is late", (moment) => {
  const { state, pending, at } = moment;
  const isAwaited = state.matches("loading") || state.matches("adding");
  expect(state.hasTag("slow")).toBe(isAwaited && pending.some((call) => at - call.at >= PATIENCE));
});

history.always("says why a page could not be read", (moment) => {
  const error = errorIn(moment, "readOrders", "readMore");
  const { state } = moment;
  if (error && (state.matches("failed") || state.matches("addingFailed")))
    expect(state.context.error).toEqual(error);
});

runOnMachine(model);

const page = (orders: string, after: string | null): OrderPage => ({
  orders: [...orders].map((orderId) => ({ ...(lastPage.orders[0] as (typeof lastPage.orders)[0]), orderId })),
  next: after,
});
const shown = ({ orders, next: after }: OrderPage) => [orders.map(({ orderId }) => orderId).join(""), after];

test("an order that a page repeats is listed once", () => {
  expect(shown(withNextPage(page("cb", "b"), page("ba", null)))).toEqual(["cba", null]);
});
