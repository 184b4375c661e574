/** The embedded database on bad days: power cuts, full disks, starts that were killed, files that are not its own. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sql, type SQL } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { migrationsFolder } from "../../src/service/platform/project.ts";
import { open } from "../../src/service/store/open.ts";
import type { Log } from "../../src/service/platform/log.ts";
import type { Store } from "../../src/service/store/database.ts";
import { answerOf, openEngine } from "../../src/service/store/engine.ts";
import { operators } from "../../src/service/store/schema.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { newData } from "./support.ts";

const { log } = vi.hoisted(() => ({ log: vi.fn<Log>() }));
vi.mock(import("../../src/service/platform/log.ts"), async (original) => ({ ...(await original()), log }));

async function opened(directory: string): Promise<Store> {
  const store = await open(directory, migrationsFolder());
  let closed = false;
  const close = async () => {
    if (!closed) await store.close();
    closed = true;
  };
  onTestFinished(close);
  return { ...store, close };
}

const filesIn = (directory: string) =>
  fs.readdirSync(directory, { recursive: true, encoding: "utf8" }).toSorted();

/** The first value that a query finds. */
async function first({ db }: Store, query: SQL): Promise<unknown> {
  const { rows } = (await db.execute(query)) as { rows: Record<string, unknown>[] };
  return Object.values(rows[0] ?? {})[0];
}

test("what is answered is on the disk, not only with the operating system", async () => {
  const directory = join(temporaryDirectory(), "database");
  const engine = await openEngine({ directory }, (reason) => {
    throw new Error(reason);
  });
  onTestFinished(() => engine.close());
  await engine.exec("CREATE TABLE answers (text text)");
  const log = join(directory, "pg_wal");
  const files = fs.readdirSync(log).map((name) => fs.statSync(join(log, name)).ino);
  const synced: number[] = [];
  const sync = fs.fsyncSync;
  const watched = vi.spyOn(fs, "fsyncSync").mockImplementation((file) => {
    synced.push(fs.fstatSync(file).ino);
    sync(file);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    watched.mockRestore();
    syncBuiltinESMExports();
  });
  await engine.query("INSERT INTO answers VALUES ($1)", ["kept"]);
  expect(files).toContain(synced[0]);
});

test("a new database gets its name when it is whole: a start that was killed is begun anew", async () => {
  const directory = temporaryDirectory();
  const making = join(directory, "database.new");
  fs.mkdirSync(join(making, "base"), { recursive: true });
  fs.writeFileSync(join(making, "PG_VERSION"), "18\n");
  const store = await opened(directory);
  expect(fs.readdirSync(directory).toSorted()).toEqual(["database", "lock"]);
  expect(await first(store, sql`SELECT 1`)).toBe(1);
});

test("files that are not whole, or another version's, are left alone and named", async () => {
  const directory = newData();
  const version = join(directory, "database", "PG_VERSION");
  const refused = expect.objectContaining({
    message: expect.stringMatching(`^The data in ${directory} cannot be used: Error: `),
  });

  fs.writeFileSync(version, "9\n");
  await expect(open(directory, migrationsFolder())).rejects.toEqual(refused);
  await expect(open(directory, migrationsFolder())).rejects.toThrow(
    "was initialized by PostgreSQL version 9",
  );

  fs.rmSync(version);
  const before = filesIn(directory);
  await expect(open(directory, migrationsFolder())).rejects.toEqual(refused);
  await expect(open(directory, migrationsFolder())).rejects.toThrow("database is not whole.");
  expect(filesIn(directory)).toEqual(before);
});

