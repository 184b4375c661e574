/** The service as a process: it starts from the source, keeps its data through kill -9, shares neither data nor port, and stops when told. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { Client } from "pg";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { migrationsFolder } from "../../src/service/project.ts";
import { open, type Database } from "../../src/service/store/open.ts";
import { openServer } from "../../src/service/store/server.ts";
import { emptyDatabase, type Envelope, monthly, PASSWORD, servers, temporaryDirectory } from "./support.ts";

const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
});

/** Starts the service on a free port; `output` grows as it speaks. */
function start(env: Record<string, string>) {
  const child = spawn(process.execPath, ["src/service/main.ts"], {
    env: { PATH: process.env["PATH"], PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  let output = "";
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const started = new Promise<string>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk.toString();
      const origin = /is at (http:\/\/\S+)/.exec(output)?.[1];
      if (origin !== undefined) resolve(origin);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("close", () => reject(new Error(output)));
  });
  started.catch(() => undefined);
  const closed = once(child, "close");
  return { child, started, exited, closed, output: () => output };
}

async function post(url: string, body: unknown, token = ""): Promise<Envelope> {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body), headers });
  return (await response.json()) as Envelope;
}

test("data outlives kill -9, a second process is refused while the first lives, and a signal ends it in order", async () => {
  const env = { DATA_DIR: temporaryDirectory(), SANDBOX_CONFIRM_SECONDS: "0" };
  const first = start(env);
  const origin = await first.started;
  const account = { account_name: "survivor", password: PASSWORD };
  await post(`${origin}/api/register`, account);
  const { token } = (await post(`${origin}/api/login`, account)).data as { token: string };
  const created = await post(`${origin}/api/order/create`, monthly, token);
  const { order, payData } = created.data as { order: { order_id: string }; payData: { address: string } };
  await post(`${origin}/sandbox/transfers`, { network: "TRC20", address: payData.address, amount: "3.99" });

  const second = start(env);
  expect(await second.exited).toEqual([1, null]);
  await second.closed;
  expect(second.output()).toContain(`The data directory ${env.DATA_DIR} is in use by another process`);

  first.child.kill("SIGKILL");
  expect(await first.exited).toEqual([null, "SIGKILL"]);

  const third = start(env);
  const again = await third.started;
  const detail = await post(`${again}/api/order/detail`, { order_id: order.order_id }, token);
  expect(detail.data).toMatchObject({ order_id: order.order_id, status: 1, paid_amount: "3.99" });

  third.child.kill("SIGTERM");
  expect(await third.exited).toEqual([0, null]);
  expect(third.output()).toContain("no real money moves");
  expect(third.output()).toContain(`${again}/sandbox/wallet`);
  expect(third.output()).toContain(`The data is in ${env.DATA_DIR}`);
  for (const secret of [token, PASSWORD, order.order_id]) expect(third.output()).not.toContain(secret);
}, 60_000);

/** Runs before the service, and has the disk fail from a signal on. */
const failingDisk = `data:text/javascript,${encodeURIComponent(`
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  process.on("SIGUSR2", () => {
    fs.fsyncSync = () => { throw new Error("EIO"); };
    syncBuiltinESMExports();
    console.log("the disk fails");
  });
`)}`;

test("a database that is gone for good ends the process, which says why", async () => {
  const env = { DATA_DIR: temporaryDirectory(), NODE_OPTIONS: `--import=${failingDisk}` };
  const { started, exited, closed, child, output } = start(env);
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
}, 60_000);

test("told twice to stop, it waits for nobody", async () => {
  const { started, exited, child, output } = start({ DATA_DIR: temporaryDirectory() });
  const { port } = new URL(await started);
  // Somebody who never ends what they began to ask.
  const asking = connect(Number(port), "127.0.0.1");
  onTestFinished(() => void asking.destroy());
  asking.on("error", () => undefined).write("GET / HTTP/1.1\r\nHost: ");
  await once(asking, "connect");
  child.kill("SIGTERM");
  await expect.poll(output).toContain("stopping");
  child.kill("SIGTERM");
  expect(await exited).toEqual([1, null]);
}, 60_000);

test.each(servers)(
  "a database that does not answer holds up nobody who stops it",
  async () => {
    const { url, drop } = await emptyDatabase();
    onTestFinished(drop);
    const { started, exited, child } = start({ DATABASE_URL: url });
    const origin = await started;
    const other = new Client({ connectionString: url });
    await other.connect();
    await other.query("BEGIN; LOCK TABLE accounts");
    const asked = post(`${origin}/api/login`, { account_name: "somebody", password: PASSWORD });
    asked.catch(() => undefined);
    const waits = async () =>
      (await other.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).rowCount;
    await expect.poll(waits).toBe(1);
    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
    await other.end();
  },
  60_000,
);

/** A way to a server that can be cut: of each connection that was made before, at its next word. Or it swallows all words. */
async function cuttable(url: string) {
  const { hostname, port } = new URL(url);
  let cuts = 0;
  let hushed = false;
  const way = createServer((near) => {
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
  return { url: by.href, cut: () => void (cuts += 1), hush: (on: boolean) => void (hushed = on) };
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
  60_000,
);

test.skipIf(servers.length === 0)(
  "a database that is silent of a sudden holds nobody up, and is there when it speaks again",
  async () => {
    const { url, drop } = await emptyDatabase();
    onTestFinished(drop);
    const way = await cuttable(url);
    const store = await openServer(way.url, migrationsFolder(), 300);
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
  60_000,
);

const answersWithin = (tx: Pick<Database, "execute">) => tx.execute(sql`SELECT 1`);

test("a port in use is said in words", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const refused = start({ DATA_DIR: temporaryDirectory(), PORT: String(port) });
  expect(await refused.exited).toEqual([1, null]);
  await refused.closed;
  expect(refused.output()).toContain(`Port ${port} of 127.0.0.1 is in use by another program.`);
  other.close();
}, 60_000);

test("a database that cannot be reached is said in words, without its password", async () => {
  const refused = start({ DATABASE_URL: "postgres://someone:secret@127.0.0.1:1/everlit" });
  expect(await refused.exited).toEqual([1, null]);
  await refused.closed;
  expect(refused.output()).toBe(
    "Opening the database; the first time takes a few seconds.\n" +
      "PostgreSQL at 127.0.0.1:1/everlit cannot be used: Error: connect ECONNREFUSED 127.0.0.1:1\n",
  );
}, 60_000);
