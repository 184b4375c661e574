/** Payments that could not be matched to an order, or need a person: listed for the operator until they are resolved. */
import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { Database } from "../store/database.ts";
import { unmatchedPayments } from "../store/schema.ts";
import type { Log } from "../operations/log.ts";
import { addEvent } from "./outbox.ts";

/** Of the ledger, what this needs. */
interface Context {
  now: () => number;
  log: Log;
}

type Row = typeof unmatchedPayments.$inferInsert;
export type UnmatchedReason = Row["reason"];

/** Said of a row whose cause has gone. When it comes back, the row is open again. */
export const RESOLVED_BY_ITSELF = "What it was about has gone.";

/** Tells other systems of a new row. */
async function announce(
  { now }: Pick<Context, "now">,
  tx: Database,
  id: number,
  row: Omit<Row, "receivedAt">,
) {
  await addEvent(tx, now(), "payment.unmatched", {
    id,
    rail: row.rail,
    reason: row.reason,
    order_id: row.orderId ?? null,
    amount: row.amount ?? null,
    currency: row.currency ?? null,
  });
}

/** Writes a row, one for an event and one for a payment, and logs it as long as it is open. */
export async function addUnmatched(
  ledger: Context,
  tx: Database,
  row: Omit<Row, "receivedAt">,
): Promise<void> {
  const { now, log } = ledger;
  const [added] = await tx
    .insert(unmatchedPayments)
    .values({ ...row, receivedAt: new Date(now()) })
    .onConflictDoNothing()
    .returning({ id: unmatchedPayments.id });
  if (added) await announce(ledger, tx, added.id, row);
  const samePayment = row.paymentId ? eq(unmatchedPayments.paymentId, row.paymentId) : undefined;
  const [open] = await tx
    .select({ id: unmatchedPayments.id })
    .from(unmatchedPayments)
    .where(
      and(
        eq(unmatchedPayments.rail, row.rail),
        or(eq(unmatchedPayments.eventId, row.eventId), samePayment),
        isNull(unmatchedPayments.resolvedAt),
      ),
    );
  if (!open) return;
  const payment = row.paymentId ? { payment: row.paymentId } : {};
  log(
    "payment unmatched",
    { id: open.id, rail: row.rail, reason: row.reason, webhook: row.eventId, ...payment },
    "warn",
  );
}

/** Writes a row whose amount may change, and opens it again when it does. */
export async function updateUnmatched(
  ledger: Context,
  tx: Database,
  row: Omit<Row, "receivedAt"> & { amount: string },
): Promise<void> {
  const { now, log } = ledger;
  const receivedAt = new Date(now());
  const [changed] = await tx
    .insert(unmatchedPayments)
    .values({ ...row, receivedAt })
    .onConflictDoUpdate({
      target: [unmatchedPayments.rail, unmatchedPayments.eventId],
      set: { amount: row.amount, receivedAt, resolvedAt: null, resolution: null },
      setWhere: sql`${unmatchedPayments.amount} IS DISTINCT FROM ${row.amount} OR ${unmatchedPayments.resolution} = ${RESOLVED_BY_ITSELF}`,
    })
    .returning({ id: unmatchedPayments.id });
  if (!changed) return;
  const order = row.orderId ? { order: row.orderId } : {};
  log("payment unmatched", { id: changed.id, rail: row.rail, reason: row.reason, ...order }, "warn");
  await announce(ledger, tx, changed.id, row);
}

/** Closes the open rows that `which` names. */
export async function resolveUnmatched(
  { now }: Pick<Context, "now">,
  tx: Database,
  which: Pick<Row, "rail"> & ({ paymentId: string } | { eventId: string }),
  resolution: string,
): Promise<void> {
  await tx
    .update(unmatchedPayments)
    .set({ resolvedAt: new Date(now()), resolution })
    .where(
      and(
        eq(unmatchedPayments.rail, which.rail),
        "paymentId" in which
          ? eq(unmatchedPayments.paymentId, which.paymentId)
          : eq(unmatchedPayments.eventId, which.eventId),
        isNull(unmatchedPayments.resolvedAt),
      ),
    );
}
