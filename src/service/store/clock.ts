/** The clock of a database server, which all processes on it go by: their machines' own clocks may differ. */
import { SECOND } from "../../contract/durations.ts";
import { repeat } from "../platform/repeat.ts";

/** Ms between two comparisons: so fast no clock drifts that anyone would notice. */
const INTERVAL = 30 * SECOND;
/** The quickest of so many answers is the most exact one. */
const ATTEMPTS = 3;

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** No longer compares the clocks. */
  stop: () => Promise<void>;
}

/**
 * @param ask the server's time, in milliseconds since 1970
 * @throws what `ask` throws the first time; later it goes on with what it knows
 */
export async function openClock(ask: () => Promise<number>): Promise<Clock> {
  /** Ms by which the server's clock is ahead of this process's monotonic one, which no one sets. */
  async function measure(): Promise<number> {
    let best = { ahead: 0, took: Infinity };
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const askedAt = performance.now();
      const at = await ask();
      const took = performance.now() - askedAt;
      if (took < best.took) best = { ahead: at - askedAt - took / 2, took };
    }
    return best.ahead;
  }

  let ahead = await measure();
  const compare = async () => {
    ahead = await measure().catch(() => ahead);
  };
  return { now: () => Math.round(performance.now() + ahead), stop: repeat(INTERVAL, compare) };
}
