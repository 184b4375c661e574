/** Watches a network, and writes what it finds into the ledger. What it asks depends on the blocks, not on the orders: a payment made while every node was down is found later. */
import { HOUR } from "../../../contract/durations.ts";
import { factsOf } from "../../platform/log.ts";
import { repeat } from "../../platform/repeat.ts";
import type { Ledger } from "../ledger.ts";
import { PositionMoved, shownAddress, type Position } from "./blocks.ts";
import { NodeFailed } from "./json-rpc.ts";
import { LEASE, openLease } from "./lease.ts";
import { openNodes, type Candidate, type NodesOptions } from "./nodes.ts";
import { openReader, type ReaderOptions } from "./reader.ts";
import { successorOf } from "./token.ts";

export interface ChainOptions extends NodesOptions, ReaderOptions {
  /** Ms between two looks at the head. */
  interval: number;
  /** This process, among those that share the database. */
  holder: string;
  /** Seconds without a sign of life after which another process takes over. */
  lease?: number;
  /** Whether all is there that a block is read for, asked before each look. Absent: it is. */
  isReady?: () => Promise<boolean>;
}

export interface WatcherStatus {
  /** The last block that was read; null before the first. */
  position: number | null;
  /** The newest block that any node showed, and seconds since it was made. */
  head: number | null;
  headAge: number | null;
  /** Blocks between the position and that one. */
  lag: number | null;
  /** Seconds since a node last answered; null: never. */
  answered: number | null;
  /** Why nothing is read at the moment. */
  trouble: string | null;
  /** Why the network is closed, in a sentence; null: it is open. */
  refusal: string | null;
  /** Whether what is paid now is found later than usual. */
  isBehind: boolean;
  /** Contracts that their issuer has replaced, as people see them. */
  deprecated: readonly string[];
}

/** Seconds without an answer of any node after which what is paid is found late. */
export const SILENT = 120;
/** Ms between two questions whether the token was replaced by its issuer. */
const DEPRECATION = HOUR;

export interface Watcher {
  /** Reads up to the head, unless another process leads or what it needs is not ready. @throws Error when every node fails */
  tick(): Promise<void>;
  /** Ticks until told to stop. @returns what stops it, and resolves when nothing is under way */
  start(): () => Promise<void>;
  status(): WatcherStatus;
}

export function openWatcher(ledger: Ledger, options: ChainOptions): Watcher {
  const { network, contracts, pace, interval, holder } = options;
  const { db, log, now } = ledger;
  const lease = openLease(db, network, holder, options.lease ?? LEASE);
  const nodes = openNodes(ledger, options);
  const read = openReader(ledger, options, lease, nodes);
  /** Of the node that was read last, or is being read. */
  let head: Candidate["latest"] | null = null;
  let answeredAt: number | null = null;
  let trouble: string | null = null;
  let isClosed = false;
  let deprecationAskedAt = -Infinity;
  const deprecated = new Set<string>();

  function saw({ node, latest }: Candidate): void {
    head = latest;
    answeredAt = performance.now();
    lease.saw(nodes.best() ?? latest);
    if (trouble !== null) log("chain read again", { network, node: node.name });
    trouble = null;
  }

  async function askDeprecation({ node }: Candidate): Promise<void> {
    if (performance.now() - deprecationAskedAt < DEPRECATION) return;
    deprecationAskedAt = performance.now();
    for (const contract of contracts) {
      const successor = await successorOf(node, network, contract);
      if (successor === null) continue;
      const shown = shownAddress(network, contract);
      deprecated.add(shown);
      log("token deprecated", { network, contract: shown, successor }, "error");
    }
  }

  /** Reads from the first node that can be read. @returns whether there was one */
  async function readFromNodes(): Promise<boolean> {
    for await (const candidate of nodes.inTurn()) {
      try {
        head = candidate.latest;
        await read(candidate, lease.lastPosition());
        saw(candidate);
        nodes.followed(candidate);
        await askDeprecation(candidate);
        return true;
      } catch (error) {
        // The database failed, or another process leads, and no node is to blame.
        if (!(error instanceof NodeFailed)) throw error;
        nodes.failed(candidate, error);
      }
    }
    return false;
  }

  async function once(): Promise<void> {
    if (options.isReady && !(await options.isReady())) return;
    const led = await lease.position();
    if (led === null) return;
    const stopKeeping = lease.keep();
    try {
      if (await readFromNodes()) return;
      const failure = nodes.lastFailure();
      trouble = failure?.message ?? trouble ?? "Every node is waited for.";
      const refusal = nodes.refusal();
      if (refusal !== null && !isClosed) log("network closed", { network, reason: refusal }, "error");
      isClosed = refusal !== null;
      // Another process may reach other nodes.
      await lease.release();
      if (failure) throw failure;
    } catch (error) {
      if (!(error instanceof PositionMoved)) throw error;
      lease.drop();
    } finally {
      await stopKeeping();
    }
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

  const secondsSince = (at: Date | null) => (at === null ? 0 : (now() - at.getTime()) / 1000);

  /** Whichever process reads the network: it writes down what it saw. */
  function isBehind({ number, headNumber, headAt, checkedAt }: Position): boolean {
    if (pace === null) return false;
    const best = lease.isHeld() ? (nodes.best() ?? head) : null;
    const newest = best ? best.number : headNumber;
    const made = best ? new Date(best.timestamp * 1000) : headAt;
    const isSilent = lease.isHeld() && answeredAt !== null ? false : secondsSince(checkedAt) > SILENT;
    const isUnread = newest !== null && (newest - number) * pace.block > 2 * pace.old;
    return isSilent || isUnread || secondsSince(made) > pace.old;
  }

  return {
    tick,
    start() {
      const stop = repeat(interval, readAgain, true);
      return async () => {
        await stop();
        await lease.release().catch(() => undefined);
      };
    },
    status() {
      const lastPosition = lease.lastPosition();
      const position = lease.isHeld() && lastPosition ? lastPosition.number : null;
      const best = position === null ? null : (nodes.best() ?? head);
      return {
        position,
        head: best?.number ?? null,
        headAge: best && nodes.ageOf(best),
        lag: best && position !== null ? Math.max(0, best.number - position) : null,
        // Another process asks them now.
        answered:
          !lease.isHeld() || answeredAt === null ? null : Math.round((performance.now() - answeredAt) / 1000),
        trouble,
        refusal: nodes.refusal(),
        isBehind: lastPosition ? isBehind(lastPosition) : false,
        deprecated: [...deprecated],
      };
    },
  };
}
