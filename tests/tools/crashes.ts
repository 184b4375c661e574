/** Kills the service again and again while clients register, order and pay, and counts what was lost or doubled: `npm run crashes`, with `-- --kills 50 --clients 6 --database embedded`. With `-- --processes 2 --crashes 3` two processes share a PostgreSQL of their own, which crashes as well. With `-- --clocks` the clocks of the processes, and with them the embedded database's, jump by hours while they run. */
import { parseArgs } from "node:util";
import { crashUnderLoad, type Tally } from "../support/crashes.ts";
import { jumpingClocks } from "../support/clock-jumps.ts";
import { freePort } from "../support/temporary-database.ts";
import { startPostgres } from "../support/temporary-postgres.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "50" },
    clients: { type: "string", default: "6" },
    database: { type: "string" },
    processes: { type: "string", default: "1" },
    crashes: { type: "string", default: "0" },
    clocks: { type: "boolean", default: false },
  },
});
const common = {
  kills: Number(values.kills),
  clients: Number(values.clients),
  processes: Number(values.processes),
  crashes: Number(values.crashes),
};
const clocks = values.clocks ? jumpingClocks() : undefined;
/** The server is ours to crash only where it is our own. */
const own = common.crashes > 0 || common.processes > 1 ? startPostgres(await freePort()) : null;
const server = own?.url ?? process.env["TEST_DATABASE_URL"];
const kinds = [...(own ? [] : ["embedded"]), ...(server === undefined ? [] : ["PostgreSQL"])].filter(
  (kind) => values.database === undefined || kind === values.database,
);
if (server === undefined)
  process.stdout.write("TEST_DATABASE_URL names no PostgreSQL: the embedded database alone.\n");

const tallies: Tally[] = [];
try {
  for (const kind of kinds) {
    const tally = await crashUnderLoad({
      ...common,
      server: kind === "embedded" ? null : (server ?? ""),
      ...(clocks ? { clocks } : {}),
      ...(own ? { crashServer: own.crash } : {}),
      say: (text) => process.stdout.write(`${kind}: ${text}\n`),
    });
    tallies.push(tally);
  }
} finally {
  own?.stop();
  clocks?.remove();
}

const rows = Object.keys(tallies[0]?.counts ?? {});
const line = (cells: readonly (string | number)[]) =>
  `${cells.map((cell, at) => (at === 0 ? String(cell).padEnd(46) : String(cell).padStart(14))).join("")}\n`;
process.stdout.write(line(["", ...kinds]));
for (const row of rows) process.stdout.write(line([row, ...tallies.map(({ counts }) => counts[row] ?? "")]));
const wrong = tallies.flatMap((tally) => tally.wrong);
for (const each of wrong) process.stdout.write(`${each}\n`);
if (wrong.length > 0) process.exitCode = 1;
