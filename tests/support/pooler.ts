/** PgBouncer in front of a PostgreSQL server, in transaction mode: a connection is another session of the server at each transaction. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "./temporary-database.ts";

/** Fewer than a process has connections, so that they do share them. */
const SESSIONS = 3;

export const hasPooler = spawnSync("pgbouncer", ["--version"]).status === 0;

/** @param server PostgreSQL, `postgres://…`, with the user that all who connect become */
export async function startPooler(server: string) {
  const { hostname, port, username, password } = new URL(server);
  const folder = mkdtempSync(join(tmpdir(), "pooler-"));
  // It refuses to be root, and reads the file as someone else.
  chmodSync(folder, 0o755);
  const settings = join(folder, "pgbouncer.ini");
  const own = await freePort();
  const reach = { host: hostname, port: port || "5432", user: username, password };
  writeFileSync(
    settings,
    `[databases]
* = ${Object.entries(reach)
      .map(([name, value]) => `${name}=${decodeURIComponent(value)}`)
      .join(" ")}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SESSIONS}
max_client_conn = 200
`,
  );
  const userFlags = process.getuid?.() === 0 ? ["-u", "postgres"] : [];
  const child = spawn("pgbouncer", [...userFlags, "-q", settings], { stdio: "ignore" });
  const exited = once(child, "exit");
  for (let isUp = false; !isUp;) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}.`);
    const probe = connect(own, "127.0.0.1");
    isUp = await once(probe, "connect").then(
      () => true,
      () => false,
    );
    probe.destroy();
    if (!isUp) await pause(50);
  }
  return {
    /** The address of a database of the server, by way of the pooler. */
    through(location: string): string {
      const address = new URL(location);
      address.hostname = "127.0.0.1";
      address.port = String(own);
      return address.href;
    },
    async stop(): Promise<void> {
      child.kill("SIGKILL");
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}
