/** Counts pending orders, unmatched payments and undelivered events. */
import { and, eq, isNull, lt } from "drizzle-orm";
import { OrderStatus } from "../../contract/calls.ts";
import type { Database } from "../store/database.ts";
import { orders, outboxEvents, unmatchedPayments } from "../store/schema.ts";

export interface Backlog {
  pendingOrders: number;
  /** Money that no rule settles. */
  unmatchedPayments: number;
  /** Events that should have been delivered by now, and those that were given up. */
  eventsDue: number;
  eventsGivenUp: number;
}

/** Each number has an index of what waits alone. @param now milliseconds since 1970, UTC */
export async function backlogOf(db: Database, now: number): Promise<Backlog> {
  const [pendingOrders, unmatched, eventsDue, eventsGivenUp] = await Promise.all([
    db.$count(orders, eq(orders.status, OrderStatus.pending)),
    db.$count(unmatchedPayments, isNull(unmatchedPayments.resolvedAt)),
    db.$count(outboxEvents, lt(outboxEvents.nextAttemptAt, new Date(now))),
    db.$count(outboxEvents, and(isNull(outboxEvents.nextAttemptAt), isNull(outboxEvents.deliveredAt))),
  ]);
  return { pendingOrders, unmatchedPayments: unmatched, eventsDue, eventsGivenUp };
}
