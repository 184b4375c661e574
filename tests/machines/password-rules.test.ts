/** What a new password must be: both sides of every boundary, which error is told first, and which fields it is in. */
import { expect, test } from "vitest";
import { changeError } from "../../machines/password.ts";
import { passwordError, type PasswordError } from "../../src/contract/password-rules.ts";

const pair = (new_password: string, new_password_confirmation: string) => ({
  new_password,
  new_password_confirmation,
});
const letters = { old_password: "o", new_password: "n", new_password_confirmation: "c" };
/** The error, and of its fields the first letters. */
const told = (formError: PasswordError | null) =>
  formError && `${formError.kind}: ${formError.fields.map((field) => letters[field]).join("")}`;

test.each([
  ["", "", "missing: nc"],
  ["12345678", "", "missing: c"],
  ["", "12345678", "missing: n"],
  ["1234567", "1234567", "short: nc"],
  ["12345678", "1234567", "short: c"],
  ["1234567", "12345678", "short: n"],
  ["12345678", "12345678", null],
  ["12345678", "12345679", "different: nc"],
  ["12345678", "12345678 ", "different: nc"],
  // Characters as a person counts them: a fox is one, though it takes two units.
  ["🦊🦊🦊🦊", "🦊🦊🦊🦊", "short: nc"],
  ["🦊🦊🦊🦊🦊🦊🦊🦊", "🦊🦊🦊🦊🦊🦊🦊🦊", null],
])("recovery: of '%s' and '%s' is told: %s", (one, other, formError) => {
  expect(told(passwordError(pair(one, other)))).toBe(formError);
});

test.each([
  ["1234567", "1234567", "short: nc"],
  ["12345678", "12345678", null],
  ["12345678", "12345679", "different: nc"],
  ["1234567", "1234568", "different: nc"],
  ["1234567", "", "different: c"],
  ["", "1234567", "different: n"],
  ["", "", "short: nc"],
  ["🦊🦊🦊🦊", "🦊🦊🦊🦊", "short: nc"],
  // No maximum is enforced, whatever the placeholder says.
  ["x".repeat(200), "x".repeat(200), null],
])("a change: of '%s' and '%s' is told: %s", (one, other, formError) => {
  expect(told(changeError({ old_password: " ", ...pair(one, other) }))).toBe(formError);
});

test.each([
  ["", "", "short: onc"],
  ["1234567", "1234567", "short: onc"],
  ["12345678", "12345679", "different: onc"],
  ["12345678", "", "different: oc"],
  ["", "12345678", "different: on"],
  ["12345678", "12345678", "missing: o"],
])("a change without the old one: of '%s' and '%s' is told: %s", (one, other, formError) => {
  expect(told(changeError({ old_password: "", ...pair(one, other) }))).toBe(formError);
});
