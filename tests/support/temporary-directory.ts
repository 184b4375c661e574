/** Directories for the tests of one file. Where files share a worker, a hook of this module would hear of the first one's end alone: the hook is in `service-setup.ts`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "service-test-"));
  made.push(directory);
  return directory;
}

/** To be called at the end of each file: a database takes 40 MB. */
export function removeDirectories(): void {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true, maxRetries: 9 });
}
