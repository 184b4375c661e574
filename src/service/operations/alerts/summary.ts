/** The day in a message: what was sold, what waits, and what is wrong. Sent once a day, by one process. */
import { and, eq, gte, lt, sql } from "drizzle-orm";
import { OrderStatus } from "../../../contract/calls.ts";
import { DAY, HOUR } from "../../../contract/durations.ts";
import { shownUnits } from "../../../contract/money.ts";
import type { Database } from "../../store/database.ts";
import { orders, securityEvents, storedSettings } from "../../store/schema.ts";
import { inTransaction } from "../../store/transaction.ts";
import { backlogOf, countPending } from "../backlog.ts";
import { openAlarms, type Telling } from "./alarms.ts";
import { addMessages } from "./messages.ts";

const LATEST = "alert summary";

const rails = { usdt: "USDT", card: "card", stripe: "Stripe" } as const;

/** What was sold on a day, by the way that it was paid, and who joined. @param from its first moment, in UTC */
async function linesOf(db: Database, from: Date, now: number, hasReceiver: boolean): Promise<string[]> {
  const to = new Date(from.getTime() + DAY);
  const sold = await db
    .select({ rail: orders.rail, number: sql<string>`count(*)`, amount: sql<string>`sum(${orders.amount})` })
    .from(orders)
    .where(
      and(
        eq(orders.status, OrderStatus.confirmed),
        gte(orders.confirmedAt, from),
        lt(orders.confirmedAt, to),
      ),
    )
    .groupBy(orders.rail)
    .orderBy(orders.rail);
  const [joined, backlog, pending, open] = await Promise.all([
    db.$count(
      securityEvents,
      and(eq(securityEvents.event, "registered"), gte(securityEvents.at, from), lt(securityEvents.at, to)),
    ),
    backlogOf(db, now, hasReceiver),
    countPending(db),
    openAlarms(db),
  ]);
  return [
    ...(sold.length === 0 ? ["Nothing was sold."] : []),
    ...sold.map(
      ({ rail, number, amount }) =>
        `Paid by ${rails[rail]}: ${number}, ${shownUnits(BigInt(amount))} ${rail === "usdt" ? "USDT" : "USD"}`,
    ),
    `New accounts: ${joined}`,
    `Orders not paid yet: ${pending}`,
    `Payments that wait for you: ${backlog.unmatchedPayments}`,
    `Events not delivered: ${backlog.eventsLate + backlog.eventsGivenUp}`,
    ...(open.length === 0 ? ["No alarm is on."] : open.map(({ what }) => `Alarm: ${what}`)),
  ];
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10);

/**
 * Tells of yesterday, once, from `hour` o'clock on.
 * @param hour of the day in UTC @param hasReceiver whether events are delivered
 */
export async function tellSummary(
  db: Database,
  now: number,
  { hour, hasReceiver }: { hour: number; hasReceiver: boolean },
  telling: Telling,
): Promise<void> {
  const today = new Date(Math.floor((now - hour * HOUR) / DAY) * DAY);
  const [value, tomorrow] = [dayOf(today), dayOf(new Date(today.getTime() + DAY))];
  await inTransaction(db, async (tx) => {
    const due = await tx
      .insert(storedSettings)
      .values({ key: LATEST, value })
      .onConflictDoUpdate({
        target: storedSettings.key,
        set: { value },
        // Processes may have other hours; what lies ahead was told before the clock was set back.
        setWhere: sql`${storedSettings.value} < ${value} OR ${storedSettings.value} > ${tomorrow}`,
      })
      .returning({ key: storedSettings.key });
    if (due.length === 0) return;
    const from = new Date(today.getTime() - DAY);
    const lines = await linesOf(tx, from, now, hasReceiver);
    const title = `Everlit: ${dayOf(from)}`;
    const text = [...lines, ...(telling.page === null ? [] : [telling.page])].join("\n");
    await addMessages(tx, now, telling.channels, { title, text });
  });
}
