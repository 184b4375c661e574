/** Fills the disk under the embedded database while accounts register, frees it again, and counts what was acknowledged and lost: `npm run full-disk`, as root on Linux. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { paths } from "../../src/contract/calls.ts";
import { startProcess } from "../support/service-process.ts";

/** More than a new database and its write-ahead log take, in MB. */
const SIZE = 160;
/** Bytes that are left when the disk counts as full. */
const LEFT = 32 * 1024;
/** Registrations before the disk is full, and after. */
const [BEFORE, FULL] = [10, 300];
const PASSWORD = "correct horse battery";

if (process.getuid?.() !== 0) {
  process.stdout.write("Only root may mount a small disk: skipped.\n");
  process.exit();
}
const disk = mkdtempSync(join(tmpdir(), "full-disk-"));
execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE}m`, "tmpfs", disk]);
try {
  const env = {
    DATA_DIR: join(disk, "data"),
    REGISTRATIONS_PER_MINUTE: "0",
    LOGIN_FAILURES_PER_MINUTE: "0",
    REQUESTS_PER_MINUTE: "0",
    ACCOUNT_REQUESTS_PER_MINUTE: "0",
  };
  const known: string[] = [];
  const answers = new Map<string, number>();
  async function ask(origin: string, path: string, name: string): Promise<boolean> {
    const body = JSON.stringify({ account_name: name, password: PASSWORD });
    const headers = { "Content-Type": "application/json" };
    try {
      const response = await fetch(origin + path, { method: "POST", body, headers });
      const { code, message } = (await response.json()) as { code: number; message: string };
      const said = `${response.status} ${code} ${message}`;
      answers.set(said, (answers.get(said) ?? 0) + 1);
      return code === 200;
    } catch {
      answers.set("no answer", (answers.get("no answer") ?? 0) + 1);
      return false;
    }
  }

  const first = startProcess(env);
  const origin = await first.started;
  for (let at = 0; at < BEFORE; at += 1)
    if (await ask(origin, paths.register, `before ${at}`)) known.push(`before ${at}`);
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, "filler"), Buffer.alloc(Math.max(0, bavail * bsize - LEFT)));
  for (let at = 0; at < FULL && first.child.exitCode === null; at += 1)
    if (await ask(origin, paths.register, `full ${at}`)) known.push(`full ${at}`);
  const ended = first.child.exitCode;
  first.child.kill("SIGKILL");
  await first.closed;
  const errors = [...new Set(first.output().match(/"error":"[^"]*"/g) ?? [])];

  const full = startProcess(env);
  const refusal = await full.started.then(
    () => "it starts",
    () => full.output().trim().split("\n").at(-1) ?? "",
  );
  full.child.kill("SIGKILL");
  await full.closed;
  rmSync(join(disk, "filler"));
  const again = startProcess(env);
  const origin2 = await again.started;
  answers.set("after the disk was freed:", 0);
  const lost: string[] = [];
  for (const name of known) if (!(await ask(origin2, paths.login, name))) lost.push(name);
  const works = await ask(origin2, paths.register, "after");
  again.child.kill("SIGTERM");
  await again.exited;

  for (const [said, times] of answers) process.stdout.write(`${String(times).padStart(6)}  ${said}\n`);
  process.stdout.write(`errors in the log: ${errors.join(", ") || "none"}\n`);
  process.stdout.write(`the process on the full disk ended with: ${ended ?? "it did not end"}\n`);
  process.stdout.write(`a start on the full disk: ${refusal}\n`);
  process.stdout.write(
    `acknowledged ${known.length}, lost ${lost.length}; afterwards it ${works ? "works" : "does not work"}\n`,
  );
  if (lost.length > 0 || !works) process.exitCode = 1;
} finally {
  execFileSync("umount", ["-l", disk]);
}
