/** An earlier payment that was made, or may still go through: the user is told before paying again. Decisions, "Pay once". */
import { emit, setup, type PromiseActorLogic } from "xstate";
import {
  isTransfer,
  openPaymentOf,
  type KeptOrder,
  type KeptPayment,
  type KeptTransfer,
  type PaidOrder,
} from "./kept-orders.ts";
import {
  isConfirmed,
  isFailed,
  isOver,
  missingFrom,
  type OrderReading,
  type OrderSettled,
} from "./order-status.ts";

/**
 * `paid`: the API confirmed it. `arrived`: fully received, waiting for network confirmations. `part`: partly
 * received. `open`: at a provider, result unknown. `reported`: the same, but the provider's script called it failed.
 */
export type EarlierKind = "paid" | "arrived" | "part" | "open" | "reported";

/** `received` is the USDT seen so far, `missing` what is left to send; null where they do not apply. */
export type EarlierPayment = {
  kind: EarlierKind;
  order: KeptOrder;
  received: string | null;
  missing: string | null;
};

/** A port's rejection when it found an earlier payment. No request was sent to the provider. */
export class EarlierFound extends Error {
  readonly earlier: EarlierPayment;
  constructor(earlier: EarlierPayment) {
    super(earlier.kind);
    this.name = "EarlierFound";
    this.earlier = earlier;
  }
}

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

function kindOf(order: KeptOrder, reading: OrderReading): EarlierKind | null {
  if (isConfirmed(reading)) return "paid";
  if (isFailed(reading)) return null;
  if (isOver(reading)) return "arrived";
  if (!isTransfer(order)) return order.reportedFailed ? "reported" : "open";
  return missingFrom(reading) === null ? null : "part";
}

/** Most certain payments first. */
const ranks: readonly EarlierKind[] = ["paid", "arrived", "part", "open", "reported"];

/** The order to tell the user about; null when none was paid or may still be. */
export function earlierOf(
  asked: readonly { order: KeptOrder; reading: OrderReading }[],
): EarlierPayment | null {
  const found = asked.flatMap(({ order, reading }): EarlierPayment[] => {
    const kind = kindOf(order, reading);
    const { received } = reading;
    return kind === null ? [] : [{ kind, order, received, missing: missingFrom(reading) }];
  });
  const [first = null] = ranks.flatMap((rank) => found.filter(({ kind }) => kind === rank));
  return first;
}

/** The transfer of which a part has arrived: it is topped up on its payment screen. Any other payment has its bill to show: null. */
export const topUpOf = ({ kind, order }: EarlierPayment): KeptTransfer | null =>
  kind === "part" && isTransfer(order) ? order : null;

const storedPayment = (order: KeptPayment, kind: EarlierKind): EarlierPayment => ({
  kind,
  order,
  received: null,
  missing: null,
});

/**
 * The account's payment that stands in the way of the next one, as far as this browser knows: at once, within a tap.
 * `known` are the ids of those that the user was told of; what began in this `visit` is the same payment.
 */
export function storedEarlier({
  orders,
  paid,
  accountName,
  known,
  visit,
}: {
  orders: readonly KeptOrder[];
  paid: readonly PaidOrder[];
  accountName: string | null;
  known: readonly string[];
  visit: string | null;
}): EarlierPayment | null {
  const isOther = (order: KeptPayment | KeptOrder) =>
    !known.includes(order.orderId) && !("visit" in order && order.visit === visit);
  const open = openPaymentOf(orders.filter(isOther), accountName);
  if (open) return storedPayment(open, "open");
  const done = paid.find((order) => order.accountName === accountName && isOther(order));
  return done ? storedPayment(done, "paid") : null;
}

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
