/** Asks a node for the transfers of many blocks in parts: as wide as the node answers well, and no wider than the service can take in at a time. */
import { SECOND } from "../../../contract/durations.ts";
import { NodeFailed } from "./json-rpc.ts";
import type { ChainNode, FoundTransfers } from "./node.ts";

/** Blocks of the first part, and of any, by the limits of java-tron. */
const FIRST = 16;
const WIDEST = 5_000;
/** Logs of a part that are aimed at: about a megabyte, which is taken in within some milliseconds. */
const LOGS = 1_500;
/** Ms within which an answer may come for the next part to be wider. */
const QUICK = 2 * SECOND;
/** Parts without a wider one after a node has refused one. */
const CAREFUL = 32;

/** How many blocks a node is asked for at a time. Remembered for each node. */
export class Width {
  blocks = FIRST;
  #careful = 0;

  /** @param count of blocks that were asked for @param logs that were told of @param ms that it took */
  answered(count: number, logs: number, ms: number): void {
    if (logs > LOGS) {
      this.blocks = Math.max(1, Math.floor((count * LOGS) / logs));
      return;
    }
    if (count < this.blocks || ms > QUICK) return;
    if (this.#careful > 0) {
      this.#careful -= 1;
      return;
    }
    const fitting = logs === 0 ? Infinity : Math.floor((count * LOGS) / logs);
    this.blocks = Math.min(count * 2, fitting, WIDEST);
  }

  /** It was too much, or took too long. */
  refused(count: number): void {
    this.blocks = Math.max(1, Math.floor(count / 2));
    this.#careful = CAREFUL;
  }
}

export interface Part extends FoundTransfers {
  /** Blocks, both included. */
  from: number;
  to: number;
}

/** A node, and how many blocks it is asked for at a time. */
export interface Source {
  node: ChainNode;
  width: Width;
}

/**
 * The transfers of a range of blocks, both ends included, in parts, in order.
 * @param check is called before each question; what it throws ends the reading
 * @param most blocks of a part
 * @throws NodeFailed where the node fails, or takes too long: the next attempt asks it for less
 */
export async function* partsOf(
  { node, width }: Source,
  from: number,
  to: number,
  check: () => void,
  most = WIDEST,
): AsyncGenerator<Part> {
  let at = from;
  while (at <= to) {
    check();
    const end = Math.min(to, at + Math.min(width.blocks, most) - 1);
    const count = end - at + 1;
    const begun = performance.now();
    let found: FoundTransfers;
    try {
      found = await node.transfers(at, end);
    } catch (error) {
      if (!(error instanceof NodeFailed) || count === 1) throw error;
      // Nodes have many words for too much: only what has nothing to do with the range leaves it as wide.
      if (error.fault !== "refused" && error.fault !== "wrong") width.refused(count);
      if (error.fault === "large") continue;
      throw error;
    }
    width.answered(count, found.logs.length + found.foreign, performance.now() - begun);
    yield { from: at, to: end, ...found };
    at = end + 1;
  }
}
