/** Passkeys of operators: keys that a device keeps, by which they come in without a shell. docs/security.md, "The operator's page". */
import { createHash, randomBytes } from "node:crypto";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { and, eq, gt, isNull } from "drizzle-orm";
import { MINUTE } from "../../contract/durations.ts";
import type { Database } from "../store/database.ts";
import { auditEntries, operatorChallenges, operatorPasskeys, operators } from "../store/schema.ts";
import { inTransaction } from "../store/transaction.ts";
import { endSessions, openSession, type OpenedSession } from "./operators.ts";
import { ownReasons } from "../../contract/console.ts";

/** Read when it is first needed: most operators never use one. */
const library = () => import("@simplewebauthn/server");

/** Ms in which a device answers, or not at all. */
const CHALLENGE_LIFE = 5 * MINUTE;
/** Passkeys of one operator: their phones, computers and keys. */
const MOST = 10;

/** Where a passkey is used: a browser gives it to pages of this host alone. */
export interface Place {
  /** As the browser names it. */
  origin: string;
}

const hostOf = ({ origin }: Place) => new URL(origin).hostname;
/** Browsers know passkeys of names alone, not of addresses. */
export const isPossible = (place: Place) => !/^[\d.]+$|^\[/.test(hostOf(place));

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** A challenge for one answer. @param operatorId whose key is made; null: anyone's is asked for */
async function createChallenge(db: Database, operatorId: number | null, now: number): Promise<string> {
  const challenge = randomBytes(32).toString("base64url");
  await db.insert(operatorChallenges).values({
    tokenHash: hashOf(challenge),
    operatorId,
    expiresAt: new Date(now + CHALLENGE_LIFE),
  });
  return challenge;
}

/** Uses up the challenge that an answer holds. @returns it, or null where it was used, is too old, or was never given for that */
async function usedChallenge(
  db: Database,
  clientData: string,
  operatorId: number | null,
  now: number,
): Promise<string | null> {
  const challenge = challengeIn(clientData);
  const isFor =
    operatorId === null
      ? isNull(operatorChallenges.operatorId)
      : eq(operatorChallenges.operatorId, operatorId);
  const used = await db
    .delete(operatorChallenges)
    .where(
      and(
        eq(operatorChallenges.tokenHash, hashOf(challenge)),
        isFor,
        gt(operatorChallenges.expiresAt, new Date(now)),
      ),
    )
    .returning({ tokenHash: operatorChallenges.tokenHash });
  return used.length > 0 ? challenge : null;
}

function challengeIn(clientData: string): string {
  try {
    const read: unknown = JSON.parse(Buffer.from(clientData, "base64url").toString());
    const { challenge } = Object(read) as { challenge?: unknown };
    return typeof challenge === "string" ? challenge : "";
  } catch {
    return "";
  }
}

/** What a device needs to make a passkey for an operator who is in; null where they have as many as there may be. */
export async function passkeyWanted(
  db: Database,
  { id, name }: { id: number; name: string },
  place: Place,
  now: number,
): Promise<PublicKeyCredentialCreationOptionsJSON | null> {
  const kept = await db
    .select({ id: operatorPasskeys.id })
    .from(operatorPasskeys)
    .where(eq(operatorPasskeys.operatorId, id));
  if (kept.length >= MOST) return null;
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: "Everlit",
    rpID: hostOf(place),
    userName: name,
    userID: Uint8Array.from(Buffer.from(String(id))),
    challenge: Uint8Array.from(Buffer.from(await createChallenge(db, id, now), "base64url")),
    // A device has one for each operator.
    excludeCredentials: kept,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** Keeps the passkey that a device made. @returns whether it was made for this operator, here and now */
export async function keepPasskey(
  db: Database,
  { id: operatorId, name }: { id: number; name: string },
  response: RegistrationResponseJSON,
  place: Place,
  now: number,
): Promise<boolean> {
  const expectedChallenge = await usedChallenge(db, response.response.clientDataJSON, operatorId, now);
  if (expectedChallenge === null) return false;
  const { verifyRegistrationResponse } = await library();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: place.origin,
    expectedRPID: hostOf(place),
  }).catch(() => ({ verified: false, registrationInfo: undefined }));
  if (!verified || !registrationInfo) return false;
  const { id, publicKey, counter } = registrationInfo.credential;
  const at = new Date(now);
  return inTransaction(db, async (tx) => {
    const kept = await tx
      .insert(operatorPasskeys)
      .values({
        id,
        operatorId,
        publicKey: Buffer.from(publicKey).toString("base64url"),
        counter,
        createdAt: at,
      })
      .onConflictDoNothing()
      .returning({ id: operatorPasskeys.id });
    if (kept.length === 0) return false;
    // The thief of a session leaves a trace with a key of their own.
    const action = "passkey add";
    await tx
      .insert(auditEntries)
      .values({ actor: name, action, subject: `operator ${name}`, reason: ownReasons[action], at });
    return true;
  });
}

/** What a device needs to prove whose it is: it knows which of its passkeys are for this host. */
export async function proofWanted(
  db: Database,
  place: Place,
  now: number,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: hostOf(place),
    challenge: Uint8Array.from(Buffer.from(await createChallenge(db, null, now), "base64url")),
    userVerification: "required",
  });
}

/** Lets in the operator whose passkey signed. @returns null where the proof is none */
export async function enterByPasskey(
  db: Database,
  response: AuthenticationResponseJSON,
  place: Place,
  now: number,
): Promise<OpenedSession | null> {
  const expectedChallenge = await usedChallenge(db, response.response.clientDataJSON, null, now);
  if (expectedChallenge === null) return null;
  return inTransaction(db, async (tx) => {
    const [passkey] = await tx
      .select({
        operatorId: operatorPasskeys.operatorId,
        publicKey: operatorPasskeys.publicKey,
        counter: operatorPasskeys.counter,
        name: operators.name,
        right: operators.right,
      })
      .from(operatorPasskeys)
      .innerJoin(operators, eq(operators.id, operatorPasskeys.operatorId))
      .where(eq(operatorPasskeys.id, response.id))
      .for("update", { of: operatorPasskeys });
    if (!passkey) return null;
    const { verifyAuthenticationResponse } = await library();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: place.origin,
      expectedRPID: hostOf(place),
      credential: {
        id: response.id,
        publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, "base64url")),
        counter: passkey.counter,
      },
    }).catch(() => ({ verified: false, authenticationInfo: undefined }));
    if (!verified || !authenticationInfo) return null;
    // A counter that stands still or goes back is of a copy: the library refuses it.
    await tx
      .update(operatorPasskeys)
      .set({ counter: authenticationInfo.newCounter, usedAt: new Date(now) })
      .where(eq(operatorPasskeys.id, response.id));
    return openSession(tx, { id: passkey.operatorId, name: passkey.name, right: passkey.right }, now);
  });
}

/** Takes all passkeys from an operator and ends all of their sessions, as when a device is lost: one of them could make a new key. @returns how many of each; null: there is no such operator */
export async function removePasskeys(
  tx: Database,
  name: string,
): Promise<{ passkeys: number; sessions: number } | null> {
  const [operator] = await tx.select({ id: operators.id }).from(operators).where(eq(operators.name, name));
  if (!operator) return null;
  const removed = await tx
    .delete(operatorPasskeys)
    .where(eq(operatorPasskeys.operatorId, operator.id))
    .returning({ id: operatorPasskeys.id });
  return { passkeys: removed.length, sessions: await endSessions(tx, operator.id) };
}
