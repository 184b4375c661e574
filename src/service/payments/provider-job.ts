/** Asks a provider by itself, so that a lost webhook loses no payment: about orders that are still open, and about payments, refunds and disputes. */
import { and, eq, gt, isNotNull, isNull, lt, notBetween, or, sql } from "drizzle-orm";
import { OrderStatus } from "../../contract/calls.ts";
import { DAY, MINUTE } from "../../contract/durations.ts";
import { factsOf } from "../platform/log.ts";
import { repeat } from "../platform/repeat.ts";
import { orders } from "../store/schema.ts";
import type { Ledger, Order } from "./ledger.ts";
import type { ProviderRail } from "./provider.ts";
import { RailFailed } from "./rails.ts";
import { readLists, type ProviderList } from "./provider-lists.ts";

/** Days after which an order that was not paid is no longer asked about: the lists tell of a later payment. */
const LONGEST = 7 * DAY;
/** Orders that are asked about at a time. */
const BATCH = 20;

/**
 * Asks about the open orders that are due: after a minute, and then each time a quarter of the order's age later.
 * @returns how many were asked about
 */
export async function refreshOpenOrders(
  { db, now, log }: Ledger,
  rail: ProviderRail,
  refresh: (order: Order) => Promise<void>,
): Promise<number> {
  const at = now();
  const [before, ahead] = [new Date(at - MINUTE), new Date(at + MINUTE)];
  const aged = sql`${orders.refreshedAt} + (${orders.refreshedAt} - ${orders.createdAt}) / 4 < ${new Date(at).toISOString()}::timestamptz`;
  const due = await db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.rail, rail),
        eq(orders.status, OrderStatus.pending),
        isNotNull(orders.thirdReferenceId),
        gt(orders.createdAt, new Date(at - LONGEST)),
        // A time that is to come was written before the clock was set back.
        notBetween(orders.createdAt, before, ahead),
        or(
          isNull(orders.refreshedAt),
          and(lt(orders.refreshedAt, before), aged),
          gt(orders.refreshedAt, ahead),
        ),
      ),
    )
    .orderBy(sql`${orders.refreshedAt} NULLS FIRST`)
    .limit(BATCH);
  let count = 0;
  for (const order of due) {
    // Another process may do the same at the same time.
    const unasked =
      order.refreshedAt === null ? isNull(orders.refreshedAt) : eq(orders.refreshedAt, order.refreshedAt);
    const [mine] = await db
      .update(orders)
      .set({ refreshedAt: new Date(at) })
      .where(and(eq(orders.id, order.id), unasked))
      .returning({ id: orders.id });
    if (!mine) continue;
    count += 1;
    try {
      await refresh(order);
    } catch (error) {
      log("refresh failed", { order: order.id, rail, ...factsOf(error) }, "warn");
      // Where it answers no other question either, the rest is asked about when it is due again.
      if (error instanceof RailFailed && !error.isOfOne) break;
    }
  }
  return count;
}

/** Does so every minute, and reads the lists that are due. @returns what stops it */
export const startProviderJob = (
  ledger: Ledger,
  rail: ProviderRail,
  refresh: (order: Order) => Promise<void>,
  lists: readonly ProviderList[],
): (() => Promise<void>) =>
  repeat(MINUTE, () =>
    refreshOpenOrders(ledger, rail, refresh)
      .then(() => readLists(ledger, rail, lists))
      .catch((error: unknown) => ledger.log("job failed", factsOf(error), "error")),
  );
