/** The operator's commands about a network: read blocks again, take one transaction, move the position. For what a node did not tell when it was asked. */
import { and, eq } from "drizzle-orm";
import { shownUnits } from "../../../contract/money.ts";
import type { Network } from "../../../contract/calls.ts";
import { addFinal, contradictsKept, positionOf, skipTo, type Position } from "../../payments/chain/blocks.ts";
import { NodeFailed } from "../../payments/chain/json-rpc.ts";
import { openNode, type Block, type ChainNode } from "../../payments/chain/node.ts";
import { partsOf, Width } from "../../payments/chain/ranges.ts";
import { checkToken } from "../../payments/chain/token.ts";
import type { ChainSettings } from "../../payments/usdt.ts";
import { factsOf } from "../../platform/log.ts";
import { transfers } from "../../store/schema.ts";
import { audited, auditedPart, type PartDone, type Told } from "./audit.ts";
import {
  blockNumber,
  blockOrLatest,
  change,
  CommandRefused,
  networkName,
  networkTransaction,
  type Call,
  type Commands,
  type Context,
  type Rows,
} from "./command.ts";
import type { Subject } from "./change.ts";

/** A node's failure is told in its own words. */
async function askingNode<T>(node: ChainNode, question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof NodeFailed) throw new CommandRefused(`${node.name}: ${error.message}`);
    throw error;
  }
}

interface Reached {
  node: ChainNode;
  /** See `ChainSettings`. */
  confirmations: number | null;
}

/** @throws NodeFailed where it is on another chain, or does not know the token */
async function check(node: ChainNode, network: Network, chain: ChainSettings): Promise<void> {
  const id = await node.chainId();
  if (id !== chain.chainId) throw new NodeFailed(`it is on chain ${id}, not ${chain.chainId}`, "wrong");
  for (const contract of chain.contracts) await checkToken(node, network, contract);
}

/** A node as it answers now: its newest block, and what is wrong with it, if anything. */
export interface NodeReport {
  name: string;
  latest: Block | null;
  trouble: string | null;
}

/** Asks every node of a network what the watcher asks it. @returns none where the network is closed */
export async function askNodes({ chains }: Context, network: Network): Promise<NodeReport[]> {
  const chain = (await chains?.())?.[network];
  const reports = chain?.nodes.map(async (place): Promise<NodeReport> => {
    const node = openNode(place, chain.contracts);
    let latest: Block | null = null;
    try {
      latest = await node.block("latest");
      await check(node, network, chain);
      await node.transfers(latest.number, latest.number);
      return { name: node.name, latest, trouble: null };
    } catch (error) {
      if (!(error instanceof NodeFailed)) throw error;
      // A block of another chain, or one that is made up, is no measure for the others.
      return { name: node.name, latest: error.fault === "wrong" ? null : latest, trouble: error.message };
    }
  });
  return Promise.all(reports ?? []);
}

/** The first node of the settings that answers, is on the right chain and knows the token. */
async function reach({ chains }: Context, network: Network): Promise<Reached> {
  const chain = (await chains?.())?.[network];
  if (!chain) throw new CommandRefused(`${network} is closed: it has no node.`);
  const failures: string[] = [];
  for (const place of chain.nodes) {
    const node = openNode(place, chain.contracts);
    try {
      await check(node, network, chain);
      return { node, confirmations: chain.confirmations };
    } catch (error) {
      if (!(error instanceof NodeFailed)) throw error;
      failures.push(`${node.name}: ${error.message}`);
    }
  }
  throw new CommandRefused(`No node of ${network} can be read. ${failures.join("; ")}`);
}

async function positionIn({ ledger }: Context, network: Network): Promise<Position> {
  const position = await positionOf(ledger.db, network);
  if (!position) throw new CommandRefused(`${network} has never been read: start the service first.`);
  return position;
}

/** Reads blocks once more that are final. What is known already stays as it is. */
async function reread(call: Call<{ network: Network; from: number; to: number }>): Promise<Rows> {
  const { ledger, args } = call;
  const { network, from, to } = args;
  if (from > to) throw new CommandRefused("The first block is after the last one.");
  const { finalNumber } = await positionIn(call, network);
  if (to > finalNumber) {
    throw new CommandRefused(
      `Only blocks that are final can be read again, and block ${finalNumber} is the last one.`,
    );
  }
  const { node } = await reach(call, network);
  const subject: Subject = { name: `${network} ${from}-${to}`, word: network };
  const note = (told: Told) =>
    told.note(`${to - from + 1} blocks of ${network} are read again: what is known already stays as it is.`);
  if (call.change.isPreview) {
    return audited(call, "reread", subject, async (_, __, told) => {
      note(told);
      return [];
    });
  }
  /** What stands, whatever comes. */
  const stands: { done: PartDone | null; found: number; next: number } = { done: null, found: 0, next: from };
  try {
    for await (const part of partsOf({ node, width: new Width() }, from, to, () => undefined)) {
      if (await contradictsKept(ledger.db, network, part))
        throw new NodeFailed("it tells of other blocks than were read", "wrong");
      let found = 0;
      const at = { done: stands.done, isLast: part.to === to };
      stands.done = await auditedPart(call, "reread", subject, at, async (tx, told) => {
        note(told);
        found = stands.found + (await addFinal(ledger, tx, network, part));
        return [{ network, from, to: part.to, "transfers found anew": found }];
      });
      Object.assign(stands, { found, next: part.to + 1 });
    }
  } catch (error) {
    const isNode = error instanceof NodeFailed;
    if (stands.done === null && !isNode) throw error;
    const words = isNode ? `${node.name}: ${error.message}` : String(factsOf(error)["error"]);
    const { done, found, next } = stands;
    const rest = `Read to block ${next - 1}, transfers found anew: ${found}. For the rest: \`reread ${network} ${next} ${to}\`.`;
    throw new CommandRefused(done === null ? words : `${words}. ${rest}`);
  }
  return stands.done?.answer ?? [];
}

