/** USDT as a rail: each order gets an address of its own, and a watcher finds what arrives there. Specification, section 4. */
import { and, asc, eq, ne, sum } from "drizzle-orm";
import type { Network } from "../../contract/calls.ts";
import type { Database } from "../store/database.ts";
import { orders, transfers } from "../store/schema.ts";
import type { Receiving } from "./addresses.ts";
import { positionOf } from "./chain/blocks.ts";
import type { Transport } from "./chain/node.ts";
import type { Watcher } from "./chain/watcher.ts";
import type { Order } from "./ledger.ts";
import { RailFailed, type Rail } from "./rails.ts";

export interface UsdtOptions {
  network: Network;
  receiving: Receiving;
  watcher: Watcher;
  /** Whether a person who looks at an order has the network read at once. */
  eager: boolean;
}

/** How one network of USDT is reached. */
export interface ChainSettings {
  /** The account's extended public key (BIP32, depth 3). */
  xpub: string;
  nodes: readonly (string | Transport)[];
  chainId: number;
  /** The token's 20 bytes in hexadecimal digits. */
  contract: string;
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

export function openUsdtRail(db: Database, { network, receiving, watcher, eager }: UsdtOptions): Rail {
  let begun = false;

  /** Reading begins at the present block: an order that was paid before would never be found. */
  async function requirePosition(): Promise<void> {
    if (begun) return;
    if (!(await positionOf(db, network))) {
      await watcher.tick().catch(() => undefined);
      if (!(await positionOf(db, network))) throw new RailFailed(`No node of ${network} has answered yet.`);
    }
    begun = true;
  }

  return {
    async open() {
      await requirePosition();
      for (;;) {
        const { address, raw, series, index, fingerprint } = receiving(network);
        // An address that an order has already, or that got money once, is passed over.
        if ((await db.$count(orders, eq(orders.rawAddress, raw))) > 0) continue;
        if ((await db.$count(transfers, eq(transfers.recipient, raw))) > 0) continue;
        return {
          address,
          rawAddress: raw,
          addressSeries: series,
          addressIndex: index,
          keyFingerprint: fingerprint,
        };
      }
    },
    async refresh() {
      if (eager) await watcher.tick();
    },
    start: () => watcher.start(),
    status() {
      const { position, lag, answered, trouble } = watcher.status();
      return {
        open: true,
        facts: {
          ...(position === null ? {} : { position }),
          ...(lag === null ? {} : { lag }),
          ...(answered === null ? {} : { answered }),
          ...(trouble === null ? {} : { trouble }),
        },
      };
    },
  };
}

/** What has come in for an order, in smallest units: final or not, and what waits for the operator too. */
export async function seenFor(db: Database, orderId: string): Promise<bigint> {
  const [row] = await db
    .select({ total: sum(transfers.amount) })
    .from(transfers)
    .where(and(eq(transfers.orderId, orderId), ne(transfers.state, "orphaned")));
  return BigInt(row?.total ?? 0);
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

/** The transfers of an order that stand, the oldest first. */
export async function transfersFor(
  db: Database,
  order: Pick<Order, "id">,
  facts: Readonly<Record<Network, NetworkFacts>>,
): Promise<ShownTransfer[]> {
  const found = await db
    .select()
    .from(transfers)
    .where(and(eq(transfers.orderId, order.id), ne(transfers.state, "orphaned")))
    .orderBy(asc(transfers.seenAt), asc(transfers.blockNumber), asc(transfers.logIndex));
  const heads = new Map<Network, number>();
  for (const network of new Set(found.map((transfer) => transfer.network))) {
    heads.set(network, (await positionOf(db, network))?.number ?? 0);
  }
  return found.map(({ network, txHash, amount, state, heldFor, blockNumber }) => {
    const { confirmations: needed, explorer } = facts[network];
    const deep = Math.max(0, (heads.get(network) ?? 0) - blockNumber + 1);
    const shown = shownHash(network, txHash);
    return {
      txHash: shown,
      amount,
      // Final is the network's word; until then the count stays one short of it.
      confirmations: state === "final" ? needed : Math.min(deep, needed - 1),
      needed,
      explorerUrl: explorer?.replace("{tx}", shown) ?? null,
      isHeld: heldFor !== null && heldFor !== "refunded",
    };
  });
}
