/** What a network or an account may ask of a process: so many requests a minute, and then 429 until it has waited. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createMetrics } from "../../src/service/operations/metrics.ts";
import { createRequestLimits } from "../../src/service/limits/request-limits.ts";
import type { Store } from "../../src/service/store/database.ts";
import { emptyStore, refusal, serve, START, zh } from "./support.ts";

const MINUTE = 60_000;
const TOO_MANY = "Too many attempts. Please wait a minute and try again.";

let store: Store;
beforeAll(async () => {
  store = await emptyStore();
});
afterAll(() => store.close());

/** A limit that counts by a clock in the hands of the test. */
function limitsOf(requestsPerMinute: number, accountRequestsPerMinute = 0) {
  const clock = { now: START };
  const refused = vi.fn<(by: string) => void>();
  const limits = createRequestLimits(
    { requestsPerMinute, accountRequestsPerMinute },
    () => clock.now,
    refused,
  );
  return { clock, refused, ...limits };
}

test("a network's requests are refused with 429 and when to ask again, in its language, and others' are not", async () => {
  const { ask, call, clock, lines } = await serve(store, { requestsPerMinute: 3 });
  const path = "/api/packegs/list";
  for (let at = 0; at < 3; at += 1) expect((await ask(path)).status).toBe(200);
  const refused = await ask(path, { headers: { Origin: "https://a.example" } });
  expect({
    status: refused.status,
    retry: refused.headers.get("Retry-After"),
    said: await refused.json(),
  }).toEqual({ status: 429, retry: "20", said: refusal(TOO_MANY) });
  expect((await call("/api/nothing", { headers: zh })).message).toBe("尝试次数过多，请一分钟后再试。");
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ status: 429, refused: "tooManyAttempts" });
  expect((await ask(path, { from: "192.0.2.2" })).status).toBe(200);
  // What asks whether the service is alive is not counted.
  expect((await ask("/api/health")).status).toBe(200);
  clock.now += 20_000;
  expect([(await ask(path)).status, (await ask(path)).status]).toEqual([200, 429]);
});

test("an account's requests are counted from whichever network, and another account's are not", async () => {
  const { ask, member, clock } = await serve(store, { accountRequestsPerMinute: 2 });
  const [token, other] = [await member(), await member()];
  const statusOf = async (by: string, from: string) =>
    (await ask("/api/user/center", { token: by, from })).status;
  expect(await statusOf(token, "192.0.2.1")).toBe(200);
  expect(await statusOf(token, "192.0.2.2")).toBe(200);
  expect(await statusOf(token, "192.0.2.3")).toBe(429);
  expect(await statusOf(other, "192.0.2.3")).toBe(200);
  clock.now += MINUTE / 2;
  expect(await statusOf(token, "192.0.2.3")).toBe(200);
});

test("what is refused is not counted: after a wait there is room, however often it was asked meanwhile", () => {
  const { countNetwork, clock } = limitsOf(60);
  for (let at = 0; at < 60; at += 1) expect(countNetwork("192.0.2.1")).toBeNull();
  for (let at = 0; at < 600; at += 1) expect(countNetwork("192.0.2.1")).toBe(1);
  clock.now += 1_000;
  expect([countNetwork("192.0.2.1"), countNetwork("192.0.2.1")]).toEqual([null, 1]);
  // No more is saved up than a minute has.
  clock.now += 10 * MINUTE;
  const answers = Array.from({ length: 61 }, () => countNetwork("192.0.2.1"));
  expect(answers.filter((each) => each === null)).toHaveLength(60);
});

test("a clock that is set back refuses no one for longer", () => {
  const { countNetwork, clock } = limitsOf(60);
  for (let at = 0; at < 60; at += 1) countNetwork("192.0.2.1");
  clock.now -= 10 * MINUTE;
  expect(countNetwork("192.0.2.1")).toBe(1);
  clock.now += 1_000;
  expect(countNetwork("192.0.2.1")).toBeNull();
});

test("the /48 around a network of IPv6 may do four times as much", () => {
  const { countNetwork } = limitsOf(2);
  const ask = (at: number) => countNetwork(`2001:db8:1:${at}::/64`);
  for (let at = 0; at < 8; at += 1) expect(ask(at)).toBeNull();
  expect(ask(8)).toBe(8);
  expect(countNetwork("2001:db8:2:8::/64")).toBeNull();
});

test("only so many networks are remembered: those that asked longest ago are forgotten", () => {
  const { countNetwork } = limitsOf(1);
  expect([countNetwork("first"), countNetwork("first")]).toEqual([null, 60]);
  for (let at = 0; at < 20_000; at += 1) countNetwork(`network ${at}`);
  expect(countNetwork("first")).toBeNull();
});

test("0 is no limit, and each refusal is counted by what had reached its limit", async () => {
  const free = limitsOf(0);
  for (let at = 0; at < 10_000; at += 1)
    expect([free.countNetwork("192.0.2.1"), free.countAccount(1)]).toEqual([null, null]);
  const metrics = createMetrics();
  const limits = createRequestLimits(
    { requestsPerMinute: 1, accountRequestsPerMinute: 1 },
    () => START,
    metrics.onRefused,
  );
  for (let at = 0; at < 3; at += 1) limits.countNetwork("192.0.2.1");
  for (let at = 0; at < 2; at += 1) limits.countAccount(1);
  const text = await metrics.text(store, {}, START, true);
  expect(text).toContain('everlit_requests_refused_total{by="network"} 2');
  expect(text).toContain('everlit_requests_refused_total{by="account"} 1');
});
