/** A PostgreSQL server as others set it up: its encoding, what it sets for a session, and how it is reached. */
import { eq, sql } from "drizzle-orm";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { migrationsFolder } from "../../src/service/platform/project.ts";
import { open } from "../../src/service/store/open.ts";
import { inTransaction } from "../../src/service/store/transaction.ts";
import { accounts, orders } from "../../src/service/store/schema.ts";
import { driverUrl, isUnverified } from "../../src/service/store/database-url.ts";
import { hasPooler, startPooler } from "../support/pooler.ts";
import { freePort } from "../support/temporary-database.ts";
import { hasPostgres, startPostgres } from "../support/temporary-postgres.ts";
import { killAll, startProcess } from "../support/service-process.ts";
import { type Envelope, emptyDatabase, PASSWORD, serve, servers } from "./support.ts";

afterEach(killAll);

async function administer(url: string, ...queries: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const query of queries) await client.query(query);
  await client.end();
}

/** What a database may set for its sessions, each against what the service relies on. */
const HOSTILE = {
  client_encoding: "LATIN1",
  DateStyle: "SQL, DMY",
  IntervalStyle: "sql_standard",
  TimeZone: "Asia/Kolkata",
  bytea_output: "escape",
  extra_float_digits: "-15",
  standard_conforming_strings: "off",
  search_path: "elsewhere",
  default_transaction_isolation: "serializable",
  default_transaction_read_only: "on",
  default_transaction_deferrable: "on",
  statement_timeout: "1000",
  lock_timeout: "1",
  idle_in_transaction_session_timeout: "1000",
  idle_session_timeout: "1000",
};

/** An empty database that sets such things. */
async function hostile(settings: Partial<typeof HOSTILE>): Promise<string> {
  const { url, drop } = await emptyDatabase();
  onTestFinished(drop);
  const name = new URL(url).pathname.slice(1);
  const set = Object.entries(settings).map(
    ([key, value]) => `ALTER DATABASE ${name} SET ${key} TO '${value}'`,
  );
  await administer(url, "CREATE SCHEMA elsewhere", ...set);
  return url;
}

