/** Outgoing events: written with what they tell of, signed by the standard, delivered until they are accepted, given up after days, and replayed. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { eq } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { announceEnds, extendMembership } from "../../src/service/payments/membership.ts";
import { deliverEvents, replayEvents } from "../../src/service/payments/outbox.ts";
import type { Store } from "../../src/service/store/database.ts";
import { accounts, orders, outboxEvents } from "../../src/service/store/schema.ts";
import { inTransaction } from "../../src/service/store/transaction.ts";
import { databases, emptyStore, freshName, serve, START } from "./support.ts";

const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const DAY = 86_400_000;
const HOUR = 3_600_000;

interface Received {
  headers: Record<string, string>;
  body: string;
}

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
});

/** A receiver on a port of its own, which answers with the next of these, the last one for ever. */
async function receiver(...statuses: number[]) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      received.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead((statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200).end();
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/events`, secret: SECRET, received };
}

describe.each(databases)("on the %s database", (kind) => {
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
    return { name, made, row, service, clock, ledger, deliver, events, lines };
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
        order_id: made.id,
        reason: "order",
        days: 30,
        ends_at: new Date(START + 30 * DAY).toISOString(),
        sequence: expect.any(Number) as number,
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
    const to = { url: `http://127.0.0.1:${port}/events`, secret: SECRET };
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

  test("the receiver of docs/operating.md grants, revokes, and takes no forged or repeated event", async () => {
    const [, source = ""] =
      /```js\n(\/\/ receiver\.mjs[^]+?)```/.exec(readFileSync("docs/operating.md", "utf8")) ?? [];
    const file = join(import.meta.dirname, `../../build/receiver-${process.pid}-${kind}.mjs`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, source);
    onTestFinished(() => rmSync(file));
    vi.stubEnv("EVENTS_SECRET", SECRET);
    const { handle, mayConnect } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      handle(headers: Record<string, string>, body: string): number;
      mayConnect(account: string, at: number): boolean;
    };
    const signer = new Webhook(SECRET);
    const send = (id: string, type: string, ends_at: string, sequence: number) => {
      const body = JSON.stringify({ type, data: { account_name: "anna", ends_at, sequence } });
      const at = new Date();
      const headers = {
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
        "webhook-signature": signer.sign(id, at, body),
      };
      return { status: handle(headers, body), headers, body };
    };
    const isMember = () => mayConnect("anna", Date.parse("2026-12-31T00:00:00.000Z"));
    expect(isMember()).toBe(false);
    const first = send("msg_1", "membership.extended", "2027-01-01T00:00:00.000Z", 2);
    expect(first.status).toBe(204);
    expect(isMember()).toBe(true);
    expect(handle(first.headers, first.body)).toBe(204);
    // It was sent before, and arrives later.
    expect(send("msg_0", "membership.extended", "2026-12-01T00:00:00.000Z", 1).status).toBe(204);
    expect(isMember()).toBe(true);
    expect(handle(first.headers, first.body.replace("anna", "eve"))).toBe(401);
    expect(send("msg_2", "membership.revoked", "2026-01-01T00:00:00.000Z", 3).status).toBe(204);
    expect(isMember()).toBe(false);
  });
});
