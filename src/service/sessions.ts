/** Who is signed in: tokens that only their holder knows, ninety days from the last use. */
import { createHash, randomBytes } from "node:crypto";
import { and, desc, eq, gt, inArray, lt } from "drizzle-orm";
import type { Database } from "./store/database.ts";
import { accounts, sessions } from "./store/schema.ts";
import { inTransaction } from "./store/transaction.ts";

const DAY = 86_400_000;
const LIFE = 90 * DAY;
/** Beyond so many, an account's sessions end that were used least lately. */
const MOST_SESSIONS = 50;

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");

/** The account a request speaks for. */
export interface Holder {
  accountId: number;
  accountName: string;
}

/**
 * Opens a session and clears away what has expired, and what is more than anyone has in use.
 * @param passwordHash the one that was found right; when the password has been changed since, no session is opened
 * @returns the token, 43 characters of base64url, or null
 */
export async function openSession(
  db: Database,
  accountId: number,
  passwordHash: string,
  now: number,
): Promise<string | null> {
  const token = randomBytes(32).toString("base64url");
  await db.delete(sessions).where(lt(sessions.expiresAt, new Date(now)));
  return inTransaction(db, async (tx) => {
    const [current] = await tx
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.id, accountId), eq(accounts.passwordHash, passwordHash)))
      .for("share");
    if (!current) return null;
    await tx.insert(sessions).values({
      tokenHash: hashOf(token),
      accountId,
      createdAt: new Date(now),
      expiresAt: new Date(now + LIFE),
    });
    const unused = tx
      .select({ tokenHash: sessions.tokenHash })
      .from(sessions)
      .where(eq(sessions.accountId, accountId))
      .orderBy(desc(sessions.expiresAt), desc(sessions.createdAt))
      .offset(MOST_SESSIONS);
    await tx.delete(sessions).where(inArray(sessions.tokenHash, unused));
    return token;
  });
}

/**
 * Gives an account another password and ends all of its sessions, on every device.
 * @param before the hash that the new one replaces
 * @returns false when the password had been changed meanwhile
 */
export async function replacePassword(
  db: Database,
  accountId: number,
  before: string,
  passwordHash: string,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const [changed] = await tx
      .update(accounts)
      .set({ passwordHash })
      .where(and(eq(accounts.id, accountId), eq(accounts.passwordHash, before)))
      .returning({ id: accounts.id });
    if (!changed) return false;
    await tx.delete(sessions).where(eq(sessions.accountId, accountId));
    return true;
  });
}

/** The holder of a token, whose session then lives ninety days more; null when the token opens nothing. */
export async function holderOf(db: Database, token: string, now: number): Promise<Holder | null> {
  const tokenHash = hashOf(token);
  const [found] = await db
    .select({ accountId: accounts.id, accountName: accounts.name, expiresAt: sessions.expiresAt })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, new Date(now))));
  if (!found) return null;
  const { expiresAt, ...holder } = found;
  // Once a day is enough, and spares a write for every question.
  if (expiresAt.getTime() < now + LIFE - DAY) {
    await db
      .update(sessions)
      .set({ expiresAt: new Date(now + LIFE) })
      .where(eq(sessions.tokenHash, tokenHash));
  }
  return holder;
}

/** Ends one session; the account's others go on. */
export async function closeSession(db: Database, token: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.tokenHash, hashOf(token)));
}
