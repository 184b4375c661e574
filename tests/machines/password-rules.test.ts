/** What a new password must be: both sides of every boundary, and which fault is told first. */
import { expect, test } from "vitest";
import { changeFault, passwordFault } from "../../machines/password-rules.ts";

const pair = (new_password: string, new_password_confirmation: string) => ({
  new_password,
  new_password_confirmation,
});

test.each([
  ["", "", "missing"],
  ["12345678", "", "missing"],
  ["", "12345678", "missing"],
  ["1234567", "1234567", "short"],
  ["12345678", "1234567", "short"],
  ["1234567", "12345678", "short"],
  ["12345678", "12345678", null],
  ["12345678", "12345679", "different"],
  ["12345678", "12345678 ", "different"],
  // Characters as a person counts them: a fox is one, though it takes two units.
  ["🦊🦊🦊🦊", "🦊🦊🦊🦊", "short"],
  ["🦊🦊🦊🦊🦊🦊🦊🦊", "🦊🦊🦊🦊🦊🦊🦊🦊", null],
])("recovery: of '%s' and '%s' is told: %s", (one, other, fault) => {
  expect(passwordFault(pair(one, other))).toBe(fault);
});

test.each([
  ["1234567", "1234567", "short"],
  ["12345678", "12345678", null],
  ["12345678", "12345679", "different"],
  ["1234567", "1234568", "different"],
  ["1234567", "", "different"],
  ["", "", "short"],
  ["🦊🦊🦊🦊", "🦊🦊🦊🦊", "short"],
  // No maximum is enforced, whatever the placeholder says.
  ["x".repeat(200), "x".repeat(200), null],
])("a change: of '%s' and '%s' is told: %s", (one, other, fault) => {
  expect(changeFault(pair(one, other))).toBe(fault);
});
