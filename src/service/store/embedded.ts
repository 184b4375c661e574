/** The embedded database: PostgreSQL on a thread of this process, kept in a directory of which it is the only user. */
import { constants, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { access, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { eq, sql } from "drizzle-orm";
import { DAY, MINUTE } from "../../contract/durations.ts";
import { factsOf, log } from "../platform/log.ts";
import { DirectoryInUse, lockDirectory } from "./lock.ts";
import { changesTables, refuseOutdated, type OpenedBy } from "./outdated.ts";
import { nameStatements } from "./named-statements.ts";
import type { Database, Store } from "./database.ts";
import { storedSettings } from "./schema.ts";
import { startEngine, type Engine } from "./engine-client.ts";

const MEMORY = "memory:";

/** Ms between two checkpoints: without them its log of changes grows for ever, for a database in our process has no upkeep but ours. */
const CHECKPOINTS = 5 * MINUTE;
/** Ms between two vacuums, which free the space of what was changed or deleted. A service may not run for as long at a time. */
const VACUUMS = DAY;
/** Where the time of the last one is kept. */
const VACUUMED = "vacuumed";

function leave(directory: string, reason: string): never {
  log("database lost", { directory, error: reason }, "error");
  process.exit(1);
}

/** What makes up the data, by the files that stay the same for as long as it is in use. */
const landmarks = [
  "lock",
  "database",
  "database/PG_VERSION",
  "database/global/pg_control",
  "database/pg_wal",
];

/** Undefined when there is nothing. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found && `${found.dev}:${found.ino}`;
}

/**
 * Notices when the folder is removed or another takes its place. The database keeps its open files and would go on, but
 * what it writes would be lost. Looking costs some 40 microseconds.
 */
function watchOver(directory: string): () => void {
  const paths = [directory, ...landmarks.map((name) => join(directory, name))];
  const identities = paths.map(identityOf);
  return () => {
    for (const [at, path] of paths.entries()) {
      const identity = identityOf(path);
      if (identity === identities[at]) continue;
      leave(directory, `${path} ${identity === undefined ? "is gone" : "was replaced"} while in use.`);
    }
  };
}

/** Has a file, or a directory's list of names, written through to the disk. */
async function sync(path: string, isDirectory: boolean): Promise<void> {
  // Windows opens no directories, and writes through only what may be written to.
  if (isDirectory && process.platform === "win32") return;
  const file = await open(path, isDirectory ? "r" : "r+");
  await file.sync();
  await file.close();
}

/** Makes the files of a new database. They get their name when they are whole: a process that is killed before starts again from nothing. */
async function create(place: string, start: (place: string) => Promise<Engine>): Promise<void> {
  const making = `${place}.new`;
  await rm(making, { recursive: true, force: true });
  await (await start(making)).close();
  const made = await readdir(making, { recursive: true, withFileTypes: true });
  await Promise.all(made.map((entry) => sync(join(entry.parentPath, entry.name), entry.isDirectory())));
  await sync(making, true);
  await rename(making, place);
  await sync(dirname(place), true);
}

async function vacuumIfDue(db: Database): Promise<void> {
  const { key, value } = storedSettings;
  const [last] = await db.select({ at: value }).from(storedSettings).where(eq(key, VACUUMED));
  // A clock that was set back makes it due, too.
  if (last && Math.abs(Date.now() - Date.parse(last.at)) < VACUUMS) return;
  await db.execute(sql`VACUUM (ANALYZE)`);
  const now = new Date().toISOString();
  await db
    .insert(storedSettings)
    .values({ key: VACUUMED, value: now })
    .onConflictDoUpdate({ target: key, set: { value: now } });
}

/** @returns what ends it */
function startMaintenance(db: Database): () => Promise<unknown> {
  // One after the other. What cannot be done now is done next time.
  let last: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    last = last
      .then(() => db.execute(sql`CHECKPOINT`))
      .then(() => vacuumIfDue(db))
      .catch(() => undefined);
  }, CHECKPOINTS).unref();
  return () => {
    clearInterval(timer);
    return last;
  };
}

