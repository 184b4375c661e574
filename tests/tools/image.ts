/**
 * Builds the image of docs/hosting/Containerfile twice with buildah, compares the two, tells their size by part, and runs the
 * image as its own user on a file system that cannot be written: `npm run image`. As root, on Debian. `--base NAME` takes
 * another base than one that is made here of Debian and this Node.
 */
// oxlint-disable no-console -- a tool answers on the console
import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual, parseArgs } from "node:util";

const root = join(import.meta.dirname, "../..");
const { values } = parseArgs({ options: { base: { type: "string" } } });
const work = mkdtempSync(join(tmpdir(), "image-"));
process.env["STORAGE_DRIVER"] ??= "vfs";

function run(command: string, ...rest: string[]): string {
  return execFileSync(command, rest, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 256 * 1024 * 1024,
  }).trim();
}
const buildah = (...rest: string[]) => run("buildah", ...rest);

/** Debian with this Node, its npm, and a user `node`, as the official image has them. */
function makeBase(): string {
  const system = join(work, "base");
  run(
    "debootstrap",
    "--variant=minbase",
    "--include=ca-certificates,libstdc++6,libatomic1",
    "bookworm",
    system,
  );
  const npm = join(realpathSync(join(dirname(realpathSync(run("which", "npm"))), "..")));
  cpSync(process.execPath, join(system, "usr/local/bin/node"));
  mkdirSync(join(system, "usr/local/lib/node_modules"), { recursive: true });
  cpSync(npm, join(system, "usr/local/lib/node_modules/npm"), { recursive: true });
  run("chroot", system, "ln", "-s", "../lib/node_modules/npm/bin/npm-cli.js", "/usr/local/bin/npm");
  run("chroot", system, "useradd", "--uid", "1000", "--create-home", "node");
  rmSync(join(system, "var/cache/apt"), { recursive: true, force: true });
  rmSync(join(system, "var/lib/apt/lists"), { recursive: true, force: true });
  const container = buildah("from", "scratch");
  buildah("add", "--quiet", container, system, "/");
  buildah("config", "--env", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", container);
  const image = buildah("commit", "--quiet", "--rm", container, "localhost/node-base");
  rmSync(system, { recursive: true, force: true });
  return image;
}

/** The time of the commit: with it, the same sources make the same layers. */
const timestamp = run("git", "log", "-1", "--format=%ct");
/** The machine's own certificates and settings of npm, for the build alone. */
function borrowed(): string[] {
  const settings = join(work, "npmrc");
  const own = join(homedir(), ".npmrc");
  const authority = process.env["NODE_EXTRA_CA_CERTS"];
  writeFileSync(
    settings,
    `${existsSync(own) ? readFileSync(own, "utf8") : ""}\n${authority === undefined ? "" : `cafile=${authority}\n`}`,
  );
  return [
    ["/etc/ssl/certs", "/etc/ssl/certs"],
    [settings, "/root/.npmrc"],
  ].flatMap(([from = "", to = ""]) => ["--volume", `${from}:${to}:ro`]);
}

function build(base: string, tag: string): void {
  const began = performance.now();
  const docker = [
    "bud",
    "--isolation",
    "chroot",
    "--format",
    "docker",
    "--timestamp",
    timestamp,
    "--no-cache",
    "--quiet",
  ];
  const sources = ["--ignorefile", "docs/hosting/Containerfile.dockerignore", "--build-arg", `BASE=${base}`];
  buildah(...docker, ...sources, ...borrowed(), "-f", "docs/hosting/Containerfile", "-t", tag, ".");
  console.log(`${tag} was built in ${Math.round((performance.now() - began) / 1_000)} s.`);
}

const megabytes = (folder: string) =>
  existsSync(folder) ? Number(run("du", "-sk", folder).split("\t")[0]) / 1_024 : 0;

/** Sizes of what is ours, in MB, by part. */
function sizes(mounted: string): Record<string, number> {
  const app = join(mounted, "app");
  return {
    "packages (node_modules)": megabytes(join(app, "node_modules")),
    "the service's bundle (build)": megabytes(join(app, "build")),
    "the site (dist)": megabytes(join(app, "dist")),
    "migrations and catalogue (src)": megabytes(join(app, "src")),
    "all of /app": megabytes(app),
  };
}

interface Config {
  docker: { config: { User: string; Env: string[]; Cmd: string[]; Healthcheck?: { Test: string[] } } };
}

/** Starts the image on a file system that is read-only, as its own user, and asks for its health. */
async function start(mounted: string, { User, Env, Cmd, Healthcheck }: Config["docker"]["config"]) {
  const system = join(work, "run");
  mkdirSync(system);
  run("mount", "--bind", mounted, system);
  try {
    run("mount", "-o", "remount,bind,ro", system);
    run("mount", "-t", "tmpfs", "-o", "mode=0700,uid=1000,gid=1000", "tmpfs", join(system, "data"));
    run("mount", "-t", "tmpfs", "-o", "mode=1777", "tmpfs", join(system, "tmp"));
    const asUser = [
      "chroot",
      `--userspec=${User}:${User}`,
      system,
      "/usr/bin/env",
      "-i",
      ...Env,
      "PORT=3980",
      "CONSOLE_PORT=3981",
    ];
    const inside = (command: readonly string[]) =>
      asUser.concat("/bin/sh", "-c", 'cd /app && exec "$@"', "sh", command);
    const [command = "", ...rest] = inside(Cmd);
    const began = performance.now();
    const service = spawn(command, rest, { stdio: ["ignore", "inherit", "inherit"] });
    const ended = new Promise<number | null>((done) => service.once("exit", done));
    const alive = async (): Promise<number> => {
      const answer = await fetch("http://127.0.0.1:3980/api/health/live").catch(() => null);
      if (answer?.ok) return answer.status;
      if (performance.now() - began > 60_000) throw new Error("It did not answer within a minute.");
      await setTimeout(100);
      return alive();
    };
    try {
      console.log(`It answered ${await alive()} after ${Math.round(performance.now() - began)} ms.`);
      const page = await fetch("http://127.0.0.1:3980/home");
      console.log(`The landing page: ${page.status}, ${(await page.text()).length} characters.`);
      const operators = await fetch("http://127.0.0.1:3981/");
      const scripts = [...(await operators.text()).matchAll(/src="(\/assets\/[^"]+\.js)"/g)].map(
        ([, src]) => src,
      );
      const script = await fetch(`http://127.0.0.1:3981${scripts[0]}`);
      console.log(`The operator's page: ${operators.status}, its script: ${script.status}.`);
      if (!operators.ok || !script.ok) throw new Error("The image has no operator's page.");
      const check = (Healthcheck?.Test ?? []).slice(1).map((each) => each.replace(":3000/", ":3980/"));
      if (check.length === 0) throw new Error("The image has lost its health check.");
      const [checked = "", ...checks] = inside(check);
      execFileSync(checked, checks, { stdio: "inherit" });
      console.log("Its own health check passes.");
      const [tried = "", ...tries] = inside(["/bin/sh", "-c", "id -u; touch /app/x /x 2>&1 || true"]);
      console.log(execFileSync(tried, tries, { encoding: "utf8" }).trim());
    } finally {
      service.kill("SIGTERM");
      console.log(`Stopped in order: exit code ${await ended}.`);
    }
  } finally {
    run("umount", "-R", system);
  }
}

