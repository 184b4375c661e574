/** USDT as a rail: each order gets an address of its own, and a watcher finds what arrives there. Specification, section 4. */
import { eq, sql, type Column } from "drizzle-orm";
import type { Network } from "../../contract/calls.ts";
import type { Database } from "../store/database.ts";
import { orders, receivingAddresses, transfers } from "../store/schema.ts";
import type { Receiving } from "./addresses.ts";
import { CENT } from "./book.ts";
import { ofTransfer } from "./standing.ts";
import { positionOf } from "./chain/blocks.ts";
import type { NodeAddress, Transport } from "./chain/json-rpc.ts";
import type { Watcher } from "./chain/watcher.ts";
import { RailFailed, type Payable, type Rail } from "./rails.ts";

export interface UsdtOptions {
  network: Network;
  /** Opens the series of the process, the first time. */
  receiving: () => Promise<Receiving>;
  watcher: Watcher;
  /** Whether a look at an order has the network read at once. By itself it is read every few seconds. */
  isReadDue: () => boolean;
}

/** How one network of USDT is reached. */
export interface ChainSettings {
  /** The account's extended public key (BIP32, depth 3). */
  xpub: string;
  nodes: readonly (NodeAddress | Transport)[];
  chainId: number;
  /** The token's, each 20 bytes in hexadecimal digits. */
  contracts: readonly string[];
  /** See `ChainOptions`. */
  confirmations: number | null;
  explorer: string | null;
}

/** What people see of a network. */
export interface NetworkFacts {
  /** Confirmations that make a transfer final, or about so many. */
  confirmations: number;
  /** The address of a transaction in an explorer, `{tx}` being its hash; null: there is none. */
  explorer: string | null;
}

/** Whether an address is one that a removed order had. */
export const isOfRemovedOrder = (raw: string | null) =>
  sql`${receivingAddresses.raw} = ${raw} AND ${receivingAddresses.orderId} IS NOT NULL`;

export function openUsdtRail(db: Database, { network, receiving, watcher, isReadDue }: UsdtOptions): Rail {
  /** Known from the first order on. */
  let begun: Receiving | undefined;

  /** Reading begins at the present block: an order that was paid before would never be found. */
  async function begin(): Promise<Receiving> {
    if (begun) return begun;
    if (!(await positionOf(db, network))) {
      await watcher.tick().catch(() => undefined);
      if (!(await positionOf(db, network))) throw new RailFailed(`No node of ${network} has answered yet.`);
    }
    begun = await receiving();
    return begun;
  }

  /** Addresses that were derived for orders which did not take them. */
  const unused: Payable[] = [];

  function next(receive: Receiving): Payable {
    const { address, raw, series, index, fingerprint } = receive(network);
    return {
      address,
      rawAddress: raw,
      addressSeries: series,
      addressIndex: index,
      keyFingerprint: fingerprint,
    };
  }

  return {
    async open() {
      const receive = await begin();
      for (;;) {
        const payable = next(receive);
        const raw = payable.rawAddress ?? "";
        // An address that an order has or had, or that got money once, is passed over.
        if ((await db.$count(orders, eq(orders.rawAddress, raw))) > 0) continue;
        if ((await db.$count(transfers, eq(transfers.recipient, raw))) > 0) continue;
        if ((await db.$count(receivingAddresses, isOfRemovedOrder(raw))) > 0) continue;
        return payable;
      }
    },
    prepare: () => (begun ? (unused.pop() ?? next(begun)) : null),
    giveBack: (payable) => void unused.push(payable),
    isRefreshDue: isReadDue,
    refresh: () => watcher.tick(),
    start: () => watcher.start(),
    status() {
      const { refusal, isBehind } = watcher.status();
      return { open: refusal === null, isBehind };
    },
  };
}

/** A transfer as it stands in the ledger. */
export interface SeenTransfer extends Pick<
  typeof transfers.$inferSelect,
  "network" | "txHash" | "state" | "blockNumber"
> {
  /** Digits, in smallest units. */
  amount: string;
  /** Whether it waits for the operator, or will once it is final. */
  isHeld: boolean;
}

/** For a query of an order: its transfers that stand and were neither given back nor kept, the oldest first. */
export const transfersOf = (orderId: Column) => sql<SeenTransfer[]>`(
  SELECT coalesce(json_agg(json_build_object('network', ${transfers.network}, 'txHash', ${transfers.txHash},
    'amount', ${transfers.amount}::text, 'state', ${transfers.state}, 'blockNumber', ${transfers.blockNumber},
    'isHeld', CASE ${transfers.state} WHEN 'final' THEN ${ofTransfer("held")} > 0 ELSE ${transfers.heldFor} IS NOT NULL END)
    ORDER BY ${transfers.seenAt}, ${transfers.blockNumber}, ${transfers.logIndex}), '[]')
  FROM ${transfers} WHERE ${transfers.orderId} = ${orderId} AND ${transfers.state} <> 'orphaned'
    AND (${transfers.heldFor} IS NULL OR ${transfers.amount} >= ${sql.raw(String(CENT))})
    AND ${ofTransfer("returned")} + ${ofTransfer("kept")} < ${transfers.amount})`;

/** What has come in and is not final yet, in smallest units: what will pay the order, and what will be held. */
export function comingOf(seen: readonly SeenTransfer[]): { paying: bigint; held: bigint } {
  const sum = (isHeld: boolean) =>
    seen
      .filter((each) => each.state === "seen" && each.isHeld === isHeld)
      .reduce((total, { amount }) => total + BigInt(amount), 0n);
  return { paying: sum(false), held: sum(true) };
}

/** A transfer as people see it. */
export interface ShownTransfer {
  txHash: string;
  amount: bigint;
  /** From 0 to `needed`. */
  confirmations: number;
  needed: number;
  explorerUrl: string | null;
  /** Whether it waits for the operator. */
  isHeld: boolean;
}

/** A transaction's hash as explorers know it: on Tron without 0x. */
export const shownHash = (network: Network, txHash: string) =>
  network === "TRC20" ? txHash.replace(/^0x/, "") : txHash;

/** Transfers as people see them. */
export async function shownTransfers(
  db: Database,
  seen: readonly SeenTransfer[],
  facts: Readonly<Record<Network, NetworkFacts>>,
): Promise<ShownTransfer[]> {
  const heads = new Map<Network, number>();
  for (const network of new Set(seen.map((transfer) => transfer.network))) {
    heads.set(network, (await positionOf(db, network))?.number ?? 0);
  }
  return seen.map(({ network, txHash, amount, state, isHeld, blockNumber }) => {
    const { confirmations: needed, explorer } = facts[network];
    const deep = Math.max(0, (heads.get(network) ?? 0) - blockNumber + 1);
    const hash = shownHash(network, txHash);
    return {
      txHash: hash,
      amount: BigInt(amount),
      // Final is the network's word; until then the count stays one short of it.
      confirmations: state === "final" ? needed : Math.min(deep, needed - 1),
      needed,
      explorerUrl: explorer?.replace("{tx}", hash) ?? null,
      isHeld,
    };
  });
}
