/** What axe says against a screen: WCAG 2.2 A and AA, and its own good practice. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Phone } from "./browser.ts";

/** Minified it is half as long: each page takes it anew. */
export const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const all: RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"],
  resultTypes: ["violations"],
  // No rule of these reads what a page has fetched.
  preload: false,
};

/** What the colours alone decide. */
const colours: RunOptions = {
  runOnly: { type: "rule", values: ["color-contrast"] },
  resultTypes: ["violations"],
};

/** All that the colours have no part in. */
const structure: RunOptions = { ...all, rules: { "color-contrast": { enabled: false } } };

const options = { all, colours, structure };

/** Where the site of the fixtures serves it. The browser compiles a file once for many pages, an injected text for each: a fifth of a second. */
export const AXE_PATH = "/assets/axe.js";

/**
 * In lines: rule, place, and how to mend it.
 * @param isServed whether the page's host has axe at `AXE_PATH`
 */
export async function violationsOn(
  { page }: Pick<Phone, "page">,
  of: keyof typeof options = "all",
  isServed = false,
): Promise<string[]> {
  const rules = options[of];
  if (await page.evaluate(() => !("axe" in window))) {
    // As a text, of which the test runner makes nothing of its own.
    await page.evaluate(isServed ? `import("${AXE_PATH}").then(() => undefined)` : axeSource);
  }
  // While an element fades, its contrast is that of no state.
  await page.evaluate(async () => {
    const coming = document
      .getAnimations()
      .filter(
        ({ effect, playState }) =>
          playState === "running" && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
      );
    await Promise.allSettled(coming.map(({ finished }) => finished));
  });
  const { violations } = await page.evaluate(
    (rules) => (window as unknown as { axe: { run: (o: RunOptions) => Promise<AxeResults> } }).axe.run(rules),
    rules,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
  );
}
