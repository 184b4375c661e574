/** Dates and money as a person of the language reads them. */
import type { Day, DayPart } from "../../machines/dates.ts";

/** The day of a date the API sent, or its own text where it is no date. Never shifted: a text that begins with a day and names no zone is that day. */
export function formatDay(text: string, locale: string): string {
  const moment = momentOf(text);
  return moment === null ? text : new Intl.DateTimeFormat(locale, { dateStyle: "long" }).format(moment);
}

/** The day and the minute, in the phone's own zone. */
export function formatMinute(text: string, locale: string): string {
  const moment = momentOf(text);
  return moment === null
    ? text
    : new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(moment);
}

/** Other implementations write `2026-11-20 08:30:00`, which only some browsers read. */
function momentOf(text: string): Date | null {
  const date = new Date(
    text
      .trim()
      .replace(/^(\d{4}-\d\d-\d\d)$/, "$1T00:00")
      .replace(/^(\d{4}-\d\d-\d\d) /, "$1T"),
  );
  return Number.isNaN(date.getTime()) ? null : date;
}

/** The share of the list price that is asked, in percent; null where the API names none that means anything. */
export function percentOf(discount: string): number | null {
  const percent = Number.parseFloat(discount);
  return percent > 0 && percent < 100 ? percent : null;
}

/** A day of the calendar, in no zone at all. */
export function formatCalendarDay({ year, month, day }: Day, locale: string): string {
  const { order, format } = dayParts(locale);
  const parts = { year: format.year(year), month: format.month(month), day: format.day(day) };
  return order.map((part) => parts[part]).join(locale === "en" ? " " : "");
}

/** How the language writes a year, a month and a day, and in which order. */
export function dayParts(locale: string): {
  order: DayPart[];
  format: Record<DayPart, (value: number) => string>;
} {
  if (locale !== "en") {
    return {
      order: ["year", "month", "day"],
      format: { year: (year) => `${year} 年`, month: (month) => `${month} 月`, day: (day) => `${day} 日` },
    };
  }
  const months = new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" });
  return {
    order: ["day", "month", "year"],
    format: { year: String, month: (month) => months.format(Date.UTC(2000, month - 1)), day: String },
  };
}
