/** Fills the disk under the embedded database and the log while accounts register, then under the log alone, frees it again, and counts what was acknowledged and lost: `npm run full-disk`, as root on Linux. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { paths } from "../../src/contract/calls.ts";
import { bundled } from "../support/service-process.ts";
import { freePort } from "../support/temporary-database.ts";

/** More than a new database and its write-ahead log take, and a log, in MB. */
const [SIZE, LOG_SIZE] = [160, 8];
/** Bytes that are left when the disk counts as full. */
const LEFT = 32 * 1024;
/** Registrations before the disk is full, and after; and calls while the log's is. */
const [BEFORE, FULL, CALLS] = [10, 300, 6_000];
const PASSWORD = "correct horse battery";
const LIMITS = {
  REGISTRATIONS_PER_MINUTE: "0",
  LOGIN_FAILURES_PER_MINUTE: "0",
  REQUESTS_PER_MINUTE: "0",
  ACCOUNT_REQUESTS_PER_MINUTE: "0",
};

const say = (line: string) => process.stdout.write(`${line}\n`);

if (process.getuid?.() !== 0) {
  say("Only root may mount a small disk: skipped.");
  process.exit();
}

/** A small disk of its own, which `fill` fills. */
function smallDisk(megabytes: number) {
  const disk = mkdtempSync(join(tmpdir(), "full-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", disk]);
  const filler = join(disk, "filler");
  return {
    disk,
    fill() {
      const { bavail, bsize } = statfsSync(disk);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - LEFT)));
    },
    free: () => rmSync(filler),
    remove: () => execFileSync("umount", ["-l", disk]),
  };
}

/** The service with its log in a file. */
async function start(directory: string, log: string) {
  const port = await freePort();
  const file = openSync(log, "a");
  const child = spawn(process.execPath, [bundled()], {
    env: { PATH: process.env["PATH"], PORT: String(port), DATA_DIR: directory, ...LIMITS },
    stdio: ["ignore", file, "pipe"],
  });
  closeSync(file);
  let said = "";
  child.stderr?.on("data", (text: Buffer) => (said += text.toString()));
  const closed = once(child, "close");
  const origin = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(origin + paths.packages).then(
      ({ ok }) => ok,
      () => false,
    );
  while (child.exitCode === null && !(await isUp())) await pause(100);
  return { child, origin, closed, said: () => said.trim() };
}

async function withData(): Promise<boolean> {
  const { disk, fill, free, remove } = smallDisk(SIZE);
  try {
    const [data, log] = [join(disk, "data"), join(disk, "log")];
    const known: string[] = [];
    const answers = new Map<string, number>();
    async function ask(origin: string, path: string, name: string): Promise<boolean> {
      const body = JSON.stringify({ account_name: name, password: PASSWORD });
      const headers = { "Content-Type": "application/json" };
      try {
        const response = await fetch(origin + path, { method: "POST", body, headers });
        const { code, message } = (await response.json()) as { code: number; message: string };
        const words = `${response.status} ${code} ${message}`;
        answers.set(words, (answers.get(words) ?? 0) + 1);
        return code === 200;
      } catch {
        answers.set("no answer", (answers.get("no answer") ?? 0) + 1);
        return false;
      }
    }

    const first = await start(data, log);
    for (let at = 0; at < BEFORE; at += 1)
      if (await ask(first.origin, paths.register, `before ${at}`)) known.push(`before ${at}`);
    fill();
    for (let at = 0; at < FULL && first.child.exitCode === null; at += 1)
      if (await ask(first.origin, paths.register, `full ${at}`)) known.push(`full ${at}`);
    const ended = first.child.exitCode;
    first.child.kill("SIGKILL");
    await first.closed;

    const full = await start(data, log);
    const refusal = full.child.exitCode === null ? "it starts" : (full.said().split("\n").at(-1) ?? "");
    full.child.kill("SIGKILL");
    await full.closed;
    free();
    const again = await start(data, log);
    answers.set("after the disk was freed:", 0);
    const lost: string[] = [];
    for (const name of known) if (!(await ask(again.origin, paths.login, name))) lost.push(name);
    const works = await ask(again.origin, paths.register, "after");
    again.child.kill("SIGTERM");
    await again.closed;

    say("the disk of the data and the log:");
    for (const [words, times] of answers) say(`${String(times).padStart(6)}  ${words}`);
    const errors = new Set(readFileSync(log, "utf8").match(/"error":"[^"]*"/g) ?? []);
    say(`errors in the log: ${[...errors].join(", ") || "none"}`);
    say(`the process on the full disk ended with: ${ended ?? "it did not end"}`);
    say(`a start on the full disk: ${refusal}`);
    say(
      `acknowledged ${known.length}, lost ${lost.length}; afterwards it ${works ? "works" : "does not work"}`,
    );
    return lost.length === 0 && works;
  } finally {
    remove();
  }
}

async function withLogAlone(): Promise<boolean> {
  const { disk, fill, free, remove } = smallDisk(LOG_SIZE);
  const data = mkdtempSync(join(tmpdir(), "full-disk-data-"));
  try {
    const log = join(disk, "log");
    fill();
    const service = await start(data, log);
    const calls = () => readFileSync(log, "utf8").split('"event":"call"').length - 1;
    let answered = 0;
    for (let at = 0; at < CALLS; at += 1)
      answered += (await fetch(service.origin + paths.packages)).ok ? 1 : 0;
    const whileFull = calls();
    free();
    const told = () => /"event":"log lines lost","lines":(\d+)/.exec(readFileSync(log, "utf8"))?.[1];
    while (service.child.exitCode === null && told() === undefined) await pause(100);
    const lost = Number(told());
    service.child.kill("SIGTERM");
    const [code] = (await service.closed) as [number | null];
    // One more was asked to see that it was up.
    const written = calls();
    say("the disk of the log alone:");
    say(`answered ${answered} of ${CALLS}; ended with ${code} when told`);
    say(
      `lines of calls: ${whileFull} before it was full, ${written - whileFull} waited, ${lost} lost and told of`,
    );
    return answered === CALLS && code === 0 && written + lost === CALLS + 1;
  } finally {
    rmSync(data, { recursive: true });
    remove();
  }
}

const isRight = [await withData(), await withLogAlone()];
if (isRight.includes(false)) process.exitCode = 1;
