/** Who is let in to the operator's page: operators by name and right, links for one use, sessions that end. */
import { createHash, randomBytes } from "node:crypto";
import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Right } from "../../contract/console.ts";
import { HOUR, MINUTE } from "../../contract/durations.ts";
import type { Database } from "../store/database.ts";
import {
  operatorChallenges,
  operatorLinks,
  operatorPasskeys,
  operators,
  operatorSessions,
} from "../store/schema.ts";
import { inTransaction } from "../store/transaction.ts";

/** Ms in which a link is used, or not at all. */
const LINK_LIFE = 2 * MINUTE;
/** Ms after which a session ends, however much it is used: a day's work. */
export const SESSION_LIFE = 12 * HOUR;

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");
const newToken = () => randomBytes(32).toString("base64url");

export interface Operator {
  name: string;
  right: Right;
}

export const operatorsOf = (db: Database) =>
  db
    .select({
      name: operators.name,
      right: operators.right,
      createdAt: operators.createdAt,
      passkeys: sql<number>`(SELECT count(*)::int FROM ${operatorPasskeys} p WHERE p.operator_id = operators.id)`,
    })
    .from(operators)
    .orderBy(asc(operators.name));

/** Lets someone in from now on, or gives them another right. @returns the right that they had */
export async function keepOperator(
  tx: Database,
  { name, right }: Operator,
  now: number,
): Promise<Right | null> {
  const [row] = await tx.select().from(operators).where(eq(operators.name, name)).for("update");
  await tx
    .insert(operators)
    .values({ name, right, createdAt: new Date(now) })
    .onConflictDoUpdate({ target: operators.name, set: { right } });
  return row?.right ?? null;
}

/** Lets someone in no more, and out at once. @returns whether there was such an operator */
export async function removeOperator(tx: Database, name: string): Promise<boolean> {
  // Links and sessions go with it.
  const removed = await tx.delete(operators).where(eq(operators.name, name)).returning({ id: operators.id });
  return removed.length > 0;
}

/** A token that lets an operator in once, within two minutes; null where no operator has the name. */
export async function createLink(db: Database, name: string, now: number): Promise<string | null> {
  const [operator] = await db.select({ id: operators.id }).from(operators).where(eq(operators.name, name));
  if (!operator) return null;
  const token = newToken();
  await db.insert(operatorLinks).values({
    tokenHash: hashOf(token),
    operatorId: operator.id,
    expiresAt: new Date(now + LINK_LIFE),
  });
  return token;
}

/** Ends sessions of operators, and what would open one: links and challenges that are not used yet. @param operatorId null: of all @returns how many sessions */
export async function endSessions(tx: Database, operatorId: number | null): Promise<number> {
  const theirs = (table: typeof operatorLinks | typeof operatorChallenges | typeof operatorSessions) =>
    tx.delete(table).where(operatorId === null ? undefined : eq(table.operatorId, operatorId));
  await theirs(operatorLinks);
  await theirs(operatorChallenges);
  const ended = await theirs(operatorSessions).returning({ operatorId: operatorSessions.operatorId });
  return ended.length;
}

export interface OpenedSession {
  /** What the cookie holds. */
  token: string;
  operator: Operator;
  expiresAt: Date;
}

/** Lets in the holder of a link's token; the link is used up. @returns null where it was used, is too old, or never was */
export async function enter(db: Database, link: string, now: number): Promise<OpenedSession | null> {
  return inTransaction(db, async (tx) => {
    const [used] = await tx
      .delete(operatorLinks)
      .where(and(eq(operatorLinks.tokenHash, hashOf(link)), gt(operatorLinks.expiresAt, new Date(now))))
      .returning({ operatorId: operatorLinks.operatorId });
    const [operator] = used
      ? await tx
          .select({ id: operators.id, name: operators.name, right: operators.right })
          .from(operators)
          .where(eq(operators.id, used.operatorId))
      : [];
    return operator ? openSession(tx, operator, now) : null;
  });
}

/** Opens a session for an operator who has proved who they are. */
export async function openSession(
  tx: Database,
  { id, name, right }: Operator & { id: number },
  now: number,
): Promise<OpenedSession> {
  const token = newToken();
  const expiresAt = new Date(now + SESSION_LIFE);
  await tx
    .insert(operatorSessions)
    .values({ tokenHash: hashOf(token), operatorId: id, createdAt: new Date(now), expiresAt });
  return { token, operator: { name, right }, expiresAt };
}

/** Whose session a cookie opens, with the right as it is now; null where it opens none. */
export async function operatorOf(
  db: Database,
  token: string,
  now: number,
): Promise<(Operator & { id: number }) | null> {
  const [found] = await db
    .select({
      id: operators.id,
      name: operators.name,
      right: operators.right,
    })
    .from(operatorSessions)
    .innerJoin(operators, eq(operators.id, operatorSessions.operatorId))
    .where(and(eq(operatorSessions.tokenHash, hashOf(token)), gt(operatorSessions.expiresAt, new Date(now))));
  return found ?? null;
}

/** Ends the session of a cookie. */
export async function leave(db: Database, token: string): Promise<void> {
  await db.delete(operatorSessions).where(eq(operatorSessions.tokenHash, hashOf(token)));
}
