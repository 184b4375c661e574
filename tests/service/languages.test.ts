/** Which language a tag names, in any spelling, and which of several is spoken. Specification, sections 1 and 7. */
import { expect, test } from "vitest";
import { firstLanguageIn, languageIn, languageOf } from "../../src/contract/languages.ts";

test.each([
  "zh",
  "ZH",
  "zh-CN",
  "zh_CN",
  "ZH-hans",
  "zh-Hant-HK",
  "zh_CN.UTF-8",
  "zho",
  "zho-TW",
  " zh ",
  "zh;q=1",
])("'%s' is Chinese", (tag) => {
  expect([languageIn(tag), languageOf(tag)]).toEqual(["zh-CN", "zh-CN"]);
});

test.each(["en", "EN", "en-GB", "en_US", "eng", " en"])("'%s' is English", (tag) => {
  expect([languageIn(tag), languageOf(tag)]).toEqual(["en", "en"]);
});

test.each([
  "zhuang",
  "zha",
  "zhx-CN",
  "zh2",
  "zhö",
  "fr",
  "xx",
  "english",
  "c-zh",
  "",
  "*",
  "null",
  null,
  undefined,
])("'%s' is neither, and English is spoken", (tag) => {
  expect([languageIn(tag), languageOf(tag)]).toEqual([null, "en"]);
});

test.each([
  [["fr", "zh-TW", "en"], "zh-CN"],
  [["fr", "en", "zh"], "en"],
  [[null, "zh"], "zh-CN"],
  [["fr"], "en"],
  [[], "en"],
] as const)("of %j, %s is spoken", (tags, language) => {
  expect(firstLanguageIn(tags)).toBe(language);
});
