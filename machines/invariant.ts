/** Asserts what the states of a chart ensure and the compiler cannot know. */

/** @returns the value, which this state always has. @throws when it is missing: a bug in the chart */
export function invariant<T>(value: T | null | undefined | false | ""): T {
  if (!value) throw new Error("A chart lacks what its state stands for.");
  return value;
}
