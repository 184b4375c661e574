/** A year of a shop in PostgreSQL, beside the same year of a small one: what calls, jobs, the operator's commands, a backup, its restoring and a new index cost. The book of both is seen to be right before. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { DAY } from "../../src/contract/durations.ts";
import { todayOf } from "../../src/service/console/today.ts";
import { isLines } from "../../src/service/operations/admin/command.ts";
import { run } from "../../src/service/operations/admin/commands.ts";
import { backlogOf, countPending } from "../../src/service/operations/backlog.ts";
import { deleteExpired } from "../../src/service/operations/retention.ts";
import { RECENT, sweep, type Ledger } from "../../src/service/payments/ledger.ts";
import { announceEnds, retractEnds } from "../../src/service/payments/membership.ts";
import { bookDifferences } from "../../src/service/payments/book-check.ts";
import { removeUnpaidOrders } from "../../src/service/payments/unpaid-orders.ts";
import { migrationsFolder } from "../../src/service/platform/project.ts";
import type { Store } from "../../src/service/store/database.ts";
import { open } from "../../src/service/store/open.ts";
import { temporaryDatabase } from "../support/temporary-database.ts";
import { bundled } from "../support/service-process.ts";
import { median } from "./report.ts";
import { calls, fire } from "./ratios.ts";
import { SEEDING, setUpKept, setUpLoad, type LoadSetup, type Size } from "./setup.ts";

/** Orders that a member pays in the year. */
const PAID_EACH = 2;
/** Orders that wait at any time, in a shop of any size, so that the jobs have the same to do. */
const WAITING = 500;
/** What the service itself allows a statement, in ms. */
const STATEMENT = 15_000;
const ROUNDS = 3;
/** The digits that an order's number, a block's hash and a transaction are made of. */
const ORDER = sql.raw("'TEST' || lpad(n::text, 12, '0')");
const HASH = sql.raw("lpad(to_hex(n), 64, '0')");
const RAW = sql.raw("lpad(to_hex(n), 40, '0')");

