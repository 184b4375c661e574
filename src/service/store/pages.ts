/** Pages of a list, the latest rows first: where a page begins, and where the next one does. */
import { sql, type Column, type SQL } from "drizzle-orm";

/** What tells a row's place in its list: `milliseconds.id`, as a page's last row has it. */
export const cursorOf = (at: Date, id: string | number): string => `${at.getTime()}.${id}`;

/** That a row comes after a cursor, in the order of a time and of what tells two of the same time apart. */
export function after(
  cursor: string | null,
  at: Column,
  id: Column,
  type: "text" | "bigint",
): SQL | undefined {
  if (cursor === null) return undefined;
  const [ms, key = ""] = cursor.split(".");
  const when = new Date(Number(ms)).toISOString();
  return sql`(${at}, ${id}) < (${when}::timestamptz, ${key}::${sql.raw(type)})`;
}

/** The same of rows that are numbered in their order. */
export function numberedAfter(cursor: string | null, id: Column): SQL | undefined {
  const before = cursor?.split(".")[1];
  return before === undefined ? undefined : sql`${id} < ${before}::bigint`;
}

/**
 * The rows of one page, and the cursor of the next; null: there is none.
 * @param found the rows from the page's first on, `size` of them and one more where there are more
 */
export function pageOf<Row>(
  found: readonly Row[],
  size: number,
  cursor: (row: Row) => string,
): { rows: Row[]; next: string | null } {
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  return { rows, next: found.length > size && last !== undefined ? cursor(last) : null };
}
