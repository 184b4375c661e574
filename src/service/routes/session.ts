/** Registering, logging in and out. Specification, sections 4, 5 and 7. */
import { eq } from "drizzle-orm";
import { Hono } from "hono";
import { LEAST_ACCOUNT_LENGTH, lengthOf } from "../../../machines/password-rules.ts";
import { credentials, paths } from "../../contract/calls.ts";
import { addressOf, readBody, Refusal, succeed, tokenOf, type Env, type Service } from "../answer.ts";
import { guard, guess, limit } from "../limits.ts";
import { nameKey } from "../names.ts";
import { checkPassword, hashPassword, verifyPassword } from "../passwords.ts";
import { closeSession, openSession } from "../sessions.ts";
import { accounts } from "../store/schema.ts";

const MINUTE = 60_000;
/** Whoever knows a password may log in so many times as often as others may guess. */
const RIGHT_LOGINS = 12;

export function sessionRoutes(service: Service) {
  const { db, now, settings } = service;
  const failures = guard(settings.loginFailuresPerMinute, MINUTE, now);
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
    checkPassword(password, name, "password");
    if (!registrations.take(addressOf(c, service))) throw Refusal.because("tooManyAttempts");

    const [created] = await db
      .insert(accounts)
      .values({ name, nameKey: key, passwordHash: await hashPassword(password), createdAt: new Date(now()) })
      .onConflictDoNothing()
      .returning({ name: accounts.name });
    if (!created) throw Refusal.because("nameTaken", "account_name");
    return succeed(c, { user: { account_name: created.name } }, "registered");
  });

  routes.post(paths.login, async (c) => {
    const { account_name: name, password } = await readBody(c, credentials);
    const key = nameKey(name);
    const address = addressOf(c, service);
    const attempt = JSON.stringify([address, key]);
    if (!logins.take(attempt)) throw Refusal.because("tooManyAttempts");
    return guess(failures, [attempt, address], "tooManyAttempts", async () => {
      const [account] = key === null ? [] : await db.select().from(accounts).where(eq(accounts.nameKey, key));
      const matches = await verifyPassword(account?.passwordHash ?? null, password);
      if (!account || !matches) throw Refusal.because("wrongCredentials");
      const token = await openSession(db, account.id, account.passwordHash, now());
      if (token === null) throw Refusal.because("wrongCredentials");
      return succeed(c, { token, user: { account_name: account.name } }, "loggedIn");
    });
  });

  // Whoever is signed out already has what logging out is for.
  routes.post(paths.logout, async (c) => {
    const token = tokenOf(c);
    if (token !== null) await closeSession(db, token);
    return succeed(c, null);
  });

  return routes;
}
