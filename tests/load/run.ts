/** `npm run load`: what the service answers, side by side with a bare handler, on each database; journeys at a fixed rate, and the most of them; the same calls on more and more rows; a year of a shop; the answer without a database while orders are made; memory. `-- --only ratios,idle,journeys,most,growth,year,memory`, `-- --database embedded`, `-- --seconds 5 --pairs 5`, `-- --rate 4`, `-- --minutes 10`, `-- --members 1000,1000000 --kept <databases> --parts calls,jobs,index,export,backup`, `-- --profile <folder>`. How to read it: docs/performance.md. */
// oxlint-disable no-console -- a tool answers on the console
import { availableParallelism, loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { measureGrowth } from "./growth.ts";
import { mostJourneys, runJourneys, watchIdleCall } from "./journeys.ts";
import { calls, compare, fire, type Block } from "./ratios.ts";
import { median } from "./report.ts";
import { measureYear } from "./year.ts";
import { setUpLoad, type LoadSetup } from "./setup.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "ratios,idle,journeys,memory" },
    calls: { type: "string", default: calls.join(",") },
    database: { type: "string", default: "embedded,PostgreSQL" },
    connections: { type: "string", default: "10" },
    seconds: { type: "string", default: "5" },
    pairs: { type: "string", default: "5" },
    /** Journeys a second, and seconds of them. */
    rate: { type: "string", default: "4" },
    journeys: { type: "string", default: "30" },
    minutes: { type: "string", default: "10" },
    /** Orders in the database, a tenth as many members: each by itself, side by side. */
    rows: { type: "string", default: "1000,100000" },
    /** Members of the shops whose year is measured, side by side. */
    members: { type: "string", default: "1000,1000000" },
    /** Databases on the server that hold such years already, and what is measured of them. */
    kept: { type: "string", default: "" },
    parts: { type: "string", default: "calls,jobs,index,export,backup" },
    /** A folder for processor profiles of the service. */
    profile: { type: "string" },
  },
});
const server = process.env["TEST_DATABASE_URL"];
const wanted = new Set(values.only.split(","));
const seconds = Number(values.seconds);
/** Connections that make orders, and calls a second without a database meanwhile. */
const ORDERING = 20;
const LOOKING = 50;
/** Ms until a process that was started has come to rest. */
const REST = 15_000;

const round = (value: number) => Math.round(value);
const middle = (blocks: readonly Block[], figure: (block: Block) => number) => median(blocks.map(figure));

/** With a profile, where one is asked for. */
const startService = (setup: LoadSetup) =>
  setup.service(values.profile === undefined ? {} : { profile: values.profile });

async function ratios(setup: LoadSetup): Promise<void> {
  const service = await startService(setup);
  const bare = await setup.bare();
  const rows: Record<string, unknown> = {};
  for (const call of calls.filter((each) => values.calls.split(",").includes(each))) {
    const compared = await compare(service, bare, call, {
      connections: Number(values.connections),
      seconds,
      pairs: Number(values.pairs),
    });
    const of = (name: "service" | "bare") => ({
      [`${name}, calls/s`]: round(middle(compared[name], ({ rate }) => rate)),
      [`${name}, µs of processor`]: round(middle(compared[name], ({ processor }) => processor)),
      [`${name}, µs of PostgreSQL's`]: round(middle(compared[name], ({ server: spent }) => spent)),
      [`${name}, p99 ms`]: round(middle(compared[name], ({ latency }) => latency.p99)),
    });
    rows[call] = { ratio: compared.ratio.toFixed(2), ...of("service"), ...of("bare") };
  }
  console.table(rows);
  await bare.stop();
  await service.stop();
}

async function idleCall(setup: LoadSetup): Promise<void> {
  const service = await setup.service();
  await fire(service, "order creation", ORDERING, 2);
  const stop = new AbortController();
  const watched = watchIdleCall(service.origin, LOOKING, stop.signal);
  const { rate } = await fire(service, "order creation", ORDERING, Math.max(10, seconds));
  stop.abort();
  console.log(`Twenty connections make ${round(rate)} orders a second; meanwhile:`);
  console.table(await watched);
  await service.stop();
}

async function journeys(setup: LoadSetup, processes: number): Promise<void> {
  const services = await Promise.all(Array.from({ length: processes }, () => startService(setup)));
  const run = await runJourneys(
    services.map(({ origin }) => origin),
    Number(values.rate),
    Number(values.journeys),
  );
  console.log(
    `${processes} process(es), ${run.offered} journeys offered a second, ${run.done} done, ${run.failures.length} failed`,
  );
  for (const failure of new Set(run.failures)) console.log(failure);
  console.table(run.rows);
  for (const service of services) await service.stop();
  if (run.failures.length > 0) process.exitCode = 1;
}

async function most(setup: LoadSetup, processes: number): Promise<void> {
  const services = await Promise.all(Array.from({ length: processes }, () => startService(setup)));
  const origins = services.map(({ origin }) => origin);
  console.log(`${processes} process(es): ${await mostJourneys(origins, console.log)} journeys a second`);
  for (const service of services) await service.stop();
}

async function growth(place: string | null): Promise<void> {
  const sizes = values.rows.split(",").map(Number);
  console.table(await measureGrowth(place, sizes, { seconds, rounds: Number(values.pairs) }));
}

async function memory(setup: LoadSetup): Promise<void> {
  const service = await setup.service();
  await pause(REST);
  const atRest = service.memory();
  const minutes = Number(values.minutes);
  const share = (minutes * 60) / calls.length;
  for (const call of calls) await fire(service, call, Number(values.connections), share);
  console.log(
    `Resident memory: ${round(atRest)} MB at rest, ${round(service.memory())} MB after ${minutes} minutes of load`,
  );
  await service.stop();
}

for (const database of values.database.split(",")) {
  if (database === "PostgreSQL" && server === undefined) {
    console.log("TEST_DATABASE_URL names no PostgreSQL: the embedded database alone.");
    continue;
  }
  const place = database === "PostgreSQL" ? (server ?? "") : null;
  const setup = await setUpLoad(place);
  try {
    console.log(`\n${database}; ${availableParallelism()} processors, load ${loadavg()[0]?.toFixed(1)}`);
    if (wanted.has("ratios")) await ratios(setup);
    if (wanted.has("idle")) await idleCall(setup);
    if (wanted.has("journeys")) await journeys(setup, 1);
    if (wanted.has("journeys") && database === "PostgreSQL") await journeys(setup, 2);
    if (wanted.has("most")) await most(setup, 1);
    if (wanted.has("most") && database === "PostgreSQL") await most(setup, 2);
    if (wanted.has("growth")) await growth(place);
    if (wanted.has("year") && place !== null)
      console.table(
        await measureYear({
          server: place,
          sizes: values.members.split(",").map(Number),
          kept: values.kept === "" ? [] : values.kept.split(","),
          parts: new Set(values.parts.split(",")),
          seconds,
        }),
      );
    if (wanted.has("memory")) await memory(setup);
  } finally {
    await setup.drop();
  }
}
