/** What the watcher asks a node of Ethereum or Tron, by JSON-RPC. Tron's nodes answer the same methods, and write addresses as the same 20 bytes. */
import {
  BaseError,
  createPublicClient,
  custom,
  http,
  HttpRequestError,
  numberToHex,
  parseAbiItem,
  TimeoutError,
  type EIP1193RequestFn,
  type PublicClient,
} from "viem";

export interface Block {
  number: number;
  hash: string;
  parentHash: string;
}

/** One `Transfer` event of the token. Addresses are 20 bytes in hexadecimal digits, without 0x, in lower case. */
export interface TransferLog {
  blockNumber: number;
  blockHash: string;
  logIndex: number;
  txHash: string;
  contract: string;
  sender: string;
  recipient: string;
  /** Smallest units. */
  amount: bigint;
}

export type BlockTag = "latest" | "finalized";

export interface ChainNode {
  /** For the log and the operator: the host alone, because the path may hold a key. */
  name: string;
  chainId(): Promise<number>;
  /** @throws NodeFailed, also when the node has no such block */
  block(at: number | BlockTag): Promise<Block>;
  /** The transfers of a range of blocks, both ends included. */
  transfers(from: number, to: number): Promise<TransferLog[]>;
}

/** A node did not answer, or not as it should. */
export class NodeFailed extends Error {
  /** Whether it answered at all: then a smaller question may be answered. */
  readonly isAnswered: boolean;
  constructor(message: string, isAnswered: boolean, cause?: unknown) {
    super(message, { cause });
    this.isAnswered = isAnswered;
  }
}

/** @throws NodeFailed */
async function asked<T>(question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    const isSilent =
      error instanceof BaseError &&
      error.walk(
        (each) =>
          each instanceof TimeoutError || (each instanceof HttpRequestError && each.status === undefined),
      ) !== null;
    throw new NodeFailed("The node failed.", !isSilent, error);
  }
}

/** Carries JSON-RPC requests in place of HTTP. */
export interface Transport {
  name: string;
  request: EIP1193RequestFn;
}

/** Ms in which a node answers. */
const PATIENCE = 10_000;

const TRANSFER = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

const bare = (hex: string) => hex.slice(2).toLowerCase();

/**
 * @param reach an address that begins with https:// or http://, or a transport
 * @param contract the token's 20 bytes in hexadecimal digits
 */
export function openNode(reach: string | Transport, contract: string): ChainNode {
  const client: PublicClient = createPublicClient({
    // The watcher tries the next node itself.
    transport:
      typeof reach === "string"
        ? http(reach, { retryCount: 0, timeout: PATIENCE })
        : custom({ request: reach.request }, { retryCount: 0 }),
  });
  const name = typeof reach === "string" ? new URL(reach).host : reach.name;

  return {
    name,
    chainId: () => asked(client.getChainId()),
    async block(at) {
      const tag = typeof at === "number" ? numberToHex(at) : at;
      // Not viem's getBlock, which needs fields that nodes of Tron leave out.
      const block = await asked(client.request({ method: "eth_getBlockByNumber", params: [tag, false] }));
      if (!block?.hash || !block.number) throw new NodeFailed(`${name} has no block ${at}.`, true);
      const number = Number(block.number);
      if (typeof at === "number" && number !== at)
        throw new NodeFailed(`${name} answered with another block.`, true);
      return { number, hash: block.hash.toLowerCase(), parentHash: block.parentHash.toLowerCase() };
    },
    async transfers(from, to) {
      const logs = await asked(
        client.getLogs({
          address: `0x${contract}`,
          event: TRANSFER,
          strict: true,
          fromBlock: BigInt(from),
          toBlock: BigInt(to),
        }),
      );
      return logs.map((log) => ({
        blockNumber: Number(log.blockNumber),
        blockHash: log.blockHash.toLowerCase(),
        logIndex: log.logIndex,
        txHash: log.transactionHash.toLowerCase(),
        contract: bare(log.address),
        sender: bare(log.args.from),
        recipient: bare(log.args.to),
        amount: log.args.value,
      }));
    },
  };
}
