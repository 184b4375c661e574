/** Backups: taken while the service runs, of one moment, taken in by either database, and no address is given out twice afterwards. */
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import files from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { desc, eq, is, max, ne, sql } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { rawAddress } from "../../src/contract/address.ts";
import type { Making } from "../../src/contract/console.ts";
import { DAY, MINUTE } from "../../src/contract/durations.ts";
import { addAccountEvents } from "../../src/service/events/account-events.ts";
import { run } from "../../src/service/operations/admin/commands.ts";
import { backUp, restore, writeBackup } from "../../src/service/operations/backup.ts";
import { backupReceived, type MadeFile } from "../../src/service/operations/backup-download.ts";
import { lastBackup, latestBackups } from "../../src/service/operations/backlog.ts";
import type { Database } from "../../src/service/store/database.ts";
import * as schema from "../../src/service/store/schema.ts";
import { inTransaction, tryAdvisoryLock } from "../../src/service/store/transaction.ts";
import { SimulatedChain } from "../support/simulated-chain.ts";
import { bundled, killAll, startProcess } from "../support/service-process.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import {
  chainsOf,
  databases,
  everyDatabase,
  emptyStore,
  monthly,
  PASSWORD,
  serve,
  servers,
  START,
  newData,
} from "./support.ts";

afterEach(killAll);

const FINAL = 20;
const NOT_WHOLE = "The file is no backup, or not a whole one.";
const nothing = () => Promise.resolve();
const newFile = () => join(temporaryDirectory(), "backup.gz");

async function store(kind: string) {
  const opened = await emptyStore(kind);
  onTestFinished(() => opened.close());
  return opened;
}

/** Every row as text, by table. A series is opened by each process, so these are compared by themselves. */
async function everything(db: Database) {
  const found: Record<string, string[]> = {};
  for (const table of Object.values(schema)) {
    if (!is(table, PgTable) || table === schema.addressSeries) continue;
    const rows = await db.select({ line: sql<string>`row_to_json(${table})::text` }).from(table);
    found[getTableConfig(table).name] = rows.map(({ line }) => line).toSorted();
  }
  return found;
}

