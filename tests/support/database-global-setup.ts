/** Makes the databases that the service's tests begin with, once of each kind: to make one takes seconds, to copy it a fraction of one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { migrationsFolder } from "../../src/service/platform/project.ts";
import { open } from "../../src/service/store/open.ts";
import { temporaryDatabase } from "./temporary-database.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** With all tables and no rows: the folder of the embedded database, which `emptyFiles` waits for, and the name of one on the server. */
    empty: { folder: string; template: string };
  }
}

/** Made beside the first tests, most of which have no need of it. */
function embedded() {
  const folder = mkdtempSync(join(tmpdir(), "empty-database-"));
  const script = join(import.meta.dirname, "empty-database.ts");
  // To compile the engine well takes longer than it is used for.
  const child = spawn(process.execPath, ["--liftoff-only", script, folder], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  const drop = async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true });
  };
  return { folder, drop };
}

/** A database on the server with all tables and no rows, to make others from. */
export async function onServer(server: string | undefined) {
  if (server === undefined) return { name: "", drop: async () => undefined };
  const { name, location, drop } = await temporaryDatabase(server);
  await (await open(location, migrationsFolder())).close();
  return { name, drop };
}

async function make() {
  const files = embedded();
  const template = await onServer(process.env["TEST_DATABASE_URL"]);
  return {
    empty: { folder: files.folder, template: template.name },
    drop: async () => void (await Promise.all([files.drop(), template.drop()])),
  };
}

/** What the projects of this run share: each has this file loaded for itself. */
const run = globalThis as { emptyDatabases?: ReturnType<typeof make> | undefined };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { empty, drop } = await (run.emptyDatabases ??= make());
  project.provide("empty", empty);
  return async () => {
    if (!run.emptyDatabases) return;
    run.emptyDatabases = undefined;
    await drop();
  };
}
