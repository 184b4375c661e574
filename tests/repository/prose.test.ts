/** The word list check finds riddle words in prose, and leaves code, strings and backticks alone. */
import { expect, test } from "vitest";
import { riddlesIn } from "../tools/prose.ts";

test.each([
  ["a.ts", "// For whoever asks.", ["1: whoever"]],
  ["a.ts", "/**\n * A page in its\n * stead.\n */", ["2: in its stead"]],
  ["a.tsx", "const nobody = `\n  /* Nobody sees it. */\n`;", ["2: nobody"]],
  ["a.ts", 'const at = "//nobody"; // `nobody` is a name', []],
  ["a.md", "Lest it fail:\n\n```\nnobody\n```\n", ["1: lest"]],
])("the riddle words of %s: %j", (path, text, found) => {
  expect(riddlesIn(path, text)).toEqual(found);
});
