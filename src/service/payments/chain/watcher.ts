/** Reads a network block by block, and writes what it finds into the ledger. What it asks depends on the blocks, not on the orders: a payment made while every node was down is found later. */
import pLimit from "p-limit";
import type { Network } from "../../../contract/calls.ts";
import { factsOf } from "../../operations/log.ts";
import { repeat } from "../../operations/repeat.ts";
import type { Ledger } from "../ledger.ts";
import {
  advance,
  beginAt,
  keptBlocks,
  lead,
  positionOf,
  PositionMoved,
  resign,
  rewind,
  type BlockId,
  type Position,
} from "./blocks.ts";
import { NodeFailed, type Block, type ChainNode, type TransferLog } from "./node.ts";

export interface ChainOptions {
  network: Network;
  /** Asked in turn: the next one when one fails. */
  nodes: readonly ChainNode[];
  chainId: number;
  /** Blocks from a transfer's own until it is final, itself included; null: what the node calls finalized. */
  confirmations: number | null;
  /** Ms between two looks at the head. */
  interval: number;
  /** This process, among those that share the database. */
  holder: string;
}

export interface WatcherStatus {
  /** The last block that was read; null before the first. */
  position: number | null;
  /** Blocks between it and the node's latest. */
  lag: number | null;
  /** Seconds since a node last answered; null: never. */
  answered: number | null;
  /** Why nothing is read at the moment. */
  trouble: string | null;
}

/** Seconds for which a process leads. */
const LEASE = 10;
/** Blocks below the head that may be replaced where the node says nothing of finality; older ones are read in ranges. */
const WINDOW = 96;
/** Blocks that are asked for at the same time. */
const AT_ONCE = 4;
/** Blocks that one question for transfers covers at most, by the limits of java-tron. */
const RANGE = 5_000;
/** Kept blocks among which a common ancestor is looked for. */
const LOOKED_BACK = 2_000;
/** Ms without a node after it failed once, and at most. */
const BACKOFF = 1_000;
const LONGEST_BACKOFF = 60_000;

/** A node that cannot be believed at the moment. */
class NodeRefused extends NodeFailed {
  constructor(message: string) {
    super(message, true);
  }
}

interface Candidate {
  node: ChainNode;
  checked: boolean;
  failures: number;
  /** Ms of the monotonic clock. */
  notBefore: number;
}

/** What went wrong, without the node's address, which may hold a key. */
const troubleOf = (error: unknown) =>
  (factsOf(error)["error"] ?? "").replaceAll(/https?:\/\/\S+/g, "…").split("\n")[0] ?? "";

/** Asks for transfers, in halves where a node refuses the whole range. */
async function transfersOf(node: ChainNode, from: number, to: number): Promise<TransferLog[]> {
  try {
    return await node.transfers(from, to);
  } catch (error) {
    // One that does not answer is not asked a dozen times more.
    if (from === to || !(error instanceof NodeFailed && error.isAnswered)) throw error;
    const middle = Math.floor((from + to) / 2);
    return [...(await transfersOf(node, from, middle)), ...(await transfersOf(node, middle + 1, to))];
  }
}

export interface Watcher {
  /** Reads up to the head, unless another process leads. @throws Error when every node fails */
  tick(): Promise<void>;
  /** Ticks until told to stop. @returns what stops it, and resolves when nothing is under way */
  start(): () => Promise<void>;
  status(): WatcherStatus;
}

