/** What members see of themselves and may change. Specification, sections 3, 4, 5 and 7. */
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { Hono, type Context } from "hono";
import { paths, type Member, type SessionList } from "../../contract/calls.ts";
import {
  confirmedAnswer,
  deletedAccount,
  endedSession,
  endedSessions,
  passwordChange,
  profile,
} from "../../contract/requests.ts";
import { HOUR, MINUTE } from "../../contract/durations.ts";
import { languageFor, succeed } from "../http/answers.ts";
import { readBody } from "../http/body.ts";
import { principalFor, readAuthenticated, tokenOf } from "../http/principal.ts";
import type { Env, Service } from "../http/service.ts";
import { ApiError } from "../platform/errors.ts";
import { foldedAnswer, isShortAnswer } from "../accounts/security-answers.ts";
import { createLimits, type Bound } from "../limits/attempt-limits.ts";
import type { Word } from "../platform/messages.ts";
import { recordEvent } from "../http/security-events.ts";
import { isShown } from "../accounts/account-names.ts";
import { checkPassword, hashPassword, verifyPassword } from "../accounts/passwords.ts";
import { questionId, questionOf } from "../accounts/security-questions.ts";
import { endOthers, isOpened, openedSession, replacePassword, sessionsOf } from "../accounts/sessions.ts";
import { deleteAccount } from "../payments/deletion.ts";
import { perDatabase } from "../store/database.ts";
import { accounts, membershipEntries, sessions } from "../store/schema.ts";

/** What is said of a wrong password, and of which field. */
interface Wrong {
  word: Word;
  field: string;
}
const WRONG: Wrong = { word: "passwordWrong", field: "password" };
const WRONG_OLD: Wrong = { word: "oldPasswordWrong", field: "old_password" };

const EARLIEST_BIRTH = "1670-01-01";
/** Where the day begins first, it is fourteen hours ahead. */
const FIRST_MIDNIGHT = 14 * HOUR;

/** @param date YYYY-MM-DD */
function isBirthDate(date: string, now: number): boolean {
  const at = new Date(date);
  // A day that its month does not have would turn into another.
  const exists = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date);
  const today = new Date(now + FIRST_MIDNIGHT).toISOString().slice(0, EARLIEST_BIRTH.length);
  return exists && date >= EARLIEST_BIRTH && date <= today;
}

/** An account with the latest entry of its membership. */
const centreQuery = perDatabase((db) => {
  const latest = db
    .select({ endsAt: membershipEntries.endsAt, packName: membershipEntries.packName })
    .from(membershipEntries)
    .where(eq(membershipEntries.accountId, accounts.id))
    .orderBy(desc(membershipEntries.id))
    .limit(1)
    .as("latest");
  return db
    .select({ session: openedSession, account: accounts, endsAt: latest.endsAt, packName: latest.packName })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .leftJoinLateral(latest, sql`true`)
    .where(isOpened)
    .prepare("user_centre");
});

