/** How often something may be tried, counted in memory: a restart forgives, and each process counts for itself. */
import { Refusal } from "./http.ts";
import type { Word } from "./messages.ts";

/** From this many keys on the stale ones are swept out. */
const SWEEP_AT = 10_000;
/** Ms that a try waits for those under way. */
const PATIENCE = 10_000;
/** More than so many at one key would wait for longer than that. */
const MOST_WAITING = 200;

/** When something happened, by key, kept for `span` milliseconds. */
function recentTimes(span: number, now: () => number) {
  const times = new Map<string, number[]>();
  let sweepAt = SWEEP_AT;
  const recent = (key: string) => (times.get(key) ?? []).filter((at) => at > now() - span);
  return {
    count: (key: string) => recent(key).length,
    add(key: string) {
      if (times.size >= sweepAt) {
        for (const known of times.keys()) if (recent(known).length === 0) times.delete(known);
        // Twice what is left: keys that are all in use are not gone through at every try.
        sweepAt = Math.max(SWEEP_AT, 2 * times.size);
      }
      times.set(key, [...recent(key), now()]);
    },
    takeBack: (key: string) => void times.get(key)?.pop(),
  };
}

/** Counts every try, the successful ones too. */
export interface Limit {
  /** Counts one try. False when there were too many. */
  take: (key: string) => boolean;
  /** Takes the latest try back, because it came to nothing. */
  giveBack: (key: string) => void;
}

/**
 * @param most tries a key in any `span` milliseconds; 0 is no limit
 * @param now milliseconds, from whenever
 */
export function limit(most: number, span: number, now: () => number): Limit {
  const tries = recentTimes(span, now);
  return {
    take(key) {
      if (most === 0) return true;
      if (tries.count(key) >= most) return false;
      tries.add(key);
      return true;
    },
    giveBack: tries.takeBack,
  };
}

/** Counts failed tries alone, and knows which tries are under way. */
export interface FailureLimit {
  isReached: (key: string) => boolean;
  /** Whether the limit would be exceeded by one more try, if all that are under way failed as well. */
  isCrowded: (key: string) => boolean;
  begin: (key: string) => void;
  end: (key: string, failed: boolean) => void;
  /**
   * Resolves when a try at `key` has ended, or with `signal`.
   * @throws Refusal when too many are waiting
   */
  nextEnd: (key: string, signal: AbortSignal) => Promise<void>;
}

/**
 * @param most failures a key in any `span` milliseconds; 0 is no limit
 * @param now milliseconds, from whenever
 */
export function failureLimit(most: number, span: number, now: () => number): FailureLimit {
  const failures = recentTimes(span, now);
  const underWay = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();
  const running = (key: string) => underWay.get(key) ?? 0;
  return {
    isReached: (key) => most > 0 && failures.count(key) >= most,
    isCrowded: (key) => most > 0 && failures.count(key) + running(key) >= most,
    begin: (key) => void underWay.set(key, running(key) + 1),
    end(key, failed) {
      if (running(key) > 1) underWay.set(key, running(key) - 1);
      else underWay.delete(key);
      if (failed && most > 0) failures.add(key);
      const woken = waiting.get(key) ?? [];
      waiting.delete(key);
      for (const wake of woken) wake();
    },
    nextEnd(key, signal) {
      const waiters = waiting.get(key) ?? new Set();
      if (waiters.size >= MOST_WAITING) throw Refusal.because("busy");
      waiting.set(key, waiters);
      return new Promise((resolve) => {
        const wake = () => {
          waiters.delete(wake);
          signal.removeEventListener("abort", wake);
          resolve();
        };
        waiters.add(wake);
        signal.addEventListener("abort", wake);
      });
    },
  };
}

/** One of the limits that a guess is held to, and what is said when it is reached. */
export interface Check {
  limit: FailureLimit;
  key: string;
  tooMany: Word;
}

/**
 * Makes a guess that all of `checks` allow. Only a wrong one counts, and not when the service itself could not tell. While
 * those under way could use up a limit, a guess waits for them: many right ones at once all pass, many wrong ones do not.
 * @param signal of a client that has gone, whose guess is not made any more
 * @throws Refusal, with `tooMany` when there were; and whatever `make` throws
 */
export async function guess<T>(
  checks: readonly Check[],
  make: () => Promise<T>,
  signal: AbortSignal,
  patience = PATIENCE,
): Promise<T> {
  let gone: AbortSignal | undefined;
  for (;;) {
    const reached = checks.find(({ limit: each, key }) => each.isReached(key));
    if (reached) throw Refusal.because(reached.tooMany);
    const crowded = checks.find(({ limit: each, key }) => each.isCrowded(key));
    if (!crowded) break;
    gone ??= AbortSignal.any([signal, AbortSignal.timeout(patience)]);
    if (gone.aborted) throw Refusal.because("busy");
    await crowded.limit.nextEnd(crowded.key, gone);
  }
  for (const { limit: each, key } of checks) each.begin(key);
  let failed = false;
  try {
    return await make();
  } catch (error) {
    failed = error instanceof Refusal && error.word !== "busy";
    throw error;
  } finally {
    for (const { limit: each, key } of checks) each.end(key, failed);
  }
}

/** A household or an office may share an address; one password or answer tried on account after account may not. */
export const ACCOUNTS_AT_ADDRESS = 6;
