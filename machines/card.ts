/** Paying by card in the five steps of the specification: 1 entering, 2 processing, 3 success, 4 failed, 5 cancelled. Specification, sections 2 (Card payment screen), 4 and 7; Decisions, "Card data" and "`payment.success` in the browser is not proof". */
import { not } from "xstate";
import { emptyCard } from "./card-fields.ts";
import { card, keyOf, orderOf, proofOf, refusalOf } from "./card-setup.ts";
import { failureOf } from "./failure.ts";
import { waiting } from "./waiting.ts";

/** The provider is called within the tap, so all that it needs is here before the tap. */
const preparing = card.createStateConfig({
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
});

/** The browser's word is not proof: success is shown on the API's. Where that is not to be had here, the bill goes on asking. */
const asking = card.createStateConfig({
  initial: "checking",
  states: {
    checking: {
      invoke: {
        id: "verifyCard",
        src: "verifyCard",
        input: ({ context }) => ({ orderId: orderOf(context).orderId, proof: proofOf(context) }),
        onDone: [
          { guard: { type: "isConfirmed", params: ({ event }) => event.output }, target: "#card.paid" },
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
          { guard: { type: "isConfirmed", params: ({ event }) => event.output }, target: "#card.paid" },
          // The provider has the money and the API an order that failed: the bill says whom to turn to.
          {
            guard: { type: "isFailed", params: ({ event }) => event.output },
            target: "#card.handedOver",
            actions: "announceBill",
          },
          { target: "pausing" },
        ],
        onError: "pausing",
      },
    },
    pausing: { after: { askAgain: "asking" } },
  },
});

const verifying = card.createStateConfig({
  tags: ["step2", "busy", "guarded"],
  type: "parallel",
  states: { word: asking, patience: waiting },
  on: { "waiting.dropped": { target: "handedOver", actions: "announceBill" } },
  after: { mostAsking: { target: "handedOver", actions: "announceBill" } },
});

/** What failed in the browser may have gone through after all: nobody pays twice. */
const unpaid = card.createStateConfig({
  type: "parallel",
  states: {
    outcome: {
      initial: "failed",
      states: {
        failed: { tags: "step4" },
        // Without a word it may have gone through all the same.
        unheard: { tags: ["step4", "open"] },
        cancelled: { tags: "step5" },
        // Given up here, and by nobody else: the provider's window may be gone without a word, or the bank still at it.
        dropped: { tags: ["step5", "open"] },
      },
    },
    retry: {
      initial: "resting",
      states: {
        resting: { on: { "retry.asked": "recalling" } },
        recalling: {
          tags: "busy",
          invoke: {
            id: "recallOrder",
            src: "readOrder",
            input: ({ context }) => ({ orderId: orderOf(context).orderId }),
            onDone: [
              { guard: { type: "isConfirmed", params: ({ event }) => event.output }, target: "#card.paid" },
              {
                guard: { type: "isFailed", params: ({ event }) => event.output },
                target: "#card.preparing",
                actions: ["announceFailed", "spendOrder"],
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
          ...waiting,
          on: { "waiting.dropped": "resting" },
        },
      },
    },
  },
});

export const cardMachine = card.createMachine({
  id: "card",
  context: ({ input }) => ({
    ...input,
    order: null,
    spent: 0,
    unsettled: false,
    key: null,
    card: emptyCard,
    wrong: [],
    proof: null,
    description: null,
    failure: null,
  }),
  initial: "preparing",
  states: {
    preparing,
    unavailable: { on: { "asked.again": "preparing", "page.shown": "preparing" } },
    entering: {
      tags: ["step1", "guarded"],
      initial: "filling",
      on: { "card.edited": { actions: { type: "edit", params: ({ event }) => event } } },
      states: {
        filling: { always: { guard: "isFilled", target: "filled" } },
        filled: {
          always: { guard: not("isFilled"), target: "filling" },
          on: {
            "pay.asked": [
              { guard: "isRight", target: "#card.processing", actions: "clearWrong" },
              { actions: "markWrong" },
            ],
          },
        },
      },
    },
    processing: {
      tags: ["step2", "busy", "guarded"],
      entry: "announceBegun",
      exit: "wipeCard",
      invoke: {
        id: "payByCard",
        src: "payByCard",
        input: ({ context }) => ({ order: orderOf(context), key: keyOf(context), card: context.card }),
        onDone: [
          {
            guard: { type: "isProven", params: ({ event }) => ({ proof: event.output }) },
            target: "verifying",
            actions: { type: "keepProof", params: ({ event }) => ({ proof: event.output }) },
          },
          // The provider took the money: what became of it, the order tells.
          { target: "verifying.word.asking" },
        ],
        onError: [
          {
            guard: { type: "isCancelled", params: ({ event }) => refusalOf(event.error) },
            target: "unpaid.outcome.cancelled",
            actions: [
              { type: "keepRefusal", params: ({ event }) => refusalOf(event.error) },
              "announceRefused",
            ],
          },
          {
            guard: { type: "isKnown", params: ({ event }) => event },
            target: "unpaid.outcome.failed",
            actions: [
              { type: "keepRefusal", params: ({ event }) => refusalOf(event.error) },
              "announceRefused",
            ],
          },
          { target: "unpaid.outcome.unheard", actions: "leaveUnsettled" },
        ],
      },
      ...waiting,
      on: { "waiting.dropped": { target: "unpaid.outcome.dropped", actions: "leaveUnsettled" } },
    },
    verifying,
    // Until the bill is there.
    handedOver: { tags: ["step2", "busy"] },
    paid: {
      tags: "step3",
      entry: "announceSettled",
      on: { "close.asked": { actions: "announceClosed" } },
    },
    unpaid,
  },
});
