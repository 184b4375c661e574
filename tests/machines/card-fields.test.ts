/** The fields of a card: what typing makes of them, and what cannot be right. */
import { expect, test } from "vitest";
import {
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
