/** `npm run summary`: the slowest files of a run, the tests that were tried again, and how many passed and failed. `.ci/run` ends with it. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const SLOWEST = 15;

/** What Vitest's JSON reporter writes, as far as it is read here; times in ms. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: "passed" | "failed";
    startTime: number;
    endTime: number;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

const { numPassedTests, numFailedTests, testResults } = JSON.parse(
  readFileSync(process.argv[2] ?? "build/tests.json", "utf8"),
) as Report;
const say = (line: string) => process.stdout.write(`${line}\n`);
const fileOf = (name: string) => relative(process.cwd(), name);

const slowest = testResults
  .map(({ name, startTime, endTime, assertionResults }) => ({
    file: fileOf(name),
    seconds: (endTime - startTime) / 1_000,
    tests: assertionResults.length,
  }))
  .toSorted((one, other) => other.seconds - one.seconds)
  .slice(0, SLOWEST);
say(`\nThe ${slowest.length} slowest of ${testResults.length} files`);
for (const { file, seconds, tests } of slowest)
  say(`${seconds.toFixed(1).padStart(7)} s  ${file} (${tests})`);

// A test that passed the second time keeps what it said the first time.
const repeated = testResults.flatMap(({ name, assertionResults }) =>
  assertionResults
    .filter(({ status, failureMessages }) => status === "passed" && failureMessages.length > 0)
    .map(({ fullName, failureMessages }) => ({ file: fileOf(name), fullName, failureMessages })),
);
say(`\n${repeated.length} tests were tried again`);
for (const { file, fullName, failureMessages } of repeated)
  say(`  ${file} › ${fullName}\n    ${failureMessages[0]?.split("\n")[0] ?? ""}`);

// A file that could not even be loaded has no tests of its own to count as failed.
const broken = testResults.filter(
  ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
).length;
say(`\n${numPassedTests} passed, ${numFailedTests + broken} failed`);
