/** Strikes three PostgreSQL under Patroni and two services again and again while clients register, order and pay on real chains, and counts what was lost or doubled and for how long nothing was answered: `npm run failover`, with `-- --rounds 20 --clients 4`. As root, on Linux. */
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { setTimeout as pause } from "node:timers/promises";
import { loadavg } from "node:os";
import { HDKey } from "@scure/bip32";
import pLimit from "p-limit";
import { Client } from "pg";
import { rawAddress } from "../../src/contract/address.ts";
import { paths } from "../../src/contract/calls.ts";
import { toUnits, USDT_DECIMALS } from "../../src/contract/money.ts";
import { liveSettings, startAnvil } from "../support/anvil.ts";
import { crashUnderLoad, type Struck } from "../support/crashes.ts";
import { killAll } from "../support/service-process.ts";
import { startCluster } from "../support/database-cluster.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "20" }, clients: { type: "string", default: "4" } },
});
const rounds = Number(values.rounds);

const say = (text: string) => process.stdout.write(`${text}\n`);
const seconds = (ms: number) => (ms / 1000).toFixed(1);

const cluster = await startCluster();
say(`Three databases are up, db${await cluster.primary()} is written to.`);
const [tron, ethereum] = await Promise.all([startAnvil(), startAnvil()]);
const chains = { TRC20: tron, ERC20: ethereum };
/** One wallet pays on each: its transfers are numbered. */
const wallets = { TRC20: pLimit(1), ERC20: pLimit(1) };
const wallet = HDKey.fromMasterSeed(randomBytes(32));
/** So that what was paid becomes final. */
const mining = setInterval(
  () => void Promise.all([tron.mine(1), ethereum.mine(1)]).catch(() => undefined),
  1_000,
);

/** Ms that one probe waits for its answer, and between two. */
const PATIENCE = 3_000;
const AGAIN = 100;
/** Ms after which no answer is expected any more. */
const LONGEST = 120_000;
/** Ms after which another process reads the chains. */
const LEASE = 12_000;

const account = {
  account_name: `probe ${randomBytes(8).toString("hex")}`,
  password: "correct horse battery",
};
let token: string | undefined;

