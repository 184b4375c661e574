/** What Prometheus reads of this process, on a port of its own: calls, log events, the networks, money and events that wait, connections. docs/operating.md, "Metrics". */
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { networks } from "../../contract/calls.ts";
import { MINUTE, SECOND } from "../../contract/durations.ts";
import type { OnCall } from "../http/service.ts";
import type { Payments } from "../payments/open.ts";
import type { RefusedBy } from "../limits/request-limits.ts";
import type { Database, Store } from "../store/database.ts";
import { backlogOf, countPending } from "./backlog.ts";
import { linesLost, type Log } from "../platform/log.ts";

/** Ms in which the database has to answer: Prometheus waits for ten seconds. */
const PATIENCE = 3 * SECOND;

/** Ms for which the number of pending orders is told that was counted: there may be a million. */
const COUNTED = 5 * MINUTE;

/** Seconds: from what a cached answer takes to what people no longer wait for. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What the database tells. */
const BACKLOG = ["pendingOrders", "unmatchedPayments", "eventsLate", "eventsGivenUp"] as const;

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const calls = new Histogram({
    name: "everlit_call_seconds",
    help: "Calls of the API by path and status, and how long they took.",
    labelNames: ["path", "status"],
    buckets: BUCKETS,
    registers,
  });
  const events = new Counter({
    name: "everlit_log_events_total",
    help: "Lines of the log by event and level; calls have a metric of their own.",
    labelNames: ["event", "level"],
    registers,
  });
  const refused = new Counter({
    name: "everlit_requests_refused_total",
    help: "Requests that were one too many, by what had reached its limit.",
    labelNames: ["by"],
    registers,
  });
  void new Counter({
    name: "everlit_log_lines_lost_total",
    help: "Lines of the log that were lost, because its output was full, slow or gone.",
    registers,
    collect() {
      this.reset();
      this.inc(linesLost());
    },
  });
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `everlit_${name}`, help, labelNames, registers });
  const gauges = {
    pendingOrders: gauge("orders_pending", "Orders that are not paid yet, counted every five minutes."),
    unmatchedPayments: gauge("unmatched_payments", "Money that no rule settles: a person has to look at it."),
    eventsLate: gauge("events_late", "Events for other systems that were not delivered in ten minutes."),
    eventsGivenUp: gauge("events_given_up", "Events for other systems that were given up."),
    block: gauge("network_block", "The last block that was read.", ["network"]),
    lag: gauge("network_lag_blocks", "Blocks between it and the newest one that a node showed.", ["network"]),
    head: gauge("network_head_block", "The newest block that a node showed.", ["network"]),
    headAge: gauge("network_head_age_seconds", "Seconds since that block was made.", ["network"]),
    behind: gauge("network_behind", "1 where what is paid now is found late.", ["network"]),
    deprecated: gauge("network_tokens_deprecated", "Contracts that their issuer has replaced.", ["network"]),
    answered: gauge("network_answered_seconds", "Seconds since a node last answered.", ["network"]),
    connections: gauge("database_connections", "Connections to PostgreSQL; queries that wait for one.", [
      "state",
    ]),
  };

  const onCall: OnCall = ({ path, status, seconds }) => calls.observe({ path, status }, seconds);

  const onRefused = (by: RefusedBy) => refused.inc({ by });

  const onLine: Log = (event, _, level = "info") => {
    if (event !== "call") events.inc({ event, level });
  };

  let pending: { at: number; number: Promise<number> } | null = null;
  /** Of several scrapes that come while it is counted, one counts. */
  function pendingOf(db: Database, now: number): Promise<number> {
    // A clock that was set back does not say how old the number is.
    if (pending && now >= pending.at && now < pending.at + COUNTED) return pending.number;
    const counting = { at: now, number: countPending(db) };
    pending = counting;
    counting.number.catch(() => {
      if (pending === counting) pending = null;
    });
    return counting.number;
  }

  /**
   * In the text format of Prometheus. While the database does not answer, without what it would tell: none is better than one
   * that was right before.
   * @param hasReceiver as of `backlogOf`
   */
  async function text(
    store: Store,
    watchers: Payments["watchers"],
    now: number,
    hasReceiver: boolean,
  ): Promise<string> {
    for (const [state, number] of Object.entries(store.connections() ?? {})) {
      gauges.connections.set({ state }, number);
    }
    const counted = async () => {
      const [backlog, pendingOrders] = await Promise.all([
        backlogOf(store.db, now, hasReceiver),
        pendingOf(store.db, now),
      ]);
      return { ...backlog, pendingOrders };
    };
    const backlog = await Promise.race([
      counted().catch(() => null),
      setTimeout(PATIENCE, null, { ref: false }),
    ]);
    for (const name of BACKLOG) {
      if (backlog) gauges[name].set(backlog[name]);
      else gauges[name].remove();
    }
    // Another process may read the networks now.
    const { block, lag: lagging, answered: silence, head: newest, headAge: age, behind, deprecated } = gauges;
    for (const each of [block, lagging, silence, newest, age, behind, deprecated]) each.reset();
    for (const network of networks) {
      const status = watchers[network]?.status();
      if (!status) continue;
      const { position, lag, answered, head, headAge } = status;
      gauges.behind.set({ network }, status.isBehind ? 1 : 0);
      gauges.deprecated.set({ network }, status.deprecated.length);
      if (head !== null) gauges.head.set({ network }, head);
      if (headAge !== null) gauges.headAge.set({ network }, headAge);
      if (position !== null) gauges.block.set({ network }, position);
      if (lag !== null) gauges.lag.set({ network }, lag);
      if (answered !== null) gauges.answered.set({ network }, answered);
    }
    return registry.metrics();
  }

  const names = registry.getMetricsAsArray().map(({ name }) => name);
  return { onCall, onRefused, onLine, text, names, contentType: registry.contentType };
}

/**
 * Answers `/metrics` to the machine itself, or to the address that is set.
 * @param text what `Metrics.text` makes
 * @returns what stops it
 */
export function serveMetrics(
  where: { host: string; port: number },
  { contentType }: Metrics,
  text: () => Promise<string>,
  log: Log,
): () => void {
  const server = createServer((request, answer) => {
    if (request.url !== "/metrics") {
      answer.writeHead(404).end();
      return;
    }
    text().then(
      (body) => answer.writeHead(200, { "Content-Type": contentType }).end(body),
      () => answer.writeHead(503).end(),
    );
  });
  server.on("error", (error) => log("metrics not served", { error: error.message }, "error"));
  server.listen(where.port, where.host).unref();
  return () => void server.close();
}
