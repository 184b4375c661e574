/** Random identifiers that cannot be guessed. */
import { randomInt } from "node:crypto";

export const LETTERS_AND_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Draws each character uniformly from `alphabet`. The result has `length` × log2(`alphabet.length`) bits. */
export const randomId = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
