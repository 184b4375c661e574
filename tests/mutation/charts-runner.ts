/** Runs the tests of the charts for Stryker, thousands of times in one process: each run loads charts, tests and their support anew, and nothing else. Vitest takes half a second of work to begin, and this takes none; what is expected is judged by Vitest's own matchers. */
import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { basename, dirname, relative, resolve } from "node:path";
import vm, { type Module } from "node:vm";

/** What is used of `@vitest/expect`, which is installed beside this file alone: the compiler does not see it. */
interface Matchers {
  chai: { use: (plugin: unknown) => void; expect: (value: unknown, message?: string) => unknown };
  JestExtend: unknown;
  JestChaiExpect: unknown;
  JestAsymmetricMatchers: unknown;
}
const matchersName: string = "@vitest/expect";
const matchers = (await import(matchersName)) as Matchers;
for (const plugin of [matchers.JestExtend, matchers.JestChaiExpect, matchers.JestAsymmetricMatchers]) {
  matchers.chai.use(plugin);
}

interface Test {
  id: string;
  body: () => unknown;
}
type Outcome = { tests: readonly string[]; failed?: { id: string; message: string }; broken?: string };

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Without types, read once: a mutant is switched on within the source, not written into it. */
const sources = new Map<string, string>();
function sourceOf(path: string): string {
  const source = sources.get(path) ?? stripTypeScriptTypes(readFileSync(path, "utf8"));
  sources.set(path, source);
  return source;
}

function moduleOf(name: string, values: Readonly<Record<string, unknown>>): Module {
  return new vm.SyntheticModule(
    Object.keys(values),
    function fill() {
      for (const [key, value] of Object.entries(values)) this.setExport(key, value);
    },
    { identifier: name },
  );
}
/** xstate and the like do not change: they are loaded once. */
const packages = new Map<string, Promise<Module>>();
function packageOf(name: string): Promise<Module> {
  const known = packages.get(name) ?? import(name).then((values: object) => moduleOf(name, { ...values }));
  packages.set(name, known);
  return known;
}

/** One file of tests with all that it imports, not yet evaluated. */
class Loaded {
  readonly tests: Test[] = [];
  /** What is to be done when they are over. */
  readonly #endings: (() => void)[] = [];
  readonly #file: string;
  readonly #modules = new Map<string, vm.SourceTextModule>();
  readonly #vitest: Module;

  constructor(file: string) {
    this.#file = file;
    const declare = (name: string, ...rest: unknown[]) => {
      const body = rest.find((one) => typeof one === "function") as (context: object) => unknown;
      this.tests.push({
        id: `${relative(process.cwd(), file)}#${this.tests.length} ${name}`,
        body: () => body({ task: { name, meta: {} } }),
      });
    };
    type Body = (...row: unknown[]) => unknown;
    const each =
      (as: (name: string, body: () => unknown) => unknown) =>
      (rows: readonly unknown[]) =>
      (name: string, body: Body): void => {
        for (const row of rows) as(name, () => body(...(Array.isArray(row) ? (row as unknown[]) : [row])));
      };
    const describe = (_: string, declareAll: () => unknown) => declareAll();
    const expecting = (value: unknown, message?: string) => matchers.chai.expect(value, message);
    this.#vitest = moduleOf("vitest", {
      afterAll: (end: () => void) => this.#endings.push(end),
      describe: Object.assign(describe, { each: each(describe) }),
      test: Object.assign(declare, { each: each(declare) }),
      // With what stands on `expect` itself: `expect.any` and its like.
      expect: Object.assign(expecting, matchers.chai.expect, { getState: () => ({ testPath: file }) }),
    });
  }

  /** Lets go of what it holds: Node keeps every module that was ever evaluated. */
  end(): void {
    for (const end of this.#endings) end();
    this.tests.length = 0;
  }

  /** The files that it is made of. */
  get files(): readonly string[] {
    return [...this.#modules.keys()];
  }

  async link(): Promise<vm.SourceTextModule> {
    const first = this.#moduleOf(this.#file);
    await first.link((specifier, { identifier }) => {
      if (specifier === "vitest") return this.#vitest;
      return specifier.startsWith(".")
        ? this.#moduleOf(resolve(dirname(identifier), specifier))
        : packageOf(specifier);
    });
    return first;
  }

  #moduleOf(path: string): vm.SourceTextModule {
    const module =
      this.#modules.get(path) ??
      new vm.SourceTextModule(sourceOf(path), {
        identifier: path,
        initializeImportMeta: (meta) => Object.assign(meta, { dirname: dirname(path), filename: path }),
      });
    this.#modules.set(path, module);
    return module;
  }
}

const strays: unknown[] = [];
process.on("uncaughtException", (error) => strays.push(error));

