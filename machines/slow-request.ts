/** States that wait for a response, shared by the charts: after ten seconds a state says so and offers to cancel; a screen loads, and reads again when it is shown again. Decisions, "Default timeout none". */

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

/** The state of a screen that loads, with its `invoke`: who finds it slow tries again. */
export const loading = { ...waiting, on: { retry: { target: "loading", reenter: true } } } as const;

/**
 * The states of a screen that shows what it read: activated again, it reads again by `invoke`, whose `onDone` goes to
 * `current`. What is shown stays meanwhile, and a failed request changes nothing.
 */
export const refreshing = <const I extends object>(invoke: I) =>
  ({
    initial: "current",
    states: {
      current: { on: { "screen.activated": "refreshing" } },
      // A request sent before the phone changed networks may never be answered.
      refreshing: {
        on: { "screen.activated": { target: "refreshing", reenter: true } },
        invoke: { ...invoke, onError: "current" },
      },
    },
  }) as const;
