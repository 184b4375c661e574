/** Backups that any database of the same release takes in, embedded or PostgreSQL: every row as a line of JSON, gzipped. docs/operating.md, "Data and backups". */
import { createReadStream, createWriteStream } from "node:fs";
import files, { open, rename, rm } from "node:fs/promises";
import { once } from "node:events";
import { dirname } from "node:path";
import { pipeline as piped, Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { is, sql } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import * as v from "valibot";
import { wholeLines } from "../platform/lines.ts";
import type { Database } from "../store/database.ts";
import * as schema from "../store/schema.ts";
import { inSnapshot, inTransaction, tryAdvisoryLock } from "../store/transaction.ts";

/** What is wrong with a backup, or with where it is to go, in words. */
export class BackupRefused extends Error {}

/** What is no row begins with this. */
const MARK = "#";
/** The first line. `migration`: what the tables are like, as the time of the latest migration. */
const head = v.object({ format: v.literal("everlit-backup-1"), migration: v.string(), at: v.string() });
const tableLine = v.object({ table: v.string() });
/** The last line, without which the file was cut off. */
const tail = v.object({ rows: v.number() });

const NOT_WHOLE = "The file is no backup, or not a whole one.";
const AT_ONCE = 500;
/** Characters of rows that are inserted at a time. */
const MOST_CHARACTERS = 1_000_000;

/** Every table, after those that its rows refer to. */
function tablesInOrder(): PgTable[] {
  const ordered = new Set<PgTable>();
  function add(table: PgTable): void {
    if (ordered.has(table)) return;
    for (const { reference } of getTableConfig(table).foreignKeys) add(reference().foreignTable);
    ordered.add(table);
  }
  for (const each of Object.values(schema)) if (is(each, PgTable)) add(each);
  return [...ordered];
}

const nameOf = (table: PgTable) => getTableConfig(table).name;

/** Both drivers answer so. */
const rowsOf = async (db: Database, query: ReturnType<typeof sql>) =>
  ((await db.execute(query)) as { rows: Record<string, unknown>[] }).rows;

async function migrationOf(db: Database): Promise<string> {
  const [latest] = await rowsOf(
    db,
    sql`SELECT max(created_at)::text AS at FROM drizzle.__drizzle_migrations`,
  );
  return String(latest?.["at"]);
}

/**
 * The text of a backup, some lines at a time: the compression takes as long over a line as over a thousand. Rows stay text on
 * their way: a number of the database may be greater than JavaScript's.
 */
async function* textOf(db: Database, now: number, onRows: (rows: number) => void): AsyncGenerator<string> {
  let rows = 0;
  const migration = await migrationOf(db);
  const first: v.InferInput<typeof head> = {
    format: "everlit-backup-1",
    migration,
    at: new Date(now).toISOString(),
  };
  yield `${MARK}${JSON.stringify(first)}\n`;
  for (const table of tablesInOrder()) {
    yield `${MARK}${JSON.stringify({ table: nameOf(table) })}\n`;
    await db.execute(sql`DECLARE backup CURSOR FOR SELECT row_to_json(t)::text AS line FROM ${table} t`);
    for (;;) {
      const found = await rowsOf(db, sql`FETCH ${sql.raw(String(AT_ONCE))} FROM backup`);
      if (found.length > 0) yield found.map(({ line }) => `${String(line)}\n`).join("");
      rows += found.length;
      onRows(rows);
      if (found.length < AT_ONCE) break;
    }
    await db.execute(sql`CLOSE backup`);
  }
  yield `${MARK}${JSON.stringify({ rows })}\n`;
}

/** The databases of which this process is writing a backup: the embedded one would have the second wait, and not refuse it. */
const underWay = new WeakSet<Database>();
/** Whether this process is writing one. Nothing may be asked of an embedded database meanwhile: it would wait. */
export const isBeingMade = (db: Database): boolean => underWay.has(db);
const ALREADY = "A backup is being made already: wait until it is done.";

export interface WriteOptions {
  /** Told how many rows are written. */
  onRows?: (rows: number) => void;
  /** Ends it early. */
  signal?: AbortSignal;
}

/**
 * Writes all data as they are at one moment, as fast as the database gives and the other side takes them.
 * @param begin where to: called when nothing is in the way
 * @throws BackupRefused while another backup is being made, by any process; or an Error of the system's
 */
export async function writeBackup(
  db: Database,
  begin: () => Writable,
  now: number,
  { onRows = () => undefined, signal }: WriteOptions = {},
): Promise<void> {
  if (underWay.has(db)) throw new BackupRefused(ALREADY);
  underWay.add(db);
  try {
    await inSnapshot(db, async (tx) => {
      if (!(await tryAdvisoryLock(tx, "backup"))) throw new BackupRefused(ALREADY);
      const text = Readable.from(textOf(tx, now, onRows));
      try {
        await pipeline(text, createGzip(), begin(), signal === undefined ? {} : { signal });
      } finally {
        // What was asked of the database is answered before the transaction ends.
        if (!text.closed) await once(text, "close");
      }
    });
  } finally {
    underWay.delete(db);
  }
}

/** Bytes that a backup leaves free: an embedded database and the log may be on the same disk. */
const LEFT_FREE = 64 * 1024 * 1024;
/** Of a database's size, twice what the packed file took of one with a million members. */
const NEEDED_SHARE = 0.1;

const inMegabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;

/** @throws BackupRefused where the folder's disk has too little room: a full one would stop an embedded database, and the shop with it */
export async function refuseWithoutRoom(db: Database, folder: string): Promise<void> {
  // Where the system does not say, the file is tried.
  const disk = await files.statfs(folder).catch(() => null);
  if (disk === null || disk.blocks === 0) return;
  const [database] = await rowsOf(db, sql`SELECT pg_database_size(current_database()) AS size`);
  const needed = Number(database?.["size"]) * NEEDED_SHARE + LEFT_FREE;
  const free = disk.bavail * disk.bsize;
  if (free >= needed) return;
  throw new BackupRefused(
    `There is too little room in ${folder}: ${inMegabytes(free)} are free, and ${inMegabytes(needed)} have to be.`,
  );
}

/**
 * Writes all data, as it is at one moment, into a file that only its owner can read.
 * @param before done when nothing is in the way, before anything is read: the backup has it, too
 * @throws BackupRefused where there is such a file already, or no room for it, or Error of the system's
 */
export async function backUp(
  db: Database,
  file: string,
  now: number,
  before: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  // Before anything is asked of an embedded database: its one connection is the other backup's.
  if (isBeingMade(db)) throw new BackupRefused(ALREADY);
  await refuseWithoutRoom(db, dirname(file));
  const making = `${file}.new`;
  const taken = await open(file, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new BackupRefused(
      error.code === "EEXIST"
        ? `${file} is there already.`
        : `${file} cannot be written: ${error.code ?? error.message}.`,
    );
  });
  try {
    await before();
    await writeBackup(db, () => createWriteStream(making, { mode: 0o600, flush: true }), now);
    await rename(making, file);
  } catch (error) {
    await rm(making, { force: true });
    await rm(file, { force: true });
    throw error;
  } finally {
    await taken.close();
  }
}

