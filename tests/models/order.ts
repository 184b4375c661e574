/** An order waiting for its money, as a user meets it. Specification, sections 2 (payDetail), 4 ("Payment countdown") and 9; Decisions, "Payment details in a URL are not believed", "Countdown", "Expired is not final" and "Default timeout none". */
import { secondsLeft } from "../../machines/issued-order.ts";
import { orderMachine } from "../../machines/order.ts";
import type { OrderReading } from "../../machines/order-status.ts";
import { userWhoSees, userModel, wait, type UserModel } from "../support/user-model.ts";
import { address, detail, kept, no, ok } from "../support/replies.ts";
import { lost, refused } from "../support/samples.ts";
import type { User } from "../user.ts";

const blank = {
  /** The bill's address tells which status it was opened with. */
  place: "payDetail",
  /** The address, the QR code, the amount and the order's number: all of them as the link says, or none. */
  asksFor: "what was issued",
  time: "runs",
  partly: false,
  /** It says that payments on the network show late. */
  late: false,
  busy: false,
  slow: false,
  loading: false,
  unverified: false,
  /** The order is known no more, and what to do is said. */
  gone: false,
  /** It offers to ask once more. */
  canAsk: false,
  failed: null as string | null,
  waiting: [] as string[],
};
type View = typeof blank;

const call = "/api/order/detail";
const asks = { waiting: [call] };
const nothing = { asksFor: "nothing", time: "none" };
/** The order's number is shown for support; its address is not shown. */
const gone = { ...nothing, asksFor: "nothing", gone: true, canAsk: true };
const bill = (status: number) => ({ meta: { ...nothing, place: `the bill, ${status}` } });
const packages = { meta: { ...nothing, place: "buy" } };
const { createMachine } = userWhoSees(blank);

/** This browser kept what was issued, and shows it at once; whether it is paid by now is asked beside. */
const withItsBrowser = createMachine({
  id: "person",
  initial: "glances",
  states: {
    glances: {
      meta: asks,
      on: {
        "is told that nothing came": "sees",
        "is told that a part came": "seesPart",
        "is told that the network is behind": "seesLate",
        // With nothing left to send, it goes on by itself.
        "is told that all of it came": "billPending",
        "is told that it is paid": "billPaid",
        "is told that it failed": "billFailed",
        "is not heard": "sees",
        "is refused": "gone",
        "comes back": "glances",
        "watches for a minute": "glances",
        "says that it is paid": "checks",
      },
    },
    // A user who pays from another device never leaves the screen.
    sees: {
      on: {
        "comes back": "glances",
        "watches for a minute": "glances",
        "says that it is paid": "checks",
        // Looked for every minute of them.
        "lets the time run out": "glancesLate",
      },
    },
    // Until the network keeps up again; the address stays, and may be paid to.
    seesLate: {
      meta: { late: true },
      on: { "comes back": "glancesAgain", "says that it is paid": "checksBehind" },
    },
    glancesAgain: {
      meta: { ...asks, late: true },
      on: {
        "is told that nothing came": "sees",
        "is told that the network is behind": "seesLate",
        "is not heard": "seesLate",
      },
    },
    checksBehind: {
      meta: { ...asks, late: true, busy: true },
      on: { "does not hear about the order": "seesLate" },
    },
    seesPart: {
      meta: { partly: true },
      on: {
        "comes back": "glancesPart",
        "watches for a minute": "glancesPart",
        "lets the time run out": "latePart",
      },
    },
    // A user who has sent a part is not asked to order again.
    latePart: { meta: { ...asks, partly: true, time: "is up" } },
    glancesPart: { meta: { ...asks, partly: true }, on: { "is not heard": "seesPart" } },
    checks: {
      meta: { ...asks, busy: true },
      on: {
        "is told about the order": "billPending",
        "is told about the paid order": "billPaid",
        "is told about the failed order": "billFailed",
        "is refused the order": "gone",
        "does not hear about the order": "sees",
        "comes back": "checks",
        "says it once more": "checks",
        "waits ten seconds": "checksLong",
      },
    },
    checksLong: {
      meta: { ...asks, busy: true, slow: true },
      on: {
        "does not hear about the order": "sees",
        "stops waiting": "sees",
      },
    },
    late: {
      meta: { time: "is up" },
      on: {
        "comes back": "glancesLate",
        "says that it is paid": "checksLate",
        "orders anew": "packages",
      },
    },
    // Late money is still credited.
    glancesLate: {
      meta: { ...asks, time: "is up" },
      on: { "is told that it is paid": "billPaid", "is told that nothing came": "late" },
    },
    checksLate: {
      meta: { ...asks, busy: true, time: "is up" },
      on: {
        "is told about the paid order": "billPending",
        "does not hear about the order": "late",
      },
    },
    // Its address may be another person's by now.
    gone: {
      meta: gone,
      on: { "asks again": "asksAgain", "comes back": "asksAgain", "orders anew": "packages" },
    },
    asksAgain: {
      meta: { ...gone, ...asks, busy: true },
      on: {
        "it is known again": "glances",
        "it turns out to be paid": "billPaid",
        "is still refused": "gone",
        "still hears nothing": "gone",
        "comes back": "asksAgain",
        "waits ten seconds": "asksAgainLong",
      },
    },
    asksAgainLong: { meta: { ...gone, ...asks, busy: true, slow: true }, on: { "stops waiting": "gone" } },
    billPending: bill(0),
    billPaid: bill(1),
    billFailed: bill(9),
    packages,
  },
});