/** Members, sessions and what each paid; each payment with its transfer, its movements, its sweep, its membership and its event. */
async function seedYear(store: Store, { members }: Size): Promise<void> {
  const { db } = store;
  const paid = members * PAID_EACH;
  const of = sql`(n - 1) % ${sql.raw(String(members))} + 1`;
  // The last of them was a minute ago.
  const when = sql`now() - interval '1 minute' - (${sql.raw(String(paid))} - n) * interval '1 year' / ${sql.raw(String(paid))}`;
  const each = sql`generate_series(1, ${sql.raw(String(paid))}) n`;
  const parts = [
    sql`INSERT INTO accounts (name, name_key, password_hash, created_at, membership_ends_at, membership_end_announced, event_sequence)
      SELECT 'load' || n, 'load' || n, repeat('0', 96), now() - interval '1 year', e, CASE WHEN e < now() THEN e END, 1
      FROM generate_series(1, ${sql.raw(String(members))}) n, LATERAL (SELECT now() + (n % 365 - 180) * interval '1 day' AS e) _`,
    sql`INSERT INTO sessions (token_hash, account_id, created_at, used_at, expires_at, network)
      SELECT encode(sha256(('token-' || n)::bytea), 'hex'), n, now(), now(), now() + interval '90 days', '127.0.0.1'
      FROM generate_series(1, ${sql.raw(String(members))}) n`,
    sql`INSERT INTO orders (id, account_id, pack_id, product_id, pack_name, days, rail, network, address, raw_address, address_series,
        address_index, key_fingerprint, amount, currency, language, status, created_at, confirmed_at, told_at)
      SELECT ${ORDER}, ${of}, '1', 'monthly', '{"en": "Monthly", "zh-CN": "包月"}', 30, 'usdt', 'ERC20', 'ADDRESS' || n, ${RAW}, 1, n,
        'feedface', 3990000, 'USDT', 'en', 1, ${when} - interval '5 minutes', ${when}, ${when} FROM ${each}`,
    sql`INSERT INTO orders (id, account_id, pack_id, product_id, pack_name, days, rail, network, address, raw_address, amount, currency,
        status, created_at)
      SELECT 'OPEN' || lpad(n::text, 12, '0'), ${of}, '1', 'monthly', '{"en": "Monthly", "zh-CN": "包月"}', 30, 'usdt', 'ERC20',
        'OPEN' || n, 'f' || lpad(to_hex(n), 39, '0'), 3990000, 'USDT', 0, now() - n * interval '1 second'
      FROM generate_series(1, ${sql.raw(String(WAITING))}) n`,
    sql`INSERT INTO receiving_addresses (fingerprint, series, index, raw, order_id, account_id)
      SELECT 'feedface', 1, n, ${RAW}, ${ORDER}, ${of} FROM ${each}`,
    sql`INSERT INTO transfers (network, block_hash, log_index, block_number, tx_hash, contract, sender, recipient, order_id, amount, state,
        seen_at, final_at)
      SELECT 'ERC20', ${HASH}, 0, n, ${HASH}, repeat('c', 40), repeat('d', 40), ${RAW}, ${ORDER}, 3990000, 'final', ${when}, ${when}
      FROM ${each}`,
    sql`INSERT INTO sweeps (network, block_hash, log_index, block_number, tx_hash, contract, sender, recipient, amount, state, seen_at, final_at)
      SELECT 'ERC20', ${HASH}, 1, n, ${HASH}, repeat('c', 40), ${RAW}, repeat('e', 40), 3990000, 'final', ${when}, ${when} FROM ${each}`,
    sql`INSERT INTO movements (at, kind, from_balance, to_balance, amount, currency, rail, network, order_id, account_id, cause, reference)
      SELECT ${when}, kind, source, target, 3990000, 'USDT', 'usdt', 'ERC20', ${ORDER}, ${of}, 'ERC20:' || ${HASH} || ':' || log, ${HASH}
      FROM ${each}, (VALUES ('received', 'outside', 'open', 0), ('credited', 'open', 'credited', 0), ('swept', 'address', 'swept', 1))
        AS _ (kind, source, target, log)`,
    sql`INSERT INTO membership_entries (account_id, order_id, ordinal, reason, days, begins_at, ends_at, pack_name, created_at, length)
      SELECT ${of}, ${ORDER}, 1, 'order', 30, ${when}, ${when} + interval '30 days', '{"en": "Monthly", "zh-CN": "包月"}', ${when},
        30 * 86400000::bigint FROM ${each}`,
    sql`INSERT INTO outbox_events (id, type, body, created_at, attempts, delivered_at)
      SELECT 'evt_' || n, 'membership.extended', json_build_object('type', 'membership.extended', 'data', json_build_object(
        'account_id', n, 'account_name', 'load' || n, 'order_id', ${ORDER}, 'sequence', n, 'active', true))::text, ${when}, 1, ${when}
      FROM ${each}`,
    sql`INSERT INTO security_events (at, event, account_id, network, request)
      SELECT now() - n * interval '90 days' / ${sql.raw(String(members))}, 'logged in', n, '127.0.0.1', md5(n::text)
      FROM generate_series(1, ${sql.raw(String(members))}) n`,
    sql`INSERT INTO settings (key, value) VALUES ('book', 'complete')`,
  ];
  for (const part of parts) await db.execute(part);
  await db.execute(sql`VACUUM ANALYZE`);
}

const ms = async (act: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await act();
  return performance.now() - began;
};
/** The column of a shop in the table. */
const columnOf = (members: number) => `${members.toLocaleString("en")} members`;
const rounded = (value: number) => Number(value.toFixed(value < 10 ? 2 : 0));

/** A month of which a year has lines enough. */
const monthBefore = (now: number) => new Date(now - 31 * DAY).toISOString().slice(0, 7);

