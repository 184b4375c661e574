/** Paying by card in the five steps of the specification: 1 entering, 2 processing, 3 success, 4 failed, 5 cancelled. Specification, sections 2 (Card payment screen), 4 and 7; Decisions, "Card data" and "`payment.success` in the browser is not proof". */
import { assign, emit, setup, type PromiseActorLogic } from "xstate";
import {
  emptyCard,
  formatted,
  isFilled,
  wrongFields,
  type Card,
  type CardField,
  type YearMonth,
} from "./card-fields.ts";
import type { Offer } from "./catalogue.ts";
import { failureMet, failureOf, type Failure, type FailureMet } from "./failure.ts";
import type { OrderReading } from "./order.ts";
import { waiting, waitingDelays } from "./waiting.ts";

/** `amount` is decimal USD; `reference` the provider's own order number. */
export type CardOrder = { orderId: string; amount: string; reference: string };

/** What the provider's script says of a payment that went through. The API checks the signature. */
export type CardProof = { paymentId: string; reference: string; signature: string };

/** What the provider's script says of one that did not. */
export class CardRefused extends Error {
  readonly description: string;
  readonly reason: string;
  readonly field: CardField | null;
  constructor(refusal: { description: string; reason: string; field: CardField | null }) {
    super(refusal.reason);
    this.name = "CardRefused";
    this.description = refusal.description;
    this.reason = refusal.reason;
    this.field = refusal.field;
  }
}

export type CardPorts = {
  createCardOrder: PromiseActorLogic<CardOrder, { offer: Offer; key: string }>;
  /** Loads the provider's script and the key to use it with. */
  openProvider: PromiseActorLogic<{ key: string }>;
  /** Hands the card to the provider, within the tap. Rejects with `CardRefused`. */
  payByCard: PromiseActorLogic<CardProof, { order: CardOrder; key: string; card: Card }>;
  verifyCard: PromiseActorLogic<OrderReading, { orderId: string; proof: CardProof }>;
  readOrder: PromiseActorLogic<OrderReading, { orderId: string }>;
};

/** `visit` is a fresh random word: retries within one visit are one order. */
export type CardInput = { offer: Offer; visit: string; today: YearMonth };

type CardEvent =
  | { type: "card.edited"; field: CardField; text: string }
  | { type: "pay.asked" }
  | { type: "retry.asked" }
  | { type: "close.asked" }
  | { type: "waiting.dropped" }
  | { type: "asked.again" };

export type CardEmitted =
  /** Paid, and on to the personal centre. */
  | { type: "card.closed" }
  | { type: "order.settled"; orderId: string }
  /** The provider took the money, the API has not heard of it yet: the bill goes on asking. */
  | { type: "bill.asked"; orderId: string; status: number; amount: string; createdAt: string }
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
  /** The provider's description of what went wrong. */
  description: string | null;
  failure: Failure | null;
};

type Refusal = { description: string; reason: string; field: CardField | null };
const refusalOf = (error: unknown): Refusal =>
  error instanceof CardRefused ? error : { description: "", reason: "", field: null };

/** What only a state that has an order may ask of its context. */
const orderOf = ({ order }: CardContext): CardOrder => {
  if (!order) throw new Error("A card is charged only for an order.");
  return order;
};

