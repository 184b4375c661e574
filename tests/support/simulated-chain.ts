/** A chain in memory that answers the watcher's JSON-RPC requests, and does on demand what real ones do on bad days: reorganises, lags, lies, fails. */
import { createHash, randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import {
  encodeAbiParameters,
  encodeEventTopics,
  hexToNumber,
  numberToHex,
  parseAbi,
  toFunctionSelector,
  type Hex,
} from "viem";
import { NodeFailed, type Transport } from "../../src/service/payments/chain/json-rpc.ts";

export interface Payment {
  /** 20 bytes in hexadecimal digits. */
  to: string;
  /** 20 bytes in hexadecimal digits; a stranger's, where none are given. */
  from?: string;
  /** Smallest units. */
  amount: bigint;
  /** The same transaction mined again keeps its hash. */
  txHash?: Hex;
  /** Another token's, by its 20 bytes. */
  contract?: string;
}

export interface MinedBlock {
  number: number;
  hash: Hex;
  parentHash: Hex;
  payments: (Payment & { txHash: Hex; contract: string })[];
}

/** What one node does wrong for now. */
export interface Trouble {
  /** Every request fails. */
  down?: boolean;
  /** It is so many blocks behind. */
  behind?: number;
  /** It claims to have so many blocks more than there are. */
  ahead?: number;
  /** It refuses ranges of more blocks. */
  widest?: number;
  /** Of so many of the newest blocks it does not know the transfers yet, and says that there are none. */
  unindexed?: number;
  /** Its transfers come twice, in the opposite order, or with those of other tokens, whatever it is asked for. */
  logs?: "twice" | "reversed" | "unfiltered";
  /** It shows no block above that one. */
  pinned?: number;
  /** Every request fails with that. */
  fails?: Error;
  /** It takes too long over ranges of more blocks. */
  slowAbove?: number;
  /** Ms of each answer about transfers. */
  takes?: number;
  /** What becomes of its answers about transfers. */
  changes?: (logs: readonly SimulatedLog[]) => unknown;
}

export type SimulatedLog = ReturnType<SimulatedChain["logsOf"]>[number];

/** Seconds since 1970 of the first block: never old, unless a test says so. */
const FUTURE = Date.UTC(2100, 0) / 1000;
const SECONDS = 12;

export const TOKEN = "00000000000000000000000000000000005d7000";
const SENDER = "00000000000000000000000000000000000000fe";
const GENESIS: Hex = `0x${"0".repeat(64)}`;
const abi = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]);

