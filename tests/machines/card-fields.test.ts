/** The fields of a card: what typing makes of them, and what cannot be right. */
import { expect, test } from "vitest";
import {
  cardholderOf,
  emptyCard,
  formatted,
  isFilled,
  readExpiry,
  wrongFields,
  type Card,
  type CardField,
} from "../../machines/card-fields.ts";

const today = { year: 2026, month: 11 };
const valid: Card = {
  card_number: "4111 1111 1111 1111",
  expiry: "12/2030",
  cvv: "123",
  cardholder: "Ann Lee",
};

/** What a field shows while a text is typed key by key. */
const type = (field: CardField, keys: string) =>
  [...keys].reduce((shown, key) => formatted(field, { text: shown + key }, shown), "");

test.each([
  ["card_number", "4111111111111111", "4111 1111 1111 1111"],
  ["card_number", "4111 1111 1111 1111", "4111 1111 1111 1111"],
  ["card_number", "4111-1111x1", "4111 1111 1"],
  ["card_number", "378282246310005", "3782 8224 6310 005"],
  ["card_number", "41111111111111111111", "4111 1111 1111 1111 111"],
  ["cvv", "12345", "1234"],
  ["cvv", "1a2", "12"],
  ["expiry", "1", "1"],
  ["expiry", "12", "12/"],
  ["expiry", "122030", "12/2030"],
  ["expiry", "12/2030", "12/2030"],
  ["expiry", "1230", "12/30"],
  ["expiry", "3/28", "03/28"],
  ["expiry", "12203099", "12/2030"],
  ["cardholder", "Ann  O'Neill-7", "Ann  O'Neill-7"],
] as const)("%s typed as %s shows %s", (field, keys, shown) => {
  expect(type(field, keys)).toBe(shown);
});

/** As an input method for Chinese writes them, as people of other scripts do, and some of each. */
test.each([
  ["card_number", "４０１２８８８８８８８８１８８１", "4012 8888 8888 1881"],
  ["card_number", "4012 ８８８８ 8888 １８８１", "4012 8888 8888 1881"],
  ["card_number", "٤٠١٢٨٨٨٨٨٨٨٨١٨٨١", "4012 8888 8888 1881"],
  ["card_number", "۴۰۱۲ ८८८८ 8888 𝟭𝟾𝟠𝟏", "4012 8888 8888 1881"],
  ["card_number", "4012\u00a08888\u30008888–１８８１", "4012 8888 8888 1881"],
  ["card_number", "\u200e4012\u200b8888－8888—1881\u200f", "4012 8888 8888 1881"],
  ["cvv", "１２３", "123"],
  ["cvv", "1２٣", "123"],
  ["expiry", "１２２０３０", "12/2030"],
  ["expiry", "12／2030", "12/2030"],
  ["expiry", "３／２０２９", "03/2029"],
  ["expiry", "٠٣/٢٠٢٩", "03/2029"],
] as const)("%s typed or filled in as %s shows %s", (field, text, shown) => {
  expect({ typed: type(field, text), filled: formatted(field, { text }, "") }).toEqual({
    typed: shown,
    filled: shown,
  });
});

/** All the orders of `cc-exp`, and what password managers and Chinese forms write. */
test.each([
  "03/2029",
  "3/2029",
  "032029",
  "03-2029",
  "03‐2029",
  "03 – 2029",
  "03—2029",
  "03 2029",
  "03.2029",
  "03∕2029",
  " 03 / 2029 ",
  "Exp: 03/2029",
  "03a/2029",
  "03月2029年",
  "03 月 / 2029 年",
  "2029-03",
  "2029/03",
  "2029 / 3 ",
  "202903",
  "2029.03",
  "2029 03",
  "２０２９－０３",
  "２０２９／０３",
  "2029年03月",
  "２０２９年３月",
  "2029-03-31",
  "2029年3月31日",
  "٢٠٢٩-٠٣",
])("an expiry typed or filled in as '%s' is March 2029", (text) => {
  const shown = { typed: type("expiry", text), filled: formatted("expiry", { text }, "12/2030") };
  expect(shown).toEqual({ typed: "03/2029", filled: "03/2029" });
});

test.each(["03/29", "3/29", "0329", "03-29", "０３／２９", "03月29年"])(
  "an expiry typed or filled in as '%s' is read as March 2029",
  (text) => {
    const shown = [type("expiry", text), formatted("expiry", { text }, "")];
    expect(shown.map((each) => readExpiry(each))).toEqual([
      { month: 3, year: 2029 },
      { month: 3, year: 2029 },
    ]);
  },
);

