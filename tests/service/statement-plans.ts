/** The statements that a service sends to PostgreSQL, and which of them read a whole table that grows with the members, or lock rows once for each row of another. */
import { Client } from "pg";
import { onTestFinished, vi } from "vitest";
import { migrationsFolder } from "../../src/service/platform/project.ts";
import { open } from "../../src/service/store/open.ts";
import { emptyDatabase } from "./support.ts";

/** These grow with the members; of the others there are few rows, or the sandbox alone has them. */
const large = new Set([
  "accounts",
  "attempts",
  "audit_entries",
  "chain_blocks",
  "membership_entries",
  "movements",
  "orders",
  "outbox_events",
  "payments",
  "receiving_addresses",
  "reversals",
  "security_events",
  "sessions",
  "sweeps",
  "transfers",
  "unmatched_payments",
  "webhook_events",
]);

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "Parent Relationship"?: string;
  Plans?: Plan[];
}

/**
 * Where a plan reads all rows of a large table, in words. `partial` indexes hold few rows, and an order with a limit ends early.
 * @param heap the table that a bitmap of index entries is made for
 */
function wholeReads(plan: Plan, partial: ReadonlySet<string>, isLimited = false, heap = ""): string[] {
  const { "Node Type": type, "Relation Name": table = heap, "Index Name": index } = plan;
  const limited = isLimited || type === "Limit";
  const endsEarly = limited && !type.startsWith("Bitmap");
  const isWhole =
    type === "Seq Scan" ||
    (type.includes("Index") && plan["Index Cond"] === undefined && !endsEarly && !partial.has(index ?? ""));
  return [
    ...(isWhole && large.has(table)
      ? [`${type} of ${table}${index === undefined ? "" : ` by ${index}`}`]
      : []),
    ...(plan.Plans ?? []).flatMap((part) => wholeReads(part, partial, limited, table)),
  ];
}

/** Where rows are looked for and locked once for each row of another table: whatever limit they have is no limit then. */
function repeatedLocks(plan: Plan, isRepeated = false): string[] {
  const { "Node Type": type, "Parent Relationship": relationship, Plans: parts = [] } = plan;
  const repeated = relationship !== "InitPlan" && (isRepeated || relationship === "Inner");
  return [
    ...(type === "LockRows" && repeated ? ["locks rows again and again"] : []),
    ...parts.flatMap((part) => repeatedLocks(part, repeated)),
  ];
}

const textOf = (query: unknown) =>
  typeof query === "object" && query !== null && "text" in query ? String(query.text) : String(query);

/** Every statement that is sent from now on, by its text, with the values of the last time. */
function recordStatements(): Map<string, unknown[]> {
  const sent = new Map<string, unknown[]>();
  const { query } = Client.prototype;
  const spy = vi.spyOn(Client.prototype, "query").mockImplementation(function (
    this: Client,
    ...given: unknown[]
  ) {
    const [what, values] = given;
    const text = textOf(what).trim();
    if (/^(select|insert|update|delete|with|declare)\b/i.test(text))
      sent.set(text, Array.isArray(values) ? values : []);
    return Reflect.apply(query, this, given) as unknown;
  });
  onTestFinished(() => spy.mockRestore());
  return sent;
}

async function planOf(client: Client, text: string, values: unknown[]): Promise<Plan> {
  const explained = await client.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
    `EXPLAIN (FORMAT JSON) ${text}`,
    values,
  );
  const plan = explained.rows[0]?.["QUERY PLAN"][0].Plan;
  if (!plan) throw new Error(`No plan of ${text}`);
  return plan;
}

const indexesIn = ({ "Index Name": index, Plans: parts = [] }: Plan): string[] => [
  ...(index === undefined ? [] : [index]),
  ...parts.flatMap(indexesIn),
];

/** The indexes that statements read, on the data that there are. */
export async function indexesOf(url: string, sent: ReadonlyMap<string, unknown[]>): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const found: string[] = [];
  for (const [text, values] of sent) found.push(...indexesIn(await planOf(client, text, values)));
  await client.end();
  return found;
}

/** The statements that read large tables whole or lock again and again, and what is wrong with each. */
export async function faultsOf(
  url: string,
  sent: ReadonlyMap<string, unknown[]>,
): Promise<{ what: string; text: string }[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  // Small tables are read whole whatever indexes there are, unless that is forbidden: then only what has no index is. Nor is a
  // table to be taken for small because the server has counted its rows meanwhile, or counts them while the plans are asked for.
  await client.query(
    `DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
        EXECUTE 'ALTER TABLE ' || name || ' SET (autovacuum_enabled = false)';
      END LOOP;
    END $$;
    SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
    UPDATE pg_class SET relpages = 0, reltuples = -1 WHERE relkind = 'r'; DELETE FROM pg_statistic`,
  );
  const { rows } = await client.query<{ name: string }>(
    "SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indpred IS NOT NULL",
  );
  const partial = new Set(rows.map((row) => row.name));
  const found: { what: string; text: string }[] = [];
  for (const [text, values] of sent)
    for (const what of wholeReads(await planOf(client, text, values), partial)) found.push({ what, text });
  // A table that was empty when the server counted it is taken for empty, whatever it has become.
  await client.query("UPDATE pg_class SET relpages = 1, reltuples = 0 WHERE relkind = 'r'");
  for (const [text, values] of sent)
    for (const what of repeatedLocks(await planOf(client, text, values))) found.push({ what, text });
  await client.end();
  return found;
}

/** An empty database with the statements that it is sent, those that made its tables left out. */
export async function recorded() {
  const { url, drop } = await emptyDatabase();
  onTestFinished(drop);
  const sent = recordStatements();
  const store = await open(url, migrationsFolder());
  onTestFinished(() => store.close());
  sent.clear();
  return { url, store, sent };
}
