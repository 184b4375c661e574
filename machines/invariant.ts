/** What the states of a chart ensure, and the compiler cannot know. */

/** @returns what is there in this state. @throws where it is not: a fault of the chart */
export function invariant<T>(value: T | null | undefined | false | ""): T {
  if (!value) throw new Error("A chart lacks what its state stands for.");
  return value;
}
