/** Rules for a new password, and the minimum length of a new account's name. Specification, section 5. */

export const LEAST_ACCOUNT_LENGTH = 4;
export const LEAST_PASSWORD_LENGTH = 8;

/** Length in characters as the user counts them: an emoji or a rare Chinese character is one, not its UTF-16 units. */
export const lengthOf = (text: string) => [...text].length;

export type NewPassword = { new_password: string; new_password_confirmation: string };
export type PasswordChange = NewPassword & { old_password: string };

/** The error and its fields, in the form's order. */
export type PasswordError = {
  kind: "missing" | "short" | "different";
  fields: readonly (keyof PasswordChange)[];
};

/** Both fields, in the form's order. */
export const pair = ["new_password", "new_password_confirmation"] as const;
export const isShort = (password: string) => lengthOf(password) < LEAST_PASSWORD_LENGTH;

/** Recovery: the first error of a new password and its repetition, or null. Each of them must be long enough. */
export function passwordError(password: NewPassword): PasswordError | null {
  const missing = pair.filter((name) => password[name] === "");
  if (missing.length > 0) return { kind: "missing", fields: missing };
  const short = pair.filter((name) => isShort(password[name]));
  if (short.length > 0) return { kind: "short", fields: short };
  return password.new_password === password.new_password_confirmation
    ? null
    : { kind: "different", fields: pair };
}
