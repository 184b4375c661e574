/** Says what the time of the workers went into, project by project: to begin, to load what a file imports, and to run its tests. */
import type { Plugin } from "vitest/config";
import type { Reporter, TestModule } from "vitest/node";

/** So few files are run to see whether they pass. */
const FEW = 10;
const columns = ["project", "files", "tests", "begin, s", "import, s", "tests, s"];

class TimeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < FEW) return;
    const names = [...new Set(modules.map(({ project }) => project.name))];
    const rows = names.map((name) => {
      const own = modules.filter(({ project }) => project.name === name);
      const sum = (of: (module: TestModule) => number) => own.reduce((all, module) => all + of(module), 0);
      const seconds = (of: (each: ReturnType<TestModule["diagnostic"]>) => number) =>
        String(Math.round(sum((module) => of(module.diagnostic())) / 1_000));
      return [
        name,
        String(own.length),
        String(sum((module) => [...module.children.allTests()].length)),
        seconds(
          ({ environmentSetupDuration, prepareDuration }) => environmentSetupDuration + prepareDuration,
        ),
        seconds(({ setupDuration, collectDuration }) => setupDuration + collectDuration),
        seconds(({ duration }) => duration),
      ];
    });
    const widthOf = (at: number) => Math.max(...[columns, ...rows].map((row) => row[at]?.length ?? 0));
    const lines = [columns, ...rows].map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widthOf(at)) : cell.padStart(widthOf(at))))
        .join("  ")
        .trimEnd(),
    );
    process.stdout.write(`\nWhat the time of the workers went into\n\n${lines.join("\n")}\n\n`);
  }
}

/** As a plugin, so that it reports whatever reporters the command line asks for. */
export function times(): Plugin {
  return {
    name: "times",
    configureVitest({ vitest }) {
      const { reporters } = vitest.config;
      if (!reporters.some((reporter) => reporter instanceof TimeReporter)) reporters.push(new TimeReporter());
    },
  };
}