/** Runs the tests of one file up to the first that fails. `broken`: it could not be loaded, so no test could judge. */
async function run(file: string, mutant?: string): Promise<Outcome> {
  (globalThis as { __stryker__?: { activeMutant: string | undefined } }).__stryker__ = {
    activeMutant: mutant,
  };
  strays.length = 0;
  const loaded = new Loaded(file);
  try {
    return await judge(loaded);
  } finally {
    loaded.end();
  }
}

async function judge(loaded: Loaded): Promise<Outcome> {
  const ran: string[] = [];
  try {
    await (await loaded.link()).evaluate();
  } catch (error) {
    return { tests: ran, broken: messageOf(error) };
  }
  let failed: Outcome["failed"];
  const runOne = async ({ id, body }: Test) => {
    ran.push(id);
    try {
      await body();
    } catch (error) {
      failed ??= { id, message: messageOf(error) };
      throw error;
    }
  };
  // The paths of a person are short, and find most of it.
  const isShort = ({ id }: Test) => id.includes(" path: ");
  const long: Promise<void>[] = [];
  try {
    for (const one of loaded.tests.filter(isShort)) await runOne(one);
    // Those of all walks wait for one walk: the first that fails ends it.
    long.push(...loaded.tests.filter((one) => !isShort(one)).map(runOne));
    await Promise.all(long);
  } catch (error) {
    loaded.end();
    // None goes on into the next mutant's time; one that never ends is not waited for.
    await Promise.race([Promise.allSettled(long), new Promise((done) => setTimeout(done, 1_000))]);
    return { tests: ran, failed: failed ?? { id: "", message: messageOf(error) } };
  }
  await new Promise((done) => setImmediate(done));
  return strays.length > 0 ? { tests: ran, broken: messageOf(strays[0]) } : { tests: ran };
}

/** Every file of tests that imports what is mutated, with all the files that it is made of. */
async function chartTests(): Promise<Map<string, readonly string[]>> {
  const made = new Map<string, readonly string[]>();
  for (const file of globSync("tests/machines/*.test.ts").map((one) => resolve(one))) {
    if (!/from "\.\.\/\.\.\/(?:machines|src\/contract)\//.test(sourceOf(file))) continue;
    const loaded = new Loaded(file);
    await loaded.link();
    made.set(file, loaded.files);
  }
  return made;
}

/** Stryker's side: what it asks of a runner of tests. */
class ChartsRunner {
  #made = new Map<string, readonly string[]>();
  /** How many mutants of a file a file of tests has caught. */
  readonly #caught = new Map<string, number>();
  /** What a file of tests took when it last caught nothing, in milliseconds. */
  readonly #took = new Map<string, number>();

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    this.#made = await chartTests();
  }

  async dryRun({ files = [] }: { files?: readonly string[] }) {
    const tests = [];
    for (const file of this.#related(files)) {
      const began = performance.now();
      const { tests: ran, failed, broken } = await run(file);
      if (broken !== undefined) return { status: "error", errorMessage: `${file}: ${broken}` };
      for (const id of ran) {
        const timeSpentMs = (performance.now() - began) / ran.length;
        const told = failed?.id === id ? { status: 1, failureMessage: failed.message } : { status: 0 };
        tests.push({ id, name: id, fileName: file, timeSpentMs, ...told });
      }
    }
    return { status: "complete", tests };
  }

  /** The files of tests that are made with one of these files. */
  #related(files: readonly string[]): string[] {
    const paths = new Set(files.map((file) => resolve(file)));
    return [...this.#made].filter(([, made]) => made.some((one) => paths.has(one))).map(([file]) => file);
  }

  /** Asks every file of tests that is made with the mutated file: the one of its own name first, then those that caught most, then the quickest. */
  async mutantRun({
    activeMutant,
    sandboxFileName,
  }: {
    activeMutant: { id: string };
    sandboxFileName: string;
  }) {
    const name = (file: string) => `${sandboxFileName} ${file}`;
    const isOwn = (file: string) => basename(file, ".test.ts") === basename(sandboxFileName, ".ts");
    const caught = (file: string) => (isOwn(file) ? Number.MAX_VALUE : (this.#caught.get(name(file)) ?? 0));
    const took = (file: string) => this.#took.get(file) ?? 0;
    const related = this.#related([sandboxFileName]).toSorted(
      (one, other) => caught(other) - caught(one) || took(one) - took(other),
    );
    let nrOfTests = 0;
    for (const file of related) {
      const began = performance.now();
      const { tests, failed, broken } = await run(file, activeMutant.id);
      nrOfTests += tests.length;
      if (broken !== undefined) return { status: "error", errorMessage: `${file}: ${broken}` };
      if (failed) {
        this.#caught.set(name(file), (this.#caught.get(name(file)) ?? 0) + 1);
        return { status: "killed", killedBy: [failed.id], failureMessage: failed.message, nrOfTests };
      }
      this.#took.set(file, performance.now() - began);
    }
    return { status: "survived", nrOfTests };
  }
}

export const strykerPlugins = [{ kind: "TestRunner", name: "charts", injectableClass: ChartsRunner }];
