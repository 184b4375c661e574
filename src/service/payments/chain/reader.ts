/** Reads a network from a node: follows its blocks from the position on, goes back where they were replaced, and writes down each part as soon as it is read. */
import pLimit from "p-limit";
import type { Network } from "../../../contract/calls.ts";
import type { Ledger } from "../ledger.ts";
import { advance, beginAt, contradicts, contradictsKept, keptBlocks, rewind } from "./blocks.ts";
import type { Again, BlockId, Position } from "./blocks.ts";
import { NodeFailed } from "./json-rpc.ts";
import type { Lease } from "./lease.ts";
import type { Block, ChainNode } from "./node.ts";
import type { Candidate, Nodes } from "./nodes.ts";
import { partsOf, type Part, type Source } from "./ranges.ts";
import type { TransferLog } from "./transfer-log.ts";

/** Blocks below the head that may be replaced where the node says nothing of finality; older ones are not linked one by one. */
const WINDOW = 96;
/** Blocks of a part in which each is linked to the one before. */
const LINKED = 24;
/** Blocks that are asked for at the same time. */
const AT_ONCE = 4;
/** Kept blocks among which a common ancestor is looked for. */
const LOOKED_BACK = 2_000;
/** Blocks below the head whose transfers a node may not know yet when it shows them. */
const YOUNG = 200;
/** Blocks after which a node is asked again which one is final, as long as new ones come. */
const FINALITY = 3;

/** A node that cannot be believed at the moment. */
const unbelievable = (message: string) => new NodeFailed(message, "wrong");

export interface ReaderOptions {
  network: Network;
  /** Blocks from a transfer's own until it is final, itself included; null: what the node calls finalized. */
  confirmations: number | null;
  /** Blocks between two questions for the final block; by default so many that a block of Tron costs no more than three. */
  finality?: number;
}

/** Reads up to the candidate's newest block. @throws NodeFailed, PositionMoved */
export type Reader = (candidate: Candidate, position: Position | undefined) => Promise<void>;

/** A newest block that is not built on the one before it is made up. @returns the one before */
async function requireLink(node: ChainNode, latest: Block): Promise<Block> {
  const before = await node.block(latest.number - 1);
  if (before.hash === latest.parentHash) return before;
  throw unbelievable(`${node.name} shows a newest block that does not follow the one before it.`);
}

/** The hash of the block at the position's number, in the chain of a newest block above it. */
async function hashBelow(node: ChainNode, latest: Block, { number }: Position): Promise<string> {
  if (latest.number === number + 1) return latest.parentHash;
  const before = await requireLink(node, latest);
  return before.number === number + 1 ? before.parentHash : (await node.block(number)).hash;
}

/** The blocks of a part. `latest` is known already. */
function blocksOf({ node }: Source, { from, to }: Part, latest: Block): Promise<Block[]> {
  const numbers = Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
  return pLimit(AT_ONCE).map(numbers, (at) => (at === latest.number ? latest : node.block(at)));
}

/** Of a part that is read for the first time, what is final already, and young. */
function againAfter(position: Position, { from, to }: Part, final: number, head: number) {
  const young = { from: Math.max(from, head - YOUNG + 1), to: Math.min(to, final) };
  if (young.from > young.to) return undefined;
  return { ...young, from: Math.min(position.againFrom ?? young.from, young.from) };
}

