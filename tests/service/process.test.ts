/** The service as a process: it starts from the source, keeps its data through kill -9, shares neither data nor port, and stops when told. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type Envelope, monthly, PASSWORD, temporaryDirectory } from "./support.ts";

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
