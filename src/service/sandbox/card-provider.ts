/** Practice card provider: answers Razorpay's HTTP API and knows a few test cards. It charges nothing and stores only the last four digits of a card. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { and, asc, desc, eq, gte, lt } from "drizzle-orm";
import { Hono } from "hono";
import * as v from "valibot";
import { fromUnits, USD_DECIMALS } from "../../contract/money.ts";
import type { Language } from "../../contract/languages.ts";
import type { Database } from "../store/database.ts";
import { sandboxOrders, sandboxPayments } from "../store/schema.ts";
import { storedSetting } from "../store/stored-settings.ts";
import { inTransaction } from "../store/transaction.ts";
import { say, type Word } from "../platform/messages.ts";
import { newId, type Send, type WebhookSender } from "./webhook-sender.ts";

type Payment = typeof sandboxPayments.$inferSelect;
type ProviderOrder = typeof sandboxOrders.$inferSelect;
/** How a payment ends. One that was authorised is captured yet. */
export type Decision = Exclude<Payment["status"], "open" | "authorized">;

/**
 * The provider's test cards and the status that a payment with each gets. `open`: the user decides on the bank's page;
 * `authorized`: the bank said so late, and the shop has to capture it.
 */
const CARDS: ReadonlyMap<string, Payment["status"]> = new Map([
  ["4012888888881881", "captured"],
  ["5555555555554444", "captured"],
  ["4100280000080001", "authorized"],
  ["4100280000060003", "declined"],
  ["4100280000070002", "cancelled"],
  ["4111111111111111", "open"],
]);

/** An error as the provider's script hands it to the page. */
export interface CardFault {
  code: string;
  description: string;
  field: string | null;
  source: string;
  step: string;
  reason: string;
  metadata: { payment_id?: string; order_id?: string };
}

/** The shop's account with the sandbox. */
export interface CardSandboxAccount {
  keyId: string;
  keySecret: string;
  webhookSecret: string;
}

export type ProcessCardWebhook = (sent: {
  raw: Uint8Array;
  signature: string;
  eventId: string;
}) => Promise<boolean>;

/** What the provider says of a payment. */
export type CardOutcome =
  /** `amount` is in dollars, "3.99". */
  | { status: "open"; id: string; amount: string; lastFour: string }
  | {
      status: "captured";
      id: string;
      response: { razorpay_payment_id: string; razorpay_order_id: string; razorpay_signature: string };
    }
  | { status: "declined" | "cancelled"; id: string; error: CardFault };

/** What people may read of an error is in `language`; what only a program can have got wrong is in the provider's English. */
export interface CardSandbox {
  account: CardSandboxAccount;
  /** The provider's API, as the service reaches it. */
  api: Hono;
  /** Signs a webhook event for `processWebhook` of the service. */
  sendTo(process: ProcessCardWebhook): Send;
  /** Takes a card. @returns the payment, or what is wrong with what was sent */
  begin(sent: unknown, language: Language): Promise<CardOutcome | { status: "refused"; error: CardFault }>;
  /** The outcome of a payment; null when there is none with that id. */
  find(id: string, language: Language): Promise<CardOutcome | null>;
  /** Ends a payment that is still open. @returns its outcome */
  decide(id: string, decision: Decision, language: Language): Promise<CardOutcome | null>;
}

const text = v.fallback(v.pipe(v.string(), v.trim()), "");
/** The fields are as flat as the provider's. `amount` is in cents. */
export const charge = v.object({
  key: text,
  order_id: v.fallback(v.pipe(v.string(), v.regex(/^\w+$/)), ""),
  amount: v.fallback(v.pipe(v.union([v.number(), v.string()]), v.transform(String)), ""),
  currency: text,
  method: text,
  "card[name]": text,
  "card[number]": text,
  "card[cvv]": text,
  "card[expiry_month]": text,
  "card[expiry_year]": text,
});

/** Whether the month has passed. @param month MM @param year YY or YYYY */
function isExpired(month: string, year: string, now: number): boolean {
  if (!/^(0[1-9]|1[0-2])$/.test(month) || !/^(\d{2}|\d{4})$/.test(year)) return true;
  const ends = Date.UTC(2000 + (Number(year) % 100), Number(month));
  return ends <= now;
}

const invalid = (description: string, field: string | null = null, orderId?: string): CardFault => ({
  code: "BAD_REQUEST_ERROR",
  description,
  field,
  source: field === null ? "business" : "customer",
  step: "payment_initiation",
  reason: "input_validation_failed",
  metadata: orderId === undefined ? {} : { order_id: orderId },
});

