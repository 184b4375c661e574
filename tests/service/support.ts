/** A service for tests: on the databases of its lane, with a clock that stands still until it is moved. */
import crypto from "node:crypto";
import { cpSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";
import { buildApp } from "../../src/service/app.ts";
import type { Service } from "../../src/service/http/service.ts";
import type { Answer, Lines } from "../../src/service/operations/admin/command.ts";
import { readCatalogue } from "../../src/service/catalogue.ts";
import { catalogueFile, migrationsFolder } from "../../src/service/platform/project.ts";
import type { Log } from "../../src/service/platform/log.ts";
import { networks, type Network } from "../../src/contract/calls.ts";
import type { Transport } from "../../src/service/payments/chain/json-rpc.ts";
import type { ChainSettings } from "../../src/service/payments/usdt.ts";
import { repeats } from "../support/lane.ts";
import { temporaryDatabase } from "../support/temporary-database.ts";
import { TOKEN, type SimulatedChain } from "../support/simulated-chain.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { ledgerOf } from "../../src/service/payments/ledger.ts";
import { checkPaymentMode, openPayments } from "../../src/service/payments/open.ts";
import { createRequestLimits } from "../../src/service/limits/request-limits.ts";
import { openSandbox } from "../../src/service/sandbox/sandbox.ts";
import { readSettings, type Settings } from "../../src/service/settings.ts";
import { open } from "../../src/service/store/open.ts";
import type { Store } from "../../src/service/store/database.ts";
import { attempts } from "../../src/service/store/schema.ts";

/** What a hash of the service's own costs, in KiB. No test depends on it but the one that looks for it. */
const DEAR = 19_456;
const { argon2 } = crypto;
const cheap: Partial<typeof crypto> = {
  argon2: (algorithm, options, done) =>
    argon2(algorithm, options.memory === DEAR ? { ...options, memory: 64, passes: 1 } : options, done),
};
Object.assign(crypto, cheap);

const server = process.env["TEST_DATABASE_URL"];

/** PostgreSQL, where there is one to test on. */
export const servers: readonly string[] = server === undefined ? [] : [server];

/** Every database there is, for tests whose subject is the store: the embedded one, and PostgreSQL where TEST_DATABASE_URL names one that may create databases. */
export const everyDatabase: readonly string[] =
  server === undefined ? ["embedded"] : ["embedded", "PostgreSQL"];

/** For all other tests: PostgreSQL where there is one, else the embedded database; in the second lane both. */
export const databases: readonly string[] = repeats ? everyDatabase : everyDatabase.slice(-1);

/** An empty database on the server. @param template one that it begins as a copy of */
export async function emptyDatabase(template?: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const { location, drop } = await temporaryDatabase(server ?? "", template);
  return { url: location, drop };
}

/** Ms that the run may take to make the embedded database. */
const MAKING = 120_000;

/** The embedded database with all tables and no rows, once the run has made it: as a file for memory, and as a directory. */
function emptyFiles(): { copy: string; data: string } {
  const { folder } = inject("empty");
  const still = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; !existsSync(join(folder, "whole")); waited += 50) {
    if (waited > MAKING) throw new Error("The embedded database was not made: see what was said of it.");
    Atomics.wait(still, 0, 0, 50);
  }
  return { copy: join(folder, "copy.tar"), data: join(folder, "data") };
}

/** An empty database of that kind, or of the one that costs least to make; gone when closed. */
export async function emptyStore(kind = everyDatabase.at(-1)): Promise<Store> {
  if (kind === "embedded") return open(`memory:${emptyFiles().copy}`, migrationsFolder());
  const { url, drop } = await emptyDatabase(inject("empty").template);
  const store = await open(url, migrationsFolder());
  return {
    ...store,
    close: async () => {
      await store.close();
      await drop();
    },
  };
}

export const START = Date.parse("2026-11-20T08:00:00.000Z");
export const CONFIRM_SECONDS = 10;
/** Of an account's depth: BIP32's first test vector, m/0H/1/2H. */
export const XPUB =
  "xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5";

/** Without limits unless a test is about them. */
export const settings: Settings = {
  ...readSettings({}),
  siteDir: join(tmpdir(), "no-site-here"),
  sandboxConfirmSeconds: CONFIRM_SECONDS,
  // Deriving a thousand takes a second.
  addressLookAhead: 20,
  loginFailuresPerMinute: 0,
  loginFailuresPerHour: 0,
  registrationsPerMinute: 0,
  openOrdersPerHour: 0,
  networkOrdersPerHour: 0,
  recoveryFailuresPerDay: 0,
  requestsPerMinute: 0,
  accountRequestsPerMinute: 0,
};

export const PASSWORD = "correct horse battery";

/** Simulated chains as the networks of live payments, each reached by the given nodes. */
export const chainsOf = (
  chains: Readonly<Record<Network, SimulatedChain>>,
  nodes: Partial<Record<Network, Transport[]>> = {},
): Settings["chains"] => {
  const chainOf = (network: Network): ChainSettings => ({
    xpub: XPUB,
    nodes: nodes[network] ?? [chains[network].node()],
    chainId: chains[network].chainId,
    contracts: [TOKEN],
    confirmations: network === "ERC20" ? 12 : null,
    explorer: `https://explorer.example/${network}/{tx}`,
  });
  return { TRC20: chainOf("TRC20"), ERC20: chainOf("ERC20") };
};

