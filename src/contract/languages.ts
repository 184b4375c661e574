/** The languages of the product. Specification, section 1. A file of its own, because a page's bootstrap script includes it (`src/app/prerender/bootstrap.ts`). */

export const languages = ["en", "zh-CN"] as const;
export type Language = (typeof languages)[number];

/** The language of a tag in any spelling (`zh_CN`, `ZH-hans`, `zho`); null for other languages. */
export function languageIn(tag: string | null | undefined): Language | null {
  // The tag's first part must end there, or at a character that is no letter or digit: "zhuang" is another
  // language.
  const [, name] = /^\s*(zho?|eng?)(?![\p{L}\d])/iu.exec(tag ?? "") ?? [];
  if (name === undefined) return null;
  return /^z/i.test(name) ? "zh-CN" : "en";
}

/** The first supported language of these tags, in order of preference; else English. */
export const firstLanguageIn = (tags: readonly (string | null | undefined)[]): Language =>
  tags.map(languageIn).find((language) => language !== null) ?? "en";

/** The language of a `lang`-like tag: zh-CN for Chinese variants, English for all else. Specification, sections 1 and 7. */
export const languageOf = (tag: string | null | undefined): Language => firstLanguageIn([tag]);

/** Request header: the language of the response's messages. Specification, section 7. */
export const LANGUAGE_HEADER = "language";
