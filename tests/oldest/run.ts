/** `npm run oldest`: the user journey, the keyboard, routes, sessions and a bad network in a Chromium of 2022; Playwright cannot drive much older ones. Decision 15. */
import { spawnSync } from "node:child_process";
import { createReadStream, createWriteStream, mkdirSync } from "node:fs";
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

/** What needs no more of the browser than the app does: the pictures are another Chromium's, and a build for development is for a newer one. */
const tests = [
  "tests/browser/accessibility.test.ts",
  "tests/browser/navigation-and-touch.test.ts",
  "tests/browser/network.test.ts",
  "tests/browser/other-api.test.ts",
  "tests/browser/payments.test.ts",
  "tests/browser/security.test.ts",
  "tests/browser/session.test.ts",
  "tests/browser/user-models.test.ts",
];

/** What is newer than this Chromium, by the test that shows it. */
const newer = [
  // The toast above a question is a popover: Chrome 114.
  "what is told while a question is asked stands above it",
  // A module that did not come is asked for again: 107 does not.
  "a QR code that does not come takes nothing with it, and comes later",
  // Its developer tools call a picture by another role.
  "every screen of the main job is told in its order, and nothing else",
  // Its own frame around a plain text has a style, which the policy of that text refuses.
  "signs out in another tab → opens the packages",
];
const pattern = `^(?!.*(?:${newer.join("|")}))`;

const { status } = spawnSync("vitest", ["run", "--project", "browser", "-t", pattern, ...tests], {
  stdio: "inherit",
  env: { ...process.env, CHROMIUM_PATH: executable },
});
process.exitCode = status ?? 1;
