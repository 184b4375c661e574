/** The service as a process: it starts from the source, keeps its data through kill -9, shares neither data nor port, and stops when told. */
import { once } from "node:events";
import { cpSync, renameSync, rmSync } from "node:fs";
import { Agent, get, request, type IncomingMessage } from "node:http";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { Client } from "pg";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { migrationsFolder } from "../../src/service/platform/project.ts";
import { open } from "../../src/service/store/open.ts";
import type { Database } from "../../src/service/store/database.ts";
import { openServer } from "../../src/service/store/server.ts";
import { inSnapshot } from "../../src/service/store/transaction.ts";
import { killAll, startProcess } from "../support/service-process.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import {
  annual,
  emptyDatabase,
  type Envelope,
  monthly,
  PASSWORD,
  servers,
  newData,
  newPlace,
} from "./support.ts";

afterEach(killAll);

async function post(url: string, body: unknown, token = ""): Promise<Envelope> {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body), headers });
  return (await response.json()) as Envelope;
}

test("data outlives kill -9, a second process is refused while the first lives, and a signal ends it in order", async () => {
  const env = { DATA_DIR: newData(), SANDBOX_CONFIRM_SECONDS: "0" };
  const first = startProcess(env);
  const origin = await first.started;
  const account = { account_name: "survivor", password: PASSWORD };
  await post(`${origin}/api/register`, account);
  const { token } = (await post(`${origin}/api/login`, account)).data as { token: string };
  const created = await post(`${origin}/api/order/create`, monthly, token);
  const { order, payData } = created.data as { order: { order_id: string }; payData: { address: string } };
  await post(`${origin}/sandbox/transfers`, { network: "TRC20", address: payData.address, amount: "3.99" });

  const second = startProcess(env);
  expect(await second.exited).toEqual([1, null]);
  await second.closed;
  expect(second.output()).toContain(`The data directory ${env.DATA_DIR} is in use by another process`);

  first.child.kill("SIGKILL");
  expect(await first.exited).toEqual([null, "SIGKILL"]);

  const third = startProcess(env);
  const again = await third.started;
  const detail = async () =>
    (await post(`${again}/api/order/detail`, { order_id: order.order_id }, token)).data;
  // The networks are read on when the lease of the process that died has run out.
  await expect.poll(detail).toMatchObject({ order_id: order.order_id, status: 1, paid_amount: "3.99" });

  third.child.kill("SIGTERM");
  expect(await third.exited).toEqual([0, null]);
  expect(third.output()).toContain("no real money moves");
  expect(third.output()).toContain(`${again}/sandbox/wallet`);
  expect(third.output()).toContain(`The data is in ${env.DATA_DIR}`);
  for (const secret of [token, PASSWORD, order.order_id]) expect(third.output()).not.toContain(secret);
}, 180_000);

/** Runs before the service, tells of each request, and has every hash wait for a signal. */
const slowHashes = `data:text/javascript,${encodeURIComponent(`
  import crypto from "node:crypto";
  import { subscribe } from "node:diagnostics_channel";
  import { syncBuiltinESMExports } from "node:module";
  subscribe("http.server.request.start", () => console.log("a request came"));
  const { argon2 } = crypto;
  let go;
  const gone = new Promise((resolve) => (go = resolve));
  process.on("SIGUSR2", go);
  crypto.argon2 = (...asked) => {
    console.log("a hash waits");
    void gone.then(() => argon2(...asked));
  };
  syncBuiltinESMExports();
`)}`;

