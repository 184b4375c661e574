/** Passwords at rest: argon2id in a PHC string, so that stronger parameters can come later without locking anyone out. */
// The default import: a named one would fail on an older Node before main.ts can say so.
import crypto from "node:crypto";
import { promisify } from "node:util";
import pLimit from "p-limit";
import { isShort } from "../../contract/password-rules.ts";
import { ApiError } from "../platform/errors.ts";
import { isWellKnown } from "./common-passwords.ts";
import { folded, nameKey } from "./account-names.ts";

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_LENGTH = 32;
/** Each hash holds 19 MiB and a thread for its time: a burst of logins waits here. Node has four threads, which files and names need as well. */
const AT_ONCE = 2;
/** More than so many would be waiting for longer than anyone does. */
const MOST_WAITING = 200;

const queue = pLimit(AT_ONCE);

/** @throws ApiError when too many are waiting */
async function derive(
  password: string,
  nonce: Buffer,
  cost: typeof COST,
  tagLength: number,
): Promise<Buffer> {
  if (queue.activeCount + queue.pendingCount >= AT_ONCE + MOST_WAITING) throw ApiError.of("busy");
  // The same letters can be typed as different bytes on different keyboards.
  const message = password.normalize("NFC");
  return queue(() => promisify(crypto.argon2)("argon2id", { message, nonce, ...cost, tagLength }));
}

const unpadded = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");

const phcOf = (nonce: Buffer, tag: Buffer) =>
  `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;

/**
 * @returns a PHC string, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`
 * @throws ApiError when too many are waiting for theirs
 */
export async function hashPassword(password: string): Promise<string> {
  const nonce = crypto.randomBytes(16);
  return phcOf(nonce, await derive(password, nonce, COST, TAG_LENGTH));
}

/** Whether a hash was made with today's parameters. */
export const isUpToDate = (stored: string): boolean =>
  stored.startsWith(`$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`);

/** A password hash that no password matches; comparing with it takes as long as with any other. */
export const unusableHash = (): string => phcOf(crypto.randomBytes(16), crypto.randomBytes(TAG_LENGTH));

const DUMMY_HASH = unusableHash();

/**
 * Whether the password is the one that was hashed. With `stored` null (no such account) it takes as long and says no,
 * so that the time of an answer does not tell which accounts exist.
 * @throws ApiError when too many are waiting for theirs; Error when `stored` is no PHC string of argon2id
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored ?? DUMMY_HASH);
  if (!parts) throw new Error("A stored password hash cannot be read.");
  const [, memory, passes, parallelism, salt = "", hash = ""] = parts;
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const expected = Buffer.from(hash, "base64");
  const tag = await derive(password, Buffer.from(salt, "base64"), cost, expected.length);
  return crypto.timingSafeEqual(tag, expected) && stored !== null;
}

/** Whether anyone would try it early: a well-known password, one character over and over, few but for spaces around, or the account's own name. */
function isCommon(password: string, accountName: string): boolean {
  const key = folded(password);
  return isShort(key) || isWellKnown(key) || /^(.)\1*$/u.test(key) || key === nameKey(accountName);
}

/**
 * Whether a password may be chosen.
 * @param field where it stands in the request
 * @throws ApiError
 */
export function checkPassword(password: string, accountName: string, field: string): void {
  if (isShort(password)) throw ApiError.of("passwordTooShort", field);
  if (isCommon(password, accountName)) throw ApiError.of("passwordCommon", field);
}
