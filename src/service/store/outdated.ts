/** Tells a database whose tables are not yet those of this release. */
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { Database } from "./database.ts";

/** Who opens a database: the service brings its tables up to date, a restore makes them where there are none, any other command of an operator's leaves them as they are. */
export type OpenedBy = "service" | "restore" | "command";

const refusal =
  "its tables are not those of this release. Start the service of this release first, or give the command of the release that runs.";

async function hasTables(db: Database): Promise<boolean> {
  const { rows } = (await db.execute(
    sql`SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS begun`,
  )) as { rows: { begun: boolean }[] };
  return rows[0]?.begun === true;
}

/** Whether the one who opens a database changes its tables. A restore does not: it may have been given a place that is in use. */
export const changesTables = async (db: Database, by: OpenedBy): Promise<boolean> =>
  by === "service" || (by === "restore" && !(await hasTables(db)));

/** @throws Error in words where the service of this release has not yet started on the database */
export async function refuseOutdated(db: Database, migrationsFolder: string): Promise<void> {
  const latest = Math.max(
    ...readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis),
  );
  if (!(await hasTables(db))) throw new Error("there is no data of the service in it.");
  const done = (await db.execute(sql`SELECT max(created_at) AS at FROM drizzle.__drizzle_migrations`)) as {
    rows: { at: string | null }[];
  };
  if (Number(done.rows[0]?.at ?? 0) < latest) throw new Error(refusal);
}
