/** The inside of every state that waits for an answer: after ten seconds it says so, and offers a way on. Decisions, "Default timeout none". */

/** To be spread into `delays`. */
export const waitingDelays = { patience: 10_000 };

/** To be spread into a state that invokes: a person sees `slow` as a tag. */
export const waiting = {
  initial: "fresh",
  states: {
    fresh: { after: { patience: "slow" } },
    slow: { tags: "slow" },
  },
} as const;
