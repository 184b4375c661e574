/** Outgoing events: written with what they tell of, signed by the standard, delivered until they are accepted, given up after days, and replayed. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { eq, inArray } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { announceNext } from "../../src/service/events/account-events.ts";
import { startJobs } from "../../src/service/payments/jobs.ts";
import {
  announceEnds,
  extendMembership,
  retractEnds,
  revokeMembership,
} from "../../src/service/payments/membership.ts";
import { deliverEvents, replayEvents } from "../../src/service/events/outbox.ts";
import type { Database, Store } from "../../src/service/store/database.ts";
import { accounts, membershipEntries, orders, outboxEvents } from "../../src/service/store/schema.ts";
import { inTransaction } from "../../src/service/store/transaction.ts";
import { run } from "../../src/service/operations/admin/commands.ts";
import { emptyStore, everyDatabase, freshName, serve, START } from "./support.ts";

const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const DAY = 86_400_000;
const HOUR = 3_600_000;

interface Told {
  data: { account_id: string; account_key: string; sequence: number; active: boolean; locked: boolean };
}

interface Received {
  headers: Record<string, string>;
  body: string;
}

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
});

type StatusOf = (headers: Received["headers"], body: string) => number;

/** A receiver on a port of its own, which answers with the next of these, the last one for ever. */
async function receiver(...statuses: (number | StatusOf)[]) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const headers = request.headers as Record<string, string>;
      received.push({ headers, body });
      const status = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200;
      response.writeHead(typeof status === "number" ? status : status(headers, body)).end();
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/events`, secrets: [SECRET], received };
}

describe.each(everyDatabase)("on the %s database", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());

  /** A member whose order has just been confirmed. */
  async function begin() {
    await store.db.delete(outboxEvents);
    const { member, order, service, clock, ledger } = await serve(store);
    const name = freshName();
    const made = await order(await member(name));
    const [row] = await store.db.select().from(orders).where(eq(orders.id, made.id));
    if (!row) throw new Error("The order was made.");
    await inTransaction(store.db, (tx) => extendMembership(tx, row, clock.now));
    const lines: string[] = [];
    const deliver = (to: Awaited<ReturnType<typeof receiver>>) =>
      deliverEvents(
        store.db,
        () => clock.now,
        to,
        (event) => lines.push(event),
      );
    const events = () => store.db.select().from(outboxEvents).orderBy(outboxEvents.createdAt);
    const admin = (command: string, args: string[] = []) =>
      run(command, { ledger, args, options: { reason: "test" }, actor: "test" });
    /** What the events about the member tell, the earliest first. */
    const told = async () => {
      const about = (await events()).map(({ type, body }) => ({ type, ...(JSON.parse(body) as Told).data }));
      return about
        .filter(({ account_id }) => account_id === String(row.accountId))
        .toSorted((one, other) => one.sequence - other.sequence);
    };
    const change = (act: (tx: Database) => Promise<unknown>) => inTransaction(store.db, act);
    return { name, made, row, service, clock, ledger, deliver, events, lines, admin, told, change };
  }

  /** A member as `begin` has it, beside whom no membership is left of the tests before. */
  async function beginAlone() {
    const endAll = () => store.db.update(accounts).set({ membershipEndsAt: null });
    await endAll();
    onTestFinished(async () => void (await endAll()));
    return begin();
  }

  test("an event is signed by the standard, and says what became of the membership", async () => {
    const { name, made, row, deliver } = await begin();
    const to = await receiver(204);
    // The signature's time must be that of the receiver's clock.
    const [event] = await store.db.select().from(outboxEvents);
    expect(await deliver(to)).toBe(1);
    expect(await deliver(to)).toBe(0);
    const [sent] = to.received;
    expect(to.received).toHaveLength(1);
    expect(JSON.parse(sent?.body ?? "")).toEqual({
      type: "membership.extended",
      timestamp: new Date(START).toISOString(),
      data: {
        account_id: String(row.accountId),
        account_name: name,
        account_key: name,
        sequence: START,
        active: true,
        ends_at: new Date(START + 30 * DAY).toISOString(),
        locked: false,
        deleted: false,
        order_id: made.id,
        reason: "order",
        days: 30,
      },
    });
    const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature } = sent?.headers ?? {};
    expect(id).toBe(event?.id);
    expect(signature).toBe(new Webhook(SECRET).sign(id ?? "", new Date(Number(at) * 1000), sent?.body ?? ""));
  });

  test("it is delivered again until it is accepted, with the same id, later each time", async () => {
    const { deliver, clock, events } = await begin();
    const to = await receiver(500, 302, 429, 200);
    for (const wait of [5_000, 30_000, 120_000]) {
      await deliver(to);
      await deliver(to);
      clock.now += wait - 1;
      await deliver(to);
      clock.now += 1;
    }
    expect(await deliver(to)).toBe(1);
    expect(to.received).toHaveLength(4);
    expect(new Set(to.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(await events()).toMatchObject([{ attempts: 4, nextAttemptAt: null, lastError: null }]);
  });

  test("a delivery that the end of the service cut off is no failed one", async () => {
    const { events, clock, ledger } = await begin();
    const ending = new AbortController();
    const server = createServer(() => ending.abort());
    servers.push(server);
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const to = { url: `http://127.0.0.1:${port}/events`, secrets: [SECRET] };
    await deliverEvents(store.db, () => clock.now, to, ledger.log, ending.signal);
    expect(await events()).toMatchObject([
      { attempts: 0, nextAttemptAt: new Date(clock.now), lastError: null },
    ]);
  });

  test("it is given up after days, with an alarm, and replayed on demand", async () => {
    const { deliver, clock, events, lines } = await begin();
    const down = await receiver(500);
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await deliver(down);
      clock.now += 24 * HOUR;
    }
    expect(down.received).toHaveLength(10);
    expect(lines.at(-1)).toBe("event given up");
    expect(await events()).toMatchObject([{ nextAttemptAt: null, deliveredAt: null, lastError: "HTTP 500" }]);
    const up = await receiver(200);
    expect(await deliver(up)).toBe(0);
    expect(await replayEvents(store.db, clock.now)).toBe(1);
    expect(await deliver(up)).toBe(1);
    const [event] = await events();
    expect(await replayEvents(store.db, clock.now, event?.id)).toBe(1);
    expect(await deliver(up)).toBe(1);
  });

  test("what waits for hours is sent once the receiver accepts another one, those written first at first", async () => {
    const { deliver, row, clock, change, events } = await begin();
    const buy = () => change((tx) => extendMembership(tx, row, clock.now));
    for (let more = 0; more < 2; more += 1) {
      clock.now += 1_000;
      await buy();
    }
    const down = await receiver(500);
    const end = clock.now + 5 * HOUR;
    while (clock.now < end) {
      await deliver(down);
      clock.now += 10 * 60_000;
    }
    const up = await receiver(200);
    expect(await deliver(up)).toBe(0);
    await buy();
    expect(await deliver(up)).toBe(4);
    const ids = up.received.map(({ headers }) => headers["webhook-id"]);
    const written = (await events()).map(({ id }) => id);
    expect(ids).toEqual([...written.slice(-1), ...written.slice(0, -1)]);
  });

  test("one that is refused while others are accepted is tried every ten minutes at most, and given up no sooner", async () => {
    const { deliver, row, clock, change, events, lines } = await begin();
    const [refused] = await events();
    const picky = await receiver((headers) => (headers["webhook-id"] === refused?.id ? 500 : 200));
    const tries = () => picky.received.filter(({ headers }) => headers["webhook-id"] === refused?.id).length;
    const buyAndDeliver = async () => {
      await change((tx) => extendMembership(tx, row, clock.now));
      await deliver(picky);
      clock.now += 5 * 60_000;
    };
    const end = START + 50 * HOUR;
    for (; clock.now < START + 2 * HOUR;) await buyAndDeliver();
    expect(tries()).toBeLessThanOrEqual(2 + 12);
    expect(tries()).toBeGreaterThan(10);
    clock.now = end;
    await buyAndDeliver();
    expect(lines).not.toContain("event given up");
    clock.now = START + 61 * HOUR;
    await buyAndDeliver();
    expect(lines.at(-1)).toBe("event given up");
  });

  test("events that wait are replayed at once, too, in the order in which they were written", async () => {
    const { deliver, row, clock, change, admin, events } = await begin();
    clock.now += 1_000;
    await change((tx) => extendMembership(tx, row, clock.now));
    const down = await receiver(500);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await deliver(down);
      clock.now += 10 * 60_000;
    }
    const up = await receiver(200);
    expect(await deliver(up)).toBe(0);
    expect(await admin("replay-events")).toMatchObject([{ due: 2 }]);
    expect(await deliver(up)).toBe(2);
    expect(up.received.map(({ headers }) => headers["webhook-id"])).toEqual(
      (await events()).map(({ id }) => id),
    );
    expect(await admin("replay-events")).toMatchObject([{ due: 0 }]);
  });

  test("a clock that is set back keeps none waiting longer than its tries allow", async () => {
    const { deliver, clock, events } = await begin();
    const down = await receiver(500);
    for (const tries of [1, 2, 3, 4]) {
      clock.now -= 6 * HOUR;
      await deliver(down);
      await deliver(down);
      expect(await events()).toMatchObject([{ attempts: tries, deliveredAt: null }]);
    }
    // A process took it, and died while it was under way.
    await store.db.update(outboxEvents).set({ nextAttemptAt: new Date(clock.now + 60_000) });
    clock.now -= 6 * HOUR;
    expect(await deliver(await receiver(200))).toBe(1);
  });

  test("what one process has just taken, another whose clock is a second behind does not deliver", async () => {
    const { deliver, clock } = await begin();
    await store.db.update(outboxEvents).set({ attempts: 1, nextAttemptAt: new Date(clock.now + 60_000) });
    clock.now -= 1_000;
    expect(await deliver(await receiver(200))).toBe(0);
    clock.now += 61_000;
    expect(await deliver(await receiver(200))).toBe(1);
  });

  test("two processes deliver each event once", async () => {
    const { deliver, row, clock } = await begin();
    for (let more = 0; more < 5; more += 1) {
      await inTransaction(store.db, (tx) => extendMembership(tx, row, clock.now));
    }
    const to = await receiver(200);
    await Promise.all([deliver(to), deliver(to), deliver(to)]);
    expect(to.received).toHaveLength(6);
  });

  test("the end of a membership is announced once, and again after a renewal has ended", async () => {
    const { name, row, clock, events } = await begin();
    expect(await announceEnds(store.db, clock.now)).toBe(0);
    clock.now = START + 31 * DAY;
    await announceEnds(store.db, clock.now);
    expect(await announceEnds(store.db, clock.now)).toBe(0);
    await inTransaction(store.db, (tx) => extendMembership(tx, row, clock.now));
    clock.now += 31 * DAY;
    await announceEnds(store.db, clock.now);
    const own = (await events()).filter(({ body }) => body.includes(`"account_name":"${name}"`));
    expect(own.filter(({ type }) => type === "membership.ended")).toHaveLength(2);
    await store.db.update(accounts).set({ membershipEndsAt: null }).where(eq(accounts.id, row.accountId));
  });

  test("an end that a clock told of too early is taken back, and told again when it is there", async () => {
    const { clock, told } = await beginAlone();
    const end = START + 30 * DAY;
    clock.now = end + HOUR;
    await announceEnds(store.db, clock.now);
    expect(await retractEnds(store.db, clock.now)).toBe(0);
    // Another process whose clock is a little behind leaves it.
    expect(await retractEnds(store.db, end - 60_000)).toBe(0);
    clock.now = START + DAY;
    expect(await retractEnds(store.db, clock.now)).toBe(1);
    expect(await retractEnds(store.db, clock.now)).toBe(0);
    expect(await announceEnds(store.db, clock.now)).toBe(0);
    clock.now = end;
    expect(await announceEnds(store.db, clock.now)).toBe(1);
    const state = { locked: false, ends_at: new Date(end).toISOString() };
    expect(await told()).toMatchObject([
      { type: "membership.extended", active: true, ...state },
      { type: "membership.ended", active: false, ...state },
      { type: "membership.state", active: true, ...state },
      { type: "membership.ended", active: false, ...state },
    ]);
  });

  test("ends that were told of too early are taken back however many, but for deleted accounts", async () => {
    await beginAlone();
    const ends = new Date(START + DAY);
    const names = Array.from({ length: 402 }, freshName);
    await store.db.insert(accounts).values(
      names.map((name, at) => ({
        name,
        nameKey: name,
        passwordHash: "",
        createdAt: new Date(START),
        membershipEndsAt: ends,
        membershipEndAnnounced: ends,
        deletedAt: at === 0 ? new Date(START) : null,
      })),
    );
    onTestFinished(async () => void (await store.db.delete(accounts).where(inArray(accounts.name, names))));
    expect(await retractEnds(store.db, START, AbortSignal.abort())).toBe(200);
    expect(await retractEnds(store.db, START)).toBe(201);
    expect(await store.db.$count(outboxEvents, eq(outboxEvents.type, "membership.state"))).toBe(401);
  });

  test("the service takes back by itself, at its start, what its clock told of too early", async () => {
    const { clock, ledger, service, told } = await beginAlone();
    await announceEnds(store.db, START + 31 * DAY);
    const stop = startJobs({ ...ledger, db: service.db, now: () => clock.now }, null, async () => undefined);
    await stop();
    expect((await told()).at(-1)).toMatchObject({ type: "membership.state", active: true });
  });

  test("every event about an account tells its whole state, and the latest one alone suffices", async () => {
    const { row, clock, admin, told, change, name } = await begin();
    await admin("lock", [name]);
    clock.now += DAY;
    await admin("unlock", [name]);
    await change((tx) => revokeMembership(tx, row, "refund", clock.now));
    await announceEnds(store.db, clock.now);
    const end = new Date(START + 30 * DAY).toISOString();
    const gone = new Date(START + DAY).toISOString();
    expect(await told()).toMatchObject([
      { type: "membership.extended", active: true, locked: false, ends_at: end },
      { type: "member.locked", active: false, locked: true, ends_at: end },
      { type: "member.unlocked", active: true, locked: false, ends_at: end },
      { type: "membership.revoked", active: false, locked: false, ends_at: gone, days: -29 },
      { type: "membership.ended", active: false, locked: false, ends_at: gone },
    ]);
  });

  test("the sequence grows with each event, when several are of one moment and when the clock is set back", async () => {
    const { row, clock, told, change, name, admin } = await begin();
    await admin("lock", [name]);
    clock.now -= 6 * HOUR;
    await admin("unlock", [name]);
    await change((tx) => extendMembership(tx, row, clock.now));
    const sequences = (await told()).map(({ sequence }) => sequence);
    expect(sequences).toEqual([START, START + 1, START + 2, START + 3]);
  });

  test("the sequence goes on above the numbers that earlier releases gave", async () => {
    const { row, clock, told, change } = await begin();
    const [entry] = await store.db
      .insert(membershipEntries)
      .overridingSystemValue()
      .values({
        id: START + 5 * DAY,
        accountId: row.accountId,
        reason: "credit",
        days: 1,
        beginsAt: new Date(START),
        endsAt: new Date(START + 31 * DAY),
        createdAt: new Date(START),
      })
      .returning();
    await store.db.update(accounts).set({ eventSequence: null }).where(eq(accounts.id, row.accountId));
    await change((tx) => revokeMembership(tx, row, "refund", clock.now));
    expect((await told()).at(-1)?.sequence).toBe((entry?.id ?? 0) + 1);
  });

  test("a renewal has the last word over the end that it overtook", async () => {
    const { row, clock, told, change, deliver } = await begin();
    clock.now = START + 31 * DAY;
    await announceEnds(store.db, clock.now);
    // The receiver refuses the end, the member buys, and the end is sent again after that.
    await deliver(await receiver(500));
    await change((tx) => extendMembership(tx, row, clock.now));
    clock.now += HOUR;
    const to = await receiver(200);
    await deliver(to);
    const data = to.received
      .map(({ body }) => (JSON.parse(body) as Told).data)
      .toSorted((one, other) => one.sequence - other.sequence);
    expect(data.at(-1)).toMatchObject({ active: true });
    expect((await told()).map(({ type }) => type)).toEqual([
      "membership.extended",
      "membership.ended",
      "membership.extended",
    ]);
  });

  test("while the secret is changed, a receiver that knows either accepts", async () => {
    const { deliver } = await begin();
    const older = `whsec_${Buffer.alloc(24, 8).toString("base64")}`;
    const to = { ...(await receiver(200)), secrets: [SECRET, older] };
    vi.useFakeTimers({ toFake: ["Date"], now: START });
    onTestFinished(() => void vi.useRealTimers());
    await deliver(to);
    const [sent] = to.received;
    for (const secret of to.secrets) {
      expect(() => new Webhook(secret).verify(sent?.body ?? "", sent?.headers ?? {})).not.toThrow();
    }
    const another = `whsec_${Buffer.alloc(24, 9).toString("base64")}`;
    expect(() => new Webhook(another).verify(sent?.body ?? "", sent?.headers ?? {})).toThrow(
      "No matching signature found",
    );
  });

  test("every member whose membership runs is announced again, page by page, and may be another time", async () => {
    const { row, clock, admin, deliver, events } = await begin();
    await store.db.update(accounts).set({ membershipEndsAt: null });
    const many = Array.from({ length: 150 }, (_, at) => ({ at, name: freshName() }));
    await store.db.insert(accounts).values(
      many.map(({ at, name }) => ({
        name,
        nameKey: name,
        passwordHash: "",
        createdAt: new Date(START),
        // Some have ended long ago or lately, and some end at the same moment.
        membershipEndsAt: new Date(START + (at < 20 ? -40 : at < 30 ? -20 : (at % 40) + 1) * DAY),
      })),
    );
    await store.db.delete(outboxEvents);
    for (let round = 0; round < 2; round += 1) {
      expect(await announceNext(store.db, clock.now)).toBe(0);
      expect(await admin("announce-members")).toMatchObject([{ members: 130 }]);
      const to = await receiver(200);
      expect(await announceNext(store.db, clock.now)).toBe(100);
      // The next ones wait until these are delivered.
      expect(await announceNext(store.db, clock.now)).toBe(0);
      await deliver(to);
      // One that buys meanwhile is told of by that.
      await inTransaction(store.db, (tx) => extendMembership(tx, row, clock.now + round));
      await deliver(to);
      expect(await announceNext(store.db, clock.now)).toBeGreaterThanOrEqual(30);
      await deliver(to);
      expect(await announceNext(store.db, clock.now)).toBe(0);
      const states = to.received.map(({ body }) => JSON.parse(body) as Told & { type: string });
      const announced = states.filter(({ type }) => type === "membership.state");
      expect(new Set(announced.map(({ data }) => data.account_id)).size).toBe(announced.length);
      // A receiver that was restored from its own backup lets in none of those whose membership was ended since.
      expect(announced.filter(({ data }) => !data.active)).toHaveLength(10);
      expect(announced.length).toBeGreaterThanOrEqual(130);
      await store.db.update(accounts).set({ membershipEndsAt: null }).where(eq(accounts.id, row.accountId));
    }
    expect((await events()).length).toBeGreaterThan(260);
    await store.db.update(accounts).set({ membershipEndsAt: null });
  });

  test("members whom a receiver refuses hold up the announcing of others for a quarter of an hour at most", async () => {
    const { clock, admin, deliver, events } = await beginAlone();
    const names = Array.from({ length: 250 }, freshName);
    await store.db.insert(accounts).values(
      names.map((name, at) => ({
        name,
        nameKey: name,
        passwordHash: "",
        createdAt: new Date(START),
        membershipEndsAt: new Date(START + (at + 1) * DAY),
      })),
    );
    await store.db.delete(outboxEvents);
    await admin("announce-members");
    const to = await receiver((_, body) =>
      Number((JSON.parse(body) as Told).data.account_id) % 10 < 6 ? 500 : 200,
    );
    expect(await announceNext(store.db, clock.now)).toBe(100);
    // A receiver that accepts none is not overwhelmed.
    await deliver(await receiver(500));
    expect(await announceNext(store.db, clock.now)).toBe(0);
    for (const wait of [5, 30, 120, 600]) {
      clock.now += wait * 1_000;
      await deliver(to);
    }
    expect(await announceNext(store.db, clock.now)).toBeGreaterThan(0);
    expect((await events()).filter(({ attempts }) => attempts === 5).length).toBeGreaterThan(50);
  });

  test("a receiver that is set up late hears how each account stands, and nothing that was overtaken", async () => {
    const { row, clock, admin, change, name, deliver, events } = await begin();
    await admin("lock", [name]);
    await admin("unlock", [name]);
    clock.now += 3 * DAY;
    const to = await receiver(200);
    expect(await deliver(to)).toBe(1);
    expect(to.received.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
      { type: "member.unlocked", data: { account_name: name, active: true } },
    ]);
    expect((await events()).filter(({ nextAttemptAt }) => nextAttemptAt !== null)).toEqual([]);
    // What waits for less than an hour is sent, each of it, and so is what was tried.
    await change((tx) => extendMembership(tx, row, clock.now));
    await admin("lock", [name]);
    expect(await deliver(await receiver(500))).toBe(0);
    clock.now += DAY;
    await admin("unlock", [name]);
    expect(await deliver(to)).toBe(3);
  });

  test("that an account was deleted is sent with its name, though it was overtaken", async () => {
    const { row, clock, deliver } = await begin();
    const [account] = await store.db.select().from(accounts).where(eq(accounts.id, row.accountId));
    const at = new Date(clock.now);
    await store.db.insert(outboxEvents).values({
      id: "msg_deleted",
      type: "member.deleted",
      body: JSON.stringify({ data: { account_id: String(row.accountId), sequence: 1 } }),
      createdAt: at,
      nextAttemptAt: at,
    });
    expect(account?.eventSequence ?? 0).toBeGreaterThan(1);
    clock.now += DAY;
    const to = await receiver(200);
    await deliver(to);
    expect(to.received.map(({ headers }) => headers["webhook-id"])).toContain("msg_deleted");
  });

  test("what was overtaken in years without a receiver is settled together, before the first is sent", async () => {
    const { row, clock, deliver, events, change } = await begin();
    const [account] = await store.db.select().from(accounts).where(eq(accounts.id, row.accountId));
    const sequence = account?.eventSequence ?? 0;
    const about = (id: string, of: object, at: number) => ({
      id,
      type: "membership.state",
      body: JSON.stringify({ data: of }),
      createdAt: new Date(START + at),
      nextAttemptAt: new Date(START + at),
    });
    await store.db.insert(outboxEvents).values([
      ...Array.from({ length: 2_500 }, (_, at) =>
        about(
          `msg_${at}`,
          { account_id: String(row.accountId), sequence: sequence - 2_500 + at },
          at - 2_500,
        ),
      ),
      // What is about no account that is there stays.
      about("msg_other", { amount: "3.99" }, 1),
      about("msg_gone", { account_id: "999999999", sequence: 1 }, 2),
    ]);
    clock.now += DAY;
    await change((tx) => extendMembership(tx, row, clock.now));
    const statements = vi.spyOn(store.db, "transaction");
    onTestFinished(() => statements.mockRestore());
    const to = await receiver(200);
    expect(await deliver(to)).toBe(3);
    // One transaction for each that is sent, and one that finds no more.
    expect(statements).toHaveBeenCalledTimes(4);
    const settled = (await events()).filter(({ lastError }) => lastError !== null);
    expect([settled.length, new Set(settled.map(({ attempts }) => attempts))]).toEqual([2_501, new Set([0])]);
  });

  test("the service announces by itself where there is a receiver", async () => {
    const { clock, admin, ledger, service, lines } = await begin();
    const to = await receiver(200);
    await admin("announce-members");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const stop = startJobs({ ...ledger, db: service.db, now: () => clock.now }, to, async () => undefined);
    onTestFinished(stop);
    expect(lines).toEqual([]);
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(2_000);
      expect(to.received.some(({ body }) => body.includes("membership.state"))).toBe(true);
    });
  });

  test("the receiver of docs/operating.md lets in who has the member's password, as the real events say", async () => {
    const [, source = ""] =
      /```js\n(\/\/ receiver\.mjs[^]+?)```/.exec(readFileSync("docs/operating.md", "utf8")) ?? [];
    const file = join(import.meta.dirname, `../../build/receiver-${process.pid}-${kind}.mjs`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, source);
    onTestFinished(() => rmSync(file));
    vi.stubEnv("EVENTS_SECRET", SECRET);
    vi.stubEnv("VPN_KEY", "a key of the test");
    vi.stubEnv("HYSTERIA_API", "http://vpn.example");
    const kicked: unknown[] = [];
    const realFetch = fetch;
    vi.stubGlobal("fetch", async (url: string, request: RequestInit) => {
      if (!url.startsWith("http://vpn.example")) return realFetch(url, request);
      kicked.push([url, request.body]);
      return new Response();
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    /** A receiver without memory. */
    const setUp = async (number: number) =>
      (await import(/* @vite-ignore */ `${pathToFileURL(file).href}?${number}`)) as {
        handle(headers: Record<string, string>, body: string): number;
        whoMayConnect(auth: string, at: number): string | null;
        passwordOf(accountId: string): string;
        server: Server;
      };
    let example = await setUp(1);
    vi.useFakeTimers({ toFake: ["Date"], now: START });
    onTestFinished(() => void vi.useRealTimers());

    const { member, order, clock, ledger } = await serve(store);
    await store.db.delete(outboxEvents);
    const made = await order(await member("Straße Ａnna1"));
    const [row] = await store.db.select().from(orders).where(eq(orders.id, made.id));
    if (!row) throw new Error("The order was made.");
    const password = example.passwordOf(String(row.accountId));
    const admin = (command: string, args: string[] = []) =>
      run(command, { ledger, args, options: { reason: "test" }, actor: "test" });
    const to = await receiver(200);
    const deliver = async () => {
      await deliverEvents(store.db, () => clock.now, to, ledger.log);
      return to.received.splice(0);
    };
    const hand = (sent: readonly Received[]) =>
      sent.map(({ headers, body }) => example.handle(headers, body));
    const mayConnect = (name = "Straße Ａnna1", secret = password) =>
      example.whoMayConnect(`${name}:${secret}`, clock.now) !== null;

    expect(mayConnect()).toBe(false);
    await inTransaction(store.db, (tx) => extendMembership(tx, row, clock.now));
    const [paid] = await deliver();
    if (!paid) throw new Error("The event was sent.");
    // What was changed on its way is refused.
    expect(example.handle(paid.headers, paid.body.replace('"active":true', '"active":"yes"'))).toBe(401);
    expect(hand([paid, paid])).toEqual([204, 204]);
    expect(mayConnect()).toBe(true);
    for (const spelling of ["strasse anna1", "STRASSE ANNA1", "Straße Anna1"])
      expect(mayConnect(spelling)).toBe(true);
    for (const wrong of ["", password.toUpperCase(), "x".repeat(43)])
      expect(mayConnect("strasse anna1", wrong)).toBe(false);
    expect(example.whoMayConnect("strasse anna1", clock.now)).toBeNull();
    expect(mayConnect("somebody else")).toBe(false);

    const { server } = example;
    servers.push(server);
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answerTo = async (path: string, body?: string) => {
      const answer = await fetch(address + path, body === undefined ? {} : { method: "POST", body });
      return [answer.status, await answer.text()];
    };
    const auth = (secret: string) => JSON.stringify({ auth: `strasse anna1:${secret}` });
    const may = [200, JSON.stringify({ ok: true, id: String(row.accountId) })];
    const mayNot = [200, JSON.stringify({ ok: false, id: "" })];
    for (const path of ["/events", "/events?x"]) expect(await answerTo(path)).toEqual([401, ""]);
    for (const body of [undefined, "", "null", "x".repeat(1_000_001)])
      expect(await answerTo("/", body)).toEqual([400, ""]);
    expect(await answerTo("//")).toEqual([400, ""]);
    expect(await answerTo("/", auth("é".repeat(43)))).toEqual(mayNot);
    expect(await answerTo("/", auth(password))).toEqual(may);

    await admin("lock", ["strasse anna1"]);
    const locked = await deliver();
    hand(locked);
    expect(mayConnect()).toBe(false);
    expect(kicked).toEqual([["http://vpn.example/kick", JSON.stringify([String(row.accountId)])]]);
    // An earlier event that arrives again changes nothing.
    hand([paid]);
    expect(mayConnect()).toBe(false);
    await admin("unlock", ["strasse anna1"]);
    const unlocked = await deliver();
    // In the wrong order.
    hand([...unlocked, ...locked]);
    expect(mayConnect()).toBe(true);

    example = await setUp(2);
    expect(mayConnect()).toBe(false);
    await admin("announce-members");
    await announceNext(store.db, clock.now);
    hand(await deliver());
    expect(mayConnect()).toBe(true);

    clock.now = START + 31 * DAY;
    expect(mayConnect()).toBe(false);
    await announceEnds(store.db, clock.now);
    await inTransaction(store.db, (tx) => extendMembership(tx, { ...row, id: row.id }, clock.now));
    vi.setSystemTime(clock.now);
    hand((await deliver()).toReversed());
    expect(mayConnect()).toBe(true);
    await inTransaction(store.db, (tx) => revokeMembership(tx, row, "refund", clock.now));
    hand(await deliver());
    expect(mayConnect()).toBe(false);
  });
});
