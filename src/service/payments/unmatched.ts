/** Payments that could not be matched to an order, or need a person: listed for the operator until they are resolved. */
import { and, desc, eq, isNull, or } from "drizzle-orm";
import { fromUnits, USD_DECIMALS, USDT_DECIMALS } from "../../contract/money.ts";
import type { Database } from "../store/database.ts";
import { unmatchedPayments, type orders } from "../store/schema.ts";
import type { Log } from "../platform/log.ts";
import { CENT } from "./book.ts";
import { addEvent } from "../events/outbox.ts";

/** The part of the ledger that this file uses. */
interface Context {
  now: () => number;
  log: Log;
}

type Row = typeof unmatchedPayments.$inferInsert;
type Order = typeof orders.$inferSelect;
export type UnmatchedReason = Row["reason"];

/** Said of a row whose cause has gone. When it comes back, the row is open again. */
export const RESOLVED_BY_ITSELF = "What it was about has gone.";

/** Decimals of a provider's currency: its amounts are in the smallest units of each. A yen has none, a dinar three. */
function decimalsOf(currency: string | null | undefined): number {
  try {
    const format = new Intl.NumberFormat("en", { style: "currency", currency: currency ?? "USD" });
    return format.resolvedOptions().maximumFractionDigits ?? USD_DECIMALS;
  } catch {
    // A provider's word that is no currency.
    return USD_DECIMALS;
  }
}

/** An amount of a row as people read it. A provider's own word may be anything: it stays as it is. */
export function shownAmount({
  rail,
  amount,
  currency,
}: Pick<Row, "rail" | "amount" | "currency">): string | null {
  if (amount === null || amount === undefined || !/^\d{1,18}$/.test(amount)) return amount ?? null;
  return fromUnits(BigInt(amount), rail === "usdt" ? USDT_DECIMALS : decimalsOf(currency), USD_DECIMALS);
}

/** Tells other systems of a new row. `amount` is in whole units of its currency, `amount_units` in the smallest ones. */
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
    amount: shownAmount(row),
    amount_units: row.amount ?? null,
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

/** Writes a row about something that may go and come again. One that had gone is opened again; one that was seen to is not. */
export async function openUnmatched(
  ledger: Context,
  tx: Database,
  row: Omit<Row, "receivedAt">,
): Promise<void> {
  const { now, log } = ledger;
  const receivedAt = new Date(now());
  const [opened] = await tx
    .insert(unmatchedPayments)
    .values({ ...row, receivedAt })
    .onConflictDoUpdate({
      target: [unmatchedPayments.rail, unmatchedPayments.eventId],
      set: { receivedAt, resolvedAt: null, resolution: null },
      setWhere: eq(unmatchedPayments.resolution, RESOLVED_BY_ITSELF),
    })
    .returning({ id: unmatchedPayments.id });
  if (!opened) return;
  const order = row.orderId ? { order: row.orderId } : {};
  log("payment unmatched", { id: opened.id, rail: row.rail, reason: row.reason, ...order }, "warn");
  await announce(ledger, tx, opened.id, row);
}

/** What the rows of an order say, in smallest units of USDT. */
const unitsOf = ({ rail, amount }: Pick<Row, "rail" | "amount">) =>
  BigInt(amount ?? 0) * (rail === "usdt" ? 1n : CENT);

/** Whether an operator settled a row. */
const isSeenTo = ({ resolvedAt, resolution }: Pick<Row, "resolvedAt" | "resolution">) =>
  resolvedAt !== null && resolution !== RESOLVED_BY_ITSELF;

const rowsOf = (tx: Database, { id }: Pick<Order, "id">, reason: UnmatchedReason) =>
  tx
    .select()
    .from(unmatchedPayments)
    .where(and(eq(unmatchedPayments.orderId, id), eq(unmatchedPayments.reason, reason)))
    .orderBy(desc(unmatchedPayments.id));

/** What operators settled of an order's rows of a reason, in smallest units of USDT. */
export async function seenTo(tx: Database, order: Order, reason: UnmatchedReason): Promise<bigint> {
  const rows = await rowsOf(tx, order, reason);
  return rows.filter(isSeenTo).reduce((sum, row) => sum + unitsOf(row), 0n);
}

/**
 * Keeps the operator's list in line with a difference between an order and its money: what was added to the difference is a
 * row of its own, and no row changes its amount. Less than a cent is none.
 * @param order its row is locked
 * @param difference in smallest units of USDT
 */
export async function noteDifference(
  ledger: Context,
  tx: Database,
  { rail, currency, ...order }: Order,
  reason:
    | "surplus"
    | "partly refunded"
    | "amount differs"
    | "disputed after refund"
    | "kept went back"
    | "kept came back",
  difference: bigint,
): Promise<void> {
  const rows = await rowsOf(tx, order, reason);
  const open = rows.filter(({ resolvedAt }) => resolvedAt === null);
  // Money that was seen to has left its balance; what a part that went back is worth was seen to once.
  const isMoved = reason === "surplus" || reason === "amount differs";
  const settled = isMoved ? [] : rows.filter(isSeenTo);
  let covered = [...open, ...settled].reduce((sum, row) => sum + unitsOf(row), 0n);
  for (const row of open) {
    if (covered <= difference) break;
    await resolveUnmatched(ledger, tx, { rail, eventId: row.eventId }, RESOLVED_BY_ITSELF);
    covered -= unitsOf(row);
  }
  const more = difference - covered;
  if (more < CENT) return;
  await openUnmatched(ledger, tx, {
    rail,
    eventId: `${reason}:${order.id}:${rows.length + 1}`,
    orderId: order.id,
    reference: order.address ?? order.thirdReferenceId,
    // As the rail counts it.
    amount: String(rail === "usdt" ? more : more / CENT),
    currency,
    reason,
    body: "",
  });
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
