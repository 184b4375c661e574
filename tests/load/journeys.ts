/** Whole journeys at a fixed rate of arrivals, whether or not earlier ones have ended. A latency counts from when the call was due, so that a service that stands still is seen by all that would have called meanwhile. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { coinTypes, paths } from "../../src/contract/calls.ts";
import { IDEMPOTENCY_HEADER } from "../../src/contract/envelope.ts";
import { latencies } from "./report.ts";

const PASSWORD = "correct horse battery";
/** Looks at the order, and ms between them. */
const POLLS = 3;
const BETWEEN_POLLS = 1_000;
/** The row of all calls of all journeys. */
export const ANY_CALL = "any call";
/** Ms after which a call counts as failed. */
const PATIENCE = 60_000;

interface Asked {
  body?: unknown;
  token?: string;
  key?: string;
}

/** @returns the data of a success @throws Error for anything else */
async function ask(origin: string, path: string, { body, token, key }: Asked = {}): Promise<unknown> {
  const response = await fetch(origin + path, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    headers: {
      "Content-Type": "application/json",
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { [IDEMPOTENCY_HEADER]: key }),
    },
    signal: AbortSignal.timeout(PATIENCE),
  });
  const { code, message, data } = (await response.json()) as { code: number; message: string; data: unknown };
  if (code !== 200) throw new Error(`${path}: ${message}`);
  return data;
}

/**
 * @param origins the processes of the service, which take the journeys in turn
 * @param rate journeys a second
 */
export async function runJourneys(origins: readonly string[], rate: number, seconds: number) {
  const measured = latencies();
  const failures: string[] = [];

  async function journey(origin: string, due: number): Promise<void> {
    let stepDue = due;
    const step = async (name: string, path: string, asked?: Asked): Promise<unknown> => {
      const data = await ask(origin, path, asked);
      const end = performance.now();
      measured.record(name, end - stepDue);
      measured.record(ANY_CALL, end - stepDue);
      stepDue = end;
      return data;
    };
    const credentials = { account_name: `load ${randomUUID()}`, password: PASSWORD };
    await step("register", paths.register, { body: credentials });
    const { token } = (await step("log in", paths.login, { body: credentials })) as { token: string };
    await step("packages", paths.packages);
    await step("user centre", paths.centre, { token });
    const { order } = (await step("order creation", paths.createOrder, {
      body: { pack_id: "1", product_id: "monthly", coin_type: coinTypes.TRC20 },
      token,
      key: randomUUID(),
    })) as { order: { order_id: string } };
    for (let poll = 0; poll < POLLS; poll += 1) {
      stepDue += BETWEEN_POLLS;
      await pause(stepDue - performance.now());
      await step("order detail", paths.orderDetail, { body: { order_id: order.order_id }, token });
    }
    measured.record("journey, without its pauses", performance.now() - due - POLLS * BETWEEN_POLLS);
  }

  const start = performance.now();
  const journeys = Array.from({ length: Math.round(rate * seconds) }, async (_, at) => {
    const due = start + (at * 1_000) / rate;
    await pause(Math.max(0, due - performance.now()));
    await journey(origins[at % origins.length] ?? "", due).catch((error: unknown) =>
      failures.push(String(error)),
    );
  });
  await Promise.all(journeys);
  const took = (performance.now() - start) / 1_000;
  return {
    offered: rate,
    done: Number(((journeys.length - failures.length) / took).toFixed(2)),
    failures,
    rows: measured.rows(),
  };
}

/** A p99 of all calls that people still call quick, in ms. */
const QUICK = 100;
/** Journeys a second from which the search begins, and seconds of each try. */
const FIRST = 2;
const TRY = 20;

/**
 * The most whole journeys a second at which 99 of 100 calls are answered quickly: doubled until they are not, and then
 * halved in between.
 */
export async function mostJourneys(origins: readonly string[], say: (text: string) => void) {
  // A process that has just started is slower.
  await runJourneys(origins, FIRST, TRY / 2);
  let [quick, slow] = [0, Infinity];
  for (let rate = FIRST; slow - quick > 1; rate = slow === Infinity ? quick * 2 : (quick + slow) >> 1) {
    const { rows, failures } = await runJourneys(origins, rate, TRY);
    const p99 = rows[ANY_CALL]?.["p99 ms"] ?? Infinity;
    say(`${rate} journeys a second: p99 ${p99} ms, ${failures.length} failed`);
    if (p99 < QUICK && failures.length === 0) quick = rate;
    else slow = rate;
  }
  return quick;
}

/** Asks for what needs no database, at a fixed rate, until told to stop. */
export async function watchIdleCall(origin: string, rate: number, signal: AbortSignal) {
  const measured = latencies();
  const calls: Promise<void>[] = [];
  const start = performance.now();
  for (let at = 0; !signal.aborted; at += 1) {
    const due = start + (at * 1_000) / rate;
    await pause(Math.max(0, due - performance.now()));
    calls.push(
      ask(origin, "/api/health/live").then(() =>
        measured.record("a call without the database", performance.now() - due),
      ),
    );
  }
  await Promise.all(calls);
  return measured.rows();
}
