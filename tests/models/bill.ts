/** What became of an order, as a user meets it. Specification, sections 2 (billDetail) and 4 ("Order/bill status"); Decisions, "Bill" and "Default timeout none". */
import { billMachine, isLateIn } from "../../machines/bill.ts";
import type { OrderReading } from "../../machines/order-status.ts";
import { userWhoSees, userModel } from "../support/user-model.ts";
import { detail, no, ok } from "../support/replies.ts";
import { lost, refused } from "../support/samples.ts";
import { networkIsLate } from "./order.ts";
import type { User } from "../user.ts";

const blank = {
  place: "billDetail",
  seal: "Pending" as string | null,
  /** The amount and the number of the order. */
  known: true,
  stopped: false,
  /** Whether the rest is asked for. */
  partly: false,
  /** Whether all of it is there, and only the network has a word left. */
  wholly: false,
  /** Whether it says that payments on the network show late. */
  late: false,
  /** Why the last call came to nothing. */
  failed: null as string | null,
  slow: false,
  /** The button that checks again, while there is something to check. */
  check: "ready" as string | null,
  onward: ["Personal center"],
  waiting: [] as string[],
};

const call = "/api/order/detail";
const asks = { waiting: [call], check: "busy" };
const isLong = { slow: true, check: "ready" };
const unknown = { known: false };
const offline = "No connection. Check your network and try again.";
const elsewhere = (place: string) => ({
  meta: { place, seal: null, known: false, check: null, onward: [] },
});

const person = userWhoSees(blank).createMachine({
  id: "person",
  initial: "opens",
  states: {
    opens: {
      meta: { ...unknown, ...asks },
      on: {
        "is told that it is pending": "rests",
        "is told that a part came": "restsPartly",
        "is told that all of it came": "restsWholly",
        "is told that the network is behind": "restsLate",
        "is told that it is confirmed": "confirmed",
        "is told that it failed": "failed",
        "is not heard": "restsUnheard",
        "is refused": "restsRefused",
        "comes back": "opens",
        "waits ten seconds": "opensLong",
      },
    },
    opensLong: {
      meta: { ...unknown, ...asks, ...isLong },
      on: {
        "checks again": "opens",
        "is told that it is pending": "rests",
        // Whatever hangs is asked anew at the next minute.
        "waits fifty seconds": "opens",
      },
    },
    // A failed call is no answer about the money: it is asked again.
    restsUnheard: {
      meta: { ...unknown, failed: offline },
      on: { "checks again": "asksUnheard", "comes back": "asksUnheard", "a minute passes": "asksUnheard" },
    },
    asksUnheard: {
      meta: { ...unknown, ...asks, failed: offline },
      on: { "is not heard": "restsUnheard", "is told that it is pending": "rests" },
    },
    // No order of this account, as far as the API says: there is nothing to wait for.
    restsRefused: {
      meta: { ...unknown, seal: "We cannot find this order" },
      on: { "checks again": "asksRefused", "comes back": "asksRefused", "ten minutes pass": "restsRefused" },
    },
    asksRefused: {
      meta: { ...unknown, ...asks, failed: "No." },
      on: { "is told that it is pending": "rests" },
    },
    restsPartly: { meta: { partly: true }, on: { "checks again": "asksPartly" } },
    // An order that is gone takes along what was said of it, a missing part above all.
    asksPartly: {
      meta: { ...asks, partly: true },
      on: { "is told that it is confirmed": "confirmed", "is refused": "restsRefused" },
    },
    restsLate: { meta: { late: true }, on: { "checks again": "asksBehind" } },
    asksBehind: {
      meta: { ...asks, late: true },
      on: { "is told that it is pending": "rests", "is told that it is confirmed": "confirmed" },
    },
    restsWholly: { meta: { wholly: true }, on: { "checks again": "asksWholly" } },
    asksWholly: { meta: { ...asks, wholly: true }, on: { "is told that it is confirmed": "confirmed" } },
    rests: { on: { "checks again": "asks", "comes back": "asks", "half a minute passes": "restsOn" } },
    restsOn: { on: { "half a minute passes": "asks" } },
    asks: {
      meta: asks,
      on: {
        "is told that it is pending": "rests",
        "is told that it is confirmed": "confirmed",
        "is not heard": "restsOffline",
        "comes back": "asks",
        "ten minutes pass": "asksLate",
      },
    },
    restsOffline: { meta: { failed: offline }, on: { "a minute passes": "asksOffline" } },
    asksOffline: { meta: { ...asks, failed: offline }, on: { "is told that it is pending": "rests" } },
    asksLate: {
      meta: { ...asks, ...isLong },
      on: { "is told that it is pending": "stopped" },
    },
    stopped: {
      meta: { stopped: true },
      on: { "checks again": "asksOnce", "comes back": "asksOnce", "ten minutes pass": "stopped" },
    },
    asksOnce: {
      meta: asks,
      on: { "is told that it is pending": "stopped", "is told that it is confirmed": "confirmed" },
    },
    confirmed: {
      meta: { seal: "Confirmed", check: null, onward: ["See my membership"] },
      on: { "comes back": "confirmed", "ten minutes pass": "confirmed", "sees the membership": "centre" },
    },
    failed: {
      meta: { seal: "Failed", check: null, onward: ["Make a new order", "Personal center"] },
      on: { "comes back": "failed", "ten minutes pass": "failed", "orders anew": "packages" },
    },
    centre: elsewhere("personal_info"),
    packages: elsewhere("buy"),
  },
});

