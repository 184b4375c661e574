/** Who is signed in: tokens that only their holder knows, ninety days from the last use, a year at most. */
import { createHash, randomBytes } from "node:crypto";
import { and, desc, eq, exists, gt, inArray, isNull, ne, sql } from "drizzle-orm";
import { DAY, HOUR } from "../../contract/durations.ts";
import type { Browser, Device } from "../platform/devices.ts";
import { perDatabase, type Database } from "../store/database.ts";
import { accounts, knewThePassword, securityEvents, sessions } from "../store/schema.ts";
import { inTransaction } from "../store/transaction.ts";

const LIFE = 90 * DAY;
/** However often it is used, a session ends: what was stolen does not open an account for ever. */
const WHOLE_LIFE = 365 * DAY;
/** Beyond so many, an account's sessions end that were used least lately. */
const MOST_SESSIONS = 50;

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");

/** The account a request speaks for. */
export type Principal = typeof accounts.$inferSelect;

/** What is known of who opens a session, and kept with it. */
export interface Opener {
  network: string;
  browser: Browser | null;
  device: Device | null;
}

/**
 * Opens a session, and ends those that are more than anyone has in use.
 * @param opened `passwordHash` is the one that was found right: when the password has been changed since, or the account
 * locked, no session is opened
 * @returns the token, 43 characters of base64url, or null
 */
export async function openSession(
  db: Database,
  opened: { accountId: number; passwordHash: string } & Opener,
  now: number,
): Promise<string | null> {
  const { accountId, passwordHash, ...opener } = opened;
  const token = randomBytes(32).toString("base64url");
  return inTransaction(db, async (tx) => {
    const [current] = await tx
      .select({ id: accounts.id })
      .from(accounts)
      .where(
        and(eq(accounts.id, accountId), eq(accounts.passwordHash, passwordHash), isNull(accounts.lockedAt)),
      )
      .for("share");
    if (!current) return null;
    await tx.insert(sessions).values({
      tokenHash: hashOf(token),
      accountId,
      createdAt: new Date(now),
      usedAt: new Date(now),
      expiresAt: new Date(now + LIFE),
      ...opener,
    });
    const unused = tx
      .select({ tokenHash: sessions.tokenHash })
      .from(sessions)
      .where(eq(sessions.accountId, accountId))
      .orderBy(desc(sessions.usedAt), desc(sessions.createdAt))
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

/**
 * For a query of an account: whether its member is known to be at `network`. They have a session from there, or knew the
 * password there of late: a changed password ends all sessions, and must not make the member a stranger at home.
 */
export const isKnownAt = (db: Database, network: string) => {
  const session = db
    .select({ one: sql`1` })
    .from(sessions)
    .where(and(eq(sessions.accountId, accounts.id), eq(sessions.network, network)));
  const event = db
    .select({ one: sql`1` })
    .from(securityEvents)
    .where(
      and(eq(securityEvents.accountId, accounts.id), eq(securityEvents.network, network), knewThePassword),
    );
  return sql<boolean>`(${exists(session)} OR ${exists(event)})`;
};

/** What `readSession` needs of a session. */
export const openedSession = {
  accountId: sessions.accountId,
  createdAt: sessions.createdAt,
  usedAt: sessions.usedAt,
};

/** For a prepared query that `readSession` runs: that the token opens the session. */
export const isOpened = and(
  eq(sessions.tokenHash, sql.placeholder("tokenHash")),
  gt(sessions.expiresAt, sql.placeholder("now")),
);

/** A row of such a query. */
export interface OpenedRow {
  session: { accountId: number; createdAt: Date; usedAt: Date };
}

/** A prepared query, by what it needs. */
export interface OpenedQuery<Row extends OpenedRow> {
  execute: (values: Record<string, unknown>) => Promise<Row[]>;
}

/**
 * Runs a prepared query of a session and of what its holder asks for. The session then lives ninety days more, as far as
 * its year goes.
 * @param values of further placeholders
 * @returns null when the token opens nothing
 */
export async function readSession<Row extends OpenedRow>(
  db: Database,
  query: OpenedQuery<Row>,
  token: string,
  now: number,
  values: Record<string, unknown> = {},
): Promise<Row | null> {
  const tokenHash = hashOf(token);
  const [found] = await query.execute({ ...values, tokenHash, now: new Date(now) });
  if (!found) return null;
  const { createdAt, usedAt } = found.session;
  // Once an hour is enough, and spares a write for every request.
  if (usedAt.getTime() <= now - HOUR) {
    const expiresAt = new Date(Math.min(now + LIFE, createdAt.getTime() + WHOLE_LIFE));
    await db
      .update(sessions)
      .set({ usedAt: new Date(now), expiresAt })
      .where(eq(sessions.tokenHash, tokenHash));
  }
  return found;
}

/** The account of a session. */
export const principalQuery = perDatabase((db) =>
  db
    .select({ session: openedSession, account: accounts })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(isOpened)
    .prepare("session_holder"),
);

/** Ends one session; the account's others go on. @returns its account, or null when there was none */
export async function closeSession(db: Database, token: string): Promise<number | null> {
  const [ended] = await db
    .delete(sessions)
    .where(eq(sessions.tokenHash, hashOf(token)))
    .returning({ accountId: sessions.accountId });
  return ended?.accountId ?? null;
}

/** A session as its own account may see it. */
export interface SeenSession extends Omit<Opener, "network"> {
  id: string;
  createdAt: Date;
  /** To the hour. */
  usedAt: Date;
  network: string | null;
  /** Whether `token` opens it. */
  isCurrent: boolean;
}

/** The sessions of an account that have not ended: the one that `token` opens, then those that were used last. */
export async function sessionsOf(
  db: Database,
  accountId: number,
  token: string,
  now: number,
): Promise<SeenSession[]> {
  const { id, createdAt, usedAt, network, browser, device } = sessions;
  const isCurrent = sql<boolean>`${sessions.tokenHash} = ${hashOf(token)}`;
  return db
    .select({ id, createdAt, usedAt, network, browser, device, isCurrent })
    .from(sessions)
    .where(and(eq(sessions.accountId, accountId), gt(sessions.expiresAt, new Date(now))))
    .orderBy(desc(isCurrent), desc(usedAt), desc(createdAt));
}

/**
 * Ends other sessions of an account than the one that `token` opens.
 * @param id the one to end; null: all others
 * @returns how many there were
 */
export async function endOthers(
  db: Database,
  accountId: number,
  token: string,
  id: string | null,
): Promise<number> {
  const isOther = and(eq(sessions.accountId, accountId), ne(sessions.tokenHash, hashOf(token)));
  const ended = await db
    .delete(sessions)
    .where(and(isOther, id === null ? undefined : eq(sessions.id, id)))
    .returning({ id: sessions.id });
  return ended.length;
}
