/** Processes on one database whose machines' clocks differ: they go by the database's, and agree about orders, memberships and limits. */
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { openClock } from "../../src/service/store/clock.ts";
import { skewed } from "../support/clock-jumps.ts";
import { killAll, startProcess } from "../support/service-process.ts";
import { emptyDatabase, monthly, PASSWORD, servers, type Envelope } from "./support.ts";

afterEach(killAll);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function post(url: string, body: unknown, token = ""): Promise<Envelope> {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body), headers });
  return (await response.json()) as Envelope;
}

test.skipIf(servers.length === 0).each([HOUR, -HOUR])(
  "two processes whose clocks differ by %i ms agree about orders, limits and memberships",
  async (skew) => {
    const { url, drop } = await emptyDatabase();
    onTestFinished(drop);
    const env = { DATABASE_URL: url, SANDBOX_CONFIRM_SECONDS: "0", OPEN_ORDERS_PER_HOUR: "2" };
    const processes = [startProcess(env), startProcess({ ...env, ...skewed(skew) })];
    const [right = "", wrong = ""] = await Promise.all(processes.map(({ started }) => started));
    expect(processes.map(({ output }) => output().includes('"clocks differ"'))).toEqual([false, true]);

    const account = { account_name: "between", password: PASSWORD };
    await post(`${wrong}/api/register`, account);
    const { token } = (await post(`${wrong}/api/login`, account)).data as { token: string };
    const made = [];
    for (const origin of [right, wrong]) {
      const { data, server_time: at } = await post(`${origin}/api/order/create`, monthly, token);
      const { order, payData } = data as {
        order: { order_id: string; created_at: string };
        payData: { address: string };
      };
      made.push({ ...order, ...payData, at });
    }
    const [first, second] = made;
    if (!first || !second) throw new Error("Two orders were made.");
    // Whatever the machine is busy with, half an hour is not between them.
    const near = (one: number, other: number) => Math.abs(one - other) < HOUR / 2;
    expect(near(Date.parse(first.created_at), Date.parse(second.created_at))).toBe(true);
    expect(near(first.at, second.at)).toBe(true);
    // Both count within the hour, at either process.
    for (const origin of [right, wrong]) {
      expect((await post(`${origin}/api/order/create`, monthly, token)).code).not.toBe(200);
    }

    const ends = async (origin: string) => {
      const headers = { Authorization: `Bearer ${token}` };
      const { data } = (await (await fetch(`${origin}/api/user/center`, { headers })).json()) as Envelope;
      return (data as { user: { pack_exp_date: string | null } }).user.pack_exp_date;
    };
    const detail = (origin: string, { order_id }: { order_id: string }) =>
      post(`${origin}/api/order/detail`, { order_id }, token);
    for (const [origin, order] of [
      [wrong, first],
      [right, second],
    ] as const) {
      const transfer = { network: "TRC20", address: order.address, amount: "3.99" };
      await post(`${origin}/sandbox/transfers`, transfer);
      await expect
        .poll(async () => (await detail(origin, order)).data, { timeout: 60_000 })
        .toMatchObject({ status: 1 });
    }
    expect(await ends(right)).toBe(await ends(wrong));
    expect(near(Date.parse((await ends(right)) ?? ""), first.at + 60 * DAY)).toBe(true);
  },
  180_000,
);

test("the quickest answer counts, as of half its way", async () => {
  // Asked and answered three times; then what `now` reads.
  const times = [0, 400, 400, 420, 420, 920, 1_000, 2_000, 2_000, 2_000];
  const monotonic = vi.spyOn(performance, "now").mockImplementation(() => times.shift() ?? 2_000);
  onTestFinished(() => monotonic.mockRestore());
  const answers = [HOUR + 399, HOUR + 410, HOUR + 500];
  const clock = await openClock(() => Promise.resolve(answers.shift() ?? 0));
  await clock.stop();
  expect(clock.now()).toBe(HOUR + 1_000);
  await expect(openClock(() => Promise.reject(new Error("No server.")))).rejects.toThrow("No server.");
  expect(clock.now()).toBe(HOUR + 2_000);
});
