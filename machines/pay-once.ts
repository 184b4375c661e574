/** Pay once: looks for a payment that was made or may still go through, and lets the user choose before money is asked for again. Decisions, "Pay once". */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import type { EarlierKind, EarlierPayment } from "./earlier-orders.ts";
import { type CallError, showErrorIn, keepOutputIn, outputOf } from "./call-error.ts";
import { invariant } from "./invariant.ts";
import type { OrderSettled } from "./order-status.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

export type PayOncePorts = {
  /** Asks the API about this account's orders except the `ignoredIds` ones; null when no payment is in the way. */
  findEarlier: PromiseActorLogic<EarlierPayment | null, { ignoredIds: readonly string[] }>;
};

/** The user's answer. `passed`: pay anyway. */
export type EarlierEvent =
  { type: "earlier.followed" } | { type: "earlier.passed" } | { type: "earlier.dismissed" };

/** `retry`: the API is asked again; `cancel`: it is no longer asked. */
type PayOnceEvent = EarlierEvent | { type: "retry" } | { type: "cancel" };

/** Show that payment. `isLast`: this screen is replaced, because there is nothing to come back to. */
export type EarlierFollowed = { type: "earlier.followed"; earlier: EarlierPayment; isLast: boolean };

/** `order.settled`: the payment that was found turned out to be paid. */
export type PayOnceEmitted = EarlierFollowed | OrderSettled;

export type PayOnceInput = {
  /** The ids of the orders that are not in the way: the user was told of them. */
  ignoredIds: readonly string[];
  /** What the invoking chart has found. It looks for the next one by itself. */
  found?: EarlierPayment | null;
  /** Kinds whose bill explains them: it is shown without a question, where this browser keeps the order, and leaves it behind there. */
  followedAtOnce?: readonly EarlierKind[];
  /** Kinds that do not delay the next payment. */
  passedAtOnce?: readonly EarlierKind[];
  isLast: boolean;
};

/**
 * `free`: money may be asked for, `earlier` being what was passed at once. `failed`: the API could not be asked.
 * `ignoredIds` holds the payments that the user was told of by now, too.
 */
export type PayOnceOutput = {
  end: "free" | "followed" | "dismissed" | "failed";
  ignoredIds: readonly string[];
  earlier: EarlierPayment | null;
  error: CallError | null;
};

/** A guard of a chart that invokes this one. */
export const endsAs = (_: unknown, { end, output }: Pick<PayOnceOutput, "end"> & { output: PayOnceOutput }) =>
  output.end === end;

type Done = { event: { output: PayOnceOutput } };

/** For `onDone` of a chart that invokes this one: such an end leads to `target`, and what was learnt is kept. */
export const endLeadsTo = <T extends string>(end: PayOnceOutput["end"], target: T) =>
  ({
    guard: { type: "endsAs", params: ({ event }: Done) => ({ end, output: event.output }) },
    target,
    actions: { type: "keepChecked", params: outputOf<PayOnceOutput> },
  }) as const;

/** For `params` of the end `failed`; throws for another. */
export const errorOfEnd = ({ event: { output } }: Done): { error: CallError } => ({
  error: invariant(output.error),
});

/** For states that have found a payment; throws otherwise. */
export const earlierIn = ({ earlier }: Pick<PayOnceOutput, "earlier">): EarlierPayment => invariant(earlier);

export const payOnceMachine = setup({
  types: {
    context: {} as PayOnceInput & PayOnceOutput,
    input: {} as PayOnceInput,
    events: {} as PayOnceEvent,
    emitted: {} as PayOnceEmitted,
    output: {} as PayOnceOutput,
    tags: {} as "busy" | "slow",
  },
  actors: {} as PayOncePorts,
  delays: waitingDelays,
  guards: {
    isFound: ({ context }) => context.earlier !== null,
    isPassed: ({ context }) => context.passedAtOnce?.includes(earlierIn(context).kind) ?? false,
    isFollowed: ({ context }) => {
      const { kind, isElsewhere } = earlierIn(context);
      return isElsewhere !== true && (context.followedAtOnce?.includes(kind) ?? false);
    },
    isPaid: ({ context }) => earlierIn(context).kind === "paid",
    isFoundAlready: ({ context }) => !!context.found,
  },
  actions: {
    keepFound: assign({ earlier: (_, earlier: EarlierPayment | null) => earlier }),
    keepTold: assign(({ context }) => ({
      ignoredIds: [...context.ignoredIds, earlierIn(context).order.orderId],
      earlier: null,
    })),
    keepError: assign((_, { error }: { error: CallError }) => ({ end: "failed", error })),
    keepEnd: assign({ end: (_, { end }: Pick<PayOnceOutput, "end">) => end }),
    announcePaid: emit(({ context }): PayOnceEmitted => ({
      type: "order.settled",
      orderId: earlierIn(context).order.orderId,
      isPaid: true,
    })),
    announceFollowed: emit(({ context }): PayOnceEmitted => ({
      type: "earlier.followed",
      earlier: earlierIn(context),
      isLast: context.isLast,
    })),
  },
}).createMachine({
  id: "payOnce",
  context: ({ input }) => ({ ...input, earlier: input.found ?? null, error: null, end: "dismissed" }),
  output: ({ context: { end, ignoredIds, earlier, error } }) => ({ end, ignoredIds, earlier, error }),
  initial: "beginning",
  states: {
    beginning: { always: [{ guard: "isFound", target: "found" }, { target: "asking" }] },
    asking: {
      tags: "busy",
      invoke: {
        id: "findEarlier",
        src: "findEarlier",
        input: ({ context: { ignoredIds } }) => ({ ignoredIds }),
        onDone: keepOutputIn("heard", "keepFound"),
        onError: showErrorIn("over"),
      },
      ...waiting,
      on: { retry: { target: "asking", reenter: true }, cancel: "over" },
    },
    heard: { always: [{ guard: "isFound", target: "found" }, { target: "free" }] },
    // A paid one is stored at once.
    found: {
      always: [
        { guard: "isPassed", target: "free" },
        { guard: "isFollowed", target: "followed" },
        { guard: "isPaid", target: "telling", actions: "announcePaid" },
        { target: "telling" },
      ],
    },
    telling: {
      on: {
        "earlier.followed": "followed",
        "earlier.passed": [
          { guard: "isFoundAlready", target: "free", actions: "keepTold" },
          // There may be another earlier payment.
          { target: "asking", actions: "keepTold" },
        ],
        "earlier.dismissed": "over",
      },
    },
    free: { type: "final", entry: { type: "keepEnd", params: { end: "free" } } },
    followed: {
      type: "final",
      entry: [{ type: "keepEnd", params: { end: "followed" } }, "announceFollowed"],
    },
    over: { type: "final" },
  },
});
