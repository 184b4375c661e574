/** How many requests a network or an account may make of this process: protects the process, as attempt-limits.ts protects accounts. Decision 28. */
import { LRUCache } from "lru-cache";
import { MINUTE } from "../../contract/durations.ts";
import { withWider } from "./network.ts";

/** Networks, and accounts, that are remembered at once: a few megabytes. Those that asked longest ago are forgotten first. */
const MOST_KNOWN = 20_000;

/** The requests that may be made at once; it fills up again in a minute. */
interface Bucket {
  left: number;
  at: number;
}

/** What had reached its limit. */
export type RefusedBy = "network" | "account";
export type RequestLimits = ReturnType<typeof createRequestLimits>;

/**
 * Token buckets in memory, so that a request costs no query.
 * @param settings 0 is no limit
 * @param onRefused called for each request that was one too many
 */
export function createRequestLimits(
  settings: { requestsPerMinute: number; accountRequestsPerMinute: number },
  now: () => number,
  onRefused?: (by: RefusedBy) => void,
) {
  const networks = new LRUCache<string, Bucket>({ max: MOST_KNOWN });
  const accounts = new LRUCache<number, Bucket>({ max: MOST_KNOWN });

  function take<Key extends string | number>(
    buckets: LRUCache<Key, Bucket>,
    key: Key,
    most: number,
    by: RefusedBy,
  ): number | null {
    if (most === 0) return null;
    const at = now();
    const bucket = buckets.get(key) ?? { left: most, at };
    // A clock that was set back fills nothing.
    const left = Math.min(most, bucket.left + (Math.max(0, at - bucket.at) * most) / MINUTE);
    const isRefused = left < 1;
    buckets.set(key, { left: isRefused ? left : left - 1, at });
    if (!isRefused) return null;
    onRefused?.(by);
    return Math.ceil(((1 - left) * MINUTE) / most / 1_000);
  }

  return {
    /**
     * Counts a request of a network, as `networkOf` names it, and of the wider one around it.
     * @returns null, or the seconds to wait where it is one too many
     */
    countNetwork(network: string): number | null {
      for (const { key, most } of withWider(network, settings.requestsPerMinute)) {
        const seconds = take(networks, key, most, "network");
        if (seconds !== null) return seconds;
      }
      return null;
    },
    /** Counts a request of an account, from whichever network. @returns as above */
    countAccount: (accountId: number): number | null =>
      take(accounts, accountId, settings.accountRequestsPerMinute, "account"),
  };
}
