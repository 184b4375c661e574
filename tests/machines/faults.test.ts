/** The known faults are still faults of the charts as they stand. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { faults, misplace, sourceOf } from "../mutation/known-faults.ts";

test.each(faults)("$chart: '$words' is a fault of what stands once in its source", (fault) => {
  const source = readFileSync(sourceOf(fault), "utf8");
  expect(misplace(source, fault)).not.toBe(source);
});
