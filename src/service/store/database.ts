/** What the service knows of its database, embedded or PostgreSQL. */
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";

export type Database = PgDatabase<PgQueryResultHKT>;

export interface Store {
  db: Database;
  /** Where the data is, for people; without the password. */
  place: string;
  /** Asked before anything is answered. Ends the process where the data is no longer what was opened. */
  verify(): void;
  close(): Promise<void>;
}
