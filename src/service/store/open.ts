/** Opens the database, embedded or PostgreSQL, with its tables up to date. Above this file there is no difference. */
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import { factsOf } from "../log.ts";
import { lockDirectory } from "./lock.ts";

/** Ms to wait for a connection to a server, before whoever asks is told that it failed. */
const PATIENCE = 10_000;
/** Ms in which whoever borrowed a connection that was lost gives it back by themselves. */
const GRACE = 1_000;

export type Database = PgDatabase<PgQueryResultHKT>;

export interface Store {
  db: Database;
  /** Where the data is, for people; without the password. */
  place: string;
  close(): Promise<void>;
}

/** Any number that no other program would take in the same database. */
const MIGRATION_LOCK = 7_203_114_051;

/**
 * @param location `postgres://…`, a directory for the embedded database, or `memory:` for one that is forgotten
 * @param migrationsFolder the SQL that drizzle-kit wrote
 * @throws DirectoryInUse, or an Error with the database's own words
 */
export async function open(location: string, migrationsFolder: string): Promise<Store> {
  return /^postgres(ql)?:/.test(location)
    ? openServer(location, migrationsFolder)
    : openEmbedded(location, migrationsFolder);
}

function giveBack(lent: PoolClient): void {
  try {
    lent.release(true);
  } catch {
    // It has been given back.
  }
}

async function openServer(url: string, migrationsFolder: string): Promise<Store> {
  const [{ default: pg }, { drizzle }, { migrate }] = await Promise.all([
    import("pg"),
    import("drizzle-orm/node-postgres"),
    import("drizzle-orm/node-postgres/migrator"),
  ]);
  const { host, pathname } = new URL(url);
  const place = `PostgreSQL at ${host}${pathname}`;
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: PATIENCE, keepAlive: true });
  // A connection that is lost is replaced at the next query; without listeners it would end the process: while idle …
  pool.on("error", () => undefined);
  // … and while lent. Drizzle never gives one back that was lost as its transaction began, and the pool would run dry.
  pool.on("connect", (client) => {
    client.on("error", () => setTimeout(giveBack, GRACE, client).unref());
  });
  try {
    // Two processes that start together would otherwise both create the tables.
    const client = await pool.connect();
    try {
      await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
      await migrate(drizzle(client), { migrationsFolder });
      await client.query("SELECT pg_advisory_unlock($1)", [MIGRATION_LOCK]);
    } finally {
      client.release();
    }
  } catch (error) {
    await pool.end();
    throw new Error(`${place} cannot be used: ${factsOf(error)["error"]}`, { cause: error });
  }
  return { db: drizzle(pool), place, close: () => pool.end() };
}

async function openEmbedded(location: string, migrationsFolder: string): Promise<Store> {
  const [{ PGlite }, { drizzle }, { migrate }] = await Promise.all([
    import("@electric-sql/pglite"),
    import("drizzle-orm/pglite"),
    import("drizzle-orm/pglite/migrator"),
  ]);
  if (location === "memory:") {
    const client = await PGlite.create();
    await migrate(drizzle(client), { migrationsFolder });
    return { db: drizzle(client), place: "memory, forgotten at the end", close: () => client.close() };
  }
  const directory = resolve(location);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(directory);
  try {
    const client = await PGlite.create(join(directory, "database"));
    await migrate(drizzle(client), { migrationsFolder });
    return {
      db: drizzle(client),
      place: directory,
      close: async () => {
        await client.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