const invoke = "readOrder";
const readingOf = (status: number): OrderReading => ({
  status,
  amount: "9.99",
  createdAt: detail().created_at,
  received: "0",
});
const told = (status: number) => ({
  invoke,
  output: readingOf(status),
  call,
  reply: ok(detail({ status })),
});
const links = ["See my membership", "Make a new order", "Personal center"];

export const bill = userModel({
  chart: billMachine,
  input: { orderId: "A100" },
  person,
  defaultView: blank,
  actions: {
    "is told that it is pending": { ...told(0), real: true },
    "is told that a part came": {
      invoke,
      output: { ...readingOf(0), received: "1.50" },
      call,
      reply: ok(detail({ paid_amount: "1.50" })),
    },
    "is told that all of it came": {
      invoke,
      output: { ...readingOf(0), received: "9.99" },
      call,
      reply: ok(detail({ paid_amount: "9.99" })),
    },
    "is told that the network is behind": {
      invoke,
      output: { ...readingOf(0), networkBehind: true },
      call,
      reply: ok(detail({ network_behind: true })),
    },
    "is told that it is confirmed": told(1),
    "is told that it failed": told(9),
    "is refused": { invoke, error: refused, call, reply: no("No.") },
    "is not heard": { invoke, error: lost, call },
    "checks again": {
      sends: { type: "retry" },
      does: (user) => user.tap("button", "Check again"),
    },
    "comes back": { sends: { type: "page.visible" }, does: (user) => user.returnToPage() },
    "waits ten seconds": { ms: 10_000 },
    "waits fifty seconds": { ms: 50_000 },
    "half a minute passes": { ms: 30_000 },
    "a minute passes": { ms: 60_000 },
    "ten minutes pass": { ms: 600_000 },
    "sees the membership": { unmounts: true, does: (user) => user.tap("link", "See my membership") },
    "orders anew": { unmounts: true, does: (user) => user.tap("link", "Make a new order") },
  },
  viewOfChart: (state, { pending }) => {
    const { reading, error } = state.context;
    const slow = state.hasTag("slow");
    return {
      seal: state.matches({ bill: "confirmed" })
        ? "Confirmed"
        : state.matches({ bill: "failed" })
          ? "Failed"
          : state.matches({ bill: "unknown" })
            ? "We cannot find this order"
            : "Pending",
      known: reading !== null,
      partly: reading?.received === "1.50",
      wholly: reading?.received === "9.99" && !state.hasTag("settled"),
      late: isLateIn(reading) && !state.hasTag("settled"),
      stopped: state.matches({ bill: "stopped" }),
      failed:
        error === null || state.matches({ bill: "unknown" })
          ? null
          : error.kind === "refused"
            ? error.message
            : offline,
      slow,
      check: state.hasTag("settled") ? null : state.hasTag("asking") && !slow ? "busy" : "ready",
      waiting: pending.map(() => call),
    };
  },
  viewOnScreen: async (user: User) => {
    const [, place = ""] = (await user.path()).split("/");
    const isHere = place === "billDetail";
    const seals = [];
    for (const word of ["Confirmed", "Failed", "Pending", "We cannot find this order"]) {
      if (await user.has("heading", word)) seals.push(word);
    }
    const onward = [];
    for (const name of isHere ? links : []) if (await user.has("link", name)) onward.push(name);
    const [failed = null] = await user.texts("main p[data-tone=failure]");
    return {
      place,
      seal: seals.length === 0 ? null : seals.join(),
      known:
        isHere &&
        (await user.hasText(/^\d+\.\d\d USDT$/)) &&
        (await user.has("button", "Copy the order number")),
      stopped: await user.hasText(
        /^We have stopped checking automatically\. If you have paid, your money is not lost/,
      ),
      partly:
        (await user.hasText("Part of it has arrived")) &&
        (await user.hasText(
          "Send the missing 8.49 USDT to the same address. Your membership then starts automatically.",
        )),
      wholly: await user.hasText(/^9\.99 USDT has arrived, .* There is nothing more to send: /),
      late: await user.hasText(networkIsLate),
      failed: isHere ? failed : null,
      slow: isHere && (await user.hasText("This is taking longer than usual. Your connection may be slow.")),
      check: !(await user.has("button", "Check again"))
        ? null
        : (await user.isBusy("Check again"))
          ? "busy"
          : "ready",
      onward,
      waiting: user.pendingCalls().filter((path) => path === call),
    };
  },
});
