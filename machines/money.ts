/** Amounts as decimal strings and integers of the smallest unit; never floats. Pure words that charts and the service share. */

/** USDT has six decimals on both networks. */
export const USDT_DECIMALS = 6;
/** US dollars have two. */
export const USD_DECIMALS = 2;

/**
 * The smallest units in a decimal string: `toUnits("19.99", 2)` is `1999n`.
 * Accepts what an API may send for an amount: digits, optionally a point and more digits.
 * Digits beyond `decimals` must be zeros, or the amount cannot be paid.
 * @returns null when the text is not such an amount.
 */
export function toUnits(text: string, decimals: number): bigint | null {
  const match = /^(\d{1,18})(?:\.(\d{0,18}))?$/.exec(text.trim());
  if (!match) return null;
  const [, whole = "0", fraction = ""] = match;
  if (/[^0]/.test(fraction.slice(decimals))) return null;
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
}

/** The decimal string of so many smallest units, with at least `least` decimals: `fromUnits(9900000n, 6, 2)` is `"9.90"`. */
export function fromUnits(units: bigint, decimals: number, least = 0): string {
  const digits = units.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals);
  const kept = fraction.replace(/0+$/, "").padEnd(Math.min(least, decimals), "0");
  return kept === "" ? whole : `${whole}.${kept}`;
}

/** Whether two decimal strings name the same amount of USDT ("9.9" and "9.90" do). Two unreadable ones do not. */
export function sameAmount(one: string, other: string): boolean {
  const units = toUnits(one, USDT_DECIMALS);
  return units !== null && units === toUnits(other, USDT_DECIMALS);
}

/** By how many of its smallest units what has been `received` is more than `amount`, both decimal strings of USDT: less than nothing while a part is missing; null while nothing has come, and where either cannot be read. */
function excessOf(amount: string, received: string | null): bigint | null {
  const asked = toUnits(amount, USDT_DECIMALS);
  const seen = toUnits(received ?? "", USDT_DECIMALS);
  return asked === null || !seen ? null : seen - asked;
}

/** Whether `received` is all of `amount`, both decimal strings of USDT. */
export function hasArrived(amount: string, received: string | null): boolean {
  const excess = excessOf(amount, received);
  return excess !== null && excess >= 0n;
}

/** What is left to send of `amount` when a part has been `received`; null while nothing has come, when all has, and where either cannot be read. */
export function missingOf(amount: string, received: string | null): string | null {
  const excess = excessOf(amount, received) ?? 0n;
  return excess >= 0n ? null : fromUnits(-excess, USDT_DECIMALS, 2);
}

/** What has come beyond `amount` when so much has been `received`; null where it is not more, and where either cannot be read. */
export function surplusOf(amount: string, received: string | null): string | null {
  const excess = excessOf(amount, received) ?? 0n;
  return excess <= 0n ? null : fromUnits(excess, USDT_DECIMALS, 2);
}
