/** What is sent may be of three kinds, and may be anything: nothing that is sent breaks the service or is repeated in its log. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Store } from "../../src/service/store/open.ts";
import { emptyStore, freshName, monthly, PASSWORD, refusal, serve, success, zh } from "./support.ts";

const UNREADABLE = "Something you entered is missing or not right. Please check it and try again.";

let store: Store;
beforeAll(async () => {
  store = await emptyStore("embedded");
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
  expect(await call("/api/login", asked)).toEqual(refusal(UNREADABLE));
  expect(await call("/api/register", { ...asked, headers: { ...asked.headers, ...zh } })).toEqual(
    refusal("提交的内容不完整或有误，请检查后重试。"),
  );
});

test("a body too large is refused before it is read, with or without its length said", async () => {
  const { ask } = await serve(store);
  const large = JSON.stringify({ account_name: "a".repeat(20_000), password: PASSWORD });
  const stream = new Blob([large]).stream();
  for (const response of [
    await ask("/api/login", { form: large, headers: { "Content-Length": String(large.length) } }),
    await ask("/sandbox/transfers", { form: large, headers: { "Content-Length": String(large.length) } }),
  ]) {
    expect([response.status, await response.json()]).toEqual([
      413,
      refusal("This is too long to send. Please shorten it and try again."),
    ]);
  }
  const { app } = await serve(store);
  const chunked = await app.request(
    new Request("http://localhost/api/login", {
      method: "POST",
      body: stream,
      duplex: "half",
    } as RequestInit),
  );
  expect(chunked.status).toBe(413);
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
      method: "POST",
      path: "/api/login",
      error: "Error: the connection was lost",
      where: expect.any(String),
    },
    {
      event: "call",
      method: "POST",
      path: "/api/login",
      status: 500,
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
  expect(lines).toHaveLength(5);
});
