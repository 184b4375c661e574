/** Every pointer resolves inside the repository: a section of the specification, a decision by number or by title, a path that a document, a comment or a script names; and each line of the log is explained. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const sources = globSync("{src,machines,tests}/**/*.{ts,tsx}")
  .filter((file) => !/node_modules|pointers\.test\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

/** What `list` finds and `resolves` refuses; each match is a list such as `sections 2, 4 and 9`. */
const dangling = (list: RegExp, entry: RegExp, resolves: (found: string) => boolean) =>
  sources.flatMap(({ file, text }) =>
    [...text.matchAll(list)]
      .flatMap(([all]) => [...all.matchAll(entry)].map(([, found = ""]) => found))
      .filter((found) => !resolves(found))
      .map((found) => `${file}: ${found}`),
  );

test("a title of a decision is a heading of docs/decisions/product.md, and has a text", () => {
  const [, ...sections] = readFileSync("docs/decisions/product.md", "utf8").split(/^## /m);
  const headings = new Set(sections.map((section) => section.split("\n")[0]));
  expect(headings.size).toBeGreaterThan(20);
  expect(sections.filter((section) => !/\n\n\S/.test(section))).toEqual([]);
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

const documents = globSync("{*.md,tests/*.md,docs/**/*.md}").map((file) => ({
  file,
  text: readFileSync(file, "utf8"),
}));

test("a path in backticks is there", () => {
  const missing = [...sources, ...documents].flatMap(({ file, text }) =>
    [...text.matchAll(/`((?:src|machines|tests|docs|locales|public)\/[\w./-]+)`/g)]
      .map(([, path = ""]) => path)
      .filter((path) => !existsSync(path) && !existsSync(join(dirname(file), path)))
      .map((path) => `${file}: ${path}`),
  );
  expect(missing).toEqual([]);
});

test("a file's name in backticks is the end of a path that is there", () => {
  const isModule = (name: string) => name === "node_modules";
  const paths = globSync("{*,{.ci,docs,locales,machines,public,src,tests}/**/*}", { exclude: isModule });
  const missing = [...sources, ...documents].flatMap(({ file, text }) =>
    // Pages and settings are left out: the build writes them.
    [...text.matchAll(/`([\w./-]+\.(?:cfg|md|mjs|po|svg|tsx?))`/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !paths.some((path) => `/${path}`.endsWith(`/${name}`)))
      .map((name) => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test("a test file that a script or a setting names is there: the runner passes over a name that it does not find", () => {
  const naming = globSync("{package.json,vite.config.ts,.ci/*,tests/{bench,load,mutation,oldest,tools}/*.*}");
  const named = naming.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\btests\/[\w,./{}-]+\.test\.tsx?\b/g)].flatMap(([pattern]) => {
      const [, before = "", names = "", after = ""] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? ["", pattern];
      return names.split(",").map((name) => ({ file, path: before + name + after }));
    }),
  );
  expect(named.filter(({ file }) => file === "tests/oldest/run.ts").length).toBeGreaterThan(5);
  expect(named.filter(({ path }) => !existsSync(path))).toEqual([]);
});

test("each line of the log is explained in docs/operating.md", () => {
  const logged = globSync("src/service/**/*.ts").flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/\blog\(\s*"([a-z][a-z ]+)"/gi)].map(([, event]) => event),
  );
  expect(logged.length).toBeGreaterThan(50);
  const operating = readFileSync("docs/operating.md", "utf8");
  expect(logged.filter((event) => !operating.includes(`\`${event}\``))).toEqual([]);
});
