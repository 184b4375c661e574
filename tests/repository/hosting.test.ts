/** The ready files of docs/hosting name settings, metrics and files that exist. */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSettings, settingNames } from "../../src/service/settings.ts";
import { createMetrics } from "../../src/service/operations/metrics.ts";

const read = (name: string) => readFileSync(`docs/hosting/${name}`, "utf8");
/** Of Node and of the C library, not ours. */
const ofNode = new Set(["NODE_ENV", "NODE_OPTIONS", "MALLOC_ARENA_MAX", "TMPDIR"]);

test.each([
  ["Containerfile", /(?:^ENV|(?<=^ENV .*)) ([A-Z_]+)=(\S+)/gm],
  ["compose.yaml", /^ {6}([A-Z_]+): "?([^"\n]+)"?$/gm],
  ["everlit.service", /(?:^Environment=|(?<=^Environment=.*) )([A-Z_]+)=(\S+)/gm],
])("%s sets what is a setting, to what it may be", (name, setting) => {
  const ours = read(name).split(/^ {2}database:$/m)[0] ?? "";
  const found = [...ours.matchAll(setting)].map(([, key = "", value = ""]) => [
    key,
    // Of what Compose fills in, what holds where nothing is said.
    value.replace(/^\$\{[A-Z_]+:-(.*)\}$/, "$1"),
  ]);
  const env = Object.fromEntries(found.filter(([key = ""]) => !ofNode.has(key))) as Record<string, string>;
  expect(Object.keys(env).length).toBeGreaterThan(0);
  expect(Object.keys(env).filter((key) => !settingNames.includes(key))).toEqual([]);
  expect(() =>
    readSettings({ ...env, ...("DATABASE_URL" in env ? { DATABASE_URL: "postgres://db/x" } : {}) }),
  ).not.toThrow();
});

test.each([
  ["compose.yaml", /^ +- data:(\S+)$/m, /^ +(?:TMPDIR|RESTORE_LOG): (\S+)$/gm],
  ["everlit.service", /^Environment=.* DATA_DIR=(\S+)$/m, /(?:TMPDIR|RESTORE_LOG)=(\S+)/g],
])(
  "by %s backups of the page and what a restore needs are on a disk that outlives the process",
  (name, data, kept) => {
    const [, folder = ""] = data.exec(read(name)) ?? [];
    const places = [...read(name).matchAll(kept)].map(([, place]) => place);
    expect(places).toEqual([folder, `${folder}/restore.log`]);
  },
);

test("the image has what the service needs beside its bundle", () => {
  const copied = [...read("Containerfile").matchAll(/^COPY --from=build \/app\/(\S+)/gm)].map(
    ([, path = ""]) => path,
  );
  const made = ["build/runtime", "build/service.js", "build/engine.js", "build/console", "dist"];
  expect(copied).toEqual(expect.arrayContaining(made));
  expect(copied.filter((path) => !made.includes(path) && !existsSync(path))).toEqual([]);
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const outside = [...(scripts["build:service"] ?? "").matchAll(/--external:(\S+)/g)].map(
    ([, name = ""]) => name,
  );
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    dependencies: Record<string, string>;
  };
  expect(outside.filter((name) => !(name in dependencies))).toEqual([]);
});

test("the dashboard asks for metrics that are told", () => {
  const told = createMetrics().names;
  const asked = [...read("grafana.json").matchAll(/\b(everlit|process)_[a-z_]+/g)].map(([name]) => name);
  const known = new Set(told.flatMap((name) => [name, `${name}_count`, `${name}_bucket`]));
  expect(asked.length).toBeGreaterThan(10);
  expect(asked.filter((name) => !known.has(name))).toEqual([]);
});