async function post(
  port: number,
  path: string,
  body: unknown,
): Promise<{ code: number; data: unknown } | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${token ?? ""}` },
      signal: AbortSignal.timeout(PATIENCE),
    });
    return (await answer.json()) as { code: number; data: unknown };
  } catch {
    return null;
  }
}

async function signIn(port: number): Promise<void> {
  while (token === undefined) {
    await post(port, paths.register, account);
    const answer = await post(port, paths.login, account);
    if (answer?.code === 200) ({ token } = answer.data as { token: string });
  }
}

/**
 * Writes by one process until it is answered, at the earliest once `isOver`.
 * @returns ms from `struck` to the first answer after the last question that had none; 0: each had one
 */
async function unanswered(port: number, struck: number, isOver: () => Promise<boolean>): Promise<number> {
  let answered: number | null = struck;
  let longest = 0;
  for (;;) {
    const over = await isOver();
    const asked = performance.now();
    const answer = await post(port, paths.updateProfile, {
      name: `at ${Math.round(asked)}`,
      sex: "",
      birth_date: "",
    });
    const now = performance.now();
    if (answer?.code === 200) {
      if (answered === null || now - asked > 1_000) longest = now - struck;
      answered = now;
      if (over) return longest;
    } else answered = null;
    if (now - struck > LONGEST) {
      say(
        `The service at ${port} has not answered for ${LONGEST / 1000} s, or nothing took the place of what was struck.`,
      );
      process.exitCode = 1;
      return LONGEST;
    }
    await pause(AGAIN);
  }
}

/** What each process writes where it reads a network; null: not known since it was started. */
const known: [string | null, string | null] = [null, null];
/** Which of the two has written it. One of them at least is known. */
function processOf(holder: string): 0 | 1 {
  if (holder === known[0]) return 0;
  if (holder === known[1]) return 1;
  return known[0] === null ? 0 : 1;
}
async function holderIn(database: string): Promise<string | null> {
  const client = new Client({ connectionString: database, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ holder: string | null }>(
      "SELECT holder FROM chain_positions WHERE network = 'TRC20'",
    );
    return rows[0]?.holder ?? null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface Strike {
  what: string;
  /** @returns how long each process that runs was not answering, in ms */
  act: (struck: Struck) => Promise<number[]>;
}

/** Strikes the machine that is written to, and lets it come back once another one took its place. */
const atThePrimary = (
  what: string,
  hit: (machine: 1 | 2 | 3) => unknown,
  mend: (machine: 1 | 2 | 3) => unknown,
): Strike => ({
  what,
  async act({ ports }) {
    const old = await cluster.primary();
    if (old === undefined) throw new Error("No database is written to.");
    const at = performance.now();
    await hit(old);
    const isOver = async () => (await cluster.primary(old)) !== undefined;
    const found = await Promise.all(ports.map((port) => unanswered(port, at, isOver)));
    await mend(old);
    return found;
  },
});

const strikes: Strike[] = [
  atThePrimary("the primary's machine is killed", cluster.kill, cluster.start),
  atThePrimary("the primary is cut off from the other two", cluster.cutOff, cluster.heal),
  {
    what: "the service that reads the chains is killed",
    async act({ ports, database, kill, start }) {
      const holder = (await holderIn(database)) ?? "";
      const leading = processOf(holder);
      const at = performance.now();
      await kill(leading);
      const others = ports.filter((_, process) => process !== leading);
      const taken = async () => (await holderIn(database)) !== holder;
      const found = await Promise.all(others.map((port) => unanswered(port, at, taken)));
      known[1 - leading] = await holderIn(database);
      known[leading] = null;
      await start(leading);
      return found;
    },
  },
  {
    what: "etcd's leader is killed",
    async act({ ports }) {
      const at = performance.now();
      await cluster.killEtcdLeader();
      const begun = performance.now();
      const isOver = async () => performance.now() - begun > 8_000;
      return Promise.all(ports.map((port) => unanswered(port, at, isOver)));
    },
  },
];

const outages = new Map<string, number[]>(strikes.map(({ what }) => [what, []]));
const lines = { lost: 0, back: 0 };
let tally;
try {
  tally = await crashUnderLoad({
    server: cluster.url,
    kills: rounds,
    clients: Number(values.clients),
    processes: 2,
    settings: liveSettings(wallet, tron, ethereum),
    transfer: async ({ network, address, amount }) => {
      const units = toUnits(amount, USDT_DECIMALS) ?? 0n;
      await wallets[network](() => chains[network].transfer(rawAddress(network, address), units));
    },
    async strike(round, struck) {
      const { ports, database, output } = struck;
      await signIn(ports[0] ?? 0);
      if (round === 1) {
        // Of two processes one reads: which one shows when the other one ends.
        await struck.kill(1);
        await pause(LEASE);
        known[0] = await holderIn(database);
        await struck.start(1);
      }
      const strike = strikes[(round - 1) % strikes.length];
      if (!strike) return;
      const before = ports.map((_, process) => output(process).length);
      const found = await strike.act(struck);
      outages.get(strike.what)?.push(...found);
      const said = ports.map((_, process) => output(process).slice(before[process]));
      lines.lost += said.join("").split('"event":"database unreachable"').length - 1;
      lines.back += said.join("").split('"event":"database reached"').length - 1;
      say(`${round}: ${strike.what}: ${found.map(seconds).join(" and ")} s without an answer`);
      await cluster.waitFor("three databases that follow each other", cluster.isWhole, 180_000);
    },
    say,
  });
} finally {
  clearInterval(mining);
  killAll();
  await Promise.all([tron.stop(), ethereum.stop()]);
  await cluster.stop();
}

const [load = 0] = loadavg();
say(
  `\n${rounds} rounds, two services, three databases, ${values.clients} clients; load of the machine ${load.toFixed(0)}.`,
);
const line = (cells: readonly (string | number)[]) =>
  say(cells.map((cell, at) => (at === 0 ? String(cell).padEnd(48) : String(cell).padStart(10))).join(""));
line(["seconds without an answer", "times", "p50", "worst"]);
for (const [what, ms] of outages) {
  const sorted = ms.toSorted((one, other) => one - other);
  const [middle = 0, worst = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  line([what, sorted.length, seconds(middle), seconds(worst)]);
}
for (const row of Object.entries(tally.counts)) line(row);
line(["lines that the database is unreachable", lines.lost]);
line(["lines that it is reached again", lines.back]);
for (const each of tally.wrong) say(each);
if (tally.wrong.length > 0) process.exitCode = 1;