export const cardMachine = setup({
  types: {
    context: {} as CardContext,
    input: {} as CardInput,
    events: {} as CardEvent,
    emitted: {} as CardEmitted,
    /** `step1` to `step5` are the specification's; `guarded`: leaving asks first. */
    tags: {} as "step1" | "step2" | "step3" | "step4" | "step5" | "busy" | "slow" | "guarded",
  },
  actors: {} as CardPorts,
  delays: { ...waitingDelays, askAgain: 3_000, mostAsking: 30_000 },
  guards: {
    isUnfilled: ({ context }) => !isFilled(context.card),
    isRight: ({ context }) => wrongFields(context.card, context.today).length === 0,
    isConfirmed: (_, { reading }: { reading: OrderReading }) => reading.status === 1,
    isFailed: (_, { reading }: { reading: OrderReading }) => reading.status === 9,
    isCancelled: (_, { description, reason }: Refusal) =>
      /cancelled/i.test(description) || reason === "payment_cancelled",
  },
  actions: {
    keepOrder: assign({ order: (_, { order }: { order: CardOrder }) => order }),
    spendOrder: assign({ order: null, spent: ({ context }) => context.spent + 1 }),
    keepKey: assign({ key: (_, { key }: { key: string }) => key }),
    edit: assign(({ context }, { field, text }: { field: CardField; text: string }) => ({
      card: { ...context.card, [field]: formatted(field, text, context.card[field]) },
      wrong: context.wrong.filter((one) => one !== field),
    })),
    markWrong: assign({ wrong: ({ context }) => wrongFields(context.card, context.today) }),
    clearWrong: assign({ wrong: [], description: null }),
    /** Nothing of a card outlives its payment. */
    wipeCard: assign({ card: emptyCard }),
    keepProof: assign({ proof: (_, { proof }: { proof: CardProof }) => proof }),
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
    announceClosed: emit({ type: "card.closed" }),
    announceBill: emit(({ context }): CardEmitted => {
      const { orderId, amount } = orderOf(context);
      return { type: "bill.asked", orderId, status: 0, amount, createdAt: "" };
    }),
  },
}).createMachine({
  id: "card",
  context: ({ input }) => ({
    ...input,
    order: null,
    spent: 0,
    key: null,
    card: emptyCard,
    wrong: [],
    proof: null,
    description: null,
    failure: null,
  }),
  initial: "preparing",
  states: {
    // The provider is called within the tap, so all that it needs is here before the tap.
    preparing: {
      initial: "ordering",
      on: { "asked.again": "preparing" },
      states: {
        ordering: {
          invoke: {
            id: "createCardOrder",
            src: "createCardOrder",
            input: ({ context: { offer, visit, spent } }) => ({ offer, key: `${visit}-card-${spent}` }),
            onDone: {
              target: "openingProvider",
              actions: { type: "keepOrder", params: ({ event }) => ({ order: event.output }) },
            },
            onError: {
              target: "#card.unavailable",
              actions: { type: "keepFailure", params: ({ event }) => ({ failure: failureOf(event.error) }) },
            },
          },
          ...waiting,
        },
        openingProvider: {
          invoke: {
            id: "openProvider",
            src: "openProvider",
            onDone: {
              target: "#card.entering",
              actions: { type: "keepKey", params: ({ event }) => event.output },
            },
            onError: {
              target: "#card.unavailable",
              actions: { type: "keepFailure", params: ({ event }) => ({ failure: failureOf(event.error) }) },
            },
          },
          ...waiting,
        },
      },
    },
    unavailable: { on: { "asked.again": "preparing" } },
    entering: {
      tags: ["step1", "guarded"],
      on: {
        "card.edited": { actions: { type: "edit", params: ({ event }) => event } },
        "pay.asked": [
          { guard: "isUnfilled" },
          { guard: "isRight", target: "processing", actions: "clearWrong" },
          { actions: "markWrong" },
        ],
      },
    },
    processing: {
      tags: ["step2", "busy", "guarded"],
      exit: "wipeCard",
      invoke: {
        id: "payByCard",
        src: "payByCard",
        input: ({ context }) => ({ order: orderOf(context), key: context.key ?? "", card: context.card }),
        onDone: {
          target: "verifying",
          actions: { type: "keepProof", params: ({ event }) => ({ proof: event.output }) },
        },
        onError: [
          {
            guard: { type: "isCancelled", params: ({ event }) => refusalOf(event.error) },
            target: "unpaid.outcome.cancelled",
            actions: { type: "keepRefusal", params: ({ event }) => refusalOf(event.error) },
          },
          {
            target: "unpaid.outcome.failed",
            actions: { type: "keepRefusal", params: ({ event }) => refusalOf(event.error) },
          },
        ],
      },
      ...waiting,
      // The provider's window may be gone without a word; what became of the payment is asked before the next try.
      on: { "waiting.dropped": "unpaid.outcome.cancelled" },
    },
    // The browser's word is not proof: success is shown on the API's.
    verifying: {
      tags: ["step2", "busy", "guarded"],
      initial: "checking",
      after: { mostAsking: { target: "handedOver", actions: "announceBill" } },
      states: {
        checking: {
          invoke: {
            id: "verifyCard",
            src: "verifyCard",
            input: ({ context }) => ({
              orderId: orderOf(context).orderId,
              proof: context.proof ?? { paymentId: "", reference: "", signature: "" },
            }),
            onDone: [
              {
                guard: { type: "isConfirmed", params: ({ event }) => ({ reading: event.output }) },
                target: "#card.paid",
              },
              { target: "pausing" },
            ],
            // An API without this call learns of the payment from the provider; its order tells.
            onError: "asking",
          },
        },
        asking: {
          invoke: {
            id: "readOrder",
            src: "readOrder",
            input: ({ context }) => ({ orderId: orderOf(context).orderId }),
            onDone: [
              {
                guard: { type: "isConfirmed", params: ({ event }) => ({ reading: event.output }) },
                target: "#card.paid",
              },
              {
                guard: { type: "isFailed", params: ({ event }) => ({ reading: event.output }) },
                target: "#card.unpaid.outcome.failed",
              },
              { target: "pausing" },
            ],
            onError: "pausing",
          },
        },
        pausing: { after: { askAgain: "asking" } },
      },
    },
    handedOver: {},
    paid: {
      tags: "step3",
      entry: "announceSettled",
      on: { "close.asked": { actions: "announceClosed" } },
    },
    unpaid: {
      type: "parallel",
      states: {
        outcome: {
          initial: "failed",
          states: { failed: { tags: "step4" }, cancelled: { tags: "step5" } },
        },
        retry: {
          initial: "resting",
          states: {
            resting: { on: { "retry.asked": "recalling" } },
            // What failed in the browser may have gone through after all: nobody pays twice.
            recalling: {
              tags: "busy",
              invoke: {
                id: "recallOrder",
                src: "readOrder",
                input: ({ context }) => ({ orderId: orderOf(context).orderId }),
                onDone: [
                  {
                    guard: { type: "isConfirmed", params: ({ event }) => ({ reading: event.output }) },
                    target: "#card.paid",
                  },
                  {
                    guard: { type: "isFailed", params: ({ event }) => ({ reading: event.output }) },
                    target: "#card.preparing",
                    actions: "spendOrder",
                  },
                  { target: "#card.entering" },
                ],
                onError: {
                  target: "resting",
                  actions: {
                    type: "announceFailure",
                    params: ({ event }) => ({ failure: failureOf(event.error) }),
                  },
                },
              },
            },
          },
        },
      },
    },
  },
});