/** @throws BackupRefused when the line is not what is meant to stand there */
function parsed<Schema extends v.GenericSchema>(shape: Schema, line: string): v.InferOutput<Schema> {
  try {
    return v.parse(shape, JSON.parse(line.slice(MARK.length)));
  } catch {
    throw new BackupRefused(NOT_WHOLE);
  }
}

/** The lines of a backup. @throws BackupRefused, or Error of the system's */
async function* read(file: string): AsyncGenerator<string, undefined> {
  const text = piped(createReadStream(file), createGunzip(), () => undefined).setEncoding("utf8");
  try {
    yield* wholeLines(text);
    return undefined;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new BackupRefused(code.startsWith("Z_") ? NOT_WHOLE : `${file} cannot be read: ${code}.`);
  }
}

async function insert(db: Database, table: PgTable, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  // This database has opened a series of its own, which the backup may know as well.
  const unlessKnown = table === schema.addressSeries ? sql`ON CONFLICT DO NOTHING` : sql``;
  await db.execute(sql`
    INSERT INTO ${table} OVERRIDING SYSTEM VALUE
    SELECT * FROM json_populate_recordset(NULL::${table}, ${`[${lines.join(",")}]`}::json) ${unlessKnown}`);
}

/** What is known by its number elsewhere: to other systems from the events, to the log of changes from the audit. */
const KNOWN_ELSEWHERE: ReadonlySet<PgTable> = new Set([
  schema.auditEntries,
  schema.accounts,
  schema.membershipEntries,
  schema.unmatchedPayments,
]);

