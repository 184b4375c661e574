/** Load on a service that is killed again and again: clients that remember every answer, and what they hold the database to in the end. */
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { coinTypes, networks, paths } from "../../src/contract/calls.ts";
import { IDEMPOTENCY_HEADER } from "../../src/contract/envelope.ts";
import { factsOf } from "../../src/service/platform/log.ts";
import { migrationsFolder } from "../../src/service/platform/project.ts";
import { open } from "../../src/service/store/open.ts";
import type { Clocks } from "./clock-jumps.ts";
import { forbiddenRows, rowsOf } from "./database-invariants.ts";
import { temporaryDatabase, freePort } from "./temporary-database.ts";
import { startProcess } from "./service-process.ts";

const PASSWORD = "correct horse battery";
/** Ms after which a request counts as unanswered … */
const PATIENCE = 30_000;
/** … and until one that was not answered is sent again. */
const AGAIN = 200;
/** Ms under load before a kill. */
const CALM = [500, 3000] as const;
/** Seconds by which a clock is wrong at most. */
const WRONG = 6 * 3600;
/** Ms in which everything that was paid is confirmed. */
const SETTLING = 90_000;
const PACKAGES = [
  { pack_id: "1", product_id: "monthly" },
  { pack_id: "4", product_id: "annual" },
];

interface Envelope {
  code: number;
  message: string;
  data: unknown;
}

/** A payment in the sandbox: `unsure` when no answer came, so that it may have been made or not. */
interface Payment {
  state: "acknowledged" | "unsure";
  amount: string;
}
interface Order {
  key: string;
  id: string;
  address: string;
  amount: string;
  network: (typeof networks)[number];
  payments: Payment[];
  confirmed: boolean;
}
/** What is paid on a chain: `amount` in USDT. */
export type Payable = Pick<Order, "network" | "address" | "amount">;

/** The processes, as one who strikes sees them. */
export interface Struck {
  /** The address of their database. */
  database: string;
  ports: readonly number[];
  /** All that a process has said since it was started. */
  output: (process: number) => string;
  kill: (process: number) => Promise<void>;
  /** As an operator does it. */
  stop: (process: number) => Promise<void>;
  start: (process: number, release?: Release) => Promise<void>;
}
/** What a process runs: the bundle of a release, and what it is set to besides. */
export interface Release {
  script?: string;
  settings?: Record<string, string>;
}
interface Member {
  name: string;
  tokens: string[];
  orders: Order[];
  /** Keys whose order was asked for, answered or not. */
  keys: Set<string>;
  /** The nickname that was saved last, null for none, and those sent since whose answer did not come. */
  nicknames: (string | null)[];
}

export interface Tally {
  /** By what is counted; the rows of the table. */
  counts: Record<string, number | string>;
  /** What was lost, doubled or contradicted, in words. */
  wrong: string[];
}

const shortly = ([least, most]: readonly [number, number]) => least + Math.random() * (most - least);
const oneOf = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)];
const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

/**
 * Kills a service `kills` times under the load of `clients`, and checks what is left.
 * @param server PostgreSQL on which a database may be created; null: the embedded one
 * @param processes how many share that database; one of them is killed each time
 * @param through the address by which they reach it, where a pooler stands in between
 * @param clocks the processes', which jump while they run, before each kill
 * @param crashServer ends the server at once and starts it again, which happens `crashes` times between the kills
 * @param settings of the processes, besides
 * @param transfer pays an order on a chain; absent: in the sandbox
 * @param release what the processes run at first
 * @param before starts what stands before the processes, at those ports; it answers with its address
 * @param onFailure is told of each call that had no answer, or one that the service failed
 * @param strike does something else than to kill a process, `kills` times
 */