/** Takes the transfers of one transaction that is final. */
async function takeTransaction(call: Call<{ network: Network; hash: string }>): Promise<Rows> {
  const { ledger, args } = call;
  const { network, hash } = args;
  const { finalNumber } = await positionIn(call, network);
  const { node } = await reach(call, network);
  const receipt = await askingNode(node, node.receipt(hash));
  if (!receipt) throw new CommandRefused(`${node.name} knows no such transaction on ${network}.`);
  const { blockNumber: blockAt, blockHash, succeeded, logs } = receipt;
  if (!succeeded) throw new CommandRefused("The transaction failed on the network: it moved nothing.");
  if (blockAt > finalNumber) {
    throw new CommandRefused(`It is in block ${blockAt}, which is not final yet: it is read by itself.`);
  }
  const block = await askingNode(node, node.block(blockAt));
  const part = { from: blockAt, to: blockAt, logs };
  if (block.hash !== blockHash || logs.some((log) => log.blockHash !== blockHash || log.txHash !== hash)) {
    throw new CommandRefused(`${node.name} contradicts itself about block ${blockAt}.`);
  }
  if (await contradictsKept(ledger.db, network, part)) {
    throw new CommandRefused(`${node.name} tells of another block ${blockAt} than was read.`);
  }
  const subject: Subject = { name: `${network} ${hash}`, word: hash.slice(2) };
  const take = audited(call, "transaction", subject, async (tx, _, told) => {
    const added = await addFinal(ledger, tx, network, part);
    const rows = await tx
      .select()
      .from(transfers)
      .where(and(eq(transfers.network, network), eq(transfers.txHash, hash)));
    for (const { amount, orderId } of rows)
      told.note(
        `${shownUnits(amount)} USDT for order ${orderId ?? "none"}, ${added > 0 ? "found anew" : "known already"}.`,
      );
    if (rows.length === 0) told.note("It moves nothing to an address of ours.");
    return rows.map(({ orderId, amount, state, heldFor }) => ({
      block: blockAt,
      order: orderId,
      amount: shownUnits(amount),
      state: heldFor === null ? state : `held: ${heldFor}`,
      found: added > 0 ? "anew" : "known already",
    }));
  });
  return askingNode(node, take);
}

/** Goes on at a later block. What is paid in the blocks between is not found. */
async function skip(call: Call<{ network: Network; block: number | "latest" }>): Promise<Rows> {
  const { network, block: wanted } = call.args;
  await positionIn(call, network);
  const { node, confirmations } = await reach(call, network);
  const head = await askingNode(node, node.block(confirmations === null ? "finalized" : "latest"));
  const final = confirmations === null ? head.number : head.number - confirmations + 1;
  const to = wanted === "latest" ? final : wanted;
  if (to > final) throw new CommandRefused(`The last block that is final is ${final}.`);
  const { hash } = await askingNode(node, node.block(to));
  // The network is read on while the change is looked at: neither its position nor its newest block is part of what is agreed to.
  const subject: Subject = { name: `${network} to block ${wanted}`, word: network };
  return audited(call, "skip blocks", subject, async (tx, _, told) => {
    const last = await skipTo(tx, network, { number: to, hash });
    if (last === null)
      throw new CommandRefused(`Block ${to} is read already. To read it once more: \`reread\`.`);
    const unread = `reread ${network} ${last + 1} ${to}`;
    told.warn(
      `payments in the ${to - last} blocks from ${last + 1} to ${to} will not be found, until you read them with \`${unread}\`.`,
    );
    return [{ network, "goes on after": to, "not read": unread }];
  });
}

export const chainCommands: Commands = {
  reread: change({
    help: "read final blocks once more, for payments that a node did not tell of",
    args: { network: networkName, from: blockNumber("first block"), to: blockNumber("last block") },
    changes: "money",
    undo: "What it found is on the chain: it stays.",
    run: reread,
  }),
  transaction: change({
    help: "take the payment of one transaction that was not found",
    args: { network: networkName, hash: networkTransaction },
    changes: "money",
    undo: "What it found is on the chain: it stays.",
    run: takeTransaction,
  }),
  skip: change({
    help: "go on at a later block; payments in between are not found",
    args: { network: networkName, block: blockOrLatest },
    changes: "addresses",
    undo: "`reread` reads the blocks that were left out.",
    run: skip,
  }),
};
