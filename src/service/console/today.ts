/** How the shop stands today: orders, revenue, memberships, networks, what waits for a person, the last backup. */
import { and, count, gt, gte, lte, sql } from "drizzle-orm";
import { shownUnits } from "../../contract/money.ts";
import { networks, OrderStatus } from "../../contract/calls.ts";
import { alarmKinds, type Today } from "../../contract/console.ts";
import { DAY } from "../../contract/durations.ts";
import { openAlarms } from "../operations/alerts/alarms.ts";
import { backlogOf, lastBackup, readingOf } from "../operations/backlog.ts";
import { isPartPaid } from "../payments/standing.ts";
import type { Database } from "../store/database.ts";
import { accounts, chainPositions, movements, orders, type Rail } from "../store/schema.ts";

/** Days of the plot. */
const SPAN = 30;
const WEEK = 7 * DAY;

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** What was credited less what was taken back, by day (UTC) and rail. */
async function revenueOf(db: Database, now: number): Promise<Today["revenue"]> {
  const first = Math.floor(now / DAY) * DAY - (SPAN - 1) * DAY;
  const day = sql<string>`to_char(${movements.at} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
  const rows = await db
    .select({
      day,
      rail: movements.rail,
      total: sql<string>`sum(CASE WHEN ${movements.to} = 'credited' THEN ${movements.amount} WHEN ${movements.from} = 'credited' THEN -${movements.amount} ELSE 0 END)`,
    })
    .from(movements)
    .where(gte(movements.at, new Date(first)))
    .groupBy(day, movements.rail);
  const of = (on: string, rail: Rail) =>
    shownUnits(BigInt(rows.find((row) => row.day === on && row.rail === rail)?.total ?? "0"));
  return Array.from({ length: SPAN }, (_, at) => dayOf(first + at * DAY)).map((on) => ({
    day: on,
    usdt: of(on, "usdt"),
    card: of(on, "card"),
    stripe: of(on, "stripe"),
  }));
}

async function membershipsOf(db: Database, now: number): Promise<Today["memberships"]> {
  const ends = accounts.membershipEndsAt;
  const [present, weekAgo] = [new Date(now), new Date(now - WEEK)];
  const [running, endThisWeek, endedLastWeek, paidThisWeek] = await Promise.all([
    db.$count(accounts, gt(ends, present)),
    db.$count(accounts, and(gt(ends, present), lte(ends, new Date(now + WEEK)))),
    db.$count(accounts, and(gt(ends, weekAgo), lte(ends, present))),
    db.$count(orders, gt(orders.confirmedAt, weekAgo)),
  ]);
  return { running, endThisWeek, endedLastWeek, paidThisWeek };
}

/** @param now milliseconds since 1970, UTC @param hasReceiver whether events are delivered */
export async function todayOf(db: Database, now: number, hasReceiver: boolean): Promise<Today> {
  const [states, revenue, memberships, positions, backlog, partPaid, backup, alarms] = await Promise.all([
    db
      .select({ status: orders.status, number: count() })
      .from(orders)
      .where(gt(orders.createdAt, new Date(now - SPAN * DAY)))
      .groupBy(orders.status),
    revenueOf(db, now),
    membershipsOf(db, now),
    db.select().from(chainPositions),
    backlogOf(db, now, hasReceiver),
    db.$count(orders, isPartPaid),
    lastBackup(db),
    openAlarms(db),
  ]);
  const numberOf = (status: number) => states.find((each) => each.status === status)?.number ?? 0;
  return {
    at: new Date(now).toISOString(),
    orders: {
      pending: numberOf(OrderStatus.pending),
      confirmed: numberOf(OrderStatus.confirmed),
      failed: numberOf(OrderStatus.failed),
    },
    revenue,
    memberships,
    networks: networks.flatMap((network) => {
      const position = positions.find((each) => each.network === network);
      if (!position) return [];
      const { headNumber, checkedAt } = position;
      const { age, unread } = readingOf(position, now);
      return [{ network, head: headNumber, age, unread, checkedAt: checkedAt?.toISOString() ?? null }];
    }),
    waiting: {
      unmatched: backlog.unmatchedPayments,
      partPaid,
      eventsLate: backlog.eventsLate,
      eventsGivenUp: backlog.eventsGivenUp,
    },
    backup: backup?.at.toISOString() ?? null,
    alarms: alarms.map(({ key, what, begunAt }) => {
      const kind = alarmKinds.find((each) => key === each || key.startsWith(`${each} `)) ?? null;
      const about = kind === null ? "" : key.slice(kind.length + 1);
      return { kind, about: about === "" ? null : about, what, since: begunAt.toISOString() };
    }),
  };
}
