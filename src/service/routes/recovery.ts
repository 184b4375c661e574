/** The way back in with a security question, which tells no one which accounts exist. Specification, sections 5 and 7; decisions, "Recovery". */
import { eq } from "drizzle-orm";
import { Hono } from "hono";
import { paths, recovery } from "../../contract/calls.ts";
import { addressOf, languageFor, readBody, Refusal, succeed, type Env, type Service } from "../http.ts";
import { foldedAnswer, foldingsOf } from "../security-answers.ts";
import { ACCOUNTS_AT_ADDRESS, failureLimit, guess, type Check } from "../limits.ts";
import { keyOfOwn } from "../account-names.ts";
import { checkPassword, hashPassword, verifyPassword } from "../passwords.ts";
import { questionId, questionsIn } from "../security-questions.ts";
import { replacePassword } from "../sessions.ts";
import { accounts } from "../store/schema.ts";

const DAY = 86_400_000;

export function recoveryRoutes(service: Service) {
  const { db, now, settings } = service;
  // An answer is far easier to guess than a password, so an account is guarded against all addresses together.
  const atAccount = failureLimit(settings.recoveryFailuresPerDay, DAY, now);
  const fromAddress = failureLimit(settings.recoveryFailuresPerDay * ACCOUNTS_AT_ADDRESS, DAY, now);
  const routes = new Hono<Env>();

  routes.get(paths.securityProblems, (c) => succeed(c, questionsIn(languageFor(c))));

  routes.post(paths.recover, async (c) => {
    const asked = await readBody(c, recovery);
    const { account_name: name, new_password: password, security_problem_value: answer } = asked;
    const key = keyOfOwn(name);
    if (password !== asked.new_password_confirmation)
      throw Refusal.because("passwordsDiffer", "new_password_confirmation");
    checkPassword(password, name, "new_password");
    if (asked.security_problem === "") throw Refusal.because("questionMissing", "security_problem");
    if (foldedAnswer(answer) === "") throw Refusal.because("answerMissing", "security_problem_value");

    const checks: Check[] = [
      // For accounts that do not exist as well.
      { limit: atAccount, key, tooMany: "tooManyToday" },
      { limit: fromAddress, key: addressOf(c, service), tooMany: "networkFailsOftenToday" },
    ];
    const recover = async () => {
      const [account] = await db.select().from(accounts).where(eq(accounts.nameKey, key));
      const chosen = questionId(asked.security_problem);
      const sameQuestion = chosen !== null && account?.securityProblem === chosen;
      const stored = sameQuestion ? account.securityAnswerHash : null;
      // How many hashes are computed depends on what was typed alone, whatever is amiss.
      let matches = false;
      for (const text of foldingsOf(answer)) {
        if (await verifyPassword(stored, text)) matches = true;
      }
      if (!account || !matches) throw Refusal.because("recoveryFailed");
      const hash = await hashPassword(password);
      if (!(await replacePassword(db, account.id, account.passwordHash, hash))) {
        throw Refusal.because("recoveryFailed");
      }
      return succeed(c, null, "passwordChanged");
    };
    return guess(checks, recover, c.req.raw.signal);
  });

  return routes;
}
