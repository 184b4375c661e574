/** What was walked of each chart, level by level: kept by the tests that walk, added up and judged once all have run. */
import type { TestContext } from "vitest";
import { repeats } from "./lane.ts";

/** State ids, by chart. */
export type Walked = Readonly<Record<string, Iterable<string>>>;

/** What one test walked. */
export type Walk = {
  level: "chart" | "screen" | "browser";
  /** Whose path it was; others may be walked on the way. */
  chart: string;
  paths: number;
  states: Record<string, string[]>;
  /** Of the walks of a chart: how much there is of it, and the states in which it can rest. */
  whole?: { all: number; states: string[]; transitions: number };
};

/** The flows that real Chromium walks, too: those of money and of the session, and in the second lane some of forms and lists. */
export const BROWSER_CHARTS: readonly string[] = [
  "session",
  "purchase",
  "order",
  "orderCheck",
  "bill",
  "card",
  "cardResult",
  "payOnce",
  ...(repeats ? ["sessions", "register", "recovery"] : []),
];

/** States that no eye can tell from another, and why. */
export const WITHOUT_A_LOOK: Readonly<Record<string, string>> = {
  "order.open.readingClock": "the clock answers at once",
  "catalogue.listing.updating": "looks as listing.refreshing: browser/prerender.test.ts sees it",
  "card.payingOnce": "is seen as payOnce, which it invokes",
  "checkout.warned": "the same",
  "cardResult.billed": "over: the card payment goes on at once",
  "cardResult.paid": "the same",
  "cardResult.failed": "the same",
  "cardResult.open": "the same",
  "payOnce.free": "over: the payment goes on at once, or is left",
  "payOnce.followed": "the same",
  "payOnce.over": "the same",
};

declare module "vitest" {
  interface TaskMeta {
    walk?: Walk;
  }
}

/** Keeps for the report what a test walked. */
export function keepWalk(
  { meta }: TestContext["task"],
  { states, ...walk }: Omit<Walk, "states" | "paths"> & { states: Walked; paths?: number },
): void {
  meta.walk = {
    paths: 1,
    ...walk,
    states: Object.fromEntries(Object.entries(states).map(([chart, ids]) => [chart, [...ids]])),
  };
}
