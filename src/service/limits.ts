/** How often something may be tried, counted in memory: a restart forgives, and each process counts for itself. */

export interface Limit {
  /** Counts one try. False when there were too many. */
  take: (key: string) => boolean;
  /** Takes the latest try back, because it turned out harmless. */
  giveBack: (key: string) => void;
}

/** From this many keys on the stale ones are swept out. */
const SWEEP_AT = 10_000;

/** @param most tries a key in any `span` milliseconds; 0 is no limit */
export function limit(most: number, span: number, now: () => number): Limit {
  const tries = new Map<string, number[]>();
  let sweepAt = SWEEP_AT;
  const recent = (key: string) => (tries.get(key) ?? []).filter((at) => at > now() - span);
  return {
    take(key) {
      if (most === 0) return true;
      if (tries.size >= sweepAt) {
        for (const known of tries.keys()) if (recent(known).length === 0) tries.delete(known);
        // Twice what is left: keys that are all in use are not gone through at every try.
        sweepAt = Math.max(SWEEP_AT, 2 * tries.size);
      }
      const before = recent(key);
      if (before.length >= most) return false;
      tries.set(key, [...before, now()]);
      return true;
    },
    giveBack(key) {
      tries.get(key)?.pop();
    },
  };
}
