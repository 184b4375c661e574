/** The webhook events of the card provider and Stripe: each is processed once, and what fits no order is kept until it does. */
import { createHash } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import * as v from "valibot";
import { MINUTE } from "../../contract/durations.ts";
import { LAST_TIME } from "../../contract/moments.ts";
import type { Database } from "../store/database.ts";
import { payments, reversals, webhookEvents } from "../store/schema.ts";
import { inTransaction } from "../store/transaction.ts";
import { CENT } from "./book.ts";
import type { Ledger, Order } from "./ledger.ts";
import {
  AccountDeleted,
  failOrder,
  leftOf,
  orderNamed,
  orderOfPayment,
  OrderUnknown,
  reversePayment,
  takePayment,
  type CapturedPayment,
  type OrderNames,
  type ProviderRail,
  type Reversal,
} from "./provider.ts";
import {
  addUnmatched,
  RESOLVED_BY_ITSELF,
  resolveUnmatched,
  openUnmatched,
  type UnmatchedReason,
} from "./unmatched.ts";

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
const CLOCKS_DIFFER = MINUTE;

/** When an answer's facts held at the latest. @param askedAt when it was asked for, in milliseconds */
export const answeredAt = (askedAt: number): number => askedAt - CLOCKS_DIFFER;

/** What a report says of captured money, as it was sent: any of it may be missing or of another kind. */
export interface ReportedMoney {
  paymentId?: unknown;
  reference?: unknown;
  /** Our order's id, from the metadata. */
  orderId?: unknown;
  /** In cents. */
  amount?: unknown;
  currency?: unknown;
  /** The provider's fee in cents where the customer pays it on top of the order's amount: `amount` holds it. */
  customerFee?: unknown;
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
  v.is(v.pipe(v.number(), v.minValue(0), v.maxValue(LAST_TIME)), seconds) ? seconds * 1000 : otherwise;

/** The money of a report, or why that cannot be said. */
function capturedOf(rail: ProviderRail, reported: ReportedMoney): CapturedPayment | UnmatchedReason {
  const { paymentId, amount, currency } = reported;
  if (typeof currency === "string" && currency.toUpperCase() !== "USD") return "currency";
  if (typeof currency !== "string" || !v.is(cents, amount) || !v.is(identifier, paymentId)) {
    return "incomplete";
  }
  const names = { reference: identifierOf(reported.reference), orderId: identifierOf(reported.orderId) };
  if (names.reference === null && names.orderId === null) return "order unknown";
  return { rail, ...names, paymentId, amount: BigInt(amount) * CENT };
}

/** @param now milliseconds @returns whether it was not noted before */
export async function noteProcessed(
  db: Database,
  rail: ProviderRail,
  eventId: string,
  now: number,
): Promise<boolean> {
  const added = await db
    .insert(webhookEvents)
    .values({ rail, eventId, processedAt: new Date(now) })
    .onConflictDoNothing()
    .returning();
  return added.length > 0;
}

/** Of some events, those that were processed. */
export async function processedAmong(
  db: Database,
  rail: ProviderRail,
  eventIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (eventIds.length === 0) return new Set();
  const found = await db
    .select({ id: webhookEvents.eventId })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.rail, rail), inArray(webhookEvents.eventId, [...eventIds])));
  return new Set(found.map(({ id }) => id));
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
    const fresh = await noteProcessed(tx, rail, eventId, now());
    return fresh ? act(tx) : undefined;
  });
}

/**
 * What was paid for an order: a fee that the customer bears is not ours. It explains no more than what lies above the
 * order's amount, so that it never leaves an order short that was paid.
 */
function lessFee(amount: bigint, fee: unknown, order: Order | undefined): bigint {
  if (!v.is(cents, fee)) return amount;
  const most = amount - (order?.amount ?? 0n);
  const borne = BigInt(fee) * CENT;
  return most <= 0n ? amount : amount - (borne < most ? borne : most);
}

/** The rows of the operator's list about a payment that was not captured, and about a bank's inquiry. */
const captureRow = (paymentId: string) => `capture:${paymentId}`;
const inquiryRow = (disputeId: string) => `inquiry:${disputeId}`;

