/** What Vitest's JSON reporter writes of a run, as far as it is read here. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";

/** Times in ms. */
interface Written {
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

/** A test, with the file's path from the root, and the first line of what it said when it failed. */
export interface Failure {
  file: string;
  test: string;
  said: string;
}

/** @param root that the files' paths begin from @throws where there is no such file, or no such report in it */
export function readReport(path: string, root: string) {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(path, "utf8")) as Written;
  const files = testResults.map((result) => ({ ...result, file: relative(root, result.name) }));
  const saying = (status: string): Failure[] =>
    files.flatMap(({ file, assertionResults }) =>
      assertionResults
        .filter((each) => each.status === status && each.failureMessages.length > 0)
        .map(({ fullName, failureMessages: [message = ""] }) => ({
          file,
          test: fullName,
          said: message.split("\n")[0] ?? "",
        })),
    );
  // A file that could not even be loaded has no tests of its own to count as failed.
  const broken = files.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken.length,
    failures: [
      ...saying("failed"),
      ...broken.map(({ file }) => ({ file, test: "", said: "It did not load." })),
    ],
    // A test that passed the second time keeps what it said the first time.
    triedAgain: saying("passed"),
    files: files.map(({ file, startTime, endTime, assertionResults }) => ({
      file,
      seconds: (endTime - startTime) / 1_000,
      tests: assertionResults.length,
    })),
  };
}
