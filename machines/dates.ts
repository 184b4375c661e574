/** Calendar days as three integers, never shifted by a time zone: pure functions that the charts share. */

/** `month` and `day` start at one. */
export interface Day {
  year: number;
  month: number;
  day: number;
}

export type DayPart = keyof Day;

/** Both ends are included. */
export interface DaySpan {
  min: Day;
  max: Day;
}

/** The options of the three date wheels for one draft, each ascending. */
export interface DayChoices {
  years: number[];
  months: number[];
  days: number[];
}

/** Leap years included. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/**
 * The day that a text begins with: `readDay("2001-03-05 00:00:00")` is 5 March 2001. Only the first ten characters
 * count (specification, section 3, "birth_date"). @returns null when they are no calendar day.
 */
export function readDay(text: string): Day | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)/.exec(text.trim());
  if (!match) return null;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  const real = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  return real ? { year, month, day } : null;
}

const padded = (value: number, length: number) => String(value).padStart(length, "0");

/** `YYYY-MM-DD`, as the API expects it. */
export function writeDay({ year, month, day }: Day): string {
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}

/** Negative when `one` is earlier, 0 when both are the same day, positive when `one` is later. */
export function compareDays(one: Day, other: Day): number {
  return one.year - other.year || one.month - other.month || one.day - other.day;
}

/** The day, limited to the span. */
export function clampDay(day: Day, { min, max }: DaySpan): Day {
  if (compareDays(day, min) < 0) return min;
  return compareDays(day, max) > 0 ? max : day;
}

const countUp = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, step) => from + step);

/** The years of the span, the months allowed in the draft's year and the days allowed in its month. */
export function dayChoices(draft: Day, span: DaySpan): DayChoices {
  const { year, month } = clampDay(draft, span);
  const { min, max } = span;
  const first = year === min.year;
  const last = year === max.year;
  return {
    years: countUp(min.year, max.year),
    months: countUp(first ? min.month : 1, last ? max.month : 12),
    days: countUp(
      first && month === min.month ? min.day : 1,
      last && month === max.month ? max.day : daysInMonth(year, month),
    ),
  };
}

/** The draft after one wheel turned, limited to the month and the span: 31 January turned to February is its last day. */
export function turnDay(draft: Day, part: DayPart, to: number, span: DaySpan): Day {
  const turned = { ...draft, [part]: to };
  const day = Math.min(turned.day, daysInMonth(turned.year, turned.month));
  return clampDay({ ...turned, day }, span);
}
