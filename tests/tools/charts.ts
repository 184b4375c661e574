/** Draws every chart of machines/ into docs/charts: `npm run charts`. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ELK from "elkjs/lib/elk.bundled.js";
import { StateMachine, type AnyStateMachine } from "xstate";
import { readChart } from "../../src/inspector/chart.ts";
import { draw } from "../../src/inspector/drawing.ts";
import { picture } from "../../src/inspector/picture.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "docs/charts");

/** Every chart, with the file it is in and the first line of that file. */
async function findCharts(): Promise<{ chart: AnyStateMachine; file: string; purpose: string }[]> {
  const found = [];
  for (const file of readdirSync(join(root, "machines")).toSorted()) {
    const path = join(root, "machines", file);
    const words = (await import(path)) as Record<string, unknown>;
    const [purpose = ""] = readFileSync(path, "utf8").split("\n");
    for (const word of Object.values(words)) {
      if (word instanceof StateMachine) {
        found.push({
          chart: word as AnyStateMachine,
          file,
          purpose: purpose.replace(/^\/\*\* | \*\/$/g, ""),
        });
      }
    }
  }
  return found;
}

/** What docs/charts holds when it is up to date: names and contents. */
export async function drawCharts(): Promise<Map<string, string>> {
  const elk = new ELK();
  const files = new Map<string, string>();
  const index = [
    "# The charts",
    "",
    "Drawn from the code by `npm run charts`; `npm test` fails where one is out of date. A dashed frame is one of several regions that are active together, a dot is where a state begins; ↻ in a state is a port that it asks, → and ← what it does when it is entered and left, ↳ what it takes without leaving.",
    "",
  ];
  for (const { chart, file, purpose } of await findCharts()) {
    files.set(`${chart.id}.svg`, picture(await draw(readChart(chart), elk)));
    const alt = `The chart ${chart.id}`;
    index.push(
      `## ${chart.id}`,
      "",
      `${purpose} [\`machines/${file}\`](../../machines/${file})`,
      "",
      `![${alt}](${chart.id}.svg)`,
      "",
    );
  }
  files.set("README.md", index.join("\n"));
  return files;
}

/** What docs/charts holds. */
export function readDrawings(): Map<string, string> {
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

if (import.meta.main) {
  const files = await drawCharts();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  process.stdout.write(`${files.size - 1} charts are drawn in docs/charts\n`);
}
