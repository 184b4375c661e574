/** What is asked of a node of Ethereum or Tron. Tron's nodes answer the same methods, and write addresses as the same 20 bytes. */
import { setImmediate } from "node:timers/promises";
import { LAST_TIME } from "../../../contract/moments.ts";
import { httpTransport, nodeFailure, NodeFailed, type NodeAddress, type Transport } from "./json-rpc.ts";
import { identityOf, quantityOf, TRANSFER_TOPIC, transferIn, type TransferLog } from "./transfer-log.ts";

export interface Block {
  number: number;
  hash: string;
  parentHash: string;
  /** Seconds since 1970, by the one who made it. */
  timestamp: number;
}

export interface FoundTransfers {
  logs: TransferLog[];
  /** Logs that were not asked for, and are left out. */
  foreign: number;
}

/** What became of a transaction. */
export interface Receipt extends FoundTransfers {
  blockNumber: number;
  blockHash: string;
  succeeded: boolean;
}

export type BlockTag = "latest" | "finalized";

/** A node. Each question throws NodeFailed where there is no answer, or one that cannot be right. */
export interface ChainNode {
  /** For the log and the operator: the host alone, because the path may hold a key. */
  name: string;
  chainId(): Promise<number>;
  /** @throws NodeFailed also when the node has no such block */
  block(at: number | BlockTag): Promise<Block>;
  /** The transfers of a range of blocks, both ends included. */
  transfers(from: number, to: number): Promise<FoundTransfers>;
  /** @param hash 0x and 64 hexadecimal digits @returns null where the node knows no such transaction */
  receipt(hash: string): Promise<Receipt | null>;
  /** Calls a function of a contract that only reads. @returns 0x and hexadecimal digits */
  call(contract: string, selector: string): Promise<string>;
}

/** Logs that are checked before others get their turn. */
const AT_A_TIME = 500;

const HASH = /^0x[0-9a-f]{64}$/i;

function blockIn(answer: unknown, at: number | BlockTag): Block {
  if (typeof answer !== "object" || answer === null) throw new NodeFailed(`it has no block ${at}`, "wrong");
  const { number, hash, parentHash, timestamp } = answer as Record<string, unknown>;
  if (![hash, parentHash].every((each) => typeof each === "string" && HASH.test(each))) {
    throw new NodeFailed(`block ${at} without a proper hash`, "wrong");
  }
  const block = {
    number: quantityOf(number, "block number"),
    hash: String(hash).toLowerCase(),
    parentHash: String(parentHash).toLowerCase(),
    timestamp: quantityOf(timestamp, "timestamp", LAST_TIME),
  };
  if (typeof at === "number" && block.number !== at) {
    throw new NodeFailed(`block ${block.number} in place of block ${at}`, "wrong");
  }
  return block;
}

/** @param contracts the token's, each 20 bytes in hexadecimal digits */
export function openNode(reach: NodeAddress | Transport, contracts: readonly string[]): ChainNode {
  const transport = "url" in reach ? httpTransport(reach) : reach;
  const ask = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    try {
      return await transport.request({ method, params });
    } catch (error) {
      throw nodeFailure(error);
    }
  };

  async function transfersIn(logs: unknown, from: number, to: number): Promise<FoundTransfers> {
    if (!Array.isArray(logs)) throw new NodeFailed("logs that are no list", "wrong");
    const wanted = { contracts, from, to };
    const found: TransferLog[] = [];
    const hashes = new Map<number, string>();
    /** What stands at each place, by block and index. */
    const places = new Map<string, string>();
    for (const [at, log] of logs.entries()) {
      if (at > 0 && at % AT_A_TIME === 0) await setImmediate();
      const transfer = transferIn(log, wanted);
      if (!transfer) continue;
      const { blockNumber, blockHash } = transfer;
      if ((hashes.get(blockNumber) ?? blockHash) !== blockHash) {
        throw new NodeFailed(`logs of two blocks ${blockNumber}`, "wrong");
      }
      hashes.set(blockNumber, blockHash);
      // One of the two would be lost.
      const place = `${blockNumber}:${transfer.logIndex}`;
      const itself = identityOf(transfer);
      if ((places.get(place) ?? itself) !== itself)
        throw new NodeFailed(`two logs ${transfer.logIndex} of block ${blockNumber}`, "wrong");
      places.set(place, itself);
      found.push(transfer);
    }
    return { logs: found, foreign: logs.length - found.length };
  }

  return {
    name: transport.name,
    chainId: async () => quantityOf(await ask("eth_chainId", []), "chain id"),
    block: async (at) => {
      const tag = typeof at === "number" ? `0x${at.toString(16)}` : at;
      return blockIn(await ask("eth_getBlockByNumber", [tag, false]), at);
    },
    transfers: async (from, to) => {
      const address = contracts.map((contract) => `0x${contract}`);
      const filter = {
        address: address.length === 1 ? address[0] : address,
        topics: [TRANSFER_TOPIC],
        fromBlock: `0x${from.toString(16)}`,
        toBlock: `0x${to.toString(16)}`,
      };
      return transfersIn(await ask("eth_getLogs", [filter]), from, to);
    },
    receipt: async (hash) => {
      const answer = await ask("eth_getTransactionReceipt", [hash]);
      if (answer === null) return null;
      const { blockNumber, blockHash, status, logs } = Object(answer) as Record<string, unknown>;
      const number = quantityOf(blockNumber, "block number");
      const found = await transfersIn(logs, number, number);
      return {
        ...found,
        blockNumber: number,
        blockHash: String(blockHash).toLowerCase(),
        succeeded: status === "0x1",
      };
    },
    call: async (contract, selector) => {
      const answer = await ask("eth_call", [{ to: `0x${contract}`, data: selector }, "latest"]);
      if (typeof answer !== "string" || !/^0x[0-9a-f]*$/i.test(answer)) {
        throw new NodeFailed("a call that answers no bytes", "wrong");
      }
      return answer;
    },
  };
}
