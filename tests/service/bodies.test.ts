/** What is sent may be of three kinds, and may be anything: nothing that is sent breaks the service or is repeated in its log. */
import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { serve as listen } from "@hono/node-server";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "../../src/service/platform/log.ts";
import type { Store } from "../../src/service/store/database.ts";
import { accounts } from "../../src/service/store/schema.ts";
import {
  emptyStore,
  freshName,
  monthly,
  PASSWORD,
  refusal,
  refusalOf,
  serve,
  success,
  zh,
} from "./support.ts";

const UNREADABLE = "Something you entered is missing or not right. Please check it and try again.";

let store: Store;
beforeAll(async () => {
  store = await emptyStore();
});
afterAll(() => store.close());

function formData(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

describe.each([
  ["form-urlencoded", (fields: Record<string, string>) => new URLSearchParams(fields)],
  ["form-data", formData],
])("%s", (_, make) => {
  test("does for the whole way what JSON does", async () => {
    const { call } = await serve(store);
    const name = `${freshName()} & 张三`;
    const fields = { account_name: name, password: PASSWORD };
    expect((await call("/api/register", { form: make(fields) })).data).toEqual({
      user: { account_name: name },
    });
    const { data } = await call("/api/login", { form: make(fields) });
    const { token } = data as { token: string };
    const created = await call("/api/order/create", { form: make({ ...monthly, coin_type: "4" }), token });
    const { order } = created.data as { order: { order_id: string } };
    const detail = await call("/api/order/detail", { form: make({ order_id: order.order_id }), token });
    expect(detail.data).toMatchObject({ order_id: order.order_id, payment_amount: "3.99" });
  });
});

test.each([
  ["application/json", "{"],
  ["application/json", ""],
  ["application/json", "null"],
  ["application/json", "[]"],
  ["application/json", '"text"'],
  ["application/json", "{}"],
  ["application/json", '{"account_name":{"$ne":null},"password":["x"]}'],
  ["application/json", '{"__proto__":{"account_name":"admin","password":"x"}}'],
  ["application/json", `${"[".repeat(8000)}${"]".repeat(8000)}`],
  ["application/x-www-form-urlencoded", "%%%"],
  ["multipart/form-data", "no boundary"],
  ["multipart/form-data; boundary=x", "--x\r\nbroken"],
  ["text/plain", "hello"],
  ["application/xml", "<account/>"],
])("a body of %s %j is refused in words", async (type, form) => {
  const { call } = await serve(store);
  const asked = { form, headers: { "Content-Type": type } };
  // Where it is a body at all, the first entry is what is missing.
  const { field } = await call("/api/login", asked);
  expect([undefined, "account_name"]).toContain(field);
  expect(await call("/api/login", asked)).toEqual(refusalOf(field, UNREADABLE));
  expect(await call("/api/register", { ...asked, headers: { ...asked.headers, ...zh } })).toEqual(
    refusalOf(field, "提交的内容不完整或有误，请检查后重试。"),
  );
});

test("a body too large is refused in words", async () => {
  const { ask } = await serve(store);
  const large = JSON.stringify({ account_name: "a".repeat(20_000), password: PASSWORD });
  for (const response of [
    await ask("/api/login", { form: large, headers: { "Content-Length": String(large.length) } }),
    await ask("/sandbox/transfers", { form: large, headers: { "Content-Length": String(large.length) } }),
  ]) {
    expect([response.status, await response.json()]).toEqual([
      413,
      refusal("This is too long to send. Please shorten it and try again."),
    ]);
  }
});

test.each([
  ["said", 1_000_000, { status: 413, taken: 1_000_000, connection: null }],
  ["not said", 1_000_000, { status: 413, taken: 1_000_000, connection: null }],
  // No more than is reasonable is waited for.
  ["not said", 1_000_000_000, { status: 413, taken: 16_800_000, connection: "close" }],
  ["said", 1_000_000_000, { status: 413, taken: 0, connection: "close" }],
])(
  "of a body too large whose length is %s, of %i bytes, what comes is taken before it is answered",
  async (said, size, expected) => {
    const { app } = await serve(store);
    const part = new Uint8Array(50_000);
    let taken = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (taken === size) return controller.close();
          taken += part.length;
          controller.enqueue(part);
        },
      },
      { highWaterMark: 0 },
    );
    const headers: HeadersInit = said === "said" ? { "Content-Length": String(size) } : {};
    const { status, headers: answered } = await app.request(
      new Request("http://localhost/api/login", {
        method: "POST",
        body,
        headers,
        duplex: "half",
      } as RequestInit),
    );
    expect({ status, taken, connection: answered.get("Connection") }).toEqual(expected);
  },
);

