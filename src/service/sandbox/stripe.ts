/** A Stripe for practice: its API over HTTP, and checkout sessions that a person ends with a button. No real money moves. */
import { and, desc, eq, gte, inArray, lte, sql } from "drizzle-orm";
import { Hono } from "hono";
import Stripe from "stripe";
import type { Database } from "../store/database.ts";
import { storedSetting } from "../store/stored-settings.ts";
import { sandboxOrders, sandboxPayments, sandboxWebhooks } from "../store/schema.ts";
import { inTransaction } from "../store/transaction.ts";
import type { Decision } from "./card-provider.ts";
import { MOMENT, newId, type Send, type WebhookSender } from "./webhook-sender.ts";

type ProviderOrder = typeof sandboxOrders.$inferSelect;

/** What the provider knows of a checkout session. `amount` is in cents. */
export interface CheckoutSession {
  reference: string;
  amount: number;
  title: string;
  status: "open" | Decision;
}

/** The shop's account with the sandbox. */
export interface StripeSandboxAccount {
  secretKey: string;
  webhookSecret: string;
}

export type ProcessStripeWebhook = (sent: { raw: Uint8Array; signature: string }) => Promise<boolean>;

export interface StripeSandbox {
  account: StripeSandboxAccount;
  /** The provider's API, as the service reaches it. */
  api: Hono;
  /** Signs a webhook event for `processWebhook` of the service. */
  sendTo(process: ProcessStripeWebhook): Send;
  /** Null when there is no session of that number. */
  find(reference: string): Promise<CheckoutSession | null>;
  /** Ends a session that is still open. */
  decide(reference: string, decision: Decision): Promise<void>;
}

/** The shop's account with the sandbox, made once for a database. */
export async function sandboxStripeAccount(db: Database): Promise<StripeSandboxAccount> {
  return {
    secretKey: await storedSetting(db, "sandbox_stripe_key", newId("sk_test_")),
    webhookSecret: await storedSetting(db, "sandbox_stripe_webhook_secret", newId("whsec_")),
  };
}

/** A session's `status` and `payment_status`, and the `status` of its payment intent. */
type States = readonly [status: string, paymentStatus: string, intentStatus: string];
type Status = (typeof sandboxPayments.$inferSelect)["status"];
const isEnded = (status: Status | null | undefined): status is Decision =>
  status !== null && status !== undefined && Object.hasOwn(ENDED, status);

const OPEN: States = ["open", "unpaid", "requires_payment_method"];
const PROCESSING: States = ["complete", "unpaid", "processing"];
const ENDED: Readonly<Record<Decision, States>> = {
  captured: ["complete", "paid", "succeeded"],
  declined: ["complete", "unpaid", "requires_payment_method"],
  cancelled: ["expired", "unpaid", "canceled"],
};

/** What is reported of a session that ended so, in this order. One that a bank declines was first completed, unpaid. */
const EVENTS: Readonly<Record<Decision, readonly (readonly [type: string, states: States])[]>> = {
  captured: [["checkout.session.completed", ENDED.captured]],
  declined: [
    ["checkout.session.completed", PROCESSING],
    ["checkout.session.async_payment_failed", ENDED.declined],
  ],
  cancelled: [["checkout.session.expired", ENDED.cancelled]],
};

/** A session, as the API answers it and webhook events hold it. */
function sessionObject(
  order: ProviderOrder,
  [status, paymentStatus, intentStatus]: States,
  isExpanded: boolean,
) {
  const { id, amount, currency, receipt, notes, language } = order;
  const intent = id.replace("cs_test_", "pi_");
  const charge = status === "complete" ? { id: id.replace("cs_test_", "ch_"), amount_refunded: 0 } : null;
  return {
    id,
    object: "checkout.session",
    amount_total: amount,
    currency: currency.toLowerCase(),
    client_reference_id: receipt,
    metadata: notes,
    payment_intent: isExpanded ? { id: intent, status: intentStatus, latest_charge: charge } : intent,
    payment_status: paymentStatus,
    status,
    // The stand-in has no host of its own: its page is a path of the one who asks.
    url: status === "open" ? `/sandbox/stripe/checkout/${id}?language=${language ?? "en"}` : null,
  };
}

const apiError = (message: string) => ({ error: { type: "invalid_request_error", message } });

