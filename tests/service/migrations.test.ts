/** The data of an earlier release in the tables of this one: orders, money and memberships are kept, and an old order can still be paid. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import { Client } from "pg";
import * as v from "valibot";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { sessionList } from "../../src/contract/calls.ts";
import { rawAddress } from "../../src/contract/address.ts";
import { migrationsFolder } from "../../src/service/platform/project.ts";
import { open } from "../../src/service/store/open.ts";
import { membershipEntries, orders, transfers } from "../../src/service/store/schema.ts";
import { bundled, killAll, startProcess } from "../support/service-process.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { CONFIRM_SECONDS, everyDatabase, emptyDatabase, serve, servers, START } from "./support.ts";

afterEach(killAll);

/** The migrations up to the one of that number. */
function migrationsUpTo(last: number): string {
  const folder = temporaryDirectory();
  cpSync(migrationsFolder(), folder, { recursive: true });
  const file = join(folder, "meta/_journal.json");
  const journal = JSON.parse(readFileSync(file, "utf8")) as { entries: { idx: number }[] };
  const entries = journal.entries.filter(({ idx }) => idx <= last);
  writeFileSync(file, JSON.stringify({ ...journal, entries }));
  return folder;
}

let oldest: Promise<string> | undefined;
/** An embedded database of the oldest release that is met here, made once: to make one takes seconds, to copy it none. */
async function oldData(): Promise<string> {
  oldest ??= (async () => {
    const directory = temporaryDirectory();
    await (await open(directory, migrationsUpTo(5))).close();
    return directory;
  })();
  const directory = temporaryDirectory();
  cpSync(await oldest, directory, { recursive: true });
  return directory;
}

const ADDRESSES = {
  paid: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  open: "TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7",
  ethereum: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
};

/** The lines of a migration that make an index, as an operator runs them ahead of the release: docs/operating.md, "A new release". */
const indexLines = (file: string) =>
  readFileSync(join(migrationsFolder(), file), "utf8")
    .split("\n")
    .filter((line) => /^CREATE (UNIQUE )?INDEX/.test(line))
    .map((line) => line.replace("INDEX", "INDEX CONCURRENTLY").replace("--> statement-breakpoint", ""));

test("an index that an operator has made ahead of a release is taken as it is, in every migration", () => {
  const files = readdirSync(migrationsFolder()).filter((file) => file.endsWith(".sql"));
  const lines = files.flatMap(indexLines);
  expect(lines.length).toBeGreaterThan(30);
  expect(lines.filter((line) => !line.includes("INDEX CONCURRENTLY IF NOT EXISTS "))).toEqual([]);
});

test("a command leaves the tables of another release as they are, and says so", async () => {
  const directory = await oldData();
  await (await open(directory, migrationsUpTo(11))).close();
  await expect(open(directory, migrationsFolder(), undefined, "command")).rejects.toThrow(
    "its tables are not those of this release",
  );
  await (await open(directory, migrationsUpTo(11), undefined, "command")).close();
  await expect(open(directory, migrationsFolder(), undefined, "restore")).rejects.toThrow(
    "its tables are not those of this release",
  );
  // It ends, and with it the engine, which would still have the folder.
  const words = ["--liftoff-only", bundled(), "admin", "status"];
  const status = promisify(execFile)(process.execPath, words, {
    env: { PATH: process.env["PATH"], DATA_DIR: directory },
    timeout: 60_000,
  });
  await expect(status).rejects.toMatchObject({ code: 1 });
  await (await open(directory, migrationsFolder())).close();
  await (await open(directory, migrationsFolder(), undefined, "command")).close();
}, 180_000);

test.each(servers)("on PostgreSQL, too", async () => {
  const { url } = await emptyDatabase();
  const asCommand = () => open(url, migrationsFolder(), undefined, "command");
  await expect(asCommand()).rejects.toThrow("there is no data of the service in it");
  await (await open(url, migrationsUpTo(11))).close();
  await expect(asCommand()).rejects.toThrow("its tables are not those of this release");
  // A mistyped address of one that is in use.
  await expect(open(url, migrationsFolder(), undefined, "restore")).rejects.toThrow(
    "its tables are not those",
  );
  await (await open(url, migrationsUpTo(11), undefined, "command")).close();
  const fresh = await emptyDatabase();
  await (await open(fresh.url, migrationsFolder(), undefined, "restore")).close();
  await (await open(url, migrationsFolder())).close();
  await (await asCommand()).close();
});

