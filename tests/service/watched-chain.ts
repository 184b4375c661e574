/** A simulated chain that is watched, with an order to pay on it. */
import { eq, sql } from "drizzle-orm";
import type { Transport } from "../../src/service/payments/chain/json-rpc.ts";
import { openNode } from "../../src/service/payments/chain/node.ts";
import { openWatcher, type ChainOptions } from "../../src/service/payments/chain/watcher.ts";
import type { Ledger } from "../../src/service/payments/ledger.ts";
import type { Store } from "../../src/service/store/database.ts";
import { accounts, orders, transfers } from "../../src/service/store/schema.ts";
import { SimulatedChain, TOKEN } from "../support/simulated-chain.ts";
import { freshName, START } from "./support.ts";

export const CONFIRMATIONS = 12;
/** What stands in the ledger when the order is paid. */
export const final = [{ state: "final", amount: 5n }];

/** @returns the number of a new account */
export async function payer(store: Store): Promise<number> {
  const name = freshName();
  const row = { name, nameKey: name, passwordHash: "", createdAt: new Date(START) };
  const [account] = await store.db.insert(accounts).values(row).returning({ id: accounts.id });
  return account?.id ?? 0;
}

interface Watched {
  nodesOf?: ((chain: SimulatedChain) => Transport[]) | undefined;
  /** Of every watcher. */
  options?: Partial<ChainOptions>;
}

let made = 0;

/** A chain of which nothing is known yet, with an order of that account to pay on it. */
export async function watchedChain(
  store: Store,
  accountId: number,
  { nodesOf = (chain) => [chain.node()], options = {} }: Watched = {},
) {
  await store.db.execute(sql`TRUNCATE chain_positions, chain_blocks, transfers`);
  const chain = new SimulatedChain(1);
  const lines: string[] = [];
  const clock = { now: START };
  const ledger: Ledger = {
    db: store.db,
    now: () => clock.now,
    log: (event, facts) => lines.push(JSON.stringify({ event, ...facts })),
    tolerance: 0n,
    lateDays: 30,
  };
  const open = (nodes: Transport[], holder: string, changed: Partial<ChainOptions> = {}) =>
    openWatcher(ledger, {
      network: "ERC20",
      nodes: nodes.map((node) => openNode(node, options.contracts ?? [TOKEN])),
      chainId: 1,
      contracts: [TOKEN],
      pace: null,
      confirmations: CONFIRMATIONS,
      interval: 10,
      holder,
      ...options,
      ...changed,
    });
  const watcher = open(nodesOf(chain), "first");
  await watcher.tick().catch(() => undefined);
  made += 1;
  const to = made.toString(16).padStart(40, "0");
  const id = `ORDER${made}`;
  await store.db.insert(orders).values({
    id,
    accountId,
    packId: "1",
    productId: "monthly",
    packName: { en: "Monthly", "zh-CN": "包月" },
    days: 30,
    rail: "usdt",
    network: "ERC20",
    address: id,
    rawAddress: to,
    amount: 5n,
    status: 0,
    createdAt: new Date(START),
  });
  const statusOf = async () => {
    const [order] = await store.db.select({ status: orders.status }).from(orders).where(eq(orders.id, id));
    return order?.status;
  };
  const found = () =>
    store.db
      .select({ state: transfers.state, amount: transfers.amount })
      .from(transfers)
      .where(eq(transfers.orderId, id));
  /** Of the log's lines, those of one event. */
  const told = (event: string) => lines.filter((line) => line.includes(`"event":"${event}"`));
  return { chain, clock, ledger, lines, told, open, watcher, to, statusOf, found };
}
