/** A payment that was begun and not seen to its end, as a user meets it. Decisions, "Closing and payment". */
import type { KeptOrder } from "../../machines/kept-orders.ts";
import { pendingOrdersMachine } from "../../machines/pending-orders.ts";
import { userWhoSees, userModel } from "../support/user-model.ts";
import { address, detail, kept, ok } from "../support/replies.ts";
import type { User } from "../user.ts";

const blank = {
  /** What the personal center offers to go on with: the package and the amount. */
  offered: null as string | null,
  /** What this browser keeps, by number. */
  kept: [] as string[],
  /** Whether the latest one can be put away. */
  dismissible: false,
  /** Whether it is asked if the payment shall be forgotten. */
  asked: false,
};

const person = userWhoSees(blank).createMachine({
  id: "person",
  initial: "nothing",
  states: {
    nothing: {
      on: {
        "makes an order": "mine",
        "makes an order in another tab": "other",
        "another user made one": "theirs",
      },
    },
    mine: {
      meta: { offered: "Monthly, 9.99 USDT", kept: ["A100"] },
      on: {
        "goes on, and it is paid": "nothing",
        "goes on, and it has failed": "nothing",
        "goes on, and it is not paid yet": "mine",
        "nothing has come for it": "mineUnpaid",
        "makes an order in another tab": "other",
        "it is settled in another tab": "nothing",
      },
    },
    // It may have been paid a moment ago, until the API says otherwise.
    mineUnpaid: {
      meta: { offered: "Monthly, 9.99 USDT", kept: ["A100"], dismissible: true },
      on: {
        "asks to forget it": "mineDoubted",
        "makes an order in another tab": "other",
        "it is settled in another tab": "nothing",
      },
    },
    // Nothing is forgotten by one tap.
    mineDoubted: {
      meta: { offered: "Monthly, 9.99 USDT", kept: ["A100"], dismissible: true, asked: true },
      on: {
        "means it": "nothing",
        "keeps it": "mineUnpaid",
        "it is settled in another tab": "nothing",
        "some of its money comes": "partPaid",
      },
    },
    // What money came for is not forgotten.
    partPaid: { meta: { offered: "Monthly, 9.99 USDT. Part of it has arrived.", kept: ["A100"] } },
    other: {
      meta: { offered: "Yearly, 79.99 USDT", kept: ["C300", "A100"] },
      on: { "it is settled in another tab": "nothing", "nothing has come for the other": "otherUnpaid" },
    },
    otherUnpaid: {
      meta: { offered: "Yearly, 79.99 USDT", kept: ["C300", "A100"], dismissible: true },
      on: { "asks to forget the other": "otherDoubted" },
    },
    otherDoubted: {
      meta: { offered: "Yearly, 79.99 USDT", kept: ["C300", "A100"], dismissible: true, asked: true },
      on: { "means the other": "mine", "keeps it": "otherUnpaid" },
    },
    // It is there for its owner.
    theirs: { meta: { kept: ["B200"] }, on: { "makes an order beside it": "both" } },
    both: {
      meta: { offered: "Monthly, 9.99 USDT", kept: ["A100", "B200"] },
      on: { "goes on, and it alone is paid": "theirs" },
    },
  },
});

const other: KeptOrder = { ...kept, network: "TRC20", orderId: "C300", packName: "Yearly", amount: "79.99" };
const theirs: KeptOrder = { ...other, orderId: "B200", accountName: "Berta" };
const mine: KeptOrder = { ...kept, network: "TRC20" };

const storing = (...orders: KeptOrder[]) => ({ type: "storage.changed", orders }) as const;
const elsewhere = (...orders: KeptOrder[]) => ({
  sends: storing(...orders),
  does: (user: User) => user.storeOrdersElsewhere(orders),
});
const asksToForget = (orderId: string) => ({
  sends: { type: "drop.requested", orderId, standing: "none" } as const,
  does: (user: User) => user.tap("button", "Do not remind me"),
});
const detailCall = "/api/order/detail";
const nothingCame = (orderId: string) => ({
  sends: { type: "standing.read", orderId, standing: "none" } as const,
  call: detailCall,
  reply: ok(detail({ order_id: orderId })),
});
const goesOn = async (user: User, ...statuses: number[]) => {
  await user.tap("link", "Continue payment");
  for (const status of statuses) await user.answer(detailCall, ok(detail({ status })));
  await user.visit("/personal_info");
};
const settles = (status: number, ...left: KeptOrder[]) => ({
  sends: storing(...left),
  // Settled, it goes on to its bill, which asks for itself.
  does: (user: User) => goesOn(user, status, status),
});
const makesAnOrder = (...beside: KeptOrder[]) => ({
  sends: storing(mine, ...beside),
  does: async (user: User) => {
    await user.visit("/pay/vpn.month");
    await user.tap("button", "Pay 9.99 USDT");
    await user.answer(
      "/api/order/create",
      ok({
        order: { order_id: "A100", payment_amount: "9.99", created_at: detail().created_at },
        payData: { address },
      }),
    );
    await user.visit("/personal_info");
  },
});
const means = (...left: KeptOrder[]) => ({
  sends: [{ type: "drop.confirmed" } as const, storing(...left)],
  does: (user: User) => user.tap("button", "Forget it"),
});

export const unfinished = userModel({
  chart: pendingOrdersMachine,
  input: { orders: [], now: 0 },
  person,
  defaultView: blank,
  actions: {
    "makes an order": makesAnOrder(),
    "makes an order beside it": makesAnOrder(theirs),
    "makes an order in another tab": elsewhere(other, mine),
    "another user made one": elsewhere(theirs),
    "it is settled in another tab": elsewhere(),
    "nothing has come for it": nothingCame("A100"),
    "nothing has come for the other": nothingCame("C300"),
    "asks to forget it": asksToForget("A100"),
    "asks to forget the other": asksToForget("C300"),
    "some of its money comes": {
      sends: { type: "standing.read", orderId: "A100", standing: "part" },
      does: async (user) => {
        await user.returnToPage();
        await user.answer(detailCall, ok(detail({ paid_amount: "4.50" })));
      },
    },
    "means it": means(),
    "means the other": means(mine),
    "keeps it": { sends: { type: "drop.declined" }, does: (user) => user.tap("button", "Keep it") },
    "goes on, and it is paid": settles(1),
    "goes on, and it alone is paid": settles(1, theirs),
    "goes on, and it has failed": settles(9),
    "goes on, and it is not paid yet": { outsideChart: true, does: (user) => goesOn(user, 0) },
  },
  viewOfChart: (state) => ({
    kept: state.context.orders.map(({ orderId }) => orderId),
    asked: state.matches("asking"),
  }),
  viewOnScreen: async (user) => {
    const words = (await user.texts("main p")).join(" ");
    const isOffered =
      (await user.has("heading", "You have an unfinished payment")) &&
      (await user.has("link", "Continue payment"));
    return {
      offered: isOffered
        ? (/\w+, [\d.]+ USDT(?=\. Not paid yet)|\w+, [\d.]+ USDT\. Part of it has arrived\./.exec(
            words,
          )?.[0] ?? words)
        : null,
      kept: await user.keptOrders(),
      dismissible: (await user.texts("main button:not(:disabled)")).includes("Do not remind me"),
      asked: await user.has("alertdialog", "Forget this payment?"),
    };
  },
});