test("at SIGTERM what is under way is answered, says that it is the last, and nothing new is taken on", async () => {
  const { child, started, exited, output } = startProcess({
    ...(await newPlace()),
    NODE_OPTIONS: `--import=${slowHashes}`,
  });
  const { port } = new URL(await started);
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const where = { host: "127.0.0.1", port, agent };
  // A connection that rests, and ends by itself.
  const resting = connect(Number(port), "127.0.0.1");
  resting.write("GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(resting, "data");
  const ended = once(resting, "close");
  // More than are hashed at once: some wait in line.
  const answers = Array.from({ length: 6 }, async (_, at) => {
    const body = JSON.stringify({ account_name: `member ${at}`, password: PASSWORD });
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
    const asked = request({ ...where, method: "POST", path: "/api/register", headers });
    asked.end(body);
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    const text = (await answer.toArray()).join("");
    return [answer.headers.connection, (JSON.parse(text) as Envelope).code];
  });
  await expect.poll(() => output().split("a hash waits").length).toBe(3);
  // These, and the one that rests: what has not come yet would be turned away.
  await expect.poll(() => output().split("a request came").length).toBe(1 + answers.length + 1);

  child.kill("SIGTERM");
  await ended;
  const refused = get({ host: "127.0.0.1", port, path: "/api/health" });
  const [error] = (await once(refused, "error")) as [NodeJS.ErrnoException];
  // Reset where it knocked in the very moment in which the door was shut.
  expect(["ECONNREFUSED", "ECONNRESET"]).toContain(error.code);

  child.kill("SIGUSR2");
  expect(await Promise.all(answers)).toEqual(answers.map(() => ["close", 200]));
  expect(await exited).toEqual([0, null]);
}, 180_000);

test("a client that never stops asking on one connection does not keep the service", async () => {
  const { child, started, exited } = startProcess(await newPlace());
  const { port } = new URL(await started);
  const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  onTestFinished(() => agents.forEach((agent) => agent.destroy()));
  let answered = 0;
  const broken: string[] = [];
  const asksOn = async (agent: Agent) => {
    for (;;) {
      const asked = get({ host: "127.0.0.1", port, agent, path: "/api/packegs/list" });
      const answer = await once(asked, "response").then(
        ([response]) => response as IncomingMessage,
        (error: NodeJS.ErrnoException) => error.code ?? "unknown",
      );
      if (typeof answer === "string") {
        // A connection that rested at that moment may be closed as it is asked again: nothing was begun.
        if (answer !== "ECONNREFUSED" && !asked.reusedSocket) broken.push(answer);
        return;
      }
      await answer.toArray().catch((error: Error) => broken.push(error.message));
      answered += 1;
    }
  };
  const asking = Promise.all(agents.map(asksOn));
  await expect.poll(() => answered).toBeGreaterThan(20);
  child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
  await asking;
  expect(broken).toEqual([]);
}, 180_000);

test.each([
  ["is removed", (data: string) => rmSync(data, { recursive: true })],
  [
    "is replaced by its copy",
    (data: string) => {
      cpSync(data, `${data}.copy`, { recursive: true });
      renameSync(data, `${data}.old`);
      renameSync(`${data}.copy`, data);
    },
  ],
] as const)(
  "when its data folder %s, the service says so and ends before it answers",
  async (_, harm) => {
    const data = newData();
    const { started, exited, closed, output } = startProcess({ DATA_DIR: data });
    const origin = await started;
    const register = (name: string) =>
      post(`${origin}/api/register`, { account_name: name, password: PASSWORD });
    expect((await register("before")).code).toBe(200);
    harm(data);
    await expect(register("after")).rejects.toThrow("fetch failed");
    expect(await exited).toEqual([1, null]);
    await closed;
    const [, reason] = /"event":"database lost",.*"error":"([^"]*)"/.exec(output()) ?? [];
    expect(reason).toMatch(new RegExp(`^${data} (is gone|was replaced) while in use\\.$`));
  },
  120_000,
);

/** Runs before the service in each of its threads, and has the disk fail from a signal on, of which the main thread alone hears. */
const failingDisk = `data:text/javascript,${encodeURIComponent(`
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  import { BroadcastChannel, isMainThread } from "node:worker_threads";
  const channel = new BroadcastChannel("disk");
  channel.unref();
  if (isMainThread) process.on("SIGUSR2", () => channel.postMessage("fail"));
  else channel.onmessage = () => {
    fs.fsyncSync = () => { throw new Error("EIO"); };
    syncBuiltinESMExports();
    console.log("the disk fails");
  };
`)}`;

test("a database that is gone for good ends the process, which says why", async () => {
  const env = { DATA_DIR: newData(), NODE_OPTIONS: `--import=${failingDisk}` };
  const { started, exited, closed, child, output } = startProcess(env);
  const origin = await started;
  child.kill("SIGUSR2");
  await expect.poll(output).toContain("the disk fails");
  await post(`${origin}/api/register`, { account_name: "survivor", password: PASSWORD }).catch(
    () => undefined,
  );
  expect(await exited).toEqual([1, null]);
  await closed;
  const [, event] = /"event":"database lost",(.*)\}/.exec(output()) ?? [];
  expect(event).toContain(`"directory":"${join(env.DATA_DIR, "database")}","error":"could not fsync file`);
}, 180_000);

test("a second stop signal ends the process at once", async () => {
  const { started, exited, child, output } = startProcess(await newPlace());
  const { port } = new URL(await started);
  // A client that never finishes its request.
  const asking = connect(Number(port), "127.0.0.1");
  onTestFinished(() => void asking.destroy());
  asking.on("error", () => undefined).write("GET / HTTP/1.1\r\nHost: ");
  await once(asking, "connect");
  child.kill("SIGTERM");
  await expect.poll(output).toContain("stopping");
  child.kill("SIGTERM");
  expect(await exited).toEqual([1, null]);
}, 180_000);

