/** Reads the documents that name a test for each thing they say: where it lives, and the test that shows it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

export interface Line {
  /** A file of the project, from its root. */
  document: string;
  statement: string;
  /** A file of the project, from its root. */
  place: string;
  /** A file of tests, from the project's root. */
  file: string;
  /** A part of a title, as it stands in the file. */
  words: string;
}

/** The text below a heading, up to the next one of its rank. */
const sectionOf = (text: string, heading: string) =>
  text.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? "";

const documents: readonly { document: string; tablesOf: (text: string) => string }[] = [
  { document: "docs/specification.md", tablesOf: (text) => text },
  { document: "docs/security.md", tablesOf: (text) => sectionOf(text, "Promises") },
];

/** @throws when a line of a table is not of that form, or a document has none. */
export function readTraceability(): Line[] {
  return documents.flatMap(({ document, tablesOf }) => {
    const lines = tablesOf(readFileSync(join(root, document), "utf8"))
      .split("\n")
      .filter((line) => line.startsWith("| ") && !/^\| (Statement|Promise|-+) /.test(line))
      .map((line) => {
        const [, statement = "", place = "", file = "", words = ""] =
          /^\| (.+?) +\| `([^`]+)` +\| `(\S+) › ([^`]+)` +\|$/.exec(line) ?? [];
        if (words === "") throw new Error(`Cannot read a line of ${document}: ${line}`);
        return { document, statement, place, file: `tests/${file}`, words };
      });
    if (lines.length === 0) throw new Error(`There is no row in ${document}.`);
    return lines;
  });
}

/** Whether a title, as it is told when it runs, has these words; what the file leaves open stands for anything. */
export function hasWords(title: string, words: string): boolean {
  const pieces = words.split(/%[a-z]|\$\w+/).map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(pieces.join(".*"), "s").test(title);
}
