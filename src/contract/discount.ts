/** What a package's discount says, where it says anything. Specification, section 3 ("Package"). */

/** A percentage with at most two decimals: 100 less 91.7 is 8.3. */
const tidy = (percent: number) => Math.round(percent * 100) / 100;

/** The percentage of the list price that is charged; null when the API sends no meaningful one. */
export function percentOf(discount: string): number | null {
  const percent = Number.parseFloat(discount);
  return percent > 0 && percent < 100 ? tidy(percent) : null;
}

/** The percentage of the list price that is saved. */
export const savedOf = (percent: number | null) => (percent === null ? null : tidy(100 - percent));

/** Whether the shop recommends a package, by its place in the list, from 0. Specification, section 3; Decisions, "Badges". */
export const isRecommended = (at: number) => at === 1 || at === 3;
