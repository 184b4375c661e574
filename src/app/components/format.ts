/** Formats dates and money for the user's language. */
import type { Day, DayPart } from "../../../machines/dates.ts";
import { readMoment } from "../../contract/moments.ts";

/**
 * The day of a date from the API, or its own text when it is no date. Never shifted by a time zone if the text
 * begins with a day and names no zone.
 */
export function formatDay(text: string, locale: string): string {
  const moment = readMoment(text);
  return moment === null ? text : formatDayOf(moment, locale);
}

/** Date and time to the minute, in the phone's time zone. */
export function formatMinute(text: string, locale: string): string {
  const moment = readMoment(text);
  if (moment === null) return text;
  const style = { dateStyle: "medium", timeStyle: "short" } as const;
  if (locale === "en") return new Intl.DateTimeFormat(locale, style).format(moment);
  return `${formatDayOf(moment, locale)} ${formatHour(text, locale)}`;
}

/** The hour and minute, in the phone's time zone. */
export function formatHour(text: string, locale: string): string {
  const moment = readMoment(text);
  return moment === null ? text : new Intl.DateTimeFormat(locale, { timeStyle: "short" }).format(moment);
}

const formatDayOf = (moment: Date, locale: string) =>
  formatCalendarDay(
    { year: moment.getFullYear(), month: moment.getMonth() + 1, day: moment.getDate() },
    locale,
  );

/**
 * A calendar day without a time zone: `March 5, 2001`, `2001 年 3 月 5 日`. Lines do not break between a number and its
 * unit.
 */
export function formatCalendarDay({ year, month, day }: Day, locale: string): string {
  const { format } = dayParts(locale);
  const parts = { year: format.year(year), month: format.month(month), day: format.day(day) };
  return locale === "en"
    ? `${parts.month}\u00A0${parts.day}, ${parts.year}`
    : `${parts.year} ${parts.month} ${parts.day}`;
}

const inUnit = (unit: string) => (value: number) => `${value}\u00A0${unit}`;

type DayParts = { order: DayPart[]; format: Record<DayPart, (value: number) => string> };

const chinese: DayParts = {
  order: ["year", "month", "day"],
  format: { year: inUnit("年"), month: inUnit("月"), day: inUnit("日") },
};
let english: DayParts | undefined;

/** How the language formats a year, a month and a day, and in which order. */
export function dayParts(locale: string): DayParts {
  if (locale !== "en") return chinese;
  if (!english) {
    // Created once, because a formatter is expensive.
    const months = new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" });
    english = {
      order: ["month", "day", "year"],
      format: { year: String, month: (month) => months.format(Date.UTC(2000, month - 1)), day: String },
    };
  }
  return english;
}

/** The ends of a transaction's number, by which people compare it; a short one whole. */
export const shortReference = (reference: string) =>
  reference.length > 24 ? `${reference.slice(0, 8)}…${reference.slice(-6)}` : reference;
