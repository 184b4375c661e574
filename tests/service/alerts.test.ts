/** What operators are told of, and how: each alarm once when it begins and once when it is over, by a real mail server and by stand-ins for Telegram and ntfy. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { eq, isNotNull } from "drizzle-orm";
import { SMTPServer } from "smtp-server";
import { describe, expect, onTestFinished, test } from "vitest";
import { todayOf } from "../../src/service/console/today.ts";
import {
  AlarmBoard,
  momentOf,
  Moments,
  moments,
  tellMoments,
  troublesOf,
  type Looked,
  type Trouble,
} from "../../src/service/operations/alerts/alarms.ts";
import {
  addMessages,
  giveUpUnsent,
  removeOld,
  sendMessages,
} from "../../src/service/operations/alerts/messages.ts";
import { channels, sendersOf, type Channel, type Send } from "../../src/service/operations/alerts/senders.ts";
import type { AlertSettings } from "../../src/service/settings.ts";
import { startAlerts, tellingOf } from "../../src/service/operations/alerts/start.ts";
import { tellSummary } from "../../src/service/operations/alerts/summary.ts";
import { run } from "../../src/service/operations/admin/commands.ts";
import type { Log } from "../../src/service/platform/log.ts";
import type { Database } from "../../src/service/store/database.ts";
import {
  accounts,
  alarms,
  alertMessages,
  auditEntries,
  chainPositions,
  orders,
  outboxEvents,
  providerPositions,
  securityEvents,
  unmatchedPayments,
} from "../../src/service/store/schema.ts";
import { emptyStore, databases, START } from "./support.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const TOKEN = "123456:ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** A mail server that takes what it is given, or refuses while it is told to. */
async function mailServer() {
  const taken: string[] = [];
  const received: string[] = [];
  const state = { refuses: false, unknown: "" };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: ({ address }, _session, done) =>
      done(address === state.unknown ? new Error("Greylisted, try later") : null),
    onData(stream, { envelope }, done) {
      let mail = "";
      stream.on("data", (chunk: Buffer) => (mail += chunk.toString()));
      stream.on("end", () => {
        if (state.refuses) return done(new Error("Try later"));
        taken.push(mail);
        received.push(...envelope.rcptTo.map(({ address }) => address));
        return done();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, taken, received, state };
}

/** Telegram or ntfy: keeps what is posted, and answers by a status. */
async function web() {
  const taken: { path: string; authorization: string | undefined; body: Record<string, string> }[] = [];
  const state = { status: 200 };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const { url: path = "", headers } = request;
      if (state.status === 200)
        taken.push({ path, authorization: headers.authorization, body: JSON.parse(body) });
      response.writeHead(state.status).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, taken, state };
}

async function everyWay() {
  const [mail, telegram, ntfy] = [await mailServer(), await web(), await web()];
  const settings: AlertSettings = {
    mail: { url: mail.url, from: "shop@example.com", to: ["owner@example.com", "night@example.com"] },
    telegram: { api: telegram.url, token: TOKEN, chat: "-42" },
    ntfy: { url: `${ntfy.url}/my-shop`, token: "tk_1" },
  };
  return { mail, telegram, ntfy, settings };
}

const subjectOf = (mail: string) => /^Subject: (.*)$/m.exec(mail)?.[1]?.trim();
const never = new AbortController().signal;
const quiet: Log = () => undefined;

test("each line of the log that is an alarm is marked as one in docs/operating.md", () => {
  const rows = readFileSync("docs/operating.md", "utf8").split("\n");
  const isMarked = (event: string) =>
    rows.some((row) => row.startsWith(`| \`${event}\` `) && row.includes("| **alarm**: "));
  expect(Object.keys(moments).filter((event) => !isMarked(event))).toEqual([]);
});

/** Sends what is due by each of these ways. */
const sendAll = (
  db: Database,
  now: () => number,
  senders: Partial<Record<Channel, Send>>,
  log: Log,
  signal: AbortSignal,
) =>
  Promise.all(
    channels.map(async (channel) => {
      const send = senders[channel];
      if (send) await sendMessages(db, now, channel, send, log, signal);
    }),
  );

describe.each(databases)("on the %s database", (kind) => {
  async function begin() {
    const store = await emptyStore(kind);
    onTestFinished(() => store.close());
    const { db } = store;
    let time = START;
    const now = () => time;
    const ways = await everyWay();
    const senders = sendersOf(ways.settings);
    const telling = tellingOf(ways.settings, "https://console.example");
    /** Two processes look, then what is due is sent. */
    const boards = [new AlarmBoard(db, telling), new AlarmBoard(db, telling)];
    const look = async () => {
      const found = await troublesOf(db, now(), {
        read: ["TRC20"],
        missing: [],
        hasReceiver: true,
        backupHours: 0,
      });
      await Promise.all(boards.map((board) => board.compare(found, now())));
      await sendAll(db, now, senders, quiet, never);
    };
    const read = (more: Partial<typeof chainPositions.$inferInsert>) =>
      db
        .insert(chainPositions)
        .values({ network: "TRC20", number: 100, hash: "00", finalNumber: 80, ...more })
        .onConflictDoUpdate({ target: chainPositions.network, set: more });
    /** A look every minute; nodes answer all the while. */
    const passMinutes = async (minutes: number, more: Partial<typeof chainPositions.$inferInsert> = {}) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        time += MINUTE;
        await read({ checkedAt: new Date(time), ...more });
        await look();
      }
    };
    const titles = () => ways.ntfy.taken.map(({ body }) => body["title"]);
    const pass = (ms: number) => {
      time += ms;
    };
    return { db, now, pass, look, read, passMinutes, titles, senders, telling, ...ways };
  }

  test("a network that stands still is told by each way, once, and once when it goes on", async () => {
    const { mail, telegram, ntfy, passMinutes, read, titles } = await begin();
    await read({ headNumber: 100, headAt: new Date(START) });
    await passMinutes(1);
    expect(titles()).toEqual([]);
    await passMinutes(20);
    expect(titles()).toEqual(["Everlit: TRC20 stands still"]);
    await passMinutes(5, { headNumber: 101, headAt: new Date(START + DAY) });
    const told = ["Everlit: TRC20 stands still", "Everlit: over: TRC20 stands still"];
    expect({
      mail: mail.taken.map(subjectOf),
      telegram: telegram.taken.map(({ body }) => body["text"]?.split("\n")[0]),
      ntfy: titles(),
    }).toEqual({ mail: told, telegram: told, ntfy: told });
    const [first] = ntfy.taken;
    expect(first).toEqual({
      path: "/",
      authorization: "Bearer tk_1",
      body: {
        topic: "my-shop",
        title: "Everlit: TRC20 stands still",
        message: [
          "The newest block of every node is 120 seconds old: payments are not seen.",
          "Run `npm run admin -- status`, and see an explorer of the network.",
          "https://console.example",
        ].join("\n\n"),
      },
    });
    expect(telegram.taken[0]).toMatchObject({ path: `/bot${TOKEN}/sendMessage`, body: { chat_id: "-42" } });
    expect(mail.taken[0]).toMatch(/^To: owner@example\.com, night@example\.com\r$/m);
    expect(mail.taken[1]).toContain("It lasted 21 minutes.");
  });

  test("what comes and goes within two minutes is one alarm", async () => {
    const { passMinutes, read, titles } = await begin();
    await read({ headNumber: 100, headAt: new Date(START - DAY) });
    for (let round = 0; round < 4; round += 1) {
      await passMinutes(1, { headAt: new Date(START - DAY) });
      await passMinutes(1, { headAt: new Date(START + DAY) });
    }
    expect(titles()).toEqual(["Everlit: TRC20 stands still"]);
  });

  test("what one process alone sees, of other settings or another release, is one alarm until it sees it no more", async () => {
    const { db, now, pass, titles, telling, senders } = await begin();
    const [seeing, other] = [new AlarmBoard(db, telling), new AlarmBoard(db, telling)];
    const [trouble] = await troublesOf(db, now(), {
      read: [],
      missing: ["ERC20"],
      hasReceiver: true,
      backupHours: 0,
    });
    const passMinutes = async (minutes: number, found: readonly Trouble[]) => {
      for (let quarter = 0; quarter < 4 * minutes; quarter += 1) {
        await seeing.compare(found, now());
        await other.compare([], now());
        await sendAll(db, now, senders, quiet, never);
        pass(MINUTE / 4);
      }
    };
    if (!trouble) throw new Error("A way to pay is missing.");
    await passMinutes(30, [trouble]);
    expect(titles()).toEqual(["Everlit: ERC20 is not read"]);
    await passMinutes(1, []);
    expect(titles()).toHaveLength(1);
    await passMinutes(2, []);
    expect(titles().slice(1)).toEqual(["Everlit: over: ERC20 is not read"]);
    // It is told of anew, and the clock that is set back ends nothing before its time.
    await passMinutes(1, [trouble]);
    pass(-60 * MINUTE);
    await passMinutes(1, []);
    expect(titles()).toHaveLength(3);
    await passMinutes(2, []);
    expect(titles()).toHaveLength(4);
  });

  test.each([
    ["no node answers", { checkedAt: new Date(START - DAY) }, 2, "Everlit: TRC20 is not read"],
    [
      "blocks wait for five minutes",
      { headNumber: 121, headAt: new Date(START + DAY) },
      6,
      "Everlit: TRC20 is read late",
    ],
    ["blocks wait for less", { headNumber: 121, headAt: new Date(START + DAY) }, 5, undefined],
    ["few blocks wait", { headNumber: 120, headAt: new Date(START + DAY) }, 9, undefined],
  ])("where %s it says so", async (_, more, minutes, title) => {
    const { passMinutes, titles } = await begin();
    await passMinutes(minutes, more);
    expect(titles()).toEqual(title === undefined ? [] : [title]);
  });

  test("money that comes while other money waits is told of, too, and many at a time once an hour", async () => {
    const { db, now, passMinutes, titles, read } = await begin();
    await read({ headNumber: 100, headAt: new Date(START + DAY) });
    const arrives = async (eventId: string) =>
      db.insert(unmatchedPayments).values({
        rail: "stripe",
        eventId,
        reason: "inquiry",
        body: "{}",
        receivedAt: new Date(now()),
      });
    const told = () => titles().length;
    await arrives("1");
    await passMinutes(2);
    expect(titles()).toEqual(["Everlit: Money waits for you"]);
    // Nothing new: nothing is said, however long it waits.
    await passMinutes(120);
    expect(told()).toBe(1);
    await arrives("2");
    await passMinutes(1);
    expect(told()).toBe(2);
    await arrives("3");
    await passMinutes(58);
    expect(told()).toBe(2);
    await passMinutes(2);
    expect(told()).toBe(3);
    await db.update(unmatchedPayments).set({ resolvedAt: new Date(now()) });
    await passMinutes(4);
    expect(titles().slice(3)).toEqual(["Everlit: over: Money waits for you"]);
  });

  test("a provider whose lists were not read for three hours is told of, and one that is not set up as long as money may move there", async () => {
    const { db, now, pass } = await begin();
    const wrong = async (looked: Pick<Looked, "read" | "missing">) =>
      (await troublesOf(db, now(), { ...looked, hasReceiver: true, backupHours: 0 })).map(
        ({ key, facts, patience }) => [key, facts.split(":")[0], patience / MINUTE],
      );
    const read = ["card", "stripe"] as const;
    // One that was never read is about to be, and so are those that lay still while the service did: an hour is waited.
    expect(await wrong({ read, missing: [] })).toEqual([]);
    const dueAt = new Date(now());
    await db.insert(providerPositions).values([
      { rail: "card", list: "payments", readUntil: new Date(now()), dueAt },
      { rail: "card", list: "refunds", readUntil: new Date(now() - 2 * 60 * MINUTE), dueAt },
      { rail: "stripe", list: "events", readUntil: new Date(now()), dueAt },
    ]);
    pass(60 * MINUTE);
    expect(await wrong({ read, missing: [] })).toEqual([]);
    pass(MINUTE);
    const silent = ["provider silent Razorpay", "Its lists were not read for 3 hours", 60];
    expect(await wrong({ read, missing: [] })).toEqual([silent]);
    expect(await wrong({ read: ["stripe"], missing: [] })).toEqual([]);
    const unset = "It is not set up, and orders are young enough that money may still come or go back there.";
    expect(await wrong({ read: ["stripe"], missing: ["ERC20", "card"] })).toEqual([
      ["network silent ERC20", unset, 0],
      ["provider silent Razorpay", unset, 0],
    ]);
  });

  test("orders that a provider refuses are one message a day", async () => {
    const { db, now, telling } = await begin();
    for (const order of ["A1", "A2"]) {
      const failed = momentOf("open failed", { order, rail: "card", error: "HTTP 401" });
      if (!failed) throw new Error("It is an alarm.");
      await tellMoments(db, now(), [failed], { ...telling, channels: ["ntfy"] });
    }
    expect(await db.select({ title: alertMessages.title }).from(alertMessages)).toEqual([
      { title: "Everlit: A customer could not pay" },
    ]);
  });

  test("what happens hundreds of times at once is one message of each kind, with the number and the first few", async () => {
    const { db, now } = await begin();
    const ntfyAlone = { channels: ["ntfy"], page: null } as const;
    const [one, other] = [new Moments(db, ntfyAlone), new Moments(db, ntfyAlone)];
    for (let number = 1; number <= 400; number += 1) {
      for (const process of [one, one, other])
        process.add("book differs", { what: "a transfer", order: `A${number}` });
    }
    one.add("order swept", { order: "A1" });
    one.add("call", { path: "/" });
    await Promise.all([one.tell(now()), other.tell(now())]);
    await one.tell(now());
    const told = await db.select().from(alertMessages).orderBy(alertMessages.title);
    const named = [1, 2, 3, 4, 5].map((number) => `what: a transfer\norder: A${number}`);
    const text = (event: string, ...facts: string[]) => [...facts, moments[event]?.remedy].join("\n\n");
    expect(told.map((message) => [message.title, message.text])).toEqual([
      ["Everlit: An order was confirmed late", text("order swept", "order: A1")],
      [
        "Everlit: The book does not agree with what came in",
        text("book differs", "400 at once: the log has each. The first 5:", ...named),
      ],
    ]);
  });

  test("what cannot be written down when it happens is told the next time", async () => {
    const { db, now } = await begin();
    const state = { isDown: true };
    const unsteady = new Proxy(db, {
      get(target, name, receiver) {
        if (name === "transaction" && state.isDown) throw new Error("gone");
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
    const heard = new Moments(unsteady, { channels: ["ntfy"], page: null });
    heard.add("order swept", { order: "A1" });
    await expect(heard.tell(now())).rejects.toThrow("gone");
    state.isDown = false;
    await heard.tell(now());
    await heard.tell(now() + 2 * DAY);
    expect(await db.$count(alertMessages)).toBe(1);
  });

  test("a way that is down holds up no other, and loses nothing", async () => {
    const { db, mail, telegram, passMinutes, read, titles } = await begin();
    mail.state.refuses = true;
    telegram.state.status = 401;
    await read({ headNumber: 100, headAt: new Date(START - DAY) });
    await passMinutes(3);
    expect(titles()).toEqual(["Everlit: TRC20 stands still"]);
    const errors = await db.select().from(alertMessages).where(isNotNull(alertMessages.lastError));
    expect(errors.map(({ channel }) => channel).toSorted()).toEqual(["mail", "telegram"]);
    // What Telegram is called by is its secret.
    expect(JSON.stringify(errors)).not.toContain(TOKEN);
    mail.state.refuses = false;
    telegram.state.status = 200;
    await passMinutes(60);
    expect([mail.taken.map(subjectOf), telegram.taken.length, titles().length]).toEqual([
      ["Everlit: TRC20 stands still"],
      1,
      1,
    ]);
  });

  test("a mail that one receiver is refused is sent to that one again, and to no other", async () => {
    const { db, mail, passMinutes, read } = await begin();
    mail.state.unknown = "night@example.com";
    await read({ headNumber: 100, headAt: new Date(START - DAY) });
    await passMinutes(3);
    expect(await db.select().from(alertMessages).where(eq(alertMessages.channel, "mail"))).toMatchObject([
      {
        deliveredAt: null,
        lastError: expect.stringMatching(/night@example\.com: .*Greylisted, try later/) as string,
      },
    ]);
    mail.state.unknown = "";
    await passMinutes(60);
    expect(mail.received).toEqual(["owner@example.com", "night@example.com"]);
  });

  test("a message that no one takes for three days is given up, and told of in the log", async () => {
    const { db, now, pass, ntfy, telling, settings } = await begin();
    ntfy.state.status = 500;
    await tellMoments(db, now(), [momentOf("order swept", { order: "A1" })!], {
      ...telling,
      channels: ["ntfy"],
    });
    const lines: string[] = [];
    for (let hour = 0; hour < 80; hour += 1) {
      await sendAll(db, now, sendersOf(settings), (event) => lines.push(event), never);
      pass(60 * MINUTE);
    }
    expect(lines).toEqual([...Array<string>(9).fill("alert not sent"), "alert given up"]);
    pass(90 * DAY);
    await removeOld(db, now());
    expect([await db.$count(alertMessages), await db.$count(alarms)]).toEqual([0, 0]);
  });

  test("a message of a channel that another process has is left to it; of one that none has, it is given up", async () => {
    const { db, now, pass, ntfy, telling, senders } = await begin();
    const swept = momentOf("order swept", { order: "A1" });
    if (!swept) throw new Error("It is an alarm.");
    await tellMoments(db, now(), [swept], { ...telling, channels: ["ntfy", "telegram"] });
    await sendAll(db, now, { mail: () => Promise.resolve() }, quiet, never);
    await sendAll(db, now, { ntfy: senders.ntfy! }, quiet, never);
    expect(ntfy.taken).toHaveLength(1);
    const waiting = () => db.$count(alertMessages, isNotNull(alertMessages.nextAttemptAt));
    const lines: string[] = [];
    const giveUp = () =>
      giveUpUnsent(db, now(), ["ntfy"], (event, facts) => lines.push(`${event} ${facts?.["channel"]}`));
    pass(4 * DAY);
    await giveUp();
    expect([await waiting(), lines]).toEqual([1, []]);
    pass(1);
    await giveUp();
    expect([await waiting(), lines]).toEqual([0, ["alert given up telegram"]]);
  });

  test("a message that the end of the service cut off counts as no failure, and is due at the next start", async () => {
    const { db, now, telling } = await begin();
    const swept = momentOf("order swept", { order: "A1" });
    if (!swept) throw new Error("It is an alarm.");
    await tellMoments(db, now(), [swept], { ...telling, channels: ["ntfy"] });
    const end = new AbortController();
    const cutOff = () => {
      end.abort();
      return Promise.reject(new Error("cut off"));
    };
    const lines: string[] = [];
    await sendAll(db, now, { ntfy: cutOff }, (event) => lines.push(event), end.signal);
    const [message] = await db.select().from(alertMessages);
    expect([message?.attempts, message?.nextAttemptAt?.getTime(), lines]).toEqual([0, now(), []]);
  });

  test("what happened is told once a day, by whoever hears of it; a line that is no alarm is not", async () => {
    const { db, now, pass, telling } = await begin();
    const swept = momentOf("order swept", { order: "A1" });
    const other = momentOf("order swept", { order: "A2" });
    if (!swept || !other) throw new Error("It is an alarm.");
    const told = async () =>
      (await db.selectDistinct({ text: alertMessages.text }).from(alertMessages)).length;
    await Promise.all([swept, swept, other].map((trouble) => tellMoments(db, now(), [trouble], telling)));
    pass(DAY - 1);
    await tellMoments(db, now(), [swept], telling);
    expect(await db.$count(alertMessages)).toBe(2 * 3);
    pass(2);
    await tellMoments(db, now(), [swept], telling);
    expect([await db.$count(alertMessages), await told()]).toEqual([3 * 3, 2]);
    expect(momentOf("call", { path: "/" })).toBeNull();
  });

  test("a clock that is set back keeps no message waiting longer than its tries allow", async () => {
    const { db, now, pass, ntfy, telling, senders } = await begin();
    const ntfyAlone = { ...telling, channels: ["ntfy"] } as const;
    const send = () => sendAll(db, now, senders, quiet, never);
    const tell = (order: string) => tellMoments(db, now(), [momentOf("order swept", { order })!], ntfyAlone);
    ntfy.state.status = 500;
    await tell("A1");
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await send();
      pass(3 * 60 * MINUTE);
    }
    // One that was never tried, and one that waits for hours by a clock that is a year ahead.
    pass(365 * DAY);
    await tell("A2");
    await db
      .update(alertMessages)
      .set({ nextAttemptAt: new Date(now() + 8 * 60 * MINUTE) })
      .where(eq(alertMessages.attempts, 6));
    ntfy.state.status = 200;
    pass(-365 * DAY);
    await send();
    expect(new Set(ntfy.taken.map(({ body }) => body["message"]?.split("\n")[0]))).toEqual(
      new Set(["order: A1", "order: A2"]),
    );
    // As long as its tries allow, one waits.
    ntfy.state.status = 500;
    await tell("A3");
    await send();
    ntfy.state.status = 200;
    await send();
    expect(ntfy.taken).toHaveLength(2);
    pass(10_000);
    await send();
    expect(ntfy.taken).toHaveLength(3);
  });

  test("what one process has just taken, another whose clock is a second behind does not send", async () => {
    const { db, now, pass, ntfy, telling, senders } = await begin();
    await tellMoments(db, now(), [momentOf("order swept", { order: "A1" })!], {
      ...telling,
      channels: ["ntfy"],
    });
    await db.update(alertMessages).set({ attempts: 1, nextAttemptAt: new Date(now() + MINUTE) });
    pass(-1_000);
    await sendAll(db, now, senders, quiet, never);
    expect(ntfy.taken).toEqual([]);
    pass(MINUTE + 1_000);
    await sendAll(db, now, senders, quiet, never);
    expect(ntfy.taken.length).toBe(1);
  });

  test("an alarm that begins, and a clock that is set back before it is over, say no absurd duration", async () => {
    const { db, now, pass, passMinutes, read, titles, ntfy } = await begin();
    await read({ headNumber: 100, headAt: new Date(START) });
    await passMinutes(3);
    expect(titles()).toEqual(["Everlit: TRC20 stands still"]);
    pass(-365 * DAY);
    await passMinutes(5, { headNumber: 101, headAt: new Date(START + DAY) });
    expect(titles().slice(1)).toEqual(["Everlit: over: TRC20 stands still"]);
    expect(ntfy.taken[1]?.body["message"]?.split("\n")[0]).toBe(
      "It began before the clock was set back: how long it lasted is not known.",
    );
    // Neither what began nor what ended under the other clock waits for it.
    await passMinutes(1, { headAt: new Date(START + DAY), checkedAt: new Date(now() - DAY) });
    expect(titles().length).toBe(2);
    pass(-365 * DAY);
    await passMinutes(2, { headAt: new Date(START + DAY), checkedAt: new Date(now() + DAY) });
    expect(titles().slice(2)).toEqual(["Everlit: TRC20 is not read"]);
    expect(ntfy.taken[2]?.body["message"]?.split("\n")[0]).toBe(
      "No node has answered since the clock was set back.",
    );
    await passMinutes(1);
    pass(-365 * DAY);
    await passMinutes(3);
    expect(titles().slice(3)).toEqual(["Everlit: over: TRC20 is not read"]);
    // What lies ahead of the clock is told again in its own time, not once the clock has come so far.
    await passMinutes(3, { headNumber: 101, headAt: new Date(now() - DAY) });
    expect(titles().slice(4)).toEqual(["Everlit: TRC20 stands still"]);
    const moment = momentOf("order swept", { order: "A1" })!;
    const telling = { channels: ["ntfy"], page: null } as const;
    await tellMoments(db, now() + 365 * DAY, [moment], telling);
    await tellMoments(db, now(), [moment], telling);
    await tellMoments(db, now() + MINUTE, [moment], telling);
    expect(await db.$count(alertMessages, eq(alertMessages.title, `Everlit: ${moment.what}`))).toBe(2);
  });

  test("money that waits for a person, and events that do not arrive, are told while they do", async () => {
    const { db, now, passMinutes, titles } = await begin();
    const at = new Date(now());
    const body = "{}";
    await db
      .insert(unmatchedPayments)
      .values({ rail: "usdt", eventId: "surplus:A1", reason: "surplus", body, receivedAt: at });
    await db.insert(outboxEvents).values([
      { id: "msg_1", type: "membership.extended", body, createdAt: at, nextAttemptAt: at },
      { id: "msg_2", type: "membership.extended", body, createdAt: at },
    ]);
    const fresh = { headAt: new Date(START + DAY) };
    await passMinutes(9, fresh);
    expect(titles()).toEqual(["Everlit: Money waits for you", "Everlit: Events were given up"]);
    await passMinutes(3, fresh);
    expect(titles().slice(2)).toEqual(["Everlit: Events are not delivered"]);
    await db.update(unmatchedPayments).set({ resolvedAt: at });
    await db.update(outboxEvents).set({ deliveredAt: at, nextAttemptAt: null });
    await passMinutes(4, fresh);
    expect(new Set(titles().slice(3))).toEqual(
      new Set([
        "Everlit: over: Events are not delivered",
        "Everlit: over: Events were given up",
        "Everlit: over: Money waits for you",
      ]),
    );
  });

  test("the day is told once, of yesterday, from its hour on", async () => {
    const { db, now, pass, telling } = await begin();
    const [account] = await db
      .insert(accounts)
      .values({ name: "Ann", nameKey: "ann", passwordHash: "-", createdAt: new Date(START - DAY) })
      .returning();
    const registered = { event: "registered", network: "127.0.0.1", request: "r" } as const;
    await db
      .insert(securityEvents)
      .values([START - DAY, START - 2 * DAY].map((ms) => ({ ...registered, at: new Date(ms) })));
    const sold = (id: string, confirmedAt: Date) => ({
      id,
      accountId: account!.id,
      packId: "1",
      productId: "monthly",
      packName: { en: "Monthly", "zh-CN": "月" },
      days: 30,
      network: "TRC20" as const,
      amount: 3_990_000n,
      status: 1,
      createdAt: confirmedAt,
      confirmedAt,
    });
    await db
      .insert(orders)
      .values([
        sold("A1", new Date(START - DAY)),
        sold("A2", new Date(START - DAY)),
        sold("A3", new Date(START)),
      ]);
    const tell = (hours = [7, 7]) =>
      Promise.all(
        hours.map((hour) =>
          tellSummary(db, now(), { hour, hasReceiver: true }, { ...telling, channels: ["ntfy"] }),
        ),
      );
    await tell();
    await tell();
    // At seven the next day, and not a minute before.
    pass(23 * 60 * MINUTE - 1);
    await tell();
    const [first, ...more] = await db.select().from(alertMessages);
    expect(more).toEqual([]);
    expect({ title: first?.title, text: first?.text }).toEqual({
      title: "Everlit: 2026-11-19",
      text: [
        "Paid by USDT: 2, 7.98 USDT",
        "New accounts: 1",
        "Orders not paid yet: 0",
        "Payments that wait for you: 0",
        "Events not delivered: 0",
        "No alarm is on.",
        "https://console.example",
      ].join("\n"),
    });
    pass(1);
    await tell();
    expect(await db.$count(alertMessages)).toBe(2);
    // While the hour is being changed, some processes have the one and some the other.
    pass(60 * MINUTE);
    for (let look = 0; look < 3; look += 1) await tell([7, 9]);
    expect(await db.$count(alertMessages)).toBe(2);
    pass(-3 * DAY);
    await tell();
    await tell();
    expect(await db.$count(alertMessages)).toBe(3);
  });

  test("the command tries each way and says what became of it", async () => {
    const { db, now, mail, settings, telegram } = await begin();
    telegram.state.status = 403;
    const ledger = { db, now, log: quiet, tolerance: 0n, lateDays: 7 };
    const call = { ledger, args: [], options: {}, actor: "test", right: "money" as const };
    const told = await run("alert-test", {
      ...call,
      alerts: { ...settings, summaryHour: 7, backupHours: 0 },
    });
    expect(told).toEqual([
      { channel: "mail", result: "taken" },
      { channel: "telegram", result: "Error: HTTP 403" },
      { channel: "ntfy", result: "taken" },
    ]);
    expect(mail.taken.map(subjectOf)).toEqual(["Everlit: a test"]);
    await expect(run("alert-test", call)).rejects.toThrow("No way is set.");
    await db.insert(alarms).values({ key: "x", what: "TRC20 stands still", begunAt: new Date(START) });
    expect(await run("alarms", call)).toEqual([
      { since: new Date(START).toISOString(), what: "TRC20 stands still" },
    ]);
  });

  test("a backup that is old is told of, one that failed is none, and a new one ends it", async () => {
    const { db, now, pass } = await begin();
    const wrong = async (backupHours: number) =>
      (await troublesOf(db, now(), { read: [], missing: [], hasReceiver: true, backupHours })).map(
        ({ facts }) => facts,
      );
    const backUp = async (details: Record<string, unknown>) =>
      db.insert(auditEntries).values({
        at: new Date(now()),
        actor: "cron",
        action: "backup",
        subject: "database",
        reason: "/backups/1",
        details,
      });
    expect([await wrong(0), await wrong(26)]).toEqual([
      [],
      ["None has been made by a command or on the operator's page."],
    ]);
    await backUp({ bytes: 1_000 });
    pass(26 * 60 * MINUTE);
    expect(await wrong(26)).toEqual([]);
    pass(MINUTE);
    // Neither one that failed nor one that is being written counts.
    await backUp({ failed: "Error: no space left" });
    await backUp({});
    expect([await wrong(26), await wrong(0)]).toEqual([["It was made 26 hours ago."], []]);
    await backUp({ bytes: 1_000 });
    expect(await wrong(26)).toEqual([]);
    // Of one that lies ahead of the clock by more than that no one knows how old it is.
    pass(-26 * 60 * MINUTE);
    expect(await wrong(26)).toEqual([]);
    pass(-MINUTE);
    expect(await wrong(26)).toEqual([
      "It was made before the clock was set back: how old it is, is not known.",
    ]);
  });

  test("without a way to tell, alarms begin and end for the page, and are told once a way is set", async () => {
    const { db, now, pass, telling } = await begin();
    const shown = async () =>
      (await todayOf(db, now(), true)).alarms.map(({ kind: of, about, since }) => [of, about, since]);
    const silent = (network: string) => ({
      key: `network silent ${network}`,
      what: `${network} is not read`,
      facts: "",
      remedy: "",
      patience: 0,
    });
    const [mute, loud] = [new AlarmBoard(db, { channels: [], page: null }), new AlarmBoard(db, telling)];
    await mute.compare([silent("TRC20"), silent("ERC20")], now());
    const since = new Date(START).toISOString();
    const both = [
      ["network silent", "TRC20", since],
      ["network silent", "ERC20", since],
    ];
    expect([await shown(), await db.$count(alertMessages)]).toEqual([both, 0]);
    // One ends untold, and no end of it is told either.
    for (const minutes of [1, 2, 3]) {
      pass(minutes * MINUTE);
      await mute.compare([silent("TRC20")], now());
    }
    expect([await shown(), await db.$count(alertMessages)]).toEqual([both.slice(0, 1), 0]);
    await loud.compare([silent("TRC20")], now());
    await loud.compare([silent("TRC20")], now());
    expect([await shown(), await db.$count(alertMessages)]).toEqual([both.slice(0, 1), 3]);
    // A process without a way does not untell it.
    await mute.compare([silent("TRC20")], now());
    await loud.compare([silent("TRC20")], now());
    expect(await db.$count(alertMessages)).toBe(3);
    await loud.compare([], now());
    pass(2 * MINUTE);
    await loud.compare([], now());
    expect([await shown(), await db.$count(alertMessages)]).toEqual([[], 6]);
    await db.insert(alarms).values({ key: "of a later release", what: "Odd", begunAt: new Date(START) });
    expect((await todayOf(db, now(), true)).alarms).toEqual([
      { kind: null, about: null, what: "Odd", since },
    ]);
  });

  test("a service without a way to tell looks all the same, and sends nothing", async () => {
    const { db, now } = await begin();
    const ledger = { db, now, log: quiet, tolerance: 0n, lateDays: 7 };
    const none = { mail: null, telegram: null, ntfy: null, summaryHour: 7, backupHours: 26 };
    const alerts = startAlerts(ledger, {
      alerts: none,
      page: null,
      read: [],
      missing: () => Promise.resolve([]),
      hasReceiver: false,
    });
    alerts.heard("book differs", { what: "transfer", amount: "1" });
    await expect
      .poll(async () => db.select({ key: alarms.key }).from(alarms), { timeout: 20_000 })
      .toEqual([{ key: "backup old" }]);
    await alerts.stop();
    expect(await db.$count(alertMessages)).toBe(0);
  });

  test("the service tells by itself: its log is heard, and its jobs end", async () => {
    const { db, now, settings, ntfy } = await begin();
    const ledger = { db, now, log: quiet, tolerance: 0n, lateDays: 7 };
    const alerts = startAlerts(ledger, {
      alerts: { ...settings, mail: null, telegram: null, summaryHour: 7, backupHours: 0 },
      page: null,
      read: [],
      missing: () => Promise.resolve([]),
      hasReceiver: false,
    });
    alerts.heard("book differs", { what: "transfer", amount: "1" });
    await expect.poll(() => ntfy.taken.length, { timeout: 20_000 }).toBe(2);
    alerts.heard("order swept", { order: "A1" });
    await alerts.stop();
    // What came last is sent at the next start.
    expect(await db.$count(alarms, eq(alarms.key, "order swept order: A1"))).toBe(1);
    expect(new Set(ntfy.taken.map(({ body }) => body["title"]))).toEqual(
      new Set(["Everlit: 2026-11-19", "Everlit: The book does not agree with what came in"]),
    );
    expect(await db.$count(alarms, eq(alarms.what, "The book does not agree with what came in"))).toBe(1);
  });

  test("a way that hangs holds up no other", async () => {
    const { db, now, settings, titles } = await begin();
    const { promise: hangs, resolve: hang } = Promise.withResolvers<void>();
    const hanging = createServer(() => hang()).listen(0, "127.0.0.1");
    await once(hanging, "listening");
    onTestFinished(() => {
      hanging.closeAllConnections();
      hanging.close();
    });
    const api = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const telegram = { api, token: TOKEN, chat: "-42" };
    const tell = (channel: Channel) => addMessages(db, now(), [channel], { title: channel, text: "" });
    await tell("telegram");
    const ledger = { db, now, log: quiet, tolerance: 0n, lateDays: 7 };
    const alerts = startAlerts(ledger, {
      alerts: { ...settings, mail: null, telegram, summaryHour: 23, backupHours: 0 },
      page: null,
      read: [],
      missing: () => Promise.resolve([]),
      hasReceiver: false,
    });
    onTestFinished(alerts.stop);
    await hangs;
    await tell("ntfy");
    await expect.poll(titles, { timeout: 8_000 }).toContain("ntfy");
  });
});