/**
 * Refuses files of another user: what this process makes beside them, the other could not open afterwards.
 * @throws Error that says whose they are and what to do
 */
function refuseOthersFiles(directory: string, place: string): void {
  const own = process.getuid?.();
  const owner = statSync(place, { throwIfNoEntry: false })?.uid;
  if (own === undefined || owner === undefined || own === owner) return;
  // Some disks, such as those of a virtual machine's host, give every file one owner, whatever process makes it.
  const probe = join(directory, `owner-${process.pid}`);
  try {
    writeFileSync(probe, "", { mode: 0o600 });
    if (statSync(probe).uid === owner) return;
  } finally {
    rmSync(probe, { force: true });
  }
  throw new Error(
    `its files belong to user ${owner}, and this process is of user ${own}, whose files the other could not open. ` +
      `Run it as that user (sudo -u '#${owner}' …), or hand all of the folder over with chown -R.`,
  );
}

/** @throws Error in the words of the system or the database */
async function openDirectory(directory: string, migrationsFolder: string, by: OpenedBy): Promise<Store> {
  const place = join(directory, "database");
  if (by === "command" && !existsSync(place)) {
    throw new Error(
      "there is no database. Commands need the settings of the service: DATA_DIR or DATABASE_URL.",
    );
  }
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await access(directory, constants.R_OK | constants.W_OK);
  refuseOthersFiles(directory, place);
  const lock = await lockDirectory(directory);
  try {
    const start = (at: string) => startEngine({ directory: at }, (reason) => leave(at, reason));
    if (!existsSync(place)) await create(place, start);
    // It would be made anew, over whatever is there.
    if (!existsSync(join(place, "PG_VERSION"))) throw new Error(`${place} is not whole.`);
    const store = await opened(await start(place), directory, migrationsFolder, by);
    const stopMaintenance = startMaintenance(store.db);
    const close = async () => {
      await stopMaintenance();
      await store.close();
      lock.release();
    };
    return { ...store, verify: watchOver(directory), close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The driver is the one of a server. The engine has one session, so one transaction or query has it at a time. */
async function opened(
  engine: Engine,
  place: string,
  migrationsFolder: string,
  by: OpenedBy = "service",
): Promise<Store> {
  const [{ default: pg }, { drizzle }, { migrate }] = await Promise.all([
    import("pg"),
    import("drizzle-orm/node-postgres"),
    import("drizzle-orm/node-postgres/migrator"),
  ]);
  const pool = new pg.Pool({ user: "postgres", max: 1, idleTimeoutMillis: 0, stream: engine.connect });
  pool.on("connect", (client) => nameStatements(client, true));
  const db = drizzle(pool);
  const close = async () => {
    await pool.end();
    await engine.close();
  };
  try {
    if (await changesTables(db, by)) await migrate(db, { migrationsFolder });
    else await refuseOutdated(db, migrationsFolder);
  } catch (error) {
    // Before the folder is given to another process.
    await close();
    throw error;
  }
  // It runs in this process, and has its clock.
  const { now } = Date;
  const ping = async () => db.execute(sql`SELECT 1`);
  return { db, now, place, connections: () => null, ping, verify: () => undefined, close };
}

/**
 * @param location a directory, or `memory:`, or `memory:` and the file that it begins as a copy of
 * @throws DirectoryInUse, or an Error that says where the data is and what is wrong with it
 */
export async function openEmbedded(
  location: string,
  migrationsFolder: string,
  by: OpenedBy = "service",
): Promise<Store> {
  if (location.startsWith(MEMORY)) {
    const copy = location.slice(MEMORY.length) || null;
    const engine = await startEngine({ copy }, (reason) => leave(location, reason));
    return opened(engine, "memory, forgotten at the end", migrationsFolder);
  }
  const directory = resolve(location);
  try {
    return await openDirectory(directory, migrationsFolder, by);
  } catch (error) {
    if (error instanceof DirectoryInUse) throw error;
    throw new Error(`The data in ${directory} cannot be used: ${factsOf(error)["error"]}`, { cause: error });
  }
}
