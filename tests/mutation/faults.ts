/** `npm run faults`: puts a known fault into a chart as it is loaded, and asks whether the chart's own tests catch it. No file is changed. */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createVitest, type Vitest } from "vitest/node";

interface Fault {
  chart: string;
  /** What is wrong then. */
  words: string;
  /** Where a chart's verbs have a file of their own. */
  file?: string;
  /** Stands once in that source. */
  right: string;
  wrong: string;
}

/** Three of each chart: a guard turned round, a transition left out, a delay that is another. */
const faults: readonly Fault[] = [
  {
    chart: "session",
    words: "a stored name that is the same counts as another's",
    right: "userName === context.userName",
    wrong: "userName !== context.userName",
  },
  {
    chart: "session",
    words: "a changed password does not end the session",
    right: `"password.changed": { target: "signedOut", actions: ["forgetName", "announceEnded"] },`,
    wrong: "",
  },
  { chart: "session", words: "a logout waits for the API for 4 s", right: "3_000", wrong: "4_000" },
  { chart: "register", words: "the box must be unticked", right: "=> !agreement", wrong: "=> agreement" },
  {
    chart: "register",
    words: "waiting for the account cannot be given up",
    right: `on: { "waiting.dropped": { target: "editing", actions: "forgetCredentials" } },`,
    wrong: "",
  },
  { chart: "register", words: "the box shakes for 400 ms", right: "shake: 500", wrong: "shake: 400" },
  {
    chart: "order",
    words: "the countdown has run out while it runs",
    right: "hasRunOut: ({ context }) => secondsLeft(context) === 0",
    wrong: "hasRunOut: ({ context }) => secondsLeft(context) !== 0",
  },
  {
    chart: "order",
    words: "an expired order does not look at the clock when it is seen",
    right: `expired: { after: { second: "readingClock" }, on: { "page.seen": "readingClock" } },`,
    wrong: `expired: { after: { second: "readingClock" } },`,
  },
  { chart: "order", words: "a second is 1.1 s", right: "second: 1_000", wrong: "second: 1_100" },
  {
    chart: "bill",
    words: "every status but 1 is confirmed",
    right: "reading.status === 1",
    wrong: "reading.status !== 1",
  },
  {
    chart: "bill",
    words: "a bill that stopped does not ask when it is seen",
    right: `stopped: { on: { "page.seen": "asking", "check.asked": "asking" } },`,
    wrong: `stopped: { on: { "check.asked": "asking" } },`,
  },
  { chart: "bill", words: "asks for eleven minutes", right: "600_000", wrong: "660_000" },
  {
    chart: "card",
    file: "card-setup",
    words: "what the provider calls cancelled is failed, and the reverse",
    right: "/cancelled/i.test(description)",
    wrong: "!/cancelled/i.test(description)",
  },
  {
    chart: "card",
    words: "a payment without a word cannot be given up",
    right: `on: { "waiting.dropped": "unpaid.outcome.dropped" },`,
    wrong: "",
  },
  {
    chart: "card",
    file: "card-setup",
    words: "asks for 33 s before it hands over",
    right: "30_000",
    wrong: "33_000",
  },
];

const root = join(import.meta.dirname, "../..");
const nameOf = ({ chart, file = chart }: Fault) => `machines/${file}.ts`;

/** @throws when the source no longer has the text that the fault is about. */
function misplace(source: string, fault: Fault): string {
  const { words, right, wrong } = fault;
  const [before, after, ...more] = source.split(right);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`${nameOf(fault)} has not just one '${right}': '${words}' is a fault of another text.`);
  }
  return before + wrong + after;
}

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
            fault && id === join(root, nameOf(fault)) ? misplace(source, fault) : undefined,
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
for (const fault of faults) misplace(readFileSync(join(root, nameOf(fault)), "utf8"), fault);

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
