/** Makes the embedded database that the service's tests begin with, once: to make one takes some three seconds of a processor, to copy it less than half a one. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import type { TestProject } from "vitest/node";
import { migrationsFolder } from "../../src/service/project.ts";
import { openEngine } from "../../src/service/store/engine.ts";

declare module "vitest" {
  interface ProvidedContext {
    emptyDatabase: string;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "empty-database-"));
  const copy = join(folder, "database.tar");
  const engine = await openEngine({ copy: null }, (reason) => {
    throw new Error(reason);
  });
  await migrate(drizzle(engine), { migrationsFolder: migrationsFolder() });
  writeFileSync(copy, await (await engine.dumpDataDir("none")).bytes());
  await engine.close();
  project.provide("emptyDatabase", copy);
  return () => rmSync(folder, { recursive: true });
}
