/** Exchanges two services of an earlier release for two of this one behind HAProxy, one after the other, while clients register, order and pay, and back again; no call may fail: `npm run rolling -- --from <commit>`, with `--rounds 3 --clients 4`. `TEST_DATABASE_URL` names the PostgreSQL. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { crashUnderLoad } from "../support/crashes.ts";
import { bundled, killAll } from "../support/service-process.ts";
import { freePort } from "../support/temporary-database.ts";

const { values } = parseArgs({
  options: {
    from: { type: "string" },
    rounds: { type: "string", default: "3" },
    clients: { type: "string", default: "4" },
  },
});
const server = process.env["TEST_DATABASE_URL"];
if (values.from === undefined || server === undefined)
  throw new Error("Name the release before by --from <commit>, and PostgreSQL by TEST_DATABASE_URL.");
const rounds = Number(values.rounds);
const say = (text: string) => process.stdout.write(`${text}\n`);
const root = resolve(import.meta.dirname, "../..");
const earlier = mkdtempSync(join(tmpdir(), "release-"));

/** The bundle of that commit, among its own migrations. */
function build(commit: string): string {
  const tree = join(earlier, "tree");
  execFileSync("git", ["worktree", "add", "--detach", "--quiet", tree, commit], { cwd: root });
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  execFileSync("npm", ["run", "--silent", "build:service"], { cwd: tree });
  return join(tree, "build/service.js");
}

/** Ms under load before each exchange, and after a service is there until it is asked again. */
const CALM = 3_000;
const CHECKED = 1_500;

const socket = join(earlier, "haproxy.sock");
/** Has HAProxy send a service no more calls, or calls again. Without it, one that was just connected is cut off by the stop. */
async function setState(at: number, state: "drain" | "ready"): Promise<void> {
  const asked = connect(socket);
  asked.end(`set server everlit/service${at + 1} state ${state}\n`);
  asked.resume();
  await once(asked, "close");
}

let proxy: ChildProcess | undefined;
const port = await freePort();
/** As docs/hosting has it. */
function standBefore([one = 0, two = 0]: readonly number[]): string {
  proxy = spawn("haproxy", ["-db", "-f", join(root, "docs/hosting/haproxy-services.cfg")], {
    env: {
      PATH: process.env["PATH"],
      BIND: `127.0.0.1:${port}`,
      SERVICE_1: `127.0.0.1:${one}`,
      SERVICE_2: `127.0.0.1:${two}`,
      ADMIN_SOCKET: socket,
    },
    stdio: ["ignore", "ignore", "ignore"],
  });
  return `http://127.0.0.1:${port}`;
}

let tally;
try {
  const before = build(values.from);
  const releases = { forward: bundled(), back: before };
  // Each round both are exchanged, and both are exchanged back.
  const steps = (["forward", "back"] as const).flatMap((way) => [0, 1].map((at) => ({ way, at })));
  tally = await crashUnderLoad({
    server,
    kills: rounds * steps.length,
    clients: Number(values.clients),
    processes: 2,
    settings: { TRUSTED_PROXIES: "1" },
    bundle: before,
    before: standBefore,
    async strike(number, { stop, start }) {
      const step = steps[(number - 1) % steps.length];
      if (!step) return;
      await pause(CALM);
      await setState(step.at, "drain");
      await pause(CHECKED);
      await stop(step.at);
      await start(step.at, releases[step.way]);
      await setState(step.at, "ready");
      await pause(CHECKED);
      say(`${number}: service ${step.at + 1} is exchanged, ${step.way}`);
    },
    onFailure: say,
    say,
  });
} finally {
  killAll();
  proxy?.kill();
  execFileSync("git", ["worktree", "remove", "--force", join(earlier, "tree")], { cwd: root });
  rmSync(earlier, { recursive: true, force: true });
}

for (const [what, count] of Object.entries(tally.counts))
  say(`${what.padEnd(48)}${String(count).padStart(10)}`);
for (const each of tally.wrong) say(each);
const failed = ["requests cut off or not taken", "requests answered with 5xx"].filter(
  (what) => tally.counts[what] !== 0,
);
for (const what of failed) say(`Wrong: ${what}.`);
if (tally.wrong.length + failed.length > 0) process.exitCode = 1;