const base = values.base ?? makeBase();
const tags = ["localhost/everlit:first", "localhost/everlit:second"];
for (const tag of tags) build(base, tag);
/** The checksums of an image's layers. Its own id has the name of the machine that built it in it, in Docker's format. */
const layersOf = (tag: string) =>
  (JSON.parse(buildah("inspect", "--type", "image", tag)) as { OCIv1: { rootfs: { diff_ids: string[] } } })
    .OCIv1.rootfs.diff_ids;
const isSame = isDeepStrictEqual(...(tags.map(layersOf) as [string[], string[]]));
console.log(isSame ? "Both builds have the same layers." : "The two builds do NOT have the same layers.");
const container = buildah("from", "--pull-never", tags[0] ?? "");
const mounted = buildah("mount", container);
try {
  for (const [part, size] of Object.entries(sizes(mounted)))
    console.log(`${size.toFixed(1).padStart(8)} MB  ${part}`);
  const bill = JSON.parse(readFileSync(join(mounted, "app/bom.json"), "utf8")) as { components: unknown[] };
  console.log(`The bill of materials names ${bill.components.length} packages.`);
  const { Docker: docker } = JSON.parse(buildah("inspect", "--type", "image", tags[0] ?? "")) as {
    Docker?: Config["docker"];
  };
  if (!docker) throw new Error("The image has no configuration.");
  await start(mounted, docker.config);
} finally {
  buildah("rm", container);
  rmSync(work, { recursive: true, force: true });
}
if (!isSame) process.exitCode = 1;
