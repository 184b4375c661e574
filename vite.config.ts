/** Builds the site, serves it during development, and runs the tests (one project a level). */
import babel from "@rolldown/plugin-babel";
import { lingui, linguiTransformerBabelPreset } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { coverage } from "./tests/support/coverage-reporter.ts";
import { ledger } from "./tests/support/ledger-reporter.ts";

/** Where `npm run dev` finds the service. */
const serviceAddress = process.env["SERVICE_ADDRESS"] ?? "http://127.0.0.1:3000";

export default defineConfig({
  plugins: [
    react(),
    lingui({ failOnCompileError: true }),
    babel({ presets: [linguiTransformerBabelPreset()] }),
    ledger(),
    coverage(),
  ],
  server: {
    proxy: { "/api": serviceAddress, "/sandbox": serviceAddress, "/config.json": serviceAddress },
  },
  build: { target: "es2022", manifest: true, sourcemap: true },
  test: {
    projects: [
      {
        extends: true,
        // The charts keep nothing outside their actors: the files may share what they load.
        test: {
          name: "machines",
          include: ["tests/machines/**/*.test.ts"],
          isolate: false,
          testTimeout: 30_000,
        },
      },
      { extends: true, test: { name: "service", include: ["tests/service/**/*.test.ts"] } },
      {
        extends: true,
        test: { name: "views", environment: "jsdom", include: ["tests/views/**/*.test.tsx"] },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["tests/browser/**/*.test.ts"],
          globalSetup: "tests/support/browser-setup.ts",
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
          // A shared machine may stall a browser for seconds; what fails twice has failed.
          retry: process.env["CI"] ? 1 : 0,
        },
      },
    ],
  },
});
