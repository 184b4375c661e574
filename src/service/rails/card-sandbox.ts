/** A card provider for practice. It knows a few test cards, charges nothing, and keeps of a card its last four digits. */
import { and, eq } from "drizzle-orm";
import * as v from "valibot";
import { fromUnits, USD_DECIMALS } from "../../../machines/money.ts";
import type { Language } from "../../contract/languages.ts";
import type { Database } from "../store/open.ts";
import { orders, sandboxPayments } from "../store/schema.ts";
import { keepsake } from "../store/keepsake.ts";
import { say, type Word } from "../words.ts";
import { hearCard, signReceipt, type CardAccount } from "./card.ts";
import { newId, type Hear, type Messenger } from "./messenger-sandbox.ts";
import { sign, UNITS_PER_CENT } from "./provider.ts";

type Payment = typeof sandboxPayments.$inferSelect;
export type Decision = Exclude<Payment["status"], "open">;

/** The provider's test cards, and what becomes of a payment with each. The one that is open asks the person. */
const CARDS: ReadonlyMap<string, Payment["status"]> = new Map([
  ["4012888888881881", "captured"],
  ["5555555555554444", "captured"],
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
  account: CardAccount;
  /** Takes a card. @returns the payment, or what is wrong with what was sent */
  begin(sent: unknown, language: Language): Promise<CardOutcome | { status: "refused"; error: CardFault }>;
  /** What became of a payment; null when there is none of that number. */
  find(id: string, language: Language): Promise<CardOutcome | null>;
  /** Ends a payment that is still open, and says what became of it. */
  decide(id: string, decision: Decision, language: Language): Promise<CardOutcome | null>;
}

const text = v.fallback(v.pipe(v.string(), v.trim()), "");
/** The fields are as flat as the provider's. `amount` is in cents. */
const charge = v.object({
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

/** The shop's account with the sandbox, made once for a database. */
export async function sandboxCardAccount(db: Database): Promise<CardAccount> {
  return {
    keyId: await keepsake(db, "sandbox_card_key", newId("rzp_test_")),
    keySecret: await keepsake(db, "sandbox_card_secret", newId("")),
    webhookSecret: await keepsake(db, "sandbox_card_webhook_secret", newId("")),
    newReference: () => newId("order_"),
  };
}

/** The service's ears for this provider. */
export const cardEars =
  (db: Database, account: CardAccount, now: () => number): Hear =>
  (eventId, raw) =>
    hearCard(db, account, { raw, signature: sign(raw, account.webhookSecret), eventId }, now());

export function openCardSandbox(
  db: Database,
  now: () => number,
  account: CardAccount,
  messenger: Messenger,
): CardSandbox {
  /** Whoever asks within a transaction holds the order until its end: two payments for it are decided in turn. */
  async function orderOf(reference: string, within?: Database) {
    const found = (within ?? db)
      .select({ amount: orders.amount })
      .from(orders)
      .where(and(eq(orders.rail, "card"), eq(orders.thirdReferenceId, reference)));
    const [order] = await (within ? found.for("update") : found);
    return order && { cents: order.amount / UNITS_PER_CENT };
  }

  async function isPaid(reference: string, within = db): Promise<boolean> {
    const captured = and(eq(sandboxPayments.reference, reference), eq(sandboxPayments.status, "captured"));
    return (await within.$count(sandboxPayments, captured)) > 0;
  }

  async function outcomeOf(payment: Payment, language: Language): Promise<CardOutcome> {
    const { id, status, reference, lastFour } = payment;
    switch (status) {
      case "open": {
        const amount = fromUnits((await orderOf(reference))?.cents ?? 0n, USD_DECIMALS, USD_DECIMALS);
        return { status, id, amount, lastFour: lastFour ?? "" };
      }
      case "captured":
        return {
          status,
          id,
          response: {
            razorpay_payment_id: id,
            razorpay_order_id: reference,
            razorpay_signature: signReceipt(account, reference, id),
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

  async function decide(id: string, decision: Decision, language: Language): Promise<CardOutcome | null> {
    await db.transaction(async (tx) => {
      const asked = and(eq(sandboxPayments.id, id), eq(sandboxPayments.rail, "card"));
      const [payment] = await tx.select().from(sandboxPayments).where(asked);
      const order = payment && (await orderOf(payment.reference, tx));
      if (!order) return;
      // The provider takes the money for an order once: https://razorpay.com/docs/payments/orders
      const made = decision === "captured" && (await isPaid(payment.reference, tx)) ? "declined" : decision;
      const ended = await tx
        .update(sandboxPayments)
        .set({ status: made })
        .where(and(asked, eq(sandboxPayments.status, "open")))
        .returning({ id: sandboxPayments.id });
      if (ended.length === 0) return;
      const entity = {
        id,
        entity: "payment",
        amount: Number(order.cents),
        currency: "USD",
        status: made === "captured" ? "captured" : "failed",
        order_id: payment.reference,
        method: "card",
        card: { last4: payment.lastFour },
      };
      const notice = (event: string) => () => ({
        entity: "event",
        event,
        contains: ["payment"],
        payload: { payment: { entity } },
        created_at: Math.floor(now() / 1000),
      });
      const events = made === "captured" ? ["payment.captured", "order.paid"] : ["payment.failed"];
      await messenger.write(tx, "card", events.map(notice));
    });
    await messenger.settle();
    return find(id, language);
  }

  return {
    account,
    find,
    decide,
    async begin(sent, language) {
      const asked = v.safeParse(charge, sent);
      if (!asked.success) return refused(invalid("The request could not be read."));
      const { key, order_id: reference, amount, currency, method, ...card } = asked.output;
      if (key !== account.keyId) return refused(invalid("The api key provided is invalid"));
      const order = await orderOf(reference);
      if (!order) return refused(invalid("The id provided does not exist"));
      const misused = (description: string) => refused(invalid(description, null, reference));
      const wrong = (word: Word, field: string | null = null) =>
        refused(invalid(say(word, language), field, reference));
      if (method !== "card") return misused("The method must be card.");
      if (currency !== "USD" || amount !== String(order.cents)) {
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
      if (await isPaid(reference)) return wrong("cardFaultPaid");

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