export function openWatcher(ledger: Ledger, options: ChainOptions): Watcher {
  const { network, chainId, confirmations, interval, holder } = options;
  const { db, log } = ledger;
  const candidates: Candidate[] = options.nodes.map((node) => ({
    node,
    checked: false,
    failures: 0,
    notBefore: 0,
  }));
  let leading: { position: Position; until: number } | undefined;
  let head: number | null = null;
  let answeredAt: number | null = null;
  let trouble: string | null = null;

  /** The position, when this process leads. */
  async function ledPosition(): Promise<Position | null | undefined> {
    // Half of the time is left for what follows.
    if (leading && performance.now() < leading.until) return leading.position;
    const asked = performance.now();
    const position = await lead(db, network, holder, LEASE);
    leading = position ? { position, until: asked + (LEASE * 1000) / 2 } : undefined;
    return position;
  }

  async function moved(): Promise<Position> {
    const position = await positionOf(db, network);
    if (!position || position.holder !== holder)
      throw new PositionMoved(`${network} is led by another process.`);
    if (leading) leading.position = position;
    return position;
  }

  /** The last block that counts as final. */
  async function finalOf(node: ChainNode, latest: Block): Promise<number> {
    if (confirmations !== null) return latest.number - confirmations + 1;
    return Math.min((await node.block("finalized")).number, latest.number);
  }

  /** The newest block that was read and that the node has too. */
  async function commonAncestor(node: ChainNode, position: Position, latest: Block): Promise<BlockId> {
    const kept = await keptBlocks(db, network, Math.min(position.number, latest.number), LOOKED_BACK);
    // Below a block that both have, they have all in common.
    let [newest, oldest] = [0, kept.length];
    while (newest < oldest) {
      const middle = Math.floor((newest + oldest) / 2);
      const known = kept[middle];
      if (known && (await node.block(known.number)).hash === known.hash) oldest = middle;
      else newest = middle + 1;
    }
    const ancestor = kept[newest];
    if (ancestor) return ancestor;
    throw new NodeRefused(
      `${node.name} has none of the last ${kept.length} blocks: it may be of another chain.`,
    );
  }

  /** A reorganisation that takes final transfers away is believed when no other node contradicts it. */
  async function confirmDeep(node: ChainNode, ancestor: BlockId, position: Position): Promise<void> {
    if (ancestor.number >= position.finalNumber) return;
    const at = ancestor.number + 1;
    const { hash } = await node.block(at);
    const others = candidates.filter((one) => one.node !== node && one.notBefore <= performance.now());
    for (const { node: other } of others) {
      const said = await other.block(at).catch(() => null);
      if (said && said.hash !== hash) {
        throw new NodeRefused(`${node.name} contradicts ${other.name} about the final block ${at}.`);
      }
    }
  }

  /**
   * Asks once more for the transfers of blocks that were read when they were new and are final now: a node may have shown
   * a block before it knew its transfers.
   */
  async function rereadTransfers(node: ChainNode, position: Position, final: number): Promise<TransferLog[]> {
    const to = Math.min(final, position.number);
    if (to <= position.finalNumber) return [];
    const logs = await transfersOf(node, position.finalNumber + 1, to);
    const kept = await keptBlocks(db, network, to, to - position.finalNumber);
    const hashes = new Map(kept.map(({ number, hash }) => [number, hash]));
    if (logs.some(({ blockNumber, blockHash }) => (hashes.get(blockNumber) ?? blockHash) !== blockHash))
      throw new NodeRefused(`${node.name} told of transfers in other blocks than were read.`);
    return logs;
  }

  /** Reads the blocks after the position that may still be replaced, each linked to the one before it. */
  async function readWindow(node: ChainNode, position: Position, latest: Block): Promise<void> {
    const numbers = Array.from(
      { length: latest.number - position.number },
      (_, offset) => position.number + 1 + offset,
    );
    const atOnce = pLimit(AT_ONCE);
    const blocks = await atOnce.map(numbers, (at) => (at === latest.number ? latest : node.block(at)));
    let before: BlockId = position;
    for (const block of blocks) {
      // The chain changed between two questions, or before: the next look finds where.
      if (block.parentHash !== before.hash) return goBack(node, position, latest);
      before = block;
    }
    const logs = await transfersOf(node, position.number + 1, latest.number);
    const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]));
    if (logs.some((each) => hashes.get(each.blockNumber) !== each.blockHash)) {
      throw new NodeRefused(`${node.name} told of transfers in other blocks than it showed.`);
    }
    const final = await finalOf(node, latest);
    const missed = await rereadTransfers(node, position, final);
    await advance(ledger, network, position, blocks, [...missed, ...logs], final);
    await moved();
  }

  async function goBack(node: ChainNode, position: Position, latest: Block): Promise<void> {
    const ancestor = await commonAncestor(node, position, latest);
    if (ancestor.number === position.number)
      throw new NodeRefused(`${node.name} changed its chain while it was read.`);
    await confirmDeep(node, ancestor, position);
    await rewind(ledger, network, position, ancestor);
    await read(node, await moved());
  }

  /** Reads the blocks that no longer change, in ranges, and first once more those that became final meanwhile. */
  async function catchUp(node: ChainNode, position: Position, to: number, final: number): Promise<Position> {
    let at = position;
    let missed = await rereadTransfers(node, position, final);
    while (at.number < to) {
      const end = Math.min(at.number + RANGE, to);
      const [logs, last] = await Promise.all([transfersOf(node, at.number + 1, end), node.block(end)]);
      await advance(ledger, network, at, [last], [...missed, ...logs], Math.min(end, final));
      missed = [];
      at = await moved();
    }
    return at;
  }

  async function read(node: ChainNode, led: Position | undefined): Promise<void> {
    const latest = await node.block("latest");
    head = latest.number;
    const final = await finalOf(node, latest);
    if (!led) {
      // Nothing of ours is in blocks before the first order.
      await beginAt(db, network, await node.block(Math.max(0, Math.min(final, latest.number))));
      const position = await ledPosition();
      if (!position) return;
      return read(node, position);
    }
    if (latest.number < led.number) {
      // It lags behind another node, or its chain is another one now.
      const [kept] = await keptBlocks(db, network, latest.number, 1);
      if (kept?.number === latest.number && kept.hash !== latest.hash) await goBack(node, led, latest);
      return;
    }
    if (latest.number === led.number) {
      if (latest.hash !== led.hash) return goBack(node, led, latest);
      if (final > led.finalNumber) {
        await advance(ledger, network, led, [], await rereadTransfers(node, led, final), final);
        await moved();
      }
      return;
    }
    const settled = confirmations === null ? final : latest.number - WINDOW;
    let position = led;
    if (position.number < settled) {
      if ((await node.block(position.number)).hash !== position.hash) return goBack(node, position, latest);
      position = await catchUp(node, position, settled, final);
    }
    if (position.number < latest.number) await readWindow(node, position, latest);
  }

  async function check(candidate: Candidate): Promise<void> {
    if (candidate.checked) return;
    const id = await candidate.node.chainId();
    if (id !== chainId) throw new NodeRefused(`${candidate.node.name} is on chain ${id}, not ${chainId}.`);
    candidate.checked = true;
  }

  async function once(): Promise<void> {
    const led = await ledPosition();
    if (led === null) return;
    let failure: unknown;
    for (const candidate of candidates) {
      if (candidate.notBefore > performance.now()) continue;
      try {
        await check(candidate);
        await read(candidate.node, leading?.position ?? led);
        candidate.failures = 0;
        answeredAt = performance.now();
        if (trouble !== null) log("chain read again", { network, node: candidate.node.name });
        trouble = null;
        return;
      } catch (error) {
        if (error instanceof PositionMoved) {
          leading = undefined;
          return;
        }
        // The database failed, and no node is to blame.
        if (!(error instanceof NodeFailed)) throw error;
        failure = error;
        const wait = Math.min(BACKOFF * 2 ** candidate.failures, LONGEST_BACKOFF);
        candidate.failures += 1;
        candidate.notBefore = performance.now() + wait;
        log("node failed", { network, node: candidate.node.name, error: troubleOf(error) }, "warn");
      }
    }
    trouble = failure === undefined ? (trouble ?? "Every node is waited for.") : troubleOf(failure);
    if (failure !== undefined) throw failure;
  }

  let last: Promise<void> = Promise.resolve();
  /** One at a time; a caller gets a look that began after the call. */
  function tick(): Promise<void> {
    last = last.catch(() => undefined).then(once);
    return last;
  }

  const readAgain = () =>
    tick().catch((error: unknown) => {
      // The nodes' failures are logged where they happen.
      if (!(error instanceof NodeFailed)) log("job failed", { network, ...factsOf(error) }, "error");
    });

  return {
    tick,
    start() {
      const stop = repeat(interval, readAgain, true);
      return async () => {
        await stop();
        await resign(db, network, holder).catch(() => undefined);
      };
    },
    status: () => ({
      position: leading?.position.number ?? null,
      lag: leading && head !== null ? Math.max(0, head - leading.position.number) : null,
      answered: answeredAt === null ? null : Math.round((performance.now() - answeredAt) / 1000),
      trouble,
    }),
  };
}