test.each(servers)("indexes are made ahead without holding up what is written", async () => {
  const { url } = await emptyDatabase();
  await (await open(url, migrationsUpTo(11))).close();
  const client = new Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  const made = [];
  for (const line of indexLines("0012_unpaid-orders.sql")) {
    // One names a column that only the release adds.
    made.push(await client.query(line).then(String, ({ message }: Error) => message));
  }
  expect(made.filter((each) => each.includes("does not exist"))).toHaveLength(1);
  const indexOf = async () =>
    (await client.query("SELECT 'orders_unpaid'::regclass::oid AS oid, count(*)::int FROM pg_indexes")).rows;
  const [before] = (await indexOf()) as { oid: number; count: number }[];
  await (await open(url, migrationsUpTo(12))).close();
  const [after] = (await indexOf()) as { oid: number; count: number }[];
  expect([after?.oid, after?.count]).toEqual([before?.oid, (before?.count ?? 0) + 1]);
});

describe.each(everyDatabase)("on the %s database", (kind) => {
  test("the ledger takes over what the last release kept", async () => {
    const place = kind === "embedded" ? await oldData() : (await emptyDatabase()).url;
    const before = await open(place, migrationsUpTo(5));
    const at = new Date(START).toISOString();
    const name = '{"en":"Monthly","zh-CN":"月度会员"}';
    for (const statement of [
      `INSERT INTO accounts (name, name_key, password_hash, created_at) VALUES ('anna', 'anna', 'x', '${at}')`,
      ...Object.entries(ADDRESSES).map(
        ([id, address], index) =>
          `INSERT INTO orders (id, account_id, pack_id, product_id, pack_name, days, rail, network, address, amount, status, created_at, confirmed_at)
           VALUES ('${id}', 1, '1', 'monthly', '${name}', 30, 'usdt', '${id === "ethereum" ? "ERC20" : "TRC20"}', '${address}', 3990000, ${index === 0 ? 1 : 0}, '${at}', ${index === 0 ? `'${at}'` : "NULL"})`,
      ),
      `INSERT INTO transfers (network, tx_hash, log_index, order_id, address, amount, seen_at, due_at, confirmed_at)
       VALUES ('TRC20', 'aa', 0, 'paid', '${ADDRESSES.paid}', 3990000, '${at}', '${at}', '${at}'),
              ('ERC20', '0xbb', 0, 'ethereum', '${ADDRESSES.ethereum}', 2000000, '${at}', '${at}', NULL)`,
      `INSERT INTO memberships (order_id, account_id, begins_at, ends_at) VALUES ('paid', 1, '${at}', '${new Date(START + 30 * 86_400_000).toISOString()}')`,
      `INSERT INTO notices (rail, event_id, heard_at) VALUES ('card', 'evt_1', '${at}')`,
      `INSERT INTO keepsakes (key, value) VALUES ('sandbox_card_key', 'rzp_test_1')`,
    ]) {
      await before.db.execute(sql.raw(statement));
    }
    await before.close();

    const store = await open(place, migrationsFolder());
    onTestFinished(() => store.close());
    const { sandbox, clock, settle, payments } = await serve(store);
    expect(
      await store.db
        .select({
          id: orders.id,
          raw: orders.rawAddress,
          currency: orders.currency,
          live: orders.live,
          status: orders.status,
        })
        .from(orders)
        .orderBy(orders.id),
    ).toEqual([
      {
        id: "ethereum",
        raw: rawAddress("ERC20", ADDRESSES.ethereum),
        currency: "USDT",
        live: false,
        status: 0,
      },
      { id: "open", raw: rawAddress("TRC20", ADDRESSES.open), currency: "USDT", live: false, status: 0 },
      { id: "paid", raw: rawAddress("TRC20", ADDRESSES.paid), currency: "USDT", live: false, status: 1 },
    ]);
    expect(
      await store.db
        .select({ order: transfers.orderId, state: transfers.state, amount: transfers.amount })
        .from(transfers)
        .orderBy(transfers.orderId),
    ).toEqual([
      { order: "ethereum", state: "final", amount: 2_000_000n },
      { order: "paid", state: "final", amount: 3_990_000n },
    ]);
    const entries = () =>
      store.db
        .select({
          order: membershipEntries.orderId,
          days: membershipEntries.days,
          endsAt: membershipEntries.endsAt,
        })
        .from(membershipEntries)
        .orderBy(membershipEntries.id);
    const first = { order: "paid", days: 30, endsAt: new Date(START + 30 * 86_400_000) };
    expect(await entries()).toEqual([first]);
    expect(payments.card?.account.keyId).toBe("rzp_test_1");

    await settle();
    await sandbox?.usdt.send("TRC20", rawAddress("TRC20", ADDRESSES.open), 3_990_000n);
    clock.now += CONFIRM_SECONDS * 1000;
    await settle();
    expect(await entries()).toEqual([
      first,
      { order: "open", days: 30, endsAt: new Date(START + 60 * 86_400_000) },
    ]);
  });

  test("sessions of the last release go on, and each has a name of its own", async () => {
    const place = kind === "embedded" ? await oldData() : (await emptyDatabase()).url;
    const before = await open(place, migrationsUpTo(8));
    const day = (days: number) => new Date(START + days * 86_400_000).toISOString();
    const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");
    for (const statement of [
      `INSERT INTO accounts (name, name_key, password_hash, created_at) VALUES ('anna', 'anna', 'x', '${day(-9)}')`,
      // Used five days after the log-in; and once a year is nearly over, when it is prolonged no more.
      `INSERT INTO sessions (token_hash, account_id, created_at, expires_at, network)
       VALUES ('${hashOf("one")}', 1, '${day(-9)}', '${day(86)}', '192.0.2.1'),
              ('${hashOf("two")}', 1, '${day(-360)}', '${day(5)}', NULL)`,
    ]) {
      await before.db.execute(sql.raw(statement));
    }
    await before.close();

    const store = await open(place, migrationsFolder());
    onTestFinished(() => store.close());
    const { call } = await serve(store);
    const seen = v.parse(sessionList, (await call("/api/user/session_list", { token: "two" })).data);
    expect(seen.map(({ network, current, used_at }) => ({ network, current, used_at }))).toEqual([
      { network: null, current: true, used_at: day(0) },
      { network: "192.0.2.1", current: false, used_at: day(-4) },
    ]);
    expect(new Set(seen.map(({ session_id }) => session_id)).size).toBe(2);
  });
});

