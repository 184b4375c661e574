/** Card payment: the types, ports, guards and actions of the chart in `card.ts`. Specification, sections 2 (Card payment screen), 4 and 7. */
import { assign, emit, sendTo, setup, type PromiseActorLogic } from "xstate";
import {
  emptyCard,
  formatted,
  isFilled,
  wrongFields,
  type Card,
  type CardField,
  type Edit,
  type YearMonth,
} from "./card-fields.ts";
import { CardError, type CardErrorDetails } from "./card-error.ts";
import {
  cardResultMachine,
  type CardOrder,
  type CardProof,
  type CardResult,
  type CardResultEvent,
} from "./card-result.ts";
import type { Offer } from "./catalogue.ts";
import { EarlierFound, type EarlierPayment } from "./earlier-orders.ts";
import { CallFailed, type CallError } from "./call-error.ts";
import { sameAmount } from "../src/contract/money.ts";
import { invariant } from "./invariant.ts";
import type { OrderSettled } from "./order-status.ts";
import { earlierIn, endsAs, payOnceMachine, type EarlierFollowed, type PayOnceOutput } from "./pay-once.ts";
import { waitingDelays } from "./slow-request.ts";

export type CardPorts = {
  createCardOrder: PromiseActorLogic<CardOrder, { offer: Offer; key: string }>;
  /** Loads the provider's script and the key that it needs. */
  openProvider: PromiseActorLogic<{ key: string }>;
  /**
   * Stores that the payment begins and hands the card to the provider, both within the tap. Null when it went
   * through but the answer is unreadable. Rejects with `CardError`, or with `EarlierFound` (nothing is sent) when
   * another tab has begun or seen paid a payment that is not in `ignoredIds`.
   */
  payByCard: PromiseActorLogic<CardProof | null, CardCharge>;
};

/** The data of one attempt. */
export type CardCharge = {
  order: CardOrder;
  key: string;
  card: Card;
  offer: Offer;
  visit: string;
  ignoredIds: readonly string[];
};

/**
 * `visit` is a fresh random nonce, so that retries within one visit create one order. `ignoredIds` holds the ids of
 * orders paid before it.
 */
export type CardInput = { offer: Offer; visit: string; today: YearMonth; ignoredIds: readonly string[] };

type CardEvent =
  | ({ type: "card.edited"; field: CardField } & Edit)
  | { type: "pay.requested" }
  | { type: "price.accepted" }
  | { type: "price.declined" }
  | { type: "close.requested" }
  | { type: "cancel" }
  | { type: "screen.activated" }
  /** The page became visible or online again. */
  | { type: "page.visible" }
  | { type: "retry" };

export type CardEmitted =
  /** Paid, or not wanted at its price: go to the personal centre. */
  { type: "card.closed" } | OrderSettled | EarlierFollowed;

type CardContext = CardInput & {
  order: CardOrder | null;
  /** The price that the user was shown, or agreed to since. */
  agreed: string;
  /** A payment before this one that was reported failed, or that another tab has begun. */
  earlier: EarlierPayment | null;
  /** How many orders the API has called failed: each new order needs its own idempotency key. */
  spent: number;
  key: string | null;
  card: Card;
  /** The fields in error. */
  wrong: readonly CardField[];
  proof: CardProof | null;
  /** Whether an attempt at this order may still go through, because its result is unknown. */
  unsettled: boolean;
  /** The provider's error description. */
  description: string | null;
  error: CallError | null;
};

/** For a rejection of the provider's port. Another error than the provider's came before the card was sent. */
export const cardErrorOf = (error: unknown): CardErrorDetails => {
  if (error instanceof CardError) return error;
  return { outcome: error instanceof CallFailed ? "failed" : "unknown", description: "", field: null };
};

/** For states that have an order; throws otherwise. */
export const orderOf = ({ order }: CardContext): CardOrder => invariant(order);

/** For states in which the provider is loaded; throws otherwise. */
export const keyOf = ({ key }: CardContext): string => invariant(key);

export const card = setup({
  types: {
    context: {} as CardContext,
    input: {} as CardInput,
    events: {} as CardEvent,
    emitted: {} as CardEmitted,
    children: {} as { payOnce: "payOnce"; result: "result" },
    /**
     * `step1` to `step5` are the specification's steps; `guarded`: leaving asks for confirmation; `open`: the bank
     * may still accept the payment.
     */
    tags: {} as "step1" | "step2" | "step3" | "step4" | "step5" | "busy" | "slow" | "guarded" | "open",
  },
  actors: { payOnce: payOnceMachine, result: cardResultMachine } as CardPorts & {
    payOnce: typeof payOnceMachine;
    result: typeof cardResultMachine;
  },
  delays: waitingDelays,
  guards: {
    endsAs,
    isEarlier: (_, { error }: { error: unknown }) => error instanceof EarlierFound,
    isAsAgreed: ({ context }) => sameAmount(orderOf(context).amount, context.agreed),
    isFilled: ({ context }) => isFilled(context.card),
    isRight: ({ context }) => wrongFields(context.card, context.today).length === 0,
    isPaid: (_, became: CardResult) => became === "paid",
    isFailed: (_, became: CardResult) => became === "failed",
    isCancelled: (_, { outcome }: CardErrorDetails) => outcome === "cancelled",
    isDeclined: (_, { outcome }: CardErrorDetails) => outcome === "failed",
  },
  actions: {
    keepChecked: assign((_, { ignoredIds, earlier, error }: PayOnceOutput) => ({
      ignoredIds,
      earlier,
      error,
    })),
    askAgain: sendTo("payOnce", { type: "retry" }),
    keepFound: assign({
      earlier: (_, { error }: { error: unknown }) => (error instanceof EarlierFound ? error.earlier : null),
    }),
    announceFollowed: emit(({ context }): CardEmitted => ({
      type: "earlier.followed",
      earlier: earlierIn(context),
      isLast: true,
    })),
    /** If this order differs from the one reported failed, both could be charged, so the result counts as open. */
    keepOrder: assign(({ context: { earlier, unsettled } }, order: CardOrder) => ({
      order,
      unsettled: unsettled || (earlier !== null && earlier.order.orderId !== order.orderId),
      earlier: null,
    })),
    agree: assign(({ context }) => ({ agreed: orderOf(context).amount })),
    spendOrder: assign({ order: null, spent: ({ context }) => context.spent + 1, unsettled: false }),
    keepKey: assign({ key: (_, { key }: { key: string }) => key }),
    edit: assign(({ context }, { field, ...edit }: { field: CardField } & Edit) => ({
      card: { ...context.card, [field]: formatted(field, edit, context.card[field]) },
      wrong: context.wrong.filter((one) => one !== field),
    })),
    markWrong: assign({ wrong: ({ context }) => wrongFields(context.card, context.today) }),
    clearWrong: assign({ wrong: [], description: null }),
    /** Card data is deleted as soon as the payment ends. */
    wipeCard: assign({ card: emptyCard }),
    keepProof: assign({ proof: (_, proof: CardProof | null) => proof }),
    keepCardError: assign((_, { description, field }: CardErrorDetails) => ({
      description: description === "" ? null : description,
      wrong: field === null ? [] : [field],
    })),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
    announceSettled: emit(({ context }): CardEmitted => ({
      type: "order.settled",
      orderId: orderOf(context).orderId,
      isPaid: true,
    })),
    leaveUnsettled: assign({ unsettled: true }),
    announceClosed: emit({ type: "card.closed" }),
    tellResult: sendTo("result", ({ event }) => event as CardResultEvent),
  },
});
