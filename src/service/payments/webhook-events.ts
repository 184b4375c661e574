/** The webhook events of the card provider and Stripe: each is processed once, and what fits no order is kept until it does. */
import { createHash } from "node:crypto";
import * as v from "valibot";
import type { Database } from "../store/database.ts";
import { webhookEvents } from "../store/schema.ts";
import { inTransaction } from "../store/transaction.ts";
import { UNITS_PER_CENT, type Ledger } from "./ledger.ts";
import {
  orderOfPayment,
  OrderUnknown,
  reversePayment,
  takePayment,
  type CapturedPayment,
  type ProviderRail,
  type Reversal,
} from "./provider.ts";
import { addUnmatched, type UnmatchedReason } from "./unmatched.ts";

/** Where a report came from: a signed webhook event, or the provider's answer to a question of ours. */
export interface Report {
  rail: ProviderRail;
  eventId: string;
  raw: Uint8Array;
  /** An answer may be asked for again: it is not noted as processed. */
  isAnswer?: boolean;
}

/** A report from the provider's answer on that object. */
export const answerOf = (rail: ProviderRail, id: string, content: unknown): Report => ({
  rail,
  eventId: `asked:${id}`,
  raw: Buffer.from(JSON.stringify(content)),
  isAnswer: true,
});

/** Ms by which the answer to a question counts as older than it is: the clocks of both sides differ. */
const CLOCKS_DIFFER = 60_000;

/** When an answer's facts held at the latest. @param asked when it was asked for, in milliseconds */
export const answeredAt = (asked: number): number => asked - CLOCKS_DIFFER;

/** What a report says of captured money, as it was sent: any of it may be missing or of another kind. */
export interface ReportedMoney {
  paymentId?: unknown;
  reference?: unknown;
  /** Our order's id, from the metadata. */
  orderId?: unknown;
  /** In cents. */
  amount?: unknown;
  currency?: unknown;
}

/** A number of a provider's. */
export const identifier = v.pipe(v.string(), v.regex(/^[\w-]{1,255}$/));
/** More would not fit the ledger. */
const MOST_CENTS = 10 ** 14;
const cents = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(MOST_CENTS));
const fields = v.record(v.string(), v.unknown());

/** The fields of what should be an object, none where it is not one. */
export const fieldsOf = (value: unknown): Record<string, unknown> => (v.is(fields, value) ? value : {});

export const identifierOf = (value: unknown): string | null => (v.is(identifier, value) ? value : null);

/** The JSON of a body; undefined when it is none. Bytes that are no text do not matter: the signature was checked before. */
export function contentOf(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(raw));
  } catch {
    return undefined;
  }
}

/** The provider's number of an event, or one of its bytes where it has none that could be kept. */
export const eventIdOf = (given: unknown, raw: Uint8Array): string =>
  identifierOf(given) ?? createHash("sha256").update(raw).digest("hex");

/** Seconds since 1970, as both providers write times, in milliseconds; `otherwise` where there are none. */
export const millisecondsOf = (seconds: unknown, otherwise: number): number =>
  v.is(v.pipe(v.number(), v.minValue(0), v.maxValue(MOST_CENTS)), seconds) ? seconds * 1000 : otherwise;

/** The money of a report, or why that cannot be said. */
function capturedOf(rail: ProviderRail, said: ReportedMoney): CapturedPayment | UnmatchedReason {
  const { paymentId, amount, currency } = said;
  if (typeof currency === "string" && currency.toUpperCase() !== "USD") return "currency";
  if (typeof currency !== "string" || !v.is(cents, amount) || !v.is(identifier, paymentId)) {
    return "incomplete";
  }
  const names = { reference: identifierOf(said.reference), orderId: identifierOf(said.orderId) };
  if (names.reference === null && names.orderId === null) return "order unknown";
  return { rail, ...names, paymentId, amount: BigInt(amount) * UNITS_PER_CENT };
}

