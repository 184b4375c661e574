/** Reads docs/specification.md: each statement of the specification, where it lives, and the test that shows it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

export interface Line {
  statement: string;
  /** A file of the project, from its root. */
  place: string;
  /** A file of tests, from the project's root. */
  file: string;
  /** A part of a title, as it stands in the file. */
  words: string;
}

/** @throws when a line of a table is not of the ledger's form. */
export function readLedger(): Line[] {
  return readFileSync(join(root, "docs/specification.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (Statement|-+) /.test(line))
    .map((line) => {
      const [, statement = "", place = "", file = "", words = ""] =
        /^\| (.+?) +\| `([^`]+)` +\| `(\S+) › ([^`]+)` +\|$/.exec(line) ?? [];
      if (words === "") throw new Error(`The ledger cannot read its line ${line}`);
      return { statement, place, file: `tests/${file}`, words };
    });
}

/** Whether a title, as it is told when it runs, has these words; what the file leaves open stands for anything. */
export function hasWords(title: string, words: string): boolean {
  const pieces = words.split(/%[a-z]|\$\w+/).map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(pieces.join(".*"), "s").test(title);
}