/** What the service and its operator do, on data of any age. */
function actsOn(ledger: Ledger): Record<string, () => Promise<unknown>> {
  const { db, now } = ledger;
  const month = monthBefore(now());
  const asked = { ledger, options: {}, actor: "operator" };
  async function command(name: string, ...args: string[]): Promise<void> {
    const answer = await run(name, { ...asked, args });
    // Read to its end, and forgotten.
    if (isLines(answer)) for await (const _ of answer);
  }
  return {
    "sweeping the latest money (each minute)": () => sweep(ledger, RECENT),
    "sweeping a week's money (each hour)": () => sweep(ledger),
    "ends of memberships (each minute)": () => announceEnds(db, now()),
    "ends told too early (each minute)": () => retractEnds(db, now()),
    "retention (each hour)": () => deleteExpired(db, now()),
    "removing unpaid orders (each hour)": () => removeUnpaidOrders(db, now(), 365),
    "comparing the book (every six hours)": () => bookDifferences(ledger),
    "metrics (each scrape)": () => backlogOf(db, now(), true),
    "pending orders (every five minutes)": () => countPending(db),
    "the operator's day": () => todayOf(db, now(), true),
    "admin status": () => command("status"),
    "admin order": () => command("order", "TEST000000000500"),
    "admin member": () => command("member", "load500"),
    "admin orders": () => command("orders"),
    "admin events": () => command("events"),
    "admin audit": () => command("audit"),
    "admin unmatched": () => command("unmatched"),
    "admin addresses": () => command("addresses"),
    [`admin reconcile ${month}`]: () => command("reconcile", month),
    [`admin export ${month}`]: () => command("export", month),
  };
}

