/** Which process reads a network: one at a time, by a lease in the database that is renewed while it reads. */
import type { Network } from "../../../contract/calls.ts";
import type { Database } from "../../store/database.ts";
import { lead, positionOf, PositionMoved, resign, type Position, type SeenHead } from "./blocks.ts";
import type { Block } from "./node.ts";

/** Seconds for which a process leads, and after which another one takes over. */
export const LEASE = 10;

export interface Lease {
  /** The position, when this process leads; null when another one does; undefined when the network was never read. */
  position(): Promise<Position | null | undefined>;
  /** What the database said last, of any process that leads. */
  lastPosition(): Position | undefined;
  isHeld(): boolean;
  /** To be asked before each question to a node and after each answer. @throws PositionMoved when the lease is lost */
  check(): void;
  /** The position after it was written. @throws PositionMoved */
  moved(): Promise<Position>;
  /** Renews the lease by itself until told to stop. */
  keep(): () => Promise<void>;
  /** What is written down with the next renewal. */
  saw(newest: Block): void;
  /** Another process goes on. */
  drop(): void;
  /** Lets another process lead at once. */
  release(): Promise<void>;
}

export function openLease(db: Database, network: Network, holder: string, seconds: number): Lease {
  let led: { position: Position; renewAt: number; endsAt: number } | undefined;
  let lastPosition: Position | undefined;
  let seen: SeenHead | undefined;

  /** Told once, whether it could be written down or not: the next look sees anew. */
  function takeSeen(): SeenHead | undefined {
    const told = seen;
    seen = undefined;
    return told;
  }

  async function renew(): Promise<Position | null | undefined> {
    const askedAt = performance.now();
    const position = await lead(db, network, holder, seconds, takeSeen());
    const ms = seconds * 1000;
    // Half of the time is left for what follows.
    led = position ? { position, renewAt: askedAt + ms / 2, endsAt: askedAt + ms } : undefined;
    lastPosition = position ?? (await positionOf(db, network));
    return position;
  }

  function check(): void {
    if (!led || performance.now() > led.endsAt)
      throw new PositionMoved(`${network} is led by another process.`);
  }

  return {
    position: async () => (led && performance.now() < led.renewAt ? led.position : renew()),
    lastPosition: () => led?.position ?? lastPosition,
    isHeld: () => led !== undefined,
    check,
    async moved() {
      const position = await positionOf(db, network);
      if (!position || position.holder !== holder) {
        throw new PositionMoved(`${network} is led by another process.`);
      }
      check();
      if (led) led.position = position;
      return position;
    },
    keep() {
      let running = Promise.resolve();
      const again = () => {
        const { position } = led ?? {};
        if (!led || !position) return;
        const askedAt = performance.now();
        running = lead(db, network, holder, seconds, takeSeen()).then(
          (still) => {
            if (!still) led = undefined;
            else if (led) {
              led.renewAt = askedAt + (seconds * 1000) / 2;
              led.endsAt = askedAt + seconds * 1000;
            }
          },
          // The database did not answer: the lease ends by itself.
          () => undefined,
        );
      };
      const timer = setInterval(again, (seconds * 1000) / 3).unref();
      return async () => {
        clearInterval(timer);
        await running;
      };
    },
    saw: ({ number, timestamp }) => void (seen = { number, at: new Date(timestamp * 1000) }),
    drop: () => void (led = undefined),
    async release() {
      led = undefined;
      await resign(db, network, holder);
    },
  };
}
