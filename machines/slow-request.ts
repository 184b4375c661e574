/** Slow-request region, shared by every state that waits for a response: after ten seconds it says so and offers to cancel. Decisions, "Default timeout none". */

/** Spread it into `delays`. */
export const waitingDelays = { patience: 10_000 };

/** Spread it into a state with an invoke; views read the tag `slow`. */
export const waiting = {
  initial: "fresh",
  states: {
    fresh: { after: { patience: "slow" } },
    slow: { tags: "slow" },
  },
} as const;

/** The state of a screen that loads, with its `invoke`: a user who finds it slow can retry. */
export const loading = { ...waiting, on: { retry: { target: "loading", reenter: true } } } as const;
