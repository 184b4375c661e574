/** The operator's page: who is let in and who is not, what each right allows, and what its calls tell and do. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { rawAddress } from "../../src/contract/address.ts";
import {
  consoleCalls,
  holds,
  LINES,
  MADE,
  rights,
  type BackupStory,
  type Found,
  type Listed,
  type Making,
  type MemberStory,
  type OrderStory,
  type Right,
  type ShownChange,
  type Today,
  type Whoami,
} from "../../src/contract/console.ts";
import { buildConsole } from "../../src/service/console/app.ts";
import { commands, run } from "../../src/service/operations/admin/commands.ts";
import type { ConsoleSettings } from "../../src/service/settings.ts";
import type { Store } from "../../src/service/store/database.ts";
import {
  auditEntries,
  operatorChallenges,
  operatorLinks,
  operatorPasskeys,
  operatorSessions,
} from "../../src/service/store/schema.ts";
import { latestBackups } from "../../src/service/operations/backlog.ts";
import { deleteExpired } from "../../src/service/operations/retention.ts";
import { createAuthenticator } from "../support/authenticator.ts";
import { SimulatedChain } from "../support/simulated-chain.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { chainsOf, databases, emptyStore, freshName, monthly, serve, settings, textOf } from "./support.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FINAL = 20;
/** By a name: browsers know passkeys of no address. */
const ORIGIN = "http://localhost:3001";
/** Calls that let someone in, and what they answer to one who brings nothing. */
const ways = new Map<string, number>([
  [consoleCalls.enter, 400],
  [consoleCalls.enterByPasskey, 400],
  [consoleCalls.proof, 200],
]);
const reason = "Ticket 7";
const local: ConsoleSettings = {
  host: "127.0.0.1",
  port: 3001,
  url: null,
  directory: join(tmpdir(), "no-page"),
};

