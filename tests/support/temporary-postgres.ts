/** A PostgreSQL of its own in a temporary folder, which may be killed and started again: for what a shared server cannot be put through. */
import { execFileSync } from "node:child_process";
import { chownSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

export const hasPostgres = existsSync(programOf("initdb"));

/** An authority of its own, as those who run servers have, and the certificate of `localhost` that it signed. */
function certify(folder: string): string {
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
  const made = ["-newkey", "rsa:2048", "-nodes", "-days", "2"];
  openssl(
    "req",
    "-x509",
    ...made,
    "-keyout",
    "ca.key",
    "-out",
    "ca.crt",
    "-subj",
    "/CN=An authority of its own",
  );
  writeFileSync(join(folder, "names"), "subjectAltName=DNS:localhost");
  openssl(
    "req",
    ...made.slice(0, 3),
    "-keyout",
    "server.key",
    "-out",
    "server.csr",
    "-subj",
    "/CN=localhost",
  );
  const signed = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names"];
  openssl("x509", "-req", "-in", "server.csr", "-days", "2", ...signed, "-out", "server.crt");
  return join(folder, "ca.crt");
}

/**
 * Starts it on `port` of the loopback.
 * @param isEncrypted whether it offers TLS, by a certificate of an authority of its own
 * @throws Error where PostgreSQL is not installed
 */
export function startPostgres(port: number, isEncrypted = false) {
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  // It refuses to run as root.
  const owner = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  const authority = isEncrypted ? certify(folder) : null;
  if (owner.uid !== undefined) {
    for (const path of [folder, ...globSync(join(folder, "*"))]) chownSync(path, owner.uid, owner.gid);
  }
  const tls = `-c ssl=on -c ssl_cert_file=${folder}/server.crt -c ssl_key_file=${folder}/server.key`;
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
      `-p ${port} -c listen_addresses=127.0.0.1 -k ${folder}${isEncrypted ? ` ${tls}` : ""}`,
      "start",
    );
  run("initdb", "-D", data, "-U", "tests", "--auth", "trust", "--no-instructions");
  start();
  return {
    /** The file of the authority's certificate. */
    authority,
    url: `postgres://tests@127.0.0.1:${port}/postgres`,
    /** Ends all its processes at once, as a loss of power does, and starts it again: it recovers from its log. */
    crash: () => {
      run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop");
      start();
    },
    /** Starts it again as a standby, which can be read and takes no writes, until it is promoted. */
    demote: () => {
      run("pg_ctl", "-D", data, "-m", "fast", "-w", "stop");
      run("touch", join(data, "standby.signal"));
      start();
    },
    promote: () => run("pg_ctl", "-D", data, "-w", "promote"),
    stop: () => {
      run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop");
      rmSync(folder, { recursive: true });
    },
  };
}
