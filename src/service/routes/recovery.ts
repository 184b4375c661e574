/** The way back in with a security question, which tells no one which accounts exist. Specification, sections 5 and 7; decisions, "Recovery". */
import { eq } from "drizzle-orm";
import { Hono } from "hono";
import { paths } from "../../contract/calls.ts";
import { recovery } from "../../contract/requests.ts";
import { DAY } from "../../contract/durations.ts";
import { languageFor, succeed } from "../http/answers.ts";
import { readBody } from "../http/body.ts";
import { addressOf } from "../http/client-address.ts";
import type { Env, Service } from "../http/service.ts";
import { ApiError } from "../platform/errors.ts";
import { foldedAnswer, foldingsOf } from "../accounts/security-answers.ts";
import { createLimits, failuresAtNetwork, type Bound } from "../limits/attempt-limits.ts";
import { recordEvent } from "../http/security-events.ts";
import { keyOfOwn } from "../accounts/account-names.ts";
import { checkPassword, hashPassword, verifyPassword } from "../accounts/passwords.ts";
import { questionId, questionsIn } from "../accounts/security-questions.ts";
import { replacePassword } from "../accounts/sessions.ts";
import { accounts } from "../store/schema.ts";

export function recoveryRoutes(service: Service) {
  const { db, now, settings } = service;
  const limits = createLimits(db, now);
  const failures = { name: "failed recovery", most: settings.recoveryFailuresPerDay, span: DAY };
  const routes = new Hono<Env>();

  routes.get(paths.securityProblems, (c) => succeed(c, questionsIn(languageFor(c))));

  routes.post(paths.recover, async (c) => {
    const body = await readBody(c, recovery);
    const { account_name: name, new_password: password, security_problem_value: answer } = body;
    const key = keyOfOwn(name);
    if (password !== body.new_password_confirmation)
      throw ApiError.of("passwordsDiffer", "new_password_confirmation");
    checkPassword(password, name, "new_password");
    if (body.security_problem === "") throw ApiError.of("questionMissing", "security_problem");
    if (foldedAnswer(answer) === "") throw ApiError.of("answerMissing", "security_problem_value");

    const network = addressOf(c, service);
    const bounds: Bound[] = [
      // An answer is far easier to guess than a password, so an account is guarded against all addresses together; those that
      // do not exist as well.
      { limit: failures, key, tooMany: "tooManyToday" },
      ...failuresAtNetwork(failures, network, "networkFailsOftenToday"),
    ];
    const recover = async () => {
      const [account] = await db.select().from(accounts).where(eq(accounts.nameKey, key));
      const chosen = questionId(body.security_problem);
      const sameQuestion = chosen !== null && account?.securityProblem === chosen;
      const stored = sameQuestion ? account.securityAnswerHash : null;
      // How many hashes are computed depends on what was typed alone, whatever is amiss.
      let matches = false;
      for (const text of foldingsOf(answer)) {
        if (await verifyPassword(stored, text)) matches = true;
      }
      if (!account || !matches) {
        await recordEvent(c, service, "recovery refused", account?.id ?? null);
        throw ApiError.of("recoveryFailed");
      }
      const hash = await hashPassword(password);
      if (!(await replacePassword(db, account.id, account.passwordHash, hash))) {
        throw ApiError.of("recoveryFailed");
      }
      await recordEvent(c, service, "recovered", account.id);
      return succeed(c, null, "passwordChanged");
    };
    return limits.limitFailures(bounds, recover, c.req.raw.signal);
  });

  return routes;
}