const faults = {
  declined: {
    word: "cardFaultDeclined",
    code: "BAD_REQUEST_ERROR",
    field: null,
    source: "bank",
    step: "payment_authorization",
    reason: "payment_failed",
  },
  cancelled: {
    word: "cardFaultCancelled",
    code: "BAD_REQUEST_ERROR",
    field: null,
    source: "customer",
    step: "payment_authentication",
    reason: "payment_cancelled",
  },
} as const;

const refused = (error: CardFault) => ({ status: "refused" as const, error });

/** HMAC-SHA256 in hexadecimal digits, as the provider signs. */
const signed = (content: string | Uint8Array, secret: string) =>
  createHmac("sha256", secret).update(content).digest("hex");

/** The shop's account with the sandbox, made once for a database. */
export async function sandboxCardAccount(db: Database): Promise<CardSandboxAccount> {
  return {
    keyId: await storedSetting(db, "sandbox_card_key", newId("rzp_test_")),
    keySecret: await storedSetting(db, "sandbox_card_secret", newId("")),
    webhookSecret: await storedSetting(db, "sandbox_card_webhook_secret", newId("")),
  };
}

/** From twelve minutes to five days. */
const captureMinutes = v.pipe(v.number(), v.safeInteger(), v.minValue(12), v.maxValue(7_200));
const newOrder = v.object({
  amount: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  currency: v.literal("USD"),
  receipt: v.pipe(v.string(), v.maxLength(40)),
  notes: v.optional(v.record(v.string(), v.string()), {}),
  payment: v.optional(
    v.object({
      capture: v.picklist(["automatic", "manual"]),
      capture_options: v.object({
        automatic_expiry_period: v.optional(captureMinutes),
        manual_expiry_period: v.optional(captureMinutes),
        refund_speed: v.picklist(["normal", "optimum"]),
      }),
    }),
  ),
});
const newCapture = v.object({ amount: v.number(), currency: v.string() });

const apiError = (description: string) => ({ error: { code: "BAD_REQUEST_ERROR", description } });
/** Seconds since 1970, later than any. */
const LAST = 4_102_444_800;
const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

/** An order, as the API answers it. */
const orderEntity = ({ id, amount, currency, receipt, notes, createdAt }: ProviderOrder) => ({
  id,
  entity: "order",
  amount,
  currency,
  receipt,
  notes,
  created_at: seconds(createdAt),
});

const STATUSES: Readonly<Record<Payment["status"], string>> = {
  open: "created",
  authorized: "authorized",
  captured: "captured",
  declined: "failed",
  cancelled: "failed",
};

/** A payment, as the API answers it and webhook events hold it. */
const paymentEntity = (payment: Payment, { amount, currency }: ProviderOrder) => ({
  id: payment.id,
  entity: "payment",
  amount,
  currency,
  status: STATUSES[payment.status],
  captured: payment.status === "captured",
  order_id: payment.reference,
  method: "card",
  amount_refunded: 0,
  refund_status: null,
  card: { last4: payment.lastFour },
  created_at: seconds(payment.createdAt),
});

/** A webhook event; its number comes in a header. */
const eventOf = (event: string, payload: object, at: Date) => () => ({
  entity: "event",
  event,
  contains: Object.keys(payload),
  payload,
  created_at: seconds(at),
});

/** The events that tell of a payment when it ends, in this order. */
function eventsOf(payment: Payment, order: ProviderOrder, at: Date) {
  const ofPayment = { payment: { entity: paymentEntity(payment, order) } };
  const ofBoth = { ...ofPayment, order: { entity: orderEntity(order) } };
  switch (payment.status) {
    case "captured":
      return [eventOf("payment.captured", ofPayment, at), eventOf("order.paid", ofBoth, at)];
    case "authorized":
      return [eventOf("payment.authorized", ofPayment, at)];
    default:
      return [eventOf("payment.failed", ofPayment, at)];
  }
}

const isPaid = async (db: Database, reference: string) =>
  (await db.$count(
    sandboxPayments,
    and(eq(sandboxPayments.reference, reference), eq(sandboxPayments.status, "captured")),
  )) > 0;

