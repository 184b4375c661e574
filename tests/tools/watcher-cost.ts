/** What a block costs the watcher, by how many orders are open and as many addresses without an order are watched: requests to the node and processor time, side by side in one run: `npm run watcher-cost`. */
// oxlint-disable no-console -- a tool answers on the console
import { sql } from "drizzle-orm";
import { openNode } from "../../src/service/payments/chain/node.ts";
import { openWatcher } from "../../src/service/payments/chain/watcher.ts";
import type { Ledger } from "../../src/service/payments/ledger.ts";
import { migrationsFolder } from "../../src/service/platform/project.ts";
import { open } from "../../src/service/store/open.ts";
import { SimulatedChain, TOKEN } from "../support/simulated-chain.ts";

const OPEN_ORDERS = [10, 1_000, 100_000];
const ROUNDS = Number(process.env["ROUNDS"] ?? 30);
const BLOCKS = 20;
/** Transfers of other people in a block, of which the node tells as well. */
const OTHERS = 100;
const START = Date.UTC(2026, 0);

/** 20 bytes that name the order of that number. */
const recipientOf = (order: number) => order.toString(16).padStart(40, "0");
const stranger = () => `f${Math.random().toString(16).slice(2).padEnd(39, "0").slice(0, 39)}`;

async function begin(count: number) {
  const store = await open("memory:", migrationsFolder());
  const { db } = store;
  await db.execute(
    sql`INSERT INTO accounts (name, name_key, password_hash, created_at) VALUES ('a', 'a', '', now())`,
  );
  await db.execute(sql`
    INSERT INTO orders (id, account_id, pack_id, product_id, pack_name, days, rail, network, address, raw_address, amount,
      status, created_at)
    SELECT 'ORDER' || n, 1, '1', 'monthly', '{"en": "Monthly", "zh-CN": "包月"}', 30, 'usdt', 'ERC20', 'ADDRESS' || n,
      lpad(to_hex(n), 40, '0'), 1000000000, 0, ${new Date(START).toISOString()}
    FROM generate_series(1, ${count}) n`);
  // As many addresses are watched that no order has.
  await db.execute(sql`
    INSERT INTO receiving_addresses (fingerprint, series, index, raw)
    SELECT '00000000', 1, n, 'e' || lpad(to_hex(n), 39, '0') FROM generate_series(1, ${count}) n`);
  await db.execute(sql`VACUUM ANALYZE`);
  const chain = new SimulatedChain(1);
  const ledger: Ledger = { db, now: () => START, log: () => undefined, tolerance: 0n, lateDays: 30 };
  const watcher = openWatcher(ledger, {
    network: "ERC20",
    nodes: [openNode(chain.node(), [TOKEN])],
    chainId: 1,
    contracts: [TOKEN],
    pace: null,
    confirmations: 12,
    interval: 10,
    holder: "cost",
  });
  await watcher.tick();
  let blocks = 0;

  /** Reads some blocks, one at a time, each with a transfer to one of the orders. @returns ms of processor time a block */
  async function round(): Promise<number> {
    let spent = 0;
    for (let at = 0; at < BLOCKS; at += 1) {
      blocks += 1;
      const ours = { to: recipientOf(1 + (blocks % count)), amount: 1n };
      const others = Array.from({ length: OTHERS }, () => ({ to: stranger(), amount: 1n }));
      chain.mine(ours, ...others);
      const before = process.cpuUsage();
      await watcher.tick();
      const { user, system } = process.cpuUsage(before);
      spent += (user + system) / 1_000;
    }
    return spent / BLOCKS;
  }
  const requests = () => [...chain.requests.values()].reduce((sum, each) => sum + each, 0) / blocks;
  return { count, round, requests, close: () => store.close() };
}

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

const fixtures = [];
for (const count of OPEN_ORDERS) fixtures.push({ ...(await begin(count)), costs: [] as number[] });
// In turn, so that what else the machine does meets all of them; the first round warms up.
for (let at = 0; at <= ROUNDS; at += 1) {
  for (const fixture of fixtures) {
    const cost = await fixture.round();
    if (at > 0) fixture.costs.push(cost);
  }
}
const [first] = fixtures;
console.table(
  fixtures.map(({ count, costs, requests }) => ({
    "open orders": count,
    "requests a block": requests().toFixed(2),
    "ms of processor a block": median(costs).toFixed(2),
    ratio: (median(costs) / median(first?.costs ?? [])).toFixed(2),
  })),
);
for (const fixture of fixtures) await fixture.close();
