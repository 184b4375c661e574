/** Every pointer of a comment resolves inside the repository: a section of the specification, a decision by number or by title. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const sources = globSync("{src,machines,tests}/**/*.{ts,tsx}")
  .filter((file) => !file.endsWith("pointers.test.ts"))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

/** What `list` finds and `resolves` refuses; each match is a list such as `sections 2, 4 and 9`. */
const dangling = (list: RegExp, entry: RegExp, resolves: (found: string) => boolean) =>
  sources.flatMap(({ file, text }) =>
    [...text.matchAll(list)]
      .flatMap(([all]) => [...all.matchAll(entry)].map(([, found = ""]) => found))
      .filter((found) => !resolves(found))
      .map((found) => `${file}: ${found}`),
  );

test("a title of a decision is a heading of docs/decisions/product.md", () => {
  const headings = new Set(
    readFileSync("docs/decisions/product.md", "utf8")
      .split("\n")
      .flatMap((line) => /^## (.+)$/.exec(line)?.[1] ?? []),
  );
  expect(
    dangling(/decisions?(?:,| and) (?:(?:, | and )?"[^"]+")+/gi, /"([^"]+)"/g, (title) =>
      headings.has(title),
    ),
  ).toEqual([]);
});

test("a numbered decision has a record", () => {
  const numbers = new Set(globSync("docs/decisions/0*.md").map((file) => Number(/(\d{4})-/.exec(file)?.[1])));
  expect(
    dangling(/\bdecisions? \d+\b(?:(?:, | and )\d+\b)*/gi, /(\d+)/g, (number) => numbers.has(Number(number))),
  ).toEqual([]);
});

test("a section of the specification is a heading of docs/specification.md", () => {
  const text = readFileSync("docs/specification.md", "utf8");
  expect(
    dangling(
      /Specification, sections? \d+(?: \([^)]*\))?(?:(?:, | and )\d+(?: \([^)]*\))?)*/g,
      /(?<!\([^)]*)\b(\d)\b/g,
      (section) => text.includes(`\n## ${section}. `),
    ),
  ).toEqual([]);
});
