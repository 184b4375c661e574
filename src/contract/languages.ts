/** The languages of the product. Specification, section 1. Alone in its file: a page asks before anything else is there (`src/app/early.ts`). */

export const languages = ["en", "zh-CN"] as const;
export type Language = (typeof languages)[number];

/** The language of a `lang`-like tag: Chinese variants are zh-CN, all else English. Specification, sections 1 and 7. */
export function languageOf(tag: string | null | undefined): Language {
  return /^\s*zh\b/i.test(tag ?? "") ? "zh-CN" : "en";
}
