/** What paying by card knows, hears, asks and does; `card.ts` says when. Specification, sections 2 (Card payment screen), 4 and 7. */
import { assign, emit, enqueueActions, setup, type PromiseActorLogic } from "xstate";
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
import { CardRefused, type Refusal } from "./card-refusal.ts";
import type { Offer } from "./catalogue.ts";
import { CallFailed, failureMet, type Failure, type FailureMet } from "./failure.ts";
import type { BillAsked } from "./order.ts";
import { isConfirmed, isFailed, type OrderReading } from "./reading.ts";
import type { PaymentBegun, PaymentFailed } from "./unfinished.ts";
import { waitingDelays } from "./waiting.ts";

/** `amount` is decimal USD; `reference` the provider's own order number. */
export type CardOrder = { orderId: string; amount: string; reference: string };

/** What the provider's script says of a payment that went through. The API checks the signature. */
export type CardProof = { paymentId: string; reference: string; signature: string };

export type CardPorts = {
  createCardOrder: PromiseActorLogic<CardOrder, { offer: Offer; key: string }>;
  /** Loads the provider's script and the key to use it with. */
  openProvider: PromiseActorLogic<{ key: string }>;
  /** Hands the card to the provider, within the tap. Null where it went through and nothing can be read of it. Rejects with `CardRefused`. */
  payByCard: PromiseActorLogic<CardProof | null, { order: CardOrder; key: string; card: Card }>;
  verifyCard: PromiseActorLogic<OrderReading, { orderId: string; proof: CardProof }>;
  readOrder: PromiseActorLogic<OrderReading, { orderId: string }>;
};

/** `visit` is a fresh random word: retries within one visit are one order. */
export type CardInput = { offer: Offer; visit: string; today: YearMonth };

type CardEvent =
  | ({ type: "card.edited"; field: CardField } & Edit)
  | { type: "pay.asked" }
  | { type: "retry.asked" }
  | { type: "close.asked" }
  | { type: "waiting.dropped" }
  | { type: "page.shown" }
  | { type: "asked.again" };

export type CardEmitted =
  /** Paid, and on to the personal centre. */
  | { type: "card.closed" }
  | { type: "order.settled"; orderId: string }
  /** The provider took the money, the API has not heard of it yet: the bill goes on asking. */
  | BillAsked
  | PaymentBegun
  | PaymentFailed
  | FailureMet;

type CardContext = CardInput & {
  order: CardOrder | null;
  /** Orders that the API called failed are over: the next one has a key of its own. */
  spent: number;
  key: string | null;
  card: Card;
  /** The fields in error. */
  wrong: readonly CardField[];
  proof: CardProof | null;
  /** Whether an attempt at this order may still go through: nobody has said what became of it. */
  unsettled: boolean;
  /** The provider's description of what went wrong. */
  description: string | null;
  failure: Failure | null;
};

export const refusalOf = (error: unknown): Refusal =>
  error instanceof CardRefused ? error : { code: "", description: "", reason: "", field: null };

/** What only a state that has an order may ask of its context. */
export const orderOf = ({ order }: CardContext): CardOrder => {
  if (!order) throw new Error("A card is charged only for an order.");
  return order;
};

/** What only a provider that is there gives. */
export const keyOf = ({ key }: CardContext): string => {
  if (key === null) throw new Error("A card goes only to a known provider.");
  return key;
};

/** What only a payment that went through has. */
export const proofOf = ({ proof }: CardContext): CardProof => {
  if (!proof) throw new Error("Only a proof is checked.");
  return proof;
};

export const card = setup({
  types: {
    context: {} as CardContext,
    input: {} as CardInput,
    events: {} as CardEvent,
    emitted: {} as CardEmitted,
    /** `step1` to `step5` are the specification's; `guarded`: leaving asks first; `open`: the bank has the last word still. */
    tags: {} as "step1" | "step2" | "step3" | "step4" | "step5" | "busy" | "slow" | "guarded" | "open",
  },
  actors: {} as CardPorts,
  delays: { ...waitingDelays, askAgain: 3_000, mostAsking: 30_000 },
  guards: {
    isFilled: ({ context }) => isFilled(context.card),
    isRight: ({ context }) => wrongFields(context.card, context.today).length === 0,
    isProven: (_, { proof }: { proof: CardProof | null }) => proof !== null,
    isConfirmed: (_, reading: OrderReading) => isConfirmed(reading),
    isFailed: (_, reading: OrderReading) => isFailed(reading),
    isCancelled: (_, { description, reason }: Refusal) =>
      /cancelled/i.test(description) || reason === "payment_cancelled",
    /** Refused in words, or never sent. Where the provider or the bank's gateway broke down meanwhile, words say nothing of the money. */
    isKnown: (_, { error }: { error: unknown }) => {
      const { code, description } = refusalOf(error);
      return error instanceof CallFailed || (description !== "" && !/^(server|gateway)_error$/i.test(code));
    },
  },
  actions: {
    keepOrder: assign({ order: (_, { order }: { order: CardOrder }) => order }),
    spendOrder: assign({ order: null, spent: ({ context }) => context.spent + 1, unsettled: false }),
    keepKey: assign({ key: (_, { key }: { key: string }) => key }),
    edit: assign(({ context }, { field, ...edit }: { field: CardField } & Edit) => ({
      card: { ...context.card, [field]: formatted(field, edit, context.card[field]) },
      wrong: context.wrong.filter((one) => one !== field),
    })),
    markWrong: assign({ wrong: ({ context }) => wrongFields(context.card, context.today) }),
    clearWrong: assign({ wrong: [], description: null }),
    /** Nothing of a card outlives its payment. */
    wipeCard: assign({ card: emptyCard }),
    keepProof: assign({ proof: (_, { proof }: { proof: CardProof | null }) => proof }),
    keepRefusal: assign((_, { description, field }: Refusal) => ({
      description: description === "" ? null : description,
      wrong: field === null ? [] : [field],
    })),
    keepFailure: assign({ failure: (_, { failure }: { failure: Failure }) => failure }),
    announceFailure: emit(failureMet),
    announceSettled: emit(({ context }): CardEmitted => ({
      type: "order.settled",
      orderId: orderOf(context).orderId,
    })),
    announceBegun: emit(({ context }): CardEmitted => {
      const { orderId, amount } = orderOf(context);
      const { name: packName, product_id: productId } = context.offer;
      return { type: "payment.begun", orderId, amount, packName, productId };
    }),
    leaveUnsettled: assign({ unsettled: true }),
    announceFailed: emit(({ context }): CardEmitted => ({
      type: "payment.failed",
      orderId: orderOf(context).orderId,
    })),
    /** What is known of one attempt says nothing of those before it. */
    announceRefused: enqueueActions(({ context, enqueue }) => {
      if (!context.unsettled) enqueue.emit({ type: "payment.failed", orderId: orderOf(context).orderId });
    }),
    announceClosed: emit({ type: "card.closed" }),
    announceBill: emit(({ context }): CardEmitted => {
      const { orderId, amount } = orderOf(context);
      return { type: "bill.asked", orderId, status: 0, amount, createdAt: "", isLast: true };
    }),
  },
});
