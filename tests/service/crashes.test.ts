/** A service that is killed under load, a few times, while the clocks of its machines jump: `npm run crashes` does it fifty times on each database, and lets PostgreSQL crash too. */
import { afterEach, expect, onTestFinished, test } from "vitest";
import { crashUnderLoad } from "../support/crashes.ts";
import { jumpingClocks } from "../support/clock-jumps.ts";
import { hasPooler, startPooler } from "../support/pooler.ts";
import { killAll } from "../support/service-process.ts";
import { repeats } from "../support/lane.ts";
import { databases, servers } from "./support.ts";

afterEach(killAll);

test.each(databases)(
  "nothing that was acknowledged is lost or doubled by kill -9 and jumping clocks under load, on the %s database",
  async (kind) => {
    const clocks = jumpingClocks();
    onTestFinished(clocks.remove);
    const server = kind === "embedded" ? null : (servers[0] ?? "");
    const { wrong, counts } = await crashUnderLoad({
      server,
      kills: 2,
      clients: 3,
      processes: server === null ? 1 : 2,
      clocks,
    });
    expect(wrong).toEqual([]);
    expect(counts["orders acknowledged"]).toBeGreaterThan(0);
  },
  300_000,
);

// Where a server and PgBouncer can be had.
test.each(repeats && hasPooler ? servers : [])(
  "two processes behind a pooler in transaction mode, killed under load, lose and double nothing either",
  async (server) => {
    const pooler = await startPooler(server);
    onTestFinished(pooler.stop);
    const { through } = pooler;
    const { wrong, counts } = await crashUnderLoad({ server, through, kills: 2, clients: 3, processes: 2 });
    expect(wrong).toEqual([]);
    expect(counts["orders acknowledged"]).toBeGreaterThan(0);
  },
  300_000,
);
