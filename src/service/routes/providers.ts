/** Paying by card on our own screen, and the notices of the card provider and Stripe. Specification, section 7; decisions, "`payment.success` in the browser is not proof". */
import { Hono, type Context } from "hono";
import {
  cardPayment,
  newCardOrder,
  paths,
  type CardKey,
  type CreatedCardOrder,
} from "../../contract/calls.ts";
import { holderFor, readBody, Refusal, succeed, type Env, type Service } from "../answer.ts";
import { factsOf } from "../log.ts";
import { detailOf, madeOrder, orderOf, placeOrder } from "../orders.ts";
import { hearCard, isReceipt, type CardAccount } from "../rails/card.ts";
import { OrderUnknown, takePayment } from "../rails/provider.ts";
import { hearStripe } from "../rails/stripe.ts";

/** Where the providers send their notices; the app never calls these. */
const CARD_WEBHOOK = "/api/razorpay/webhook";
const STRIPE_WEBHOOK = "/api/stripe/webhook";

export function providerRoutes(service: Service) {
  const { db, now, card, stripe, log } = service;
  const routes = new Hono<Env>();

  function openCard(): CardAccount {
    if (!card) throw Refusal.because("methodClosed");
    return card;
  }

  /** Providers read the status alone: anything but a success has them send the notice again. */
  async function answerNotice(c: Context<Env>, hear: () => Promise<boolean>) {
    try {
      return (await hear()) ? c.json({ received: true }) : c.json({ received: false }, 400);
    } catch (error) {
      if (error instanceof OrderUnknown) {
        const { rail, paymentId } = error.taken;
        log("payment of no order", { rail, payment: paymentId });
        // Sending it again would not help. It is not noted either, so that it is heard once its order is there.
        return c.json({ received: true });
      }
      log("notice.failed", { path: c.req.path, ...factsOf(error) });
      return c.json({ received: false }, 500);
    }
  }

  routes.post(paths.createCardOrder, async (c) => {
    const holder = await holderFor(c, service);
    if (!holder) throw Refusal.unauthenticated();
    const wanted = await readBody(c, newCardOrder);
    openCard();
    const order = await placeOrder(c, service, holder.accountId, wanted, { rail: "card", network: null });
    const answer: CreatedCardOrder = {
      order: { ...madeOrder(order), third_reference_id: order.thirdReferenceId ?? "" },
    };
    return succeed(c, answer);
  });

  // Without the envelope. Specification, section 7: the card key call, status 200 alone.
  routes.get(paths.cardKey, (c) => {
    const answer: CardKey = { key: openCard().keyId };
    return c.json(answer);
  });

  routes.post(paths.verifyCard, async (c) => {
    const holder = await holderFor(c, service);
    if (!holder) throw Refusal.signedOut();
    const account = openCard();
    const said = await readBody(c, cardPayment);
    const order = await orderOf(service, holder.accountId, said.order_id);
    const reference = order.rail === "card" ? order.thirdReferenceId : null;
    if (reference === null) throw Refusal.because("orderUnknown");
    const { razorpay_payment_id: paymentId, razorpay_signature: signature } = said;
    if (said.razorpay_order_id !== reference || !isReceipt(account, reference, paymentId, signature)) {
      throw Refusal.because("paymentUnverified");
    }
    // The provider takes the amount of its order or nothing.
    await takePayment(db, { rail: "card", reference, paymentId, amount: order.amount }, now());
    return succeed(c, await detailOf(c, service, await orderOf(service, holder.accountId, order.id)));
  });

  routes.post(CARD_WEBHOOK, (c) =>
    answerNotice(c, async () => {
      const raw = await c.req.text();
      const signature = c.req.header("X-Razorpay-Signature") ?? "";
      const eventId = c.req.header("X-Razorpay-Event-Id") ?? "";
      return card !== null && (await hearCard(db, card, { raw, signature, eventId }, now()));
    }),
  );

  routes.post(STRIPE_WEBHOOK, (c) =>
    answerNotice(c, async () => {
      const raw = await c.req.text();
      const signature = c.req.header("Stripe-Signature") ?? "";
      return stripe !== null && (await hearStripe(db, stripe, { raw, signature }, now()));
    }),
  );

  return routes;
}
