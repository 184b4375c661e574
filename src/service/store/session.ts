/** What a session of a database server is like, whatever was set for its role or its database: the SQL and the driver rely on it. */
import type { ClientBase } from "pg";
import { SECOND } from "../../contract/durations.ts";

/** Ms that a statement waits for what another transaction has locked. */
const LOCK_TIMEOUT = 10 * SECOND;
/** Ms in which a transaction that asks nothing more is given up, so that it holds its locks no longer. */
const IDLE_TIMEOUT = 30 * SECOND;

/** How dates, bytes, numbers and text are written and read, and which tables a name means. */
const RELIED_ON = {
  client_encoding: "UTF8",
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  TimeZone: "UTC",
  bytea_output: "hex",
  extra_float_digits: "1",
  standard_conforming_strings: "on",
  // The migrations name this schema where one table refers to another.
  search_path: "public",
  row_security: "on",
  // Where it is stricter, a single statement that meets another's change would fail.
  default_transaction_isolation: "read committed",
  default_transaction_deferrable: "off",
  default_transaction_read_only: "off",
};

const set = (scope: "SESSION" | "LOCAL", settings: Record<string, string | number>) =>
  Object.entries(settings)
    .map(([name, value]) => `SET ${scope} ${name} TO '${value}'`)
    .join(";\n");

/** Ends sessions and transactions that have all they need; newer servers know them. */
const ENDINGS = ["idle_session_timeout", "transaction_timeout"];

/** Also "on" of every transaction on a standby, whatever the session is set to. */
const IS_READ_ONLY = "current_setting('transaction_read_only') AS \"isReadOnly\"";

interface Writes {
  isReadOnly: string;
}

/** @throws Error in a sentence where the server takes no writes */
function refuseUnlessWritable([found]: readonly Writes[]): void {
  if (found?.isReadOnly !== "off") throw new Error("The server is read-only: a standby, or set so.");
}

/**
 * After a failover, a name or a pooler may still lead to the server that was written to before.
 * @throws Error in a sentence where the server takes no writes
 */
export async function checkWritable(client: ClientBase): Promise<void> {
  refuseUnlessWritable((await client.query<Writes>(`SELECT ${IS_READ_ONLY}`)).rows);
}

/**
 * Prepares a session that is kept. Not by startup parameters: some connection poolers refuse those.
 * @param statement ms that a statement may take
 * @throws Error in a sentence where the server takes no writes, as `checkWritable`
 */
export async function prepareSession(fresh: ClientBase, statement: number): Promise<void> {
  await fresh.query(
    set("SESSION", {
      ...RELIED_ON,
      statement_timeout: statement,
      lock_timeout: LOCK_TIMEOUT,
      idle_in_transaction_session_timeout: IDLE_TIMEOUT,
    }),
  );
  const { rows } = await fresh.query<Writes>(
    `SELECT ${IS_READ_ONLY}, (SELECT count(set_config(name, '0', false)) FROM pg_settings WHERE name = ANY($1))`,
    [ENDINGS],
  );
  refuseUnlessWritable(rows);
}

/** Begins a transaction that may change tables for as long as it takes, in a session of any kind. How long a change waits for another's lock, `migrating.ts` says. */
export async function beginLong(client: ClientBase): Promise<void> {
  await client.query(
    `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
    ${set("LOCAL", { ...RELIED_ON, statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 })}`,
  );
}

/** What it must be where nothing can be set that outlives a transaction; the value that mends it. */
const CHECKED: Record<string, RegExp> = {
  DateStyle: /^ISO/,
  bytea_output: /^hex$/,
  standard_conforming_strings: /^on$/,
  default_transaction_isolation: /^read committed$/,
  default_transaction_read_only: /^off$/,
};

interface Found {
  role: string;
  encoding: string;
  schema: string | null;
  settings: Record<string, string>;
}

/**
 * @param isKept whether a session stays one, and is prepared
 * @throws Error in a sentence where the database, or a session that cannot be prepared, is not what is relied on
 */
export async function checkSession(client: ClientBase, isKept: boolean): Promise<void> {
  const { rows } = await client.query<Found>(
    `SELECT current_user AS role, current_setting('server_encoding') AS encoding, current_schema() AS schema,
      (SELECT json_object_agg(name, current_setting(name)) FROM unnest($1::text[]) name) AS settings`,
    [Object.keys(CHECKED)],
  );
  const [found] = rows;
  if (!found) throw new Error("it says nothing of itself.");
  const { role, encoding, schema, settings } = found;
  if (encoding !== "UTF8") {
    throw new Error(
      `its encoding is ${encoding}, which cannot hold every name: make one with ENCODING 'UTF8' TEMPLATE template0.`,
    );
  }
  if (isKept) return;
  const wrong = Object.entries(CHECKED).find(([name, right]) => !right.test(settings[name] ?? ""))?.[0];
  const name = wrong ?? (schema === "public" ? undefined : "search_path");
  if (name === undefined) return;
  const right = RELIED_ON[name as keyof typeof RELIED_ON];
  throw new Error(
    `${name} is not as the service needs it, and behind this pooler it cannot be set: ALTER ROLE ${role} SET ${name} TO '${right}', and have the pooler connect anew.`,
  );
}
