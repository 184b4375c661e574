/** Makes the embedded database that the service's tests begin with, once: to make one takes some three seconds of a processor, to copy it less than half a one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import type { TestProject } from "vitest/node";
import { migrationsFolder } from "../../src/service/platform/project.ts";
import { openEngine } from "../../src/service/store/engine.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Both with all tables and no rows. */
    empty: { copy: string; data: string };
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "empty-database-"));
  const [copy, data] = [join(folder, "copy.tar"), join(folder, "data")];
  mkdirSync(data);
  const engine = await openEngine({ directory: join(data, "database") }, (reason) => {
    throw new Error(reason);
  });
  await migrate(drizzle(engine), { migrationsFolder: migrationsFolder() });
  writeFileSync(copy, await (await engine.dumpDataDir("none")).bytes());
  await engine.close();
  project.provide("empty", { copy, data });
  return () => rmSync(folder, { recursive: true });
}