test.each([
  ["20", "20"],
  ["202", "202"],
  ["2029", "2029/"],
  ["20290", "2029/0"],
  ["20291", "2029/1"],
  ["2029/1", "2029/1"],
  ["2029-1 ", "01/2029"],
  ["2029-0 ", "2029/0"],
  ["202912", "12/2029"],
  ["20294", "04/2029"],
  ["2029031", "03/2029"],
  ["2", "2"],
  ["2/2029", "02/2029"],
])("a year that is typed first, as '%s', shows %s", (keys, shown) => {
  expect(type("expiry", keys)).toBe(shown);
});

test.each([
  ["2029/1", "2029/"],
  ["2029/", "2029"],
  ["2029", "202"],
  ["20", "2"],
])("a year that was typed first, %s, can be deleted to %s", (before, after) => {
  expect(formatted("expiry", { text: before.slice(0, -1) }, before)).toBe(after);
});

test("a year that was typed first is corrected where it stands", () => {
  expect([correct("expiry", "2029/1", "202|/1"), correct("expiry", "202/1", "2028|/1")]).toEqual([
    "202/1",
    "2028/1",
  ]);
});

test("the caret stays beside what is typed, however many units a digit takes", () => {
  expect(correct("card_number", "4012 8654", "4012 ８𝟕|654")).toBe("4012 8765 4");
});

test("the name goes to the provider as cards have it", () => {
  expect(cardholderOf({ ...valid, cardholder: "　ＡＮＮ　ＬＥＥ " })).toBe("ANN LEE");
});

test.each([
  ["12/2030", "12/203"],
  ["12/2", "12/"],
  ["12/", "12"],
  ["12", "1"],
  ["1", ""],
])("an expiry of %s can be deleted to %s", (before, after) => {
  expect(formatted("expiry", { text: before.slice(0, -1) }, before)).toBe(after);
});

test("an expiry keeps its year when it comes without its slash, and has one when another month is typed over it", () => {
  expect(formatted("expiry", { text: "122030" }, "12/2030")).toBe("12/2030");
  expect(formatted("expiry", { text: "11" }, "12")).toBe("11/");
});

test("a digit typed before the only one of an expiry makes its month", () => {
  expect(correct("expiry", "1", "2|1")).toBe("21/");
});

test.each([
  ["expiry", "12 / 2030", "12/2030"],
  ["expiry", "12/30", "12/30"],
  ["expiry", "12/20/30", "12/2030"],
  ["expiry", "3/2028", "03/2028"],
  ["expiry", "3/20289", "03/2028"],
  ["expiry", "3 / 2028", "03/2028"],
  ["card_number", " 4111-1111-1111-1111 ", "4111 1111 1111 1111"],
] as const)("%s filled in at once as '%s' shows %s", (field, text, shown) => {
  expect(formatted(field, { text }, "")).toBe(shown);
});

/** A text with the caret in it, as "12|/2030". */
const withCaret = (shown: string) => ({ text: shown.replace("|", ""), caret: shown.indexOf("|") });
/** What a field makes of `edited` where it showed `before`. */
const correct = (field: CardField, before: string, edited: string, ahead = false) =>
  formatted(field, { ...withCaret(edited), ...(ahead && { ahead }) }, before);

test.each([
  ["card_number", "4012 8765 4321 1881", "4012 8|65 4321 1881", "4012 8654 3211 881"],
  ["card_number", "4012 8654 3211 881", "4012 87|654 3211 881", "4012 8765 4321 1881"],
  // A space that is deleted comes back: what is meant is the digit before it.
  ["card_number", "4012 8765 4321 1881", "4012 8765|4321 1881", "4012 8764 3211 881"],
  ["card_number", "4012 8888 8888 1881", "4012 8x|888 8888 1881", "4012 8888 8888 1881"],
  ["card_number", "4012 8765 4321 1881", "4012 |21 1881", "4012 2118 81"],
  // Month and year stay apart.
  ["expiry", "12/2030", "1|/2030", "1/2030"],
  ["expiry", "1/2030", "11|/2030", "11/2030"],
  ["expiry", "12/2030", "|2/2030", "2/2030"],
  ["expiry", "2/2030", "0|2/2030", "02/2030"],
  ["expiry", "1/2030", "|/2030", "/2030"],
  ["expiry", "/2030", "0|/2030", "0/2030"],
  ["expiry", "12/2030", "3|/2030", "3/2030"],
  ["expiry", "12/2030", "12/|030", "12/030"],
  ["expiry", "12/030", "12/2|030", "12/2030"],
  ["expiry", "12/2030", "12/20|0", "12/200"],
  // A full field takes no more: what stands behind the caret is not pushed out.
  ["expiry", "12/2030", "123|/2030", "12/2030"],
  ["cvv", "1234", "19|234", "1234"],
  ["cvv", "123", "19|23", "1923"],
  ["card_number", "6304 1234 5678 9012 345", "6304 19|234 5678 9012 345", "6304 1234 5678 9012 345"],
  ["card_number", "6304 1234 5678 9012", "6304 5555 5|1234 5678 9012", "6304 5551 2345 6789 012"],
  ["expiry", "12", "13|2", "13/2"],
  ["expiry", "12/", "1|/", "1/"],
  ["expiry", "1/", "|/", ""],
  // The slash with what stood beside it.
  ["expiry", "12/2030", "12|2030", "1/2030"],
  ["expiry", "12/2030", "1|2030", "1/2030"],
  ["expiry", "12/2030", "11|30", "11/30"],
  ["expiry", "/2030", "|2030", "/2030"],
  // Back at the end.
  ["expiry", "1/2030", "1/203|", "1/203"],
  ["expiry", "1/203", "1/2031|", "01/2031"],
  ["expiry", "12/2030", "3/2031|", "03/2031"],
  ["expiry", "10/2030", "20|/2030", "20/2030"],
  ["expiry", "2029/1", "20/1234|", "20/12"],
  ["expiry", "2029/1", "203/5|", "203/5"],
] as const)("%s '%s' corrected to '%s' shows '%s'", (field, before, edited, shown) => {
  expect(correct(field, before, edited)).toBe(shown);
});

