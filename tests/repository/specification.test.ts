/** Every row of the tables in docs/specification.md and docs/security.md names a file and a test that exist, and no test file is left out. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hasWords, readTraceability } from "../support/traceability.ts";

const lines = readTraceability();

test("every statement names a place and a test that exist", () => {
  const sources = new Map<string, string>();
  const has = (file: string, words: string) => {
    if (!sources.has(file)) sources.set(file, existsSync(file) ? readFileSync(file, "utf8") : "");
    return sources.get(file)?.includes(words) === true;
  };
  expect(lines.filter(({ place, file, words }) => !existsSync(place) || !has(file, words))).toEqual([]);
});

/** Development tools, and user models, whose titles are made of their actions. */
const apart = [
  "browser/inspector",
  "browser/user-models",
  "machines/faults",
  "machines/recording",
  // It needs a PostgreSQL, which not every machine has.
  "service/isolation",
  "service/postgres",
  "service/unpaid-races",
  "views/pending-orders",
  "views/rerenders",
];

test("every other file of tests shows a statement", () => {
  const files = globSync("tests/{browser,machines,service,views}/*.test.{ts,tsx}");
  const shows = new Set(lines.map(({ file }) => file));
  const silent = files.filter((file) => !shows.has(file));
  expect(silent.map((file) => file.replace(/^tests\/(.+)\.test\.tsx?$/, "$1")).toSorted()).toEqual(apart);
});

test("no statement stands there twice, and none is held in part", () => {
  const statements = lines.map(({ statement }) => statement);
  expect({
    twice: statements.filter((statement, at) => statements.indexOf(statement) !== at),
    inPart: statements.filter((statement) => /partly|todo|not yet/i.test(statement)),
  }).toEqual({ twice: [], inPart: [] });
});

test("what only the second lane runs is not declared in the first, where it would be skipped as if for want of PostgreSQL", () => {
  const files = globSync("tests/{browser,machines,service,views}/*.{ts,tsx}");
  const skips = files.filter((file) =>
    /\b(runIf|skipIf|skip)\([^)]*\brepeats\b/.test(readFileSync(file, "utf8")),
  );
  expect(skips).toEqual([]);
});

test.each([
  ["a 1 is 2.5", "a %s is %d", true],
  ["in en on TRC20", "in $language on", true],
  ["on TRC20", "on TRC20, too", false],
  ["one (two)", "(two)", true],
])("'%s' with the words '%s': %s", (title, words, holds) => {
  expect(hasWords(title, words)).toBe(holds);
});

test.each(["docs/specification.md", "docs/asvs.md"])(
  "a row of %s is not padded: one that grows changes no other",
  (document) => {
    const rows = readFileSync(document, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("|"));
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter((row) => / {2,}|-{4,}/.test(row))).toEqual([]);
  },
);