/** The part of Razorpay's API that the service calls: https://razorpay.com/docs/api. */
function razorpayApi(
  db: Database,
  now: () => number,
  { keyId, keySecret }: CardSandboxAccount,
  sender: WebhookSender,
): Hono {
  const api = new Hono();
  const expected = Buffer.from(`Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`);
  api.use(async (c, next) => {
    const given = Buffer.from(c.req.header("Authorization") ?? "");
    if (given.length === expected.length && timingSafeEqual(given, expected)) return next();
    return c.json(apiError("Authentication failed"), 401);
  });

  api.post("/v1/orders", async (c) => {
    const sent = v.safeParse(newOrder, await c.req.json().catch(() => null));
    if (!sent.success) return c.json(apiError("The order is invalid."), 400);
    const { amount, currency, receipt, notes } = sent.output;
    const [made] = await db
      .insert(sandboxOrders)
      .values({
        amount,
        currency,
        receipt,
        notes,
        id: newId("order_"),
        rail: "card",
        createdAt: new Date(now()),
      })
      .returning();
    return made ? c.json(orderEntity(made)) : c.json(apiError("The order was not made."), 500);
  });

  api.get("/v1/orders", async (c) => {
    const receipt = c.req.query("receipt");
    const found = await db
      .select()
      .from(sandboxOrders)
      .where(
        and(
          eq(sandboxOrders.rail, "card"),
          receipt === undefined ? undefined : eq(sandboxOrders.receipt, receipt),
        ),
      )
      .orderBy(asc(sandboxOrders.createdAt))
      .limit(100);
    return c.json({ entity: "collection", count: found.length, items: found.map(orderEntity) });
  });

  api.get("/v1/orders/:id{\\w+}", async (c) => {
    const [found] = await db
      .select()
      .from(sandboxOrders)
      .where(and(eq(sandboxOrders.rail, "card"), eq(sandboxOrders.id, c.req.param("id"))));
    return found ? c.json(orderEntity(found)) : c.json(apiError("The id provided does not exist"), 400);
  });

  const paymentsWhere = (where: ReturnType<typeof eq>) =>
    db
      .select()
      .from(sandboxPayments)
      .innerJoin(sandboxOrders, eq(sandboxOrders.id, sandboxPayments.reference))
      .where(and(eq(sandboxPayments.rail, "card"), where))
      .orderBy(asc(sandboxPayments.createdAt));

  api.get("/v1/orders/:id{\\w+}/payments", async (c) => {
    const found = await paymentsWhere(eq(sandboxPayments.reference, c.req.param("id")));
    const items = found.map((row) => paymentEntity(row.sandbox_payments, row.sandbox_orders));
    return c.json({ entity: "collection", count: items.length, items });
  });

  api.get("/v1/payments/:id{\\w+}", async (c) => {
    const [row] = await paymentsWhere(eq(sandboxPayments.id, c.req.param("id")));
    return row
      ? c.json(paymentEntity(row.sandbox_payments, row.sandbox_orders))
      : c.json(apiError("The id provided does not exist"), 400);
  });

  api.get("/v1/payments", async (c) => {
    const number = (name: string, otherwise: number) => Number(c.req.query(name) ?? otherwise);
    const found = await db
      .select()
      .from(sandboxPayments)
      .innerJoin(sandboxOrders, eq(sandboxOrders.id, sandboxPayments.reference))
      .where(
        and(
          eq(sandboxPayments.rail, "card"),
          gte(sandboxPayments.createdAt, new Date(number("from", 0) * 1000)),
          lt(sandboxPayments.createdAt, new Date((number("to", LAST) + 1) * 1000)),
        ),
      )
      .orderBy(desc(sandboxPayments.createdAt))
      .limit(Math.min(100, number("count", 10)))
      .offset(number("skip", 0));
    const items = found.map((row) => paymentEntity(row.sandbox_payments, row.sandbox_orders));
    return c.json({ entity: "collection", count: items.length, items });
  });

  api.post("/v1/payments/:id{\\w+}/capture", async (c) => {
    const id = c.req.param("id");
    const sent = v.safeParse(newCapture, await c.req.json().catch(() => null));
    if (!sent.success) return c.json(apiError("The amount must be an integer."), 400);
    const captured = await inTransaction(db, async (tx) => {
      const wanted = and(eq(sandboxPayments.id, id), eq(sandboxPayments.rail, "card"));
      const [payment] = await tx.select().from(sandboxPayments).where(wanted);
      if (!payment) return "The id provided does not exist";
      const [order] = await tx
        .select()
        .from(sandboxOrders)
        .where(eq(sandboxOrders.id, payment.reference))
        .for("update");
      if (sent.output.amount !== order?.amount || sent.output.currency !== order.currency) {
        return "Capture amount must be equal to the amount authorized";
      }
      if (await isPaid(tx, order.id)) return "This payment has already been captured";
      const [ended] = await tx
        .update(sandboxPayments)
        .set({ status: "captured" })
        .where(and(wanted, eq(sandboxPayments.status, "authorized")))
        .returning();
      if (!ended) return "Only payments which have been authorized and not yet captured can be captured";
      await sender.write(tx, "card", eventsOf(ended, order, new Date(now())));
      return paymentEntity(ended, order);
    });
    if (typeof captured === "string") return c.json(apiError(captured), 400);
    return c.json(captured);
  });

  // Nothing is given back or contested here.
  for (const path of ["/v1/refunds", "/v1/disputes"]) {
    api.get(path, (c) => c.json({ entity: "collection", count: 0, items: [] }));
  }

  api.notFound((c) => c.json(apiError("The requested URL was not found on the server."), 404));
  return api;
}