/**
 * Credits the money of a report, once, or keeps it as unmatched.
 * @returns whether it is money that was not known before
 */
export async function creditMoney(ledger: Ledger, report: Report, reported: ReportedMoney): Promise<boolean> {
  const { rail } = report;
  const captured = capturedOf(rail, reported);
  if (typeof captured === "string") {
    await keepUnmatched(ledger, report, reported, captured);
    return false;
  }
  const { paymentId } = captured;
  const amount = lessFee(captured.amount, reported.customerFee, await orderNamed(ledger.db, rail, captured));
  try {
    const isNew = await processOnce(ledger, report, async (tx) => {
      const samePayment = and(eq(payments.rail, rail), eq(payments.paymentId, paymentId));
      const wasKnown = (await tx.$count(payments, samePayment)) > 0;
      await takePayment(ledger, { ...captured, amount }, tx);
      await resolveUnmatched(ledger, tx, { rail, eventId: captureRow(paymentId) }, "It was captured.");
      return !wasKnown;
    });
    return isNew ?? false;
  } catch (error) {
    const inCents = (units: bigint) => ({ ...reported, amount: Number(units / CENT) });
    if (error instanceof AccountDeleted) {
      // The operator is asked to give back what has not gone back yet.
      const left = await leftOf(ledger.db, { ...captured, amount });
      if (left >= CENT) await keepUnmatched(ledger, report, inCents(left), "account deleted", error.orderId);
      return false;
    }
    if (!(error instanceof OrderUnknown)) throw error;
    // It is not noted as processed, so that it is credited when it is sent again and its order is there.
    await keepUnmatched(ledger, report, inCents(amount), "order unknown");
    return false;
  }
}

/** Notes an order of ours as failed, once for a report. */
export async function failOnce(ledger: Ledger, report: Report, names: OrderNames): Promise<void> {
  const order = await orderNamed(ledger.db, report.rail, names);
  // What changes nothing is not noted: the order may be there when it is sent again.
  if (!order || (order.thirdReferenceId ?? names.reference) !== names.reference) return;
  await processOnce(ledger, report, (tx) => failOrder(tx, report.rail, names));
}

/** Puts a payment for an order of ours on the operator's list that was authorised and is not captured. */
export async function noteUncaptured(
  ledger: Ledger,
  rail: ProviderRail,
  order: Order,
  { paymentId, amount, currency }: Pick<ReportedMoney, "amount" | "currency"> & { paymentId: string },
): Promise<void> {
  await inTransaction(ledger.db, (tx) =>
    openUnmatched(ledger, tx, {
      rail,
      eventId: captureRow(paymentId),
      orderId: order.id,
      reference: paymentId,
      amount: asSent(amount) ?? "",
      currency: asSent(currency),
      reason: "not captured",
      body: "",
    }),
  );
}

/** Takes a payment off that list which the provider gave back, or that failed after all. */
export async function noteReleased(ledger: Ledger, rail: ProviderRail, paymentId: string): Promise<void> {
  await inTransaction(ledger.db, (tx) => resolveReleased(ledger, tx, rail, paymentId));
}

const resolveReleased = (ledger: Ledger, tx: Database, rail: ProviderRail, paymentId: string) =>
  resolveUnmatched(ledger, tx, { rail, eventId: captureRow(paymentId) }, "The provider gave it back.");

/** What a report says of a refund or a dispute, as it was sent. */
export interface ReportedReversal extends Pick<Reversal, "kind" | "asOf"> {
  /** `inquiry`: a bank asks about a payment, and no money has moved. It takes nothing. */
  state: Reversal["state"] | "inquiry";
  reversalId: unknown;
  paymentId: unknown;
  /** In cents. */
  amount: unknown;
  currency: unknown;
}

/** How a state is written down: a dispute that is void takes nothing, and one that is opened later counts. */
export const writtenState = (state: ReportedReversal["state"]): Reversal["state"] =>
  state === "inquiry" ? "void" : state;

