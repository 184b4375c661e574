/** The log's output: full, slow, gone or never read, it stops nothing, and tells of the lines that were lost. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createOutput, type Write } from "../../src/service/platform/log-output.ts";
import { keepForRestore } from "../../src/service/platform/restore-log.ts";
import { freePort } from "../support/temporary-database.ts";
import { bundled, killAll } from "../support/service-process.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { newPlace } from "./support.ts";

afterEach(killAll);

const LINE = `${"x".repeat(1_023)}\n`;

/** An output whose disk is full until `free`, and then takes so many bytes at a time. */
function disk(most = Infinity) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let isFull = true;
  let text = "";
  const put: Write = (bytes, done) => {
    if (isFull) {
      done(Object.assign(new Error("no space left on device"), { code: "ENOSPC" }), 0);
      return;
    }
    const part = bytes.subarray(0, most);
    text += part.toString();
    done(null, part.length);
  };
  const told: number[] = [];
  const output = createOutput(put, (lines) => {
    told.push(lines);
    output.take(`lost ${lines}\n`, false);
  });
  return {
    output,
    told,
    text: () => text,
    free: () => {
      isFull = false;
      vi.runOnlyPendingTimers();
    },
  };
}

test("on a full disk lines wait; what does not fit is counted, and told of when there is room", () => {
  const { output, told, text, free } = disk(700);
  for (let at = 0; at < 1_030; at += 1) output.take(LINE, false);
  output.flush();
  expect([text(), told, output.lost()]).toEqual(["", [], 6]);
  free();
  output.take("after\n", false);
  output.flush();
  expect(text()).toBe(`${LINE.repeat(1_024)}lost 6\nafter\n`);
  expect([told, output.lost()]).toEqual([[6], 6]);
});

test("where there is little room, frequent lines are lost before rare ones", () => {
  const { output, text, free } = disk();
  for (let at = 0; at < 600; at += 1) output.take(LINE, true);
  output.take("rare\n", false);
  free();
  expect(text()).toBe(`${LINE.repeat(512)}rare\nlost 88\n`);
});

test("what a restore needs is added to a file; where that cannot be, it is said, and goes on", () => {
  const file = join(temporaryDirectory(), "restore.log");
  const told: unknown[] = [];
  const keep = keepForRestore(file, (...line) => told.push(line));
  keep("call", { path: "/api/login" });
  keep("address series", { series: 1, ahead: 0 });
  keep("change made", { audit: 7 });
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { event: "address series", series: 1, ahead: 0 },
    { event: "change made", audit: 7 },
  ]);
  expect([statSync(file).mode & 0o777, told]).toEqual([0o600, []]);
  const folder = temporaryDirectory();
  keepForRestore(folder, (...line) => told.push(line))("change made", { audit: 8 });
  expect(told).toMatchObject([["line not kept", { file: folder }, "error"]]);
});

/** The service, its log going to `fd`. @returns how it ended, and what it answered before */
async function servesWith(fd: number | "pipe", calls: number) {
  const port = await freePort();
  const child = spawn(process.execPath, ["--liftoff-only", bundled()], {
    env: {
      PATH: process.env["PATH"],
      PORT: String(port),
      ...(await newPlace()),
      REQUESTS_PER_MINUTE: "0",
    },
    stdio: ["ignore", fd, "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  if (fd === "pipe") child.stdout?.destroy();
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/api/packegs/list`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(ask, { timeout: 60_000, interval: 100 }).toBe(200);
  const statuses = new Set<number>();
  for (let at = 0; at < calls; at += 1) statuses.add(await ask());
  child.kill("SIGTERM");
  return { statuses: [...statuses], ended: await exited };
}

const unhurt = { statuses: [200], ended: [0, null] };

test.skipIf(process.platform !== "linux")(
  "with its log on a full disk, the service starts, answers, and stops when told",
  async () => {
    const fd = openSync("/dev/full", "w");
    onTestFinished(() => closeSync(fd));
    expect(await servesWith(fd, 100)).toEqual(unhurt);
  },
  180_000,
);

test("with its log going to a pipe that is closed, the service starts, answers, and stops when told", async () => {
  expect(await servesWith("pipe", 100)).toEqual(unhurt);
}, 180_000);

test.skipIf(process.platform === "win32")(
  "with its log going to a pipe that nothing reads, the service starts, answers, and stops when told",
  async () => {
    const pipe = join(temporaryDirectory(), "pipe");
    execFileSync("mkfifo", [pipe]);
    const fd = openSync(pipe, "r+");
    onTestFinished(() => closeSync(fd));
    // Many times what a pipe holds.
    expect(await servesWith(fd, 2_000)).toEqual(unhurt);
  },
  180_000,
);

test("the last lines are in the file when the process has ended, in order", async () => {
  const file = join(temporaryDirectory(), "log");
  const fd = openSync(file, "a");
  expect(await servesWith(fd, 50)).toEqual(unhurt);
  closeSync(fd);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const events = lines
    .filter((line) => line.startsWith("{"))
    .map((line) => (JSON.parse(line) as { event: string }).event);
  expect(events.filter((event) => event === "call").length).toBeGreaterThanOrEqual(50);
  expect(events.at(-1)).toBe("stopping");
}, 180_000);
