/** Stripe's side of an order: its checkout session, and the notices that alone decide what became of it. */
import * as v from "valibot";
import type { Language } from "../../contract/languages.ts";
import type { Database } from "../store/open.ts";
import { failOrder, isSigned, once, sign, takePayment, UNITS_PER_CENT } from "./provider.ts";

/** The shop's account with Stripe. */
export interface StripeAccount {
  webhookSecret: string;
  /** The number of a new checkout session. */
  newReference(): string;
  /** The path or address where that session is paid, in that language. */
  payUrl(reference: string, language: Language): string;
}

/** How old, in seconds, a notice may be, or how far ahead: an old one that was overheard is no notice. */
const TOLERANCE = 300;

const identifier = v.pipe(v.string(), v.regex(/^\w{1,255}$/));

/** Of whatever: not all that Stripe tells of has a number. */
const notice = v.looseObject({
  id: identifier,
  type: v.string(),
  data: v.looseObject({ object: v.looseObject({ id: v.optional(v.string()) }) }),
});
/** A session with money in it; the amount is in cents. */
const paid = v.looseObject({
  id: identifier,
  payment_status: v.literal("paid"),
  amount_total: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  currency: v.literal("usd"),
  payment_intent: identifier,
});

/** The `Stripe-Signature` header of a body. @param now milliseconds */
export function signNotice(raw: string, secret: string, now: number): string {
  const at = Math.floor(now / 1000);
  return `t=${at},v1=${sign(`${at}.${raw}`, secret)}`;
}

function isNotice(raw: string, header: string, secret: string, now: number): boolean {
  const parts = header.split(",").map((part) => part.trim().split("="));
  const at = parts.find(([name]) => name === "t")?.[1] ?? "";
  if (!/^\d{1,12}$/.test(at) || Math.abs(now / 1000 - Number(at)) > TOLERANCE) return false;
  // There are two while the operator changes the secret.
  return parts.some(([name, value = ""]) => name === "v1" && isSigned(`${at}.${raw}`, value, secret));
}

/**
 * Hears a notice of Stripe. A session that was completed is not yet one that was paid: some ways of paying take days.
 * @param raw the body as it came, byte for byte
 * @throws OrderUnknown
 * @returns false when it is not Stripe's
 */
export async function hearStripe(
  db: Database,
  account: StripeAccount,
  { raw, signature }: { raw: string; signature: string },
  now: number,
): Promise<boolean> {
  if (!isNotice(raw, signature, account.webhookSecret, now)) return false;
  const { id, type, data } = v.parse(notice, JSON.parse(raw));
  const session = data.object;
  await once(db, "stripe", id, now, async (tx) => {
    switch (type) {
      case "checkout.session.completed":
      case "checkout.session.async_payment_succeeded":
        if (!v.is(paid, session)) return;
        await takePayment(
          tx,
          {
            rail: "stripe",
            reference: session.id,
            paymentId: session.payment_intent,
            amount: BigInt(session.amount_total) * UNITS_PER_CENT,
          },
          now,
        );
        return;
      case "checkout.session.async_payment_failed":
      case "checkout.session.expired":
        if (session.id !== undefined) await failOrder(tx, "stripe", session.id);
        return;
    }
  });
  return true;
}