export class SimulatedChain {
  readonly chainId: number;
  /** Blocks between the head and the last final one, where the node is asked for it. */
  readonly depth: number;
  readonly blocks: MinedBlock[] = [{ number: 0, hash: this.#hash(), parentHash: GENESIS, payments: [] }];
  /** Requests that were answered, by method. */
  readonly requests = new Map<string, number>();
  /** Seconds since 1970 at which a block was made. */
  timeOf = (block: number): number => FUTURE + block * SECONDS;
  /** What the token's contract answers. */
  token: { decimals: number | null; symbol: string; successor: string | null } = {
    decimals: 6,
    symbol: "USDT",
    successor: null,
  };

  constructor(chainId: number, depth = 20) {
    this.chainId = chainId;
    this.depth = depth;
  }

  #hash(): Hex {
    return `0x${createHash("sha256").update(randomBytes(16)).digest("hex")}`;
  }

  get head(): MinedBlock {
    const head = this.blocks.at(-1);
    if (!head) throw new Error("There is always a first block.");
    return head;
  }

  /** Adds a block. @returns the transactions' hashes */
  mine(...payments: Payment[]): Hex[] {
    const { number, hash } = this.head;
    const mined = payments.map((payment) => ({
      ...payment,
      txHash: payment.txHash ?? this.#hash(),
      contract: payment.contract ?? TOKEN,
    }));
    this.blocks.push({ number: number + 1, hash: this.#hash(), parentHash: hash, payments: mined });
    return mined.map(({ txHash }) => txHash);
  }

  /** Adds empty blocks. */
  grow(count: number): void {
    for (let added = 0; added < count; added += 1) this.mine();
  }

  /** Takes the last blocks away. @returns what was paid in them, to be mined again or not */
  drop(count: number): Payment[] {
    return this.fork(count).flatMap(({ payments }) => payments);
  }

  /** Takes the last blocks away. @returns them, to be put back by `adopt` */
  fork(count: number): MinedBlock[] {
    return this.blocks.splice(Math.max(1, this.blocks.length - count));
  }

  /** Has blocks of another fork take the place of those that stand there now. */
  adopt(fork: readonly MinedBlock[]): void {
    const [first] = fork;
    if (first && this.blocks[first.number - 1]?.hash === first.parentHash) {
      this.blocks.splice(first.number, Infinity, ...fork);
    }
  }

  /** What happened in a block, of all tokens. */
  logsOf(block: MinedBlock) {
    return block.payments.map((payment, at) => ({
      address: `0x${payment.contract}`,
      topics: encodeEventTopics({
        abi,
        eventName: "Transfer",
        args: { from: `0x${payment.from ?? SENDER}`, to: `0x${payment.to}` },
      }) as Hex[],
      data: encodeAbiParameters([{ type: "uint256" }], [payment.amount]),
      blockNumber: numberToHex(block.number) as unknown,
      blockHash: block.hash as unknown,
      transactionHash: payment.txHash as unknown,
      transactionIndex: numberToHex(at),
      logIndex: numberToHex(at) as unknown,
      removed: false,
    }));
  }

  #call(data: string): Hex {
    const { decimals, symbol, successor } = this.token;
    if (data === toFunctionSelector("decimals()") && decimals !== null)
      return encodeAbiParameters([{ type: "uint8" }], [decimals]);
    if (data === toFunctionSelector("symbol()") && symbol !== "")
      return encodeAbiParameters([{ type: "string" }], [symbol]);
    if (data === toFunctionSelector("deprecated()"))
      return encodeAbiParameters([{ type: "bool" }], [successor !== null]);
    if (data === toFunctionSelector("upgradedAddress()") && successor !== null)
      return encodeAbiParameters([{ type: "address" }], [`0x${successor}`]);
    throw new Error("execution reverted");
  }

  #answer(
    method: string,
    params: readonly unknown[],
    { behind = 0, ahead = 0, pinned = Infinity, widest, unindexed = 0, logs, ...trouble }: Trouble,
  ): unknown {
    this.requests.set(method, (this.requests.get(method) ?? 0) + 1);
    const head = Math.max(0, Math.min(pinned, this.head.number - behind));
    switch (method) {
      case "eth_chainId":
        return numberToHex(this.chainId);
      case "eth_getBlockByNumber": {
        const tag = params[0] as string;
        const asked =
          tag === "latest"
            ? head + ahead
            : tag === "finalized"
              ? Math.max(0, head + ahead - this.depth)
              : hexToNumber(tag as Hex);
        const block = asked > head ? undefined : this.blocks[asked];
        const timestamp = numberToHex(this.timeOf(asked));
        if (block) return { ...block, payments: undefined, number: numberToHex(block.number), timestamp };
        // Made up.
        return tag === "latest"
          ? { number: numberToHex(asked), hash: this.#hash(), parentHash: this.#hash(), timestamp }
          : null;
      }
      case "eth_getLogs": {
        const { fromBlock, toBlock, address } = params[0] as {
          fromBlock: Hex;
          toBlock: Hex;
          address: string | string[];
        };
        const [from, to] = [hexToNumber(fromBlock), hexToNumber(toBlock)];
        if (widest !== undefined && to - from >= widest) throw new Error("exceed max block range");
        if (trouble.slowAbove !== undefined && to - from >= trouble.slowAbove)
          throw new NodeFailed("no answer within 10 seconds", "slow");
        const found = this.blocks
          .slice(from, Math.min(to, head - unindexed) + 1)
          .flatMap((block) => this.logsOf(block));
        const wanted =
          logs === "unfiltered"
            ? found
            : found.filter((log) => [address].flat().some((each) => each.toLowerCase() === log.address));
        if (trouble.changes) return trouble.changes(wanted);
        if (logs === "reversed") return wanted.toReversed();
        return logs === "twice" ? [...wanted, ...wanted] : wanted;
      }
      case "eth_call":
        return this.#call((params[0] as { data: string }).data);
      case "eth_getTransactionReceipt": {
        const block = this.blocks.find(
          ({ number, payments }) => number <= head && payments.some(({ txHash }) => txHash === params[0]),
        );
        if (!block) return null;
        const own = this.logsOf(block).filter(({ transactionHash }) => transactionHash === params[0]);
        return { blockNumber: numberToHex(block.number), blockHash: block.hash, status: "0x1", logs: own };
      }
      default:
        throw new Error(`Unknown method ${method}.`);
    }
  }

  /** A node of this chain. `trouble` may change while it runs. */
  node(name = "node", trouble: Trouble = {}): Transport {
    return {
      name,
      request: async ({ method, params = [] }) => {
        if (trouble.down) throw new Error("connection refused");
        if (trouble.fails) throw trouble.fails;
        if (trouble.takes !== undefined && method === "eth_getLogs") await setTimeout(trouble.takes);
        return this.#answer(method, params, trouble);
      },
    };
  }
}
