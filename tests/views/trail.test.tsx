/** What is kept of a tab's steps, and that nothing which stands there in its stead stops the app. */
import { afterEach, expect, test, vi } from "vitest";
import { readTrail, writeTrail } from "../../src/app/ports/trail.ts";

afterEach(() => {
  vi.restoreAllMocks();
  sessionStorage.clear();
});

const step = (name: string) => ({ name, params: { id: name } });

test("keeps the last fifty steps", () => {
  const steps = Array.from({ length: 60 }, (_, at) => [`entry${at}`, step(`/${at}`)] as const);
  writeTrail(Object.fromEntries(steps));
  expect(readTrail()).toEqual(Object.fromEntries(steps.slice(10)));
});

test.each([
  "",
  "{",
  "null",
  "7",
  '"text"',
  '{"a":null,"b":{"name":"/b"},"c":{"name":"/c","params":5},"d":[],"e":{"name":7,"params":{}}}',
])("takes %s for nothing", (kept) => {
  sessionStorage.setItem("trail", kept);
  expect(readTrail()).toEqual({});
});

test("does without where nothing can be kept", () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  writeTrail({ entry: step("/buy") });
  expect(readTrail()).toEqual({});
});