test.each([
  ["card_number", "4012 8765 4321 1881", "4012 8765|4321 1881", "4012 8765 3211 881"],
  ["card_number", "4012 8765", "4012 |765", "4012 765"],
  ["expiry", "12/2030", "12|2030", "12/030"],
  ["expiry", "/2030", "|2030", "/030"],
  ["expiry", "12/2030", "1|/2030", "1/2030"],
] as const)("%s '%s' deleted ahead of the caret to '%s' shows '%s'", (field, before, edited, shown) => {
  expect(correct(field, before, edited, true)).toBe(shown);
});

test.each([
  ["12/2030", { month: 12, year: 2030 }],
  ["1/2030", { month: 1, year: 2030 }],
  ["01/28", { month: 1, year: 2028 }],
  ["2029/1", { month: 1, year: 2029 }],
  ["2029/12", { month: 12, year: 2029 }],
  ["12029/1", null],
  ["2029/0", null],
  ["2029/", null],
  ["00/2030", null],
  ["0/2030", null],
  ["/2030", null],
  ["13/2030", null],
  ["12/203", null],
  ["112/2030", null],
  ["12", null],
  ["", null],
])("an expiry of '%s' is read as %o", (text, month) => {
  expect(readExpiry(text)).toEqual(month);
});

test.each(Object.keys(valid) as CardField[])("a card without its %s is not filled", (field) => {
  expect(isFilled({ ...valid, [field]: "" })).toBe(false);
  expect(isFilled({ ...valid, [field]: "  " })).toBe(false);
});

test("a card with all four is filled, and nothing is wrong with it", () => {
  expect({ filled: isFilled(valid), wrong: wrongFields(valid, today) }).toEqual({ filled: true, wrong: [] });
});

test.each([
  [{ card_number: "4111 1111 1111 1112" }, ["card_number"]],
  [{ card_number: "4111 1111 111" }, ["card_number"]],
  [{ card_number: "3782 8224 6310 005" }, []],
  [{ card_number: "5018 0000 0009" }, []],
  // UnionPay's may lack a check digit, and may have one.
  [{ card_number: "6212 3456 7890 1234" }, []],
  [{ card_number: "6212 3456 7890 1234 567" }, []],
  [{ card_number: "8123 4567 8901 2345" }, []],
  [{ card_number: "6212 3456 789" }, ["card_number"]],
  [{ card_number: "6312 3456 7890 1234" }, ["card_number"]],
  [{ card_number: "8212 3456 7890 1234" }, ["card_number"]],
  [{ card_number: "4111 1111 1111 6281" }, ["card_number"]],
  [{ expiry: "10/2026" }, ["expiry"]],
  [{ expiry: "11/2026" }, []],
  [{ expiry: "11/26" }, []],
  [{ expiry: "11/2056" }, []],
  [{ expiry: "12/2056" }, ["expiry"]],
  [{ expiry: "13/2030" }, ["expiry"]],
  [{ cvv: "12" }, ["cvv"]],
  [{ cvv: "1234" }, []],
  [emptyCard, ["card_number", "expiry", "cvv"]],
] as [Partial<Card>, CardField[]][])("of a card with %o is wrong: %o", (changes, wrong) => {
  expect(wrongFields({ ...valid, ...changes }, today)).toEqual(wrong);
});
