/** Makes ready what every browser test needs, once: a Chromium, the built site and the bundled service. */
import { execFileSync, execSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

export interface BrowserSetup {
  /** Chromium's executable. */
  chromium: string;
  /** The executable of the same without its windows, which costs a sixth less and draws letters otherwise; Chromium's where there is none. */
  shell: string;
  /** The folder of the built site. */
  site: string;
  /** The bundled service. */
  service: string;
  /** The data that a new service has when it has started; without it each makes its own. */
  data?: string;
  /** The name of a database with all tables and no rows, on the server of `TEST_DATABASE_URL`; without it a service keeps its data in a folder. */
  template?: string;
}

const root = join(import.meta.dirname, "../..");
const asRoot = process.getuid?.() === 0;
/** The site as `npm run check:size` has just built it: `.ci/run` builds it once. */
const BUILT_SITE = process.env["BUILT_SITE"];

/** @throws when there is no Chromium and none can be installed, or when the site or the service does not build. */
export function prepareBrowserTests(): { setup: BrowserSetup; remove: () => void } {
  const executable = prepareChromium();
  const shell = process.env["CHROMIUM_PATH"] ? undefined : find(["chromium-headless-shell"]);
  mkdirSync(join(root, "build"), { recursive: true });
  // Inside the project, where the bundle finds its packages and its migrations; apart from what `npm run build` makes.
  const folder = mkdtempSync(join(root, "build/browser-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    return { setup: { chromium: executable, shell: shell ?? executable, ...build(folder) }, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** @throws when there is no Chromium and none can be installed. */
export const prepareChromium = (): string => findChromium() ?? installChromium();

function build(folder: string): Pick<BrowserSetup, "site" | "service"> {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const bundle = scripts["build:service"] ?? "";
  if (!bundle.includes(" --outdir=build ")) {
    throw new Error("The script build:service no longer writes into build: adapt this file.");
  }
  const setup = { site: join(folder, "site"), service: join(folder, "service.js") };
  if (BUILT_SITE === undefined) buildSite(setup.site);
  else cpSync(BUILT_SITE, setup.site, { recursive: true });
  run(bundle.replace("--outdir=build", `--outdir=${JSON.stringify(folder)}`));
  return setup;
}

/** Builds the site into `folder`: as people get it, or as React and the router have most to say about it. */
export function buildSite(folder: string, mode: "production" | "development" = "production"): void {
  run(`vite build --mode ${mode} --outDir ${JSON.stringify(folder)} --emptyOutDir --logLevel warn`, {
    NODE_ENV: mode,
  });
}

const run = (command: string, more: NodeJS.ProcessEnv = {}) =>
  execSync(command, {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    // Whatever the test runner says of itself.
    env: {
      ...withoutTestRunner(process.env),
      ...more,
      PATH: `${root}/node_modules/.bin${delimiter}${process.env["PATH"]}`,
    },
  });

function withoutTestRunner(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const theirs = /^(NODE_ENV|MODE|DEV|PROD|SSR|BASE_URL|TEST|VITEST.*)$/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !theirs.test(name)));
}

const runs = (executable: string) =>
  existsSync(executable) &&
  spawnSync(executable, ["--no-sandbox", "--version"], { stdio: "ignore" }).status === 0;

export function findChromium(): string | undefined {
  const chosen = process.env["CHROMIUM_PATH"];
  if (chosen) {
    if (!runs(chosen)) throw new Error(`CHROMIUM_PATH is ${chosen}, which is not a browser that runs.`);
    return chosen;
  }
  const elsewhere = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    chromium.executablePath(),
  ];
  return (
    find(["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]) ?? elsewhere.find(runs)
  );
}

/** The first of these commands that runs. */
function find(names: readonly string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(runs);
}

/** Debian's package where it can be had, else Playwright's own download. */
function installChromium(): string {
  const installer = join(root, "node_modules/playwright-core/cli.js");
  const attempts: [words: string, commands: string[][]][] = [
    ...(asRoot && spawnSync("apt-get", ["--version"]).status === 0
      ? [
          [
            "Debian's package",
            [
              ["apt-get", "update"],
              ["apt-get", "install", "-y", "--no-install-recommends", "chromium", "fonts-noto-cjk"],
            ],
          ] satisfies [string, string[][]],
        ]
      : []),
    [
      "Playwright's, with what it needs",
      [[process.execPath, installer, "install", "--with-deps", "chromium"]],
    ],
    ["Playwright's alone", [[process.execPath, installer, "install", "chromium"]]],
  ];
  const errors: string[] = [];
  for (const [words, commands] of attempts) {
    process.stderr.write(`No Chromium was found; installing ${words}.\n`);
    try {
      for (const [command = "", ...args] of commands) {
        execFileSync(command, args, {
          stdio: ["ignore", "ignore", "inherit"],
          env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
        });
      }
      const found = findChromium();
      if (found) return found;
      errors.push(`${words}: installed, but it does not run`);
    } catch (error) {
      errors.push(`${words}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(
    `The browser tests need Chromium, and it could not be installed:\n  ${errors.join("\n  ")}\n` +
      "Install Chromium or Chrome, or set CHROMIUM_PATH to its executable.",
  );
}
