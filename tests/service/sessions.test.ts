/** Where an account is logged in: its sessions in a list, and the end of one or of all others, with the password. */
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sessionList } from "../../src/contract/calls.ts";
import { deviceOf } from "../../src/service/platform/devices.ts";
import type { Store } from "../../src/service/store/database.ts";
import { accounts, securityEvents, sessions } from "../../src/service/store/schema.ts";
import {
  everyDatabase,
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

const HOUR = 3_600_000;
const AGENT =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";
const ENDED = success(null, "Log-out complete.");
const at = (ms: number) => new Date(ms).toISOString();

describe.each(everyDatabase)("on the %s database", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());

  /** An account with as many sessions, the first of them an hour before the next. */
  async function accountWith(count: number, changes: Parameters<typeof serve>[1] = {}) {
    const fixture = await serve(store, changes);
    const { call, clock } = fixture;
    const name = freshName();
    const credentials = { account_name: name, password: PASSWORD };
    await call("/api/register", { body: credentials });
    const tokens: string[] = [];
    for (let each = 0; each < count; each += 1) {
      clock.now = START + each * HOUR;
      const headers = { "User-Agent": AGENT };
      const { data } = await call("/api/login", { body: credentials, headers, from: `192.0.2.${each + 1}` });
      tokens.push((data as { token: string }).token);
    }
    const list = async (token = tokens[0]) =>
      v.parse(sessionList, (await call("/api/user/session_list", { token: token ?? "" })).data);
    const codes = async () =>
      Promise.all(tokens.map(async (token) => (await call("/api/user/center", { token })).code));
    const end = (body: object, token = tokens[0], headers = {}) =>
      call(`/api/user/${"session_id" in body ? "end_session" : "end_other_sessions"}`, {
        body,
        token: token ?? "",
        headers,
      });
    return { ...fixture, name, tokens, list, codes, end };
  }

  test("the list has every session that goes on, this one first, without token or hash", async () => {
    const { call, list, tokens, member } = await accountWith(3);
    await member();
    const seen = await list(tokens[1]);
    const of = (network: string, hours: number, current: boolean) => ({
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      created_at: at(START + hours * HOUR),
      used_at: at(START + hours * HOUR),
      network,
      browser: "Safari",
      device: "iPhone",
      current,
    });
    // Asking for the list is a use as well, but it is less than an hour since the last one.
    expect(seen.map(({ current, network }) => [network, current])).toEqual([
      ["192.0.2.2", true],
      ["192.0.2.3", false],
      ["192.0.2.1", false],
    ]);
    expect(seen[1]).toEqual(of("192.0.2.3", 2, false));
    const answer = JSON.stringify(await call("/api/user/session_list", { token: tokens[1] ?? "" }));
    const rows = await store.db.select({ hash: sessions.tokenHash }).from(sessions);
    for (const secret of [...tokens, ...rows.map(({ hash }) => hash)]) expect(answer).not.toContain(secret);
  });

  test("when a session was last used is known to the hour, and a session that has ended is not listed", async () => {
    const { list, clock, call, tokens } = await accountWith(2);
    const usedAt = async () => (await list(tokens[0])).find(({ current }) => !current)?.used_at;
    clock.now = START + HOUR + HOUR - 1;
    await call("/api/user/center", { token: tokens[1] ?? "" });
    expect(await usedAt()).toBe(at(START + HOUR));
    clock.now += 1;
    await call("/api/user/center", { token: tokens[1] ?? "" });
    expect(await usedAt()).toBe(at(START + 2 * HOUR));
    for (const days of [60, 120]) {
      clock.now = START + days * 24 * HOUR;
      await list();
    }
    expect(await list()).toHaveLength(1);
  });

  test("one session is ended and the others go on; ending it again changes nothing", async () => {
    const { list, end, codes, tokens } = await accountWith(3);
    const other = (await list()).find(({ network }) => network === "192.0.2.2");
    const body = { session_id: other?.session_id ?? "", password: PASSWORD };
    expect(await end(body)).toMatchObject({ code: 200, message: ENDED.message, data: null });
    expect(await codes()).toEqual([200, 4001, 200]);
    expect(await end(body, tokens[0], zh)).toMatchObject({ code: 200, message: "退出登录已完成。" });
    expect(await list()).toHaveLength(2);
  });

  test("all other sessions are ended at once, this one and other accounts' go on, and it is written down", async () => {
    const { end, codes, tokens, name, call, member } = await accountWith(3);
    const stranger = await member();
    expect((await end({ password: PASSWORD }, tokens[1])).code).toBe(200);
    expect(await codes()).toEqual([4001, 200, 4001]);
    expect((await call("/api/user/center", { token: stranger })).code).toBe(200);
    // Nothing is left to end.
    expect((await end({ password: PASSWORD }, tokens[1])).code).toBe(200);
    const [account] = await store.db.select().from(accounts).where(eq(accounts.name, name));
    const events = await store.db
      .select({ event: securityEvents.event })
      .from(securityEvents)
      .where(eq(securityEvents.accountId, account?.id ?? 0));
    expect(events.filter(({ event }) => event === "sessions ended")).toHaveLength(1);
  });

  test("another account's session cannot be ended, nor can it be told that there is one", async () => {
    const mine = await accountWith(1);
    const theirs = await accountWith(1);
    const [{ session_id } = { session_id: "" }] = await theirs.list();
    expect((await mine.end({ session_id, password: PASSWORD })).code).toBe(200);
    expect(await theirs.codes()).toEqual([200]);
    const unknown = "00000000-0000-4000-8000-000000000000";
    expect(await mine.end({ session_id: unknown, password: PASSWORD })).toEqual(
      await mine.end({ session_id, password: PASSWORD }),
    );
  });

  test("a session alone ends no other: the password is asked for, so often a minute", async () => {
    const { end, codes, clock, list } = await accountWith(2, { loginFailuresPerMinute: 2 });
    const [, other] = await list();
    const bodies = [{}, { session_id: other?.session_id }];
    for (const body of bodies) {
      expect(await end({ ...body, password: "" })).toEqual({
        ...refusalOf("password", "Please enter your password."),
        server_time: clock.now,
      });
      expect(await end({ ...body, password: "not the password" })).toEqual({
        ...refusalOf("password", "The password is incorrect. Please check it and try again."),
        server_time: clock.now,
      });
    }
    expect(await end({ password: PASSWORD })).toEqual(
      refusal("Too many attempts. Please wait a minute and try again.", 1, clock.now),
    );
    expect(await codes()).toEqual([200, 200]);
    clock.now += 60_000;
    expect((await end({ password: PASSWORD })).code).toBe(200);
    expect(await codes()).toEqual([200, 4001]);
  });

  test("who guesses in one session does not keep the holder from ending it by another", async () => {
    const { end, codes, tokens } = await accountWith(2, { loginFailuresPerMinute: 2 });
    const [mine, found] = tokens;
    for (const guess of ["one guess", "another", PASSWORD]) await end({ password: guess }, found);
    expect(await codes()).toEqual([200, 200]);
    expect((await end({ password: PASSWORD }, mine)).code).toBe(200);
    expect(await codes()).toEqual([200, 4001]);
  });

  test("a visitor sees and ends nothing", async () => {
    const { call } = await serve(store);
    const signedOut = refusal("Please log in first.", 4001);
    expect(await call("/api/user/session_list")).toEqual(signedOut);
    for (const path of ["end_session", "end_other_sessions"]) {
      expect(await call(`/api/user/${path}`, { body: { password: PASSWORD } })).toEqual(signedOut);
    }
  });

  test("nothing of what a browser says of itself is kept but its known names", async () => {
    const { call, list, tokens, name } = await accountWith(1);
    const agent = "Secret/1 (X-Device Serial-XYZ) Safari/1";
    const body = { account_name: name, password: PASSWORD };
    await call("/api/login", { body, headers: { "User-Agent": agent } });
    await call("/api/login", { body });
    const seen = (await list(tokens[0])).map(({ browser, device }) => `${browser} on ${device}`);
    expect(new Set(seen)).toEqual(new Set(["Safari on iPhone", "Safari on null", "null on null"]));
    const kept = JSON.stringify(await store.db.select().from(sessions));
    for (const part of ["Secret", "XYZ", "Mozilla", "18_6"]) expect(kept).not.toContain(part);
  });
});

