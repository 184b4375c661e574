/** Opens the database, embedded or PostgreSQL, with its tables up to date. Above this file there is no difference. */
import type { Store } from "./database.ts";
import { openEmbedded } from "./embedded.ts";
import type { OpenedBy } from "./outdated.ts";
import { openServer, type DatabaseLimits } from "./server.ts";

/** Whether a location is a PostgreSQL server, not a directory. */
export const isServer = (location: string) => /^postgres(ql)?:/.test(location);

/**
 * @param location `postgres://…`, a directory for the embedded database, or `memory:` for one that is forgotten; see
 * `openEmbedded`
 * @param migrationsFolder the SQL that drizzle-kit wrote
 * @param limits of a server; the embedded database has one connection
 * @param by a command changes no tables, and makes no database
 * @throws DirectoryInUse, or an Error that says where the data is and what is wrong
 */
export async function open(
  location: string,
  migrationsFolder: string,
  limits?: DatabaseLimits,
  by: OpenedBy = "service",
): Promise<Store> {
  return isServer(location)
    ? openServer(location, migrationsFolder, limits, by)
    : openEmbedded(location, migrationsFolder, by);
}