describe.each(everyDatabase)("from the %s database", (kind) => {
  /** A service that has taken money on a network, with its orders. */
  async function before() {
    const chains = { TRC20: new SimulatedChain(1), ERC20: new SimulatedChain(2) };
    const pay = (address: string) => {
      chains.TRC20.mine({ to: rawAddress("TRC20", address), amount: 3_990_000n });
      chains.TRC20.grow(FINAL);
    };
    const settings = { sandbox: false, chains: chainsOf(chains) };
    const fixture = await serve(await store(kind), settings);
    await fixture.settle();
    const token = await fixture.member();
    const [paid, short] = [await fixture.order(token, monthly), await fixture.order(token, monthly)];
    chains.TRC20.mine(
      { to: rawAddress("TRC20", paid.address), amount: 3_990_000n },
      { to: rawAddress("TRC20", short.address), amount: 1n },
    );
    chains.TRC20.grow(FINAL);
    await fixture.settle();
    return { ...fixture, settings, token, paid, short, pay };
  }

  test.each(everyDatabase)("it is whole in the %s database, and goes on there", async (target) => {
    const old = await before();
    const { db } = old.service;
    const file = newFile();
    const data = await everything(db);
    await backUp(db, file, START);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // Made after the backup: its order is lost, its address is not to be given out again.
    const lost = await old.order(old.token, monthly);

    const fresh = await store(target);
    const rows = await restore(fresh.db, file, nothing);
    expect(await everything(fresh.db)).toEqual(data);
    expect(rows).toBe(Object.values(data).flat().length + (await fresh.db.$count(schema.addressSeries)));
    const fixture = await serve(fresh, { ...old.settings, startsAt: START + 1_000 });
    const { data: detail } = await fixture.call("/api/order/detail", {
      body: { order_id: old.paid.id },
      token: old.token,
    });
    expect(detail).toMatchObject({ status: 1, paid_amount: "3.99" });
    await fixture.settle();
    const next = [
      await fixture.order(old.token, monthly),
      await fixture.order(await fixture.member(), monthly),
    ];
    const addresses = [old.paid, old.short, lost, ...next].map(({ address }) => address);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  // What is shown above of each database holds for what follows.
  if (!databases.includes(kind)) return;

  test("it is of one moment, while others write", async () => {
    const { service, member, order, call } = await before();
    const file = newFile();
    const stop = new AbortController();
    const writes = (async () => {
      while (!stop.signal.aborted) {
        const token = await member();
        await order(token, monthly);
        await call("/api/logout", { body: {}, token });
      }
    })();
    await backUp(service.db, file, START);
    stop.abort();
    await writes;
    const fresh = await store(kind);
    // An order without its account would be refused here.
    await restore(fresh.db, file, nothing);
    expect(await fresh.db.$count(schema.orders)).toBeGreaterThanOrEqual(2);
  });

  test("numbers of the database go on after those of the backup, and great ones are exact", async () => {
    const { service } = await before();
    const amount = 9_007_199_254_740_993n;
    await service.db.update(schema.transfers).set({ amount }).where(ne(schema.transfers.amount, 1n));
    const file = newFile();
    await backUp(service.db, file, START);
    const fresh = await store(kind);
    await restore(fresh.db, file, nothing);
    const found = await fresh.db.select({ amount: schema.transfers.amount }).from(schema.transfers);
    expect(new Set(found.map((row) => row.amount))).toEqual(new Set([1n, amount]));
    const fixture = await serve(fresh, { startsAt: START + 1_000, sandbox: false });
    expect(await fixture.member()).toBeTruthy();
  });

  test("what other systems know by number goes on after all that was given out since the backup", async () => {
    const { service, order, settle, token, settings, pay } = await before();
    const { db } = service;
    const file = newFile();
    await backUp(db, file, START);
    const later = await order(token, monthly);
    pay(later.address);
    await settle();
    const lastOf = async (from: Database) => {
      const [entry] = await from
        .select({ id: max(schema.membershipEntries.id) })
        .from(schema.membershipEntries);
      return entry?.id ?? 0;
    };
    const told = await lastOf(db);
    const fresh = await store(kind);
    await restore(fresh.db, file, nothing);
    expect(await lastOf(fresh.db)).toBeLessThan(told);
    const fixture = await serve(fresh, { ...settings, startsAt: START + 1_000 });
    await fixture.settle();
    const next = await fixture.order(token, monthly);
    pay(next.address);
    await fixture.settle();
    expect(await lastOf(fresh.db)).toBeGreaterThan(told);
    // The rows of the operator's list are told of by their numbers, too.
    const unmatched = {
      rail: "usdt",
      eventId: "one",
      reason: "late",
      body: "",
      receivedAt: new Date(START),
    } as const;
    const [row] = await fresh.db.insert(schema.unmatchedPayments).values(unmatched).returning();
    expect(row?.id).toBeGreaterThan(START);
  });

  test("a database that was put back by other means goes on above the numbers that it does not know", async () => {
    const { service } = await before();
    const ledger = { ...service, log: () => undefined, tolerance: 0n, lateDays: 30 };
    await run("after-restore", {
      ledger,
      args: [],
      options: { reason: "a dump was put back" },
      actor: "anna",
    });
    const [account] = await service.db
      .insert(schema.accounts)
      .values({ name: "later", nameKey: "later", passwordHash: "", createdAt: new Date(START) })
      .returning();
    expect(account?.id).toBeGreaterThan(START);
    const [entry] = await service.db.select().from(schema.auditEntries).orderBy(desc(schema.auditEntries.id));
    expect(entry).toMatchObject({ action: "after restore", subject: "database", actor: "anna" });
    // A line of the log that undoes an entry of before names none of after.
    expect(entry?.id).toBeGreaterThan(START);
  });

  test("what is no whole backup, of another release, or has nowhere to go is refused, and changes nothing", async () => {
    const { service } = await before();
    const file = newFile();
    await backUp(service.db, file, START);
    await expect(backUp(service.db, file, START)).rejects.toThrow(`${file} is there already.`);
    await expect(backUp(service.db, join(file, "below"), START)).rejects.toThrow("cannot be written");
    await expect(restore(service.db, file, nothing)).rejects.toThrow("There are accounts in this database");

    const set = await store(kind);
    const entry = { actor: "anna", action: "operator add", subject: "operator anna", reason: "Ticket 7" };
    await set.db.insert(schema.auditEntries).values({ ...entry, at: new Date(START) });
    await expect(restore(set.db, file, nothing)).rejects.toThrow("There are changes of operators");

    const fresh = await store(kind);
    const untouched = await everything(fresh.db);
    const text = gunzipSync(readFileSync(file)).toString();
    const altered = (change: (whole: string) => string) => {
      const other = newFile();
      writeFileSync(other, gzipSync(change(text)));
      return other;
    };
    const cut = newFile();
    writeFileSync(cut, readFileSync(file));
    truncateSync(cut, statSync(file).size - 20);
    const plain = newFile();
    writeFileSync(plain, text);
    const cases = [
      [cut, NOT_WHOLE],
      [plain, NOT_WHOLE],
      [altered(() => ""), NOT_WHOLE],
      [altered((whole) => whole.slice(0, whole.lastIndexOf("#"))), NOT_WHOLE],
      [altered((whole) => whole.replace(/\n\{"token_hash":.*\n/, "\n")), NOT_WHOLE],
      [altered((whole) => whole.replace(/"migration":"\d+"/, '"migration":"1"')), "of another release"],
      [newFile(), "cannot be read: ENOENT"],
    ] as const;
    for (const [broken, words] of cases) {
      await expect(restore(fresh.db, broken, nothing)).rejects.toThrow(words);
      expect(await everything(fresh.db)).toEqual(untouched);
    }
  });

  test("the operator's commands leave an entry each", async () => {
    const { ledger } = await before();
    const file = newFile();
    const actor = "op";
    const shown = await run("backup", { ledger, args: [file], options: {}, actor });
    expect(shown).toEqual([{ file, bytes: statSync(file).size }]);
    const backups = () =>
      ledger.db
        .select({ reason: schema.auditEntries.reason, details: schema.auditEntries.details })
        .from(schema.auditEntries)
        .where(eq(schema.auditEntries.action, "backup"))
        .orderBy(schema.auditEntries.id);
    const first = { reason: file, details: { bytes: statSync(file).size } };
    expect(await backups()).toEqual([first]);
    await expect(run("backup", { ledger, args: [file], options: {}, actor })).rejects.toThrow(
      "there already",
    );
    expect(await backups()).toEqual([first]);
    // One that ends half-way has its entry all the same.
    const other = newFile();
    mkdirSync(`${other}.new`);
    await expect(run("backup", { ledger, args: [other], options: {}, actor })).rejects.toThrow("EISDIR");
    expect(await backups()).toEqual([
      first,
      { reason: other, details: { failed: expect.stringContaining("EISDIR") as string } },
    ]);
    rmSync(`${other}.new`, { recursive: true });
    const { db } = await store(kind);
    const there = { ...ledger, db };
    await expect(run("restore", { ledger: there, args: [file], options: {}, actor })).rejects.toThrow(
      "--reason",
    );
    await run("restore", { ledger: there, args: [file], options: { reason: "Ticket 7" }, actor });
    const entries = await db.select().from(schema.auditEntries);
    // The backup knows that it was made.
    expect(entries.map(({ action, reason }) => [action, reason])).toEqual([
      ["backup", file],
      ["restore", "Ticket 7"],
    ]);
  });

  /** Backups for the browser of an operator. */
  async function toBrowser() {
    const fixture = await before();
    const { ledger } = fixture;
    const { db } = ledger;
    const spool = temporaryDirectory();
    const begin = async () =>
      (await run("backup", { ledger, args: [], options: {}, actor: "anna", spool })) as MadeFile;
    /** Takes what is said of it until its bytes begin. */
    async function toItsBytes({ parts }: MadeFile) {
      const taking = parts[Symbol.asyncIterator]();
      for (;;) {
        const { value } = (await taking.next()) as { value: Making };
        if ("refused" in value) throw new Error(value.refused);
        if ("bytes" in value) return { ...value, taking };
      }
    }
    async function take(made: MadeFile) {
      const { file, bytes, entry, taking } = await toItsBytes(made);
      const taken: Buffer[] = [];
      for (let part = await taking.next(); part.done !== true; part = await taking.next())
        taken.push(part.value as Buffer);
      return { file, bytes, entry, whole: Buffer.concat(taken) };
    }
    const said = async (made: MadeFile) => {
      const all = [];
      for await (const part of made.parts) all.push(part);
      return all;
    };
    const details = async () => (await latestBackups(db, 10)).map(({ bytes, failed }) => ({ bytes, failed }));
    return { ...fixture, db, spool, begin, toItsBytes, take, said, details };
  }

  test("one for a browser is whole, leaves nothing on the machine, and counts when all of it has come", async () => {
    const { db, spool, begin, toItsBytes, take, lines } = await toBrowser();
    const data = await everything(db);
    const { taking } = await toItsBytes(await begin());
    expect(readdirSync(spool)).toEqual([]);
    await taking.return?.();
    const { file, bytes, entry, whole } = await take(await begin());
    expect([whole.length, readdirSync(spool), await lastBackup(db)]).toEqual([bytes, [], null]);
    expect(lines.filter((line) => line.includes('"backup downloaded"'))).toHaveLength(2);
    expect(file).toMatch(/^everlit-\d{4}-\d\d-\d\d-\d{4}\.gz$/);
    // Another's word, or one about another entry, counts for nothing.
    expect(await backupReceived(db, "ben", entry)).toBe(false);
    expect(await backupReceived(db, "anna", entry - 1)).toBe(false);
    expect(await lastBackup(db)).toBe(null);
    expect(await backupReceived(db, "anna", entry)).toBe(true);
    expect(await backupReceived(db, "anna", entry)).toBe(true);
    expect(await lastBackup(db)).toMatchObject({ actor: "anna", bytes });

    const saved = newFile();
    writeFileSync(saved, whole);
    const fresh = await store(kind);
    await restore(fresh.db, saved, nothing);
    const { audit_entries: entries, ...rest } = await everything(fresh.db);
    const { audit_entries: _, ...expected } = data;
    expect(rest).toEqual(expected);
    // It knows that it was made.
    expect(entries?.at(-1)).toContain('"action":"backup"');
  });

  test("while one is made or sent to a browser there is no second, and while one is made by a command neither", async () => {
    const { db, begin, toItsBytes, said, ledger, details } = await toBrowser();
    const first = await toItsBytes(await begin());
    const busy = [{ refused: "A backup is being made or sent already: wait until it is done." }];
    expect(await said(await begin())).toEqual(busy);
    // The nightly one does not wait for a slow line.
    const nightly = newFile();
    await run("backup", { ledger, args: [nightly], options: {}, actor: "cron" });
    expect((await details()).map(({ bytes }) => bytes)).toEqual([statSync(nightly).size, null]);
    await first.taking.return?.();

    // A disk that takes nothing yet.
    const slow = new PassThrough({ highWaterMark: 1 });
    const making = writeBackup(db, () => slow, START);
    const already = "A backup is being made already: wait until it is done.";
    await expect(backUp(db, newFile(), START)).rejects.toThrow(already);
    expect(await said(await begin())).toEqual(busy);
    slow.resume();
    await making;
    await (await toItsBytes(await begin())).taking.return?.();
  });

  test("a browser that goes away, or takes nothing for a minute, ends it, and that is no backup", async () => {
    const { begin, toItsBytes, details, db } = await toBrowser();
    const gone = { bytes: null, failed: "It was not taken to its end." };
    const { taking } = await toItsBytes(await begin());
    await taking.return?.();
    expect(await details()).toEqual([gone]);

    const asleep = await begin();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const sleeping = asleep.parts[Symbol.asyncIterator]();
    await sleeping.next();
    vi.advanceTimersByTime(MINUTE - 1);
    expect(asleep.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(asleep.signal.aborted).toBe(true);
    vi.useRealTimers();
    await sleeping.return?.();
    expect(await details()).toEqual([gone, gone]);
    expect(await lastBackup(db)).toBe(null);
  });

  test("there is none where the disk has no room for it, and nothing is written then", async () => {
    const { db, spool, begin, said, details } = await toBrowser();
    const folder = temporaryDirectory();
    const disk = await files.statfs(folder);
    vi.spyOn(files, "statfs").mockResolvedValue({ ...disk, bavail: Math.floor(50_000_000 / disk.bsize) });
    onTestFinished(() => void vi.restoreAllMocks());
    const noRoom = /^There is too little room in .+: (?:49|50) MB are free, and \d\d MB have to be\.$/;
    expect(await said(await begin())).toEqual([{ refused: expect.stringMatching(noRoom) as string }]);
    await expect(backUp(db, join(folder, "backup.gz"), START)).rejects.toThrow(noRoom);
    expect([readdirSync(spool), readdirSync(folder), await details()]).toEqual([[], [], []]);
  });

  test("one that cannot be written for a browser says why, and leaves an entry only of what was begun", async () => {
    const { ledger, said, details } = await toBrowser();
    const made = await run("backup", {
      ledger,
      args: [],
      options: {},
      actor: "anna",
      spool: join(temporaryDirectory(), "none"),
    });
    expect(await said(made as MadeFile)).toEqual([
      { refused: expect.stringMatching(/^The backup failed: Error: ENOENT/) as string },
    ]);
    expect(await details()).toEqual([]);
  });

  test("a receiver takes what a restored database tells for later than what the lost one told, whose clock ran half a year ahead", async () => {
    const actor = "owner@example.org";
    const { service } = await before();
    const file = newFile();
    await backUp(service.db, file, START);
    const of = async (db: Database) => {
      const [account] = await db.select().from(schema.accounts);
      return { id: account?.id ?? 0, sequence: account?.eventSequence ?? 0 };
    };
    const ahead = Date.now() + 182 * DAY;
    await addAccountEvents(service.db, ahead, "membership.state", [(await of(service.db)).id]);
    const told = await of(service.db);
    expect(told.sequence).toBe(ahead);

    const { db } = await store(kind);
    const ledger = { db, now: () => START } as never;
    await run("restore", { ledger, args: [file], options: { reason: "disk" }, actor });
    const sequences = [];
    for (let time = 0; time < 2; time += 1) {
      await addAccountEvents(db, Date.now(), "membership.state", [told.id]);
      sequences.push((await of(db)).sequence);
    }
    const [first = 0, second] = sequences;
    expect(first).toBeGreaterThan(told.sequence);
    expect(second).toBe(first + 1);
  });
});

test.skipIf(servers.length === 0)("a server is backed up by one process at a time", async () => {
  const { db, close } = await emptyStore();
  onTestFinished(close);
  await inTransaction(db, async (tx) => {
    expect(await tryAdvisoryLock(tx, "backup")).toBe(true);
    await expect(backUp(db, newFile(), START)).rejects.toThrow("A backup is being made already");
  });
  await backUp(db, newFile(), START);
});

test("a service that runs is backed up through the admin socket, and a restored folder starts", async () => {
  const command = async (folder: string, ...words: string[]) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--liftoff-only", bundled(), "admin", ...words],
      {
        env: { ...process.env, DATA_DIR: folder, DATABASE_URL: "" },
      },
    );
    return stdout;
  };
  const folder = newData();
  const first = startProcess({ DATA_DIR: folder });
  const origin = await first.started;
  const body = JSON.stringify({ account_name: "kept member", password: PASSWORD });
  const post = (at: string, path: string) =>
    fetch(at + path, { method: "POST", body, headers: { "Content-Type": "application/json" } });
  await post(origin, "/api/register");
  const file = newFile();
  expect(await command(folder, "backup", file)).toContain(file);
  const other = temporaryDirectory();
  expect(await command(other, "restore", file, "--reason", "moved")).toContain(file);
  await expect(command(folder, "restore", file, "--reason", "moved")).rejects.toThrow(
    "in use by another process",
  );
  const second = startProcess({ DATA_DIR: other });
  const answer = await post(await second.started, "/api/login");
  expect(await answer.json()).toMatchObject({ code: 200 });
}, 180_000);
