/** Calendar days as three integers, never shifted through a time zone. Pure words that charts share. */

/** A day on the calendar: month and day counted from one. */
export interface Day {
  year: number;
  month: number;
  day: number;
}

export type DayPart = keyof Day;

/** Both ends belong to it. */
export interface DaySpan {
  min: Day;
  max: Day;
}

/** What three wheels may offer while one day is drafted, each ascending. */
export interface DayChoices {
  years: number[];
  months: number[];
  days: number[];
}

/** How many days the month has, the leap years' 29 February counted. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/**
 * The day that a text begins with: `readDay("2001-03-05 00:00:00")` is 5 March 2001.
 * Ten characters count (specification, section 3, "birth_date").
 * @returns null when they are no day of the calendar.
 */
export function readDay(text: string): Day | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)/.exec(text.trim());
  if (!match) return null;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  const real = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  return real ? { year, month, day } : null;
}

const padded = (value: number, length: number) => String(value).padStart(length, "0");

/** `YYYY-MM-DD`, as the API takes it. */
export function writeDay({ year, month, day }: Day): string {
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}

/** Negative when the first comes before the other, 0 when they are one day, positive when it comes after. */
export function compareDays(one: Day, other: Day): number {
  return one.year - other.year || one.month - other.month || one.day - other.day;
}

/** The day itself, or the end of the span that it lies beyond. */
export function clampDay(day: Day, { min, max }: DaySpan): Day {
  if (compareDays(day, min) < 0) return min;
  return compareDays(day, max) > 0 ? max : day;
}

/** 1 January ten years ago to 31 December in ten years. Specification, section 9. No picker here uses it: the only one, of birth dates, has ends of its own. */
export function defaultSpan(currentYear: number): DaySpan {
  return {
    min: { year: currentYear - 10, month: 1, day: 1 },
    max: { year: currentYear + 10, month: 12, day: 31 },
  };
}

const countUp = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, step) => from + step);

/** The years of the span, the months it leaves to the draft's year, the days it leaves to the draft's month. */
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

/** The draft after one wheel was turned: 31 January turned to February is its last day, and never beyond the span. */
export function turnDay(draft: Day, part: DayPart, to: number, span: DaySpan): Day {
  const turned = { ...draft, [part]: to };
  const day = Math.min(turned.day, daysInMonth(turned.year, turned.month));
  return clampDay({ ...turned, day }, span);
}
