/** Card payment in the five steps of the specification: 1 entering, 2 processing, 3 success, 4 failed, 5 cancelled. Specification, sections 2 (Card payment screen), 4 and 7; Decisions, "Card data" and "Pay once". */
import { not, type SnapshotFrom } from "xstate";
import { emptyCard } from "./card-fields.ts";
import { card, keyOf, orderOf, cardErrorOf } from "./card-setup.ts";
import { showErrorIn, keepOutputIn, outputOf } from "./call-error.ts";
import { endLeadsTo } from "./pay-once.ts";
import { waiting } from "./slow-request.ts";

/** The provider must be called within the tap, so order, key and script are loaded before it. */
const preparing = card.createStateConfig({
  initial: "ordering",
  on: { retry: "payingOnce" },
  states: {
    ordering: {
      invoke: {
        id: "createCardOrder",
        src: "createCardOrder",
        input: ({ context: { offer, visit, spent } }) => ({ offer, key: `${visit}-card-${spent}` }),
        onDone: keepOutputIn("pricing", "keepOrder"),
        onError: showErrorIn("#card.unavailable"),
      },
      ...waiting,
    },
    pricing: { always: [{ guard: "isAsAgreed", target: "openingProvider" }, { target: "#card.repriced" }] },
    openingProvider: {
      invoke: {
        id: "openProvider",
        src: "openProvider",
        onDone: keepOutputIn("#card.entering", "keepKey"),
        onError: showErrorIn("#card.unavailable"),
      },
      ...waiting,
    },
  },
});

/** The API confirms what the provider's script called paid. */
const verifying = card.createStateConfig({
  tags: ["step2", "busy", "guarded"],
  invoke: {
    id: "result",
    src: "result",
    input: ({ context }) => ({ order: orderOf(context), proof: context.proof, claim: "taken" as const }),
    onDone: [{ guard: { type: "isPaid", params: outputOf }, target: "paid" }, { target: "handedOver" }],
  },
  on: { cancel: { actions: "tellResult" } },
});

/** A payment that failed in the browser may have gone through, and is paid again only once the API says otherwise. */
const unpaid = card.createStateConfig({
  invoke: {
    id: "result",
    src: "result",
    // The result of one attempt says nothing about earlier attempts at the same order.
    input: ({ context }) => ({
      order: orderOf(context),
      proof: null,
      claim: context.unsettled ? ("unknown" as const) : ("failed" as const),
    }),
    onDone: [
      { guard: { type: "isPaid", params: outputOf }, target: "paid" },
      {
        guard: { type: "isFailed", params: outputOf },
        target: "preparing.ordering",
        actions: "spendOrder",
      },
      { target: "entering" },
    ],
  },
  on: { cancel: { actions: "tellResult" }, "page.visible": { actions: "tellResult" } },
  initial: "failed",
  states: {
    failed: { tags: "step4" },
    // The provider gave no reason, so the payment may have gone through.
    unheard: { tags: ["step4", "open"] },
    cancelled: { tags: "step5" },
    // The user cancelled here, but the provider or the bank may still complete the payment.
    dropped: { tags: ["step5", "open"] },
  },
});

export const cardMachine = card.createMachine({
  id: "card",
  context: ({ input }) => ({
    ...input,
    order: null,
    agreed: input.offer.buy_price,
    earlier: null,
    spent: 0,
    unsettled: false,
    key: null,
    card: emptyCard,
    wrong: [],
    proof: null,
    description: null,
    error: null,
  }),
  initial: "payingOnce",
  states: {
    // The result of an earlier payment is checked before the next one.
    payingOnce: {
      invoke: {
        id: "payOnce",
        src: "payOnce",
        input: ({ context: { ignoredIds } }) => ({
          ignoredIds,
          followedAtOnce: ["open"] as const,
          // The provider may offer the same order for payment again.
          passedAtOnce: ["reported"] as const,
          isLast: true,
        }),
        onDone: [
          endLeadsTo("free", "preparing"),
          endLeadsTo("followed", "leaving"),
          endLeadsTo("failed", "unavailable"),
          { target: "leaving", actions: "announceClosed" },
        ],
      },
      on: { retry: { actions: "askAgain" } },
    },
    preparing,
    // The API sets the amount; if it differs from the one shown, the user agrees to it before there is a form.
    repriced: {
      on: {
        "price.accepted": { target: "preparing.openingProvider", actions: "agree" },
        "price.declined": { target: "leaving", actions: "announceClosed" },
      },
    },
    unavailable: { on: { retry: "payingOnce", "screen.activated": "payingOnce" } },
    entering: {
      tags: ["step1", "guarded"],
      initial: "filling",
      on: { "card.edited": { actions: { type: "edit", params: ({ event }) => event } } },
      states: {
        filling: { always: { guard: "isFilled", target: "filled" } },
        filled: {
          always: { guard: not("isFilled"), target: "filling" },
          on: {
            "pay.requested": [
              { guard: "isRight", target: "#card.processing", actions: "clearWrong" },
              { actions: "markWrong" },
            ],
          },
        },
      },
    },
    processing: {
      tags: ["step2", "busy", "guarded"],
      exit: "wipeCard",
      invoke: {
        id: "payByCard",
        src: "payByCard",
        input: ({ context }) => ({
          order: orderOf(context),
          key: keyOf(context),
          card: context.card,
          offer: context.offer,
          visit: context.visit,
          ignoredIds: context.ignoredIds,
        }),
        onDone: keepOutputIn("verifying", "keepProof"),
        onError: [
          {
            guard: { type: "isEarlier", params: ({ event }) => event },
            target: "handedOver",
            actions: [{ type: "keepFound", params: ({ event }) => event }, "announceFollowed"],
          },
          {
            guard: { type: "isCancelled", params: ({ event }) => cardErrorOf(event.error) },
            target: "unpaid.cancelled",
            actions: { type: "keepCardError", params: ({ event }) => cardErrorOf(event.error) },
          },
          {
            guard: { type: "isDeclined", params: ({ event }) => cardErrorOf(event.error) },
            target: "unpaid.failed",
            actions: { type: "keepCardError", params: ({ event }) => cardErrorOf(event.error) },
          },
          { target: "unpaid.unheard", actions: "leaveUnsettled" },
        ],
      },
      ...waiting,
      on: { cancel: { target: "unpaid.dropped", actions: "leaveUnsettled" } },
    },
    verifying,
    // Until the earlier payment's bill or the personal centre is shown. No payment is under way.
    leaving: {},
    // Until the bill screen is shown.
    handedOver: { tags: ["step2", "busy"] },
    paid: {
      tags: "step3",
      entry: "announceSettled",
      on: { "close.requested": { actions: "announceClosed" } },
    },
    unpaid,
  },
});

/** What the result screen says. `open`: the bank may still accept the payment. */
export type CardOutcome = "paid" | "failed" | "cancelled" | "open";

export const cardOutcome = (snapshot: SnapshotFrom<typeof cardMachine>): CardOutcome => {
  if (snapshot.hasTag("step3")) return "paid";
  if (snapshot.hasTag("open")) return "open";
  return snapshot.hasTag("step5") ? "cancelled" : "failed";
};