const mobile = "AppleWebKit/537.36 (KHTML, like Gecko)";
test.each([
  [AGENT, "Safari", "iPhone"],
  [AGENT.replace("Version/18.6", "CriOS/143.0.0.0"), "Chrome", "iPhone"],
  [`${AGENT} MicroMessenger/8.0.60`, "WeChat", "iPhone"],
  ["Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) Version/12 Safari/604.1", "Safari", "iPad"],
  [`Mozilla/5.0 (Linux; Android 10; K) ${mobile} Chrome/143.0.0.0 Mobile Safari/537.36`, "Chrome", "Android"],
  [
    `Mozilla/5.0 (Linux; Android 14) ${mobile} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet",
    "Android",
  ],
  [
    `Mozilla/5.0 (Linux; U; Android 12) ${mobile} Version/4.0 Chrome/100.0 UCBrowser/16.0 Mobile Safari/537.36`,
    "UC Browser",
    "Android",
  ],
  [
    `Mozilla/5.0 (Linux; U; Android 13) ${mobile} Chrome/109.0 MQQBrowser/15.0 Mobile Safari/537.36`,
    "QQ Browser",
    "Android",
  ],
  [
    `Mozilla/5.0 (Linux; U; Android 13) ${mobile} Chrome/112.0 Mobile Safari/537.36 XiaoMi/MiuiBrowser/18.0`,
    "Mi Browser",
    "Android",
  ],
  [
    `Mozilla/5.0 (Phone; OpenHarmony 5.0) ${mobile} Chrome/114.0 Safari/537.36 ArkWeb/4.1 Mobile HuaweiBrowser/5.1`,
    "Huawei Browser",
    "HarmonyOS",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0",
    "Edge",
    "Windows",
  ],
  ["Mozilla/5.0 (Windows NT 10.0) Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0", "Opera", "Windows"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.6 Safari/605.1.15", "Safari", "Mac"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox", "Linux"],
  ["Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/143.0.0.0 Safari/537.36", "Chrome", "ChromeOS"],
  ["curl/8.14.1", null, null],
  ["", null, null],
])("%s is a browser and a device that are known, or none", (agent, browser, device) => {
  expect(deviceOf(agent)).toEqual({ browser, device });
});