/** @returns seconds, and the most memory in MB, of a command in a process of its own */
async function commandOf(env: Record<string, string>, ...words: string[]) {
  const began = performance.now();
  const child = spawn(process.execPath, [bundled(), "admin", ...words], {
    // As the ready files have it.
    env: { PATH: process.env["PATH"] ?? "", NODE_OPTIONS: "--max-semi-space-size=4", ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  let most = 0;
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const watch = setInterval(() => {
    const text = readFileSync(`/proc/${child.pid}/status`, "utf8");
    most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1_024);
  }, 100);
  const code = await ended;
  clearInterval(watch);
  if (code !== 0) throw new Error(`admin ${words.join(" ")} ended with ${code}.`);
  return { seconds: (performance.now() - began) / 1_000, megabytes: most };
}

/** How long an index takes, as a migration makes it, how long a change waits for it, and how many waited until they were refused. */
async function indexOn(store: Store) {
  let [longest, refused] = [0, 0];
  // Of a measurement that was cut off.
  await store.db.execute(sql`DROP INDEX IF EXISTS measured`);
  const made = new AbortController();
  const writing = (async () => {
    while (!made.signal.aborted) {
      const waited = await ms(() =>
        store.db
          .execute(sql`UPDATE movements SET reference = reference WHERE id = 1`)
          .catch(() => (refused += 1)),
      );
      longest = Math.max(longest, waited);
      await pause(20);
    }
  })();
  const took = await ms(() =>
    store.db.execute(sql`CREATE INDEX IF NOT EXISTS measured ON movements (reference)`),
  );
  made.abort();
  await writing;
  await store.db.execute(sql`DROP INDEX measured`);
  return { took, longest, refused };
}

export interface Year {
  /** PostgreSQL on which databases may be made. */
  server: string;
  /** Members of each shop, the smallest first. */
  sizes: readonly number[];
  /** Names of databases there that hold these years already: they are kept. Without them, others are made. */
  kept: readonly string[];
  /** Of `calls`, `jobs`, `index` (of a migration), `export` (of a month) and `backup` (and restore). */
  parts: ReadonlySet<string>;
  /** Of each block of calls. */
  seconds: number;
}

function onServer(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

export async function measureYear({
  server,
  sizes,
  kept,
  parts,
  seconds,
}: Year): Promise<Record<string, Record<string, number | string>>> {
  const rows: Record<string, Record<string, number | string>> = {};
  const note = (what: string, size: number, value: number | string) => {
    const shown = typeof value === "number" ? rounded(value) : value;
    (rows[what] ??= {})[columnOf(size)] = shown;
    // The whole takes an hour: what is known is told at once.
    process.stderr.write(`${columnOf(size)}: ${what}: ${shown}\n`);
  };
  const shops: { members: number; setup: LoadSetup; store: Store; location: string }[] = [];
  const folder = mkdtempSync(join(tmpdir(), "everlit-year-"));
  try {
    for (const [at, members] of sizes.entries()) {
      const name = kept[at];
      const setup =
        name === undefined
          ? await setUpLoad(server, { members, orders: WAITING }, seedYear)
          : setUpKept(onServer(server, name));
      const store = await open(setup.location, migrationsFolder(), { ...SEEDING, connections: 10 });
      shops.push({ members, setup, store, location: setup.location });
      const { rows: size } = (await store.db.execute(
        sql`SELECT pg_database_size(current_database()) / 1048576 AS mb`,
      )) as { rows: { mb: string }[] };
      note("size of the database, MB", members, Number(size[0]?.mb));
    }
    const services = [];
    if (parts.has("calls"))
      for (const { members, setup } of shops) services.push({ members, service: await setup.service() });
    for (const call of parts.has("calls") ? calls : []) {
      const rates = services.map((): number[] => []);
      // The first round warms up.
      for (let round = 0; round <= ROUNDS; round += 1)
        for (const [at, { members, service }] of services.entries()) {
          const { rate } = await fire(service, call, 1, seconds, { members, orders: members });
          if (round > 0) rates[at]?.push(rate);
        }
      for (const [at, { members }] of services.entries())
        note(`${call}, ms`, members, 1_000 / median(rates[at] ?? []));
    }
    for (const { members, service } of services) {
      note("memory of the service after these calls, MB", members, service.memory());
      await service.stop();
    }
    for (const { members, store, location } of parts.has("jobs") ? shops : []) {
      const job = await open(location, migrationsFolder(), {
        connections: 10,
        statement: STATEMENT,
        pooling: "session",
      });
      // As a command in a shell: it may take as long as it takes.
      const asOperator = { db: store.db, now: store.now, log: () => undefined, tolerance: 0n, lateDays: 30 };
      const asService = { ...asOperator, db: job.db };
      const jobs = actsOn(asService);
      for (const [name, act] of Object.entries(actsOn(asOperator))) {
        const once = name.startsWith("admin") ? act : (jobs[name] ?? act);
        try {
          const times = [];
          for (let round = 0; round < ROUNDS; round += 1) times.push(await ms(once));
          note(`${name}, ms`, members, median(times));
        } catch (error) {
          note(
            `${name}, ms`,
            members,
            `failed: ${error instanceof Error ? String(error.cause ?? error) : ""}`,
          );
        }
      }
      const wrong = await bookDifferences(asOperator);
      if (wrong.length > 0) throw new Error(`The book of this year is not right: ${wrong[0]?.what}.`);
      await job.close();
    }
    for (const { members, store } of parts.has("index") ? shops : []) {
      const { took, longest, refused } = await indexOn(store);
      note("a new index on movements, ms", members, took);
      note("… and how long a change waits for it, ms", members, longest);
      note("… and changes that were refused, one after the other", members, refused);
    }
    for (const { members, store, location } of parts.has("export") ? shops : []) {
      const month = monthBefore(store.now());
      const lines = await commandOf({ DATABASE_URL: location }, "export", month);
      note("export of a month, s", members, lines.seconds);
      note("export of a month, MB of memory", members, lines.megabytes);
    }
    for (const { members, location } of parts.has("backup") ? shops : []) {
      const file = join(folder, `${members}.gz`);
      const out = await commandOf({ DATABASE_URL: location }, "backup", file);
      note("backup, s", members, out.seconds);
      note("backup, MB of memory", members, out.megabytes);
      note("backup, MB of file", members, statSync(file).size / 1_048_576);
      const target = await temporaryDatabase(server);
      try {
        const back = await commandOf(target.env, "restore", file, "--reason", "measured");
        note("restore, s", members, back.seconds);
        note("restore, MB of memory", members, back.megabytes);
      } finally {
        await target.drop();
      }
      rmSync(file);
    }
    const [smallest = "", largest = ""] = [sizes[0] ?? 0, sizes.at(-1) ?? 0].map(columnOf);
    for (const row of Object.values(rows)) {
      const [least, most] = [row[smallest], row[largest]];
      if (typeof least === "number" && typeof most === "number" && least > 0)
        row["largest to smallest"] = Number((most / least).toFixed(2));
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    for (const { store, setup } of shops) {
      await store.close();
      await setup.drop();
    }
  }
}
