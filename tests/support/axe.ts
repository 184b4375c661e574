/** What axe says against a screen: WCAG 2.2 A and AA, and its own good practice. */
import axe, { type AxeResults, type RunOptions } from "axe-core";
import type { Phone } from "./browser.ts";

const all: RunOptions = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"],
  resultTypes: ["violations"],
};

/** What the colours alone decide. */
const colours: RunOptions = {
  runOnly: { type: "rule", values: ["color-contrast"] },
  resultTypes: ["violations"],
};

/** All that the colours have no part in. */
const structure: RunOptions = { ...all, rules: { "color-contrast": { enabled: false } } };

const options = { all, colours, structure };

/** In lines: rule, place, and how to mend it. */
export async function violationsOn(
  { page }: Pick<Phone, "page">,
  of: keyof typeof options = "all",
): Promise<string[]> {
  const rules = options[of];
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    (rules) => (window as unknown as { axe: { run: (o: RunOptions) => Promise<AxeResults> } }).axe.run(rules),
    rules,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
  );
}