/** Sends a body of so many bytes through a connection of its own, and never stops before its end. @returns what came back, and what broke */
async function sendLarge(port: number, path: string, size: number, chunked: boolean) {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  let broken = "";
  socket.on("data", (words) => (received += words.toString()));
  socket.on("error", (error) => (broken = error.message));
  const length = chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${size}`;
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${length}\r\n\r\n`);
  const part = Buffer.alloc(50_000, "a");
  for (let sent = 0; sent < size && !socket.destroyed; sent += part.length) {
    const written = chunked ? Buffer.concat([Buffer.from("c350\r\n"), part, Buffer.from("\r\n")]) : part;
    if (!socket.write(written)) await Promise.race([once(socket, "drain"), once(socket, "close")]);
  }
  if (chunked) socket.write("0\r\n\r\n");
  if (!socket.closed) await once(socket, "close");
  return { status: received.slice(0, 12), broken };
}

test.each([
  ["/api/login", 1_000_000, false],
  ["/api/login", 1_000_000, true],
  ["/api/nothing", 1_000_000, false],
  ["/sandbox/transfers", 1_000_000, true],
  ["/home", 10_000_000, false],
  ["/home", 10_000_000, true],
])("a client that sends %s %i bytes reads that it is too much, chunked: %s", async (path, size, chunked) => {
  const { app } = await serve(store);
  const server = listen({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  onTestFinished(() => void server.close());
  if (!server.listening) await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sent = await Promise.all(Array.from({ length: 4 }, () => sendLarge(port, path, size, chunked)));
  expect(sent).toEqual(sent.map(() => ({ status: "HTTP/1.1 413", broken: "" })));
});

test.each(["0x4", " 4", "4 ", "4.0e0", "4.0", "04", "", "3", 3, 4.5, true, null, [4]])(
  "%j is no network",
  async (coin_type) => {
    const { call, member } = await serve(store);
    const answer = await call("/api/order/create", {
      body: { ...monthly, coin_type },
      token: await member(),
    });
    expect(answer.message).toBe(UNREADABLE);
  },
);

test.each([4, 2, "4", "2"])("%j is a network", async (coin_type) => {
  const { call, member } = await serve(store);
  const answer = await call("/api/order/create", { body: { ...monthly, coin_type }, token: await member() });
  expect(answer.code).toBe(200);
});

test.each([
  "Robert'); DROP TABLE accounts;--",
  '<script>alert("1")</script>',
  "${7*7}{{7*7}}%s%n",
  "../../../etc/passwd",
  "constructor",
  "__proto__",
])("a name such as %j is a name like any other", async (name) => {
  const { call } = await serve(store);
  const answer = await call("/api/register", { body: { account_name: name, password: PASSWORD } });
  expect(answer).toEqual(success({ user: { account_name: name } }, "Your account is ready."));
});

test("an address of the API that does not exist, and a wrong method, are answered 404 in an envelope", async () => {
  const { ask } = await serve(store);
  for (const path of ["/api/nothing", "/api/", "/api", "/api/login", "/api/order/create"]) {
    const response = await ask(path, { headers: zh });
    expect([response.status, await response.json()]).toEqual([404, refusal("这个地址不存在。")]);
  }
});

test("a failure inside is answered 500 in an envelope, and the log says what failed without what was sent", async () => {
  const { ask, lines, service } = await serve(store);
  vi.spyOn(service.db, "select").mockImplementation(() => {
    throw new Error(`Failed query: params: ${PASSWORD}`, { cause: new Error("the connection was lost") });
  });
  const response = await ask("/api/login", { body: { account_name: "somebody", password: PASSWORD } });
  vi.restoreAllMocks();
  expect([response.status, await response.json()]).toEqual([
    500,
    refusal("Something went wrong on our side. Please try again in a moment."),
  ]);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      event: "failed",
      request: expect.any(String),
      method: "POST",
      path: "/api/login",
      error: "Error: the connection was lost",
      where: expect.any(String),
    },
    {
      event: "call",
      request: expect.any(String),
      method: "POST",
      path: "/api/login",
      status: 500,
      network: "192.0.2.1",
      refused: "broken",
      ms: expect.any(Number),
    },
  ]);
});

