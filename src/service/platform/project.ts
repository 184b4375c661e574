/** Where the files that travel beside the code are, the same when run from the source and from the bundle. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** @throws Error that says what is missing, and where it was looked for */
function find(relative: string): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, relative);
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder))
      throw new Error(`${relative} was not found above ${import.meta.dirname}.`);
  }
}

export const migrationsFolder = () => find("src/service/store/migrations");
export const catalogueFile = () => find("src/service/catalogue.json");
