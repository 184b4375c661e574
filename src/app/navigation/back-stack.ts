/** The back stack in session storage: what precedes each history entry, through a reload. Decision 9. */
import type { BackStack } from "../../../machines/navigation.ts";
import { readSession, writeSession } from "../ports/session-values.ts";
import { jsonIn } from "../ports/stored-values.ts";

const KEY = "backStack";
/** More steps than a user goes back by arrows. */
const MOST_KEPT = 50;
const isStep = (kept: [string, unknown]): kept is [string, BackStack[string]] => {
  const step = kept[1] as Partial<BackStack[string]> | null;
  return typeof step?.name === "string" && step.params instanceof Object;
};

/** Empty where nothing is stored, or nothing usable. */
export const readBackStack = (): BackStack =>
  jsonIn(readSession(KEY), (kept) => Object.fromEntries(Object.entries(kept ?? {}).filter(isStep))) ?? {};

/** Where it cannot be kept, the arrow replaces the entry after a reload instead of stepping back. */
export const writeBackStack = (backStack: BackStack): void =>
  writeSession(KEY, JSON.stringify(Object.fromEntries(Object.entries(backStack).slice(-MOST_KEPT))));
