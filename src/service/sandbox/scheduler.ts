/** One timer for what falls due at times that stand in the database. */
import { factsOf, type Log } from "../platform/log.ts";

/** After a failure. */
const RETRY = 5_000;

export interface Alarm {
  /** Rings at that time or earlier: it is never put off, so a needless ringing is all that can go wrong. */
  wakeAt: (at: number) => void;
  /** Rings again a little later. */
  wakeLater: () => void;
  stop: () => void;
}

/** @param ring is asked to do what is due; when it fails, it is asked again */
export function alarm(now: () => number, ring: () => Promise<void>, log: Log): Alarm {
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Infinity;
  let stopped = false;

  function wakeAt(at: number): void {
    if (stopped || at >= wakesAt) return;
    clearTimeout(timer);
    wakesAt = at;
    timer = setTimeout(
      () => {
        wakesAt = Infinity;
        ring().catch((error: unknown) => {
          log("sandbox.failed", factsOf(error), "error");
          wakeLater();
        });
      },
      Math.max(0, at - now()),
    ).unref();
  }
  const wakeLater = () => wakeAt(now() + RETRY);

  return {
    wakeAt,
    wakeLater,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
