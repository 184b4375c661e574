/** USDT networks for practice: two little chains that answer the JSON-RPC methods that the watcher asks. No real money moves. */
import { createHash, randomBytes } from "node:crypto";
import { and, desc, eq, gte, lte } from "drizzle-orm";
import {
  encodeAbiParameters,
  encodeEventTopics,
  hexToNumber,
  numberToHex,
  parseAbi,
  toFunctionSelector,
  type Hex,
} from "viem";
import type { Network } from "../../contract/calls.ts";
import type { Database } from "../store/database.ts";
import { orders, sandboxTransfers } from "../store/schema.ts";
import { inTransaction, advisoryLock } from "../store/transaction.ts";
import type { Transport } from "../payments/chain/json-rpc.ts";

type Sent = typeof sandboxTransfers.$inferSelect;

/** Blocks from a transfer's own until it is final, itself included. */
export const SANDBOX_DEPTH: Readonly<Record<Network, number>> = { TRC20: 20, ERC20: 12 };
/** The ids of chains that are not in use elsewhere. */
export const SANDBOX_CHAIN_ID: Readonly<Record<Network, number>> = { TRC20: 7_195_001, ERC20: 7_195_002 };
/** The token's 20 bytes on both. */
export const SANDBOX_CONTRACT = "5a4db0c0de00000000000000000000000000d011";
/** The wallet that all transfers come from. */
const WALLET = "0x5a4db0c0de0000000000000000000000000a11e7";

const SHOWN = 20;
/** Ms in which no more than one block comes by itself. */
const LOOKS = 250;
const abi = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]);

export interface SandboxChains {
  transport(network: Network): Transport;
  /** Whether blocks may have come since it was last asked this: by a transfer, or in time. */
  isChanged(network: Network): boolean;
  /** Sends smallest units. @param recipient 20 bytes in hexadecimal digits @returns the transaction's hash, or null when no order has the address */
  send(network: Network, recipient: string, amount: bigint): Promise<string | null>;
  /** The latest transfers, newest first. */
  recent(): Promise<(Sent & { final: boolean })[]>;
}

const digest = (...parts: (string | number)[]): Hex =>
  `0x${createHash("sha256").update(parts.join("|")).digest("hex")}`;

const hashOf = (network: Network, number: number, sent: Sent | undefined) =>
  digest(network, number, sent?.txHash ?? "");

const logOf = (network: Network, sent: Sent) => ({
  address: `0x${SANDBOX_CONTRACT}`,
  topics: encodeEventTopics({
    abi,
    eventName: "Transfer",
    args: { from: WALLET, to: `0x${sent.recipient}` },
  }),
  data: encodeAbiParameters([{ type: "uint256" }], [sent.amount]),
  blockNumber: numberToHex(sent.blockNumber),
  blockHash: hashOf(network, sent.blockNumber, sent),
  transactionHash: sent.txHash,
  transactionIndex: "0x0",
  logIndex: "0x0",
  removed: false,
});

/** The token's own functions. */
function call(data: Hex): Hex {
  if (data === toFunctionSelector("decimals()")) return encodeAbiParameters([{ type: "uint8" }], [6]);
  if (data === toFunctionSelector("symbol()")) return encodeAbiParameters([{ type: "string" }], ["USDT"]);
  return "0x";
}