interface Asked {
  body?: unknown;
  form?: BodyInit;
  token?: string;
  headers?: Record<string, string>;
  from?: string;
}

interface Served {
  sandbox?: boolean;
  startsAt?: number;
  goesOn?: boolean;
}

/**
 * The service on `store`. `sandbox: false` is the service as it will be for real money. `startsAt`: milliseconds since 1970.
 * `goesOn`: what others tried before counts against the limits.
 */
export async function serve(store: Store, changes: Partial<Settings> & Served = {}) {
  const { sandbox: wanted = true, startsAt = START, goesOn = false, ...changed } = changes;
  if (!goesOn) await store.db.delete(attempts);
  const clock = { now: startsAt };
  const now = () => clock.now;
  const lines: string[] = [];
  const log: Log = (event, facts) => lines.push(JSON.stringify({ event, ...facts }));
  const set: Settings = { ...settings, payments: wanted ? "sandbox" : "live", ...changed };
  const ledger = ledgerOf(set, { db: store.db, now }, log);
  await checkPaymentMode(ledger, set.payments);
  const sandbox = wanted ? await openSandbox(ledger, CONFIRM_SECONDS) : null;
  const payments = await openPayments(ledger, set, sandbox);
  const { rails } = payments;
  onTestFinished(() => sandbox?.stop());
  const service: Service = {
    db: store.db,
    ping: store.ping,
    settings: set,
    catalogue: readCatalogue(catalogueFile()),
    now,
    ledger,
    rails,
    networks: payments.networks,
    card: payments.card,
    stripe: payments.stripe,
    sandbox: sandbox?.routes ?? null,
    log,
    requests: createRequestLimits(set, now),
  };

  /** Everything outside has its say: the networks are read, and the webhook events that are due arrive. */
  async function settle(): Promise<void> {
    await sandbox?.settle();
    for (const network of networks) await payments.watchers[network]?.tick();
  }
  const app = buildApp(service);

  /** One request: GET without a body, POST with one. */
  async function ask(path: string, { body, form, token, headers, from = "192.0.2.1" }: Asked = {}) {
    const sent = form ?? (body === undefined ? undefined : JSON.stringify(body));
    return app.request(
      path,
      {
        ...(sent === undefined ? {} : { method: "POST", body: sent }),
        headers: {
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          ...headers,
        },
      },
      { incoming: { socket: { remoteAddress: from } } },
    );
  }

  /** The envelope of one call. */
  async function call(path: string, asked: Asked = {}): Promise<Envelope> {
    const response = await ask(path, asked);
    return (await response.json()) as Envelope;
  }

  /** A new account. @returns its token */
  async function member(name = freshName()): Promise<string> {
    const body = { account_name: name, password: PASSWORD };
    await call("/api/register", { body });
    const { data } = await call("/api/login", { body });
    return (data as { token: string }).token;
  }

  /** A new order of the holder of `token`. */
  async function order(token: string, product: Product = monthly, headers: Record<string, string> = {}) {
    const { data } = await call("/api/order/create", { body: product, token, headers });
    const { order: made, payData } = data as {
      order: { order_id: string; payment_amount: string; created_at: string };
      payData: { address: string };
    };
    return {
      id: made.order_id,
      amount: made.payment_amount,
      createdAt: made.created_at,
      address: payData.address,
    };
  }

  return { app, clock, lines, service, ledger, payments, sandbox, settle, ask, call, member, order };
}

export interface Envelope {
  code: number;
  message: string;
  data: unknown;
  server_time: number;
  field?: string;
}

export interface Product {
  pack_id: string;
  product_id: string;
  coin_type: 2 | 4;
}
export const monthly: Product = { pack_id: "1", product_id: "monthly", coin_type: 4 };
export const annual: Product = { pack_id: "4", product_id: "annual", coin_type: 2 };

let names = 0;
export const freshName = () => `member${++names}`;

/** What a refusal looks like, whole. */
export const refusal = (message: string, code = 1, at = START): Envelope => ({
  code,
  message,
  data: null,
  server_time: at,
});
/** One that is about an entry of the request; of none, where there is no `field`. */
export const refusalOf = (field: string | undefined, message: string): Envelope => ({
  ...refusal(message),
  ...(field !== undefined && { field }),
});
export const success = (data: unknown, message = "Done.", at = START): Envelope => ({
  code: 200,
  message,
  data,
  server_time: at,
});

/** All of a text that a command answers with in parts. */
export async function textOf(answer: Answer): Promise<string> {
  const parts: string[] = [];
  for await (const part of answer as Lines) parts.push(part);
  return parts.join("\n");
}

export const en = { language: "en" };
export const zh = { language: "zh-CN" };

/** Where a service finds its data made, as a first start would make them. */
export function newData(): string {
  const directory = temporaryDirectory();
  cpSync(emptyFiles().data, directory, { recursive: true });
  return directory;
}

/** The same, on PostgreSQL where there is one, on which a service begins in a fraction of the time: its settings. The database is gone after the test. */
export async function newPlace(): Promise<Record<string, string>> {
  if (server === undefined) return { DATA_DIR: newData() };
  const { url, drop } = await emptyDatabase(inject("empty").template);
  onTestFinished(drop);
  return { DATABASE_URL: url };
}
