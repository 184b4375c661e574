/** A Stripe for practice: checkout sessions that a person ends with a button. No real money moves. */
import { and, eq } from "drizzle-orm";
import type { Language } from "../../contract/languages.ts";
import type { Database } from "../store/open.ts";
import { keepsake } from "../store/keepsake.ts";
import { orders, sandboxPayments } from "../store/schema.ts";
import type { Decision } from "./card-sandbox.ts";
import { newId, type Hear, type Messenger } from "./messenger-sandbox.ts";
import { UNITS_PER_CENT } from "./provider.ts";
import { hearStripe, signNotice, type StripeAccount } from "./stripe.ts";

/** What the provider knows of a checkout session. `amount` is in smallest units. */
export interface CheckoutSession {
  reference: string;
  amount: bigint;
  packName: Record<Language, string>;
  status: "open" | Decision;
}

export interface StripeSandbox {
  account: StripeAccount;
  /** Null when there is no session of that number. */
  find(reference: string): Promise<CheckoutSession | null>;
  /** Ends a session that is still open. */
  decide(reference: string, decision: Decision): Promise<void>;
}

/** The shop's account with the sandbox, made once for a database. */
export async function sandboxStripeAccount(db: Database): Promise<StripeAccount> {
  return {
    webhookSecret: await keepsake(db, "sandbox_stripe_webhook_secret", newId("whsec_")),
    newReference: () => newId("cs_test_"),
    payUrl: (reference, language) => `/sandbox/stripe/checkout/${reference}?language=${language}`,
  };
}

/** The service's ears for this provider. */
export const stripeEars =
  (db: Database, account: StripeAccount, now: () => number): Hear =>
  (_, raw) =>
    hearStripe(db, account, { raw, signature: signNotice(raw, account.webhookSecret, now()) }, now());

/** What is told of a session that ended so, in this order. One that a bank declines was first completed, unpaid. */
const EVENTS: Record<Decision, [type: string, payment_status: string][]> = {
  captured: [["checkout.session.completed", "paid"]],
  declined: [
    ["checkout.session.completed", "unpaid"],
    ["checkout.session.async_payment_failed", "unpaid"],
  ],
  cancelled: [["checkout.session.expired", "unpaid"]],
};

export function openStripeSandbox(
  db: Database,
  now: () => number,
  account: StripeAccount,
  messenger: Messenger,
): StripeSandbox {
  async function find(reference: string): Promise<CheckoutSession | null> {
    const [order] = await db
      .select({ amount: orders.amount, packName: orders.packName, status: sandboxPayments.status })
      .from(orders)
      .leftJoin(sandboxPayments, eq(sandboxPayments.id, orders.thirdReferenceId))
      .where(and(eq(orders.rail, "stripe"), eq(orders.thirdReferenceId, reference)));
    return order ? { ...order, reference, status: order.status ?? "open" } : null;
  }

  return {
    account,
    find,
    async decide(reference, decision) {
      const session = await find(reference);
      if (!session) return;
      await db.transaction(async (tx) => {
        // A session has one end: its number is the key.
        const [ended] = await tx
          .insert(sandboxPayments)
          .values({ id: reference, rail: "stripe", reference, status: decision, createdAt: new Date(now()) })
          .onConflictDoNothing()
          .returning();
        if (!ended) return;
        const paymentIntent = newId("pi_");
        const notice =
          ([type, payment_status]: [string, string]) =>
          (id: string) => ({
            id,
            object: "event",
            type,
            created: Math.floor(now() / 1000),
            data: {
              object: {
                id: reference,
                object: "checkout.session",
                amount_total: Number(session.amount / UNITS_PER_CENT),
                currency: "usd",
                payment_intent: paymentIntent,
                payment_status,
              },
            },
          });
        await messenger.write(tx, "stripe", EVENTS[decision].map(notice));
      });
      await messenger.settle();
    },
  };
}
