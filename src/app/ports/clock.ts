/** The API's clock: each response adjusts it and the browser stores the offset, so that a phone with a wrong clock shows no false expiry. Decisions, "Countdown". */
import { DAY } from "../../contract/durations.ts";
import type { AppStorage } from "./storage.ts";
import { aheadIn, isWithin, TEN_YEARS } from "./stored-values.ts";

/** A response's time: its `server_time`, and its `Date` header if it is readable. */
type Told = { serverTime: number | undefined; date: string | null };

export type Clock = {
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** Adjusts the clock to a response that took `waited` ms; the server's time is from some moment within it. */
  anchor: (told: Told, waited: number) => void;
  /** Calls back when a response has corrected the clock by seconds: it was wrong, or the phone's own has been set. */
  onCorrected: (tell: () => void) => void;
};

/** Today by this clock, in the phone's time zone. `month` is 1 to 12. */
export function todayBy(clock: Clock): { year: number; month: number; day: number } {
  const now = new Date(clock.now());
  return { year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() };
}

/** The time in a response; null when it has none or an impossible one. Decisions, "Times". */
function timeIn({ serverTime = NaN, date }: Told, own: number): number | null {
  const header = Date.parse(date ?? "");
  const isKnown = isWithin(TEN_YEARS, header, own);
  const isTold = isWithin(TEN_YEARS, serverTime, own) && (!isKnown || isWithin(DAY, serverTime, header));
  if (isTold) return serverTime;
  return isKnown ? header : null;
}

/** Smaller differences are network delay. */
const WORTH_KEEPING = 2_000;

export function startClock(
  storage: Pick<AppStorage, "readText" | "writeText">,
  own: () => number = Date.now,
): Clock {
  let kept = aheadIn(storage.readText("clock")) ?? 0;
  let ahead = kept;
  let tellCorrected: (() => void) | undefined;
  return {
    now: () => own() + ahead,
    anchor: (told, waited) => {
      const serverTime = timeIn(told, own());
      if (serverTime === null) return;
      // Cristian's bounds: a delayed response cannot set the clock back.
      const now = own() + ahead;
      ahead += Math.min(Math.max(now, serverTime), serverTime + Math.max(0, waited)) - now;
      if (Math.abs(ahead - kept) < WORTH_KEEPING) return;
      kept = ahead;
      storage.writeText("clock", String(kept));
      tellCorrected?.();
    },
    onCorrected: (tell) => void (tellCorrected = tell),
  };
}
