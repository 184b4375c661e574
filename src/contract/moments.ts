/** Moments in texts of the API, and how far off they are in the time zone of this machine. */
import { DAY, SECOND } from "./durations.ts";

/** Seconds since 1970 up to which a time that others tell is believed: one in milliseconds would be no date of the database's. */
export const LAST_TIME = Date.UTC(2200, 0) / SECOND;

/** How far off a moment is, such as the end of a membership. */
export type Distance = {
  /** The moment as the API sends it. */
  text: string;
  /** Milliseconds since the moment; negative before it. */
  past: number;
  /** Calendar days from today, in the phone's time zone; negative after it. */
  days: number;
  /** Whether it names an hour: else it is the end of its day. */
  hasHour: boolean;
};

/**
 * The moment that a text names, in the phone's time zone if it names none: other implementations send
 * `2026-11-20 08:30:00`, which only some browsers parse. @returns null when it is no date
 */
export function readMoment(text: string): Date | null {
  const date = new Date(
    text
      .trim()
      .replace(/^(\d{4}-\d\d-\d\d)$/, "$1T00:00")
      .replace(/^(\d{4}-\d\d-\d\d) /, "$1T"),
  );
  return Number.isNaN(date.getTime()) ? null : date;
}

/** The same number for each moment of a day, one day more for the next: days of clock changes are longer or shorter. */
const dayOf = (moment: Date) => Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate()) / DAY;

/** @param now ms since 1970. @returns null when the text is no date */
export function distanceTo(text: string | null | undefined, now: number): Distance | null {
  const moment = readMoment(text ?? "");
  if (!moment || !text) return null;
  const hasHour = /\d:\d/.test(text);
  const end = hasHour ? moment : new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() + 1);
  return { text, past: now - end.getTime(), days: dayOf(moment) - dayOf(new Date(now)), hasHour };
}
