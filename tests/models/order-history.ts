/** All orders of the account, as a user meets them. Decision 30; Decisions, "Default timeout none". */
import { orderHistoryMachine, type OrderPage, type PastOrder } from "../../machines/order-history.ts";
import { isLate, networkIsBack, userModel, userWhoSees, wait } from "../support/user-model.ts";
import { ok } from "../support/replies.ts";
import { lost, unloaded } from "../support/samples.ts";
import type { User } from "../user.ts";

const call = "/api/order/list";

const order = (orderId: string, packName: string): PastOrder => ({
  orderId,
  packName,
  way: "TRC20",
  reading: {
    status: 1,
    amount: "9.99",
    createdAt: "2026-01-01T00:00:00.000Z",
    received: "9.99",
    owed: null,
    surplus: null,
    unit: "USDT",
  },
});
const latest = order("A300", "Third");
const second = order("A200", "Second");
const first = order("A100", "First");
export const firstPage: OrderPage = { orders: [latest, second], next: "1.A200" };
export const lastPage: OrderPage = { orders: [first], next: null };
export const allOrders: OrderPage = { orders: [latest, second, first], next: null };
export const noOrders: OrderPage = { orders: [], next: null };

/** As the API lists them. */
export const pageOf = ({ orders, next }: OrderPage) =>
  ok({
    orders: orders.map(({ orderId, packName, reading: { status, amount, createdAt } }) => ({
      order_id: orderId,
      status,
      payment_amount: amount,
      created_at: createdAt,
      pack_id: "1",
      product_id: "vpn.month",
      pack_name: packName,
      payment_method: "EbPay",
      coin_type: 4,
      paid_amount: amount,
      owed_amount: "0.00",
      surplus_amount: "0.00",
      held: false,
      returned: false,
    })),
    next,
  });

const names = ["Third", "Second", "First"];

const blank = {
  loading: false,
  /** The packages that were ordered, as the list names them. */
  listed: [] as string[],
  /** Whether it says that there is none. */
  none: false,
  /** Whether earlier ones are offered. */
  more: false,
  busy: false,
  slow: false,
  warned: "",
  waiting: [] as string[],
};
const waiting = [call];
const some = { listed: ["Third", "Second"], more: true };
const all = { listed: names };

const person = userWhoSees(blank).createMachine({
  id: "person",
  initial: "loads",
  states: {
    loads: wait.of(
      { loading: true, waiting },
      { "has two and more": "#person.some", "has none": "#person.none", "is not heard": "#person.failed" },
      { "tries again": "#person.loads" },
    ),
    failed: { meta: { warned: unloaded }, on: { "tries again": "loads", "the network is back": "loads" } },
    none: { meta: { none: true }, on: { "the network is back": "noneBefore" } },
    noneBefore: {
      meta: { none: true, waiting },
      on: { "has two and more": "some", "has none": "none", "is not heard": "none" },
    },
    some: {
      meta: some,
      on: { "wants more": "adds", "the network is back": "someBefore", "comes back": "someBefore" },
    },
    // It can be read on meanwhile.
    someBefore: {
      meta: { ...some, waiting },
      on: {
        "has two and more": "some",
        "is not heard": "some",
        "wants more": "adds",
        "the network is back": "someBefore",
        "comes back": "someBefore",
      },
    },
    adds: wait.of(
      { ...some, loading: true, busy: true, waiting },
      { "has the rest": "#person.all", "has no more heard": "#person.addingFailed" },
      // What is shown comes before what is not.
      { "tries again": "#person.adds", "comes back": "#person.someBefore" },
    ),
    addingFailed: {
      meta: { listed: ["Third", "Second"], warned: unloaded },
      on: { "tries again": "adds", "the network is back": "someBefore", "comes back": "someBefore" },
    },
    all: { meta: all, on: { "the network is back": "allBefore" } },
    // It is read as far as it is shown, and stays meanwhile.
    allBefore: {
      meta: { ...all, waiting },
      on: { "has all": "all", "has two and more": "restBefore", "is not heard": "all" },
    },
    restBefore: {
      meta: { ...all, waiting },
      on: { "has the rest of them": "all", "is not heard": "all", "the network is back": "allBefore" },
    },
  },
});

const reads = (invoke: string, page: OrderPage) => ({
  invoke,
  output: page,
  call,
  reply: pageOf(page),
});

export const orderHistory = userModel({
  chart: orderHistoryMachine,
  person,
  defaultView: blank,
  actions: {
    "has two and more": reads("readOrders", firstPage),
    "has all": reads("readOrders", allOrders),
    "has none": reads("readOrders", noOrders),
    "is not heard": { invoke: "readOrders", error: lost, call },
    "wants more": {
      sends: { type: "more.requested" },
      does: (user: User) => user.tap("button", "Show earlier orders"),
    },
    "has the rest": reads("readMore", lastPage),
    "has the rest of them": reads("readOrders", lastPage),
    "has no more heard": { invoke: "readMore", error: lost, call },
    "tries again": { sends: { type: "retry" }, does: (user) => user.tap("button", "Try again") },
    "the network is back": networkIsBack,
    "comes back": { sends: { type: "page.visible" }, does: (user) => user.returnToPage() },
    ...wait.actions,
  },
  viewOfChart: (state, { pending }) => {
    const { list, error } = state.context;
    const listed = list.orders.map(({ packName }) => packName);
    const isStuck = state.matches("addingFailed");
    return {
      loading: state.matches("loading") || state.matches("adding"),
      listed,
      none: state.hasTag("listed") && listed.length === 0,
      more: list.next !== null && !isStuck,
      busy: state.hasTag("busy"),
      slow: state.hasTag("slow"),
      warned: (isStuck || state.matches("failed")) && error?.kind === "network" ? unloaded : "",
      waiting: pending.map(() => call),
    };
  },
  viewOnScreen: async (user) => {
    const listed: string[] = [];
    for (const name of names) if (await user.has("link", new RegExp(name))) listed.push(name);
    const more = await user.has("button", "Show earlier orders");
    return {
      loading: await user.isVisible("[aria-busy=true]:not(button)"),
      listed,
      none: await user.hasText("No orders yet"),
      more,
      busy: more && (await user.isBusy("Show earlier orders")),
      slow: await isLate(user),
      warned: (await user.alertTexts()).join(),
      waiting: user.pendingCalls(),
    };
  },
});
