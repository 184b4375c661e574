/** Asks a token's contract what it is: one that does not count in millionths is refused, and one that its issuer has replaced is told of. */
import { USDT_DECIMALS } from "../../../contract/money.ts";
import type { Network } from "../../../contract/calls.ts";
import { shownAddress } from "./blocks.ts";
import { NodeFailed } from "./json-rpc.ts";
import type { ChainNode } from "./node.ts";

/** The contract is not what the settings say: the network stays closed. The message is one sentence for the operator. */
export class TokenRefused extends NodeFailed {
  constructor(message: string) {
    super(message, "wrong");
  }
}

/** The first four bytes of the hash of each function's signature. */
const DECIMALS = "0x313ce567";
const SYMBOL = "0x95d89b41";
const DEPRECATED = "0x0e136b19";
const SUCCESSOR = "0x26976e3f";

/** Characters of a word of 32 bytes. */
const WORD = 64;

/** A contract that has no such function answers with nothing, or with an error. */
async function answerOf(node: ChainNode, contract: string, selector: string): Promise<string> {
  try {
    return (await node.call(contract, selector)).slice(2);
  } catch (error) {
    if (
      error instanceof NodeFailed &&
      error.fault === "failed" &&
      /revert|invalid opcode|out of gas/i.test(error.message)
    )
      return "";
    throw error;
  }
}

/** Text, as contracts of today answer it (length and bytes) or as early ones did (32 bytes). */
function textIn(answer: string): string {
  const isEarly = answer.length === WORD;
  const length = isEarly ? WORD / 2 : Number(`0x${answer.slice(WORD, 2 * WORD) || 0}`);
  const bytes = isEarly ? answer : answer.slice(2 * WORD, 2 * WORD + 2 * Math.min(length, WORD));
  return Buffer.from(bytes, "hex")
    .toString()
    .replaceAll(/[^\p{L}\p{N}\p{S}\p{P} ]/gu, "");
}

export interface TokenFacts {
  /** As people see it. */
  contract: string;
  /** What it calls itself; empty where it does not say. */
  symbol: string;
}

/** @throws TokenRefused where it has other than six decimals, NodeFailed where the node does not answer */
export async function checkToken(node: ChainNode, network: Network, contract: string): Promise<TokenFacts> {
  const shown = shownAddress(network, contract);
  const decimals = await answerOf(node, contract, DECIMALS);
  const symbol = textIn(await answerOf(node, contract, SYMBOL));
  if (decimals.length !== WORD) {
    throw new TokenRefused(
      `${network} stays closed: ${node.name} knows no token at ${shown} (${network}_CONTRACT).`,
    );
  }
  if (BigInt(`0x${decimals}`) !== BigInt(USDT_DECIMALS)) {
    const named = symbol === "" ? "the token" : symbol;
    throw new TokenRefused(
      `${network} stays closed: ${named} at ${shown} (${network}_CONTRACT) has ${BigInt(`0x${decimals}`)} decimals, and only a token with ${USDT_DECIMALS} can be taken.`,
    );
  }
  return { contract: shown, symbol };
}

/** Whether its issuer has replaced a contract. @returns the successor as people see it, empty where it is unknown; null: it has not */
export async function successorOf(
  node: ChainNode,
  network: Network,
  contract: string,
): Promise<string | null> {
  const deprecated = await answerOf(node, contract, DEPRECATED);
  if (!/^0{63}1$/.test(deprecated)) return null;
  const successor = await answerOf(node, contract, SUCCESSOR);
  return successor.length === WORD ? shownAddress(network, successor.slice(-40)) : "";
}
