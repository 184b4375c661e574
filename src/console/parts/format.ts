/** Days, times and ages as the page writes them. All are UTC, as in the exports and the audit. */

export const shownTime = (iso: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(
    new Date(iso),
  );

export const shownDate = (iso: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(iso));

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** "3 minutes", in the largest unit that it fills. @param seconds at least 0 */
export function shownAge(seconds: number, locale: string): string {
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? ["second", 1];
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(
    Math.floor(seconds / size),
  );
}

const SIZES = [
  ["gigabyte", 1e9],
  ["megabyte", 1e6],
  ["kilobyte", 1e3],
  ["byte", 1],
] as const;

/** "12.3 MB", in the largest unit that it fills. */
export function shownSize(bytes: number, locale: string): string {
  const [unit, size] = SIZES.find(([, each]) => bytes >= each) ?? ["byte", 1];
  return new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: 1 }).format(
    bytes / size,
  );
}

/** @param part from 0 to 1 */
export const shownPercent = (part: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: "percent" }).format(part);

export const shownNumber = (number: number, locale: string): string =>
  new Intl.NumberFormat(locale).format(number);
