/** What Stryker changes, and who judges it. Every file of it stays under build/mutation. */
const here = import.meta.dirname;

export default {
  // An invariant holds whatever is changed: no walk can break one.
  mutate: ["machines/**/*.ts", "!machines/invariant.ts", "src/contract/{money,password-rules}.ts"],
  ignorers: ["types"],
  testRunner: "charts",
  plugins: ["@stryker-mutator/*", `${here}/charts-runner.ts`, `${here}/types-ignorer.ts`],
  testRunnerNodeArgs: ["--experimental-vm-modules", "--no-warnings"],
  // A chart is built when its file is loaded: each mutant is there from the first line on.
  coverageAnalysis: "off",
  ignorePatterns: [
    "**",
    "!package.json",
    "!machines/**",
    "!src/contract/**",
    "!tests/machines/**",
    "!tests/support/**",
    "!tests/models/**",
  ],
  tempDirName: "build/mutation/sandbox",
  // Not `incremental` by itself: without coverage it believes an old verdict though the tests have changed.
  incrementalFile: "build/mutation/incremental.json",
  reporters: ["progress-append-only", "json", "html"],
  jsonReporter: { fileName: "build/mutation/report.json" },
  htmlReporter: { fileName: "build/mutation/report.html" },
  concurrency: 2,
  // Node keeps every module that was ever evaluated by hand.
  maxTestRunnerReuse: 500,
  // A mutant that never ends is caught; a busy machine must not pass for one.
  timeoutMS: 30_000,
  warnings: { slow: false },
};
