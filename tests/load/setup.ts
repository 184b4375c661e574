/** The set-up of a load measurement: a seeded database, the built service and the bare handler on it, each a process of its own. */
import { createHash } from "node:crypto";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { migrationsFolder } from "../../src/service/platform/project.ts";
import type { Store } from "../../src/service/store/database.ts";
import { open } from "../../src/service/store/open.ts";
import type { DatabaseLimits } from "../../src/service/store/server.ts";
import { temporaryDatabase, freePort } from "../support/temporary-database.ts";
import { bundled } from "../support/service-process.ts";

/** How many members there are, each with a session, and how many open orders, of the members in turn. */
export interface Size {
  members: number;
  orders: number;
}
const USUAL: Size = { members: 2_000, orders: 2_000 };
/** Of a member's number. */
export const tokenOf = (member: number) => `token-${member}`;
export const orderOf = (member: number) => `TEST${String(member).padStart(12, "0")}`;
/** A prime: so far apart are two that follow each other, so that what one needs is not read along with another's. */
const STRIDE = 7_919;
/** Each once, and from the start again. */
export function membersInTurn({ members } = USUAL): () => number {
  let last = 0;
  return () => (last = (last + STRIDE) % members) + 1;
}

/** Ms in which a process has to answer. */
const START = 60_000;
/** Clock ticks a second, by which Linux counts processor time. */
const TICKS = 100;
const KILOBYTE = 1024;

/** No limit stands in the way, but orders are counted as by default. */
const UNLIMITED = {
  LOGIN_FAILURES_PER_MINUTE: "0",
  LOGIN_FAILURES_PER_HOUR: "0",
  REGISTRATIONS_PER_MINUTE: "0",
  REQUESTS_PER_MINUTE: "0",
  ACCOUNT_REQUESTS_PER_MINUTE: "0",
  OPEN_ORDERS_PER_HOUR: "100000",
  NETWORK_ORDERS_PER_HOUR: "1000000",
};

export interface Running {
  origin: string;
  /** Seconds of processor time so far. */
  processor: () => number;
  /** The same of PostgreSQL's processes for its database, where they are on this machine; those that ended do not count. */
  server: () => number;
  /** MB in memory now: the resident set. */
  memory: () => number;
  stop: () => Promise<void>;
}

/** What of the environment a process that is measured gets: where programs are, and how memory is held. */
const handedOn = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      ["PATH", "NODE_OPTIONS", "MALLOC_ARENA_MAX"].includes(name),
    ),
  );

/** Seconds of processor time of a process: its user and system time are the 12th and the 13th figure after its name in brackets. */
function secondsOf(pid: number | string | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Of PostgreSQL's processes that serve a database: each has its name in its title. */
function secondsOfServer(database: string): number {
  if (database === "") return 0;
  let seconds = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const title = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      if (title.startsWith("postgres: ") && title.includes(` ${database} `)) seconds += secondsOf(pid);
    } catch {
      // It has ended meanwhile.
    }
  }
  return seconds;
}

const children = new Set<ChildProcess>();
// Whatever goes wrong here, none is left running.
process.once("exit", () => children.forEach((child) => child.kill("SIGKILL")));

/** Starts a program of this project on a free port; its output goes to a file, as to a supervisor's. */
async function start(words: readonly string[], env: Record<string, string>): Promise<Running> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "everlit-output-"));
  const output = join(folder, "output");
  const file = openSync(output, "w");
  const child = spawn(process.execPath, words, {
    env: { ...handedOn(), PORT: String(port), ...env },
    stdio: ["ignore", file, file],
  });
  const exited = once(child, "exit");
  children.add(child);
  const origin = `http://127.0.0.1:${port}`;
  for (const end = performance.now() + START; ; await pause(50)) {
    const answer = await fetch(`${origin}/api/health/live`).catch(() => null);
    if (answer?.ok === true) break;
    if (child.exitCode !== null || performance.now() > end) throw new Error(readFileSync(output, "utf8"));
  }
  const about = (name: string) => readFileSync(`/proc/${child.pid}/${name}`, "utf8");
  return {
    origin,
    processor: () => secondsOf(child.pid),
    server: () => secondsOfServer(new URL(env["DATABASE_URL"] ?? "none:/").pathname.slice(1)),
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(about("status"))?.[1]) / KILOBYTE,
    async stop() {
      child.kill("SIGTERM");
      await exited;
      children.delete(child);
      rmSync(folder, { recursive: true });
    },
  };
}

