/** `npm run summary`: the slowest files of a run, the tests that were tried again, and how many passed and failed. `.ci/run` ends with it. */
import { readReport } from "../support/test-report.ts";

const SLOWEST = 15;

const { passed, failed, triedAgain, files } = readReport(
  process.argv[2] ?? "build/tests.json",
  process.cwd(),
);
const say = (line: string) => process.stdout.write(`${line}\n`);

const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
say(`\nThe ${slowest.length} slowest of ${files.length} files`);
for (const { file, seconds, tests } of slowest)
  say(`${seconds.toFixed(1).padStart(7)} s  ${file} (${tests})`);

say(`\n${triedAgain.length} tests were tried again`);
for (const { file, test, said } of triedAgain) say(`  ${file} › ${test}\n    ${said}`);

say(`\n${passed} passed, ${failed} failed`);
