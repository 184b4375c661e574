/** The tests of the charts alone, as a mutant meets them: no plugin, so that each run begins at once. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "machines",
    include: ["tests/machines/**/*.test.ts"],
    // A busy machine must not pass for a test that bites.
    testTimeout: 60_000,
  },
});