export async function crashUnderLoad({
  server,
  kills,
  clients,
  processes = 1,
  through,
  clocks,
  crashes = 0,
  crashServer = () => undefined,
  settings = {},
  transfer,
  release,
  before,
  strike,
  onFailure = () => undefined,
  say = () => undefined,
}: {
  server: string | null;
  kills: number;
  clients: number;
  processes?: number;
  through?: (location: string) => string;
  clocks?: Clocks;
  crashes?: number;
  crashServer?: () => void;
  settings?: Record<string, string>;
  transfer?: (order: Payable) => Promise<void>;
  release?: Release;
  before?: (ports: readonly number[]) => string;
  strike?: (number: number, struck: Struck) => Promise<void>;
  onFailure?: (why: string) => void;
  say?: (text: string) => void;
}): Promise<Tally> {
  const place = await temporaryDatabase(server);
  const ports = await Promise.all(Array.from({ length: processes }, freePort));
  const env = {
    ...(through ? { DATABASE_URL: through(place.location), DATABASE_POOLING: "transaction" } : place.env),
    SANDBOX_CONFIRM_SECONDS: "1",
    LOGIN_FAILURES_PER_MINUTE: "0",
    REGISTRATIONS_PER_MINUTE: "0",
    OPEN_ORDERS_PER_HOUR: "0",
    NETWORK_ORDERS_PER_HOUR: "0",
    REQUESTS_PER_MINUTE: "0",
    ACCOUNT_REQUESTS_PER_MINUTE: "0",
    ...settings,
    ...clocks?.process,
  };
  const wrong: string[] = [];
  const members: Member[] = [];
  const counts = { answers: 0, unanswered: 0, failed: 0, repeatedKeys: 0 };
  const ending = new AbortController();
  const origin = before?.(ports);

  /** One request; null when no whole answer came, or none but that the service failed. */
  async function send(
    path: string,
    { body, token, key }: { body?: unknown; token?: string | undefined; key?: string } = {},
  ): Promise<Envelope | null> {
    try {
      const response = await fetch(`${origin ?? `http://127.0.0.1:${oneOf(ports)}`}${path}`, {
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
        headers: {
          "Content-Type": "application/json",
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          ...(key === undefined ? {} : { [IDEMPOTENCY_HEADER]: key }),
        },
        signal: AbortSignal.timeout(PATIENCE),
      });
      const text = await response.text();
      if (!text.startsWith("{")) throw new Error(`HTTP ${response.status}: ${text.slice(0, 100)}`);
      const answer = JSON.parse(text) as Envelope;
      counts.answers += 1;
      if (response.status < 500) return answer;
      counts.failed += 1;
      onFailure(`${path}: HTTP ${response.status}`);
    } catch (error) {
      counts.unanswered += 1;
      onFailure(`${path}: ${factsOf(error)["error"]}`);
    }
    return null;
  }

  /** Sends until an answer comes. */
  async function insist(path: string, asked: Parameters<typeof send>[1]): Promise<Envelope> {
    for (;;) {
      const answer = await send(path, asked);
      if (answer) return answer;
      await pause(AGAIN);
    }
  }

  async function logIn(member: Member): Promise<void> {
    const { code, data, message } = await insist(paths.login, {
      body: { account_name: member.name, password: PASSWORD },
    });
    if (code === 200) member.tokens.push((data as { token: string }).token);
    else wrong.push(`${member.name} is registered and cannot log in: ${message}`);
  }

  async function register(): Promise<Member> {
    const member: Member = {
      name: `crash ${randomBytes(8).toString("hex")}`,
      tokens: [],
      orders: [],
      keys: new Set(),
      nicknames: [null],
    };
    const body = { account_name: member.name, password: PASSWORD };
    // Sent again after no answer came, the name may be taken: by the first one.
    const first = await send(paths.register, { body });
    const { code, message } = first ?? (await insist(paths.register, { body }));
    if (code !== 200 && first !== null) wrong.push(`${member.name} cannot register: ${message}`);
    members.push(member);
    await logIn(member);
    return member;
  }

  async function order(member: Member): Promise<Order | undefined> {
    const key = randomUUID();
    const network = oneOf(networks) ?? "TRC20";
    member.keys.add(key);
    const asked = {
      body: { ...oneOf(PACKAGES), coin_type: coinTypes[network] },
      token: oneOf(member.tokens),
      key,
    };
    const { code, data, message } = await insist(paths.createOrder, asked);
    if (code !== 200) {
      wrong.push(`An order was refused: ${message}`);
      return undefined;
    }
    const { order: made, payData } = data as {
      order: { order_id: string; payment_amount: string };
      payData: { address: string };
    };
    const placed: Order = {
      key,
      id: made.order_id,
      address: payData.address,
      amount: made.payment_amount,
      network,
      payments: [],
      confirmed: false,
    };
    member.orders.push(placed);
    // Answered, and sent again all the same: the same order.
    const again = await send(paths.createOrder, asked);
    if (again) {
      counts.repeatedKeys += 1;
      const repeated = again.data as { order?: { order_id: string }; payData?: { address: string } } | null;
      if (repeated?.order?.order_id !== placed.id || repeated.payData?.address !== placed.address)
        wrong.push(`The key of ${placed.id} gave another order: ${JSON.stringify(again)}`);
    }
    return placed;
  }

  async function pay(placed: Order): Promise<void> {
    const { network, address, amount, payments } = placed;
    if (transfer) {
      await transfer(placed);
      payments.push({ state: "acknowledged", amount });
      return;
    }
    const answer = await send("/sandbox/transfers", { body: { network, address, amount } });
    // It has no key, so it is not sent again: it may have been made.
    payments.push({ state: answer?.code === 200 ? "acknowledged" : "unsure", amount });
    if (answer && answer.code !== 200) wrong.push(`A transfer was refused: ${answer.message}`);
  }

  async function look(member: Member, placed: Order): Promise<void> {
    const answer = await send(paths.orderDetail, {
      body: { order_id: placed.id },
      token: oneOf(member.tokens),
    });
    if (!answer) return;
    if (answer.code !== 200) {
      wrong.push(`${placed.id} was answered for and is gone: ${answer.message}`);
      return;
    }
    const { status, address } = answer.data as { status: number; address: string };
    if (address !== placed.address) wrong.push(`${placed.id} has another address than was told.`);
    if (placed.confirmed && status !== 1) wrong.push(`${placed.id} was confirmed and is not any more.`);
    if (status === 1) placed.confirmed = true;
  }

  async function rename(member: Member): Promise<void> {
    const name = `nick ${randomBytes(4).toString("hex")}`;
    member.nicknames.push(name);
    const answer = await send(paths.updateProfile, {
      body: { name, sex: "", birth_date: "" },
      token: oneOf(member.tokens),
    });
    if (answer?.code === 200) member.nicknames = [name];
    else if (answer) wrong.push(`A nickname was refused: ${answer.message}`);
  }

  /** One client, for as long as it lasts. */
  async function live(): Promise<void> {
    let member = await register();
    while (!ending.signal.aborted) {
      const placed = await order(member);
      if (!placed) break;
      if (Math.random() < 0.8) await pay(placed);
      await rename(member);
      const earlier = oneOf(member.orders);
      if (earlier) await look(member, earlier);
      await look(member, placed);
      if (Math.random() < 0.15) await logIn(member);
      if (Math.random() < 0.1) member = await register();
    }
  }

  const ready: number[] = [];
  async function start(port: number, { script, settings: own }: Release = {}) {
    const begun = performance.now();
    const running = startProcess({ ...env, ...own, PORT: String(port) }, script);
    await running.started;
    ready.push(performance.now() - begun);
    return running;
  }

  const running: ReturnType<typeof startProcess>[] = [];
  // The first one makes the tables.
  for (const port of ports) running.push(await start(port, release));
  ready.length = 0;
  const struck: Struck = {
    database: place.location,
    ports,
    output: (process) => running[process]?.output() ?? "",
    async kill(process) {
      running[process]?.child.kill("SIGKILL");
      await running[process]?.exited;
    },
    async stop(process) {
      running[process]?.child.kill("SIGTERM");
      await running[process]?.exited;
    },
    async start(process, script) {
      running[process] = await start(ports[process] ?? 0, script);
    },
  };
  const lives = Promise.all(Array.from({ length: clients }, live));
  for (let kill = 1; kill <= kills; kill += 1) {
    await pause(shortly(CALM) / 2);
    clocks?.set(Math.round(shortly([-WRONG, WRONG])));
    await pause(shortly(CALM) / 2);
    const at = Math.floor(Math.random() * processes);
    for (const { child, output } of running)
      if (child.exitCode !== null) wrong.push(`A process ended by itself: ${output().slice(-500)}`);
    if (strike) {
      await strike(kill, struck);
      continue;
    }
    running[at]?.child.kill("SIGKILL");
    await running[at]?.exited;
    // Spread over the kills, while a process is missing.
    if (Math.floor((kill * crashes) / kills) > Math.floor(((kill - 1) * crashes) / kills)) crashServer();
    running[at] = await start(ports[at] ?? 0);
    if (kill % 10 === 0) say(`${kill} kills`);
  }
  await pause(CALM[1]);
  ending.abort();
  await lives;

  // Everything that was acknowledged is still there, and what was paid arrives.
  const deadline = performance.now() + SETTLING;
  const isPaid = (placed: Order) => placed.payments.some(({ state }) => state === "acknowledged");
  for (const member of members) {
    for (const placed of member.orders) {
      await look(member, placed);
      while (isPaid(placed) && !placed.confirmed && performance.now() < deadline) {
        await pause(200);
        await look(member, placed);
      }
    }
    for (const token of member.tokens) {
      const { code, data } = await insist(paths.centre, { token });
      if (code !== 200) {
        wrong.push(`A session of ${member.name} is gone.`);
        continue;
      }
      const { user } = data as { user: { name: string | null } };
      // Those sent since the last one that was saved may have been written or not.
      if (!member.nicknames.includes(user.name))
        wrong.push(
          `${member.name} has the nickname ${user.name}, not one of ${member.nicknames.join(", ")}.`,
        );
    }
  }
  for (const { child, exited } of running) {
    child.kill("SIGTERM");
    await exited;
  }

  const store = await open(place.location, migrationsFolder());
  for (const [what, rows] of Object.entries(await forbiddenRows(store, transfer === undefined)))
    wrong.push(`${what}: ${JSON.stringify(rows)}`);
  const orderRows = await rowsOf(
    store,
    `SELECT o.id, o.idempotency_key AS key, o.status, a.name, (SELECT count(*) FROM transfers t
      WHERE t.order_id = o.id AND t.state = 'final') AS credited, (SELECT count(*) FROM membership_entries e
      WHERE e.order_id = o.id) AS entries FROM orders o JOIN accounts a ON a.id = o.account_id`,
  );
  const names = new Set((await rowsOf(store, "SELECT name FROM accounts")).map(({ name }) => name));
  await store.close();
  await place.drop();

  const byKey = Map.groupBy(orderRows, ({ name, key }) => `${String(name)}|${String(key)}`);
  const all = members.flatMap((member) => member.orders.map((placed) => ({ member, placed })));
  const lostAccounts = members.filter(({ name }) => !names.has(name)).length;
  const lostOrders = all.filter(({ placed }) => !orderRows.some(({ id }) => id === placed.id)).length;
  const doubled = [...byKey.values()].filter((rows) => rows.length > 1).length;
  const asked = new Set(members.flatMap(({ name, keys }) => [...keys].map((key) => `${name}|${key}`)));
  const strange = [...byKey.keys()].filter((key) => !asked.has(key)).length;
  let [paid, unsure, lostPayments, twice, wrongMemberships] = [0, 0, 0, 0, 0];
  for (const { placed } of all) {
    const sure = placed.payments.filter(({ state }) => state === "acknowledged").length;
    const maybe = placed.payments.length - sure;
    const row = orderRows.find(({ id }) => id === placed.id);
    const credited = Number(row?.["credited"] ?? 0);
    paid += sure;
    unsure += maybe;
    if (credited < sure) lostPayments += 1;
    if (credited > sure + maybe) twice += 1;
    if (Number(row?.["entries"] ?? 0) !== (credited > 0 ? 1 : 0)) wrongMemberships += 1;
  }
  const faults = {
    "accounts acknowledged and lost": lostAccounts,
    "orders acknowledged and lost": lostOrders,
    "keys with two orders": doubled,
    "orders that were not asked for": strange,
    "payments acknowledged and not credited": lostPayments,
    "payments credited twice": twice,
    "orders whose membership is not their money's": wrongMemberships,
  };
  for (const [what, number] of Object.entries(faults)) if (number > 0) wrong.push(`${what}: ${number}`);
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  return {
    counts: {
      "processes killed": kills,
      "crashes of the server": crashes,
      "jumps of the clocks": clocks ? kills : 0,
      "requests answered": counts.answers,
      "requests cut off or not taken": counts.unanswered,
      "requests answered with 5xx": counts.failed,
      "accounts acknowledged": members.length,
      "sessions acknowledged": members.reduce((sum, { tokens }) => sum + tokens.length, 0),
      "orders acknowledged": all.length,
      "keys repeated after their answer": counts.repeatedKeys,
      "payments acknowledged": paid,
      "payments without an answer": unsure,
      ...faults,
      "other contradictions": wrong.length - Object.values(faults).filter((number) => number > 0).length,
      "ready again, median": seconds(median(ready)),
      "ready again, slowest": seconds(Math.max(0, ...ready)),
    },
    wrong,
  };
}
