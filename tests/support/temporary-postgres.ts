/** A PostgreSQL of its own in a temporary folder, which may be killed and started again: for what a shared server cannot be put through. */
import { execFileSync } from "node:child_process";
import { chownSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Debian keeps the programs off the PATH. */
function programOf(name: string): string {
  const [newest] = globSync(`/usr/lib/postgresql/*/bin/${name}`).toSorted((a, b) =>
    b.localeCompare(a, "en", { numeric: true }),
  );
  return newest ?? name;
}

const idOf = (flag: "-u" | "-g") =>
  Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }).trim());

/**
 * Starts it on `port` of the loopback.
 * @throws Error where PostgreSQL is not installed
 */
export function startPostgres(port: number) {
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  // It refuses to run as root.
  const owner = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, "data");
  const run = (program: string, ...args: string[]) =>
    execFileSync(programOf(program), args, { ...owner, cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const start = () =>
    run(
      "pg_ctl",
      "-D",
      data,
      "-w",
      "-l",
      join(folder, "log"),
      "-o",
      `-p ${port} -c listen_addresses=127.0.0.1 -k ${folder}`,
      "start",
    );
  run("initdb", "-D", data, "-U", "tests", "--auth", "trust", "--no-instructions");
  start();
  return {
    url: `postgres://tests@127.0.0.1:${port}/postgres`,
    /** Ends all its processes at once, as a loss of power does, and starts it again: it recovers from its log. */
    crash: () => {
      run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop");
      start();
    },
    stop: () => {
      run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop");
      rmSync(folder, { recursive: true });
    },
  };
}