/**
 * Writes down the refund or dispute of a report, once, or keeps it as unmatched.
 * @returns whether an order changed by it
 */
export async function reverseMoney(
  ledger: Ledger,
  report: Report,
  reported: ReportedReversal,
): Promise<boolean> {
  const { reversalId, paymentId, amount, currency, state, ...rest } = reported;
  const { rail } = report;
  const whole = v.is(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(MOST_CENTS)), amount);
  if (!whole || !v.is(identifier, reversalId) || !v.is(identifier, paymentId)) {
    await keepUnmatched(ledger, report, { amount, currency, reference: paymentId }, "refund unreadable");
    return false;
  }
  const isForeign = typeof currency === "string" && currency.toUpperCase() !== "USD";
  if (isForeign) {
    // A payment in another currency was never credited, so that there is nothing to take back.
    if ((await orderOfPayment(ledger.db, rail, paymentId)) === undefined) return false;
    // A dispute counts by being there, for the whole payment; what a refund is worth in dollars, only the operator can say.
    if (rest.kind !== "dispute") {
      await keepUnmatched(ledger, report, { amount, currency, reference: paymentId }, "currency");
      return false;
    }
  }
  const reversal: Reversal = {
    ...rest,
    state: writtenState(state),
    rail,
    reversalId,
    paymentId,
    amount: isForeign ? 0n : BigInt(amount) * CENT,
  };
  const settled = await processOnce(ledger, report, async (tx) => {
    const outcome = await reversePayment(ledger, reversal, tx);
    if (rest.kind === "dispute") {
      await noteInquiry(ledger, tx, reversal, state === "inquiry", { amount, currency });
    } else if (state !== "void" && amount > 0) {
      await resolveReleased(ledger, tx, rail, paymentId);
    }
    return outcome;
  });
  return settled !== undefined && settled !== "unchanged";
}

/** Keeps a bank's inquiry on the operator's list as long as it is the latest that is known of its dispute. */
async function noteInquiry(
  ledger: Ledger,
  tx: Database,
  { rail, reversalId, paymentId, asOf }: Reversal,
  isInquiry: boolean,
  reported: Pick<ReportedReversal, "amount" | "currency">,
): Promise<void> {
  const [earlier] = await tx
    .select()
    .from(reversals)
    .where(and(eq(reversals.rail, rail), eq(reversals.reversalId, reversalId)));
  const isLatest = earlier?.state === "void" && earlier.asOf.getTime() <= asOf;
  const eventId = inquiryRow(reversalId);
  if (!isInquiry) {
    // A late report of the inquiry itself takes nothing off the list.
    if (earlier && earlier.asOf.getTime() <= asOf) {
      await resolveUnmatched(ledger, tx, { rail, eventId }, RESOLVED_BY_ITSELF);
    }
    return;
  }
  if (!isLatest) return;
  const order = await orderOfPayment(tx, rail, paymentId);
  // Of the account's other business.
  if (!order) return;
  await openUnmatched(ledger, tx, {
    rail,
    eventId,
    orderId: order.id,
    reference: paymentId,
    amount: asSent(reported.amount) ?? "",
    currency: asSent(reported.currency),
    reason: "inquiry",
    body: "",
  });
}

/** No text of PostgreSQL holds this character. */
const storable = (text: string) => text.replaceAll("\0", "\uFFFD");
const asSent = (value: unknown) =>
  typeof value === "string" || typeof value === "number" ? storable(String(value)) : null;

/** Keeps what a provider rightly reports and nothing could be done with. */
export async function keepUnmatched(
  ledger: Ledger,
  { rail, eventId, raw }: Report,
  reported: ReportedMoney,
  reason: UnmatchedReason,
  orderId: string | null = null,
): Promise<void> {
  await inTransaction(ledger.db, (tx) =>
    addUnmatched(ledger, tx, {
      rail,
      eventId,
      orderId,
      paymentId: identifierOf(reported.paymentId),
      reference: identifierOf(reported.reference),
      amount: asSent(reported.amount),
      currency: asSent(reported.currency),
      reason,
      body: storable(new TextDecoder().decode(raw)),
    }),
  );
}
