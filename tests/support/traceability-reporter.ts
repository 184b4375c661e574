/** Fails the run for every line of docs/specification.md, and every promise of docs/security.md, whose test did not run, or did not pass. A run of some files answers for the lines of those files, and one without PostgreSQL for what it takes none for. */
import { relative } from "node:path";
import type { Plugin } from "vitest/config";
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { hasWords, readTraceability } from "./traceability.ts";

/** Then the tests that need one are skipped (`tests/service/support.ts`). */
const hasNoServer = process.env["TEST_DATABASE_URL"] === undefined;

class TraceabilityReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const vitest = this.#vitest;
    // A run of tests selected by name does not include the others.
    if (!vitest || vitest.config.testNamePattern !== undefined || vitest.config.watch) return;
    const { root } = vitest.config;
    const lines = readTraceability();
    const ran = new Map(modules.map((module) => [relative(root, module.moduleId), module]));
    // Each level has a folder of its own name; "service alone" is of the service's.
    const levels = new Set(vitest.projects.map(({ name }) => `tests/${name.split(" ")[0]}/`));
    const isWhole =
      lines.every(({ file }) => [...levels].some((level) => file.startsWith(level))) &&
      (await vitest.globTestSpecifications()).length === modules.length;
    const open = lines.filter(({ file, words }) => {
      const module = ran.get(file);
      if (!module) return isWhole;
      const tests = [...module.children.allTests()].filter(({ fullName }) => hasWords(fullName, words));
      const wanting = tests.filter((test) => {
        const { state } = test.result();
        return state !== "passed" && !(state === "skipped" && hasNoServer);
      });
      return tests.length === 0 || wanting.length > 0;
    });
    if (open.length === 0) return;
    const told = open.map(
      ({ document, statement, file, words }) => `  ${document}: ${statement}\n    ${file} › ${words}`,
    );
    process.stderr.write(`\nNo test has shown what these documents say it shows:\n${told.join("\n")}\n\n`);
    process.exitCode = 1;
  }
}

/** As a plugin, so that it reports whatever reporters the command line asks for. */
export function traceability(): Plugin {
  return {
    name: "traceability",
    configureVitest({ vitest }) {
      const { reporters } = vitest.config;
      if (!reporters.some((reporter) => reporter instanceof TraceabilityReporter))
        reporters.push(new TraceabilityReporter());
    },
  };
}
