/** One process for one data directory: the embedded database does not see a second one, and both would lose rows. */
import { join } from "node:path";

export class DirectoryInUse extends Error {
  constructor(directory: string) {
    super(
      `The data directory ${directory} is in use by another process of this service. ` +
        `Stop that one, or give this one another DATA_DIR, or point both at a PostgreSQL with DATABASE_URL.`,
    );
  }
}

/**
 * Locks `directory` until `release` or the end of the process, however it ends: SQLite holds the lock in the
 * operating system, which lets go of it even after `kill -9`, so there is no stale lock file to clear by hand.
 * @throws DirectoryInUse
 */
export async function lockDirectory(directory: string): Promise<{ release(): void }> {
  const { DatabaseSync } = await import("node:sqlite");
  const lock = new DatabaseSync(join(directory, "lock"));
  try {
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    throw error instanceof Error && /locked|busy/i.test(error.message)
      ? new DirectoryInUse(directory)
      : error;
  }
  return { release: () => lock.close() };
}
