/** What the states of a chart ensure, and the compiler cannot know. */

/** @throws where a chart is in a state without what that state stands for: a fault of the chart */
export function invariant(holds: unknown): asserts holds {
  if (!holds) throw new Error("A chart lacks what its state stands for.");
}