export function memberRoutes(service: Service) {
  const { db, now, settings } = service;
  const limits = createLimits(db, now);
  const failures = { name: "old password", most: settings.loginFailuresPerMinute, span: MINUTE };
  /** Passwords that are tried in an open session, at whichever call; each session by itself, or who found one open would keep the holder from ending it. */
  const boundOf = (c: Context<Env>): Bound => ({
    limit: failures,
    key: tokenOf(c) ?? "",
    tooMany: "tooManyAttempts",
  });
  const routes = new Hono<Env>();

  /** @throws ApiError when no user is signed in */
  async function accountFor(c: Context<Env>) {
    const account = await principalFor(c, service);
    if (!account) throw ApiError.signedOut();
    return account;
  }
  type Account = Awaited<ReturnType<typeof accountFor>>;

  /**
   * Sees to it that the one who asks knows the password: a session alone may have been found open. Only a wrong password
   * counts, not what is refused afterwards.
   * @throws ApiError
   */
  async function confirmPassword(
    c: Context<Env>,
    account: Account,
    password: string,
    { word, field }: Wrong = WRONG,
  ): Promise<void> {
    const confirm = async () => {
      if (await verifyPassword(account.passwordHash, password)) return;
      await recordEvent(c, service, "password refused", account.id);
      throw ApiError.of(word, field);
    };
    await limits.limitFailures([boundOf(c)], confirm, c.req.raw.signal);
  }

  /** Does what a session alone may not: the password confirms it. @throws ApiError */
  async function withPassword(
    c: Context<Env>,
    account: Account,
    password: string,
    act: () => Promise<Response>,
  ): Promise<Response> {
    if (password === "") throw ApiError.of("passwordMissing", "password");
    await confirmPassword(c, account, password);
    return act();
  }

  routes.get(paths.centre, async (c) => {
    const found = await readAuthenticated(c, service, centreQuery(db));
    if (!found) throw ApiError.signedOut();
    const { account, endsAt, packName } = found;
    const language = languageFor(c);
    const isMember = endsAt !== null && endsAt.getTime() > now();
    const user: Member = {
      account_name: account.name,
      name: account.nickname,
      sex: account.sex,
      birth_date: account.birthDate,
      pack_name: isMember ? (packName?.[language] ?? null) : null,
      pack_exp_date: isMember ? endsAt.toISOString() : null,
      security_problem: questionOf(account.securityProblem, language),
      membership_ended_at: isMember ? null : (endsAt?.toISOString() ?? null),
    };
    return succeed(c, { user });
  });

  routes.post(paths.updateProfile, async (c) => {
    const { id } = await accountFor(c);
    const { name, sex, birth_date: birthDate } = await readBody(c, profile);
    if (!isShown(name)) throw ApiError.of("nicknameUnseen", "name");
    if (birthDate !== "" && !isBirthDate(birthDate, now()))
      throw ApiError.of("birthDateRefused", "birth_date");
    const changes = {
      nickname: name === "" ? null : name,
      ...(sex === "" ? {} : { sex }),
      ...(birthDate === "" ? {} : { birthDate }),
    };
    // An account that was deleted meanwhile has no particulars.
    await db
      .update(accounts)
      .set(changes)
      .where(and(eq(accounts.id, id), isNull(accounts.deletedAt)));
    return succeed(c, null, "saved");
  });

  routes.post(paths.changePassword, async (c) => {
    const account = await accountFor(c);
    const body = await readBody(c, passwordChange);
    const { old_password: before, new_password: password } = body;
    if (password !== body.new_password_confirmation)
      throw ApiError.of("passwordsDiffer", "new_password_confirmation");
    checkPassword(password, account.name, "new_password");
    if (password.normalize("NFC") === before.normalize("NFC"))
      throw ApiError.of("passwordSame", "new_password");
    await confirmPassword(c, account, before, WRONG_OLD);
    const hash = await hashPassword(password);
    // Changed meanwhile, it is the wrong one by now.
    if (!(await replacePassword(db, account.id, account.passwordHash, hash)))
      throw ApiError.of(WRONG_OLD.word, WRONG_OLD.field);
    await recordEvent(c, service, "password changed", account.id);
    return succeed(c, null, "passwordChanged");
  });

  routes.post(paths.saveSecurityProblem, async (c) => {
    const account = await accountFor(c);
    const body = await readBody(c, confirmedAnswer);
    const { security_problem: question, security_problem_value: answer, password } = body;
    const chosen = questionId(question);
    if (chosen === null) throw ApiError.of("questionMissing", "security_problem");
    const text = foldedAnswer(answer);
    if (text === "") throw ApiError.of("answerMissing", "security_problem_value");
    if (isShortAnswer(text)) throw ApiError.of("answerTooShort", "security_problem_value");
    // The question opens the account.
    return withPassword(c, account, password, async () => {
      const securityAnswerHash = await hashPassword(text);
      const [saved] = await db
        .update(accounts)
        .set({ securityProblem: chosen, securityAnswerHash })
        .where(and(eq(accounts.id, account.id), eq(accounts.passwordHash, account.passwordHash)))
        .returning({ id: accounts.id });
      // The password was changed meanwhile.
      if (!saved) throw ApiError.of("passwordWrong", "password");
      await recordEvent(c, service, "question set", account.id);
      return succeed(c, null, "saved");
    });
  });

  routes.get(paths.sessions, async (c) => {
    const { id } = await accountFor(c);
    const seen = await sessionsOf(db, id, tokenOf(c) ?? "", now());
    const list: SessionList = seen.map((session) => ({
      session_id: session.id,
      created_at: session.createdAt.toISOString(),
      used_at: session.usedAt.toISOString(),
      network: session.network,
      browser: session.browser,
      device: session.device,
      current: session.isCurrent,
    }));
    return succeed(c, list);
  });

  /** @param id null: all others */
  async function end(c: Context<Env>, account: Account, password: string, id: string | null) {
    return withPassword(c, account, password, async () => {
      const ended = await endOthers(db, account.id, tokenOf(c) ?? "", id);
      if (ended > 0) await recordEvent(c, service, "sessions ended", account.id);
      return succeed(c, null, "loggedOutThere");
    });
  }

  routes.post(paths.endSession, async (c) => {
    const account = await accountFor(c);
    const { session_id: id, password } = await readBody(c, endedSession);
    return end(c, account, password, id);
  });

  routes.post(paths.endOtherSessions, async (c) => {
    const account = await accountFor(c);
    const { password } = await readBody(c, endedSessions);
    return end(c, account, password, null);
  });

  routes.post(paths.deleteAccount, async (c) => {
    const account = await accountFor(c);
    const { password } = await readBody(c, deletedAccount);
    return withPassword(c, account, password, async () => {
      await deleteAccount(service, account, languageFor(c));
      await recordEvent(c, service, "account deleted", account.id);
      return succeed(c, null, "accountDeleted");
    });
  });

  return routes;
}
