/** Now by the API's clock: each answer anchors it anew, so a phone whose clock is wrong sees no false expiry. Decisions, "Countdown". */

export type Clock = {
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** What the API's clock said when its answer came. */
  anchor: (serverTime: number) => void;
};

/** Today by this clock, in the phone's own zone. `month` is 1 to 12. */
export function todayBy(clock: Clock): { year: number; month: number; day: number } {
  const now = new Date(clock.now());
  return { year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() };
}

export function startClock(own: () => number = Date.now): Clock {
  let ahead = 0;
  return {
    now: () => own() + ahead,
    anchor: (serverTime) => {
      ahead = serverTime - own();
    },
  };
}