/**
 * Acts on a report unless it was acted upon before. A failure of `act` undoes the note as well, so that the provider's
 * next attempt finds everything still to be done.
 */
async function processOnce<Result>(
  { db, now }: Ledger,
  { rail, eventId, isAnswer = false }: Report,
  act: (tx: Database) => Promise<Result>,
): Promise<Result | undefined> {
  return inTransaction(db, async (tx) => {
    if (isAnswer) return act(tx);
    const [fresh] = await tx
      .insert(webhookEvents)
      .values({ rail, eventId, processedAt: new Date(now()) })
      .onConflictDoNothing()
      .returning();
    return fresh ? act(tx) : undefined;
  });
}

/** Credits the money of a report, once, or keeps it as unmatched. */
export async function creditMoney(ledger: Ledger, report: Report, said: ReportedMoney): Promise<void> {
  const captured = capturedOf(report.rail, said);
  if (typeof captured === "string") return keepUnmatched(ledger, report, said, captured);
  try {
    await processOnce(ledger, report, (tx) => takePayment(ledger, captured, tx));
  } catch (error) {
    if (!(error instanceof OrderUnknown)) throw error;
    // It is not noted as processed, so that it is credited when it is sent again and its order is there.
    await keepUnmatched(ledger, report, said, "order unknown");
  }
}

/** What a report says of a refund or a dispute, as it was sent. */
export interface ReportedReversal extends Pick<Reversal, "kind" | "state" | "asOf"> {
  reversalId: unknown;
  paymentId: unknown;
  /** In cents. */
  amount: unknown;
  currency: unknown;
}

/**
 * Writes down the refund or dispute of a report, once, or keeps it as unmatched.
 * @returns whether an order changed by it
 */
export async function reverseMoney(ledger: Ledger, report: Report, said: ReportedReversal): Promise<boolean> {
  const { reversalId, paymentId, amount, currency, ...rest } = said;
  const whole = v.is(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(MOST_CENTS)), amount);
  if (!whole || !v.is(identifier, reversalId) || !v.is(identifier, paymentId)) {
    await keepUnmatched(ledger, report, { amount, currency, reference: paymentId }, "incomplete");
    return false;
  }
  if (typeof currency === "string" && currency.toUpperCase() !== "USD") {
    // A payment in another currency was never credited, so that there is nothing to take back.
    if ((await orderOfPayment(ledger.db, report.rail, paymentId)) === undefined) return false;
    // A dispute counts by being there; what a refund is worth in dollars, only the operator can say.
    if (rest.kind !== "dispute") {
      await keepUnmatched(ledger, report, { amount, currency, reference: paymentId }, "currency");
      return false;
    }
  }
  const reversal = {
    ...rest,
    rail: report.rail,
    reversalId,
    paymentId,
    amount: BigInt(amount) * UNITS_PER_CENT,
  };
  const settled = await processOnce(ledger, report, (tx) => reversePayment(ledger, reversal, tx));
  return settled !== undefined && settled !== "unchanged";
}

/** No text of PostgreSQL holds this character. */
const storable = (text: string) => text.replaceAll("\0", "\uFFFD");
const asSent = (value: unknown) =>
  typeof value === "string" || typeof value === "number" ? storable(String(value)) : null;

/** Keeps what a provider rightly reports and nothing could be done with. */
export async function keepUnmatched(
  ledger: Ledger,
  { rail, eventId, raw }: Report,
  said: ReportedMoney,
  reason: UnmatchedReason,
): Promise<void> {
  await inTransaction(ledger.db, (tx) =>
    addUnmatched(ledger, tx, {
      rail,
      eventId,
      paymentId: identifierOf(said.paymentId),
      reference: identifierOf(said.reference),
      amount: asSent(said.amount),
      currency: asSent(said.currency),
      reason,
      body: storable(new TextDecoder().decode(raw)),
    }),
  );
}
