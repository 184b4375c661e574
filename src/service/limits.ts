/** How often something may be tried, counted in memory: a restart forgives, and each process counts for itself. */
import { isIP, isIPv6 } from "node:net";

export interface Limit {
  /** Counts one try. False when there were too many. */
  take: (key: string) => boolean;
  /** Takes the latest try back, because it turned out harmless. */
  giveBack: (key: string) => void;
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

export interface Guard {
  /** Counts one try at an account from an address. False when there were too many at the one, or from the other. */
  take: (account: string, address: string) => boolean;
  /** Takes the latest try back, because it turned out harmless. */
  giveBack: (account: string, address: string) => void;
}

/** Guards accounts against guessing. @param most tries at an account in any `span` milliseconds; 0 is no limit */
export function guard(most: number, span: number, now: () => number): Guard {
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

/** The address in what a proxy wrote, `203.0.113.7:4711` and `[2001:db8::1]:4711` included; undefined when there is none. */
export function addressIn(written: string): string | undefined {
  const [, bracketed, , dotted] = /^\[([^\]]+)\](:\d+)?$|^([\d.]+):\d+$/.exec(written) ?? [];
  const address = bracketed ?? dotted ?? written;
  return isIP(address) === 0 ? undefined : address;
}

/**
 * What of a network address is counted. A customer of IPv6 has at least a /64 to themselves, and a new address out of it
 * for every try; an IPv4 address stays one however it is written. What is no address stays as it is.
 */
export function networkOf(address: string): string {
  const [bare = ""] = address.split("%", 1);
  if (!isIPv6(bare)) return address;
  // As a URL's host it is written in one way: lower case, hexadecimal throughout, zeros left out.
  const [before = [], after = []] = new URL(`http://[${bare}]`).hostname
    .slice(1, -1)
    .split("::")
    .map((part) => part.split(":").filter((word) => word !== ""));
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  const words = [...before, ...zeros, ...after].map((word) => Number.parseInt(word, 16));
  const [high = 0, low = 0] = words.slice(6);
  if (words.slice(0, 6).join() === "0,0,0,0,0,65535") {
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  }
  const network = words.slice(0, 4).map((word) => word.toString(16));
  return `${network.join(":")}::/64`;
}
