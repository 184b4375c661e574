/** The two lanes of tests: `npm test` shows every statement once, `npm run test:all` also what repeats one elsewhere. */
import { languages, type Language } from "../../src/contract/languages.ts";

/**
 * Whether this run repeats: on the other database, in the other language and scheme, by every step. What is declared under
 * it is the second lane's alone, so no document may name it: `traceability-reporter.ts` refuses that.
 */
export const repeats = process.env["TEST_LANE"] === "all";

/** A behaviour has no language: it is shown in this one, and repeated in the other. What is said in each is the views' matter. */
export const shownIn = (language: Language): readonly Language[] => (repeats ? languages : [language]);

/** For `describe.each` and `test.each`: what has these cases is declared once in the second lane, and not at all in the first. */
export const repeated: readonly undefined[] = repeats ? [undefined] : [];
