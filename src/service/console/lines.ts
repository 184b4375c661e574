/** Orders, rows and audit entries as the operator's page lists them, and which commands can be given about each. */
import { eq, inArray, type SQL } from "drizzle-orm";
import { shownUnits } from "../../contract/money.ts";
import {
  holds,
  orderChange,
  packageChanges,
  type EntryLine,
  type OrderLine,
  type Right,
  type RowLine,
  type VersionLine,
} from "../../contract/console.ts";
import { newestVersion } from "../catalogue-versions.ts";
import { shownAmount } from "../payments/unmatched.ts";
import { entriesOf, keptOf, type AuditEntry } from "../operations/admin/audit.ts";
import { stateOf, statusWord, touchedBy, type State, type Touched } from "../operations/admin/change.ts";
import { possible } from "../operations/admin/commands.ts";
import { originOf } from "../operations/admin/unmatched.ts";
import type { Database } from "../store/database.ts";
import {
  accounts,
  auditEntries,
  orders,
  type catalogueVersions,
  type unmatchedPayments,
} from "../store/schema.ts";

/** Who looks, and when: what is possible depends on both. */
export interface Looking {
  db: Database;
  now: number;
  right: Right;
}

/** The state of a change that is about no member, order or row. */
export const NOTHING: State = { members: [], orders: [], unmatched: [] };

type Order = typeof orders.$inferSelect;
type Row = typeof unmatchedPayments.$inferSelect;

export const orderLine = (order: Order, member: string): OrderLine => ({
  id: order.id,
  member,
  at: order.createdAt.toISOString(),
  amount: shownUnits(order.amount),
  currency: order.currency,
  by: order.network ?? order.rail,
  status: statusWord(order.status) as OrderLine["status"],
  days: order.days,
});

/** Orders with their members' names. */
export const ordersWhere = (db: Database, condition: SQL | undefined) =>
  db
    .select({ order: orders, member: accounts.name })
    .from(orders)
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .where(condition);

/** The names of the commands that can be given about a subject now, by the one who looks. */
export async function actionsOn(
  { db, now, right }: Looking,
  about: "order" | "member" | "row",
  subject: Partial<Touched>,
): Promise<string[]> {
  const state = await stateOf(db, await touchedBy(db, subject));
  return possible(about, state, now, right);
}

export async function rowLines(looking: Looking, rows: readonly Row[]): Promise<RowLine[]> {
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      at: row.receivedAt.toISOString(),
      reason: row.reason,
      amount: shownAmount(row),
      currency: row.currency,
      order: row.orderId,
      ...originOf(row),
      resolution: row.resolvedAt === null ? null : (row.resolution ?? ""),
      actions: row.resolvedAt === null ? await actionsOn(looking, "row", { unmatched: [row.id] }) : [],
    })),
  );
}

/** Entries of the audit, with what the one who looks may take back. */
export async function entryLines(
  { db, right }: Looking,
  entries: readonly AuditEntry[],
): Promise<EntryLine[]> {
  const undone =
    entries.length === 0
      ? []
      : await db
          .select({ undoes: auditEntries.undoes })
          .from(auditEntries)
          .where(
            inArray(
              auditEntries.undoes,
              entries.map(({ id }) => id),
            ),
          );
  const isUndone = new Set(undone.map(({ undoes }) => undoes));
  return entries.map((entry) => {
    const kept = keptOf(entry);
    return {
      id: entry.id,
      at: entry.at.toISOString(),
      actor: entry.actor,
      action: entry.action,
      subject: entry.subject,
      reason: entry.reason,
      canUndo: kept?.undo === true && !isUndone.has(entry.id) && holds(right, kept.right ?? "money"),
    };
  });
}

/** Versions of the packages, with what each changed, and what can be done about it. */
export async function versionLines(
  looking: Looking,
  versions: readonly (typeof catalogueVersions.$inferSelect)[],
): Promise<VersionLine[]> {
  const { db, now, right } = looking;
  const [newest, entries] = await Promise.all([newestVersion(db), entriesOf(db, versions)]);
  const lines = await entryLines(looking, entries);
  return versions.flatMap(({ id, content, auditId }) => {
    const entry = lines.find((each) => each.id === auditId);
    const made = entries.find((each) => each.id === auditId);
    if (!entry || !made) return [];
    const change = keptOf(made)?.change;
    const [before, after] = [
      change?.before.catalogue?.packages ?? [],
      change?.after.catalogue?.packages ?? [],
    ];
    const isOnSale = newest?.id === id;
    return [
      {
        id,
        source: content === null ? "file" : "version",
        isOnSale,
        changes: packageChanges(before, after),
        order: orderChange(before, after)?.after.map(({ name }) => name) ?? null,
        entry,
        actions: isOnSale || content === null ? [] : possible("version", NOTHING, now, right),
      } satisfies VersionLine,
    ];
  });
}
