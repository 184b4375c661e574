/** What members change of themselves: the profile, the password, the security question; and the way back in for those who forgot. */
import crypto from "node:crypto";
import * as v from "valibot";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { securityProblems } from "../../src/contract/calls.ts";
import type { Store } from "../../src/service/store/database.ts";
import { folded } from "../../src/service/accounts/account-names.ts";
import { hashPassword } from "../../src/service/accounts/passwords.ts";
import { accounts } from "../../src/service/store/schema.ts";
import {
  databases,
  emptyStore,
  freshName,
  PASSWORD,
  refusal,
  refusalOf,
  serve,
  START,
  success,
  zh,
} from "./support.ts";

const DAY = 86_400_000;
const NEW = "another long password";
const CHANGED = "Password changed successfully, please log in again";
const ENGLISH = "What was the name of your first pet?";
const CHINESE = "你的第一只宠物叫什么名字？";
const OLD_WRONG = "The old password is incorrect. Please enter it again.";
const RECOVERY_FAILED =
  "The account name, the security question or the answer is incorrect. Please check all three and try again.";
const UNREADABLE = "Something you entered is missing or not right. Please check it and try again.";

const changing = (before: string, password: string, confirmation = password) => ({
  old_password: before,
  new_password: password,
  new_password_confirmation: confirmation,
});

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());

  /** A member, with the words to speak for them. */
  async function memberOf(changes: Parameters<typeof serve>[1] = {}) {
    const fixture = await serve(store, changes);
    const { call, member } = fixture;
    const name = freshName();
    const token = await member(name);
    const user = async (headers = {}) =>
      ((await call("/api/user/center", { token, headers })).data as { user: Record<string, unknown> }).user;
    const logIn = (password: string) => call("/api/login", { body: { account_name: name, password } });
    const saveQuestion = (question = ENGLISH, answer = "Rex", headers = {}, password = PASSWORD) =>
      call("/api/user/save_security_problem", {
        body: { security_problem: question, security_problem_value: answer, password },
        token,
        headers,
      });
    const recover = (
      change: Record<string, string> = {},
      asked: { headers?: Record<string, string>; from?: string } = {},
    ) =>
      call("/api/problem_change_password", {
        body: {
          account_name: name,
          new_password: NEW,
          new_password_confirmation: NEW,
          security_problem: ENGLISH,
          security_problem_value: "Rex",
          ...change,
        },
        ...asked,
      });
    return { ...fixture, name, token, user, logIn, saveQuestion, recover };
  }

  test("the profile is saved and shown; an empty name goes, all else that is empty stays", async () => {
    const { call, token, user } = await memberOf();
    const save = (body: Record<string, string>, headers = {}) =>
      call("/api/user/update_info", { body, token, headers });
    expect(await save({ name: " 小明 👨‍👩‍👧 ", sex: "woman", birth_date: "1990-02-28" })).toEqual(
      success(null, "Modified successfully"),
    );
    expect(await user()).toMatchObject({ name: "小明 👨‍👩‍👧", sex: "woman", birth_date: "1990-02-28" });
    expect(await save({ name: "小明", sex: "man", birth_date: "" }, zh)).toEqual(success(null, "修改成功"));
    expect(await user()).toMatchObject({ name: "小明", sex: "man", birth_date: "1990-02-28" });
    expect(await save({ name: " ", sex: "", birth_date: "" })).toEqual(
      success(null, "Modified successfully"),
    );
    expect(await user()).toMatchObject({ name: null, sex: "man", birth_date: "1990-02-28" });
  });

  test.each(["1670-01-01", "2000-02-29", "2026-11-20"])("%s can be a date of birth", async (birth_date) => {
    const { call, token, user } = await memberOf();
    await call("/api/user/update_info", { body: { name: "", sex: "", birth_date }, token });
    expect(await user()).toMatchObject({ birth_date });
  });

  test.each(["1669-12-31", "1990-02-31", "1900-02-29", "2026-11-22", "9999-12-31"])(
    "%s cannot be a date of birth",
    async (birth_date) => {
      const { call, token, user } = await memberOf();
      const body = { name: "Ann", sex: "man", birth_date };
      expect(await call("/api/user/update_info", { body, token })).toEqual(
        refusalOf("birth_date", "The date of birth must be between January 1, 1670 and today."),
      );
      expect(await call("/api/user/update_info", { body, token, headers: zh })).toEqual(
        refusalOf("birth_date", "出生日期须在 1670 年 1 月 1 日至今天之间。"),
      );
      expect(await user()).toMatchObject({ name: null, sex: null, birth_date: null });
    },
  );

  test("today is the day where it begins first: the rest of the world is never a day late", async () => {
    const { call, clock, token } = await memberOf();
    const born = (birth_date: string) =>
      call("/api/user/update_info", { body: { name: "", sex: "", birth_date }, token });
    expect((await born("2026-11-21")).code).toBe(1);
    clock.now = Date.parse("2026-11-20T10:00:00Z");
    expect((await born("2026-11-21")).code).toBe(200);
  });

  test.each([
    [{ sex: "other" }, UNREADABLE],
    [{ birth_date: "20 Nov" }, UNREADABLE],
    [{ name: "n".repeat(65) }, "The nickname is too long. Please enter a shorter one."],
    [{ name: "half \ud83d" }, "The nickname contains characters that cannot be shown. Please type it again."],
    [{ name: "a\u0000b" }, "The nickname contains characters that cannot be shown. Please type it again."],
    [{ name: "a\u202eb" }, "The nickname contains characters that cannot be shown. Please type it again."],
  ])("a profile with %j is refused", async (change, words) => {
    const { call, token } = await memberOf();
    const body = { name: "Ann", sex: "man", birth_date: "", ...change };
    // What is chosen and not typed has no field to mark.
    const field = "name" in change ? "name" : undefined;
    expect(await call("/api/user/update_info", { body, token })).toEqual(refusalOf(field, words));
  });

  test("a visitor changes nothing", async () => {
    const { call } = await serve(store);
    for (const path of ["update_info", "change_password", "save_security_problem"]) {
      expect(await call(`/api/user/${path}`, { body: {} })).toEqual(refusal("Please log in first.", 4001));
    }
  });

  test("a changed password ends every session of the account, and no one else's", async () => {
    const { call, token, logIn, member } = await memberOf();
    const { token: other } = (await logIn(PASSWORD)).data as { token: string };
    const stranger = await member();
    expect(await call("/api/user/change_password", { body: changing(PASSWORD, NEW), token })).toEqual(
      success(null, CHANGED),
    );
    for (const ended of [token, other]) {
      expect(await call("/api/user/center", { token: ended })).toEqual(refusal("Please log in first.", 4001));
    }
    expect((await call("/api/user/center", { token: stranger })).code).toBe(200);
    expect((await logIn(PASSWORD)).code).toBe(1);
    expect((await logIn(NEW)).code).toBe(200);
  });

  test.each([
    [changing("wrong password", NEW), OLD_WRONG, "旧密码不正确，请重新输入。", "old_password"],
    [changing("", NEW), OLD_WRONG, "旧密码不正确，请重新输入。", "old_password"],
    [
      changing(PASSWORD, NEW, "different password"),
      "The passwords entered twice do not match. Please re-enter them.",
      "两次输入的密码不一致，请重新输入。",
      "new_password_confirmation",
    ],
    [
      changing(PASSWORD, "1234567"),
      "The password needs at least 8 characters.",
      "密码至少需要 8 个字符。",
      "new_password",
    ],
    [
      changing(PASSWORD, "password1"),
      "This password is too easy to guess. Please choose another.",
      "这个密码太容易被猜到，请换一个。",
      "new_password",
    ],
    ...(["old_password", "new_password", "new_password_confirmation"] as const).flatMap((name) => [
      [
        { ...changing(PASSWORD, NEW), [name]: "a".repeat(1025) },
        "The password is too long. Please enter a shorter one.",
        "密码太长，请缩短后重试。",
        name,
      ],
      [
        { ...changing(PASSWORD, NEW), [name]: "cut in half \ud83d" },
        "The password contains characters that cannot be read. Please type it again.",
        "密码中含有无法识别的字符，请重新输入。",
        name,
      ],
    ]),
    [
      changing(PASSWORD, PASSWORD),
      "The new password is the same as the old one. Please choose another.",
      "新密码与旧密码相同，请换一个。",
      "new_password",
    ],
  ] as [ReturnType<typeof changing>, string, string, string][])(
    "a change of %j is refused, and the session goes on",
    async (body, english, chinese, field) => {
      const { call, token, logIn } = await memberOf();
      expect(await call("/api/user/change_password", { body, token })).toEqual(refusalOf(field, english));
      expect(await call("/api/user/change_password", { body, token, headers: zh })).toEqual(
        refusalOf(field, chinese),
      );
      expect((await call("/api/user/center", { token })).code).toBe(200);
      expect((await logIn(PASSWORD)).code).toBe(200);
    },
  );

  test("a session does not let its holder guess the password", async () => {
    const { call, clock, token } = await memberOf({ loginFailuresPerMinute: 2 });
    const guess = (before: string) =>
      call("/api/user/change_password", { body: changing(before, NEW), token });
    await Promise.all([guess("guess one"), guess("guess two")]);
    expect(await guess(PASSWORD)).toEqual(refusal("Too many attempts. Please wait a minute and try again."));
    clock.now += 60_000;
    // A new password that equals the old one reveals nothing, and costs the user no try.
    const idle = () => call("/api/user/change_password", { body: changing(PASSWORD, PASSWORD), token });
    const words = [await idle(), await idle(), await idle()].map(({ message }) => message);
    expect(words).toEqual(
      Array(3).fill("The new password is the same as the old one. Please choose another."),
    );
    expect((await guess(PASSWORD)).code).toBe(200);
  });

  test("of two changes at once, one succeeds; no session of the old password is left", async () => {
    const { call, token, logIn } = await memberOf();
    const answers = await Promise.all([
      call("/api/user/change_password", { body: changing(PASSWORD, NEW), token }),
      call("/api/user/change_password", { body: changing(PASSWORD, `${NEW}!`), token }),
      logIn(PASSWORD),
    ]);
    expect(answers.slice(0, 2).filter(({ code }) => code === 200)).toHaveLength(1);
    const late = (answers[2].data as { token: string } | null)?.token;
    expect(await call("/api/user/center", { token: late ?? "none" })).toEqual(
      refusal("Please log in first.", 4001),
    );
  });

  test("the questions are listed in the language asked for, the same ones in the same order", async () => {
    const { call } = await serve(store);
    const english = v.parse(securityProblems, (await call("/api/security_problem_list")).data);
    const chinese = v.parse(
      securityProblems,
      (await call("/api/security_problem_list", { headers: zh })).data,
    );
    expect(chinese.indexOf(CHINESE)).toBe(english.indexOf(ENGLISH));
    expect(english).toHaveLength(8);
    expect(new Set([...english, ...chinese]).size).toBe(16);
  });

  test("a question saved in Chinese is the same question in English, and another takes its place", async () => {
    const { saveQuestion, user, recover } = await memberOf();
    expect(await saveQuestion(CHINESE, "雷克斯", zh)).toEqual(success(null, "修改成功"));
    expect(await user()).toMatchObject({ security_problem: ENGLISH });
    expect(await user(zh)).toMatchObject({ security_problem: CHINESE });
    expect((await saveQuestion(ENGLISH, "Bella")).code).toBe(200);
    expect((await recover({ security_problem_value: "雷克斯" })).code).toBe(1);
    expect(await recover({ security_problem_value: "Bella" })).toEqual(success(null, CHANGED));
  });

  test("a session alone sets no question: the password is asked for, so often a minute", async () => {
    const { saveQuestion, user, clock } = await memberOf({ loginFailuresPerMinute: 2 });
    const missing = refusalOf("password", "Please enter your password.");
    const wrong = refusalOf("password", "The password is incorrect. Please check it and try again.");
    // Nothing is tried by it.
    for (let at = 0; at < 3; at += 1) expect(await saveQuestion(ENGLISH, "Rex", {}, "")).toEqual(missing);
    expect(await saveQuestion(ENGLISH, "Rex", zh, "")).toEqual(refusalOf("password", "请输入密码。"));
    for (let at = 0; at < 2; at += 1) {
      expect(await saveQuestion(ENGLISH, "Rex", {}, "another password")).toEqual(wrong);
    }
    expect((await saveQuestion()).message).toMatch(/^Too many attempts/);
    expect(await user()).toMatchObject({ security_problem: null });
    clock.now += 60_000;
    expect((await saveQuestion()).code).toBe(200);
  });

  test("of many saving at once, one answer is kept", async () => {
    const { saveQuestion, name } = await memberOf();
    const answers = await Promise.all(
      ["a1", "a2", "a3", "a4"].map((answer) => saveQuestion(ENGLISH, answer)),
    );
    expect(answers.map(({ code }) => code)).toEqual([200, 200, 200, 200]);
    const [account] = await store.db.select().from(accounts).where(eq(accounts.name, name));
    expect(account).toMatchObject({
      securityProblem: "first-pet",
      securityAnswerHash: expect.stringMatching(/^\$argon2id\$/),
    });
  });

  test.each([
    ["Why?", "Rex", "Please select a security question.", "请选择密保问题。"],
    ["", "Rex", "Please select a security question.", "请选择密保问题。"],
    ["?".repeat(257), "Rex", "Please select a security question.", "请选择密保问题。"],
    ...[" 　", "\u200b\u200d", "\uFE0F", "\u00ad\u2060\u202e\u2800"].map((answer) => [
      ENGLISH,
      answer,
      "Please enter the secret answer.",
      "请输入密保答案。",
    ]),
    ...["x", " Ｘ\u200b", "7", "—", "😀\uFE0F", "--"].map((answer) => [
      ENGLISH,
      answer,
      "The secret answer needs at least 2 characters.",
      "密保答案至少需要 2 个字符，一个汉字也可以。",
    ]),
    [
      ENGLISH,
      "R".repeat(257),
      "The secret answer is too long. Please enter a shorter one.",
      "密保答案太长，请缩短后重试。",
    ],
    [
      ENGLISH,
      "Rex \udc00",
      "The secret answer contains characters that cannot be read. Please type it again.",
      "密保答案中含有无法识别的字符，请重新输入。",
    ],
  ] as [string, string, string, string][])(
    "the question %j with %j is refused",
    async (question, answer, english, chinese) => {
      const { saveQuestion, user } = await memberOf();
      const field = english.includes("question") ? "security_problem" : "security_problem_value";
      expect(await saveQuestion(question, answer)).toEqual(refusalOf(field, english));
      expect(await saveQuestion(question, answer, zh)).toEqual(refusalOf(field, chinese));
      expect(await user()).toMatchObject({ security_problem: null });
    },
  );

  test.each(["Rex", " rex ", "ＲＥＸ", "REX"])(
    "the answer %j is the same answer, and lets no one in by itself",
    async (security_problem_value) => {
      const { call, token, saveQuestion, recover, logIn } = await memberOf();
      await saveQuestion();
      expect(await recover({ security_problem_value })).toEqual(success(null, CHANGED));
      expect(await call("/api/user/center", { token })).toEqual(refusal("Please log in first.", 4001));
      expect((await logIn(PASSWORD)).code).toBe(1);
      expect((await logIn(NEW)).code).toBe(200);
    },
  );

  test.each([
    [
      "Rue de l'Église",
      [
        "rue de l’église",
        "Rue de l‘Église",
        "RUE DE Lʼ\u00c9GLISE",
        "Rue de l′E\u0301glise",
        "Rue de l＇Église",
      ],
    ],
    ["O`Neill", ["O´Neill", "o'neill", "O’NEILL", "O＇Neill"]],
    [
      'The "Old" School',
      ["The “Old” School", "the „old“ school", "The «Old» School", "The ＂Old＂ School", "The ″Old″ School"],
    ],
    [
      "Saint-Denis",
      [
        "Saint‐Denis",
        "Saint‑Denis",
        "Saint–Denis",
        "Saint—Denis",
        "Saint−Denis",
        "Saint－Denis",
        "Saint﹣Denis",
        "Saint--Denis",
      ],
    ],
    ["New York", ["new  york", "New\u00a0York", "New　York", " New \u2009 York ", "New\tYork"]],
    [
      "Bucephalus",
      [
        "Buce\u00adphalus",
        "\u200bBucephalus\ufeff",
        "\u202aBucephalus\u202c",
        "Ｂｕｃｅｐｈａｌｕｓ",
        "Buce\u2060phalus",
      ],
    ],
    ["小明❤", ["小明\u2764\uFE0F", "小 明❤".replace(" ", "\u200d"), "小明❤\u180e"]],
    ["ラーメン", ["ﾗｰﾒﾝ"]],
    ["李", ["李\u200b", " 李　"]],
  ])("the answer %j is the same however keyboards write it", async (answer, others) => {
    const { saveQuestion, recover } = await memberOf();
    expect((await saveQuestion(ENGLISH, answer)).code).toBe(200);
    for (const security_problem_value of [answer, ...others]) {
      expect([security_problem_value, (await recover({ security_problem_value })).code]).toEqual([
        security_problem_value,
        200,
      ]);
    }
  });

  test.each([
    ["ラーメン", "ラ-メン"],
    ["New York", "NewYork"],
    ["Église", "Eglise"],
  ])("the answers %j and %j are two", async (answer, security_problem_value) => {
    const { saveQuestion, recover } = await memberOf();
    await saveQuestion(ENGLISH, answer);
    expect((await recover({ security_problem_value })).message).toBe(RECOVERY_FAILED);
  });

  test.each(["O’Brien", "New  York", "x", "Rex\u200b"])(
    "the answer %j that was hashed before such things were folded is still the answer",
    async (answer) => {
      const { saveQuestion, recover, name } = await memberOf();
      await saveQuestion();
      await store.db
        .update(accounts)
        .set({ securityAnswerHash: await hashPassword(folded(answer)) })
        .where(eq(accounts.name, name));
      expect((await recover({ security_problem_value: "Fido" })).message).toBe(RECOVERY_FAILED);
      expect(await recover({ security_problem_value: answer })).toEqual(success(null, CHANGED));
    },
  );

  test.each([
    ["ad\u200bmin", "The account name contains invisible characters. Please type it again."],
    ["\u0000", "The account name contains invisible characters. Please type it again."],
    ["", "Please enter your account name."],
    ["a".repeat(129), "The account name is too long. Please enter a shorter one."],
  ])(
    "recovering an account called %j is refused in words, and is no attempt",
    async (account_name, words) => {
      const { call, recover } = await memberOf({ recoveryFailuresPerDay: 1 });
      for (const real of ["null", "undefined"]) {
        await call("/api/register", { body: { account_name: real, password: PASSWORD } });
        for (let at = 0; at < 7; at += 1) {
          expect(await recover({ account_name })).toEqual(refusalOf("account_name", words));
        }
        expect((await recover({ account_name: real })).message).toBe(RECOVERY_FAILED);
      }
    },
  );

  test("whatever is amiss, the reply is the same and nothing changes", async () => {
    const set = await memberOf();
    await set.saveQuestion();
    const unset = await memberOf();
    const replies = [
      await set.recover({ security_problem_value: "Fido" }),
      await set.recover({ security_problem: "Who was your favourite teacher?" }),
      await set.recover({ security_problem: "Why?" }),
      await set.recover({ account_name: "nobody at all" }),
      await unset.recover(),
    ];
    for (const reply of replies) {
      expect(reply).toEqual(refusal(RECOVERY_FAILED));
    }
    expect(await set.recover({ security_problem_value: "Fido" }, { headers: zh })).toEqual(
      refusal("账号、密保问题或答案不正确，请检查后重试。"),
    );
    expect((await set.call("/api/user/center", { token: set.token })).code).toBe(200);
    expect((await set.logIn(PASSWORD)).code).toBe(200);
  });

  test("an error of the service does not count as an attempt", async () => {
    const { call, recover, saveQuestion, logIn, token } = await memberOf({
      recoveryFailuresPerDay: 1,
      loginFailuresPerMinute: 1,
    });
    await saveQuestion();
    const change = (before: string) =>
      call("/api/user/change_password", { body: changing(before, NEW), token });
    const hashed = vi.spyOn(crypto, "argon2").mockImplementation((_kind, _how, done) => {
      done(new Error("No memory is left."), Buffer.alloc(0));
    });
    for (const ask of [() => recover(), () => logIn(PASSWORD), () => change(PASSWORD)]) {
      for (let tries = 0; tries < 2; tries += 1) await expect(ask()).resolves.toMatchObject({ code: 1 });
    }
    hashed.mockRestore();
    expect((await logIn(PASSWORD)).code).toBe(200);
    expect((await change("not this one")).message).toBe(OLD_WRONG);
    expect(await recover()).toEqual(success(null, CHANGED));
  });

  test("whatever is amiss, as many hashes are computed: the time tells nothing", async () => {
    const set = await memberOf();
    await set.saveQuestion();
    const unset = await memberOf();
    const hashed = vi.spyOn(crypto, "argon2");
    for (const ask of [
      () => set.recover({ security_problem_value: "Fido" }),
      () => set.recover({ security_problem: "Why?" }),
      () => set.recover({ account_name: "nobody at all" }),
      () => unset.recover(),
    ]) {
      hashed.mockClear();
      await ask();
      expect(hashed).toHaveBeenCalledTimes(1);
    }
    // One more for the folding of before, where it differs.
    const security_problem_value = "Fi’do";
    for (const ask of [
      () => set.recover({ security_problem_value }),
      () => set.recover({ security_problem_value, security_problem: "Why?" }),
      () => set.recover({ security_problem_value, account_name: "no such account" }),
      () => unset.recover({ security_problem_value }),
    ]) {
      hashed.mockClear();
      await ask();
      expect(hashed).toHaveBeenCalledTimes(2);
    }
    hashed.mockRestore();
  });

  test.each([
    [
      { new_password_confirmation: "something else" },
      "The passwords entered twice do not match. Please re-enter them.",
      "new_password_confirmation",
    ],
    [
      { new_password: "1234567", new_password_confirmation: "1234567" },
      "The password needs at least 8 characters.",
      "new_password",
    ],
    [
      { new_password: "password1", new_password_confirmation: "password1" },
      "This password is too easy to guess. Please choose another.",
      "new_password",
    ],
    [{ security_problem: "" }, "Please select a security question.", "security_problem"],
    [{ security_problem_value: " " }, "Please enter the secret answer.", "security_problem_value"],
    [{ security_problem_value: "\u200b" }, "Please enter the secret answer.", "security_problem_value"],
    [
      { security_problem_value: "R".repeat(257) },
      "The secret answer is too long. Please enter a shorter one.",
      "security_problem_value",
    ],
    [
      { new_password: "a".repeat(1025) },
      "The password is too long. Please enter a shorter one.",
      "new_password",
    ],
  ])("a recovery with %j is told what is missing, and is no attempt", async (wrong, words, field) => {
    const { recover, saveQuestion } = await memberOf({ recoveryFailuresPerDay: 1 });
    await saveQuestion();
    expect(await recover(wrong)).toEqual(refusalOf(field, words));
    expect(await recover(wrong)).toEqual(refusalOf(field, words));
    expect((await recover()).code).toBe(200);
  });

  test("an account is tried so often a day, from wherever, whether there is one or not", async () => {
    const { recover, saveQuestion, clock, name } = await memberOf({ recoveryFailuresPerDay: 2 });
    await saveQuestion();
    const limited = refusal("Too many attempts today. Please try again tomorrow, or ask customer support.");
    for (const account_name of [name, "nobody at all"]) {
      const wrong = { account_name, security_problem_value: "Fido" };
      await Promise.all([
        recover(wrong, { from: "192.0.2.7" }),
        recover({ ...wrong, account_name: account_name.toUpperCase() }, { from: "192.0.2.8" }),
      ]);
      expect(await recover({ account_name }, { from: "192.0.2.9" })).toEqual(limited);
    }
    expect(await recover({}, { headers: zh })).toEqual(refusal("今天尝试次数过多，请明天再试，或联系客服。"));
    clock.now = START + DAY;
    expect((await recover()).code).toBe(200);
    // A success is no failure: it takes nothing from the day.
    for (let at = 0; at < 3; at += 1) expect((await recover()).code).toBe(200);
  });

  test("attempts at a locked account do not use up those of other users at the address", async () => {
    const { recover, saveQuestion, name } = await memberOf({ recoveryFailuresPerDay: 1 });
    await saveQuestion();
    for (let at = 0; at < 30; at += 1) await recover({ account_name: "nobody at all" });
    expect((await recover({ account_name: name })).code).toBe(200);
  });

  test("one address tries only so many accounts a day", async () => {
    const { recover } = await memberOf({ recoveryFailuresPerDay: 1 });
    const codes: string[] = [];
    for (let at = 0; at < 7; at += 1) codes.push((await recover({ account_name: `nobody ${at}` })).message);
    expect(codes).toEqual([
      ...Array<string>(6).fill(RECOVERY_FAILED),
      "Too many attempts have come from your network today, perhaps from others who share it. Your account is fine: please switch to another network, such as mobile data, or try again tomorrow.",
    ]);
    expect((await recover({}, { headers: zh })).message).toBe(
      "你所在的网络今天尝试次数过多，可能是共用这个网络的其他人造成的，你的账号没有问题。请换一个网络（例如移动数据），或明天再试。",
    );
  });

  test("neither an answer nor a new password is stored or logged as it was typed", async () => {
    const { call, token, saveQuestion, recover, lines } = await memberOf();
    await saveQuestion(ENGLISH, "Bucephalus");
    await call("/api/user/change_password", { body: changing(PASSWORD, NEW), token });
    await recover({ security_problem_value: "bucephalus" });
    const everything = lines.join("\n") + JSON.stringify(await store.db.select().from(accounts));
    for (const secret of [/bucephalus/i, NEW, PASSWORD]) expect(everything).not.toMatch(secret);
  });
});
