/** Values that are generated once for a database, such as the sandbox's key. */
import { eq } from "drizzle-orm";
import type { Database } from "./database.ts";
import { storedSettings } from "./schema.ts";

/** The value stored under `key`; `fresh` from now on, when there was none. */
export async function storedSetting(db: Database, key: string, fresh: string): Promise<string> {
  await db.insert(storedSettings).values({ key, value: fresh }).onConflictDoNothing();
  const [stored] = await db.select().from(storedSettings).where(eq(storedSettings.key, key));
  return stored?.value ?? fresh;
}