/** Somewhere else there is only the link: until the service says the same, nothing of it is shown. */
const withTheLinkAlone = createMachine({
  id: "person",
  initial: "waits",
  states: {
    waits: {
      meta: { ...nothing, ...asks, loading: true },
      on: {
        "is told the same": "sees",
        "is told the same of a network behind": "seesLate",
        // As after a way back from the bill: it is settled by now, and no money is asked for.
        "is told that all of it came": "billPending",
        "is told that it is paid": "billPaid",
        "is told that it failed": "billFailed",
        "is told another address": "warned",
        "is refused": "refused",
        "is not heard": "lost",
        "comes back": "waits",
        "waits ten seconds": "waitsLong",
      },
    },
    waitsLong: {
      meta: { ...nothing, ...asks, loading: true, slow: true, canAsk: true },
      on: { "is told the same": "sees", "is not heard": "lost", "tries again": "waits" },
    },
    // Whether it is settled is asked like every time that it is opened.
    sees: { meta: asks },
    seesLate: { meta: { ...asks, late: true } },
    warned: {
      meta: { ...nothing, unverified: true },
      on: { "comes back": "warned", "orders anew": "packages" },
    },
    // A service that says no may have meant something else, and says it no more.
    refused: {
      meta: { ...nothing, unverified: true, canAsk: true },
      on: { "tries again": "waits", "comes back": "waits", "orders anew": "packages" },
    },
    lost: {
      meta: { ...nothing, canAsk: true, failed: "No connection. Check your network and try again." },
      on: { "tries again": "waits", "comes back": "waits" },
    },
    billPending: bill(0),
    billPaid: bill(1),
    billFailed: bill(9),
    packages,
  },
});

