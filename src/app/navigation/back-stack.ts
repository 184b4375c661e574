/** The back stack in session storage: what precedes each history entry, through a reload. Decision 9. */
import type { BackStack } from "../../../machines/navigation.ts";

const KEY = "backStack";
/** More steps than a user goes back by arrows. */
const MOST_KEPT = 50;
const isStep = (kept: [string, unknown]): kept is [string, BackStack[string]] => {
  const step = kept[1] as Partial<BackStack[string]> | null;
  return typeof step?.name === "string" && step.params instanceof Object;
};

/** Empty where nothing is stored, or nothing usable. */
export function readBackStack(): BackStack {
  try {
    const kept = JSON.parse(window.sessionStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
    return Object.fromEntries(Object.entries(kept).filter(isStep));
  } catch {
    return {};
  }
}

export function writeBackStack(backStack: BackStack): void {
  try {
    const latest = Object.fromEntries(Object.entries(backStack).slice(-MOST_KEPT));
    window.sessionStorage.setItem(KEY, JSON.stringify(latest));
  } catch {
    // After a reload the arrow then replaces the entry instead of stepping back.
  }
}
