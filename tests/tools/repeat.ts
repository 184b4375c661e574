/** Runs the tests of the last commit again and again, several runs at a time, so that each is another's load, with nothing tried a second time, and tells what failed: `npm run repeat -- --runs 20 --at-once 2`, with `-- FILE…` after it for some of them. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { freePort } from "../support/temporary-database.ts";
import { hasPostgres, startPostgres } from "../support/temporary-postgres.ts";
import { readReport, type Failure } from "../support/test-report.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string", default: "20" }, "at-once": { type: "string", default: "2" } },
});
const wanted = Number(values.runs);
const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "repeat-"));
const say = (line: string) => process.stdout.write(`${line}\n`);

/** A clone with packages of its own: what one run builds or changes is nothing to another. */
function cloneOf(number: number): string {
  const clone = join(folder, `clone${number}`);
  execFileSync("git", ["clone", "--quiet", root, clone]);
  execFileSync("npm", ["ci", "--silent"], { cwd: clone, stdio: ["ignore", "ignore", "inherit"] });
  return clone;
}

/** @returns what failed; the log of a run in which nothing did is gone */
async function runIn(clone: string, run: number, database: string | undefined): Promise<Failure[]> {
  const [report, log] = [join(clone, "build/tests.json"), join(folder, `run${run}.log`)];
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const out = openSync(log, "w");
  const began = Date.now();
  const child = spawn("npm", ["test", "--", "--retry=0", ...reporters, ...positionals], {
    cwd: clone,
    env: { ...process.env, ...(database === undefined ? {} : { TEST_DATABASE_URL: database }) },
    stdio: ["ignore", out, out],
  });
  closeSync(out);
  const [code] = (await once(child, "close")) as [number | null];
  const took = `${Math.round((Date.now() - began) / 1_000)} s, load ${loadavg()[0]?.toFixed(1)}`;
  const { passed, failures } = reportOf(report);
  // The laws that the run as a whole keeps, such as coverage, fail without a test.
  if (code !== 0 && failures.length === 0)
    failures.push({ file: "", test: "", said: `It ended with ${code}.` });
  say(`run ${run}: ${passed} passed, ${failures.length} failed, ${took}${failures[0] ? `; ${log}` : ""}`);
  for (const { file, test, said } of failures) say(`  ${file} › ${test}\n    ${said}`);
  if (failures.length === 0) rmSync(log);
  return failures;
}

function reportOf(path: string): { passed: number; failures: Failure[] } {
  try {
    return readReport(path, join(path, "../.."));
  } catch {
    return { passed: 0, failures: [{ file: "", test: "", said: "There is no report." }] };
  }
}

let next = 1;
const failed: Failure[][] = [];
/** One run after the other. */
async function runOn(number: number): Promise<void> {
  const postgres = hasPostgres ? startPostgres(await freePort()) : null;
  try {
    while (next <= wanted) failed.push(await runIn(clones[number] ?? "", next++, postgres?.url));
  } finally {
    postgres?.stop();
  }
}

const clones = Array.from({ length: Math.min(wanted, Number(values["at-once"])) }, (_, at) => cloneOf(at));
await Promise.all(clones.map((_, at) => runOn(at)));
for (const clone of clones) rmSync(clone, { recursive: true, force: true });
const green = failed.filter((failures) => failures.length === 0).length;
say(`${green} of ${failed.length} runs passed whole.`);
if (green < failed.length) process.exitCode = 1;
else rmSync(folder, { recursive: true });
