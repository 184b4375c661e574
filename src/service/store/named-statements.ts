/** Has the database parse and plan each statement once for a connection: one with parameters gets a name by its text. */
import type { ClientBase } from "pg";

/** Statements whose text depends on a number of values are many; beyond so many, none gets a name any more. */
const MOST_NAMES = 500;

const names = new Map<string, string>();

/** The same for every connection. Undefined: the statement is parsed each time. */
function nameOf(text: string): string | undefined {
  const cached = names.get(text);
  if (cached !== undefined || names.size >= MOST_NAMES) return cached;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

/** What drizzle asks a client with. */
interface Statement {
  text?: string;
  name?: string;
}

/** @param isKept whether the database still knows a name at the next statement; if not, none gets one, and those that have one lose it */
export function nameStatements(client: ClientBase, isKept: boolean): void {
  const query = client.query.bind(client) as (statement: unknown, ...more: unknown[]) => unknown;
  const named = (statement: Statement, ...more: unknown[]) => {
    const [values] = more;
    const { text, name } = statement;
    if (text === undefined) return query(statement, ...more);
    const hasValues = Array.isArray(values) && values.length > 0;
    const statementName = name ?? (hasValues ? nameOf(text) : undefined);
    return query({ ...statement, name: isKept ? statementName : undefined }, ...more);
  };
  client.query = named as unknown as ClientBase["query"];
}
