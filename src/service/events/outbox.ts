/** Outgoing events in the Standard Webhooks format, so that a paid membership becomes VPN access elsewhere. They are written in the transaction of what they tell of, and delivered afterwards until the receiver answers with a success. */
import { and, asc, eq, gt, isNull, lte, ne, sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { HOUR, MINUTE, SECOND } from "../../contract/durations.ts";
import { factsOf, type Log } from "../platform/log.ts";
import { LETTERS_AND_DIGITS, randomId } from "../platform/random-id.ts";
import type { Database } from "../store/database.ts";
import { deliver } from "../store/delivery.ts";
import { accounts, outboxEvents } from "../store/schema.ts";

/** Events about an account are written by `addAccountEvents`, which tells its whole state. */
export type AccountEventType =
  | "membership.extended"
  | "membership.ended"
  | "membership.revoked"
  | "membership.state"
  | "member.locked"
  | "member.unlocked"
  | "member.deleted";

export type EventData = Readonly<Record<string, string | number | boolean | null>>;

/** 131 bits. */
const ID_LENGTH = 22;

/** Adds an event about each of `about`, within the transaction of what they tell of. */
export async function addEvents(
  tx: Database,
  now: number,
  type: AccountEventType | "payment.unmatched",
  about: readonly EventData[],
): Promise<void> {
  const createdAt = new Date(now);
  await tx.insert(outboxEvents).values(
    about.map((data) => ({
      id: `msg_${randomId(LETTERS_AND_DIGITS, ID_LENGTH)}`,
      type,
      body: JSON.stringify({ type, timestamp: createdAt.toISOString(), data }),
      createdAt,
      nextAttemptAt: createdAt,
    })),
  );
}

/** Adds an event that is about no account, within the transaction of what it tells of. */
export const addEvent = (tx: Database, now: number, type: "payment.unmatched", data: EventData) =>
  addEvents(tx, now, type, [data]);

/** Ms until the next attempt after the first, second, … failed one; after the last, the event is given up: nearly three days. */
const RETRIES = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  3 * HOUR,
  8 * HOUR,
  24 * HOUR,
  24 * HOUR,
];
/** Ms in which the receiver answers. */
const ANSWER_TIMEOUT = 15 * SECOND;
/** Ms after which an event that was never tried shows that there was no receiver. */
const NO_RECEIVER = HOUR;
/** Said of an event that was not sent, because a later one about the same account tells all. */
const OVERTAKEN = "Not sent: a later event tells the account's state.";
/** Events that are delivered in one run, and those that are looked at together before. */
const BATCH = 100;
const LOOKED_AT = 1_000;

export interface Receiver {
  url: string;
  /** `whsec_…`, in Base64: one, or two while it is changed, of which the receiver may know either. */
  secrets: readonly string[];
}

type Event = typeof outboxEvents.$inferSelect;

/**
 * Settles the events that waited for a receiver to be set while a later one about the same account was written. Of a shop that
 * ran for years without one there may be a million: those that are due first are looked at together, until none of them is
 * overtaken.
 */
async function settleOvertaken(db: Database, now: () => number, signal: AbortSignal): Promise<void> {
  const settleNext = () => {
    const at = new Date(now());
    const waiting = db.$with("waiting").as(
      db
        .select({ id: outboxEvents.id, body: outboxEvents.body })
        .from(outboxEvents)
        .where(
          and(
            lte(outboxEvents.nextAttemptAt, new Date(at.getTime() - NO_RECEIVER)),
            eq(outboxEvents.attempts, 0),
            // The last event with the name: later ones do not tell that it is gone.
            ne(outboxEvents.type, "member.deleted"),
          ),
        )
        .orderBy(asc(outboxEvents.nextAttemptAt))
        .limit(LOOKED_AT)
        .for("update", { skipLocked: true }),
    );
    const told = (field: string) => sql`(${waiting.body}::json -> 'data' ->> ${field}::text)::bigint`;
    return db
      .with(waiting)
      .update(outboxEvents)
      .set({ deliveredAt: at, nextAttemptAt: null, lastError: OVERTAKEN })
      .from(waiting)
      .innerJoin(accounts, eq(accounts.id, told("account_id")))
      .where(
        and(
          eq(outboxEvents.id, waiting.id),
          gt(accounts.eventSequence, sql`coalesce(${told("sequence")}, 0)`),
        ),
      )
      .returning({ id: outboxEvents.id });
  };
  while (!signal.aborted && (await settleNext()).length > 0);
}

/** @returns why the receiver did not accept it; null when it did */
async function post({ url, secrets }: Receiver, { id, body }: Event, at: Date, signal: AbortSignal) {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(at.getTime() / SECOND)),
        "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
      },
      body,
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT)]),
    });
    await answer.body?.cancel();
    return answer.ok ? null : `HTTP ${answer.status}`;
  } catch (error) {
    return factsOf(error)["error"] ?? "";
  }
}

/**
 * Delivers the events that are due. One may arrive more than once, and in any order: its `webhook-id` stays the same.
 * @param signal ends it early
 * @returns how many were accepted
 */
export async function deliverEvents(
  db: Database,
  now: () => number,
  receiver: Receiver,
  log: Log,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  await settleOvertaken(db, now, signal);
  return deliver(
    db,
    now,
    {
      table: outboxEvents,
      retries: RETRIES,
      batch: BATCH,
      send: (event, at, ending) => post(receiver, event, at, ending),
      onFailure({ id, type }, error, givenUp) {
        if (givenUp) log("event given up", { id, type, error }, "error");
        else log("event not delivered", { id, type, error }, "warn");
      },
    },
    signal,
  );
}

/** Events that were not delivered, or one by its id, delivered or not: makes them due again, those written first at first. @returns how many */
export async function replayEvents(db: Database, now: number, id?: string): Promise<number> {
  const nextAttemptAt = sql`least(${outboxEvents.createdAt}, ${new Date(now).toISOString()}::timestamptz)`;
  const again = await db
    .update(outboxEvents)
    // None is left out for a later one, as those are that were never tried.
    .set({ attempts: 1, nextAttemptAt, deliveredAt: null })
    .where(id === undefined ? isNull(outboxEvents.deliveredAt) : eq(outboxEvents.id, id))
    .returning({ id: outboxEvents.id });
  return again.length;
}