/** The part of Stripe's API that the service calls: https://docs.stripe.com/api/checkout/sessions. */
function stripeApi(
  db: Database,
  now: () => number,
  { secretKey }: StripeSandboxAccount,
  statesOf: (reference: string) => Promise<States>,
): Hono {
  const api = new Hono();
  api.use(async (c, next) => {
    if (c.req.header("Authorization") === `Bearer ${secretKey}`) return next();
    return c.json(apiError("Invalid API key provided."), 401);
  });

  api.post("/v1/checkout/sessions", async (c) => {
    const sent = await c.req.parseBody();
    const text = (name: string) => (typeof sent[name] === "string" ? sent[name] : "");
    const price = "line_items[0][price_data]";
    const amount = Number(text(`${price}[unit_amount]`));
    const isWhole = Number.isSafeInteger(amount) && amount > 0;
    if (!isWhole || text(`${price}[currency]`) !== "usd" || text("mode") !== "payment") {
      return c.json(apiError("The session is invalid."), 400);
    }
    if (!URL.canParse(text("success_url"))) return c.json(apiError("Not a valid URL: success_url."), 400);
    const idempotencyKey = c.req.header("Idempotency-Key") ?? null;
    const [made] = await db
      .insert(sandboxOrders)
      .values({
        id: newId("cs_test_"),
        rail: "stripe",
        amount,
        currency: "USD",
        receipt: text("client_reference_id"),
        notes: { order_id: text("metadata[order_id]") },
        title: text(`${price}[product_data][name]`),
        language: text("locale") === "zh" ? "zh-CN" : "en",
        idempotencyKey,
        createdAt: new Date(now()),
      })
      .onConflictDoNothing()
      .returning();
    const byKey = idempotencyKey === null ? undefined : eq(sandboxOrders.idempotencyKey, idempotencyKey);
    const [order] = made
      ? [made]
      : await db
          .select()
          .from(sandboxOrders)
          .where(and(eq(sandboxOrders.rail, "stripe"), byKey));
    if (!order) return c.json(apiError("The session was not made."), 500);
    // A repeated request gets the answer that the first one got.
    return c.json(sessionObject(order, OPEN, false));
  });

  api.get("/v1/checkout/sessions/:id{\\w+}", async (c) => {
    const [order] = await db
      .select()
      .from(sandboxOrders)
      .where(and(eq(sandboxOrders.rail, "stripe"), eq(sandboxOrders.id, c.req.param("id"))));
    if (!order) return c.json(apiError("No such checkout.session."), 404);
    const isExpanded = (c.req.query("expand[0]") ?? "").startsWith("payment_intent");
    return c.json(sessionObject(order, await statesOf(order.id), isExpanded));
  });

  api.get("/v1/events", async (c) => {
    const query = c.req.query();
    const time = (name: string) => new Date(Number(query[`created[${name}]`]) * 1000 + MOMENT);
    const types = Object.entries(query).flatMap(([name, type]) =>
      /^types\[\d+\]$/.test(name) ? [type] : [],
    );
    const found = await db
      .select({ body: sandboxWebhooks.body })
      .from(sandboxWebhooks)
      .where(
        and(
          eq(sandboxWebhooks.rail, "stripe"),
          gte(sandboxWebhooks.dueAt, time("gte")),
          lte(sandboxWebhooks.dueAt, time("lte")),
          inArray(sql`${sandboxWebhooks.body}::jsonb ->> 'type'`, types),
        ),
      )
      .orderBy(desc(sandboxWebhooks.dueAt));
    const data = found.map(({ body }) => JSON.parse(body) as unknown);
    return c.json({ object: "list", data, has_more: false, url: "/v1/events" });
  });

  api.notFound((c) => c.json(apiError("Unrecognized request URL."), 404));
  return api;
}

export function openStripeSandbox(
  db: Database,
  now: () => number,
  account: StripeSandboxAccount,
  sender: WebhookSender,
): StripeSandbox {
  const found = (reference: string) =>
    db
      .select({ order: sandboxOrders, status: sandboxPayments.status })
      .from(sandboxOrders)
      .leftJoin(sandboxPayments, eq(sandboxPayments.id, sandboxOrders.id))
      .where(and(eq(sandboxOrders.rail, "stripe"), eq(sandboxOrders.id, reference)));

  async function statesOf(reference: string): Promise<States> {
    const [session] = await found(reference);
    return session && isEnded(session.status) ? ENDED[session.status] : OPEN;
  }

  return {
    account,
    api: stripeApi(db, now, account, statesOf),
    sendTo: (process) => (_, raw) => {
      const signature = Stripe.webhooks.generateTestHeaderString({
        payload: Buffer.from(raw).toString("utf8"),
        secret: account.webhookSecret,
        timestamp: now() / 1000,
      });
      return process({ raw, signature });
    },
    async find(reference) {
      const [session] = await found(reference);
      if (!session) return null;
      const { amount, title } = session.order;
      const status = isEnded(session.status) ? session.status : "open";
      return { reference, amount, title: title ?? "", status };
    },
    async decide(reference, decision) {
      const [session] = await found(reference);
      if (!session) return;
      await inTransaction(db, async (tx) => {
        // A session has one end: its number is the key.
        const [ended] = await tx
          .insert(sandboxPayments)
          .values({ id: reference, rail: "stripe", reference, status: decision, createdAt: new Date(now()) })
          .onConflictDoNothing()
          .returning();
        if (!ended) return;
        const event =
          ([type, states]: readonly [string, States]) =>
          (id: string) => ({
            id,
            object: "event",
            type,
            created: Math.floor(now() / 1000),
            data: { object: sessionObject(session.order, states, false) },
          });
        await sender.write(tx, "stripe", EVENTS[decision].map(event));
      });
      await sender.settle();
    },
  };
}
