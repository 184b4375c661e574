/** Random identifiers that cannot be guessed. */
import { randomInt } from "node:crypto";

/** Draws each character uniformly from `alphabet`. The result has `length` × log2(`alphabet.length`) bits. */
export const randomId = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
