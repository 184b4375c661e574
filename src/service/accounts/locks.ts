/** Locked accounts: no session is theirs, and no log-in opens one. */
import { eq } from "drizzle-orm";
import { addAccountEvents } from "../events/account-events.ts";
import type { Database } from "../store/database.ts";
import { accounts, sessions } from "../store/schema.ts";

/**
 * Locks an account and ends its sessions, or lets its holder log in again; and tells other systems.
 * @param lockedAt since when it is locked; null: it is not
 * @param now ms since 1970
 */
export async function lockAccount(
  tx: Database,
  accountId: number,
  lockedAt: Date | null,
  now: number,
): Promise<void> {
  const isLocked = lockedAt !== null;
  await tx.update(accounts).set({ lockedAt }).where(eq(accounts.id, accountId));
  if (isLocked) await tx.delete(sessions).where(eq(sessions.accountId, accountId));
  await addAccountEvents(tx, now, isLocked ? "member.locked" : "member.unlocked", [accountId]);
}
