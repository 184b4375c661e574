/** Builds the site, serves it during development, and runs the tests (one project a level). */
import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import babel, { defineRolldownBabelPreset } from "@rolldown/plugin-babel";
import { buildSync } from "esbuild";
import { lingui, linguiTransformerBabelPreset } from "@lingui/vite-plugin";
import react from "@vitejs/plugin-react";
import type { Plugin, Rolldown } from "vite";
import { defineConfig } from "vitest/config";
import { drawings, ground, isSite, pages, shortStyleNames } from "./src/app/prerender/vite-plugin.ts";
import { coverage } from "./tests/support/coverage-reporter.ts";
import { LongestFirst } from "./tests/support/longest-first.ts";
import { times } from "./tests/support/time-reporter.ts";
import { traceability } from "./tests/support/traceability-reporter.ts";

/** Where `npm run dev` finds the service. */
const serviceAddress = process.env["SERVICE_ADDRESS"] ?? "http://127.0.0.1:3000";

/** Names every style by its file: where a page is written and where it comes to life, the same. */
const styledIds = defineRolldownBabelPreset({
  preset: { plugins: [["babel-plugin-styled-components", { displayName: false, fileName: false }]] },
  rolldown: { filter: { code: /from ["']styled-components["']/ } },
});

/** The libraries that every screen stands on. */
const everyScreens =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|xstate|@xstate|styled-components|stylis|@emotion|@lingui|@tanstack|valibot)\//;
/** What else screens have in common. */
const ours = /\/(src|machines)\/|\/lucide\/|vite\/preload-helper/;

/** Lucide's index imports every icon: a module needs those that it names. */
const iconsIn = (code: string) =>
  (/import \{([^}]*)\} from "lucide"/.exec(code)?.[1] ?? "").split(",").map(
    (name) =>
      `/icons/${name
        .trim()
        .replaceAll(/\B[A-Z]/g, "-$&")
        .toLowerCase()}.mjs`,
  );

/** Names the chunk of what the landing page needs; anything else goes where it is needed. */
const ofLanding =
  (name: string): Rolldown.CodeSplittingNameFunction =>
  (module, build) => {
    const needed = new Set<string>();
    const add = (id: string) => {
      if (needed.has(id) || id.includes("/lucide/")) return;
      needed.add(id);
      const { importedIds = [], code } = build.getModuleInfo(id) ?? {};
      importedIds.forEach(add);
      for (const icon of iconsIn(code ?? "")) needed.add(icon);
    };
    for (const start of ["src/app/main.tsx", "src/app/screens/landing.tsx"])
      add(join(import.meta.dirname, start));
    return needed.has(/\/icons\/.*/.exec(module)?.[0] ?? module) ? name : null;
  };

/** What the worker has to know of pages, as a constant: its own script imports nothing. */
const contractOfPages = () =>
  buildSync({
    stdin: {
      contents: `export { CARD_SCREEN, FRAME, FRONT, pageAt, pageFile, pageIn } from "./pages.ts"; export { firstLanguageIn } from "./languages.ts";`,
      resolveDir: join(import.meta.dirname, "src/contract"),
    },
    bundle: true,
    minify: true,
    format: "iife",
    globalName: "PAGES",
    target: "es2022",
    write: false,
  }).outputFiles[0]?.text.trim() ?? "";

/** Tells the service worker, as it is built, what it is to keep: every file of the build but the maps. */
const workerFiles = (): Plugin => ({
  name: "worker-files",
  apply: isSite,
  generateBundle: {
    // After the page itself has been written.
    order: "post",
    handler(_, bundle) {
      const worker = bundle["sw.js"];
      const page = bundle["index.html"];
      if (worker?.type !== "chunk" || page?.type !== "asset")
        this.error("The worker or the page is missing.");
      const files = Object.keys(bundle)
        .filter((file) => file.startsWith("assets/") && !file.endsWith(".map"))
        .map((file) => `/${file}`)
        .toSorted();
      const name = createHash("sha256").update(files.join()).update(page.source).digest("hex").slice(0, 12);
      // What has places for packages is sent under the name of its page.
      const written = Object.keys(bundle).filter(
        (file) => /^[\w.-]+\.html$/.test(file) && file !== "index.html",
      );
      const build = `const BUILD=${JSON.stringify({ name: `build ${name}`, files, pages: written })};${contractOfPages()}`;
      // At its end, where no line of the map moves.
      worker.code = worker.code.replace(/(\n\/\/# sourceMappingURL=.*)?\s*$/, (end) => build + end);
    },
  },
});

/** Digits of a hash: the addresses of a page's files are part of what it weighs. Six tell 64 scripts apart, and there are more. */
const DIGITS = 7;
/** Of a picture's: there are few. */
const PICTURE_DIGITS = 6;

/** Files that replace a module, leave something in one, or are of another app: each has a worker of its own, in which no clock is simulated by itself. */
const alone = {
  service: ["tests/service/embedded.test.ts"],
  views: ["tests/views/{calls,console,fault-sequences,wheel}.test.tsx"],
};

/** What all tests of the service have. */
const service = {
  // Makes the databases that tests begin with.
  globalSetup: "tests/support/database-global-setup.ts",
  setupFiles: "tests/support/service-setup.ts",
  // To compile the embedded engine well takes longer than it is used for.
  execArgv: ["--liftoff-only"],
  expect: { poll: { timeout: 60_000 } },
  unstubEnvs: true,
  // Hashing and databases take their time on a busy machine; nothing there waits for time to pass.
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  plugins: [
    react(),
    lingui({ failOnCompileError: true }),
    babel({ presets: [linguiTransformerBabelPreset(), styledIds] }),
    shortStyleNames(),
    drawings(),
    ground(),
    pages(),
    workerFiles(),
    traceability(),
    coverage(),
    times(),
  ],
  // Rules go in one by one, in every build: a page's policy refuses a style element that is given a text.
  define: { SC_DISABLE_SPEEDY: "false" },
  server: {
    proxy: { "/api": serviceAddress, "/sandbox": serviceAddress, "/config.json": serviceAddress },
  },
  build: {
    // What the oldest browsers read that the app supports, but for what `npm run check:size` looks for. Decision 15.
    target: "es2022",
    manifest: true,
    // Where a browser has no `modulepreload`, Vite preloads by `rel=preload` instead. Decision 15 refuses polyfills.
    modulePreload: { polyfill: false },
    // Files do not name their maps: the service serves none, and each name is bytes to load.
    sourcemap: "hidden",
    rolldownOptions: {
      input: { index: "index.html", sw: "src/app/service-worker.ts" },
      // Drawing the pages takes the time that it takes.
      checks: { pluginTimings: false },
      // A worker's address stays the same from build to build.
      output: {
        entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : `assets/[name]-[hash:${DIGITS}].js`),
        assetFileNames: `assets/[name]-[hash:${PICTURE_DIGITS}][extname]`,
        // Without the list of all who share it.
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, "")}-[hash:${DIGITS}].js`,
        // Many small files are more bytes than one.
        codeSplitting: {
          groups: [
            { name: "libraries", test: (id) => everyScreens.test(id) },
            // By themselves: each file is run in one go, and a touch may come between two.
            { name: "react-dom", test: /\/prerender\/react-dom\.ts/ },
            // So that the landing page brings nothing of the others that it does not need.
            { name: ofLanding("landing"), test: ours, minShareCount: 2 },
            // A few bytes that most charts share: of a chunk for it, every screen would have more.
            { name: "landing", test: /\/machines\/invariant\.ts/ },
            {
              name: "shared",
              test: ours,
              minShareCount: 3,
              entriesAware: true,
              entriesAwareMergeThreshold: 1_000,
            },
          ],
        },
      },
    },
  },
  test: {
    // One more than there are cores: the service's tests often wait for processes of their own.
    maxWorkers: availableParallelism() + 1,
    // The machine may be busy: what has to come is waited for.
    testTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        // The charts keep nothing outside their actors: the files may share what they load.
        test: {
          name: "machines",
          include: ["tests/{machines,repository}/**/*.test.ts"],
          isolate: false,
          // All walks of a chart are one test, and the machine may be busy.
          testTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          ...service,
          name: "service",
          include: ["tests/service/**/*.test.ts"],
          exclude: alone.service,
          isolate: false,
        },
      },
      { extends: true, test: { ...service, name: "service alone", include: alone.service } },
      {
        extends: true,
        test: {
          name: "views",
          environment: "jsdom",
          include: ["tests/views/**/*.test.tsx"],
          exclude: alone.views,
          setupFiles: "tests/support/views-setup.ts",
          // To load the app takes as long as its tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "views alone",
          environment: "jsdom",
          include: alone.views,
          globalSetup: service.globalSetup,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["tests/browser/**/*.test.ts"],
          globalSetup: "tests/support/browser-global-setup.ts",
          // Some look at every screen, and some build the app first.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // The files of a worker share a Chromium.
          isolate: false,
          // Two browsers at a time, when everything else is done.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          // A shared machine may stall a browser for seconds; what fails twice has failed.
          retry: process.env["CI"] ? 1 : 0,
        },
      },
    ],
  },
});
