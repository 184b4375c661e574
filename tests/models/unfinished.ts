/** A payment that was begun and not seen to its end, as a person meets it. Decisions, "Closing and payment". */
import type { KeptOrder } from "../../machines/kept-orders.ts";
import { unfinishedMachine } from "../../machines/unfinished.ts";
import { personWhoSees, playOf, type Hand } from "../support/play.ts";
import { address, detail, kept, ok } from "../support/replies.ts";

const blank = {
  /** What the personal center offers to go on with: the package and the amount. */
  offered: null as string | null,
  /** What this browser keeps, by number. */
  kept: [] as string[],
};

const person = personWhoSees(blank).createMachine({
  id: "person",
  initial: "nothing",
  states: {
    nothing: {
      on: {
        "makes an order": "mine",
        "makes an order in another tab": "other",
        "somebody else made one": "theirs",
      },
    },
    mine: {
      meta: { offered: "Monthly, 9.99 USDT", kept: ["A100"] },
      on: {
        "goes on, and it is paid": "nothing",
        "goes on, and it has failed": "nothing",
        "goes on, and it is not paid yet": "mine",
        "puts it away": "nothing",
        "makes an order in another tab": "other",
        "it is settled in another tab": "nothing",
      },
    },
    other: {
      meta: { offered: "Yearly, 79.99 USDT", kept: ["C300", "A100"] },
      on: { "it is settled in another tab": "nothing", "puts the other away": "mine" },
    },
    // It is there for its owner.
    theirs: { meta: { kept: ["B200"] }, on: { "makes an order": "both" } },
    both: {
      meta: { offered: "Monthly, 9.99 USDT", kept: ["A100", "B200"] },
      on: { "goes on, and it is paid": "theirs" },
    },
  },
});

const other: KeptOrder = { ...kept, network: "TRC20", orderId: "C300", packName: "Yearly", amount: "79.99" };
const theirs: KeptOrder = { ...other, orderId: "B200", accountName: "Berta" };
const mine: KeptOrder = { ...kept, network: "TRC20" };

const elsewhere = (...orders: KeptOrder[]) => ({
  sends: { type: "storage.changed", orders } as const,
  does: (hand: Hand) => hand.storeElsewhere("orders", JSON.stringify(orders)),
});
const putsAway = (orderId: string) => ({
  sends: { type: "order.dropped", orderId } as const,
  does: async (hand: Hand) => {
    await hand.tap("button", "Do not remind me");
    await hand.tap("button", "Forget it");
  },
});
const detailCall = "/api/order/detail";
const goesOn = async (hand: Hand, ...statuses: number[]) => {
  await hand.tap("link", "Continue payment");
  for (const status of statuses) await hand.answer(detailCall, ok(detail({ status })));
  await hand.visit("/personal_info");
};
const settles = (status: number) => ({
  sends: { type: "order.settled", orderId: "A100" } as const,
  // Settled, it goes on to its bill, which asks for itself.
  does: (hand: Hand) => goesOn(hand, status, status),
});

export const unfinished = playOf({
  chart: unfinishedMachine,
  input: { orders: [] },
  person,
  look: blank,
  deeds: {
    "makes an order": {
      sends: { type: "order.kept", order: mine },
      does: async (hand) => {
        await hand.visit("/pay/vpn.month");
        await hand.tap("button", "Pay 9.99 USDT");
        await hand.answer(
          "/api/order/create",
          ok({
            order: { order_id: "A100", payment_amount: "9.99", created_at: detail().created_at },
            payData: { address },
          }),
        );
        await hand.visit("/personal_info");
      },
    },
    "makes an order in another tab": elsewhere(other, mine),
    "somebody else made one": elsewhere(theirs),
    "it is settled in another tab": elsewhere(),
    "puts it away": putsAway("A100"),
    "puts the other away": putsAway("C300"),
    "goes on, and it is paid": settles(1),
    "goes on, and it has failed": settles(9),
    "goes on, and it is not paid yet": { unheard: true, does: (hand) => goesOn(hand, 0) },
  },
  tells: ({ context: { orders } }) => ({ kept: orders.map(({ orderId }) => orderId) }),
  looks: async (hand) => {
    const words = (await hand.texts("main p")).join(" ");
    const isOffered =
      (await hand.has("heading", "You have an unfinished payment")) &&
      (await hand.has("link", "Continue payment"));
    const orders = JSON.parse((await hand.stored("orders")) ?? "[]") as KeptOrder[];
    return {
      offered: isOffered ? (/(\w+, [\d.]+ USDT)\. Not paid yet/.exec(words)?.[1] ?? words) : null,
      kept: orders.map(({ orderId }) => orderId),
    };
  },
});