test.skipIf(process.getuid?.() !== 0)(
  "files of another user are refused in a sentence, and nothing is made beside them",
  async () => {
    const directory = newData();
    const OTHER = 65_534;
    for (const path of ["", ...filesIn(directory)]) fs.chownSync(join(directory, path), OTHER, OTHER);
    const owners = () => filesIn(directory).map((path) => [path, fs.statSync(join(directory, path)).uid]);
    const before = owners();
    for (const by of ["command", "service"] as const) {
      await expect(open(directory, migrationsFolder(), undefined, by)).rejects.toThrow(
        `The data in ${directory} cannot be used: Error: its files belong to user ${OTHER}, and this process is of user 0, whose files the other could not open. Run it as that user (sudo -u '#${OTHER}' …), or hand all of the folder over with chown -R.`,
      );
    }
    expect(owners()).toEqual(before);
    for (const path of ["", ...filesIn(directory)]) fs.chownSync(join(directory, path), 0, 0);
    expect(await first(await opened(directory), sql`SELECT 1`)).toBe(1);
  },
);

test("it notices when its folder, or what is in it, is gone or another, and not when it is back", async () => {
  const directory = newData();
  const { verify } = await opened(directory);
  const exit = vi.spyOn(process, "exit").mockImplementation((code) => {
    throw new Error(`It ends with ${code}.`);
  });
  onTestFinished(() => exit.mockRestore());
  const at = (name: string) => join(directory, name);
  const lost = (path: string, how: string) => ({
    directory,
    error: expect.stringMatching(`^${path}.* ${how} while in use\\.$`) as string,
  });
  const names = ["", "lock", "database", "database/PG_VERSION", "database/global", "database/pg_wal"];
  for (const path of names.map(at)) {
    const away = `${path.replace(/\/$/, "")}.away`;
    fs.cpSync(path, `${away}.copy`, { recursive: true });
    verify();
    fs.renameSync(path, away);
    expect(verify, path).toThrow("It ends with 1.");
    expect(log).toHaveBeenLastCalledWith("database lost", lost(path, "is gone"), "error");
    fs.renameSync(`${away}.copy`, path);
    expect(verify, path).toThrow("It ends with 1.");
    expect(log).toHaveBeenLastCalledWith("database lost", lost(path, "was replaced"), "error");
    fs.rmSync(path, { recursive: true });
    fs.renameSync(away, path);
  }
  verify();
});

test("it keeps nothing of what it has answered", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const engine = await openEngine({ copy: null }, (reason) => {
    throw new Error(reason);
  });
  onTestFinished(() => engine.close());
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const text = "SELECT n FROM generate_series(1, 100) n";
  const query = Buffer.from(`Q....${text}\0`);
  query.writeInt32BE(query.length - 1, 1);
  const askOften = async () => {
    for (let times = 0; times < 500; times += 1) await answerOf(engine, new Uint8Array(query));
  };
  await askOften();
  const before = heap();
  await askOften();
  // A parsed copy of all these answers takes several times as much.
  expect(heap() - before).toBeLessThan(2_000_000);
}, 120_000);

test("it keeps its own fixture: checkpoints by the minute, a clearing a day, however often it is started", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const directory = newData();
  let store = await opened(directory);
  const checkpoint = () => first(store, sql`SELECT redo_lsn::text FROM pg_control_checkpoint()`);
  const counted = () => first(store, sql`SELECT reltuples FROM pg_class WHERE relname = 'operators'`);
  const add = (name: string) =>
    store.db.insert(operators).values({ name, right: "look", createdAt: new Date() });
  const passFiveMinutes = async () => {
    const before = await checkpoint();
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    await expect.poll(checkpoint).not.toBe(before);
  };
  const startAgain = async (hours: number) => {
    await store.close();
    expect(vi.getTimerCount()).toBe(0);
    vi.setSystemTime(Date.now() + hours * 3_600_000);
    store = await opened(directory);
  };
  await add("anna");
  expect(await counted()).toBe(-1);
  await passFiveMinutes();
  await expect.poll(counted).toBe(1);
  await startAgain(12);
  await add("bert");
  await passFiveMinutes();
  // A checkpoint follows what came after the one before it.
  await passFiveMinutes();
  expect(await counted()).toBe(1);
  await startAgain(12);
  await passFiveMinutes();
  await expect.poll(counted).toBe(2);
  await store.close();
});
