/** Dependency audit: licences, integrity, install scripts and known-bad versions from the lock file, and `npm audit` where the registry answers it: `npm run check:dependencies`. */
// oxlint-disable no-console -- a tool answers on the console
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as v from "valibot";

const root = join(import.meta.dirname, "../..");

const locked = v.object({
  version: v.optional(v.string(), ""),
  license: v.optional(v.string()),
  integrity: v.optional(v.string()),
  resolved: v.optional(v.string()),
  hasInstallScript: v.optional(v.boolean(), false),
  dev: v.optional(v.boolean(), false),
  devOptional: v.optional(v.boolean(), false),
});
const lockFile = v.object({ packages: v.record(v.string(), locked) });
export type LockFile = v.InferOutput<typeof lockFile>;

/** What may be shipped to users. Of a package with a choice, the one that is listed is taken. */
const SHIPPED = [
  "MIT",
  "MIT-0",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "OFL-1.1",
  "Unlicense",
  "BlueOak-1.0.0",
];
/** What tools may have besides, which do not leave the developer's machine. */
const TOOLS = [...SHIPPED, "MPL-2.0", "CC-BY-4.0", "EPL-2.0"];
/** Their licence stands in a file alone. */
const READ_BY_HAND: Readonly<Record<string, string>> = { "memorystream@0.3.1": "MIT" };
/** Packages that run something when they are installed; `npm` asks the same of `allowScripts` in package.json. */
const INSTALL_SCRIPTS = new Set(["esbuild", "node"]);

/** Versions that were published by thieves of a maintainer's account, or sabotaged by the maintainer. */
const STOLEN: Readonly<Record<string, readonly string[]>> = {
  "@ctrl/tinycolor": ["4.1.1", "4.1.2"],
  "@pkgr/core": ["0.2.8"],
  "@rspack/core": ["1.1.7"],
  "@solana/web3.js": ["1.95.6", "1.95.7"],
  "ansi-regex": ["6.2.1"],
  "ansi-styles": ["6.2.2"],
  backslash: ["0.2.1"],
  chalk: ["5.6.1"],
  "chalk-template": ["1.1.1"],
  coa: ["2.0.3", "2.0.4", "2.1.1", "2.1.3", "3.0.1", "3.1.3"],
  color: ["5.0.1"],
  "color-convert": ["3.1.1"],
  "color-name": ["2.0.1"],
  "color-string": ["2.1.1"],
  colors: ["1.4.1", "1.4.2"],
  debug: ["4.4.2"],
  "error-ex": ["1.3.3"],
  "eslint-config-prettier": ["8.10.1", "9.1.1", "10.1.6", "10.1.7"],
  "eslint-plugin-prettier": ["4.2.2", "4.2.3"],
  "event-stream": ["3.3.6"],
  faker: ["6.6.6"],
  "flatmap-stream": ["0.1.1"],
  "has-ansi": ["6.0.1"],
  is: ["3.3.1", "5.0.0"],
  "is-arrayish": ["0.3.3"],
  "node-ipc": ["10.1.1", "10.1.2", "10.1.3"],
  rc: ["1.2.9", "1.3.9", "2.3.9"],
  "simple-swizzle": ["0.2.3"],
  "slice-ansi": ["7.1.1"],
  "strip-ansi": ["7.1.1"],
  "supports-color": ["10.2.1"],
  "supports-hyperlinks": ["4.1.1"],
  synckit: ["0.11.9"],
  "ua-parser-js": ["0.7.29", "0.8.0", "1.0.0"],
  "wrap-ansi": ["9.0.1"],
  xrpl: ["2.14.2", "4.2.1", "4.2.2", "4.2.3", "4.2.4"],
};

const isAllowed = (license: string, allowed: readonly string[]) =>
  license
    .replaceAll(/[()]/g, "")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((part) => allowed.includes(part)));

/** What is wrong with the packages of a lock file, a line each. */
export function faultsOf({ packages }: LockFile): string[] {
  return Object.entries(packages).flatMap(([path, found]) => {
    // The project itself.
    if (path === "") return [];
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const id = `${name}@${found.version}`;
    const license = found.license ?? READ_BY_HAND[id] ?? "none";
    const isTool = found.dev || found.devOptional;
    return [
      ...(isAllowed(license, isTool ? TOOLS : SHIPPED) ? [] : [`${id} has the licence ${license}.`]),
      ...(STOLEN[name]?.includes(found.version) ? [`${id} is known to be malicious.`] : []),
      ...(found.integrity === undefined ? [`${id} has no integrity hash.`] : []),
      ...(found.hasInstallScript && !INSTALL_SCRIPTS.has(name)
        ? [`${id} runs a script when it is installed.`]
        : []),
      ...(found.resolved === undefined || found.resolved.startsWith("https://registry.npmjs.org/")
        ? []
        : [`${id} comes from ${found.resolved}.`]),
    ];
  });
}

const advisories = v.object({
  vulnerabilities: v.record(v.string(), v.object({ severity: v.string() })),
});

/** What the registry knows of what is shipped, high and critical; null where it does not answer. */
async function askRegistry(): Promise<string[] | null> {
  const said = await new Promise<string>((resolve) => {
    // It exits with 1 for a finding as for an error.
    execFile("npm", ["audit", "--omit=dev", "--json"], { cwd: root, timeout: 60_000 }, (_, stdout) =>
      resolve(stdout),
    );
  });
  let parsed: unknown;
  try {
    parsed = JSON.parse(said);
  } catch {
    return null;
  }
  if (!v.is(advisories, parsed)) return null;
  return Object.entries(parsed.vulnerabilities)
    .filter(([, { severity }]) => severity === "high" || severity === "critical")
    .map(([name, { severity }]) => `${name} has an advisory: ${severity}. See npm audit.`);
}

async function check(): Promise<void> {
  const lock = v.parse(lockFile, JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  const known = await askRegistry();
  if (known === null) console.log("The registry answers no audit: only the lock file was read.");
  const faults = [...faultsOf(lock), ...(known ?? [])];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await check();
