/** A screen that reads again when it is shown again, for the charts of screens that load. A file of its own, so that the first load does without it. */

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
