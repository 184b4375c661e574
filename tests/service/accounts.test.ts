/** Accounts and sessions: registering, logging in and out, names that are the same, secrets at rest, limits. */
import crypto from "node:crypto";
import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { run } from "../../src/service/operations/admin/commands.ts";
import { deleteExpired } from "../../src/service/operations/retention.ts";
import { accounts, attempts, securityEvents, sessions } from "../../src/service/store/schema.ts";
import { networkOf } from "../../src/service/limits/network.ts";
import { hashPassword, verifyPassword } from "../../src/service/accounts/passwords.ts";
import { openSession } from "../../src/service/accounts/sessions.ts";
import type { Store } from "../../src/service/store/database.ts";
import {
  databases,
  emptyStore,
  en,
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

const opener = { network: "192.0.2.1", browser: null, device: null };

const register = (name: string, password = PASSWORD) => ({ body: { account_name: name, password } });

const forwarded = (hops: string) => ({ ...register(freshName()), headers: { "X-Forwarded-For": hops } });

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());

  test("an account is registered, then logs in and sees itself", async () => {
    const { call } = await serve(store);
    const name = freshName();
    expect(await call("/api/register", register(`  ${name} `))).toEqual(
      success({ user: { account_name: name } }, "Your account is ready."),
    );
    const login = await call("/api/login", { ...register(name), headers: zh });
    const { token } = login.data as { token: string };
    expect(login).toEqual(success({ token, user: { account_name: name } }, "登录成功"));
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await call("/api/user/center", { token })).toEqual(
      success({
        user: {
          account_name: name,
          name: null,
          sex: null,
          birth_date: null,
          pack_name: null,
          pack_exp_date: null,
          security_problem: null,
          membership_ended_at: null,
        },
      }),
    );
  });

  test.each([
    [
      "abc",
      PASSWORD,
      "The account name needs at least 4 characters.",
      "账号至少需要 4 个字符。",
      "account_name",
    ],
    [
      "\uFE0F".repeat(4),
      PASSWORD,
      "The account name needs at least 4 characters.",
      "账号至少需要 4 个字符。",
      "account_name",
    ],
    [
      "  abc  ",
      PASSWORD,
      "The account name needs at least 4 characters.",
      "账号至少需要 4 个字符。",
      "account_name",
    ],
    [
      "𠮷𠮷𠮷",
      PASSWORD,
      "The account name needs at least 4 characters.",
      "账号至少需要 4 个字符。",
      "account_name",
    ],
    [
      "abcd\u200b",
      PASSWORD,
      "The account name contains invisible characters. Please type it again.",
      "账号中含有不可见的字符，请重新输入。",
      "account_name",
    ],
    [
      "half of \ud83d",
      PASSWORD,
      "The account name contains invisible characters. Please type it again.",
      "账号中含有不可见的字符，请重新输入。",
      "account_name",
    ],
    ...["abcd\u0000", "admin\u3164", "ad\u034Fmin", "admin\u2800", "\u115F".repeat(4)].map((name) => [
      name,
      PASSWORD,
      "The account name contains invisible characters. Please type it again.",
      "账号中含有不可见的字符，请重新输入。",
      "account_name",
    ]),
    [
      "somebody",
      "1234567",
      "The password needs at least 8 characters.",
      "密码至少需要 8 个字符。",
      "password",
    ],
    [
      "somebody",
      "Password1",
      "This password is too easy to guess. Please choose another.",
      "这个密码太容易被猜到，请换一个。",
      "password",
    ],
    [
      "somebody",
      "zzzzzzzzzz",
      "This password is too easy to guess. Please choose another.",
      "这个密码太容易被猜到，请换一个。",
      "password",
    ],
    [
      "somebody",
      "SomeBody",
      "This password is too easy to guess. Please choose another.",
      "这个密码太容易被猜到，请换一个。",
      "password",
    ],
    [
      "somebody",
      "a".repeat(1025),
      "The password is too long. Please enter a shorter one.",
      "密码太长，请缩短后重试。",
      "password",
    ],
    [
      "a member",
      `half of \ud83d and more`,
      "The password contains characters that cannot be read. Please type it again.",
      "密码中含有无法识别的字符，请重新输入。",
      "password",
    ],
    // The second becomes longer when it is compared.
    ...["a".repeat(129), "\uFDFA".repeat(60)].map((name) => [
      name,
      PASSWORD,
      "The account name is too long. Please enter a shorter one.",
      "账号太长，请缩短后重试。",
      "account_name",
    ]),
    ...["  monkey  ", " Password1　", "ｐａｓｓｗｏｒｄ１", "Everlit2026", "长明 加速器 888"].map(
      (password) => [
        "a member",
        password,
        "This password is too easy to guess. Please choose another.",
        "这个密码太容易被猜到，请换一个。",
        "password",
      ],
    ),
  ])("registering %j with %j is refused", async (name, password, english, chinese, field) => {
    const { call } = await serve(store);
    expect(await call("/api/register", { ...register(name, password), headers: en })).toEqual(
      refusalOf(field, english),
    );
    expect(await call("/api/register", { ...register(name, password), headers: zh })).toEqual(
      refusalOf(field, chinese),
    );
  });

  test("four characters, an emoji and a rare letter among them, and a long passphrase will do", async () => {
    const { call } = await serve(store);
    const answer = await call("/api/register", register("张三𠮷😀", "我 的 密 码 很 长".repeat(20)));
    expect(answer).toEqual(success({ user: { account_name: "张三𠮷😀" } }, "Your account is ready."));
  });

  test.each([
    ["Straße", "STRASSE"],
    ["Alice", "aLICE"],
    ["Ｗｉｄｅ", "wide"],
    ["ΟΔΟΣΣ", "οδοσς"],
    ["Café", "CAFE\u0301"],
    // As an iPhone writes it, and as others do.
    ["Anna\u2764\uFE0F", "anna\u2764"],
  ])("%s and %s are one name, shown as it was first typed", async (first, second) => {
    const { call } = await serve(store);
    await call("/api/register", register(first));
    expect(await call("/api/register", { ...register(second), headers: en })).toEqual(
      refusalOf("account_name", "This account name is already taken. Please choose another, or log in."),
    );
    expect(await call("/api/register", { ...register(second), headers: zh })).toEqual(
      refusalOf("account_name", "这个账号已被注册，请换一个，或直接登录。"),
    );
    const login = await call("/api/login", register(second));
    expect(login.data).toEqual({ token: expect.any(String), user: { account_name: first } });
  });

  test.each(["Account 7", "account  12", "Deleted account 17", "ＤＥＬＥＴＥＤ ACCOUNT 17"])(
    "no one registers %j, by which operators know another account",
    async (name) => {
      const { call } = await serve(store);
      expect(await call("/api/register", { ...register(name), headers: en })).toEqual(
        refusalOf("account_name", "This account name is already taken. Please choose another, or log in."),
      );
      expect((await call("/api/register", register(`${name} ${freshName()}`))).code).toBe(200);
    },
  );

  test("of many registering one name at once, one gets it", async () => {
    const { call } = await serve(store);
    const name = freshName();
    const answers = await Promise.all(Array.from({ length: 8 }, () => call("/api/register", register(name))));
    expect(answers.map(({ code }) => code).toSorted((one, other) => one - other)).toEqual([
      1, 1, 1, 1, 1, 1, 1, 200,
    ]);
  });

  test("a wrong password and an unknown account get the same words", async () => {
    const { call, member } = await serve(store);
    const name = freshName();
    await member(name);
    const wrong = await call("/api/login", register(name, "not the password"));
    expect(wrong).toEqual(
      refusal("The account name or the password is incorrect. Please check both and try again."),
    );
    expect(await call("/api/login", register(freshName()))).toEqual(wrong);
    expect(await call("/api/login", { ...register(name, ""), headers: zh })).toEqual(
      refusal("账号或密码不正确，请检查后重试。"),
    );
  });

  test("an unknown account costs as many hashes as a wrong password", async () => {
    const { call, member } = await serve(store);
    const name = freshName();
    await member(name);
    const hashed = vi.spyOn(crypto, "argon2");
    onTestFinished(() => hashed.mockRestore());
    for (const asked of [name, freshName()]) {
      hashed.mockClear();
      await call("/api/login", register(asked, "not the password"));
      expect(hashed).toHaveBeenCalledTimes(1);
      expect(hashed.mock.lastCall?.[1]).toMatchObject({ memory: 19_456, passes: 2, parallelism: 1 });
    }
  });

  test("an account that is locked while its password is checked gets no session, and the try is written down", async () => {
    const { service, member, call } = await serve(store);
    const name = freshName();
    await member(name);
    const [account] = await service.db.select().from(accounts).where(eq(accounts.name, name));
    if (!account) throw new Error("The account was just made.");
    await service.db
      .update(accounts)
      .set({ lockedAt: new Date(START) })
      .where(eq(accounts.id, account.id));
    const opened = { accountId: account.id, passwordHash: account.passwordHash, ...opener };
    expect(await openSession(service.db, opened, START)).toBeNull();
    await call("/api/login", register(name));
    const [latest] = await service.db.select().from(securityEvents).orderBy(desc(securityEvents.id)).limit(1);
    expect(latest).toMatchObject({ event: "log-in refused", accountId: account.id });
  });

  test.each([
    ["ad\u200bmin", "The account name contains invisible characters. Please type it again."],
    ["\u0000\u0000\u0000\u0000", "The account name contains invisible characters. Please type it again."],
    ["half of \ud83d", "The account name contains invisible characters. Please type it again."],
    ["\uFE0F\uFE0F", "The account name contains invisible characters. Please type it again."],
    ["", "Please enter your account name."],
    [" 　", "Please enter your account name."],
    ["a".repeat(129), "The account name is too long. Please enter a shorter one."],
  ])("logging in as %j is refused in words, and is no try", async (name, words) => {
    const { call, member } = await serve(store, { loginFailuresPerMinute: 1 });
    // What a name without a key would be, as text.
    for (const real of ["null", "undefined"]) {
      await call("/api/register", register(real));
      for (let at = 0; at < 7; at += 1) {
        expect(await call("/api/login", register(name))).toEqual(refusalOf("account_name", words));
      }
      expect((await call("/api/login", register(real))).code).toBe(200);
    }
    expect(await member()).toBeTruthy();
  });

  test.each([
    ["a".repeat(1025), "The password is too long. Please enter a shorter one."],
    ["half \udc00", "The password contains characters that cannot be read. Please type it again."],
  ])("a password that no account can have is no try at one", async (password, words) => {
    const { call } = await serve(store, { loginFailuresPerMinute: 1 });
    for (let at = 0; at < 7; at += 1) {
      expect(await call("/api/login", register("stranger", password))).toEqual(refusalOf("password", words));
    }
  });

  test("forty people with right passwords at one address all get in at once", async () => {
    const { call, member } = await serve(store, { loginFailuresPerMinute: 5 });
    const names = Array.from({ length: 40 }, freshName);
    await Promise.all(names.map((name, at) => member(name).then(() => at)));
    const answers = await Promise.all(names.map((name) => call("/api/login", register(name))));
    expect(answers.map(({ code }) => code)).toEqual(Array(40).fill(200));
    // One of them, in many tabs.
    const tabs = await Promise.all(names.map(() => call("/api/login", register(names[0] ?? ""))));
    expect(tabs.filter(({ code }) => code !== 200)).toEqual([]);
  }, 60_000);

  test("of many wrong passwords at once, no more are tried than one after the other", async () => {
    const { call, member } = await serve(store, { loginFailuresPerMinute: 3 });
    const name = freshName();
    await member(name);
    const hashed = vi.spyOn(crypto, "argon2");
    onTestFinished(() => hashed.mockRestore());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => call("/api/login", register(name, `wrong guess ${at}`))),
    );
    expect(hashed).toHaveBeenCalledTimes(3);
    const words = answers.map(({ message }) => message);
    expect(words.filter((each) => each.startsWith("The account name or the password"))).toHaveLength(3);
    expect(words.filter((each) => each.startsWith("Too many attempts. Please wait"))).toHaveLength(17);
  });

  test("tries from everywhere stop at an account, but not where its member has been", async () => {
    const { call, clock, member } = await serve(store, { loginFailuresPerHour: 3 });
    const name = freshName();
    await member(name);
    const words: string[] = [];
    for (const part of [1, 2, 3, 4]) {
      const from = `198.51.100.${part}`;
      words.push((await call("/api/login", { ...register(name, "wrong guess"), from })).message);
    }
    const wrong = "The account name or the password is incorrect. Please check both and try again.";
    expect(words.slice(0, 3)).toEqual(Array(3).fill(wrong));
    expect(words[3]).toMatch(/^There have been many failed log-ins to this account\./);
    // The right one as well, or the limit would tell which it is.
    const elsewhere = { ...register(name), from: "198.51.100.9" };
    expect((await call("/api/login", elsewhere)).message).toBe(words[3]);
    expect((await call("/api/login", register(name))).code).toBe(200);
    clock.now += 3_600_000;
    expect((await call("/api/login", elsewhere)).code).toBe(200);
  });

  test("tries from everywhere do not keep a member out at home whose password was just changed", async () => {
    const { call, member } = await serve(store, { loginFailuresPerHour: 3 });
    const name = freshName();
    const token = await member(name);
    for (const part of [1, 2, 3, 4])
      await call("/api/login", { ...register(name, "wrong guess"), from: `198.51.100.${part}` });
    const fresh = "another horse battery";
    const body = { old_password: PASSWORD, new_password: fresh, new_password_confirmation: fresh };
    // It ends every session.
    expect((await call("/api/user/change_password", { body, token })).code).toBe(200);
    const elsewhere = { ...register(name, fresh), from: "198.51.100.9" };
    expect((await call("/api/login", elsewhere)).message).toMatch(/^There have been many failed log-ins/);
    expect((await call("/api/login", register(name, fresh))).code).toBe(200);
  });

  test("a restart, and another process, know of earlier tries", async () => {
    const limits = { loginFailuresPerMinute: 1 };
    const { call, member } = await serve(store, limits);
    const name = freshName();
    await member(name);
    expect((await call("/api/login", register(name, "wrong guess"))).code).toBe(1);
    const other = await serve(store, { ...limits, goesOn: true });
    expect((await other.call("/api/login", register(name))).message).toMatch(/^Too many attempts/);
  });

  test("a password that was hashed by other parameters is hashed anew when it is typed", async () => {
    const { call, member, service } = await serve(store);
    const name = freshName();
    await member(name);
    const salt = crypto.randomBytes(16);
    const cost = { memory: 1_024, passes: 1, parallelism: 1 };
    const tag = crypto.argon2Sync("argon2id", { message: PASSWORD, nonce: salt, ...cost, tagLength: 32 });
    const plain = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
    const weak = `$argon2id$v=19$m=1024,t=1,p=1$${plain(salt)}$${plain(tag)}`;
    const of = eq(accounts.name, name);
    await service.db.update(accounts).set({ passwordHash: weak }).where(of);
    expect((await call("/api/login", register(name, "wrong guess"))).code).toBe(1);
    const hash = async () => (await service.db.select().from(accounts).where(of))[0]?.passwordHash;
    expect(await hash()).toBe(weak);
    expect((await call("/api/login", register(name))).code).toBe(200);
    expect(await hash()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await call("/api/login", register(name))).code).toBe(200);
  });

  test("what happens to an account is written down, by request and network, without secrets", async () => {
    const { call, member, service, ledger } = await serve(store);
    const name = freshName();
    const token = await member(name);
    await call("/api/login", { ...register(name, "wrong guess"), from: "198.51.100.1" });
    await call("/api/logout", { body: {}, token });
    const shown = await run("security", { ledger, args: [name], options: {}, actor: "op" });
    if (!Array.isArray(shown)) throw new Error("Rows are shown.");
    expect(shown.map(({ event, network }) => [event, network])).toEqual([
      ["logged out", "192.0.2.1"],
      ["log-in refused", "198.51.100.1"],
      ["logged in", "192.0.2.1"],
      ["registered", "192.0.2.1"],
    ]);
    const kept = JSON.stringify(await service.db.select().from(securityEvents));
    for (const secret of [token, PASSWORD, "wrong guess"]) expect(kept).not.toContain(secret);
    await call("/api/login", register(`${name}-unknown`));
    const [latest] = await service.db.select().from(securityEvents).orderBy(desc(securityEvents.id)).limit(1);
    expect(latest).toMatchObject({ event: "log-in refused", accountId: null });
    await deleteExpired(service.db, START + 91 * DAY);
    expect(await service.db.$count(securityEvents)).toBe(0);
  });

  test("neither password nor token can be read from the database", async () => {
    const { member } = await serve(store);
    const token = await member();
    const everything = JSON.stringify([
      await store.db.select().from(accounts),
      await store.db.select().from(sessions),
    ]);
    expect(everything).not.toContain(token);
    expect(everything).not.toContain(PASSWORD);
    const [account] = await store.db.select().from(accounts);
    expect(account?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });

  test("logging out ends this session and no other; doing it again changes nothing", async () => {
    const { call, member } = await serve(store);
    const name = freshName();
    const one = await member(name);
    const login = await call("/api/login", register(name));
    const { token: other } = login.data as { token: string };
    expect(await call("/api/logout", { form: "", token: one })).toEqual(success(null));
    expect(await call("/api/logout", { form: "", token: one, headers: zh })).toEqual(
      success(null, "操作成功。"),
    );
    expect(await call("/api/user/center", { token: one })).toEqual(refusal("Please log in first.", 4001));
    expect((await call("/api/user/center", { token: other })).code).toBe(200);
  });

  test("a session ends a year after the log-in, however often it is used", async () => {
    const { call, clock, member } = await serve(store);
    const token = await member();
    const code = async () => (await call("/api/user/center", { token })).code;
    for (let day = 60; day < 365; day += 60) {
      clock.now = START + day * DAY;
      expect(await code()).toBe(200);
    }
    clock.now = START + 365 * DAY - 1;
    expect(await code()).toBe(200);
    clock.now += 1;
    expect(await code()).toBe(4001);
  });

  test("a session ends ninety days after its last use", async () => {
    const { call, clock, member } = await serve(store);
    const token = await member();
    clock.now = START + 89 * DAY;
    expect((await call("/api/user/center", { token })).code).toBe(200);
    clock.now = START + 178 * DAY;
    expect((await call("/api/user/center", { token })).code).toBe(200);
    clock.now = START + 268 * DAY;
    expect(await call("/api/user/center", { token, headers: zh })).toEqual(
      refusal("请先登录。", 4001, clock.now),
    );
  });

  test.each(["", "Bearer", "Bearer  ", "Basic abc", "Bearer '; drop table sessions; --"])(
    "Authorization %j opens nothing",
    async (Authorization) => {
      const { call } = await serve(store);
      expect(await call("/api/user/center", { headers: { Authorization } })).toEqual(
        refusal("Please log in first.", 4001),
      );
    },
  );

  test("after five failures in a minute an account must wait, at that address; success does not count", async () => {
    const { call, clock, member } = await serve(store, { loginFailuresPerMinute: 5 });
    const name = freshName();
    await member(name);
    for (let at = 0; at < 10; at += 1) expect((await call("/api/login", register(name))).code).toBe(200);
    // Letter case does not make it another account.
    const guesses = ["a", "b", "c", "d", "e"].map((guess) =>
      call("/api/login", register(name.toUpperCase(), guess.repeat(9))),
    );
    for (const answer of await Promise.all(guesses)) {
      expect(answer).toEqual(
        refusal("The account name or the password is incorrect. Please check both and try again."),
      );
    }
    expect(await call("/api/login", register(name))).toEqual(
      refusal("Too many attempts. Please wait a minute and try again."),
    );
    expect(await call("/api/login", { ...register(name), headers: zh })).toEqual(
      refusal("尝试次数过多，请一分钟后再试。"),
    );
    expect((await call("/api/login", { ...register(name), from: "192.0.2.2" })).code).toBe(200);
    clock.now += 60_000;
    expect((await call("/api/login", register(name))).code).toBe(200);
  });

  test("attempts at a locked account do not use up those of other users at the address", async () => {
    const { call, member } = await serve(store, { loginFailuresPerMinute: 1 });
    const name = freshName();
    await member(name);
    for (let at = 0; at < 30; at += 1) await call("/api/login", register("stranger"));
    expect((await call("/api/login", register(name))).code).toBe(200);
  });

  test("one password tried on many accounts from one address is stopped", async () => {
    const { call } = await serve(store, { loginFailuresPerMinute: 1 });
    const codes: string[] = [];
    for (let at = 0; at < 7; at += 1)
      codes.push((await call("/api/login", register(`stranger${at}`))).message);
    expect(codes).toEqual([
      ...Array<string>(6).fill(
        "The account name or the password is incorrect. Please check both and try again.",
      ),
      "Too many failed log-ins have come from your network, perhaps from others who share it. Your account is fine: please wait a minute and try again, or switch to another network, such as mobile data.",
    ]);
    // Nothing is kept of the names that are tried then.
    const kept = await store.db.$count(attempts);
    expect(await call("/api/login", { ...register("stranger"), headers: zh })).toEqual(
      refusal(
        "你所在的网络登录失败次数过多，可能是共用这个网络的其他人造成的，你的账号没有问题。请一分钟后再试，或换一个网络（例如移动数据）。",
      ),
    );
    expect(await store.db.$count(attempts)).toBe(kept);
  });

  test("logging in with the right password is limited, too", async () => {
    const { call, member } = await serve(store, { loginFailuresPerMinute: 1 });
    const name = freshName();
    // The first of twelve.
    await member(name);
    const codes: number[] = [];
    for (let at = 0; at < 12; at += 1) codes.push((await call("/api/login", register(name))).code);
    expect(codes).toEqual([...Array<number>(11).fill(200), 1]);
    expect((await call("/api/login", { ...register(name), from: "192.0.2.2" })).code).toBe(200);
  });

  test("of an account's sessions the fifty go on that were used last", async () => {
    const { call, clock, member, service } = await serve(store);
    const name = freshName();
    const oldest = await member(name);
    const [account] = await service.db.select().from(accounts).where(eq(accounts.name, name));
    if (!account) throw new Error("The account was just made.");
    const open = async () => {
      clock.now += 1;
      const opened = { accountId: account.id, passwordHash: account.passwordHash, ...opener };
      return openSession(service.db, opened, clock.now);
    };
    const idle = (await open()) ?? "";
    for (let at = 0; at < 48; at += 1) await open();
    const others = await member();
    // A session that is used again later is not the one that is dropped.
    clock.now += 2 * DAY;
    const codes = async () => {
      const asked = [oldest, idle, others].map((token) => call("/api/user/center", { token }));
      return (await Promise.all(asked)).map(({ code }) => code);
    };
    expect((await call("/api/user/center", { token: oldest })).code).toBe(200);
    await open();
    expect(await codes()).toEqual([200, 4001, 200]);
  });

  test("an address registers only so many accounts a minute; mistakes do not count", async () => {
    const { call, clock } = await serve(store, { registrationsPerMinute: 2 });
    for (let at = 0; at < 5; at += 1) await call("/api/register", register("abc"));
    expect((await call("/api/register", register(freshName()))).code).toBe(200);
    expect((await call("/api/register", register(freshName()))).code).toBe(200);
    expect(await call("/api/register", register(freshName()))).toEqual(
      refusal(
        "Many accounts have just been created from your network, perhaps by others who share it. Please wait a minute and try again, or switch to another network, such as mobile data.",
      ),
    );
    expect(await call("/api/register", { ...register(freshName()), headers: zh })).toEqual(
      refusal(
        "你所在的网络刚刚注册了很多账号，可能是共用这个网络的其他人注册的。请一分钟后再试，或换一个网络（例如移动数据）。",
      ),
    );
    expect((await call("/api/register", { ...register(freshName()), from: "192.0.2.2" })).code).toBe(200);
    clock.now += 60_000;
    expect((await call("/api/register", register(freshName()))).code).toBe(200);
  });

  test("what the service cannot make at the moment is no registration", async () => {
    const { call } = await serve(store, { registrationsPerMinute: 1 });
    const hashed = vi.spyOn(crypto, "argon2").mockImplementation((_kind, _how, done) => {
      done(new Error("No memory is left."), Buffer.alloc(0));
    });
    for (let at = 0; at < 2; at += 1) {
      expect((await call("/api/register", register(freshName()))).message).toContain("on our side");
    }
    hashed.mockRestore();
    expect((await call("/api/register", register(freshName()))).code).toBe(200);
  });

  test("an address of IPv6 counts as the network that its owner has", async () => {
    const { call } = await serve(store, { registrationsPerMinute: 1 });
    const codeFrom = async (from: string) =>
      (await call("/api/register", { ...register(freshName()), from })).code;
    expect([
      await codeFrom("2001:db8:1:2::1"),
      await codeFrom("2001:db8:1:2:3:4:5:6"),
      await codeFrom("2001:db8:1:3::1"),
      await codeFrom("::ffff:192.0.2.7"),
      await codeFrom("192.0.2.7"),
      await codeFrom("::ffff:192.0.2.8"),
    ]).toEqual([200, 1, 200, 200, 1, 200]);
  });

  test("X-Forwarded-For counts only behind known proxies, and only what they added", async () => {
    const warnings = ({ lines }: { lines: string[] }) =>
      lines.filter((line) => line.includes("proxy not trusted")).length;
    const direct = await serve(store, { registrationsPerMinute: 1 });
    expect((await direct.call("/api/register", forwarded("198.51.100.1"))).code).toBe(200);
    expect((await direct.call("/api/register", forwarded("198.51.100.2"))).code).toBe(1);
    expect(warnings(direct)).toBe(1);
    const proxied = await serve(store, { registrationsPerMinute: 1, trustedProxies: 1 });
    expect((await proxied.call("/api/register", forwarded("198.51.100.1"))).code).toBe(200);
    expect((await proxied.call("/api/register", forwarded("198.51.100.2"))).code).toBe(200);
    expect((await proxied.call("/api/register", forwarded("made-up, 198.51.100.2"))).code).toBe(1);
    expect(warnings(proxied)).toBe(0);
  });

  test("a proxy may write ports and brackets, and what is no address is the proxy's own", async () => {
    const { call } = await serve(store, { registrationsPerMinute: 1, trustedProxies: 1 });
    const codes: number[] = [];
    for (const hop of [
      "198.51.100.1:4711",
      "198.51.100.1:4712",
      "198.51.100.1",
      "[2001:db8::1]:4711",
      "[2001:db8::2]",
      "2001:db8::3",
      "unknown",
      "_hidden",
      "198.51.100.7:x",
      "",
    ]) {
      codes.push((await call("/api/register", forwarded(hop))).code);
    }
    expect(codes).toEqual([200, 1, 1, 200, 1, 1, 200, 1, 1, 1]);
  });
});

