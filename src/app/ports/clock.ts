/** Now by the API's clock: each answer anchors it anew, and the browser keeps it, so a phone whose clock is wrong sees no false expiry. Decisions, "Countdown". */
import type { AppStorage } from "./storage.ts";

export type Clock = {
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** What the API's clock said in an answer that was `waited` ms for: it went by somewhen in that time. */
  anchor: (serverTime: number, waited: number) => void;
};

/** Today by this clock, in the phone's own zone. `month` is 1 to 12. */
export function todayBy(clock: Clock): { year: number; month: number; day: number } {
  const now = new Date(clock.now());
  return { year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() };
}

/** How far the API's clock is ahead of the phone's, in milliseconds, as it was kept; 0 where nothing is. */
export const aheadBy = (kept: string | null): number => Number(kept) || 0;

/** Less than this is what a network's delay makes. */
const WORTH_KEEPING = 2_000;

export function startClock(
  storage: Pick<AppStorage, "readText" | "writeText">,
  own: () => number = Date.now,
): Clock {
  let kept = aheadBy(storage.readText("clock"));
  let ahead = kept;
  return {
    now: () => own() + ahead,
    anchor: (serverTime, waited) => {
      // Cristian's bounds: a phone that froze over the answer, or hung on a slow network, is not set back by it.
      const now = own() + ahead;
      ahead += Math.min(Math.max(now, serverTime), serverTime + Math.max(0, waited)) - now;
      if (Math.abs(ahead - kept) < WORTH_KEEPING) return;
      kept = ahead;
      storage.writeText("clock", String(kept));
    },
  };
}
