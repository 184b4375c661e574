/** What a new password must be, wherever one is chosen. Specification, section 5. */

export const LEAST_PASSWORD_LENGTH = 8;

/** Length as a person counts it: characters, not UTF-16 units. */
export const lengthOf = (text: string) => [...text].length;

export type NewPassword = { new_password: string; new_password_confirmation: string };

export type PasswordFault = "missing" | "short" | "different";

/** Recovery: the first fault of a new password and its repetition, or null. Short is each of the two. */
export function passwordFault({
  new_password,
  new_password_confirmation,
}: NewPassword): PasswordFault | null {
  if (new_password === "" || new_password_confirmation === "") return "missing";
  if (Math.min(lengthOf(new_password), lengthOf(new_password_confirmation)) < LEAST_PASSWORD_LENGTH)
    return "short";
  return new_password === new_password_confirmation ? null : "different";
}

/** Changing the password: the first fault, or null. The two must match before their length counts. */
export function changeFault({ new_password, new_password_confirmation }: NewPassword): PasswordFault | null {
  if (new_password !== new_password_confirmation) return "different";
  return lengthOf(new_password) < LEAST_PASSWORD_LENGTH ? "short" : null;
}
