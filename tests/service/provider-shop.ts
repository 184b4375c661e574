/** A shop with the card provider and Stripe, live, against their stand-in: its orders, and the webhook events that a test sends. */
import * as v from "valibot";
import { asc, eq } from "drizzle-orm";
import Stripe from "stripe";
import { createdCardOrder, createdCheckout } from "../../src/contract/calls.ts";
import { sign } from "../../src/service/payments/provider.ts";
import type { Store } from "../../src/service/store/database.ts";
import * as tables from "../../src/service/store/schema.ts";
import { KEYS, providerStandIn, signedProof } from "./provider-stand-in.ts";
import { serve, START } from "./support.ts";

const SECOND = 1_000;
export const monthly = { pack_id: "1", product_id: "monthly", payment_method: "razorpay" };
export const annual = { pack_id: "4", product_id: "annual", payment_method: "Stripe" };

let numbers = 0;
/** A number that no other test has. */
export const fresh = (prefix: string) => `${prefix}_${(numbers += 1)}`;

/** The live service on a database, its providers, and what they tell it. */
export async function providerShop(store: Store, changes: Parameters<typeof serve>[1] = {}) {
  const provider = await providerStandIn();
  const fixture = await serve(store, { sandbox: false, refreshSeconds: 0, ...provider.settings, ...changes });
  const { call, ask, ledger } = fixture;
  const token = await fixture.member();
  const card = (key = fresh("key")) =>
    call("/api/razorpay/order/create", { body: monthly, token, headers: { "Idempotency-Key": key } });
  const checkout = (key = fresh("key")) =>
    call("/api/order/create", { body: annual, token, headers: { "Idempotency-Key": key } });

  async function look(orderId: string) {
    const { data } = await call("/api/order/detail", { body: { order_id: orderId }, token });
    const { status, paid_amount } = data as { status: number; paid_amount: string };
    return { status, paid_amount };
  }
  const entries = async (orderId: string) =>
    (
      await store.db
        .select()
        .from(tables.membershipEntries)
        .where(eq(tables.membershipEntries.orderId, orderId))
        .orderBy(asc(tables.membershipEntries.id))
    ).map(({ reason }) => reason);
  const unmatched = async () =>
    (await store.db.select().from(tables.unmatchedPayments)).map(
      ({ rail, reason, amount, currency, orderId, resolvedAt }) => ({
        rail,
        reason,
        amount,
        currency,
        orderId,
        isOpen: resolvedAt === null,
      }),
    );

  /** Sends a webhook event of the card provider. `at`: seconds after the start. @returns the status */
  async function razorpayEvent(event: string, payload: object, at = 0, eventId = fresh("evt")) {
    const raw = JSON.stringify({ event, payload, created_at: START / SECOND + at });
    const headers = {
      "X-Razorpay-Signature": sign(raw, KEYS.razorpay.webhookSecret),
      "X-Razorpay-Event-Id": eventId,
    };
    return (await ask("/api/razorpay/webhook", { form: raw, headers })).status;
  }
  async function stripeEvent(type: string, object: object, at = 0, id = fresh("evt")) {
    const raw = JSON.stringify({ id, type, created: START / SECOND + at, data: { object } });
    const headers = { "Stripe-Signature": stripeHeader(raw) };
    return (await ask("/api/stripe/webhook", { form: raw, headers })).status;
  }
  const stripeHeader = (payload: string) =>
    Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: KEYS.stripe.webhookSecret,
      timestamp: fixture.clock.now / SECOND,
    });

  /** An order by card, and what the provider reports of a payment for it. */
  async function cardOrder() {
    const { data } = await card();
    const { order } = v.parse(createdCardOrder, data);
    const reference = order.third_reference_id;
    const id = order.order_id;
    const payment = fresh("pay");
    const entity = { id: payment, order_id: reference, amount: 399, currency: "USD", status: "captured" };
    const refund = (amount: number, refundId = fresh("rfnd")) => ({
      refund: { entity: { id: refundId, payment_id: payment, amount, currency: "USD" } },
      payment: { entity },
    });
    const dispute = (disputeId: string) => ({
      dispute: { entity: { id: disputeId, payment_id: payment, amount: 399, currency: "USD" } },
      payment: { entity },
    });
    return {
      id,
      reference,
      payment,
      entity,
      refund,
      dispute,
      captured: (change: object = {}, eventId?: string) =>
        razorpayEvent("payment.captured", { payment: { entity: { ...entity, ...change } } }, 0, eventId),
      /** Has the provider know of the payment, as it answers questions. */
      known: (change: object = {}) => provider.payments.push({ ...entity, ...change }),
      verify: (signature = signedProof(reference, payment)) =>
        call("/api/razorpay/verify", {
          token,
          body: {
            order_id: id,
            razorpay_order_id: reference,
            razorpay_payment_id: payment,
            razorpay_signature: signature,
          },
        }),
      seen: () => look(id),
      entries: () => entries(id),
    };
  }

  /** An order at Stripe, and what is reported of it. */
  async function stripeOrder() {
    const { order, payUrl } = v.parse(createdCheckout, (await checkout()).data);
    const id = order?.order_id ?? "";
    const session = provider.sessions.get(id);
    if (!session) throw new Error("Stripe has a session by the order's id.");
    const intent = fresh("pi");
    const charge = { id: fresh("ch"), payment_intent: intent, currency: "usd", amount: 2999 };
    const paid = { payment_status: "paid", status: "complete", payment_intent: intent };
    return {
      id,
      payUrl,
      session,
      intent,
      charge,
      completed: (change: object = {}) =>
        stripeEvent("checkout.session.completed", { ...session, ...paid, ...change }),
      refunded: (amount: number, at = 0) =>
        stripeEvent("charge.refunded", { ...charge, amount_refunded: amount }, at),
      disputed: (type: string, status: string, at = 0, amount = 2999) =>
        stripeEvent(
          `charge.dispute.${type}`,
          {
            id: `dp_${intent}`,
            charge: charge.id,
            payment_intent: intent,
            amount,
            currency: "usd",
            status,
          },
          at,
        ),
      /** Changes what Stripe answers for the session. */
      known: (change: object = {}) =>
        Object.assign(session, paid, {
          payment_intent: { id: intent, status: "succeeded", latest_charge: charge },
          ...change,
        }),
      seen: () => look(id),
      entries: () => entries(id),
    };
  }
  return {
    ...fixture,
    provider,
    token,
    card,
    checkout,
    cardOrder,
    stripeOrder,
    unmatched,
    razorpayEvent,
    stripeEvent,
    stripeHeader,
    ledger,
  };
}
