/** Registering, logging in and out. Specification, sections 4, 5 and 7. */
import { eq } from "drizzle-orm";
import { Hono } from "hono";
import { LEAST_ACCOUNT_LENGTH, lengthOf } from "../../../machines/password-rules.ts";
import { credentials, MOST_NAME_LENGTH, paths } from "../../contract/calls.ts";
import { addressOf, readBody, Refusal, succeed, tokenOf, type Env, type Service } from "../http.ts";
import { ACCOUNTS_AT_ADDRESS, failureLimit, guess, limit, type Check } from "../limits.ts";
import { keyOfOwn, nameKey } from "../account-names.ts";
import { checkPassword, hashPassword, verifyPassword } from "../passwords.ts";
import { closeSession, openSession } from "../sessions.ts";
import { accounts } from "../store/schema.ts";

const MINUTE = 60_000;
/** Logins with the right password are allowed this many times as often as wrong guesses. */
const RIGHT_LOGINS = 12;

export function sessionRoutes(service: Service) {
  const { db, now, settings } = service;
  const atAccount = failureLimit(settings.loginFailuresPerMinute, MINUTE, now);
  const fromAddress = failureLimit(settings.loginFailuresPerMinute * ACCOUNTS_AT_ADDRESS, MINUTE, now);
  const logins = limit(settings.loginFailuresPerMinute * RIGHT_LOGINS, MINUTE, now);
  const registrations = limit(settings.registrationsPerMinute, MINUTE, now);
  const routes = new Hono<Env>();

  routes.post(paths.register, async (c) => {
    const { account_name: name, password } = await readBody(c, credentials);
    const key = nameKey(name);
    if (key === null) throw Refusal.because("nameUnseen", "account_name");
    // A sign may be none to the eye: what is compared has to be long enough, too.
    if (Math.min(lengthOf(name), lengthOf(key)) < LEAST_ACCOUNT_LENGTH)
      throw Refusal.because("nameTooShort", "account_name");
    // One sign may become many, and the database compares only so many.
    if (key.length > MOST_NAME_LENGTH) throw Refusal.because("nameTooLong", "account_name");
    checkPassword(password, name, "password");
    const address = addressOf(c, service);
    if (!registrations.take(address)) throw Refusal.because("networkRegistersOften");

    const make = async () => {
      const passwordHash = await hashPassword(password);
      return db
        .insert(accounts)
        .values({ name, nameKey: key, passwordHash, createdAt: new Date(now()) })
        .onConflictDoNothing()
        .returning({ name: accounts.name });
    };
    const [created] = await make().catch((error: unknown) => {
      // A failure of the service is not counted.
      registrations.giveBack(address);
      throw error;
    });
    if (!created) throw Refusal.because("nameTaken", "account_name");
    return succeed(c, { user: { account_name: created.name } }, "registered");
  });

  routes.post(paths.login, async (c) => {
    const { account_name: name, password } = await readBody(c, credentials);
    const key = keyOfOwn(name);
    const address = addressOf(c, service);
    const attempt = JSON.stringify([address, key]);
    if (!logins.take(attempt)) throw Refusal.because("tooManyAttempts");
    const checks: Check[] = [
      { limit: atAccount, key: attempt, tooMany: "tooManyAttempts" },
      { limit: fromAddress, key: address, tooMany: "networkFailsOften" },
    ];
    const logIn = async () => {
      const [account] = await db.select().from(accounts).where(eq(accounts.nameKey, key));
      const matches = await verifyPassword(account?.passwordHash ?? null, password);
      if (!account || !matches) throw Refusal.because("wrongCredentials");
      // Said only to a person who knows the password.
      if (account.lockedAt !== null) throw Refusal.because("accountLocked");
      const token = await openSession(db, account.id, account.passwordHash, now());
      if (token === null) throw Refusal.because("wrongCredentials");
      return succeed(c, { token, user: { account_name: account.name } }, "loggedIn");
    };
    return guess(checks, logIn, c.req.raw.signal);
  });

  // For a user who is signed out already, logging out succeeds too.
  routes.post(paths.logout, async (c) => {
    const token = tokenOf(c);
    if (token !== null) await closeSession(db, token);
    return succeed(c, null);
  });

  return routes;
}