interface Sent {
  cookie?: string | undefined;
  headers?: Record<string, string>;
  from?: string;
}

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  const chains = { TRC20: new SimulatedChain(1), ERC20: new SimulatedChain(2) };
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());

  async function begin(page: ConsoleSettings = local, limits: Partial<typeof settings> = {}) {
    const shop = await serve(store, { sandbox: false, chains: chainsOf(chains) });
    const { ledger } = shop;
    const app = buildConsole({
      ledger,
      settings: { ...settings, ...limits, database: temporaryDirectory() },
      page,
      chains: async () => chainsOf(chains),
      alerts: { ...settings.alerts, backupHours: 26 },
    });
    const origin = page.url ?? ORIGIN;
    async function send(
      path: string,
      body: unknown = {},
      { cookie, headers, from = "192.0.2.1" }: Sent = {},
    ) {
      return app.request(
        path,
        {
          method: "POST",
          body: JSON.stringify(body),
          headers: {
            "Content-Type": "application/json",
            Origin: origin,
            ...(cookie === undefined ? {} : { Cookie: cookie }),
            ...headers,
          },
        },
        { incoming: { socket: { remoteAddress: from } } },
      );
    }
    const admin = (command: string, args: string[], options: Record<string, string> = {}) =>
      run(command, { ledger, console: page, args, options, actor: "root" });
    async function linkFor(right: Right): Promise<{ link: string; name: string }> {
      const name = `op-${freshName()}`.toLowerCase();
      await admin("operator-add", [name, right], { reason });
      const printed = String(await admin("console", [name]));
      return { link: /#(\S+)/.exec(printed)?.[1] ?? "", name };
    }
    const enter = async (link: string, sent: Sent = {}) => send(consoleCalls.enter, { link }, sent);
    const cookieIn = (response: Response) => response.headers.get("Set-Cookie")?.split(";")[0];
    /** @returns the calls of an operator who is in */
    async function operator(right: Right) {
      const { link, name } = await linkFor(right);
      const cookie = cookieIn(await enter(link));
      const status = async (path: string, body: unknown = {}) => (await send(path, body, { cookie })).status;
      async function call<T>(path: string, body: unknown = {}): Promise<T> {
        const said = (await (await send(path, body, { cookie })).json()) as { data: T; refused?: string };
        if (said.refused !== undefined) throw new Error(said.refused);
        return said.data;
      }
      return { name, cookie, call, status };
    }
    async function paid(...amounts: bigint[]) {
      const name = freshName();
      const made = await shop.order(await shop.member(name), monthly);
      chains.TRC20.mine(...amounts.map((amount) => ({ to: rawAddress("TRC20", made.address), amount })));
      const [tx] = chains.TRC20.blocks.at(-1)?.payments ?? [];
      chains.TRC20.grow(FINAL);
      await shop.settle();
      return { ...made, name, transaction: tx?.txHash ?? "" };
    }
    return { ...shop, app, send, admin, linkFor, enter, cookieIn, operator, paid };
  }

  test("a stranger may ask so often a minute, whatever for, and costs no query and no line beyond", async () => {
    const { send, lines } = await begin(local, { requestsPerMinute: 3 });
    const ask = async (from: string) =>
      (await send(consoleCalls.whoami, {}, { cookie: "console=made-up", from })).status;
    const answers: number[] = [];
    for (let time = 0; time < 5; time += 1) answers.push(await ask("198.51.100.7"));
    expect(answers).toEqual([401, 401, 401, 429, 429]);
    expect(lines.filter((line) => line.includes('"console refused"'))).toHaveLength(3);
    expect(await ask("203.0.113.7")).toBe(401);
  });

  test("a link lets in once, and not a second time", async () => {
    const { linkFor, enter } = await begin();
    const { link } = await linkFor("look");
    expect([(await enter(link)).status, (await enter(link)).status]).toEqual([200, 401]);
  });

  test("a link that two use at once lets one of them in", async () => {
    const { linkFor, enter } = await begin();
    const { link } = await linkFor("look");
    const answers = await Promise.all([enter(link), enter(link)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401]);
  });

  test("a link is good for two minutes", async () => {
    const { linkFor, enter, clock } = await begin();
    const [inTime, late] = [await linkFor("look"), await linkFor("look")];
    clock.now += 2 * MINUTE - 1;
    expect((await enter(inTime.link)).status).toBe(200);
    clock.now += 1;
    expect((await enter(late.link)).status).toBe(401);
  });

  test("wrong links are told of, and after some no link of that network is looked at", async () => {
    const { linkFor, enter, lines } = await begin();
    const { link } = await linkFor("look");
    const from = "198.51.100.7";
    const answers: number[] = [];
    for (let at = 0; at < 31; at += 1) answers.push((await enter(`wrong-${at}`, { from })).status);
    expect(answers).toEqual([...Array<number>(30).fill(401), 429]);
    expect((await enter(link, { from })).status).toBe(429);
    expect((await enter(link)).status).toBe(200);
    expect(
      lines.filter((line) => line.includes('"console refused"') && line.includes('"link"')),
    ).toHaveLength(30);
    expect(lines.join()).not.toContain(link);
  });

  test("the database holds neither links nor cookies, and forgets those that are over", async () => {
    const { linkFor, operator, clock } = await begin();
    const { link } = await linkFor("look");
    const { cookie = "" } = await operator("look");
    const kept = [
      await store.db.select().from(operatorLinks),
      await store.db.select().from(operatorSessions),
    ];
    const [, token = ""] = cookie.split("=");
    expect(token).toHaveLength(43);
    for (const secret of [link, token]) expect(JSON.stringify(kept)).not.toContain(secret);
    clock.now += 13 * HOUR;
    await deleteExpired(store.db, clock.now);
    expect([await store.db.$count(operatorLinks), await store.db.$count(operatorSessions)]).toEqual([0, 0]);
  });

  test.each([
    ["on this machine", local, "console=", ""],
    ["behind a certificate", { ...local, url: "https://console.example" }, "__Host-console=", "; Secure"],
  ])("the cookie is the page's alone, %s", async (_, page, name, secure) => {
    const { linkFor, enter } = await begin(page);
    const cookie = (await enter((await linkFor("look")).link)).headers.get("Set-Cookie") ?? "";
    expect(cookie.replace(/=[\w-]{43};/, "=…;")).toBe(
      `${name}…; Max-Age=43200; Path=/; HttpOnly${secure}; SameSite=Strict`,
    );
  });

  /** An operator who is in, with a passkey on a device. */
  async function withPasskey(page = local, origin = ORIGIN) {
    const shop = await begin(page);
    await store.db.delete(operatorPasskeys);
    const { send, operator } = shop;
    const sent = { headers: { Origin: origin } };
    const insider = await operator("support");
    const device = createAuthenticator(origin);
    type Wanted = { data: { challenge: string } };
    const challengeOf = async (path: string, more: Sent = {}) =>
      ((await (await send(path, {}, { ...sent, ...more })).json()) as Wanted).data.challenge;
    const wanted = () => challengeOf(consoleCalls.newPasskey, { cookie: insider.cookie });
    const add = async (answer: object) =>
      (await send(consoleCalls.addPasskey, answer, { ...sent, cookie: insider.cookie })).status;
    const toProve = () => challengeOf(consoleCalls.proof);
    const prove = (answer: object, more: Sent = {}) =>
      send(consoleCalls.enterByPasskey, answer, { ...sent, ...more });
    return { ...shop, insider, device, wanted, add, toProve, prove };
  }

  test.each([
    ["on this machine, by its name", local, ORIGIN],
    ["behind a certificate", { ...local, url: "https://console.example" }, "https://console.example"],
  ])(
    "a passkey lets its operator in without a shell, %s, with the right that they have",
    async (_, page, origin) => {
      const { device, wanted, add, toProve, prove, cookieIn, send, admin, insider, lines } =
        await withPasskey(page, origin);
      expect(await add(device.register(await wanted()))).toBe(200);
      await admin("operator-add", [insider.name, "look"], { reason });
      const response = await prove(device.prove(await toProve()));
      const cookie = cookieIn(response);
      const who = (await (
        await send(consoleCalls.whoami, {}, { cookie, headers: { Origin: origin } })
      ).json()) as { data: Whoami };
      expect({ status: response.status, name: who.data.name, right: who.data.right }).toEqual({
        status: 200,
        name: insider.name,
        right: "look",
      });
      expect(response.headers.get("Set-Cookie")).toContain("HttpOnly");
      // It is written down who added a key, and told who came in by one.
      expect(
        await store.db.$count(auditEntries, eq(auditEntries.subject, `operator ${insider.name}`)),
      ).toBeGreaterThan(1);
      expect(lines.some((line) => line.includes('"by":"passkey"'))).toBe(true);
    },
  );

  test("a passkey is not made of an old challenge, for another's, elsewhere, or without a proof of the person", async () => {
    const { device, wanted, add, clock, operator, send } = await withPasskey();
    const challenge = await wanted();
    expect(await add(device.register(challenge, { at: "http://evil.example" }))).toBe(403);
    // It was used up.
    expect(await add(device.register(challenge))).toBe(403);
    expect(await add(device.register(await wanted(), { isVerified: false }))).toBe(403);
    expect(await add(device.register("made-up"))).toBe(403);
    expect(
      await add({
        ...device.register(await wanted()),
        response: { clientDataJSON: "{", attestationObject: "" },
      }),
    ).toBe(403);
    const late = await wanted();
    clock.now += 5 * MINUTE;
    expect(await add(device.register(late))).toBe(403);
    const other = await operator("look");
    const stolen = device.register(await wanted());
    expect((await send(consoleCalls.addPasskey, stolen, { cookie: other.cookie })).status).toBe(403);
    expect(await store.db.$count(operatorPasskeys)).toBe(0);
  });

  test("no one comes in by a proof that is used, old, of elsewhere, copied, unproved, unknown or signed by another", async () => {
    const { device, wanted, add, toProve, prove, clock, admin, insider, enter } = await withPasskey();
    await add(device.register(await wanted()));
    const status = async (answer: object) => (await prove(answer)).status;
    const proof = device.prove(await toProve());
    expect([await status(proof), await status(proof)]).toEqual([200, 401]);
    // Two devices with one key: the count does not go on.
    expect(await status(device.prove(await toProve(), { counts: false }))).toBe(401);
    expect(await status(device.prove(await toProve(), { at: "http://evil.example" }))).toBe(401);
    expect(await status(device.prove(await toProve(), { isVerified: false }))).toBe(401);
    expect(await status(device.prove("made-up"))).toBe(401);
    expect(await status(createAuthenticator(ORIGIN).prove(await toProve()))).toBe(401);
    const forged = createAuthenticator(ORIGIN).prove(await toProve());
    expect(await status({ ...forged, id: proof.id, rawId: proof.rawId })).toBe(401);
    // A challenge for making a passkey is none for coming in.
    expect(await status(device.prove(await wanted()))).toBe(401);
    const late = await toProve();
    clock.now += 5 * MINUTE;
    expect(await status(device.prove(late))).toBe(401);
    expect(await status(device.prove(await toProve()))).toBe(200);
    const pending = await wanted();
    const unused = String(await admin("console", [insider.name]));
    const [removed] = (await admin("operator-passkeys-remove", [insider.name], { reason })) as object[];
    expect(removed).toMatchObject({ passkeys: 1, sessions: expect.any(Number) as number });
    expect(await status(device.prove(await toProve()))).toBe(401);
    // The finder of the device has its session, too, and would make another key by it.
    expect(await insider.status(consoleCalls.whoami)).toBe(401);
    expect(await add(device.register(pending))).toBe(401);
    expect((await enter(/#(\S+)/.exec(unused)?.[1] ?? "")).status).toBe(401);
  });

  test("passkeys go with their operator, and a device has one for each", async () => {
    const { device, wanted, add, toProve, prove, admin, insider } = await withPasskey();
    const answer = device.register(await wanted());
    expect(await add(answer)).toBe(200);
    // The same key again, by another challenge.
    expect(await add(device.register(await wanted()))).toBe(403);
    expect(await admin("operator-list", [])).toContainEqual(
      expect.objectContaining({ name: insider.name, passkeys: 1 }),
    );
    await admin("operator-remove", [insider.name], { reason });
    expect((await prove(device.prove(await toProve()))).status).toBe(401);
    expect(await store.db.$count(operatorPasskeys)).toBe(0);
  });

  test("wrong passkeys of a network are limited with its wrong links, and told of", async () => {
    const { device, prove, toProve, enter, lines } = await withPasskey();
    const from = "198.51.100.9";
    const answers: number[] = [];
    for (let at = 0; at < 31; at += 1) answers.push((await prove(device.prove("made-up"), { from })).status);
    expect(answers).toEqual([...Array<number>(30).fill(401), 429]);
    expect((await enter("wrong", { from })).status).toBe(429);
    expect((await prove(device.prove(await toProve()))).status).toBe(401);
    expect(lines.filter((line) => line.includes('"why":"passkey"')).length).toBeGreaterThanOrEqual(30);
  });

  test("strangers of a network get only so many challenges a minute: each is a row", async () => {
    const { send } = await begin();
    const before = await store.db.$count(operatorChallenges);
    const from = "198.51.100.11";
    const answers: number[] = [];
    for (let at = 0; at < 62; at += 1) answers.push((await send(consoleCalls.proof, {}, { from })).status);
    expect(answers).toEqual([...Array<number>(60).fill(200), 429, 429]);
    expect((await store.db.$count(operatorChallenges)) - before).toBe(60);
    expect((await send(consoleCalls.proof)).status).toBe(200);
  });

  test("an address without a name has no passkeys: a browser would give none", async () => {
    const { send } = await begin();
    const headers = { Origin: "http://127.0.0.1:3001" };
    expect((await send(consoleCalls.proof, {}, { headers })).status).toBe(403);
  });

  test("a session ends after twelve hours, however much it is used", async () => {
    const { operator, clock } = await begin();
    const { status } = await operator("look");
    const answers: number[] = [];
    for (const wait of [6 * HOUR, 6 * HOUR - 1, 1]) {
      clock.now += wait;
      answers.push(await status(consoleCalls.whoami));
    }
    expect(answers).toEqual([200, 200, 401]);
  });

  test("a cookie that was stolen opens nothing once its operator has gone out", async () => {
    const { operator, send, lines } = await begin();
    const { cookie, status } = await operator("money");
    expect(await status(consoleCalls.leave)).toBe(200);
    for (const path of Object.values(consoleCalls).filter((each) => !ways.has(each)))
      expect((await send(path, {}, { cookie })).status, path).toBe(401);
    expect(lines.some((line) => line.includes('"why":"session"'))).toBe(true);
  });

  test("an operator who is removed is out at once, and one with another right has that one", async () => {
    const { operator, admin } = await begin();
    const { name, call, status } = await operator("money");
    await admin("operator-add", [name, "look"], { reason });
    expect((await call<Whoami>(consoleCalls.whoami)).right).toBe("look");
    await admin("operator-remove", [name], { reason });
    expect(await status(consoleCalls.whoami)).toBe(401);
    await expect(admin("console", [name])).rejects.toThrow(`${name} is no operator.`);
  });

  test.each(Object.entries(consoleCalls))(
    "%s is answered to the page itself alone, and but for the way in to one who is in",
    async (_, path) => {
      const { operator, send } = await begin();
      const { cookie } = await operator("money");
      const elsewhere = ["http://127.0.0.1:3000", "http://evil.example", "null", ""];
      const answers = await Promise.all([
        ...elsewhere.map((origin) => send(path, {}, { cookie, headers: { Origin: origin } })),
        // A form of another site can send this, and no JSON.
        send(path, {}, { cookie, headers: { "Content-Type": "text/plain" } }),
        send(path, {}, { headers: { Origin: "http://evil.example" } }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
      const stranger = ways.get(path) ?? 401;
      expect((await send(path)).status).toBe(stranger);
      expect((await send(path, {}, { cookie: "console=made-up" })).status).toBe(stranger);
    },
  );

  test("there is no call but by POST", async () => {
    const { app, operator } = await begin();
    const { cookie = "" } = await operator("money");
    for (const path of Object.values(consoleCalls)) {
      const response = await app.request(path, { headers: { Cookie: cookie, Origin: ORIGIN } });
      expect(response.status, path).toBe(403);
    }
  });

  test.each(
    Object.entries(commands)
      .filter(([, { right, isLocal }]) => right !== "look" && !isLocal)
      .map(([name, { right, changes }]) => [name, right, changes] as const),
  )(
    "%s is refused to an operator who lacks the right %s, looked at or done, and leaves nothing",
    async (command, needed, changes) => {
      const { operator } = await begin();
      const { ask, preview, perform } = consoleCalls;
      const entries = () => store.db.$count(auditEntries, eq(auditEntries.action, command));
      const before = await entries();
      for (const right of rights.filter((each) => !holds(each, needed))) {
        const { call } = await operator(right);
        const given = { command, args: ["1", "2", "3"], options: { reason } };
        const refused = `${command} needs the right ${needed}, and yours is ${right}.`;
        for (const path of changes === "nothing" ? [ask] : [preview, perform])
          await expect(call(path, { ...given, shown: "x" }), path).rejects.toThrow(refused);
      }
      expect(await entries()).toBe(before);
    },
  );

  test("what is given on the machine alone is refused to every operator", async () => {
    const { operator } = await begin();
    const { call } = await operator("money");
    // It goes to the browser there, and to no file of the machine.
    await expect(
      call(consoleCalls.ask, { command: "backup", args: ["/tmp/x"], options: {} }),
    ).rejects.toThrow("A file of the machine is named there alone");
    for (const command of ["console", "operator-list"])
      await expect(call(consoleCalls.ask, { command, args: ["/tmp/x"], options: {} })).rejects.toThrow(
        `${command} is given on the machine alone`,
      );
    for (const command of ["operator-add", "operator-remove"])
      await expect(
        call(consoleCalls.perform, { command, args: ["anna", "money"], options: { reason }, shown: "x" }),
      ).rejects.toThrow(`${command} is given on the machine alone`);
  });

  test("the book of a month is sent as a file of lines, as far as it is read", async () => {
    const { operator, paid, send, ledger } = await begin();
    const { id } = await paid(3_990_000n);
    const { cookie } = await operator("look");
    const book = { command: "export", args: ["2026-11"], options: {} };
    const response = await send(consoleCalls.ask, book, { cookie });
    expect(response.headers.get("Content-Type")).toBe(LINES);
    const text = await response.text();
    expect(text).toBe(`${await textOf(await run("export", { ledger, ...book, actor: "root" }))}\n`);
    expect(text.split("\n").filter((line) => line.includes(id))).toHaveLength(2);
    expect(await (await send(consoleCalls.ask, { ...book, args: ["May"] }, { cookie })).json()).toEqual({
      refused: "May is no month, such as 2026-11.",
    });
  });

  /** What is said of a backup that comes by the page, and its bytes. */
  async function backupIn(response: Response) {
    const whole = Buffer.from(await response.arrayBuffer());
    let at = 0;
    for (;;) {
      const end = whole.indexOf("\n", at);
      const said = JSON.parse(whole.subarray(at, end).toString()) as Making;
      at = end + 1;
      if ("refused" in said) throw new Error(said.refused);
      if ("bytes" in said) return { ...said, file: whole.subarray(at) };
    }
  }
  const backup = { command: "backup", args: [], options: {} };

  test("a backup comes to the browser of an operator with the right money alone, and counts once they have it", async () => {
    const { operator, send, lines } = await begin();
    const { call, cookie, name } = await operator("money");
    const ben = await operator("support");
    const story = () => call<BackupStory>(consoleCalls.backups);
    const none = { last: null, isOld: false, oldAfter: 26, database: "embedded", actions: ["backup"] };
    expect(await story()).toEqual(none);
    expect((await ben.call<BackupStory>(consoleCalls.backups)).actions).toEqual([]);
    await expect(ben.call(consoleCalls.ask, backup)).rejects.toThrow("needs the right money");
    const response = await send(consoleCalls.ask, backup, { cookie });
    expect([response.headers.get("Content-Type"), response.headers.get("Cache-Control")]).toEqual([
      MADE,
      "no-store",
    ]);
    const { file, bytes, entry } = await backupIn(response);
    expect([file.length, gunzipSync(file).toString().startsWith("#{")]).toEqual([bytes, true]);
    expect(await story()).toEqual(none);
    expect(lines.some((line) => line.includes('"backup downloaded"') && line.includes(name))).toBe(true);
    await expect(ben.call(consoleCalls.backupReceived, { entry })).rejects.toThrow("no such backup of yours");
    await call(consoleCalls.backupReceived, { entry });
    expect((await story()).last).toMatchObject({ bytes, by: name, to: null });
  });

  test("a backup that breaks off on its way is none, and the next one can be made", async () => {
    const { operator, send } = await begin();
    const { call, cookie, name } = await operator("money");
    const before = await call<BackupStory>(consoleCalls.backups);
    const response = await send(consoleCalls.ask, backup, { cookie });
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    // The first is given up as soon as its end is noticed.
    await vi.waitFor(async () => {
      expect((await backupIn(await send(consoleCalls.ask, backup, { cookie }))).bytes).toBeGreaterThan(0);
    });
    // What was handed to the network has come nowhere, unless the browser says so.
    const latest = await latestBackups(store.db, 2);
    expect(latest.map(({ actor, bytes }) => [actor, bytes])).toEqual([
      [name, null],
      [name, null],
    ]);
    expect(await call<BackupStory>(consoleCalls.backups)).toEqual(before);
  });

  test("a paid order is found from a pasted transaction, with its story and what can be done", async () => {
    const { operator, paid } = await begin();
    const { call } = await operator("money");
    const order = await paid(5_990_000n);
    const found = await call<Found>(consoleCalls.find, {
      text: ` see https://x.example/tx/${order.transaction} `,
    });
    expect({
      orders: found.orders.map(({ id, member }) => [id, member]),
      rows: found.rows.map(({ reason: why, amount }) => [why, amount]),
    }).toEqual({
      orders: [[order.id, order.name]],
      rows: [["surplus", "2.00"]],
    });
    expect((await call<Found>(consoleCalls.find, { text: order.name })).members).toEqual([order.name]);
    const story = await call<OrderStory>(consoleCalls.order, { order: order.id });
    expect({
      kinds: story.moments.map((each) => (each.kind === "moved" ? each.how : each.kind)),
      balances: story.order.balances,
      actions: story.actions,
      ofRow: found.rows[0]?.actions,
    }).toEqual({
      kinds: ["ordered", "received", "surplus", "credited", "membership", "row"],
      balances: { credited: "3.99", surplus: "2.00" },
      actions: ["refund"],
      ofRow: ["unmatched-resolve"],
    });
    const looks = await operator("look");
    expect((await looks.call<OrderStory>(consoleCalls.order, { order: order.id })).actions).toEqual([]);
    // What came in part can stay, too.
    const short = await call<OrderStory>(consoleCalls.order, { order: (await paid(2_000_000n)).id });
    expect(short.actions).toEqual(["refund", "keep"]);
  });

  test("a change is shown, done as it was shown, written down with the operator's name, and undone", async () => {
    const { operator, paid } = await begin();
    const { call, name } = await operator("money");
    const order = await paid(3_990_000n);
    const given = { command: "refund", args: [order.id], options: { reason } };
    const { change } = await call<{ change: ShownChange }>(consoleCalls.preview, given);
    expect([change.before.orders[0]?.status, change.after.orders[0]?.status]).toEqual([
      "confirmed",
      "failed",
    ]);
    await expect(call(consoleCalls.perform, { ...given, shown: "another" })).rejects.toThrow(
      "It is no longer what was shown, so nothing was done: look at it again.",
    );
    const done = await call<{ entry: number }>(consoleCalls.perform, { ...given, shown: change.digest });
    const [entry] = await store.db.select().from(auditEntries).where(eq(auditEntries.id, done.entry));
    expect([entry?.actor, entry?.action, entry?.reason]).toEqual([name, "refund", reason]);
    const undo = { command: "undo", args: [String(done.entry)], options: { reason } };
    const shown = await call<{ change: ShownChange }>(consoleCalls.preview, undo);
    await call(consoleCalls.perform, { ...undo, shown: shown.change.digest });
    const story = await call<OrderStory>(consoleCalls.order, { order: order.id });
    const entries = story.moments.flatMap((each) => (each.kind === "entry" ? [each.entry] : []));
    expect([story.order.status, entries.map(({ action, canUndo }) => [action, canUndo])]).toEqual([
      "confirmed",
      [
        ["refund", false],
        ["undo", true],
      ],
    ]);
  });

  test("what changes something is not done without its preview", async () => {
    const { operator, paid } = await begin();
    const { call, status } = await operator("money");
    const order = await paid(3_990_000n);
    const given = { command: "refund", args: [order.id], options: { reason } };
    expect(await status(consoleCalls.perform, given)).toBe(400);
    await expect(call(consoleCalls.ask, given)).rejects.toThrow("it is previewed first");
    expect((await call<OrderStory>(consoleCalls.order, { order: order.id })).order.status).toBe("confirmed");
  });

  test("a member's story says what is possible as things stand", async () => {
    const { operator, paid } = await begin();
    const { call } = await operator("support");
    const { name } = await paid(3_990_000n);
    const story = await call<MemberStory>(consoleCalls.member, { name });
    expect([story.actions, story.member.isRunning, story.orders.length]).toEqual([
      ["credit", "revoke", "set-end", "end-sessions", "lock"],
      true,
      1,
    ]);
    const given = { command: "lock", args: [name], options: { reason } };
    const { change } = await call<{ change: ShownChange }>(consoleCalls.preview, given);
    await call(consoleCalls.perform, { ...given, shown: change.digest });
    const locked = await call<MemberStory>(consoleCalls.member, { name });
    expect([locked.actions.includes("unlock"), locked.actions.includes("lock")]).toEqual([true, false]);
  });

  test("a member's story says how many orders it does not show", async () => {
    const { operator, member, order } = await begin();
    const { call } = await operator("look");
    const name = freshName();
    const token = await member(name);
    for (let at = 0; at < 22; at += 1) await order(token, monthly);
    const { orders: shown, earlierOrders } = await call<MemberStory>(consoleCalls.member, { name });
    expect([shown.length, earlierOrders]).toEqual([20, 2]);
  });

  test("lists come page by page, each row once, by filter", async () => {
    const { operator, member, order } = await begin();
    const { call, status } = await operator("look");
    const token = await member();
    for (let at = 0; at < 27; at += 1) await order(token, monthly, { "Idempotency-Key": `page-${at}` });
    const ask = (filter: string, cursor: string | null) =>
      call<Listed<"orders">>(consoleCalls.list, { list: "orders", filter, cursor });
    const first = await ask("pending", null);
    const second = await ask("pending", first.next);
    const ids = [...first.rows, ...second.rows].map(({ id }) => id);
    expect([first.rows.length, new Set(ids).size === ids.length, ids.length >= 27]).toEqual([25, true, true]);
    expect(first.rows.every((row) => row.status === "pending")).toBe(true);
    for (const list of ["unmatched", "events", "audit"] as const)
      for (const cursor of [null, "1.1"])
        expect(
          await status(consoleCalls.list, {
            list,
            filter: { unmatched: "all", events: "given-up", audit: "all" }[list],
            cursor,
          }),
        ).toBe(200);
    expect(await status(consoleCalls.list, { list: "orders", filter: "constructor", cursor: null })).toBe(
      400,
    );
    expect(await status(consoleCalls.list, { list: "orders", filter: "all", cursor: "1'.x" })).toBe(400);
  });

  test("today tells of the money that came, day by day, less what went back", async () => {
    const { operator, paid, admin, clock } = await begin();
    const { call } = await operator("look");
    const before = await call<Today>(consoleCalls.today);
    await paid(3_990_000n);
    const back = await paid(3_990_000n);
    await admin("refund", [back.id], { reason });
    const today = await call<Today>(consoleCalls.today);
    const cents = ({ revenue }: Today) => Number(revenue.at(-1)?.usdt.replace(".", ""));
    expect(today.revenue.map(({ day }) => day).at(-1)).toBe(new Date(clock.now).toISOString().slice(0, 10));
    expect([today.revenue.length, cents(today) - cents(before)]).toEqual([30, 399]);
    expect(today.networks.find(({ network }) => network === "TRC20")).toMatchObject({
      checkedAt: expect.any(String) as string,
    });
    expect(today.orders.confirmed - before.orders.confirmed).toBe(1);
  });

  test("every answer has the strict policies, and the page is not framed, cached or shared", async () => {
    const { app } = await begin();
    const answers = await Promise.all(
      ["/", "/assets/none.js", "/api/today"].map(async (path) => app.request(path)),
    );
    for (const { headers } of answers) {
      expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
      expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    }
  });
});
