/** Adds up what the tests walked of each chart, shows it as a table, and fails the run for what no test walked. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vitest/config";
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { BROWSER_CHARTS, WITHOUT_A_LOOK } from "./coverage.ts";

const levels = { chart: "machines", screen: "views", browser: "browser" } as const;
type Level = keyof typeof levels;

/** The ids of all charts there are. */
const chartsIn = (folder: string): string[] =>
  readdirSync(folder)
    .map((name) => /createMachine\(\{\s*id: "(\w+)"/.exec(readFileSync(join(folder, name), "utf8"))?.[1])
    .filter((id) => id !== undefined);

class CoverageReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const vitest = this.#vitest;
    if (!vitest || vitest.config.watch) return;
    const walks = modules
      .flatMap((module) => [...module.children.allTests()])
      .filter((each) => each.result().state === "passed")
      .flatMap((each) => each.meta().walk ?? []);
    if (walks.length === 0) return;

    const specifications = await vitest.globTestSpecifications();
    // A run of selected files or tests does not include the others.
    const isWhole = (level: Level) => {
      const countOf = (all: readonly { project: { name: string } }[]) =>
        all.filter(({ project }) => project.name === levels[level]).length;
      const count = countOf(modules);
      return vitest.config.testNamePattern === undefined && count > 0 && count === countOf(specifications);
    };
    const charts = chartsIn(join(vitest.config.root, "machines"));
    const gaps: string[] = [];
    const rows = charts.map((chart) => {
      const of = (level: Level) => walks.filter((walk) => walk.level === level);
      const paths = (level: Level) =>
        of(level).reduce((sum, walk) => sum + (walk.chart === chart ? walk.paths : 0), 0);
      const walked = (level: Level) => new Set(of(level).flatMap((walk) => walk.states[chart] ?? []));
      const whole = of("chart").find((walk) => walk.chart === chart && walk.whole)?.whole;
      if (!whole) {
        if (isWhole("chart")) gaps.push(`${chart}: not walked whole`);
        return [chart, "", "", "", "", "", "", ""];
      }
      const seen = (level: Level) => {
        const looks = whole.states.filter((id) => !(id in WITHOUT_A_LOOK));
        const missed = looks.filter((id) => !walked(level).has(id));
        const isDue = level === "screen" || BROWSER_CHARTS.includes(chart);
        if (isDue && isWhole("chart") && isWhole(level)) {
          gaps.push(
            ...missed.map(
              (id) => `${id}: never seen ${level === "screen" ? "on the screen" : "in a browser"}`,
            ),
          );
        }
        return paths(level) > 0 || (isDue && isWhole(level))
          ? `${looks.length - missed.length}/${looks.length}`
          : "";
      };
      return [
        chart,
        `${walked("chart").size}/${whole.all}`,
        `${whole.transitions}/${whole.transitions}`,
        String(paths("chart")),
        seen("screen"),
        String(paths("screen") || ""),
        seen("browser"),
        String(paths("browser") || ""),
      ];
    });
    const head = ["chart", "states", "transitions", "paths", "on screen", "paths", "in browser", "paths"];
    const widths = head.map((title, column) =>
      Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
    );
    const lines = [head, ...rows.filter((row) => row[1] !== "")].map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  "),
    );
    process.stdout.write(`\nWhat was walked of the charts\n\n${lines.join("\n")}\n\n`);
    if (gaps.length === 0) return;
    process.stderr.write(`Not walked:\n${gaps.map((gap) => `  ${gap}`).join("\n")}\n\n`);
    process.exitCode = 1;
  }
}

/** As a plugin, so that it reports whatever reporters the command line asks for. */
export function coverage(): Plugin {
  return {
    name: "chart-coverage",
    configureVitest({ vitest }) {
      const { reporters } = vitest.config;
      if (!reporters.some((reporter) => reporter instanceof CoverageReporter))
        reporters.push(new CoverageReporter());
    },
  };
}
