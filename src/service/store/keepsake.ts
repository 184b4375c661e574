/** What the service made up for itself and must find again. */
import { eq } from "drizzle-orm";
import type { Database } from "./open.ts";
import { keepsakes } from "./schema.ts";

/** The value kept under `key`; `fresh` from now on, when there was none. */
export async function keepsake(db: Database, key: string, fresh: string): Promise<string> {
  await db.insert(keepsakes).values({ key, value: fresh }).onConflictDoNothing();
  const [kept] = await db.select().from(keepsakes).where(eq(keepsakes.key, key));
  return kept?.value ?? fresh;
}
