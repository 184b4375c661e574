/** `npm run faults`: puts a known fault into a chart as it is loaded, and asks whether the chart's own tests catch it. No file is changed. */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createVitest, type Vitest } from "vitest/node";
import { faults, misplace, sourceOf, type Fault } from "./known-faults.ts";

const root = join(import.meta.dirname, "../..");

/** The names of the tests that fail. @throws when the tests could not be run: that is no test's merit. */
function failedTests(vitest: Vitest): string[] {
  const modules = vitest.state.getTestModules();
  const [broken] = [...modules.flatMap((module) => module.errors()), ...vitest.state.getUnhandledErrors()];
  if (broken) throw broken;
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  if (tests.length === 0) throw new Error("The chart has no tests.");
  return tests.filter((one) => one.result().state === "failed").map(({ fullName }) => fullName);
}

/** The tests of a chart that fail with this fault in it, or with none. */
async function failing(chart: string, fault?: Fault): Promise<string[]> {
  const vitest = await createVitest(
    "test",
    {
      root,
      config: false,
      include: [`tests/machines/${chart}.test.ts`],
      watch: false,
      reporters: [{}],
      // A busy machine must not pass for a test that fails.
      testTimeout: 60_000,
      // It would hand out the chart without the fault, or with another.
      fsModuleCache: false,
    },
    {
      plugins: [
        {
          name: "fault",
          enforce: "pre",
          transform: (source, id) =>
            fault && id === join(root, sourceOf(fault)) ? misplace(source, fault) : undefined,
        },
      ],
    },
  );
  try {
    await vitest.start();
    return failedTests(vitest);
  } finally {
    await vitest.close();
  }
}

const charts = [...new Set(faults.map(({ chart }) => chart))];
for (const fault of faults) misplace(readFileSync(join(root, sourceOf(fault)), "utf8"), fault);

const say = (line: string) => process.stdout.write(`${line}\n`);
const caught = new Map<Fault, readonly string[]>();
const left = [...charts];
// A chart after the other in each lane: as many lanes as there are cores to run them.
const lanes = Array.from({ length: Math.min(charts.length, availableParallelism()) }, async () => {
  for (let chart = left.shift(); chart !== undefined; chart = left.shift()) {
    const [broken] = await failing(chart);
    // A test that fails anyway catches nothing.
    if (broken !== undefined) throw new Error(`${chart} fails without a fault: ${broken}`);
    for (const fault of faults.filter((one) => one.chart === chart)) {
      caught.set(fault, await failing(chart, fault));
    }
  }
});
await Promise.all(lanes);

const slipped = faults.filter((fault) => caught.get(fault)?.length === 0);
for (const fault of faults) {
  const [first = "SLIPPED", ...more] = caught.get(fault) ?? [];
  const others = more.length > 0 ? ` (and ${more.length} more)` : "";
  say(`${fault.chart.padEnd(8)}  ${fault.words.padEnd(64)}  ${first}${others}`);
}
say(`\n${faults.length - slipped.length} of ${faults.length} faults are caught.`);
process.exitCode = slipped.length === 0 ? 0 : 1;
