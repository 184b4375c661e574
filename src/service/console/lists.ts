/** The lists of the operator's page, page by page, the latest first. */
import { and, desc, eq, isNull } from "drizzle-orm";
import { OrderStatus } from "../../contract/calls.ts";
import type { EventLine, filters, Listed, ListName } from "../../contract/console.ts";
import { isPartPaid } from "../payments/standing.ts";
import { auditEntries, catalogueVersions, orders, outboxEvents, unmatchedPayments } from "../store/schema.ts";
import { after, cursorOf, numberedAfter, pageOf } from "../store/pages.ts";
import { entryLines, orderLine, ordersWhere, rowLines, versionLines, type Looking } from "./lines.ts";

/** Rows of a page. */
const PAGE = 25;

/** A cursor of `store/pages.ts`. */
export const CURSOR = /^\d{1,15}\.[\w-]{1,64}$/;

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
    const { rows, next } = pageOf(found, PAGE, ({ order }) => cursorOf(order.createdAt, order.id));
    return { rows: rows.map(({ order, member }) => orderLine(order, member)), next };
  },
  async unmatched(looking, filter, cursor) {
    const { receivedAt, id, resolvedAt } = unmatchedPayments;
    const found = await looking.db
      .select()
      .from(unmatchedPayments)
      .where(and(filter === "open" ? isNull(resolvedAt) : undefined, after(cursor, receivedAt, id, "bigint")))
      .orderBy(desc(receivedAt), desc(id))
      .limit(PAGE + 1);
    const { rows, next } = pageOf(found, PAGE, (row) => cursorOf(row.receivedAt, row.id));
    return { rows: await rowLines(looking, rows), next };
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
    const { rows, next } = pageOf(found, PAGE, (event) => cursorOf(event.createdAt, event.id));
    const lines = rows.map((event): EventLine => ({
      id: event.id,
      type: event.type,
      at: event.createdAt.toISOString(),
      attempts: event.attempts,
      next: event.nextAttemptAt?.toISOString() ?? null,
      error: event.lastError,
    }));
    return { rows: lines, next };
  },
  async audit(looking, _filter, cursor) {
    const found = await looking.db
      .select()
      .from(auditEntries)
      .where(numberedAfter(cursor, auditEntries.id))
      .orderBy(desc(auditEntries.id))
      .limit(PAGE + 1);
    const { rows, next } = pageOf(found, PAGE, (entry) => cursorOf(entry.at, entry.id));
    return { rows: await entryLines(looking, rows), next };
  },
  async versions(looking, _filter, cursor) {
    const found = await looking.db
      .select()
      .from(catalogueVersions)
      .where(numberedAfter(cursor, catalogueVersions.id))
      .orderBy(desc(catalogueVersions.id))
      .limit(PAGE + 1);
    const { rows, next } = pageOf(found, PAGE, (version) => cursorOf(version.at, version.id));
    return { rows: await versionLines(looking, rows), next };
  },
};