test.each(servers)(
  "a database that does not answer does not hold up a stop",
  async () => {
    const { url, drop } = await emptyDatabase();
    onTestFinished(drop);
    const { started, exited, child } = startProcess({ DATABASE_URL: url });
    const origin = await started;
    const other = new Client({ connectionString: url });
    await other.connect();
    await other.query("BEGIN; LOCK TABLE accounts");
    const asked = post(`${origin}/api/login`, { account_name: "somebody", password: PASSWORD });
    asked.catch(() => undefined);
    const waits = async () =>
      (await other.query("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'accounts'::regclass"))
        .rowCount;
    // The call waits, and perhaps a job with it.
    await expect.poll(waits).toBeGreaterThan(0);
    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
    await other.end();
  },
  180_000,
);

/** A way to a server that can be cut: of each connection that was made before, at its next word. Or it swallows all words. */
async function cuttable(url: string) {
  const { hostname, port } = new URL(url);
  let cuts = 0;
  let hushed = false;
  let closed = false;
  /** Those that came while nothing was answered. */
  const unanswered: Socket[] = [];
  const way = createServer((near) => {
    if (hushed) unanswered.push(near);
    if (closed) {
      near.on("error", () => undefined).destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    const made = cuts;
    near.on("data", (words) => {
      if (hushed) return;
      if (made === cuts) far.write(words);
      else near.resetAndDestroy();
    });
    far.on("data", (words) => near.write(words));
    for (const [one, another] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => undefined).on("close", () => another.destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(way, "listening");
  onTestFinished(() => void way.close());
  const by = new URL(url);
  by.host = `127.0.0.1:${(way.address() as AddressInfo).port}`;
  return {
    url: by.href,
    cut: () => void (cuts += 1),
    hush: (on: boolean) => void (hushed = on),
    unanswered: () => unanswered.length,
    endUnanswered: () => unanswered.splice(0).forEach((near) => near.destroy()),
    /** As HAProxy does that knows no server: it takes a connection, and ends it. */
    close: (on: boolean) => {
      closed = on;
      if (on) cuts += 1;
    },
  };
}

test.each(servers)(
  "a database whose connections are lost, as something begins or in the midst of it, is there at the next call",
  async () => {
    const { url, drop } = await emptyDatabase();
    onTestFinished(drop);
    const way = await cuttable(url);
    const store = await open(way.url, migrationsFolder());
    const all = (does: () => Promise<unknown>) => Promise.allSettled(Array.from({ length: 10 }, does));
    const failures = async (does: () => Promise<unknown>) =>
      (await all(does)).filter(({ status }) => status === "rejected").length;
    const answers = () => store.db.execute(sql`SELECT pg_sleep(0.1)`);

    // As many as there may be.
    expect(await failures(answers)).toBe(0);
    way.cut();
    expect(await failures(() => store.db.transaction(answersWithin))).toBe(10);
    expect(await failures(answers)).toBe(0);

    const broken = store.db.transaction(async (tx) => {
      await answersWithin(tx);
      way.cut();
      await answersWithin(tx);
    });
    await expect(broken).rejects.toThrow("Failed query");
    // Those that rested are lost at their next word.
    await all(answers);
    expect(await failures(answers)).toBe(0);
    await store.close();
  },
  180_000,
);

test.skipIf(servers.length === 0)(
  "that a database cannot be reached is told once, and once that it can be again",
  async () => {
    const { url, drop } = await emptyDatabase();
    onTestFinished(drop);
    const way = await cuttable(url);
    const { started, child, exited, output } = startProcess({ DATABASE_URL: way.url });
    const origin = await started;
    const account = { account_name: "somebody", password: PASSWORD };
    const answer = async (path: string) => (await post(`${origin}${path}`, account)).code;
    expect(await answer("/api/register")).toBe(200);
    const lines = (event: string) =>
      output()
        .split("\n")
        .filter((line) => line.includes(`"event":"${event}"`));
    const lose = async () => {
      way.close(true);
      await expect.poll(() => answer("/api/login")).not.toBe(200);
      // Those that were there end first, at their next word.
      for (let again = 0; again < 12; again += 1) expect(await answer("/api/login")).not.toBe(200);
    };
    for (let time = 1; time <= 2; time += 1) {
      await lose();
      way.close(false);
      await expect.poll(() => answer("/api/login")).toBe(200);
      expect(lines("database unreachable")).toHaveLength(time);
      expect(lines("database reached")).toHaveLength(time);
    }

    // An attempt from before that fails when others are through is not told.
    await lose();
    way.close(false);
    way.hush(true);
    const late = answer("/api/login");
    await expect.poll(way.unanswered).toBeGreaterThan(0);
    way.hush(false);
    await expect.poll(() => answer("/api/login")).toBe(200);
    way.endUnanswered();
    expect(await late).not.toBe(200);
    expect(lines("database unreachable")).toHaveLength(3);
    expect(lines("database reached")).toHaveLength(3);
    expect(lines("database unreachable")[0]).toMatch(
      /"level":"error".*"place":"PostgreSQL at 127.*"error":"/,
    );
    expect(lines("database reached")[0]).toMatch(/"level":"warn".*"seconds":\d+/);
    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
  },
  180_000,
);

test.skipIf(servers.length === 0)(
  "a database that stops answering does not block requests, and is used again when it answers",
  async () => {
    const { url, drop } = await emptyDatabase();
    onTestFinished(drop);
    const way = await cuttable(url);
    const store = await openServer(way.url, migrationsFolder(), undefined, "service", 300);
    await answersWithin(store.db);
    way.hush(true);
    await expect(answersWithin(store.db)).rejects.toMatchObject({
      cause: { message: "The database said nothing for 300 ms." },
    });
    await expect(store.db.transaction(answersWithin)).rejects.toThrow("said nothing");
    way.hush(false);
    await answersWithin(store.db);
    await store.close();
  },
  180_000,
);

test.skipIf(servers.length === 0)(
  "a snapshot may be silent for longer than a server otherwise may, and only for as long as it lasts",
  async () => {
    const { url, drop } = await emptyDatabase();
    onTestFinished(drop);
    const store = await openServer(url, migrationsFolder(), undefined, "service", 300);
    onTestFinished(store.close);
    const think = (tx: Pick<Database, "execute">) => tx.execute(sql`SELECT pg_sleep(1)`);
    const before = await inSnapshot(store.db, async (tx) => {
      await think(tx);
      return (await tx.execute(sql`SELECT pg_backend_pid() AS pid`)) as object;
    });
    expect(before).toMatchObject({ rows: [{ pid: expect.any(Number) as number }] });
    await expect(think(store.db)).rejects.toMatchObject({
      cause: { message: "The database said nothing for 300 ms." },
    });
    await expect(inSnapshot(store.db, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await expect(think(store.db)).rejects.toThrow("Failed query");
  },
  180_000,
);

const answersWithin = (tx: Pick<Database, "execute">) => tx.execute(sql`SELECT 1`);

test("a port in use is said in words", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const refused = startProcess({ ...(await newPlace()), PORT: String(port) });
  expect(await refused.exited).toEqual([1, null]);
  await refused.closed;
  expect(refused.output()).toContain(`Port ${port} of 127.0.0.1 is in use by another program.`);
  // Started again and again, it would add one each time.
  expect(refused.output()).not.toContain("address series");
  other.close();
}, 180_000);

test("a database that cannot be reached is said in words, without its password", async () => {
  const refused = startProcess({ DATABASE_URL: "postgres://someone:secret@127.0.0.1:1/everlit" });
  expect(await refused.exited).toEqual([1, null]);
  await refused.closed;
  expect(refused.output()).toBe(
    "Opening the database; the first time takes a few seconds.\n" +
      "PostgreSQL at 127.0.0.1:1/everlit cannot be used: Error: connect ECONNREFUSED 127.0.0.1:1\n",
  );
}, 180_000);

test("a copied data folder that is put back gives out no address again", async () => {
  const [env, kept] = [{ DATA_DIR: newData() }, temporaryDirectory()];
  /** Starts, has a new member order on both networks, and stops. */
  async function sold(name: string) {
    const { started, exited, child, output } = startProcess(env);
    const origin = await started;
    const account = { account_name: name, password: PASSWORD };
    await post(`${origin}/api/register`, account);
    const { token } = (await post(`${origin}/api/login`, account)).data as { token: string };
    const made = [
      await post(`${origin}/api/order/create`, monthly, token),
      await post(`${origin}/api/order/create`, annual, token),
    ];
    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
    const [, series = ""] = /"event":"address series","series":(\d+),"ahead":0\}/.exec(output()) ?? [];
    expect(series).not.toBe("");
    // Nothing is put back within the second of a start.
    const endsAt = Date.UTC(2026, 0) + (Number(series) + 1) * 1000;
    await expect.poll(() => Date.now() >= endsAt).toBe(true);
    return made.map(({ data }) => (data as { payData: { address: string } }).payData.address);
  }
  const before = await sold("the first");
  cpSync(env.DATA_DIR, kept, { recursive: true });
  const lost = await sold("the second");
  rmSync(env.DATA_DIR, { recursive: true });
  cpSync(kept, env.DATA_DIR, { recursive: true });
  const after = await sold("the third");
  expect(new Set([...before, ...lost, ...after]).size).toBe(6);
}, 240_000);
