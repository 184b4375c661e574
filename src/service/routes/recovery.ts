/** The way back in with a security question, which tells no one which accounts exist. Specification, sections 5 and 7; decisions, "Recovery". */
import { eq } from "drizzle-orm";
import { Hono } from "hono";
import { paths, recovery } from "../../contract/calls.ts";
import { addressOf, languageFor, readBody, Refusal, succeed, type Env, type Service } from "../answer.ts";
import { guard, guess } from "../limits.ts";
import { folded, nameKey } from "../names.ts";
import { checkPassword, hashPassword, verifyPassword } from "../passwords.ts";
import { questionId, questionsIn } from "../questions.ts";
import { replacePassword } from "../sessions.ts";
import { accounts } from "../store/schema.ts";

const DAY = 86_400_000;

export function recoveryRoutes(service: Service) {
  const { db, now, settings } = service;
  // An answer is far easier to guess than a password, so an account is guarded against all addresses together.
  const failures = guard(settings.recoveryFailuresPerDay, DAY, now);
  const routes = new Hono<Env>();

  routes.get(paths.securityProblems, (c) => succeed(c, questionsIn(languageFor(c))));

  routes.post(paths.recover, async (c) => {
    const asked = await readBody(c, recovery);
    const { account_name: name, new_password: password } = asked;
    if (password !== asked.new_password_confirmation)
      throw Refusal.because("passwordsDiffer", "new_password_confirmation");
    checkPassword(password, name, "new_password");
    if (asked.security_problem === "") throw Refusal.because("questionMissing");
    if (asked.security_problem_value === "") throw Refusal.because("answerMissing");

    const key = nameKey(name);
    // For accounts that do not exist as well.
    return guess(failures, [String(key), addressOf(c, service)], "tooManyToday", async () => {
      const [account] = key === null ? [] : await db.select().from(accounts).where(eq(accounts.nameKey, key));
      const chosen = questionId(asked.security_problem);
      const sameQuestion = chosen !== null && account?.securityProblem === chosen;
      // Whatever is amiss, one hash is computed.
      const stored = sameQuestion ? account.securityAnswerHash : null;
      const matches = await verifyPassword(stored, folded(asked.security_problem_value));
      if (!account || !matches) throw Refusal.because("recoveryFailed");
      const hash = await hashPassword(password);
      if (!(await replacePassword(db, account.id, account.passwordHash, hash))) {
        throw Refusal.because("recoveryFailed");
      }
      return succeed(c, null, "passwordChanged");
    });
  });

  return routes;
}
