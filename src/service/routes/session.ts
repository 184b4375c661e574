/** Registering, logging in and out. Specification, sections 4, 5 and 7. */
import { and, eq } from "drizzle-orm";
import { Hono } from "hono";
import { LEAST_ACCOUNT_LENGTH, lengthOf } from "../../contract/password-rules.ts";
import { paths } from "../../contract/calls.ts";
import { credentials, MOST_NAME_LENGTH } from "../../contract/requests.ts";
import { HOUR, MINUTE } from "../../contract/durations.ts";
import { succeed } from "../http/answers.ts";
import { readBody } from "../http/body.ts";
import { addressOf } from "../http/client-address.ts";
import { tokenOf } from "../http/principal.ts";
import type { Env, Service } from "../http/service.ts";
import { ApiError } from "../platform/errors.ts";
import {
  createLimits,
  failuresAtNetwork,
  networkBounds,
  type Bound,
  type Limit,
} from "../limits/attempt-limits.ts";
import { recordEvent } from "../http/security-events.ts";
import { isReserved, keyOfOwn, nameKey } from "../accounts/account-names.ts";
import { deviceOf } from "../platform/devices.ts";
import { checkPassword, hashPassword, isUpToDate, verifyPassword } from "../accounts/passwords.ts";
import { closeSession, isKnownAt, openSession } from "../accounts/sessions.ts";
import type { Database } from "../store/database.ts";
import { accounts } from "../store/schema.ts";

/** Logins with the right password are allowed this many times as often as wrong guesses. */
const RIGHT_LOGINS = 12;

/**
 * Hashes a password that was found right anew, where it was hashed by other parameters than today's.
 * @returns the hash that the account has now
 * @throws ApiError when too many are waiting for theirs
 */
async function rehashed(
  db: Database,
  { id, passwordHash }: Pick<typeof accounts.$inferSelect, "id" | "passwordHash">,
  password: string,
): Promise<string> {
  if (isUpToDate(passwordHash)) return passwordHash;
  const fresh = await hashPassword(password);
  const [changed] = await db
    .update(accounts)
    .set({ passwordHash: fresh })
    .where(and(eq(accounts.id, id), eq(accounts.passwordHash, passwordHash)))
    .returning({ id: accounts.id });
  return changed ? fresh : passwordHash;
}

export function sessionRoutes(service: Service) {
  const { db, now, settings } = service;
  const limits = createLimits(db, now);
  const logins: Limit = {
    name: "log-in",
    most: settings.loginFailuresPerMinute * RIGHT_LOGINS,
    span: MINUTE,
    countsRight: true,
  };
  const failures = { name: "failed log-in", most: settings.loginFailuresPerMinute, span: MINUTE };
  const everywhere = { name: "account", most: settings.loginFailuresPerHour, span: HOUR };
  const registrations = { name: "registration", most: settings.registrationsPerMinute, span: MINUTE };
  const routes = new Hono<Env>();

  routes.post(paths.register, async (c) => {
    const { account_name: name, password } = await readBody(c, credentials);
    const key = nameKey(name);
    if (key === null) throw ApiError.of("nameUnseen", "account_name");
    // A sign may be none to the eye: what is compared has to be long enough, too.
    if (Math.min(lengthOf(name), lengthOf(key)) < LEAST_ACCOUNT_LENGTH)
      throw ApiError.of("nameTooShort", "account_name");
    // One sign may become many, and the database compares only so many.
    if (key.length > MOST_NAME_LENGTH) throw ApiError.of("nameTooLong", "account_name");
    if (isReserved(key)) throw ApiError.of("nameTaken", "account_name");
    checkPassword(password, name, "password");
    const network = addressOf(c, service);
    const bounds = networkBounds(registrations, network, "networkRegistersOften");
    await limits.limitTries(bounds);

    const make = async () => {
      const passwordHash = await hashPassword(password);
      return db
        .insert(accounts)
        .values({ name, nameKey: key, passwordHash, createdAt: new Date(now()) })
        .onConflictDoNothing()
        .returning({ id: accounts.id, name: accounts.name });
    };
    const [created] = await make().catch(async (error: unknown) => {
      // A failure of the service is not counted.
      await limits.giveBack(bounds);
      throw error;
    });
    if (!created) throw ApiError.of("nameTaken", "account_name");
    await recordEvent(c, service, "registered", created.id);
    return succeed(c, { user: { account_name: created.name } }, "registered");
  });

  routes.post(paths.login, async (c) => {
    const { account_name: name, password } = await readBody(c, credentials);
    const key = keyOfOwn(name);
    const network = addressOf(c, service);
    const attempt = JSON.stringify([network, key]);
    const [found] = await db
      .select({ account: accounts, isKnownNetwork: isKnownAt(db, network) })
      .from(accounts)
      .where(eq(accounts.nameKey, key));
    const account = found?.account;
    const bounds: Bound[] = [
      { limit: logins, key: attempt, tooMany: "tooManyAttempts" },
      { limit: failures, key: attempt, tooMany: "tooManyAttempts" },
      ...failuresAtNetwork(failures, network, "networkFailsOften"),
      // Those who try from everywhere do not lock the member out, where the member is known to be.
      ...(found?.isKnownNetwork === true
        ? []
        : [{ limit: everywhere, key, tooMany: "accountFailsOften" } as const]),
    ];
    const logIn = async () => {
      const matches = await verifyPassword(account?.passwordHash ?? null, password);
      if (!account || !matches) {
        await recordEvent(c, service, "log-in refused", account?.id ?? null);
        throw ApiError.of("wrongCredentials");
      }
      // Said only to a person who knows the password.
      if (account.lockedAt !== null) {
        await recordEvent(c, service, "log-in refused", account.id);
        throw ApiError.of("accountLocked");
      }
      const passwordHash = await rehashed(db, account, password);
      const opener = { network, ...deviceOf(c.req.header("User-Agent") ?? "") };
      const token = await openSession(db, { accountId: account.id, passwordHash, ...opener }, now());
      if (token === null) throw ApiError.of("wrongCredentials");
      await recordEvent(c, service, "logged in", account.id);
      return succeed(c, { token, user: { account_name: account.name } }, "loggedIn");
    };
    return limits.limitFailures(bounds, logIn, c.req.raw.signal);
  });

  // For a user who is signed out already, logging out succeeds too.
  routes.post(paths.logout, async (c) => {
    const token = tokenOf(c);
    const accountId = token === null ? null : await closeSession(db, token);
    if (accountId !== null) await recordEvent(c, service, "logged out", accountId);
    return succeed(c, null);
  });

  return routes;
}