export function openReader(ledger: Ledger, options: ReaderOptions, lease: Lease, nodes: Nodes): Reader {
  const { network, confirmations, finality = FINALITY } = options;
  const { db } = ledger;
  /** The last final block that was told of, and the newest block at that time. */
  let finalSeen: { number: number; head: number } | undefined;

  /** The last block that counts as final. One that is told of late is no loss. */
  async function finalOf(
    node: ChainNode,
    latest: Block,
    lastPosition: Position | undefined,
  ): Promise<number> {
    if (confirmations !== null) return latest.number - confirmations + 1;
    const isNew = latest.number !== lastPosition?.number;
    const passed = finalSeen ? Math.abs(latest.number - finalSeen.head) : Infinity;
    if (!finalSeen || passed >= (isNew ? finality : 1)) {
      finalSeen = { number: (await node.block("finalized")).number, head: latest.number };
    }
    return Math.min(finalSeen.number, latest.number);
  }

  async function* readParts(source: Source, from: number, to: number, most?: number): AsyncGenerator<Part> {
    for await (const part of partsOf(source, from, to, () => lease.check(), most)) {
      nodes.sawForeign(source, part.foreign);
      yield part;
      nodes.progressed(source);
    }
  }

  /** Writes down what was read. @returns the new position */
  async function write(
    position: Position,
    blocks: readonly BlockId[],
    logs: readonly TransferLog[],
    final: number,
    again?: Again | null,
  ): Promise<Position> {
    lease.check();
    await advance(ledger, network, position, blocks, logs, final, again);
    return lease.moved();
  }

  /** The newest block that was read and that the node has too. */
  async function commonAncestor(node: ChainNode, position: Position, latest: Block): Promise<BlockId> {
    const kept = await keptBlocks(db, network, Math.min(position.number, latest.number), LOOKED_BACK);
    // Below a block that both have, they have all in common.
    let [newest, oldest] = [0, kept.length];
    while (newest < oldest) {
      const middle = Math.floor((newest + oldest) / 2);
      const keptBlock = kept[middle];
      if (keptBlock && (await node.block(keptBlock.number)).hash === keptBlock.hash) oldest = middle;
      else newest = middle + 1;
    }
    const ancestor = kept[newest];
    if (ancestor) return ancestor;
    throw unbelievable(
      `${node.name} has none of the last ${kept.length} blocks: it may be of another chain.`,
    );
  }

  /** A reorganisation that takes final transfers away is believed when no other node contradicts it. */
  async function confirmDeep(source: Source, ancestor: BlockId, position: Position): Promise<void> {
    if (ancestor.number >= position.finalNumber) return;
    const { node } = source;
    const at = ancestor.number + 1;
    const { hash } = await node.block(at);
    for (const other of nodes.others(source)) {
      const block = await other.block(at).catch(() => null);
      if (block && block.hash !== hash) {
        throw unbelievable(`${node.name} contradicts ${other.name} about the final block ${at}.`);
      }
    }
  }

  async function goBack(source: Source, position: Position, latest: Block): Promise<void> {
    const { node } = source;
    const ancestor = await commonAncestor(node, position, latest);
    if (ancestor.number === position.number)
      throw unbelievable(`${node.name} changed its chain while it was read.`);
    await confirmDeep(source, ancestor, position);
    await rewind(ledger, network, position, ancestor);
    await read({ ...source, latest: await node.block("latest") }, await lease.moved());
  }

  /**
   * Reads the blocks after the position up to one. Of those that no longer change, the last one of each part stands for
   * all; the others are linked one by one.
   * @returns the new position; null where a block does not follow the one before
   */
  async function follow(
    source: Candidate,
    position: Position,
    to: number,
    final: number,
    isSettled: boolean,
  ): Promise<Position | null> {
    const { node, latest } = source;
    let at = position;
    for await (const part of readParts(source, at.number + 1, to, isSettled ? undefined : LINKED)) {
      const shown = isSettled ? { ...part, from: part.to } : part;
      const blocks = await blocksOf(source, shown, latest);
      let before: BlockId = at;
      for (const block of isSettled ? [] : blocks) {
        if (block.parentHash !== before.hash) return null;
        before = block;
      }
      if (contradicts(part.logs, blocks)) {
        throw unbelievable(`${node.name} told of transfers in other blocks than it showed.`);
      }
      const reached = Math.min(part.to, final);
      at = await write(at, blocks, part.logs, reached, againAfter(at, part, final, latest.number));
      // How much is left is told while it is read: that may take hours, or never come to an end.
      lease.saw(latest);
    }
    return at;
  }

  /**
   * Asks once more for the transfers of blocks that were read before: a node may have shown a block before it knew its
   * transfers.
   * @param finish what is final when a part was read
   * @returns the new position; null where the transfers are of other blocks than those that were read
   */
  async function reread(
    source: Source,
    position: Position,
    { from, to }: Again,
    finish: (part: Part) => [final: number, again?: Again | null],
  ): Promise<Position | null> {
    let at = position;
    for await (const part of readParts(source, from, to)) {
      if (await contradictsKept(db, network, part)) return null;
      at = await write(at, [], part.logs, ...finish(part));
    }
    return at;
  }

  /** Blocks that were read when they were new, and are final now. */
  const rereadFinal = (source: Source, position: Position, final: number): Promise<Position | null> =>
    reread(
      source,
      position,
      { from: position.finalNumber + 1, to: Math.min(final, position.number) },
      (part) => [part.to],
    );

  /** Blocks that were final when they were first read, a minute later, or before others far from them are added. */
  async function rereadYoung(source: Candidate, position: Position): Promise<Position | null> {
    const { againFrom, againTo, againAt, finalNumber } = position;
    if (againFrom === null || againTo === null || againAt === null) return position;
    const left = againAt.getTime() - ledger.now();
    // Where each block is final at once, there are always some that are young.
    const isLong = againTo - againFrom > 2 * YOUNG;
    const isFar = againTo < source.latest.number - YOUNG;
    const to = isLong ? againTo - LINKED : againTo;
    if (to > finalNumber || (left > 0 && !isLong && !isFar)) return position;
    return reread(source, position, { from: againFrom, to }, (part) => [
      finalNumber,
      part.to < againTo ? { from: part.to + 1, to: againTo } : null,
    ]);
  }

  async function begin(node: ChainNode, latest: Block): Promise<Position | null | undefined> {
    // Nothing of ours is in blocks before the first order.
    const final = Math.max(0, await finalOf(node, latest, undefined));
    await beginAt(db, network, await node.block(final));
    return lease.position();
  }

  async function read(source: Candidate, lastPosition: Position | undefined): Promise<void> {
    const { node, latest } = source;
    let position = lastPosition ?? (await begin(node, latest));
    if (!position) return;
    if (latest.number < position.number) {
      // It lags behind another node, or its chain is another one now.
      const [kept] = await keptBlocks(db, network, latest.number, 1);
      if (kept?.number === latest.number && kept.hash !== latest.hash) await goBack(source, position, latest);
      return;
    }
    if (latest.number === position.number && latest.hash !== position.hash) {
      return goBack(source, position, latest);
    }
    // Before anything that was read counts as final: its block may have been replaced while nothing was read.
    if (latest.number > position.number && (await hashBelow(node, latest, position)) !== position.hash)
      return goBack(source, position, latest);
    const final = await finalOf(node, latest, position);
    const settled = confirmations === null ? final : latest.number - WINDOW;
    const reached = await rereadFinal(source, position, final);
    const again = reached && (await rereadYoung(source, reached));
    if (!again) return goBack(source, await lease.moved(), latest);
    position = again;
    for (const [to, isSettled] of [
      [settled, true],
      [latest.number, false],
    ] as const) {
      if (position.number >= to) continue;
      const followed = await follow(source, position, to, final, isSettled);
      if (!followed) return goBack(source, await lease.moved(), latest);
      position = followed;
    }
  }

  return read;
}