test("the log tells a refusal from a success, which have one status", async () => {
  const { call, lines, member } = await serve(store);
  const token = await member();
  await call("/api/login", { body: { account_name: "nobody here", password: PASSWORD } });
  await call("/api/order/create", { body: {} });
  await call("/api/user/center", { token });
  const told = lines.map((line) => (JSON.parse(line) as { refused?: string | number }).refused);
  expect(told).toEqual([undefined, undefined, "wrongCredentials", -1, undefined]);
});

test("no password, token, name or query string is logged", async () => {
  const { ask, lines, member, order } = await serve(store);
  const name = freshName();
  const token = await member(name);
  const { id } = await order(token);
  await ask(`/api/user/center?token=${token}`, { token });
  await ask("/api/order/detail", { body: { order_id: id }, token });
  const log = lines.join("\n");
  for (const secret of [PASSWORD, token, name, id, "?"]) expect(log).not.toContain(secret);
  // The first order opens the series of addresses.
  expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual([
    ...Array.from({ length: 2 }, () => "call"),
    "address series",
    ...Array.from({ length: 3 }, () => "call"),
  ]);
});

test("a call's line says which account it was of and from which network, neither name nor token", async () => {
  const { ask, call, lines, member, service } = await serve(store);
  const name = freshName();
  const token = await member(name);
  const [account] = await service.db.select().from(accounts).where(eq(accounts.name, name));
  const from = "2001:db8:1:2:3:4:5:6";
  await ask("/api/user/center", { token, from });
  await ask("/api/user/center", { token: "of no one", from });
  await call("/api/login", { body: { account_name: name, password: "not the password" }, from });
  await ask("/api/packegs/list", { from });
  const told = lines.map((line) => {
    const { path, account: id, network } = JSON.parse(line) as Record<string, unknown>;
    return { path, id, network };
  });
  const network = "2001:db8:1:2::/64";
  expect(told).toEqual([
    { path: "/api/register", id: account?.id, network: "192.0.2.1" },
    { path: "/api/login", id: account?.id, network: "192.0.2.1" },
    { path: "/api/user/center", id: account?.id, network },
    { path: "/api/user/center", id: undefined, network },
    // A log-in that failed is of the account that was tried.
    { path: "/api/login", id: account?.id, network },
    { path: "/api/packegs/list", id: undefined, network },
  ]);
  for (const secret of [name, token, PASSWORD, from]) expect(lines.join("\n")).not.toContain(secret);
});

test("a request's number in the log is the service's own, whatever the client calls it", async () => {
  const { ask, lines } = await serve(store);
  const forged = "chosen-by-the-client";
  await ask("/api/packegs/list", { headers: { "X-Request-Id": forged } });
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain(forged);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ request: expect.stringMatching(/^[0-9a-f-]{36}$/) });
});

test("a line of the log is JSON with its time and level, and redacts what a caller should not have passed", () => {
  const lines: string[] = [];
  const log = createLog({ write: (line) => void lines.push(line) });
  log("call", { status: 200, password: PASSWORD, token: "abc", Authorization: "Bearer abc", cookie: "a=b" });
  log("failed", { error: "Error: lost" }, "error");
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown;
  const hidden = "[Redacted]";
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      level: "info",
      at,
      event: "call",
      status: 200,
      password: hidden,
      token: hidden,
      Authorization: hidden,
      cookie: hidden,
    },
    { level: "error", at, event: "failed", error: "Error: lost" },
  ]);
});
