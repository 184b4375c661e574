/** What stands before each step of this tab's history, kept for as long as the history itself: through a reload. Decision 9. */
import type { Trail } from "../../../machines/progress.ts";

const KEY = "trail";
/** More steps than anybody goes back by arrows. */
const MOST_KEPT = 50;
const isStep = (kept: [string, unknown]): kept is [string, Trail[string]] => {
  const step = kept[1];
  return (
    typeof step === "object" &&
    step !== null &&
    "name" in step &&
    typeof step.name === "string" &&
    "params" in step &&
    step.params instanceof Object
  );
};

/** Empty where nothing is kept, or nothing that can be read. */
export function readTrail(): Trail {
  try {
    const kept = JSON.parse(window.sessionStorage.getItem(KEY) ?? "") as Record<string, unknown>;
    return Object.fromEntries(Object.entries(kept).filter(isStep));
  } catch {
    return {};
  }
}

export function writeTrail(trail: Trail): void {
  try {
    const latest = Object.fromEntries(Object.entries(trail).slice(-MOST_KEPT));
    window.sessionStorage.setItem(KEY, JSON.stringify(latest));
  } catch {
    // Then a reload forgets it: the arrow leads to the same place all the same.
  }
}
