/** Opens the database, embedded or PostgreSQL, with its tables up to date. Above this file there is no difference. */
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { openEmbedded } from "./embedded.ts";
import { openServer } from "./server.ts";

export type Database = PgDatabase<PgQueryResultHKT>;

export interface Store {
  db: Database;
  /** Where the data is, for people; without the password. */
  place: string;
  close(): Promise<void>;
}

/**
 * @param location `postgres://…`, a directory for the embedded database, or `memory:` for one that is forgotten
 * @param migrationsFolder the SQL that drizzle-kit wrote
 * @throws DirectoryInUse, or an Error that says where the data is and what is wrong
 */
export async function open(location: string, migrationsFolder: string): Promise<Store> {
  return /^postgres(ql)?:/.test(location)
    ? openServer(location, migrationsFolder)
    : openEmbedded(location, migrationsFolder);
}
