/** What Prometheus is told: calls by path and status, log events, what waits, the networks, connections; and whom it is told. */
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { rawAddress } from "../../src/contract/address.ts";
import { createMetrics, serveMetrics } from "../../src/service/operations/metrics.ts";
import { SimulatedChain, type Trouble } from "../support/simulated-chain.ts";
import { freePort } from "../support/temporary-database.ts";
import { killAll, startProcess } from "../support/service-process.ts";
import { chainsOf, databases, emptyStore, monthly, serve, START, newPlace } from "./support.ts";

afterEach(killAll);

const valueOf = (text: string, metric: string) => {
  const line = text.split("\n").find((each) => each.startsWith(`${metric} `));
  return line === undefined ? undefined : Number(line.slice(metric.length));
};

describe.each(databases)("on the %s database", (kind) => {
  test("what waits and how far the networks are read", async () => {
    const store = await emptyStore(kind);
    onTestFinished(() => store.close());
    const chains = { TRC20: new SimulatedChain(1), ERC20: new SimulatedChain(2) };
    const fixture = await serve(store, { sandbox: false, chains: chainsOf(chains) });
    await fixture.settle();
    const [paid] = [
      await fixture.order(await fixture.member(), monthly),
      await fixture.order(await fixture.member()),
    ];
    chains.TRC20.mine({ to: rawAddress("TRC20", paid.address), amount: 5_000_000n });
    chains.TRC20.grow(20);
    await fixture.settle();
    const metrics = createMetrics();
    const { watchers } = fixture.payments;
    const text = await metrics.text(store, watchers, START + 600_001, true);
    const values = (names: string[]) => names.map((name) => valueOf(text, `everlit_${name}`));
    // The surplus waits for a person, two events for a receiver, the other order for its money.
    expect(values(["orders_pending", "unmatched_payments", "events_late", "events_given_up"])).toEqual([
      1, 1, 2, 0,
    ]);
    const early = [
      await metrics.text(store, watchers, START + 600_000, true),
      await metrics.text(store, watchers, START + 600_001, false),
    ];
    expect(early.map((each) => valueOf(each, "everlit_events_late"))).toEqual([0, 0]);
    expect(values(['network_block{network="TRC20"}', 'network_lag_blocks{network="TRC20"}'])).toEqual([
      21, 0,
    ]);
    const idle = valueOf(text, 'everlit_database_connections{state="idle"}');
    expect(idle === undefined ? "none" : "told").toBe(kind === "embedded" ? "none" : "told");
  });

  test("how new the newest block of any node is, how far the reading is behind it, and whether the token was replaced", async () => {
    const store = await emptyStore(kind);
    onTestFinished(() => store.close());
    const chains = { TRC20: new SimulatedChain(1), ERC20: new SimulatedChain(2) };
    const late: Trouble = {};
    const newest: Trouble = {};
    chains.ERC20.token.successor = "00000000000000000000000000000000000fa6e0";
    for (const chain of Object.values(chains)) chain.timeOf = () => START / 1000;
    const nodes = { TRC20: [chains.TRC20.node("late", late), chains.TRC20.node("newest", newest)] };
    const fixture = await serve(store, { sandbox: false, chains: chainsOf(chains, nodes) });
    const { watchers } = fixture.payments;
    await fixture.settle();
    const metrics = createMetrics();
    const of = async (network: string) => {
      const text = await metrics.text(store, watchers, fixture.clock.now, true);
      const names = ["block", "head_block", "lag_blocks", "head_age_seconds", "behind", "tokens_deprecated"];
      return names.map((name) => valueOf(text, `everlit_network_${name}{network="${network}"}`));
    };
    expect(await of("TRC20")).toEqual([0, 0, 0, 0, 0, 0]);
    // The one that has the newest block does not tell of transfers.
    newest.changes = () => {
      throw new Error("connection reset");
    };
    late.behind = 9;
    chains.TRC20.grow(50);
    fixture.clock.now = START + 29_000;
    for (let look = 0; look < 10; look += 1) await fixture.settle();
    expect(await of("TRC20")).toEqual([41, 50, 9, 29, 0, 0]);
    chains.ERC20.timeOf = () => START / 1000 + 31;
    chains.ERC20.mine();
    fixture.clock.now = START + 31_000;
    await fixture.settle();
    expect([await of("TRC20"), await of("ERC20")]).toEqual([
      [41, 50, 9, 31, 1, 0],
      [1, 1, 0, 0, 0, 1],
    ]);
    // Another process reads it now.
    await watchers.TRC20?.start()();
    expect((await of("TRC20")).slice(0, 4)).toEqual([undefined, undefined, undefined, undefined]);
    const text = await metrics.text(store, watchers, fixture.clock.now, true);
    expect(valueOf(text, 'everlit_network_answered_seconds{network="TRC20"}')).toBeUndefined();
    expect(valueOf(text, 'everlit_network_answered_seconds{network="ERC20"}')).toBe(0);
  });

  test("pending orders are counted every five minutes, and at once where the clock was set back", async () => {
    const store = await emptyStore(kind);
    onTestFinished(() => store.close());
    const { order, member } = await serve(store);
    const metrics = createMetrics();
    const MINUTES = 60_000;
    const told: (number | undefined)[] = [];
    for (const minutes of [0, 4.9, 5, 9.9, -60, -55.1]) {
      await order(await member());
      const text = await metrics.text(store, {}, START + minutes * MINUTES, true);
      told.push(valueOf(text, "everlit_orders_pending"));
    }
    expect(told).toEqual([1, 1, 3, 3, 5, 5]);
  });

  test("pending orders that could not be counted are counted at the next scrape", async () => {
    const store = await emptyStore(kind);
    const closed = await emptyStore(kind);
    onTestFinished(() => store.close());
    await closed.close();
    const metrics = createMetrics();
    const of = async (asked: typeof store) =>
      valueOf(await metrics.text(asked, {}, START, true), "everlit_orders_pending");
    expect([await of(closed), await of(store)]).toEqual([undefined, 0]);
  });

  test("while the database does not answer, what it would tell is left out, and the rest is told", async () => {
    const store = await emptyStore(kind);
    const metrics = createMetrics();
    const port = await freePort();
    const text = () => metrics.text(store, {}, START, true);
    const stop = serveMetrics({ host: "127.0.0.1", port }, metrics, text, () => undefined);
    onTestFinished(stop);
    const asked = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    const told = async () => {
      const body = await (await asked("/metrics")).text();
      return [
        valueOf(body, "everlit_orders_pending"),
        valueOf(body, 'everlit_log_events_total{event="job failed",level="error"}'),
      ];
    };
    metrics.onLine("job failed", {}, "error");
    expect([await told(), (await asked("/")).status]).toEqual([[0, 1], 404]);
    await store.close();
    expect(await told()).toEqual([undefined, 1]);
  });
});

test("a service tells its calls and log events on a port of its own, and says a misspelt setting", async () => {
  const port = await freePort();
  const { started, output } = startProcess({
    ...(await newPlace()),
    METRICS_PORT: String(port),
    LOGIN_FAILURE_PER_MINUTE: "9",
  });
  const origin = await started;
  await fetch(`${origin}/api/packegs/list`);
  await fetch(`${origin}/api/nothing-here`);
  expect((await fetch(`${origin}/api/health/live`)).status).toBe(200);
  expect((await fetch(`${origin}/metrics`)).headers.get("Content-Type")).not.toContain("version=");
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.headers.get("Content-Type")).toContain("text/plain; version=0.0.4");
  const text = await answer.text();
  expect(valueOf(text, 'everlit_call_seconds_count{path="/api/packegs/list",status="200"}')).toBe(1);
  expect(valueOf(text, 'everlit_call_seconds_count{path="other",status="404"}')).toBe(1);
  expect(valueOf(text, 'everlit_log_events_total{event="setting unknown",level="warn"}')).toBe(1);
  expect(output()).toContain(
    "LOGIN_FAILURE_PER_MINUTE is no setting. Did you mean LOGIN_FAILURES_PER_MINUTE?",
  );
}, 180_000);
