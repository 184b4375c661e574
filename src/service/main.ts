/** Starts the service: reads the settings, opens the database, listens; stops when told to. With the word `admin`, runs an operator's command instead. */
// oxlint-disable-next-line import/no-unassigned-import -- it must run before what follows is even loaded
import "./platform/node-version.ts";
import { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve, type ServerType } from "@hono/node-server";
import { SECOND } from "../contract/durations.ts";
import { buildApp } from "./app.ts";
import { buildConsole } from "./console/app.ts";
import { followCatalogue } from "./catalogue-versions.ts";
import { readCatalogue } from "./catalogue.ts";
import { admin } from "./operations/admin/cli.ts";
import { consoleOrigin } from "./operations/admin/operators.ts";
import { openSocket } from "./operations/admin/socket.ts";
import { listen, log } from "./platform/log.ts";
import { keepForRestore } from "./platform/restore-log.ts";
import { createMetrics, serveMetrics } from "./operations/metrics.ts";
import { startAlerts } from "./operations/alerts/start.ts";
import { startRetention } from "./operations/retention.ts";
import { migrationsFolder } from "./platform/project.ts";
import { ledgerOf } from "./payments/ledger.ts";
import { checkPaymentMode, openPayments } from "./payments/open.ts";
import { railKeys } from "./payments/rails.ts";
import { openSandbox } from "./sandbox/sandbox.ts";
import { createRequestLimits } from "./limits/request-limits.ts";
import { isBuilt } from "./routes/site.ts";
import { likelyMistakes, readSettings, type ConsoleSettings } from "./settings.ts";
import { drainable } from "./operations/shutdown.ts";
import { isServer, open } from "./store/open.ts";

/** Ms that requests under way get to finish. */
const DRAIN_TIMEOUT = 25 * SECOND;
/** Ms that the database gets to close. */
const CLOSING = 5 * SECOND;
/** Seconds between this machine's clock and the database's that the operator is told of. */
const CLOCKS_DIFFER = 5;
/** Ms that an idle connection stays open: longer than proxies keep theirs (nginx 60 s), or a request would meet a connection that is just being closed. */
const KEEP_ALIVE = 65 * SECOND;

/** By its options a listener is one of HTTP/1.1. */
const draining = (listener: ServerType) =>
  listener instanceof Server ? drainable(listener) : () => Promise.resolve();

