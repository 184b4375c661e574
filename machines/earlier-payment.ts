/** An earlier payment that was made, or may still go through: the user is told before paying again. Decisions, "Pay once". */
import { emit, setup, type PromiseActorLogic } from "xstate";
import type { EarlierPayment } from "./earlier-orders.ts";
import type { OrderSettled } from "./order-status.ts";

export type EarlierPorts = {
  /** Asks the API about this account's stored orders except the `known` ones; null when no payment is in the way. */
  findEarlier: PromiseActorLogic<EarlierPayment | null, { known: readonly string[] }>;
};

/** The user's answer. `passed`: pay anyway. */
export type EarlierEvent =
  { type: "earlier.followed" } | { type: "earlier.passed" } | { type: "earlier.dismissed" };

export type EarlierAnswer = "followed" | "passed" | "dismissed";

/** Show that payment. `isLast`: this screen is replaced, because there is nothing to come back to. */
export type EarlierFollowed = { type: "earlier.followed"; earlier: EarlierPayment; isLast: boolean };

/** The payment that was found turned out to be paid. */
export type EarlierSettled = OrderSettled;

export type EarlierEmitted = EarlierFollowed | EarlierSettled;

type Context = { earlier: EarlierPayment | null; known: readonly string[] };

/** For states that have found a payment; throws otherwise. */
export const earlierIn = ({ earlier }: Pick<Context, "earlier">): EarlierPayment => {
  if (!earlier) throw new Error("Only what was found is told.");
  return earlier;
};

/** The user was told of this payment, so it is not reported again. */
export const knowing = ({ earlier, known }: Context): Pick<Context, "known" | "earlier"> => ({
  known: earlier ? [...known, earlier.order.orderId] : known,
  earlier: null,
});

/** Spread it into the guards of a chart that waits for the answer. */
export const earlierGuards = {
  isFollowed: (_: unknown, answer: EarlierAnswer) => answer === "followed",
  isPassed: (_: unknown, answer: EarlierAnswer) => answer === "passed",
};

/** `asks`: the user decides; otherwise that payment is shown at once. */
type EarlierInput = { earlier: EarlierPayment; asks: boolean; isLast: boolean };

export const earlierPaymentMachine = setup({
  types: {
    context: {} as EarlierInput,
    input: {} as EarlierInput,
    events: {} as EarlierEvent,
    emitted: {} as EarlierEmitted,
    output: {} as EarlierAnswer,
  },
  guards: {
    isShown: ({ context }) => !context.asks,
    isPaid: ({ context }) => context.earlier.kind === "paid",
  },
  actions: {
    announcePaid: emit(({ context }): EarlierEmitted => ({
      type: "order.settled",
      orderId: context.earlier.order.orderId,
      isPaid: true,
    })),
    announceFollowed: emit(({ context: { earlier, isLast } }): EarlierEmitted => ({
      type: "earlier.followed",
      earlier,
      isLast,
    })),
  },
}).createMachine({
  id: "earlierPayment",
  context: ({ input }) => input,
  output: ({ event }) => (event as unknown as { output: EarlierAnswer }).output,
  initial: "found",
  states: {
    // A paid one is stored at once.
    found: {
      always: [
        { guard: "isShown", target: "followed" },
        { guard: "isPaid", target: "asking", actions: "announcePaid" },
        { target: "asking" },
      ],
    },
    asking: {
      on: { "earlier.followed": "followed", "earlier.passed": "passed", "earlier.dismissed": "dismissed" },
    },
    followed: { type: "final", entry: "announceFollowed", output: "followed" as const },
    passed: { type: "final", output: "passed" as const },
    dismissed: { type: "final", output: "dismissed" as const },
  },
});
