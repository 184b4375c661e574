/** Now by the API's clock: each answer anchors it anew, so a phone whose clock is wrong sees no false expiry. Decisions, "Countdown". */

export type Clock = {
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** What the API's clock said when its answer came. */
  anchor: (serverTime: number) => void;
};

export function startClock(own: () => number = Date.now): Clock {
  let ahead = 0;
  return {
    now: () => own() + ahead,
    anchor: (serverTime) => {
      ahead = serverTime - own();
    },
  };
}
