/** What is kept of a tab's steps, and that no other value stored in its place stops the app. */
import { afterEach, expect, test, vi } from "vitest";
import { readBackStack, writeBackStack } from "../../src/app/navigation/back-stack.ts";

afterEach(() => {
  vi.restoreAllMocks();
  sessionStorage.clear();
});

const step = (name: string) => ({ name, params: { id: name } });

test("keeps the last fifty steps", () => {
  const steps = Array.from({ length: 60 }, (_, at) => [`entry${at}`, step(`/${at}`)] as const);
  writeBackStack(Object.fromEntries(steps));
  expect(readBackStack()).toEqual(Object.fromEntries(steps.slice(10)));
});

test.each([
  "",
  "{",
  "null",
  "7",
  '"text"',
  '{"a":null,"b":{"name":"/b"},"c":{"name":"/c","params":5},"d":[],"e":{"name":7,"params":{}}}',
])("takes %s for nothing", (kept) => {
  sessionStorage.setItem("backStack", kept);
  expect(readBackStack()).toEqual({});
});

test("does without where nothing can be kept", () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  writeBackStack({ entry: step("/buy") });
  expect(readBackStack()).toEqual({});
});