/** Millions of rows take long. */
export const SEEDING: DatabaseLimits = { connections: 1, statement: 3_600_000, pooling: "session" };

async function seedOpenOrders({ db }: Store, { members, orders }: Size): Promise<void> {
  const hash = createHash("sha256").update("unused").digest("hex");
  await db.execute(sql`
    INSERT INTO accounts (name, name_key, password_hash, created_at)
    SELECT 'load' || n, 'load' || n, ${hash}, now() FROM generate_series(1, ${members}::int) n`);
  await db.execute(sql`
    INSERT INTO sessions (token_hash, account_id, created_at, used_at, expires_at, network)
    SELECT encode(sha256(('token-' || substr(name, 5))::bytea), 'hex'), id, now(), now(), now() + interval '90 days', '127.0.0.1'
    FROM accounts`);
  await db.execute(sql`
    INSERT INTO orders (id, account_id, pack_id, product_id, pack_name, days, rail, network, address, raw_address, amount,
      currency, status, created_at)
    SELECT 'TEST' || lpad(n::text, 12, '0'), a.id, '1', 'monthly', '{"en": "Monthly", "zh-CN": "包月"}', 30, 'usdt',
      'ERC20', 'ADDRESS' || n, lpad(to_hex(n), 40, '0'), 9900000, 'USDT', 0, now() - n * interval '1 second'
    FROM generate_series(1, ${orders}::int) n JOIN accounts a ON a.name = 'load' || ((n - 1) % ${members}::int + 1)`);
  await db.execute(sql`ANALYZE`);
}

export interface LoadSetup {
  /** The database: its URL or its folder. */
  location: string;
  service: (more?: { profile?: string; env?: Record<string, string> }) => Promise<Running>;
  bare: () => Promise<Running>;
  drop: () => Promise<void>;
}

/**
 * @param server PostgreSQL on which a database may be created; null: the embedded one, of which the bare handler gets a copy
 * @param seed fills the database
 */
export async function setUpLoad(
  server: string | null,
  size = USUAL,
  seed: (store: Store, size: Size) => Promise<void> = seedOpenOrders,
): Promise<LoadSetup> {
  const place = await temporaryDatabase(server);
  const store = await open(place.location, migrationsFolder(), SEEDING);
  await seed(store, size);
  await store.close();
  const copy = server === null ? mkdtempSync(join(tmpdir(), "everlit-")) : null;
  if (copy !== null) cpSync(place.location, copy, { recursive: true });
  return setupOn(place, copy);
}

/** The same on a database that is there already, and is kept. @param location its URL */
export const setUpKept = (location: string): LoadSetup =>
  setupOn({ location, env: { DATABASE_URL: location }, drop: async () => undefined }, null);

type Place = Pick<Awaited<ReturnType<typeof temporaryDatabase>>, "location" | "drop"> & {
  env: Record<string, string>;
};

function setupOn(place: Place, copy: string | null): LoadSetup {
  return {
    location: place.location,
    service: ({ profile, env = {} } = {}) =>
      start(
        [
          ...(profile === undefined
            ? []
            : ["--cpu-prof", "--cpu-prof-interval=500", `--cpu-prof-dir=${profile}`]),
          bundled(),
        ],
        { ...place.env, ...UNLIMITED, ...env },
      ),
    bare: () => start([join(import.meta.dirname, "bare.ts")], copy === null ? place.env : { DATA_DIR: copy }),
    async drop() {
      await place.drop();
      if (copy !== null) rmSync(copy, { recursive: true });
    },
  };
}
