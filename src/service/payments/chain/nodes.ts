/** Judges the nodes of a network: whose newest block leads, who stands still or lags behind, and who is left alone for a while. */
import { MINUTE, SECOND } from "../../../contract/durations.ts";
import type { Network } from "../../../contract/calls.ts";
import type { Ledger } from "../ledger.ts";
import { NodeFailed } from "./json-rpc.ts";
import type { Block, ChainNode } from "./node.ts";
import { Width, type Source } from "./ranges.ts";
import { checkToken, TokenRefused } from "./token.ts";

/** How fast a network makes blocks, in seconds. */
export interface Pace {
  block: number;
  /** A newest block of that age means that a node, or the network, stands still. */
  old: number;
}

export const PACES: Readonly<Record<Network, Pace>> = {
  TRC20: { block: 3, old: 30 },
  ERC20: { block: 12, old: 90 },
};

export interface NodesOptions {
  network: Network;
  nodes: readonly ChainNode[];
  chainId: number;
  /** The token's, each 20 bytes in hexadecimal digits. */
  contracts: readonly string[];
  /** Null: a chain for practice, whose blocks come on demand and are never old. */
  pace: Pace | null;
}

/** Blocks by which a node may be behind another one and still be read. */
const LAG = 10;
/** Blocks by which the node that is named first in the settings may be behind and is still preferred. */
const NEAR = 2;
/** At every so many looks all nodes are asked for their newest block, at the others the one that is read. */
const LOOKS = 10;
/** Blocks' times without a new block after which the others are asked at every look. */
const STILL = 3;
/** Ms without a node after it failed once, and at most; it may ask for more itself. */
const BACKOFF = SECOND;
const LONGEST_BACKOFF = MINUTE;

/** A node with its newest block. */
export interface Candidate extends Source {
  latest: Block;
}

interface Judged extends Source {
  /** It is on the right chain, and its token is the right one. */
  isChecked: boolean;
  failures: number;
  /** Ms of the monotonic clock. */
  notBefore: number;
  latest: Block | undefined;
  /** The look at which it was asked for that. */
  askedAt: number;
  /** When its newest block last changed, in ms of the monotonic clock. */
  movedAt: number;
  /** Why it is passed over; null: it is not. */
  fault: string | null;
  hasForeign: boolean;
  /** What is wrong with the token; null: nothing is known to be. */
  refusal: string | null;
}

type JudgedCandidate = Judged & Candidate;

export type Nodes = ReturnType<typeof openNodes>;