/** @param confirmSeconds how long a transfer takes until it is final */
export function openChains(db: Database, now: () => number, confirmSeconds: number): SandboxChains {
  async function newest(network: Network, within = db): Promise<Sent | undefined> {
    const [sent] = await within
      .select()
      .from(sandboxTransfers)
      .where(eq(sandboxTransfers.network, network))
      .orderBy(desc(sandboxTransfers.blockNumber))
      .limit(1);
    return sent;
  }

  /** The latest block: after a transfer, so many empty ones follow as make it final. */
  function headAfter(network: Network, sent: Sent | undefined): number {
    if (!sent) return 0;
    const most = SANDBOX_DEPTH[network] - 1;
    const passed = (now() - sent.sentAt.getTime()) / 1000;
    // Where the clock was set back since, nothing would follow until it has caught up.
    const isFollowed = passed < 0 || confirmSeconds === 0;
    const followed = isFollowed ? most : Math.floor((passed * most) / confirmSeconds);
    return sent.blockNumber + Math.min(most, followed);
  }

  const headOf = async (network: Network) => headAfter(network, await newest(network));

  /** The transfers of a range of blocks, both ends included. */
  const sentBetween = (network: Network, from: number, to: number) =>
    db
      .select()
      .from(sandboxTransfers)
      .where(
        and(
          eq(sandboxTransfers.network, network),
          gte(sandboxTransfers.blockNumber, from),
          lte(sandboxTransfers.blockNumber, to),
        ),
      )
      .orderBy(sandboxTransfers.blockNumber);

  async function block(network: Network, tag: string) {
    const head = await headOf(network);
    const number =
      tag === "latest"
        ? head
        : tag === "finalized"
          ? Math.max(0, head - SANDBOX_DEPTH[network] + 1)
          : hexToNumber(tag as Hex);
    if (number > head) return null;
    const sent = await sentBetween(network, number - 1, number);
    const at = (wanted: number) =>
      hashOf(
        network,
        wanted,
        sent.find((each) => each.blockNumber === wanted),
      );
    // Blocks come on demand: the newest one is always of now.
    const timestamp = numberToHex(Math.floor(now() / 1000));
    return { number: numberToHex(number), hash: at(number), parentHash: at(number - 1), timestamp };
  }

  async function logs(network: Network, filter: { fromBlock: Hex; toBlock: Hex }) {
    const sent = await sentBetween(network, hexToNumber(filter.fromBlock), hexToNumber(filter.toBlock));
    return sent.map((each) => logOf(network, each));
  }

  async function receipt(network: Network, hash: Hex) {
    const [sent] = await db
      .select()
      .from(sandboxTransfers)
      .where(and(eq(sandboxTransfers.network, network), eq(sandboxTransfers.txHash, hash)));
    if (!sent) return null;
    const log = logOf(network, sent);
    return { blockNumber: log.blockNumber, blockHash: log.blockHash, status: "0x1", logs: [log] };
  }

  async function answer(network: Network, method: string, params: readonly unknown[]): Promise<unknown> {
    switch (method) {
      case "eth_chainId":
        return numberToHex(SANDBOX_CHAIN_ID[network]);
      case "eth_getBlockByNumber":
        return block(network, params[0] as string);
      case "eth_getLogs":
        return logs(network, params[0] as { fromBlock: Hex; toBlock: Hex });
      case "eth_call":
        return call((params[0] as { data: Hex }).data);
      case "eth_getTransactionReceipt":
        return receipt(network, params[0] as Hex);
      default:
        throw new Error(`The sandbox's chain knows no ${method}.`);
    }
  }

  /** When each network was last looked at; absent: a transfer was sent since. */
  const looked = new Map<Network, number>();

  return {
    isChanged(network) {
      const [last, at] = [looked.get(network), now()];
      if (last !== undefined && Math.abs(at - last) < LOOKS) return false;
      looked.set(network, at);
      return true;
    },
    transport: (network) => ({
      name: `sandbox ${network}`,
      request: async ({ method, params = [] }) => answer(network, method, params),
    }),
    async send(network, recipient, amount) {
      if ((await db.$count(orders, and(eq(orders.rawAddress, recipient), eq(orders.network, network)))) === 0)
        return null;
      const txHash: Hex = `0x${randomBytes(32).toString("hex")}`;
      await inTransaction(db, async (tx) => {
        await advisoryLock(tx, "sandbox blocks");
        const blockNumber = headAfter(network, await newest(network, tx)) + 1;
        await tx
          .insert(sandboxTransfers)
          .values({ network, txHash, recipient, amount, blockNumber, sentAt: new Date(now()) });
      });
      looked.delete(network);
      return txHash;
    },
    async recent() {
      const latest = await db
        .select()
        .from(sandboxTransfers)
        .orderBy(desc(sandboxTransfers.sentAt), desc(sandboxTransfers.id))
        .limit(SHOWN);
      const heads = { TRC20: await headOf("TRC20"), ERC20: await headOf("ERC20") };
      return latest.map((sent) => ({
        ...sent,
        final: sent.blockNumber <= heads[sent.network] - SANDBOX_DEPTH[sent.network] + 1,
      }));
    },
  };
}
