/** The order of the test files: those of a project together, whose workers are then used again, and the longest of each first, so that no worker is left with one at the end. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** In the order of the processor time that they take. Vitest orders files that it has not run before by their size. */
const longest = [
  "browser/screens",
  "browser/user-models",
  "browser/payments",
  "browser/prerender",
  "browser/network",
  "browser/security",
  "service/process",
  "service/live",
  "service/backup",
  "service/crashes",
  "service/ledger-properties",
  "service/fuzz",
  "views/payment",
  "repository/lint-rules",
  "machines/order-check",
  "machines/bill",
].map((name) => `/tests/${name}.test.`);
/** Those whose files wait for processes of their own come first: others have the processor meanwhile. */
const projects = ["service alone", "service", "views alone", "views", "machines", "browser"];

const rankOf = ({ moduleId }: TestSpecification) => {
  const rank = longest.findIndex((part) => moduleId.includes(part));
  return rank < 0 ? longest.length : rank;
};
const groupOf = ({ project }: TestSpecification) => projects.indexOf(project.name);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is no array that is sorted
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => groupOf(one) - groupOf(other) || rankOf(one) - rankOf(other));
  }
}
