/** `npm run oldest`: the user journey, the keyboard, conventions and routes in a Chromium of 2022; Playwright cannot drive much older ones. Decision 15. */
import { spawnSync } from "node:child_process";
import { createReadStream, createWriteStream, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

const { dirname } = import.meta;
const build = join(dirname, "../../build");
mkdirSync(build, { recursive: true });
const executable = join(build, "oldest-chromium");
await pipeline(
  createReadStream(join(dirname, "node_modules/@sparticuz/chromium/bin/chromium.br")),
  createBrotliDecompress(),
  createWriteStream(executable, { mode: 0o755 }),
);

/** What needs no more of the browser than the app does: a development build, and a second chance for a module, are newer. */
const tests = [
  "conditions",
  "conventions",
  "journey",
  "keyboard",
  "other-api",
  "routes",
  "session",
  "user-models",
].map((name) => `tests/browser/${name}.test.ts`);
// The runner ignores a name that it does not find.
for (const file of tests) if (!existsSync(file)) throw new Error(`There is no ${file}.`);

const { status } = spawnSync("vitest", ["run", "--project", "browser", ...tests], {
  stdio: "inherit",
  env: { ...process.env, CHROMIUM_PATH: executable },
});
process.exitCode = status ?? 1;
