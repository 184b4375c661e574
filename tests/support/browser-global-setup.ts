/** Prepares the browser tests once, and the data that each of their services begins with. */
import { rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { prepareBrowserTests, type BrowserSetup } from "./browser-setup.ts";
import { startService } from "./browser.ts";
import { onServer } from "./database-global-setup.ts";

declare module "vitest" {
  interface ProvidedContext {
    setup: BrowserSetup;
  }
}

export default async function prepare(project: TestProject): Promise<() => Promise<unknown>> {
  const { setup, remove } = prepareBrowserTests();
  const first = await startService(setup);
  const data = await first.end();
  const server = process.env["TEST_DATABASE_URL"];
  const template = await onServer(server);
  project.provide("setup", { ...setup, data, ...(server !== undefined && { template: template.name }) });
  return async () => {
    remove();
    rmSync(data, { recursive: true, force: true });
    await template.drop();
  };
}