/** Twenty minutes before the deadline. */
const untilItsDeadline = userWhoSees({ left: "" }).createMachine({
  id: "person",
  initial: "early",
  states: {
    early: {
      meta: { left: "20:00" },
      on: { "a second passes": "ticked", "the phone sleeps for ten minutes": "half" },
    },
    ticked: { meta: { left: "19:59" }, on: { "comes back": "ticked" } },
    half: {
      meta: { left: "10:00" },
      on: { "the phone sleeps for ten minutes": "over", "all but a second passes": "last" },
    },
    last: { meta: { left: "00:01" }, on: { "a second passes": "over", "comes back": "last" } },
    over: {
      meta: { left: "00:00" },
      on: { "a second passes": "over", "the phone sleeps for ten minutes": "over", "comes back": "over" },
    },
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
const readingOf = (status: number, more: Partial<OrderReading> = {}): OrderReading => ({
  status,
  amount: "9.99",
  createdAt: detail().created_at,
  received: "0",
  ...more,
});
/** An address of another person. */
const another = "TLyqzVGLV1srkB7dToTAEqgDSfPtXRJZYH";

const pending = (invoke: string) => ({ invoke, output: readingOf(0), call, reply: ok(detail()), real: true });
const settled = (invoke: string, status: number) => ({
  invoke,
  output: readingOf(status),
  call,
  reply: ok(detail({ status })),
});
const whole = (invoke: string) => ({
  invoke,
  output: readingOf(0, { received: "9.99" }),
  call,
  reply: ok(detail({ paid_amount: "9.99" })),
});
const refusal = (invoke: string) => ({ invoke, error: refused, call, reply: no("No.") });
const silence = (invoke: string) => ({ invoke, error: lost, call });
const comesBack = {
  sends: { type: "page.visible" },
  does: (user: User) => user.returnToPage(),
} as const;
const ordersAnew = {
  unmounts: true,
  does: (user: User) => user.tap("link", "Make a new order"),
} as const;
const tenSeconds = { ms: 10_000 };

const viewOfChart: UserModel<typeof orderMachine, View>["viewOfChart"] = (
  state,
  { emitted, pending: open },
) => {
  const left = emitted.find(({ type }) => type === "bill.opened");
  // The chart goes with its screen.
  if (left?.type === "bill.opened") return { place: `the bill, ${left.status}` };
  const check = state.children.check?.getSnapshot();
  const shown = check?.hasTag("shown") ?? false;
  return {
    asksFor: shown ? "what was issued" : "nothing",
    time: shown ? (secondsLeft(state.context) === 0 ? "is up" : "runs") : "none",
    partly: shown && check?.context.received === "1.50",
    late: shown && check?.context.networkBehind === true,
    gone: check?.hasTag("gone") ?? false,
    busy: check?.hasTag("busy") ?? false,
    slow: state.hasTag("slow") || (check?.hasTag("slow") ?? false),
    loading: state.matches("verifying"),
    unverified: state.hasTag("unverified"),
    canAsk:
      (check?.hasTag("gone") ?? false) ||
      state.matches("unknown") ||
      state.matches("unreachable") ||
      (state.matches("verifying") && state.hasTag("slow")),
    waiting: open.map(() => call),
  };
};

/** In the words of the screen. */
export const networkIsLate =
  "Payments on this network show up later than usual at the moment. Nothing is lost: yours is credited as soon as we see it, even if the time is up by then.";

const viewOnScreen = async (user: User): Promise<View> => {
  const [, screen = "", , status, network, amount, to, orderId = ""] = (await user.path()).split("/");
  const isHere = screen === "payDetail";
  /** What is left to send, when 1.50 have come. */
  const missing = `${(Number(amount) - 1.5).toFixed(2)} USDT`;
  const words = (await user.texts("main")).join(" ");
  const shown = /T[1-9A-HJ-NP-Za-km-z]{33}|0x[0-9a-fA-F]{40}/.exec(words)?.[0];
  const parts = [
    shown === undefined ? false : shown === to,
    await user.has("img", `QR code of the ${network} address`),
    (await user.hasText(`${amount} USDT`)) || (await user.hasText(missing)),
    await user.hasText(orderId),
  ];
  const [left = "none"] = await user.texts("[role=timer]");
  const restLate = await user.hasText(
    `1.50 USDT has arrived. The time is up, but the rest still counts: please send the missing ${missing} to the same address.`,
  );
  const offersNew = await user.has("link", "Make a new order");
  const isUp =
    (restLate && !offersNew) ||
    ((await user.hasText(/^The time is up\. Already sent it\? .* credited once the network confirms it\./)) &&
      offersNew);
  const failed = (await user.hasText("We could not load this"))
    ? await user.texts("main [role=alert] h2 + div")
    : [];
  return {
    place: screen === "billDetail" ? `the bill, ${status}` : screen,
    asksFor:
      !isHere || (shown === undefined && !parts.slice(0, 3).includes(true))
        ? "nothing"
        : parts.includes(false)
          ? `${shown} of ${String(parts)}`
          : "what was issued",
    time: !isUp && /^(?!00:00)\d\d:\d\d$/.test(left) ? "runs" : isUp && left === "00:00" ? "is up" : left,
    partly:
      (restLate ||
        (await user.hasText(
          `1.50 USDT has arrived. Please send the missing ${missing} to the same address.`,
        ))) &&
      (await user.hasText("Still to send")) &&
      (await user.hasText(missing)),
    late: await user.hasText(networkIsLate),
    busy: (await user.isBusy("Complete the payment")) || (await user.isBusy("Try again")),
    slow: await user.hasText("This is taking longer than usual. Your connection may be slow."),
    loading: isHere && (await user.isVisible("main [aria-busy=true]:not(button)")),
    gone:
      (await user.hasText("We cannot find this order any more")) &&
      (await user.hasText(orderId)) &&
      (await user.has("button", "Contact customer support")),
    unverified: await user.hasText("We cannot verify this payment link"),
    canAsk: await user.has("button", "Try again"),
    failed: failed.at(-1) ?? null,
    waiting: isHere ? user.pendingCalls() : [],
  };
};

const common = {
  chart: orderMachine,
  immediate: { readClock: (_: unknown, now: number) => kept.deadline - 1_200_000 + now },
  defaultView: blank,
  viewOfChart,
  viewOnScreen,
};

export const order = userModel({
  ...common,
  input: { claimed: issued, kept: issued },
  person: withItsBrowser,
  actions: {
    "is told that nothing came": pending("glance"),
    "is told that a part came": {
      invoke: "glance",
      output: readingOf(0, { received: "1.50" }),
      call,
      reply: ok(detail({ paid_amount: "1.50" })),
    },
    "is told that the network is behind": {
      invoke: "glance",
      output: readingOf(0, { networkBehind: true }),
      call,
      reply: ok(detail({ network_behind: true })),
    },
    "is told that all of it came": whole("glance"),
    "is told that it is paid": settled("glance", 1),
    "is told that it failed": settled("glance", 9),
    "is not heard": silence("glance"),
    "is refused": refusal("glance"),
    "asks again": {
      child: "check",
      event: { type: "retry" },
      does: (user) => user.tap("button", "Try again"),
    },
    "it is known again": { ...pending("askAgain") },
    "it turns out to be paid": settled("askAgain", 1),
    "is still refused": refusal("askAgain"),
    "still hears nothing": silence("askAgain"),
    "comes back": comesBack,
    "says that it is paid": {
      child: "check",
      event: { type: "pay.completed" },
      does: (user) => user.tap("button", "Complete the payment"),
    },
    "says it once more": {
      child: "check",
      event: { type: "pay.completed" },
      does: (user) => user.press("{Enter}"),
    },
    "is told about the order": pending("readOrder"),
    "is told about the paid order": settled("readOrder", 1),
    "is told about the failed order": settled("readOrder", 9),
    "is refused the order": refusal("readOrder"),
    "does not hear about the order": silence("readOrder"),
    "waits ten seconds": tenSeconds,
    "stops waiting": wait.stop,
    "watches for a minute": { ms: 60_000 },
    "lets the time run out": { ms: 1_800_000, does: (user) => user.sleep(1_800_000) },
    "orders anew": ordersAnew,
  },
});

export const orderClaimed = userModel({
  ...common,
  input: { claimed: issued, kept: null },
  person: withTheLinkAlone,
  actions: {
    "is told the same": { ...pending("verifyOrder"), output: { ...readingOf(0), issued } },
    "is told the same of a network behind": {
      invoke: "verifyOrder",
      output: { ...readingOf(0, { networkBehind: true }), issued },
      call,
      reply: ok(detail({ network_behind: true })),
    },
    "is told that all of it came": {
      ...whole("verifyOrder"),
      output: { ...readingOf(0, { received: "9.99" }), issued },
    },
    "is told that it is paid": { ...settled("verifyOrder", 1), output: { ...readingOf(1), issued } },
    "is told that it failed": { ...settled("verifyOrder", 9), output: { ...readingOf(9), issued } },
    "is told another address": {
      invoke: "verifyOrder",
      output: { ...readingOf(0), issued: { ...issued, address: another } },
      call,
      reply: ok(detail({ address: another })),
    },
    "is refused": refusal("verifyOrder"),
    "is not heard": silence("verifyOrder"),
    "comes back": comesBack,
    "waits ten seconds": tenSeconds,
    "tries again": { sends: { type: "retry" }, does: (user) => user.tap("button", "Try again") },
    "orders anew": ordersAnew,
  },
});

const tenMinutes = 600_000;

export const orderTimed = userModel({
  chart: orderMachine,
  input: { claimed: issued, kept: issued },
  immediate: { ...common.immediate, readOrder: () => readingOf(0) },
  person: untilItsDeadline,
  defaultView: { left: "" },
  actions: {
    "a second passes": { ms: 1_000 },
    "all but a second passes": { ms: tenMinutes - 1_000 },
    "the phone sleeps for ten minutes": { ms: tenMinutes, does: (user) => user.sleep(tenMinutes) },
    "comes back": comesBack,
  },
  viewOfChart: ({ context }) => {
    const seconds = secondsLeft(context);
    const two = (count: number) => String(count).padStart(2, "0");
    return { left: `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}` };
  },
  viewOnScreen: async (user) => ({ left: (await user.texts("[role=timer]")).join() }),
});
