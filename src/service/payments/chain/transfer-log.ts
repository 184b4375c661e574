/** Checks every log that a node tells of, and reads the transfer in it: a node that ignores what it was asked for credits nothing. */
import { NodeFailed } from "./json-rpc.ts";

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

/** What was asked for. */
export interface Wanted {
  /** The token's contracts, each 20 bytes in hexadecimal digits. */
  contracts: readonly string[];
  /** Blocks, both included. */
  from: number;
  to: number;
}

/** Transfer(address,address,uint256) */
export const TRANSFER_TOPIC = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** Signature, sender, recipient. */
const TOPICS = 3;
/** A trillion USDT, more than was ever issued. The ledger's columns hold nine times as much. */
const MOST_UNITS = 10n ** 18n;

/** What the column of an index holds. */
const MOST_INDEX = 2 ** 31 - 1;

const WORD = /^0x[0-9a-f]{64}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;
/** 20 bytes in a word of 32. */
const PADDED = /^0x0{24}([0-9a-f]{40})$/;
const QUANTITY = /^0x[0-9a-f]{1,14}$/;

const wrong = (words: string) => new NodeFailed(words, "wrong");

/** @throws NodeFailed when it is not what the pattern says */
function text(value: unknown, pattern: RegExp, name: string): string {
  const lower = typeof value === "string" ? value.toLowerCase() : "";
  if (!pattern.test(lower)) throw wrong(`a log without a proper ${name}`);
  return lower;
}

/** A whole number up to `most`, written as 0x and hexadecimal digits. @throws NodeFailed */
export function quantityOf(value: unknown, name: string, most = Number.MAX_SAFE_INTEGER): number {
  const number = typeof value === "string" && QUANTITY.test(value.toLowerCase()) ? Number(value) : NaN;
  if (!Number.isSafeInteger(number) || number > most) throw wrong(`no proper ${name}`);
  return number;
}

/** The bytes of an address in a topic. */
const addressOf = (topic: unknown, name: string) => text(topic, PADDED, name).slice(-40);

/**
 * The transfer in a log; null where the log is none of those that were asked for.
 * @throws NodeFailed where it is one of them and cannot be right
 */
export function transferIn(log: unknown, { contracts, from, to }: Wanted): TransferLog | null {
  if (typeof log !== "object" || log === null) throw wrong("a log that is none");
  const fields = log as Record<string, unknown>;
  const contract = text(fields["address"], ADDRESS, "address").slice(2);
  const topics: unknown[] = Array.isArray(fields["topics"]) ? fields["topics"] : [];
  const isTransfer = String(topics[0]).toLowerCase() === TRANSFER_TOPIC && topics.length === TOPICS;
  if (!contracts.includes(contract) || !isTransfer) return null;
  if (fields["removed"] === true) throw wrong("a log of a block that was replaced meanwhile");
  const blockNumber = quantityOf(fields["blockNumber"], "block number in a log");
  // Left out, it would be money of a block that counts as read.
  if (blockNumber < from || blockNumber > to) {
    throw wrong(`a log of block ${blockNumber}, which is none of those from ${from} to ${to}`);
  }
  const amount = BigInt(text(fields["data"], WORD, "amount"));
  if (amount > MOST_UNITS) throw wrong(`a log of ${amount} units, more than there can be`);
  return {
    blockNumber,
    blockHash: text(fields["blockHash"], WORD, "block hash"),
    logIndex: quantityOf(fields["logIndex"], "index in a log", MOST_INDEX),
    txHash: text(fields["transactionHash"], WORD, "transaction hash"),
    contract,
    sender: addressOf(topics[1], "sender"),
    recipient: addressOf(topics[2], "recipient"),
    amount,
  };
}

/** What a transfer is whatever its index: some nodes count the logs of a block, others those of a transaction. */
export const identityOf = ({
  blockHash,
  txHash,
  contract,
  sender,
  recipient,
  amount,
}: Omit<TransferLog, "blockNumber" | "logIndex">): string =>
  [blockHash, txHash, contract, sender, recipient, amount].join();