test("a password typed with combining accents is the same password", async () => {
  const stored = await hashPassword("pa\u00dfw\u00f6rtliches");
  expect(await verifyPassword(stored, "pa\u00dfwo\u0308rtliches")).toBe(true);
  expect(await verifyPassword(stored, "PA\u00dfw\u00f6rtliches")).toBe(false);
  expect(await verifyPassword(null, "pa\u00dfw\u00f6rtliches")).toBe(false);
  await expect(verifyPassword("plain", "plain")).rejects.toThrow("cannot be read");
});

test("more hashes than anyone would wait for are refused, and computed again when there is room", async () => {
  const hashing: (() => void)[] = [];
  vi.spyOn(crypto, "argon2").mockImplementation((_kind, _how, done) => {
    hashing.push(() => done(null, Buffer.alloc(32)));
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const all = Promise.all(Array.from({ length: 202 }, () => hashPassword(PASSWORD)));
  await expect(hashPassword(PASSWORD)).rejects.toMatchObject({ word: "busy" });
  // Two at a time.
  expect(hashing).toHaveLength(2);
  while (hashing.length > 0) {
    hashing.splice(0).forEach((done) => done());
    await new Promise(setImmediate);
  }
  await all;
  const one = hashPassword(PASSWORD);
  await new Promise(setImmediate);
  hashing.forEach((done) => done());
  expect(await one).toMatch(/^\$argon2id/);
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:c000:0201", "192.0.2.1"],
  ["0:0:0:0:0:ffff:255.255.0.9", "255.255.0.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8::2:3:4:5", "2001:db8:0:0::/64"],
  ["2001:db8::1:2:3:4:5", "2001:db8:0:1::/64"],
  ["::1:2:3:4:5", "0:0:0:1::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["fe80::1:2%eth0", "fe80:0:0:0::/64"],
  ["::ffff:192.0.2.1%eth0", "192.0.2.1"],
  ["unknown", "unknown"],
  ["2001:db8:::1", "2001:db8:::1"],
])("%s counts as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
