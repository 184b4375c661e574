/** Paying by card on our own screen, and the webhooks of the card provider and Stripe. Specification, section 7; decisions, "`payment.success` in the browser is not proof". */
import { Hono, type Context } from "hono";
import { paths, type CardKey, type CreatedCardOrder } from "../../contract/calls.ts";
import { cardPayment, newCardOrder } from "../../contract/requests.ts";
import { MINUTE } from "../../contract/durations.ts";
import { languageFor, succeed } from "../http/answers.ts";
import { readBody } from "../http/body.ts";
import { principalFor } from "../http/principal.ts";
import type { Env, Service } from "../http/service.ts";
import { ApiError } from "../platform/errors.ts";
import { memoryLimit } from "../limits/attempt-limits.ts";
import { factsOf } from "../platform/log.ts";
import { recordEvent } from "../http/security-events.ts";
import { buyerOf, lookedUpOrder } from "../http/orders.ts";
import { detailOf, storedOrder } from "../payments/order-detail.ts";
import { madeOrder, placeOrder } from "../payments/orders.ts";
import type { CardRail } from "../payments/razorpay.ts";

/** Where the providers send their webhook events; the app never calls these. */
const CARD_WEBHOOK = "/api/razorpay/webhook";
const STRIPE_WEBHOOK = "/api/stripe/webhook";
export const webhooks: ReadonlySet<string> = new Set([CARD_WEBHOOK, STRIPE_WEBHOOK]);

/** Forged events that a process writes down in a minute: a stranger may send any number of them. The log has a line of each. */
const MOST_RECORDED = 60;

export function providerRoutes(service: Service) {
  const { card, stripe, log, now } = service;
  const mayRecord = memoryLimit(MOST_RECORDED, MINUTE, now);
  const routes = new Hono<Env>();

  function openCard(): CardRail {
    if (!card) throw ApiError.of("methodClosed");
    return card;
  }

  /**
   * Providers read the status alone: anything but a success has them send the event again, and switch off an address that
   * goes on like that. So only what is not theirs, and what we could not do, is none.
   */
  async function answerWebhook(c: Context<Env>, process: (raw: Uint8Array) => Promise<boolean>) {
    const raw = new Uint8Array(await c.req.arrayBuffer());
    try {
      if (await process(raw)) return c.json({ received: true });
      if (mayRecord()) await recordEvent(c, service, "webhook refused", null);
      return c.json({ received: false }, 400);
    } catch (error) {
      log("webhook failed", { request: c.var.requestId, path: c.req.path, ...factsOf(error) }, "error");
      return c.json({ received: false }, 500);
    }
  }

  routes.post(paths.createCardOrder, async (c) => {
    const principal = await principalFor(c, service);
    if (!principal) throw ApiError.unauthenticated();
    const wanted = await readBody(c, newCardOrder);
    openCard();
    const order = await placeOrder(service, buyerOf(c, service, principal), wanted, {
      rail: "card",
      network: null,
    });
    const answer: CreatedCardOrder = {
      order: { ...madeOrder(order), third_reference_id: order.thirdReferenceId ?? "" },
    };
    return succeed(c, answer);
  });

  // Without the envelope. Specification, section 7: the card key call, status 200 alone.
  routes.get(paths.cardKey, (c) => {
    const answer: CardKey = { key: openCard().account.keyId };
    return c.json(answer);
  });

  routes.post(paths.verifyCard, async (c) => {
    const principal = await principalFor(c, service);
    if (!principal) throw ApiError.signedOut();
    const rail = openCard();
    const proof = await readBody(c, cardPayment);
    const order = await storedOrder(service, principal.id, proof.order_id);
    const reference = order.rail === "card" ? order.thirdReferenceId : null;
    if (reference === null) throw ApiError.of("orderUnknown");
    const { razorpay_payment_id: paymentId, razorpay_signature: signature } = proof;
    if (proof.razorpay_order_id !== reference || !(await rail.verify(order, { paymentId, signature }))) {
      throw ApiError.of("paymentUnverified");
    }
    return succeed(c, await detailOf(service, await lookedUpOrder(c, service, order.id), languageFor(c)));
  });

  routes.post(CARD_WEBHOOK, (c) =>
    answerWebhook(c, async (raw) => {
      const signature = c.req.header("X-Razorpay-Signature") ?? "";
      const eventId = c.req.header("X-Razorpay-Event-Id") ?? "";
      return card !== null && (await card.processWebhook({ raw, signature, eventId }));
    }),
  );

  routes.post(STRIPE_WEBHOOK, (c) =>
    answerWebhook(c, async (raw) => {
      const signature = c.req.header("Stripe-Signature") ?? "";
      return stripe !== null && (await stripe.processWebhook({ raw, signature }));
    }),
  );

  return routes;
}
