/** Passwords that are guessed first: some 22,000 leaked ones, where ASVS (6.2.4) asks for 3,000, and the product's own name. */
import { dictionary } from "@zxcvbn-ts/language-common";
import { leakedPasswords } from "./leaked-passwords.ts";
import { folded } from "./account-names.ts";

const LEAST = 8;

const leaked: ReadonlySet<string> = new Set(
  [...dictionary["passwords-common"].map(folded), ...leakedPasswords.trim().split(/\s+/)].filter(
    (password) => password.length >= LEAST,
  ),
);

/** The names of `src/app/theme/brand.ts`, also in traditional characters and as they are spelled, once or more, and all but letters around. */
const BRANDED =
  /^\P{L}*(?:(?:everlit|长明|長明|chang ?ming)(?:\P{L}*(?:team|vpn|团队|團隊|加速器?))?\P{L}*)+$/u;

/** @param password folded (account-names.ts) */
export const isWellKnown = (password: string): boolean => leaked.has(password) || BRANDED.test(password);
