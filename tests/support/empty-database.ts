/** Makes an embedded database with all tables and no rows, as a file that memory begins with and as a directory: `node empty-database.ts <folder>`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { migrationsFolder } from "../../src/service/platform/project.ts";
import { openEngine } from "../../src/service/store/engine.ts";

const [, , folder = ""] = process.argv;
const data = join(folder, "data");
mkdirSync(data);
const engine = await openEngine({ directory: join(data, "database") }, (reason) => {
  throw new Error(reason);
});
await migrate(drizzle(engine), { migrationsFolder: migrationsFolder() });
writeFileSync(join(folder, "copy.tar"), await (await engine.dumpDataDir("none")).bytes());
await engine.close();
writeFileSync(join(folder, "whole"), "");