export function openNodes({ now, log }: Ledger, options: NodesOptions) {
  const { network, chainId, contracts, pace } = options;
  const all: Judged[] = options.nodes.map((node) => ({
    node,
    width: new Width(),
    isChecked: false,
    failures: 0,
    notBefore: 0,
    latest: undefined,
    askedAt: 0,
    movedAt: 0,
    fault: null,
    hasForeign: false,
    refusal: null,
  }));
  let looks = 0;
  let read: Judged | undefined;
  let lastFailure: NodeFailed | null = null;
  let isOld = false;

  /** Seconds since its newest block was made, by the service's clock. */
  const ageOf = ({ timestamp }: Block) => Math.max(0, Math.round(now() / 1000) - timestamp);
  const isTooOld = (block: Block) => pace !== null && ageOf(block) >= pace.old;

  /** Whether a block is so far below another one that its node is not read. Blocks of fast chains have no second for each. */
  function lags(block: Block, best: Block): boolean {
    const isLate = pace === null || best.timestamp - block.timestamp >= pace.old / 3;
    return best.number - block.number > LAG && isLate;
  }

  function failed(one: Judged, error: NodeFailed): void {
    const wait = error.wait ?? Math.min(BACKOFF * 2 ** one.failures, LONGEST_BACKOFF);
    one.failures += 1;
    one.notBefore = performance.now() + wait;
    lastFailure = error;
    if (error instanceof TokenRefused) one.refusal = error.message;
    // Others are not measured by what it cannot have.
    if (error.fault === "wrong") one.latest = undefined;
    log("node failed", { network, node: one.node.name, error: error.message }, "warn");
  }

  async function check(one: Judged): Promise<void> {
    if (one.isChecked) return;
    const { node } = one;
    const id = await node.chainId();
    if (id !== chainId) throw new NodeFailed(`${node.name} is on chain ${id}, not ${chainId}.`, "wrong");
    for (const contract of contracts) {
      const facts = await checkToken(node, network, contract);
      if (pace) log("token checked", { network, node: node.name, ...facts });
    }
    one.isChecked = true;
    one.refusal = null;
  }

  /** Asks a node for its newest block. @returns null where it failed */
  async function ask(one: Judged): Promise<JudgedCandidate | null> {
    try {
      await check(one);
      const latest = await one.node.block("latest");
      if (one.latest?.number !== latest.number) one.movedAt = performance.now();
      return Object.assign(one, { latest, askedAt: looks });
    } catch (error) {
      if (!(error instanceof NodeFailed)) throw error;
      failed(one, error);
      return null;
    }
  }

  const isStill = ({ latest, movedAt }: JudgedCandidate) =>
    pace !== null && (isTooOld(latest) || performance.now() - movedAt > STILL * pace.block * 1000);

  /** Who is read first: of those that do not lag or stand still, the first in the settings that is near the best. */
  function ranked(candidates: readonly JudgedCandidate[]): JudgedCandidate[] {
    const [best] = candidates.toSorted((one, other) => other.latest.number - one.latest.number);
    if (!best) return [];
    const hasFresh = candidates.some(({ latest }) => !isTooOld(latest));
    const rankOf = ({ latest }: JudgedCandidate) => {
      if (lags(latest, best.latest) || (hasFresh && isTooOld(latest))) return 2;
      return best.latest.number - latest.number <= NEAR ? 0 : 1;
    };
    return candidates.toSorted(
      (one, other) =>
        rankOf(one) - rankOf(other) ||
        (rankOf(one) === 0 ? all.indexOf(one) - all.indexOf(other) : other.latest.number - one.latest.number),
    );
  }

  function faultOf(one: Judged, best: Block): string | null {
    if (!one.latest || one.latest === best) return null;
    if (lags(one.latest, best)) return `it is ${best.number - one.latest.number} blocks behind`;
    if (isTooOld(one.latest) && !isTooOld(best)) return "it stands still";
    return null;
  }

  return {
    /** The nodes to read from, the best first, as long as the caller asks for one more. */
    async *inTurn(): AsyncGenerator<Candidate> {
      lastFailure = null;
      const awake = all.filter(({ notBefore }) => notBefore <= performance.now());
      const asksAll = looks % LOOKS === 0;
      looks += 1;
      const alone = asksAll ? undefined : awake.find((one) => one === read);
      const candidates: JudgedCandidate[] = [];
      const first = alone && (await ask(alone));
      // When another one is wanted after it, it has failed.
      if (first && !isStill(first)) yield first;
      else if (first) candidates.push(first);
      const rest = awake.filter((one) => one !== alone);
      const answered = await Promise.all(rest.map(ask));
      candidates.push(...answered.filter((one) => one !== null));
      yield* ranked(candidates);
    },
    /** A candidate was read up to its newest block: the others are measured by it. */
    followed(candidate: Candidate): void {
      const best = candidate.latest;
      read = all.find(({ node }) => node === candidate.node);
      if (read) read.failures = 0;
      for (const one of all.filter(({ askedAt }) => askedAt === looks)) {
        const fault = faultOf(one, best);
        const facts = { network, node: one.node.name };
        if (fault !== null && one.fault === null) {
          log(
            "node passed over",
            { ...facts, reason: fault, age: one.latest ? ageOf(one.latest) : 0 },
            "warn",
          );
        }
        if (fault === null && one.fault !== null) log("node keeps up", facts);
        one.fault = fault;
      }
      const wasOld = isOld;
      isOld = isTooOld(best);
      if (isOld && !wasOld) log("network stands still", { network, age: ageOf(best) }, "error");
      if (wasOld && !isOld) log("network goes on", { network });
    },
    /** Something was read of it. */
    progressed: ({ node }: Source) => {
      const one = all.find((each) => each.node === node);
      if (one) one.failures = 0;
    },
    failed({ node }: Source, error: NodeFailed): void {
      const one = all.find((each) => each.node === node);
      if (one) failed(one, error);
    },
    /** It told of logs that were not asked for: they are left out, and told of once. */
    sawForeign({ node }: Source, count: number): void {
      const one = all.find((each) => each.node === node);
      if (!one || one.hasForeign || count === 0) return;
      one.hasForeign = true;
      log("foreign transfers", { network, node: node.name, count }, "warn");
    },
    /** The others that are not left alone at the moment. */
    others: ({ node }: Source): ChainNode[] =>
      all.filter((one) => one.node !== node && one.notBefore <= performance.now()).map((one) => one.node),
    /** The newest block that any of them showed, whether its transfers could be read or not. */
    best(): Block | undefined {
      const shown = all.map(({ latest }) => latest).filter((block) => block !== undefined);
      return shown.toSorted((one, other) => other.number - one.number)[0];
    },
    lastFailure: () => lastFailure,
    /** Why the network is closed, in a sentence; null: it is open. */
    refusal: () =>
      all.some(({ isChecked }) => isChecked) ? null : (all.find(({ refusal }) => refusal)?.refusal ?? null),
    ageOf,
  };
}
