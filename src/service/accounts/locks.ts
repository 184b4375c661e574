/** Locked accounts: no session is theirs, and no log-in opens one. */
import { eq } from "drizzle-orm";
import type { Database } from "../store/database.ts";
import { accounts, sessions } from "../store/schema.ts";

/** Locks an account, and ends its sessions; or lets its holder log in again. @param at when it is locked; null: it is not */
export async function lockAccount(tx: Database, accountId: number, at: Date | null): Promise<void> {
  await tx.update(accounts).set({ lockedAt: at }).where(eq(accounts.id, accountId));
  if (at !== null) await tx.delete(sessions).where(eq(sessions.accountId, accountId));
}