/**
 * Has the numbers that a table gives its rows go on after those it has; and where other systems know them, after all that
 * were given out since the backup: those are below the milliseconds since 1970 of a clock that ran ahead by a year.
 */
async function continueNumbers(db: Database, table: PgTable): Promise<void> {
  const least = KNOWN_ELSEWHERE.has(table)
    ? sql`(extract(epoch FROM clock_timestamp() + interval '1 year') * 1000)::bigint`
    : sql`NULL`;
  for (const column of getTableConfig(table).columns) {
    if (column.generatedIdentity === undefined) continue;
    await db.execute(sql`
      SELECT setval(pg_get_serial_sequence(${nameOf(table)}, ${column.name}), greatest(max(${column}), ${least}))
      FROM ${table} HAVING greatest(max(${column}), ${least}) IS NOT NULL`);
  }
}

/** The same of all tables: after a restore of whatever kind, before the service starts. */
export async function continueAllNumbers(db: Database): Promise<void> {
  for (const table of tablesInOrder()) await continueNumbers(db, table);
}

/**
 * Fills a database without accounts and changes of operators, in one transaction.
 * @param during done in the same transaction, at its end
 * @returns the rows that were in the file
 * @throws BackupRefused when the file is no whole backup of this release, or the database is in use; nothing has changed then
 */
export async function restore(
  db: Database,
  file: string,
  during: (tx: Database) => Promise<unknown>,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    for (const [table, what] of [
      [schema.accounts, "accounts"],
      [schema.auditEntries, "changes of operators"],
    ] as const) {
      const [found] = await tx.select({ id: table.id }).from(table).limit(1);
      if (found)
        throw new BackupRefused(`There are ${what} in this database: a backup goes into an empty one.`);
    }
    const tables = new Map(tablesInOrder().map((table) => [nameOf(table), table]));
    for (const table of [...tables.values()].toReversed()) {
      // The series that the new database has opened stay: none of them is used again.
      if (table !== schema.addressSeries) await tx.delete(table);
    }

    const lines = read(file);
    const { value: first } = await lines.next();
    const { migration } = parsed(head, first ?? "");
    if (migration !== (await migrationOf(tx))) {
      throw new BackupRefused("The backup is of another release: restore it with that one, then upgrade.");
    }
    let table: PgTable | undefined;
    let waiting: string[] = [];
    let characters = 0;
    let rows = 0;
    let expected: number | undefined;
    async function flush(): Promise<void> {
      if (table) await insert(tx, table, waiting);
      rows += waiting.length;
      waiting = [];
      characters = 0;
    }
    for await (const line of lines) {
      if (!line.startsWith(MARK)) {
        waiting.push(line);
        characters += line.length;
        if (waiting.length >= AT_ONCE || characters > MOST_CHARACTERS) await flush();
        continue;
      }
      await flush();
      const entry = parsed(v.union([tableLine, tail]), line);
      if ("rows" in entry) expected = entry.rows;
      else table = tables.get(entry.table);
    }
    if (expected !== rows) throw new BackupRefused(NOT_WHOLE);
    await continueAllNumbers(tx);
    await during(tx);
    return rows;
  });
}
