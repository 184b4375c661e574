/** The four fields of a card as a person types them, and what is wrong with them. Specification, section 5 ("Card form"). */

export type CardField = "card_number" | "expiry" | "cvv" | "cardholder";
export type Card = Readonly<Record<CardField, string>>;
export const emptyCard: Card = { card_number: "", expiry: "", cvv: "", cardholder: "" };

/** Month 1 to 12. */
export type YearMonth = { year: number; month: number };

const MOST_CVV = 4;
/** No card number is longer. ISO/IEC 7812. */
const MOST_DIGITS = 19;
const MOST_OF_EXPIRY = "MMYYYY".length;
/** No card is valid for longer; beyond it the year is a slip of the finger. */
const MOST_YEARS_AHEAD = 30;

const digitsOf = (text: string) => text.replace(/\D/g, "");

/**
 * What a person made of a field's text. `caret`: where it stands in `text` then, which is its end if nothing is said.
 * `ahead`: what was deleted stood behind the caret (Delete), not before it (Backspace).
 */
export type Edit = { text: string; caret?: number; ahead?: boolean };

/** What the field shows after `edit` was made of `before`. */
export function formatted(field: CardField, edit: Edit, before: string): string {
  switch (field) {
    case "card_number":
      return (digitsOf(meant(fitting(edit, MOST_DIGITS), before)).match(/.{1,4}/g) ?? []).join(" ");
    case "cvv":
      return digitsOf(fitting(edit, MOST_CVV).text);
    case "expiry":
      return formattedExpiry(fitting(edit, MOST_OF_EXPIRY), before);
    case "cardholder":
      return edit.text;
  }
}

const isWithin = ({ text, caret = text.length }: Edit) => caret < text.length;

/** A full text takes no more, and what stands behind the caret stays: as `maxlength` does it. */
function fitting(edit: Edit, most: number): Edit {
  const { text, caret = text.length } = edit;
  const tooMany = Math.max(0, digitsOf(text).length - most);
  const taken = text.slice(0, caret).replace(new RegExp(`(\\d\\D*){0,${tooMany}}$`), "");
  return { ...edit, text: taken + text.slice(caret), caret: taken.length };
}

/** Within a text a separator comes back by itself: whoever deletes one means the digit beside it. */
function meant(edit: Edit, before: string): string {
  const { text, caret = text.length, ahead = false } = edit;
  const without = (at: number) => [...before].filter((_, index) => index !== at).join("");
  const isSeparator = /\D/.test(before.charAt(caret)) && text === without(caret);
  return isWithin(edit) && isSeparator ? without(ahead ? caret + 1 : caret - 1) : text;
}

/**
 * MM/YYYY. At the end of the text the slash comes by itself after two digits, and does not come back while a person
 * deletes. Within the text it stays between month and year, however many digits are left of either.
 */
function formattedExpiry(edit: Edit, before: string): string {
  const { caret } = edit;
  const text = meant(edit, before);
  const isSlashLost = isWithin(edit) && before.includes("/") && !text.includes("/");
  const whole = isSlashLost ? `${text.slice(0, caret)}/${text.slice(caret)}` : text;
  const [first = "", ...rest] = whole.split("/").map(digitsOf);
  // Whoever goes on after "3/" can only mean March.
  const isMarch = first.length === 1 && rest.length > 0 && !isWithin(edit) && !before.startsWith(text);
  const digits = isMarch ? `0${first}` : first;
  const month = digits.slice(0, 2);
  const year = (digits.slice(2) + rest.join("")).slice(0, 4);
  const isDeleting = text.length < before.length;
  if (rest.length === 0 && (month.length < 2 || (isDeleting && year === ""))) return month;
  return month + year === "" ? "" : `${month}/${year}`;
}

/** The month a card expires, from MM/YYYY or MM/YY, or M for MM; null where the text is no such month. */
export function readExpiry(text: string): YearMonth | null {
  const [, month = "", year = ""] = /^(\d\d?)\/(\d{4}|\d\d)$/.exec(text) ?? [];
  if (Number(month) < 1 || Number(month) > 12) return null;
  return { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : Number(year) };
}

/** Whether the digits carry their own check digit (Luhn). */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits]
    .reverse()
    .map(Number)
    .reduce((total, digit, at) => total + (at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0);
  return sum % 10 === 0;
}

/** Whether anything is still to be typed; until then the button rests. */
export const isFilled = (card: Card) => Object.values(card).every((text) => text.trim() !== "");

/** The fields that cannot be right, in the order of the form. The provider has the last word on the others. */
export function wrongFields(card: Card, today: YearMonth): CardField[] {
  const number = digitsOf(card.card_number);
  const expiry = readExpiry(card.expiry);
  const months = expiry === null ? -1 : (expiry.year - today.year) * 12 + expiry.month - today.month;
  const wrong: CardField[] = [];
  if (number.length < 12 || !hasCheckDigit(number)) wrong.push("card_number");
  if (months < 0 || months > MOST_YEARS_AHEAD * 12) wrong.push("expiry");
  if (card.cvv.length < 3) wrong.push("cvv");
  return wrong;
}
