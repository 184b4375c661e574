/** Calendar days: leap years, both ends of a span, and nothing shifted by a day. */
import { expect, test } from "vitest";
import {
  clampDay,
  compareDays,
  dayChoices,
  daysInMonth,
  readDay,
  turnDay,
  writeDay,
  type Day,
  type DaySpan,
} from "../../machines/dates.ts";

const on = (text: string): Day => {
  const day = readDay(text);
  if (!day) throw new Error(`${text} is no day`);
  return day;
};

const lengths = (year: number) => Array.from({ length: 12 }, (_, month) => daysInMonth(year, month + 1));

const births: DaySpan = { min: on("1670-01-01"), max: on("2026-11-20") };
const narrow: DaySpan = { min: on("2024-02-28"), max: on("2025-03-02") };

test.each([
  ["2001-03-05", { year: 2001, month: 3, day: 5 }],
  ["1670-01-01", { year: 1670, month: 1, day: 1 }],
  // The day that is written, whatever the zone of the rest.
  ["2001-03-05T00:00:00.000Z", { year: 2001, month: 3, day: 5 }],
  ["2001-03-05 23:59:59", { year: 2001, month: 3, day: 5 }],
  [" 2001-03-05 ", { year: 2001, month: 3, day: 5 }],
  ["0001-01-01", { year: 1, month: 1, day: 1 }],
  ["2024-02-29", { year: 2024, month: 2, day: 29 }],
  ["2000-02-29", { year: 2000, month: 2, day: 29 }],
  ["2023-02-29", null],
  ["1900-02-29", null],
  ["2001-04-31", null],
  ["2001-13-01", null],
  ["2001-00-10", null],
  ["2001-01-00", null],
  ["0000-00-00", null],
  ["0000-01-01", null],
  ["2001-3-5", null],
  ["12001-03-05", null],
  ["20010305", null],
  ["", null],
  ["null", null],
])("reads %j as %j", (text, day) => {
  expect(readDay(text)).toEqual(day);
});

test.each([
  [{ year: 2001, month: 3, day: 5 }, "2001-03-05"],
  [{ year: 1670, month: 12, day: 31 }, "1670-12-31"],
  [{ year: 987, month: 1, day: 1 }, "0987-01-01"],
])("writes %j as %s", (day, text) => {
  expect(writeDay(day)).toBe(text);
});

test("knows every month, in common and in leap years", () => {
  const common = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  const leap = common.with(1, 29);
  expect(lengths(2023)).toEqual(common);
  expect(lengths(2024)).toEqual(leap);
  expect(lengths(1900)).toEqual(common);
  expect(lengths(2000)).toEqual(leap);
});

test.each([
  ["2001-03-05", "2001-03-05", 0],
  ["2001-03-05", "2001-03-06", -1],
  ["2001-12-31", "2002-01-01", -1],
  ["2001-02-28", "2001-01-31", 1],
])("compares %s with %s", (one, other, sign) => {
  expect(Math.sign(compareDays(on(one), on(other)))).toBe(sign);
  expect(Math.sign(compareDays(on(other), on(one)))).toBe(sign === 0 ? 0 : -sign);
});

test.each([
  ["1669-12-31", "1670-01-01"],
  ["1670-01-01", "1670-01-01"],
  ["1990-06-15", "1990-06-15"],
  ["2026-11-20", "2026-11-20"],
  ["2026-11-21", "2026-11-20"],
])("brings %s into the births, to %s", (from, to) => {
  expect(writeDay(clampDay(on(from), births))).toBe(to);
});

test.each([
  // [draft, first month, last month, first day, last day]
  ["1670-01-01", 1, 12, 1, 31],
  ["1990-02-10", 1, 12, 1, 28],
  ["1992-02-10", 1, 12, 1, 29],
  ["2026-10-31", 1, 11, 1, 31],
  ["2026-11-20", 1, 11, 1, 20],
  // Beyond the span its end counts.
  ["2030-01-01", 1, 11, 1, 20],
])("offers for %s among the births", (draft, firstMonth, lastMonth, firstDay, lastDay) => {
  const { years, months, days } = dayChoices(on(draft), births);
  expect([years[0], years.at(-1), years.length]).toEqual([1670, 2026, 357]);
  expect([months[0], months.at(-1), months.length]).toEqual([firstMonth, lastMonth, lastMonth]);
  expect([days[0], days.at(-1), days.length]).toEqual([firstDay, lastDay, lastDay]);
});

test.each([
  ["2024-02-28", { years: [2024, 2025], months: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], days: [28, 29] }],
  ["2025-03-01", { years: [2024, 2025], months: [1, 2, 3], days: [1, 2] }],
])("offers for %s in a narrow span, on both sides", (draft, choices) => {
  expect(dayChoices(on(draft), narrow)).toEqual(choices);
});

test("offers one month of one year and its few days", () => {
  const span = { min: on("2024-02-27"), max: on("2024-02-29") };
  expect(dayChoices(on("2024-02-28"), span)).toEqual({ years: [2024], months: [2], days: [27, 28, 29] });
});

test.each([
  ["2023-01-31", "month", 2, births, "2023-02-28"],
  ["2024-01-31", "month", 2, births, "2024-02-29"],
  ["2024-02-29", "year", 2023, births, "2023-02-28"],
  ["2001-03-05", "day", 31, births, "2001-03-31"],
  ["2001-04-05", "day", 31, births, "2001-04-30"],
  // The wheels of a year at the edge hold fewer months and days.
  ["2025-12-31", "year", 2026, births, "2026-11-20"],
  ["2025-01-15", "year", 2024, narrow, "2024-02-28"],
  ["2024-12-31", "year", 2025, narrow, "2025-03-02"],
] as const)("turns %s's %s to %i", (draft, part, to, span, result) => {
  expect(writeDay(turnDay(on(draft), part, to, span))).toBe(result);
});

test("whatever is turned in whatever order, the draft is offered by its own choices", () => {
  for (const span of [births, narrow]) {
    let draft = span.min;
    for (let step = 0; step < 400; step += 1) {
      const { years, months, days } = dayChoices(draft, span);
      expect(years).toContain(draft.year);
      expect(months).toContain(draft.month);
      expect(days).toContain(draft.day);
      const part = (["year", "month", "day"] as const)[step % 3] ?? "day";
      const offered = { year: years, month: months, day: days }[part];
      draft = turnDay(draft, part, offered[(step * 7_919) % offered.length] ?? 0, span);
    }
  }
});
