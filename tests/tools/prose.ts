/** Word list check: fails where a comment or a document uses a riddle word instead of the field's term: `npm run check:prose`. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "../..");
const words = [
  "whoever",
  "whomever",
  "nobody",
  "somebody",
  "in its stead",
  "in their stead",
  "in whose stead",
  "thereof",
  "whence",
  "lest",
];
// A phrase may be broken over two lines of a comment.
const riddle = new RegExp(`\\b(${words.join("|").replaceAll(" ", "[\\s*/]+")})\\b`, "gi");
// Strings and templates are matched first, so that `//` in them starts no comment. The last part is a regular expression.
const token =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[^]|[^`\\])*`|\/\*[^]*?\*\/|\/\/.*|(?<=[=(,:;[!&|?]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//g;

/** The text with everything replaced by spaces that is no comment; lines stay where they are. */
function onlyComments(code: string): string {
  let prose = "";
  let end = 0;
  for (const { 0: text, index } of code.matchAll(token)) {
    prose += blank(code.slice(end, index));
    if (text.startsWith("//") || text.startsWith("/*")) prose += text;
    // A template may be a style sheet with comments of its own.
    else if (text.startsWith("`"))
      prose += text.replace(/\/\*[^]*?\*\/|[^\n]/g, (one) => (one === one[0] ? " " : one));
    else prose += blank(text);
    end = index + text.length;
  }
  return prose;
}

const blank = (text: string) => text.replace(/[^\n]/g, " ");

/** The riddle words of a file, each as `line: word`. Words in backticks are code, and exempt. */
export function riddlesIn(path: string, text: string): string[] {
  const prose = path.endsWith(".md")
    ? text.replace(/^```[^]*?^```/gm, blank).replace(/`[^`\n]*`/g, blank)
    : onlyComments(text).replace(/`[^`\n]*`/g, blank);
  return [...prose.matchAll(riddle)].map(
    ({ 0: word, index }) =>
      `${prose.slice(0, index).split("\n").length}: ${word.toLowerCase().replace(/[\s*/]+/g, " ")}`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const files = globSync(["{src,machines,tests}/**/*.{ts,tsx}", "README.md", "docs/**/*.md"], {
    cwd: root,
    exclude: (name) => name === "node_modules",
  });
  const found = files
    .toSorted()
    .flatMap((path) => riddlesIn(path, readFileSync(join(root, path), "utf8")).map((at) => `${path}:${at}`));
  for (const line of found) process.stderr.write(`${line}\n`);
  if (found.length > 0) process.exitCode = 1;
}
