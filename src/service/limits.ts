/** How often something may be tried, counted in memory: a restart forgives, and each process counts for itself. */
import { Refusal } from "./answer.ts";
import type { Word } from "./words.ts";

/** `Keys`: what tries are counted by. */
export interface Limit<Keys extends string[] = [key: string]> {
  /** Counts one try. False when there were too many, of whichever key. */
  take: (...keys: Keys) => boolean;
  /** Takes the latest try back, because it turned out harmless. */
  giveBack: (...keys: Keys) => void;
}

/**
 * Makes a guess that `limited` allows. It is counted before its end is known, or many at once would all pass, and given back
 * when it was right, and when the service itself could not tell: that costs nobody a try.
 * @throws Refusal, with `tooMany` when there were; and whatever `make` throws
 */
export async function guess<Keys extends string[], T>(
  limited: Limit<Keys>,
  keys: Keys,
  tooMany: Word,
  make: () => Promise<T>,
): Promise<T> {
  if (!limited.take(...keys)) throw Refusal.because(tooMany);
  let refused = false;
  try {
    return await make();
  } catch (error) {
    refused = error instanceof Refusal && error.word !== "busy";
    throw error;
  } finally {
    if (!refused) limited.giveBack(...keys);
  }
}

/** From this many keys on the stale ones are swept out. */
const SWEEP_AT = 10_000;

/**
 * @param most tries a key in any `span` milliseconds; 0 is no limit
 * @param now milliseconds, from whenever
 */
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

/** A household or an office may share an address; one password or answer tried on account after account may not. */
const ACCOUNTS_AT_ADDRESS = 6;

/** Guards accounts against guessing, and many accounts against one address. @param most tries at an account in any `span` milliseconds; 0 is no limit */
export function guard(
  most: number,
  span: number,
  now: () => number,
): Limit<[account: string, address: string]> {
  const atAccount = limit(most, span, now);
  const fromAddress = limit(most * ACCOUNTS_AT_ADDRESS, span, now);
  return {
    take(account, address) {
      if (!fromAddress.take(address)) return false;
      if (atAccount.take(account)) return true;
      // Nothing was tried, so nobody else at this address loses a try by it.
      fromAddress.giveBack(address);
      return false;
    },
    giveBack(account, address) {
      atAccount.giveBack(account);
      fromAddress.giveBack(address);
    },
  };
}