describe.skipIf(servers.length === 0)("a server", () => {
  test("whose database sets everything otherwise is made use of as any other", async () => {
    const store = await open(await hostile(HOSTILE), migrationsFolder());
    onTestFinished(store.close);
    const { member, order, clock } = await serve(store);
    await order(await member("张三丰的账号"));
    const [placed] = await store.db
      .select({ name: accounts.name, at: orders.createdAt })
      .from(orders)
      .innerJoin(accounts, eq(orders.accountId, accounts.id));
    expect(placed).toEqual({ name: "张三丰的账号", at: new Date(clock.now) });
    const { rows } = (await store.db.execute(
      sql`SELECT name, current_setting(name) AS setting FROM unnest(${sql.param(Object.keys(HOSTILE))}::text[]) name`,
    )) as { rows: { name: string; setting: string }[] };
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      client_encoding: "UTF8",
      DateStyle: "ISO, MDY",
      IntervalStyle: "postgres",
      TimeZone: "UTC",
      bytea_output: "hex",
      extra_float_digits: "1",
      standard_conforming_strings: "on",
      search_path: "public",
      default_transaction_isolation: "read committed",
      default_transaction_read_only: "off",
      default_transaction_deferrable: "off",
      statement_timeout: "15s",
      lock_timeout: "10s",
      idle_in_transaction_session_timeout: "30s",
      idle_session_timeout: "0",
    });
  });

  test.skipIf(!hasPooler)(
    "behind a pooler in transaction mode is refused in a sentence for each of these",
    async () => {
      const pooler = await startPooler(servers[0] ?? "");
      onTestFinished(pooler.stop);
      const limits = { connections: 2, statement: 15_000, pooling: "transaction" } as const;
      const through = (url: string) => open(pooler.through(url), migrationsFolder(), limits);
      const mended = {
        DateStyle: "ISO, MDY",
        bytea_output: "hex",
        standard_conforming_strings: "on",
        search_path: "public",
        default_transaction_isolation: "read committed",
        default_transaction_read_only: "off",
      };
      for (const [name, right] of Object.entries(mended)) {
        const url = await hostile({ [name]: HOSTILE[name as keyof typeof HOSTILE] });
        await expect(through(url)).rejects.toThrow(
          `${name} is not as the service needs it, and behind this pooler it cannot be set: ALTER ROLE tests SET ${name} TO '${right}', and have the pooler connect anew.`,
        );
      }
      await (await through(await hostile({ TimeZone: "Asia/Kolkata" }))).close();
    },
  );

  test("whose database is not UTF8 is refused in a sentence", async () => {
    const [server = ""] = servers;
    const name = `latin_${process.pid}`;
    await administer(server, `CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    onTestFinished(() => administer(server, `DROP DATABASE ${name} WITH (FORCE)`));
    const url = new URL(server);
    url.pathname = `/${name}`;
    await expect(open(url.href, migrationsFolder())).rejects.toThrow(
      `PostgreSQL at ${url.host}/${name} cannot be used: Error: its encoding is LATIN1, which cannot hold every name: make one with ENCODING 'UTF8' TEMPLATE template0.`,
    );
  });
});

test.skipIf(!hasPostgres)(
  "a server that became a standby counts as out of reach until it is written to again, without a restart of the service",
  async () => {
    const server = startPostgres(await freePort());
    onTestFinished(server.stop);
    const { started, output } = startProcess({ DATABASE_URL: server.url });
    const origin = await started;
    const health = async () => (await fetch(`${origin}/api/health`)).status;
    const register = async (name: string) => {
      const body = JSON.stringify({ account_name: name, password: PASSWORD });
      const headers = { "Content-Type": "application/json" };
      const answer = await fetch(`${origin}/api/register`, { method: "POST", body, headers });
      return ((await answer.json()) as Envelope).code;
    };
    const lines = (event: string) =>
      output()
        .split("\n")
        .filter((line) => line.includes(`"event":"${event}"`));
    expect([await health(), await register("before")]).toEqual([200, 200]);
    server.demote();
    await administer(server.url, "SELECT FROM accounts");
    for (let time = 0; time < 12; time += 1) expect(await health()).toBe(500);
    expect(await register("meanwhile")).not.toBe(200);
    expect(lines("database unreachable")).toHaveLength(1);
    expect(lines("failed").at(-1)).toContain("The server is read-only: a standby, or set so.");
    server.promote();
    await expect.poll(health).toBe(200);
    expect(await register("after")).toBe(200);
    await expect.poll(() => lines("database reached")).toHaveLength(1);
  },
  180_000,
);

describe.skipIf(servers.length === 0)("a connection on which nothing can be written any more", () => {
  const limits = { connections: 1, statement: 15_000, pooling: "session" } as const;
  const write = sql`CREATE TABLE written ()`;

  test("is closed after the first write that it refused, and after a question for the health", async () => {
    const { url, drop } = await emptyDatabase();
    onTestFinished(drop);
    const store = await open(url, migrationsFolder(), limits);
    onTestFinished(store.close);
    const turn = () => store.db.execute(sql`SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY`);
    await turn();
    const written = () => inTransaction(store.db, (tx) => tx.execute(write));
    await expect(written()).rejects.toMatchObject({ cause: { code: "25006" } });
    await written();
    await turn();
    await expect(store.ping()).rejects.toThrow("The server is read-only");
    await store.ping();
  });

  test("a server that refused a write because its disk is full is not well for a minute, though it answers", async () => {
    const { url, drop } = await emptyDatabase();
    onTestFinished(drop);
    const store = await open(url, migrationsFolder(), limits);
    onTestFinished(store.close);
    const full = sql`DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`;
    await expect(store.db.execute(full)).rejects.toMatchObject({ cause: { code: "53100" } });
    await expect(store.ping()).rejects.toThrow("The server's disk is full.");
    const real = performance.now.bind(performance);
    const later = vi.spyOn(performance, "now").mockImplementation(() => real() + 60_000);
    onTestFinished(() => later.mockRestore());
    await store.ping();
  });

  test.skipIf(!hasPooler)("is told behind a pooler in transaction mode, too", async () => {
    const pooler = await startPooler(servers[0] ?? "");
    onTestFinished(pooler.stop);
    const { url, drop } = await emptyDatabase();
    onTestFinished(drop);
    const store = await open(pooler.through(url), migrationsFolder(), { ...limits, pooling: "transaction" });
    onTestFinished(store.close);
    await store.ping();
    const name = new URL(url).pathname.slice(1);
    /** Also for the sessions that the pooler has. */
    const setReadOnly = (value: "on" | "off") =>
      administer(
        servers[0] ?? "",
        `ALTER DATABASE ${name} SET default_transaction_read_only TO ${value}`,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
      );
    await setReadOnly("on");
    const answer = () => store.ping().then(() => "well", String);
    await expect.poll(answer).toContain("The server is read-only");
    await expect(store.db.execute(write)).rejects.toMatchObject({
      cause: { message: "The server is read-only: a standby, or set so." },
    });
    await setReadOnly("off");
    await expect.poll(answer).toBe("well");
    await store.db.execute(write);
  });
});

describe.skipIf(!hasPostgres)("a server with the certificate of its own authority", () => {
  let server: ReturnType<typeof startPostgres>;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    server = startPostgres(port, true);
  }, 120_000);
  afterAll(() => server.stop());

  /** Whether the connection is encrypted. @throws Error as the service does */
  async function reach(host: string, words: string): Promise<boolean> {
    const store = await open(`postgres://tests@${host}:${port}/postgres${words}`, migrationsFolder());
    const { rows } = (await store.db.execute(
      sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`,
    )) as { rows: { ssl: boolean }[] };
    await store.close();
    return rows[0]?.ssl === true;
  }

  test("is reached encrypted with ?sslmode=require, as it is handed out", async () => {
    expect(await reach("127.0.0.1", "?sslmode=require")).toBe(true);
    expect(await reach("127.0.0.1", "?channel_binding=require&sslmode=require")).toBe(true);
    expect(await reach("127.0.0.1", "")).toBe(false);
  });

  test("is checked with verify-ca and verify-full, by the authority that is named", async () => {
    const by = `&sslrootcert=${server.authority}`;
    expect(await reach("127.0.0.1", `?sslmode=require${by}`)).toBe(true);
    expect(await reach("127.0.0.1", `?sslmode=verify-ca${by}`)).toBe(true);
    expect(await reach("localhost", `?sslmode=verify-full${by}`)).toBe(true);
    // The certificate is not of that name.
    await expect(reach("127.0.0.1", `?sslmode=verify-full${by}`)).rejects.toThrow("127.0.0.1 is not");
    // No authority that everyone knows has signed it.
    for (const words of ["?sslmode=verify-full", "?sslmode=verify-full&sslrootcert=system"]) {
      await expect(reach("localhost", words)).rejects.toThrow(
        /^PostgreSQL at localhost.*unable to|self-signed/,
      );
    }
    await expect(reach("localhost", "?sslmode=verify-ca&sslrootcert=/nowhere/ca.crt")).rejects.toThrow(
      /^PostgreSQL at localhost.*cannot be used: .*\/nowhere\/ca\.crt/,
    );
  });
});

test.each([
  ["postgres://a:b%2Fc@db/x", {}, "postgres://a:b%2Fc@db/x", false],
  ["postgres://db/x?sslmode=require", {}, "postgres://db/x?sslmode=require&uselibpqcompat=true", true],
  ["postgres://db/x", { PGSSLMODE: "require" }, "postgres://db/x?sslmode=require&uselibpqcompat=true", true],
  [
    "postgres://db/x?sslmode=verify-full",
    { PGSSLMODE: "require" },
    "postgres://db/x?sslmode=verify-full",
    false,
  ],
  ["postgres://db/x?sslmode=no-verify", {}, "postgres://db/x?sslmode=no-verify", true],
  [
    "postgres://db/x?sslrootcert=system&sslmode=verify-full",
    {},
    "postgres://db/x?sslmode=verify-full",
    false,
  ],
  [
    "postgres://db/x?sslmode=verify-full&sslrootcert=system",
    {},
    "postgres://db/x?sslmode=verify-full",
    false,
  ],
])("%s with %j goes to the user as %s", (given, env, expected, unverified) => {
  expect(driverUrl(given, env)).toBe(expected);
  expect(isUnverified(expected)).toBe(unverified);
});
