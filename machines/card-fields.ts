/** The four fields of a card as a person types them, and what is wrong with them. Specification, section 5 ("Card form"). */

export type CardField = "card_number" | "expiry" | "cvv" | "cardholder";
export type Card = Readonly<Record<CardField, string>>;
export const emptyCard: Card = { card_number: "", expiry: "", cvv: "", cardholder: "" };

/** Month 1 to 12. */
export type YearMonth = { year: number; month: number };

const MOST_CVV = 4;
/** No card number is longer. ISO/IEC 7812. */
const MOST_DIGITS = 19;
/** No card is valid for longer; beyond it the year is a slip of the finger. */
const MOST_YEARS_AHEAD = 30;

const digitsOf = (text: string) => text.replace(/\D/g, "");

/** What the field shows after `typed` took the place of `before`. */
export function formatted(field: CardField, typed: string, before: string): string {
  switch (field) {
    case "card_number":
      return (
        digitsOf(typed)
          .slice(0, MOST_DIGITS)
          .match(/.{1,4}/g) ?? []
      ).join(" ");
    case "cvv":
      return digitsOf(typed).slice(0, MOST_CVV);
    case "expiry":
      return formattedExpiry(typed, before);
    case "cardholder":
      return typed;
  }
}

/** MM/YYYY: the slash comes by itself after two digits, and does not come back while a person deletes. */
function formattedExpiry(typed: string, before: string): string {
  // "3/" can only mean March.
  const digits = digitsOf(typed.replace(/^\D*(\d)\//, "0$1/"));
  const deleting = typed.length < before.length;
  const month = digits.slice(0, 2);
  const year = digits.slice(2, 6);
  if (month.length < 2 || (deleting && year === "" && !typed.includes("/"))) return month;
  return `${month}/${year}`;
}

/** The month a card expires, from MM/YYYY or MM/YY; null where the text is no such month. */
export function readExpiry(text: string): YearMonth | null {
  const [, month = "", year = ""] = /^(\d\d)\/(\d{4}|\d\d)$/.exec(text) ?? [];
  if (Number(month) < 1 || Number(month) > 12) return null;
  return { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : Number(year) };
}

/** Whether the digits carry their own check digit (Luhn). */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits]
    .toReversed()
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