export function openCardSandbox(
  db: Database,
  now: () => number,
  account: CardSandboxAccount,
  sender: WebhookSender,
): CardSandbox {
  /** A call within a transaction locks the order until the transaction ends: two payments for it are decided in turn. */
  async function orderOf(reference: string, within?: Database): Promise<ProviderOrder | undefined> {
    const found = (within ?? db)
      .select()
      .from(sandboxOrders)
      .where(and(eq(sandboxOrders.rail, "card"), eq(sandboxOrders.id, reference)));
    const [order] = await (within ? found.for("update") : found);
    return order;
  }

  async function outcomeOf(payment: Payment, language: Language): Promise<CardOutcome> {
    const { id, status, reference, lastFour } = payment;
    switch (status) {
      case "open": {
        const amount = fromUnits(BigInt((await orderOf(reference))?.amount ?? 0), USD_DECIMALS, USD_DECIMALS);
        return { status, id, amount, lastFour: lastFour ?? "" };
      }
      case "authorized":
      case "captured":
        // The browser is told no more than that the bank has authorised it.
        return {
          status: "captured",
          id,
          response: {
            razorpay_payment_id: id,
            razorpay_order_id: reference,
            razorpay_signature: signed(`${reference}|${id}`, account.keySecret),
          },
        };
      case "declined":
      case "cancelled": {
        const { word, ...fault } = faults[status];
        const metadata = { payment_id: id, order_id: reference };
        return { status, id, error: { ...fault, description: say(word, language), metadata } };
      }
    }
  }

  async function find(id: string, language: Language): Promise<CardOutcome | null> {
    const [payment] = await db
      .select()
      .from(sandboxPayments)
      .where(and(eq(sandboxPayments.id, id), eq(sandboxPayments.rail, "card")));
    return payment ? outcomeOf(payment, language) : null;
  }

  async function decide(
    id: string,
    decision: Exclude<Payment["status"], "open">,
    language: Language,
  ): Promise<CardOutcome | null> {
    await inTransaction(db, async (tx) => {
      const wanted = and(eq(sandboxPayments.id, id), eq(sandboxPayments.rail, "card"));
      const [payment] = await tx.select().from(sandboxPayments).where(wanted);
      const order = payment && (await orderOf(payment.reference, tx));
      if (!order) return;
      // The provider takes the money for an order once: https://razorpay.com/docs/payments/orders
      const made = decision === "captured" && (await isPaid(tx, payment.reference)) ? "declined" : decision;
      const [ended] = await tx
        .update(sandboxPayments)
        .set({ status: made })
        .where(and(wanted, eq(sandboxPayments.status, "open")))
        .returning();
      if (!ended) return;
      await sender.write(tx, "card", eventsOf(ended, order, new Date(now())));
    });
    await sender.settle();
    return find(id, language);
  }

  return {
    account,
    api: razorpayApi(db, now, account, sender),
    sendTo: (process) => (eventId, raw) =>
      process({ raw, signature: signed(raw, account.webhookSecret), eventId }),
    find,
    decide,
    async begin(sent, language) {
      const parsed = v.safeParse(charge, sent);
      if (!parsed.success) return refused(invalid("The request could not be read."));
      const { key, order_id: reference, amount, currency, method, ...card } = parsed.output;
      if (key !== account.keyId) return refused(invalid("The api key provided is invalid"));
      const order = await orderOf(reference);
      if (!order) return refused(invalid("The id provided does not exist"));
      const misused = (description: string) => refused(invalid(description, null, reference));
      const wrong = (word: Word, field: string | null = null) =>
        refused(invalid(say(word, language), field, reference));
      if (method !== "card") return misused("The method must be card.");
      if (currency !== "USD" || amount !== String(order.amount)) {
        return misused(
          "Your payment amount is different from your order amount. To pay successfully, please try using right amount.",
        );
      }
      const number = card["card[number]"];
      const behaviour = CARDS.get(number);
      if (!behaviour) return wrong("cardFaultNumber", "number");
      if (isExpired(card["card[expiry_month]"], card["card[expiry_year]"], now())) {
        return wrong("cardFaultExpiry", "expiry");
      }
      if (!/^\d{3,4}$/.test(card["card[cvv]"])) return wrong("cardFaultCode", "cvv");
      if (card["card[name]"] === "") return wrong("cardFaultName", "name");
      if (await isPaid(db, reference)) return wrong("cardFaultPaid");

      const id = newId("pay_");
      await db.insert(sandboxPayments).values({
        id,
        rail: "card",
        reference,
        status: "open",
        lastFour: number.slice(-4),
        createdAt: new Date(now()),
      });
      const outcome = behaviour === "open" ? await find(id, language) : await decide(id, behaviour, language);
      return outcome ?? wrong("cardFaultUnmade");
    },
  };
}
