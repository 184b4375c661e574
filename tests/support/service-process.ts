/** The service as a process of its own, bundled from the source as a release is, which starts several times faster. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
let bundle: string | undefined;

/** Inside the project, where the bundle finds its packages and its migrations. */
export function bundled(): string {
  if (bundle !== undefined) return bundle;
  const folder = join(root, `build/service-${process.pid}`);
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<"build:service", string>;
  };
  const [, ...words] = scripts["build:service"].replace("--outdir=build", `--outdir=${folder}`).split(" ");
  execFileSync(join(root, "node_modules/.bin/esbuild"), words, { cwd: root });
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  bundle = join(folder, "service.js");
  return bundle;
}

/** Where a service listens, by what it has said so far; undefined where it does not yet. */
export const originIn = (output: string): string | undefined => /is at (http:\/\/\S+)/.exec(output)?.[1];

const children = new Set<ChildProcess>();

/** Ends what a test has left running. */
export function killAll(): void {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
}

/**
 * Starts the service on a free port, unless `env` names one; `output` grows as it speaks.
 * @param script the bundle of another release
 */
export function startProcess(env: Record<string, string>, script = bundled()) {
  // The optimising compiler would work on the embedded database for longer than a test runs.
  const child = spawn(process.execPath, ["--liftoff-only", script], {
    env: { PATH: process.env["PATH"], PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  let output = "";
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const started = new Promise<string>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk.toString();
      const origin = originIn(output);
      if (origin !== undefined) resolve(origin);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("close", () => reject(new Error(`The service ended: ${output}`)));
  });
  started.catch(() => undefined);
  const closed = once(child, "close");
  return { child, started, exited, closed, output: () => output };
}