async function start(): Promise<void> {
  const settings = readSettings(process.env);
  const metrics = createMetrics();
  listen(metrics.onLine);
  if (settings.restoreLog !== null) listen(keepForRestore(settings.restoreLog, log));
  for (const hint of likelyMistakes(process.env)) log("setting unknown", { hint }, "warn");
  // One with mistakes stops the start before anything is opened.
  readCatalogue(settings.catalogueFile);
  console.log("Opening the database; the first time takes a few seconds.");
  const store = await open(settings.database, migrationsFolder(), settings.databaseLimits);
  const { now } = store;
  const { catalogue, stop: stopCatalogue } = await followCatalogue(settings.catalogueFile, store.db, log);
  const differs = Math.round((Date.now() - now()) / 1000);
  if (Math.abs(differs) > CLOCKS_DIFFER) log("clocks differ", { seconds: differs }, "warn");
  const ledger = ledgerOf(settings, store, log);
  await checkPaymentMode(ledger, settings.payments);
  const sandbox =
    settings.payments === "sandbox" ? await openSandbox(ledger, settings.sandboxConfirmSeconds) : null;
  const payments = await openPayments(ledger, settings, sandbox);
  if (sandbox && settings.events) {
    const hint = "Payments are practice, and EVENTS_URL is set: play money would open what it leads to.";
    log("practice events", { hint }, "warn");
  }
  const app = buildApp({
    db: store.db,
    ping: store.ping,
    settings,
    catalogue,
    now,
    ledger,
    rails: payments.rails,
    networks: payments.networks,
    card: payments.card,
    stripe: payments.stripe,
    sandbox: sandbox?.routes ?? null,
    log,
    requests: createRequestLimits(settings, now, metrics.onRefused),
    onCall: metrics.onCall,
  });

  if (!isBuilt(settings.siteDir)) log("site not built", { folder: settings.siteDir }, "warn");
  const stopPayments = payments.start();
  const stopRetention = startRetention(ledger, settings.unpaidOrdersDays);
  const read = sandbox ? [] : railKeys.filter((key) => payments.rails[key] !== undefined);
  const alerts = startAlerts(ledger, {
    alerts: settings.alerts,
    page: settings.console && consoleOrigin(settings.console),
    read,
    missing: payments.missing,
    hasReceiver: settings.events !== null,
  });
  listen(alerts.heard);
  const text = () => metrics.text(store, payments.watchers, now(), settings.events !== null);
  const stopMetrics = settings.metrics && serveMetrics(settings.metrics, metrics, text, log);
  const chains = async () => sandbox?.chains ?? settings.chains;
  const closeSocket = isServer(settings.database)
    ? undefined
    : openSocket(
        {
          ledger,
          chains,
          console: settings.console,
          alerts: settings.alerts,
          events: settings.events,
          catalogue: settings.catalogueFile,
        },
        settings.database,
        () => store.verify(),
      );
  type Fetch = typeof app.fetch;
  /** Nothing is answered from data that is no longer there. */
  function verified(fetch: Fetch): Fetch {
    return async (...request) => {
      const answered = await fetch(...request);
      store.verify();
      return answered;
    };
  }

  const stopConsole = settings.console && serveConsole(settings.console);

  /** @returns what ends it, as `drainable` */
  function serveConsole(page: ConsoleSettings): (patience: number) => Promise<void> {
    const { host: hostname, port } = page;
    const fetch = verified(buildConsole({ ledger, chains, settings, page, alerts: settings.alerts }).fetch);
    const listener = serve({ fetch, hostname, port, serverOptions: { keepAliveTimeout: KEEP_ALIVE } });
    // The shop goes on without it.
    listener.on("error", (error) => log("console not served", { error: error.message }, "error"));
    return draining(listener);
  }

  const listening = {
    fetch: verified(app.fetch),
    hostname: settings.host,
    port: settings.port,
    serverOptions: { keepAliveTimeout: KEEP_ALIVE },
  };
  const server = serve(listening, (address) => {
    for (const line of greeting(address)) console.log(line);
  });

  function greeting({ port }: AddressInfo): string[] {
    const host = ["0.0.0.0", "::"].includes(settings.host) ? "localhost" : settings.host;
    const origin = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
    return [
      `Everlit is at ${origin}`,
      ...(sandbox
        ? [`Payments are a SANDBOX: no real money moves. Pay orders from ${origin}/sandbox/wallet`]
        : ["Payments are LIVE: real money moves."]),
      ...Object.entries(sandbox ? {} : payments.firstAddresses).map(
        ([network, address]) => `${network}: compare 0/0 of the account in your wallet with ${address}`,
      ),
      ...(settings.console
        ? [
            `The operator's page is at ${consoleOrigin(settings.console)}: "npm run admin -- console" lets you in`,
          ]
        : []),
      `The data is in ${store.place}`,
      ...(isBuilt(settings.siteDir)
        ? []
        : [
            `The site is not built: ${settings.siteDir} has no index.html ("npm run build" makes it). The API works.`,
          ]),
    ];
  }

  const drain = draining(server);
  let stopping = false;
  async function stop(reason: string, exitCode: number): Promise<void> {
    // A second signal exits at once; like a crash, that loses nothing.
    if (stopping) process.exit(1);
    stopping = true;
    log("stopping", { reason });
    closeSocket?.();
    stopMetrics?.();
    const jobsStopped = Promise.all([stopPayments(), stopRetention(), stopCatalogue(), alerts.stop()]);
    await Promise.all([drain(DRAIN_TIMEOUT), stopConsole?.(DRAIN_TIMEOUT)]);
    process.exitCode = exitCode;
    // A database that does not answer does not delay the exit.
    setTimeout(() => process.exit(), CLOSING).unref();
    await jobsStopped;
    await store.close();
  }
  process.on("SIGINT", () => void stop("SIGINT", 0));
  process.on("SIGTERM", () => void stop("SIGTERM", 0));
  server.on("error", (error: NodeJS.ErrnoException) => {
    console.error(
      error.code === "EADDRINUSE"
        ? `Port ${settings.port} of ${settings.host} is in use by another program. Stop it, or set PORT to another number.`
        : `The service cannot listen on ${settings.host}:${settings.port}: ${error.message}`,
    );
    void stop("cannot listen", 1);
  });
}

async function runAdmin(words: string[]): Promise<void> {
  process.exitCode = await admin(readSettings(process.env), words);
}

const [command, ...words] = process.argv.slice(2);
(command === "admin" ? runAdmin(words) : start()).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