test.skipIf(servers.length === 0)(
  "a start waits until another has changed the tables, whatever the limits of its user are",
  async () => {
    const { url, drop } = await emptyDatabase();
    onTestFinished(drop);
    const other = new Client({ connectionString: url });
    await other.connect();
    for (const limit of ["statement_timeout", "lock_timeout"])
      await other.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${limit} = '500ms'`);
    await other.query("BEGIN; SELECT pg_advisory_xact_lock(7203114051)");
    const opening = open(url, migrationsFolder());
    await expect
      .poll(async () => (await other.query("SELECT FROM pg_locks WHERE NOT granted")).rowCount)
      .toBeGreaterThan(0);
    // Longer than those limits.
    await pause(1_000);
    await other.query("COMMIT");
    await other.end();
    const store = await opening;
    expect(await store.db.$count(orders)).toBe(0);
    await store.close();
  },
);

test.skipIf(servers.length === 0)(
  "a release whose change waits for a backup holds up no call of the release before, and goes on after it",
  async () => {
    const { url, drop } = await emptyDatabase();
    onTestFinished(drop);
    // The next one adds a column to the accounts.
    await (await open(url, migrationsUpTo(21))).close();
    const [backup, before] = [
      new Client({ connectionString: url, application_name: "pg_dump" }),
      new Client({ connectionString: url, lock_timeout: 5_000 }),
    ];
    for (const client of [backup, before]) await client.connect();
    onTestFinished(async () => void (await Promise.all([backup.end(), before.end()])));
    await backup.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM accounts");
    const next = startProcess({ DATABASE_URL: url });
    let calls = 0;
    const call = async () => {
      calls += 1;
      const name = `member ${calls}`;
      await before.query(
        "INSERT INTO accounts (name, name_key, password_hash, created_at) VALUES ($1, $1, 'x', now())",
        [name],
      );
      return (await before.query("SELECT name FROM accounts ORDER BY id DESC LIMIT 1")).rows;
    };
    const waits = async () =>
      (await backup.query("SELECT FROM pg_locks WHERE relation = 'accounts'::regclass AND NOT granted"))
        .rowCount;
    // Twice: it gives up, and is run again.
    for (let time = 1; time <= 2; time += 1) {
      await expect.poll(waits, { timeout: 30_000 }).toBe(1);
      expect(await call()).toEqual([{ name: `member ${calls}` }]);
      expect(await waits()).toBe(0);
    }
    const lines = next
      .output()
      .split("\n")
      .filter((line) => line.includes('"event":"migration waits"'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        level: "warn",
        at: expect.any(String) as string,
        event: "migration waits",
        place: `PostgreSQL at ${new URL(url).host}${new URL(url).pathname}`,
        seconds: expect.any(Number) as number,
        statement: 'ALTER TABLE "accounts" ADD COLUMN "deleted_at" timestamp with time zone;',
        pid: (await backup.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]?.pid,
        program: "pg_dump",
        open: expect.any(Number) as number,
      },
    ]);
    await backup.query("COMMIT");
    await next.started;
    expect((await before.query("SELECT DISTINCT deleted_at FROM accounts")).rows).toEqual([
      { deleted_at: null },
    ]);
    next.child.kill("SIGTERM");
    await next.exited;
  },
  180_000,
);
