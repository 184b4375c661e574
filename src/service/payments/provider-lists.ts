/** Reads the providers' own lists of payments, refunds and disputes, so that one whose webhook event was lost is found all the same. */
import { and, eq, inArray, notBetween } from "drizzle-orm";
import { DAY, MINUTE } from "../../contract/durations.ts";
import { factsOf } from "../platform/log.ts";
import { providerPositions, reversals } from "../store/schema.ts";
import type { Ledger } from "./ledger.ts";
import type { ProviderRail } from "./provider.ts";
import { writtenState, type ReportedReversal } from "./webhook-events.ts";

/** Ms between two readings of a list. */
const INTERVAL = 60 * MINUTE;
/** Ms for which a page may take: another process goes on after that, and this one after a failure. */
const LEASE = 10 * MINUTE;
/** Days back where the first reading begins: Stripe keeps its events so long. */
const FIRST = 30 * DAY;
/** Ms for which a new payment is left to its webhook event, which is under way. */
export const UNDER_WAY = 5 * MINUTE;
/** Pages that are read at a time. The rest follows in the next minute. */
const MOST_PAGES = 20;

export interface Page {
  items: readonly unknown[];
  /** What the next page is asked for with; null: this was the last one. */
  next: string | null;
}

/** A list of a provider's that is read again and again, from where it was left. */
export interface ProviderList {
  name: string;
  /** Ms from the position back in which items are read again: they change, or appear late. */
  overlap: number;
  /**
   * One page of what came between two times, in milliseconds.
   * @param cursor `next` of the page before, null for the first
   * @throws RailFailed
   */
  page(from: number, to: number, cursor: string | null): Promise<Page>;
  /**
   * Writes down what is new in a page, as a webhook event does. Safe to repeat.
   * @param askedAt when the page was asked for, in milliseconds
   * @returns how many orders changed by it
   */
  take(items: readonly unknown[], askedAt: number): Promise<number>;
}

/** The listed reversals that are not stored yet. */
export async function newsOf<Told extends Pick<ReportedReversal, "state" | "reversalId" | "amount">>(
  { db }: Ledger,
  rail: ProviderRail,
  told: readonly Told[],
  unitsOf: (amount: number) => bigint,
): Promise<Told[]> {
  const ids = told.map(({ reversalId }) => reversalId).filter((id) => typeof id === "string");
  if (ids.length === 0) return [...told];
  const stored = await db
    .select()
    .from(reversals)
    .where(and(eq(reversals.rail, rail), inArray(reversals.reversalId, ids)));
  return told.filter(
    ({ reversalId, amount, state }) =>
      !stored.some(
        (each) =>
          each.reversalId === reversalId &&
          each.state === writtenState(state) &&
          typeof amount === "number" &&
          Number.isSafeInteger(amount) &&
          each.amount === unitsOf(amount),
      ),
  );
}

/**
 * Reads a list that is due from where it was left, one process at a time. After a failure or a crash the same page is read
 * again.
 * @returns whether there was something to read
 * @throws RailFailed when the provider does not answer, or not as it should
 */
async function readList(ledger: Ledger, rail: ProviderRail, list: ProviderList): Promise<boolean> {
  const { db, now, log } = ledger;
  const at = now();
  const which = and(eq(providerPositions.rail, rail), eq(providerPositions.list, list.name));
  await db
    .insert(providerPositions)
    .values({ rail, list: list.name, readUntil: new Date(at - FIRST), dueAt: new Date(at) })
    .onConflictDoNothing();
  let lease = new Date(at + LEASE);
  const [position] = await db
    .update(providerPositions)
    .set({ dueAt: lease })
    // What is due later than it can be was written before the clock was set back.
    .where(and(which, notBetween(providerPositions.dueAt, new Date(at + 1), new Date(at + 2 * INTERVAL))))
    .returning();
  if (!position) return false;
  // What was read until a time to come was read before the clock was set back.
  const from = Math.min(position.readUntil.getTime(), at) - list.overlap;
  // A page's cursor does not last for ever: what was left long ago is begun anew.
  const isOngoing = position.windowEnd !== null && position.windowEnd.getTime() > at - DAY;
  const to = isOngoing && position.windowEnd ? position.windowEnd : new Date(at);

  /** @returns false when another process reads it meanwhile */
  async function keep(change: Partial<typeof providerPositions.$inferInsert>): Promise<boolean> {
    const kept = await db
      .update(providerPositions)
      .set(change)
      .where(and(which, eq(providerPositions.dueAt, lease)))
      .returning({ list: providerPositions.list });
    return kept.length > 0;
  }

  let cursor = isOngoing ? position.cursor : null;
  for (let read = 1; ; read += 1) {
    const askedAt = now();
    const { items, next } = await list.page(from, to.getTime(), cursor);
    const found = await list.take(items, askedAt);
    if (found > 0) log("webhook missed", { rail, list: list.name, orders: found }, "warn");
    if (next === null) {
      const dueAt = new Date(now() + INTERVAL);
      await keep({ readUntil: to, windowEnd: null, cursor: null, dueAt });
      return true;
    }
    cursor = next;
    const isLast = read === MOST_PAGES;
    const until = new Date(isLast ? now() : now() + LEASE);
    if (!(await keep({ windowEnd: to, cursor, dueAt: until })) || isLast) return true;
    lease = until;
  }
}

/** Reads the lists of a provider that are due. @returns how many were read */
export async function readLists(
  ledger: Ledger,
  rail: ProviderRail,
  lists: readonly ProviderList[],
): Promise<number> {
  let read = 0;
  for (const list of lists) {
    try {
      if (await readList(ledger, rail, list)) read += 1;
    } catch (error) {
      // One that cannot be read does not hold up the other.
      ledger.log("reconciliation failed", { rail, list: list.name, ...factsOf(error) }, "warn");
    }
  }
  return read;
}
