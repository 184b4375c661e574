/** Starts the service: reads the settings, opens the database, listens; stops when told to. */
// oxlint-disable-next-line import/no-unassigned-import -- it must run before what follows is even loaded
import "./node-version.ts";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { buildApp } from "./app.ts";
import { readCatalogue } from "./catalogue.ts";
import { log } from "./log.ts";
import { migrationsFolder } from "./project.ts";
import { receivingAddresses, sandboxXpub } from "./rails/addresses.ts";
import { openSandbox } from "./rails/sandbox.ts";
import { isBuilt } from "./routes/site.ts";
import { readSettings } from "./settings.ts";
import { open } from "./store/open.ts";

/** Requests under way get this long to finish. */
const PATIENCE = 5_000;

async function start(): Promise<void> {
  const settings = readSettings(process.env);
  const catalogue = readCatalogue(settings.catalogueFile);
  console.log("Opening the database; the first time takes a few seconds.");
  const store = await open(settings.database, migrationsFolder());
  const now = Date.now;
  const receiving = receivingAddresses(await sandboxXpub(store.db));
  const sandbox = await openSandbox(store.db, now, settings.sandboxConfirmSeconds, log);
  const app = buildApp({
    db: store.db,
    settings,
    catalogue,
    now,
    receiving,
    card: sandbox.card.account,
    stripe: sandbox.stripe.account,
    sandbox,
    log,
  });

  const server = serve({ fetch: app.fetch, hostname: settings.host, port: settings.port }, (address) => {
    for (const line of greeting(address)) console.log(line);
  });

  function greeting({ port }: AddressInfo): string[] {
    const host = ["0.0.0.0", "::"].includes(settings.host) ? "localhost" : settings.host;
    const origin = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
    return [
      `Everlit is at ${origin}`,
      `Payments are a SANDBOX: no real money moves. Pay orders from ${origin}/sandbox/wallet`,
      ...(settings.usdtXpub === null
        ? []
        : ["USDT_XPUB is not used in the sandbox: it would show real addresses."]),
      `The data is in ${store.place}`,
      ...(isBuilt(settings.siteDir)
        ? []
        : [
            `The site is not built: ${settings.siteDir} has no index.html ("npm run build" makes it). The API works.`,
          ]),
    ];
  }

  let stopping = false;
  async function stop(reason: string, exitCode: number): Promise<void> {
    // Told twice: nothing is waited for. What was under way is as after a crash, which loses nothing.
    if (stopping) process.exit(1);
    stopping = true;
    log("stopping", { reason });
    sandbox.stop();
    const patience = setTimeout(
      () => "closeAllConnections" in server && server.closeAllConnections(),
      PATIENCE,
    );
    await new Promise<void>((resolve) => server.close(() => resolve()));
    clearTimeout(patience);
    process.exitCode = exitCode;
    // A database that does not answer holds nobody up.
    setTimeout(() => process.exit(), PATIENCE).unref();
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

start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
