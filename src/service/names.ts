/** When two account names are the same name, and which cannot be one. */

/** Characters that show nothing or change how others show: with them two names could look the same. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** What of an account name is compared: without regard to letter case or width. Null when no account can have the name. Decisions, "Account names". */
export function nameKey(name: string): string | null {
  if (UNSEEN.test(name)) return null;
  // By way of upper case, because "ß" and "SS" or "ς" and "Σ" only meet there.
  return name.trim().normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
}

/** Length as people count it: an emoji or a rare Chinese character is one. */
export function length(text: string): number {
  return Array.from(text).length;
}
