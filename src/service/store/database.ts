/** What the service knows of its database, embedded or PostgreSQL. */
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";

export type Database = PgDatabase<PgQueryResultHKT>;

export interface Connections {
  busy: number;
  idle: number;
  waiting: number;
}

export interface Store {
  db: Database;
  /** The database's clock, in milliseconds since 1970, UTC: all processes on it agree. */
  now: () => number;
  /** Where the data is, for people; without the password. */
  place: string;
  /** Connections to a server, and queries that wait for one; null where the database is embedded. */
  connections(): Connections | null;
  /** One question to the database. @throws Error where it does not answer, or takes no writes */
  ping: () => Promise<unknown>;
  /** Asked before anything is answered. Ends the process where the data is no longer what was opened. */
  verify(): void;
  close(): Promise<void>;
}

/** Makes something once for each database: a prepared query, which is written out only then. */
export function perDatabase<T>(make: (db: Database) => T): (db: Database) => T {
  const made = new WeakMap<Database, T>();
  return (db) => {
    const cached = made.get(db) ?? make(db);
    made.set(db, cached);
    return cached;
  };
}
