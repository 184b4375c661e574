/** When two account names are the same name, and which cannot be one. */
import { ApiError } from "../platform/errors.ts";

/** Characters that show nothing or change how others show: with them two names could look the same. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** What a keyboard adds to a sign to have it in colour, or not: the same sign to a reader. */
const VARIATION = /[\uFE00-\uFE0F]/gu;

/** What of an account name is compared: without regard to letter case or width. Null when no account can have the name. Decisions, "Account names". */
export function nameKey(name: string): string | null {
  const key = folded(name);
  return UNSEEN.test(key) ? null : key;
}

/**
 * The key of a name that is given as one's own.
 * @throws ApiError when no account can have it, which is no guess at any
 */
export function keyOfOwn(name: string): string {
  if (name === "") throw ApiError.of("nameMissing", "account_name");
  const key = nameKey(name);
  if (key === null || key === "") throw ApiError.of("nameUnseen", "account_name");
  return key;
}

/** Text without its letter case, width, outer spaces, and the colour of its signs. */
export function folded(text: string): string {
  // By way of upper case, because "ß" and "SS" or "ς" and "Σ" only meet there.
  return text
    .normalize("NFKC")
    .replaceAll(VARIATION, "")
    .trim()
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC");
}

/** Whether operators call another account so: any one by its number, or one that was deleted. @param key of `nameKey` */
export const isReserved = (key: string): boolean => /^(deleted )?account \d+$/.test(key.replace(/\s+/g, " "));

/** Whether a nickname shows as it is: unlike an account name it may hold what joins emoji together, but nothing that turns the writing about. */
export const isShown = (nickname: string): boolean =>
  !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(nickname);
