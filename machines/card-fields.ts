/** The four card fields: formats what the user types and finds the errors. Specification, section 5 ("Card form"). */

export type CardField = "card_number" | "expiry" | "cvv" | "cardholder";
export type Card = Readonly<Record<CardField, string>>;
export const emptyCard: Card = { card_number: "", expiry: "", cvv: "", cardholder: "" };

/** Month 1 to 12. */
export type YearMonth = { year: number; month: number };

const MOST_CVV = 4;
/** The longest card number that ISO/IEC 7812 allows. */
const MOST_DIGITS = 19;
const MOST_OF_EXPIRY = "MMYYYY".length;
const YEAR = "YYYY".length;
/** Cards are not valid for longer; a later year is a typing error. */
const MOST_YEARS_AHEAD = 30;

const digitsOf = (text: string) => text.replace(/\D/g, "");

/** Unicode puts the digits of every script in runs of ten, starting at zero. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** The text with ASCII digits: Chinese input methods type full-width digits, other keyboards those of their script. */
const plain = (text: string) => text.normalize("NFKC").replace(/\p{Nd}/gu, plainDigit);

/**
 * One edit of a field's text. `caret` is its position in `text`, by default the end. `ahead`: the deleted character
 * was after the caret (Delete), not before it (Backspace).
 */
export type Edit = { text: string; caret?: number; ahead?: boolean };

/** The edit with `write` applied to the text on each side of the caret. */
function rewritten({ text, caret = text.length, ...edit }: Edit, write: (text: string) => string): Edit {
  const before = write(text.slice(0, caret));
  return { ...edit, text: before + write(text.slice(caret)), caret: before.length };
}

/** The formatted text of a field after an edit; `before` is its text before it. */
export function formatted(field: CardField, edit: Edit, before: string): string {
  switch (field) {
    case "card_number":
      return inFours(digitsOf(meant(fitting(rewritten(edit, plain), MOST_DIGITS), before)));
    case "cvv":
      return digitsOf(fitting(rewritten(edit, plain), MOST_CVV).text);
    case "expiry":
      return formattedExpiry(fitting(rewritten(rewritten(edit, plain), slashed), MOST_OF_EXPIRY), before);
    case "cardholder":
      return edit.text;
  }
}

const inFours = (digits: string) => (digits.match(/.{1,4}/g) ?? []).join(" ");

/** The name as the provider accepts it. */
export const cardholderOf = ({ cardholder }: Card) => cardholder.normalize("NFKC").trim();

const isWithin = ({ text, caret = text.length }: Edit) => caret < text.length;

/** Like `maxlength`: a full field takes no more text, and the text after the caret stays. */
function fitting(edit: Edit, most: number): Edit {
  const { text, caret = text.length } = edit;
  const tooMany = Math.max(0, digitsOf(text).length - most);
  const taken = text.slice(0, caret).replace(new RegExp(`(\\d\\D*){0,${tooMany}}$`), "");
  return { ...edit, text: taken + text.slice(caret), caret: taken.length };
}

/** A deleted separator would be formatted back in, so the digit beside it is deleted instead. */
function meant(edit: Edit, before: string): string {
  const { text, caret = text.length, ahead = false } = edit;
  const without = (at: number) => [...before].filter((_, index) => index !== at).join("");
  const isSeparator = /\D/.test(before.charAt(caret)) && text === without(caret);
  return isWithin(edit) && isSeparator ? without(ahead ? caret + 1 : caret - 1) : text;
}

/** The separators that users and password managers put between month and year: 2029-03, 03.2029, 2029年03月. */
const SEPARATORS = /[\s\p{Pd}\p{Pc}/\\.,:·|\u2044\u2215\u2212\u29f8年月日]+/gu;

/** The expiry with every separator turned into a slash. */
const slashed = (text: string) =>
  text
    .replace(/^[^\d/]+/, "")
    .replace(SEPARATORS, "/")
    .replace(/[^\d/]/g, "");

/**
 * MM/YYYY. At the end of the text the slash is added after two digits, and not added back while the user deletes.
 * Within the text it stays between month and year.
 */
function formattedExpiry(edit: Edit, before: string): string {
  const { caret } = edit;
  const text = meant(edit, before);
  const isSlashLost = isWithin(edit) && before.includes("/") && !text.includes("/");
  const whole = isSlashLost ? `${text.slice(0, caret)}/${text.slice(caret)}` : text;
  const [first = "", ...rest] = whole.split("/");
  const isDeleting = text.length < before.length;
  // No month begins with 20, so this is the year.
  const isYear = rest.length === 0 || first.length >= YEAR || before.indexOf("/") === YEAR;
  if (first.startsWith("20") && isYear) return yearFirst(first, rest, isDeleting);
  // A 3 followed by a slash can only be March.
  const isMarch = first.length === 1 && rest.length > 0 && !isWithin(edit) && !before.startsWith(text);
  const digits = isMarch ? `0${first}` : first;
  const month = digits.slice(0, 2);
  const year = (digits.slice(2) + rest.join("")).slice(0, YEAR);
  if (rest.length === 0 && (month.length < 2 || (isDeleting && year === ""))) return month;
  return month + year === "" ? "" : `${month}/${year}`;
}

/** YYYY/MM until the month is complete, then MM/YYYY. The slash is added after the year, as after a month. */
function yearFirst(first: string, rest: readonly string[], isDeleting: boolean): string {
  const year = first.slice(0, YEAR);
  const [begun = "", ...after] = rest;
  const month = (first.slice(YEAR) + begun).slice(0, 2);
  if (rest.length === 0 && (year.length < YEAR || (isDeleting && month === ""))) return year;
  // Only 0 and 1 can take a second digit, and none is added once a separator follows.
  const isWhole = month.length === 2 || month > "1" || (month === "1" && after.length > 0);
  return year.length === YEAR && isWhole ? `${month.padStart(2, "0")}/${year}` : `${year}/${month}`;
}

/** Reads MM/YYYY, MM/YY or YYYY/MM (M is accepted for MM); null when the text is no such month. */
export function readExpiry(text: string): YearMonth | null {
  const [, month = "", year = ""] =
    /^(\d\d?)\/(\d{4}|\d\d)$/.exec(text.replace(/^(\d{4})\/(\d\d?)$/, "$2/$1")) ?? [];
  if (Number(month) < 1 || Number(month) > 12) return null;
  return { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : Number(year) };
}

/** Some UnionPay cards have no check digit, so the provider validates them. */
const isUnionPay = (digits: string) => /^(62|81)/.test(digits);

/** Luhn check. */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits]
    .reverse()
    .map(Number)
    .reduce((total, digit, at) => total + (at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0);
  return sum % 10 === 0;
}

/** Whether every field has text; until then the button is disabled. */
export const isFilled = (card: Card) => Object.values(card).every((text) => text.trim() !== "");

/** The fields that are certainly invalid, in the form's order. The provider validates the rest. */
export function wrongFields(card: Card, today: YearMonth): CardField[] {
  const number = digitsOf(card.card_number);
  const expiry = readExpiry(card.expiry);
  const months = expiry === null ? -1 : (expiry.year - today.year) * 12 + expiry.month - today.month;
  const wrong: CardField[] = [];
  if (number.length < 12 || !(isUnionPay(number) || hasCheckDigit(number))) wrong.push("card_number");
  if (months < 0 || months > MOST_YEARS_AHEAD * 12) wrong.push("expiry");
  if (card.cvv.length < 3) wrong.push("cvv");
  return wrong;
}
