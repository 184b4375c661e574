/** How PostgreSQL finds what is asked for: from registering to a paid bill, in the operator's lists and in the jobs, no statement reads a whole table that grows with the members. */
import { Client } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { rawAddress } from "../../src/contract/address.ts";
import { paths } from "../../src/contract/calls.ts";
import { backlogOf } from "../../src/service/operations/backlog.ts";
import { run } from "../../src/service/operations/admin/commands.ts";
import { deleteExpired } from "../../src/service/operations/retention.ts";
import { sweep } from "../../src/service/payments/ledger.ts";
import { announceEnds } from "../../src/service/payments/membership.ts";
import { deliverEvents } from "../../src/service/payments/outbox.ts";
import { migrationsFolder } from "../../src/service/project.ts";
import { open } from "../../src/service/store/open.ts";
import { SimulatedChain } from "../support/simulated-chain.ts";
import { chainsOf, emptyDatabase, freshName, monthly, PASSWORD, serve, servers } from "./support.ts";

/** These grow with the members; of the others there are few rows, or the sandbox alone has them. */
const large = new Set([
  "accounts",
  "attempts",
  "audit_entries",
  "chain_blocks",
  "membership_entries",
  "orders",
  "outbox_events",
  "payments",
  "receiving_addresses",
  "reversals",
  "security_events",
  "sessions",
  "transfers",
  "unmatched_payments",
  "webhook_events",
]);

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: Plan[];
}

/** Where a plan reads all rows of a large table, in words. `partial` indexes hold few rows, and an order with a limit ends early. */
function wholeReads(plan: Plan, partial: ReadonlySet<string>, isLimited = false): string[] {
  const { "Node Type": type, "Relation Name": table = "", "Index Name": index } = plan;
  const limited = isLimited || type === "Limit";
  const isWhole =
    type === "Seq Scan" ||
    (type.startsWith("Index") && plan["Index Cond"] === undefined && !limited && !partial.has(index ?? ""));
  return [
    ...(isWhole && large.has(table)
      ? [`${type} of ${table}${index === undefined ? "" : ` by ${index}`}`]
      : []),
    ...(plan.Plans ?? []).flatMap((part) => wholeReads(part, partial, limited)),
  ];
}

const textOf = (query: unknown) =>
  typeof query === "object" && query !== null && "text" in query ? String(query.text) : String(query);

/** Every statement that is asked with values from now on, by its text. */
function recordStatements(): Map<string, unknown[]> {
  const asked = new Map<string, unknown[]>();
  const { query } = Client.prototype;
  const spy = vi.spyOn(Client.prototype, "query").mockImplementation(function (
    this: Client,
    ...given: unknown[]
  ) {
    const [what, values] = given;
    const text = textOf(what);
    // The kit empties one table by itself.
    if (/^\s*(select|insert|update|delete|with)\b/i.test(text) && text !== 'delete from "attempts"')
      asked.set(text, Array.isArray(values) ? values : []);
    return Reflect.apply(query, this, given) as unknown;
  });
  onTestFinished(() => spy.mockRestore());
  return asked;
}

test.skipIf(servers.length === 0)(
  "no statement of a purchase in USDT, the operator's lists and the jobs reads a table whole that grows with the members",
  async () => {
    const { url, drop } = await emptyDatabase();
    onTestFinished(drop);
    const asked = recordStatements();
    const store = await open(url, migrationsFolder());
    onTestFinished(() => store.close());
    // Those that made the tables.
    asked.clear();
    const { db } = store;

    const chains = { TRC20: new SimulatedChain(1), ERC20: new SimulatedChain(2) };
    const { call, clock, ledger, member, order, settle } = await serve(store, {
      sandbox: false,
      chains: chainsOf(chains),
    });
    const now = () => clock.now;
    const name = freshName();
    await settle();
    const token = await member(name);
    await call(paths.login, { body: { account_name: name, password: "wrong guess" } });
    await call(paths.centre, { token });
    const answer = { security_problem: "1", security_problem_value: "the harbour", password: PASSWORD };
    await call(paths.saveSecurityProblem, { token, body: answer });
    await call(paths.updateProfile, { token, body: { name: "Anna", sex: "", birth_date: "" } });
    const made = await order(token, monthly, { "Idempotency-Key": "key" });
    chains.TRC20.mine({ to: rawAddress("TRC20", made.address), amount: 3_990_000n });
    chains.TRC20.grow(20);
    await settle();
    await call(paths.orderDetail, { token, body: { order_id: made.id } });
    await call(paths.sessions, { token });
    await call(paths.endOtherSessions, { token, body: { password: PASSWORD } });
    await call(paths.recover, {
      body: {
        account_name: name,
        security_problem: "1",
        security_problem_value: "the harbour",
        new_password: "another harbour 8",
        new_password_confirmation: "another harbour 8",
      },
    });

    const lines: [command: string, args?: string[], options?: Record<string, string>][] = [
      ["status"],
      ["order", [made.id]],
      ["order", [made.address]],
      ["orders"],
      ["orders", [], { member: name }],
      ["orders", [], { "pending-days": "1" }],
      ["member", [name]],
      ["unmatched"],
      ["unmatched", [], { all: "" }],
      ["events"],
      ["security"],
      ["security", [], { member: name }],
      ["audit"],
      ["lock", [name], { reason: "Ticket 7" }],
    ];
    for (const [command, args = [], options = {}] of lines)
      await run(command, { ledger, args, options, actor: "anna" });

    await sweep(ledger);
    await announceEnds(db, now());
    await backlogOf(db, now());
    await deleteExpired(db, now());
    const receiver = { url: "http://127.0.0.1:9/", secret: "whsec_c2VjcmV0" };
    await deliverEvents(db, now, receiver as never, () => undefined, AbortSignal.timeout(1_000)).catch(
      () => 0,
    );

    expect(asked.size).toBeGreaterThan(60);
    const client = new Client({ connectionString: url });
    await client.connect();
    // Small tables are read whole whatever indexes there are, unless that is forbidden: then only what has no index is.
    await client.query("SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off");
    const { rows } = await client.query<{ name: string }>(
      "SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indpred IS NOT NULL",
    );
    const partial = new Set(rows.map((row) => row.name));
    const found: string[] = [];
    for (const [text, values] of asked) {
      const explained = await client.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
        `EXPLAIN (FORMAT JSON) ${text}`,
        values,
      );
      const plan = explained.rows[0]?.["QUERY PLAN"][0].Plan;
      if (!plan) throw new Error(`No plan of ${text}`);
      for (const what of wholeReads(plan, partial)) found.push(`${what}: ${text}`);
    }
    await client.end();
    expect(found).toEqual([]);
  },
);
