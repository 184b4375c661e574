/** Amounts as decimal strings and integers of the smallest unit, never floats: pure functions that charts and the service share. */

/** USDT has six decimals on both networks. */
export const USDT_DECIMALS = 6;
export const USD_DECIMALS = 2;

/**
 * Converts a decimal string to smallest units: `toUnits("19.99", 2)` is `1999n`. Accepts digits, optionally a point
 * and more digits; digits beyond `decimals` must be zeros. @returns null when the text is not such an amount.
 */
export function toUnits(text: string, decimals: number): bigint | null {
  const match = /^(\d{1,18})(?:\.(\d{0,18}))?$/.exec(text.trim());
  if (!match) return null;
  const [, whole = "0", fraction = ""] = match;
  if (/[^0]/.test(fraction.slice(decimals))) return null;
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
}

/** Converts smallest units to a decimal string with at least `least` decimals: `fromUnits(9900000n, 6, 2)` is `"9.90"`. */
export function fromUnits(units: bigint, decimals: number, least = 0): string {
  const sign = units < 0n ? "-" : "";
  const digits = units
    .toString()
    .slice(sign.length)
    .padStart(decimals + 1, "0");
  const whole = sign + digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals);
  const kept = fraction.replace(/0+$/, "").padEnd(Math.min(least, decimals), "0");
  return kept === "" ? whole : `${whole}.${kept}`;
}

/** Money of the ledger, which counts every currency in units of six decimals, as it is shown: "9.90". */
export const shownUnits = (units: bigint) => fromUnits(units, USDT_DECIMALS, USD_DECIMALS);

/** Whether two decimal strings are the same amount of USDT ("9.9" and "9.90" are). Two unreadable ones are not. */
export function sameAmount(one: string, other: string): boolean {
  const units = toUnits(one, USDT_DECIMALS);
  return units !== null && units === toUnits(other, USDT_DECIMALS);
}

/**
 * `received` minus `amount` in smallest units of USDT, negative while a part is missing. Null before any payment,
 * and when either is unreadable.
 */
function excessOf(amount: string, received: string | null): bigint | null {
  const due = toUnits(amount, USDT_DECIMALS);
  const seen = toUnits(received ?? "", USDT_DECIMALS);
  return due === null || !seen ? null : seen - due;
}

/** Whether `received` covers `amount`, both decimal strings of USDT. */
export function hasArrived(amount: string, received: string | null): boolean {
  const excess = excessOf(amount, received);
  return excess !== null && excess >= 0n;
}

/**
 * What is left to send after a partial payment. Null before any payment, once it is complete, and when either is
 * unreadable.
 */
export function missingOf(amount: string, received: string | null): string | null {
  const excess = excessOf(amount, received) ?? 0n;
  return excess >= 0n ? null : fromUnits(-excess, USDT_DECIMALS, 2);
}

/** What was overpaid. Null when nothing was, and when either is unreadable. */
export function surplusOf(amount: string, received: string | null): string | null {
  const excess = excessOf(amount, received) ?? 0n;
  return excess <= 0n ? null : fromUnits(excess, USDT_DECIMALS, 2);
}
