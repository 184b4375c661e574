/** The order of the test files: the longest of the browser's come first, so that no worker is left with one at the end. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** In the order of the processor time that they take. Vitest orders files that it has not run before by their size. */
const longest = ["screens", "user-models", "prerender-start", "paying", "hostile"].map(
  (name) => `/browser/${name}.test.ts`,
);

const rankOf = ({ moduleId }: TestSpecification) => {
  const rank = longest.findIndex((end) => moduleId.endsWith(end));
  return rank < 0 ? longest.length : rank;
};
const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is no array that is sorted
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => groupOf(one) - groupOf(other) || rankOf(one) - rankOf(other));
  }
}
