/** What a new password must be, wherever one is chosen, and the least of a new account's name. Specification, section 5. */

export const LEAST_ACCOUNT_LENGTH = 4;
export const LEAST_PASSWORD_LENGTH = 8;

/** Length as a person counts it: an emoji or a rare Chinese character is one, not its UTF-16 units. */
export const lengthOf = (text: string) => [...text].length;

export type NewPassword = { new_password: string; new_password_confirmation: string };
export type PasswordChange = NewPassword & { old_password: string };

/** What is wrong, and with which fields, in the order of the form. */
export type PasswordFault = {
  kind: "missing" | "short" | "different";
  fields: readonly (keyof PasswordChange)[];
};

/** The two, in the order of the form. */
export const pair = ["new_password", "new_password_confirmation"] as const;
export const isShort = (password: string) => lengthOf(password) < LEAST_PASSWORD_LENGTH;

/** Recovery: the first fault of a new password and its repetition, or null. Short is each of the two. */
export function passwordFault(password: NewPassword): PasswordFault | null {
  const missing = pair.filter((name) => password[name] === "");
  if (missing.length > 0) return { kind: "missing", fields: missing };
  const short = pair.filter((name) => isShort(password[name]));
  if (short.length > 0) return { kind: "short", fields: short };
  return password.new_password === password.new_password_confirmation
    ? null
    : { kind: "different", fields: pair };
}
