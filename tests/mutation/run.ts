/** `npm run mutation`: changes the charts, one small thing at a time, and runs their tests on each change. A surviving mutant must stand in docs/mutation.md with its reason. Words after `--` go to Stryker: `-- --mutate machines/bill.ts`. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

interface Position {
  line: number;
  column: number;
}
interface Mutant {
  status: string;
  replacement: string;
  location: { start: Position; end: Position };
}
/** The part of Stryker's report that is read. */
interface Report {
  files: Record<string, { source: string; mutants: Mutant[] }>;
}

const short = (code: string) => {
  const line = code.replaceAll(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};
/** As it may stand in a cell of a table. */
const cell = (code: string) => `\`${code.trim().replaceAll("|", "\\|").replaceAll("`", "'")}\``;

/** A mutant as a row of docs/mutation.md begins, with the words around it: the same wherever it stands in its file. */
function rowOf(file: string, source: string, { location: { start, end }, replacement }: Mutant): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const before = (lines[0] ?? "").slice(0, start.column - 1);
  const after = (lines.at(-1) ?? "").slice(end.column - 1);
  const was = lines.join("\n").slice(before.length, after === "" ? undefined : -after.length);
  const among = (code: string) => cell(before.slice(-40) + short(code) + short(after));
  return `| \`${file}\` | ${among(was)} | ${among(replacement)} |`;
}

/** The rows of docs/mutation.md, without their reasons. */
function explainedRows(): Set<string> {
  const rows = readFileSync(join(root, "docs/mutation.md"), "utf8").matchAll(
    /^\| (`(?:machines|src\/contract)\/\S+`) +\| (`.+?`) +\| (`.*?`) +\| \S/gm,
  );
  return new Set([...rows].map(([, file, right, wrong]) => `| ${file} | ${right} | ${wrong} |`));
}

// Where a run cannot begin, the last one's report is not taken for its own.
const reportFile = join(root, "build/mutation/report.json");
rmSync(reportFile, { force: true });
const stryker = join(import.meta.dirname, "node_modules/@stryker-mutator/core/bin/stryker.js");
const { status } = spawnSync(
  process.execPath,
  [
    "--experimental-vm-modules",
    "--no-warnings",
    stryker,
    "run",
    "tests/mutation/stryker.config.mjs",
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: "inherit" },
);
if (status !== 0) process.exit(status ?? 1);

const report = JSON.parse(readFileSync(reportFile, "utf8")) as Report;
const mutants = Object.entries(report.files).flatMap(([file, { source, mutants: all }]) =>
  all.map((mutant) => ({ file, status: mutant.status, row: rowOf(file, source, mutant) })),
);
const having = (...states: string[]) => mutants.filter((one) => states.includes(one.status));
const killed = having("Killed", "Timeout");
const lives = having("Survived", "NoCoverage");
const broken = having("RuntimeError", "CompileError");

const explained = explainedRows();
const unexplained = lives.filter(({ row }) => !explained.has(row));
const living = new Set(lives.map(({ row }) => row));
const files = new Set(Object.keys(report.files));
const stale = [...explained].filter(
  (row) => !living.has(row) && [...files].some((file) => row.startsWith(`| \`${file}\` `)),
);

const say = (line: string) => process.stdout.write(`${line}\n`);
const score = (100 * killed.length) / Math.max(1, killed.length + lives.length);
say(`\n${score.toFixed(1)} % of ${killed.length + lives.length} mutants are caught.`);
say(`${lives.length - unexplained.length} live and are explained in docs/mutation.md.`);
say(`${broken.length} more are no charts at all: they cannot even be loaded, and do not count.`);
if (unexplained.length > 0) {
  say(`\nTo be killed, or explained in docs/mutation.md:`);
  for (const { row } of unexplained) say(row);
}
if (stale.length > 0) {
  say(`\nNo longer alive; take it out of docs/mutation.md:`);
  for (const row of stale) say(row);
}
process.exitCode = unexplained.length + stale.length > 0 || score < 90 ? 1 : 0;
