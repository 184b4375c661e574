/** The lists of the operator's page, page by page, the latest first. */
import { and, desc, eq, isNull, sql, type Column, type SQL } from "drizzle-orm";
import { OrderStatus } from "../../contract/calls.ts";
import type { EventLine, filters, Listed, ListName } from "../../contract/console.ts";
import { isPartPaid } from "../payments/standing.ts";
import { auditEntries, catalogueVersions, orders, outboxEvents, unmatchedPayments } from "../store/schema.ts";
import { entryLines, orderLine, ordersWhere, rowLines, versionLines, type Looking } from "./lines.ts";

/** Rows of a page. */
const PAGE = 25;

/** `milliseconds.id` of the last row of the page before. */
export const CURSOR = /^\d{1,15}\.[\w-]{1,64}$/;

/** That a row comes after a cursor, in the order of a time and of what tells two of the same time apart. */
function after(cursor: string | null, at: Column, id: Column, type: "text" | "bigint"): SQL | undefined {
  if (cursor === null) return undefined;
  const [ms, key = ""] = cursor.split(".");
  const when = new Date(Number(ms)).toISOString();
  return sql`(${at}, ${id}) < (${when}::timestamptz, ${key}::${sql.raw(type)})`;
}

/** The same of rows that are numbered in their order. */
function numberedAfter(cursor: string | null, id: Column): SQL | undefined {
  const before = cursor?.split(".")[1];
  return before === undefined ? undefined : sql`${id} < ${before}::bigint`;
}

/** The rows of one page of `found`, which was asked for one more. */
function pageOf<Row, Line>(
  found: readonly Row[],
  lines: readonly Line[],
  cursorOf: (row: Row) => string,
): { rows: Line[]; next: string | null } {
  const last = found[PAGE - 1];
  return {
    rows: lines.slice(0, PAGE),
    next: found.length > PAGE && last !== undefined ? cursorOf(last) : null,
  };
}

const statuses = {
  pending: OrderStatus.pending,
  confirmed: OrderStatus.confirmed,
  failed: OrderStatus.failed,
};

type Filter<Name extends ListName> = (typeof filters)[Name][number];
type Reader<Name extends ListName> = (
  looking: Looking,
  filter: Filter<Name>,
  cursor: string | null,
) => Promise<Listed<Name>>;

export const lists: { [Name in ListName]: Reader<Name> } = {
  async orders({ db }, filter, cursor) {
    const isWanted =
      filter === "part-paid"
        ? isPartPaid
        : filter === "all"
          ? undefined
          : eq(orders.status, statuses[filter]);
    const found = await ordersWhere(db, and(isWanted, after(cursor, orders.createdAt, orders.id, "text")))
      .orderBy(desc(orders.createdAt), desc(orders.id))
      .limit(PAGE + 1);
    const lines = found.map(({ order, member }) => orderLine(order, member));
    return pageOf(found, lines, ({ order }) => `${order.createdAt.getTime()}.${order.id}`);
  },
  async unmatched(looking, filter, cursor) {
    const { receivedAt, id, resolvedAt } = unmatchedPayments;
    const found = await looking.db
      .select()
      .from(unmatchedPayments)
      .where(and(filter === "open" ? isNull(resolvedAt) : undefined, after(cursor, receivedAt, id, "bigint")))
      .orderBy(desc(receivedAt), desc(id))
      .limit(PAGE + 1);
    const lines = await rowLines(looking, found);
    return pageOf(found, lines, (row) => `${row.receivedAt.getTime()}.${row.id}`);
  },
  async events({ db }, filter, cursor) {
    const { createdAt, id, deliveredAt, nextAttemptAt } = outboxEvents;
    const found = await db
      .select()
      .from(outboxEvents)
      .where(
        and(
          isNull(deliveredAt),
          filter === "given-up" ? isNull(nextAttemptAt) : undefined,
          after(cursor, createdAt, id, "text"),
        ),
      )
      .orderBy(desc(createdAt), desc(id))
      .limit(PAGE + 1);
    const lines = found.map((event): EventLine => ({
      id: event.id,
      type: event.type,
      at: event.createdAt.toISOString(),
      attempts: event.attempts,
      next: event.nextAttemptAt?.toISOString() ?? null,
      error: event.lastError,
    }));
    return pageOf(found, lines, (event) => `${event.createdAt.getTime()}.${event.id}`);
  },
  async audit(looking, _filter, cursor) {
    const found = await looking.db
      .select()
      .from(auditEntries)
      .where(numberedAfter(cursor, auditEntries.id))
      .orderBy(desc(auditEntries.id))
      .limit(PAGE + 1);
    const lines = await entryLines(looking, found);
    return pageOf(found, lines, (entry) => `${entry.at.getTime()}.${entry.id}`);
  },
  async versions(looking, _filter, cursor) {
    const found = await looking.db
      .select()
      .from(catalogueVersions)
      .where(numberedAfter(cursor, catalogueVersions.id))
      .orderBy(desc(catalogueVersions.id))
      .limit(PAGE + 1);
    const lines = await versionLines(looking, found);
    return pageOf(found, lines, (version) => `${version.at.getTime()}.${version.id}`);
  },
};
