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
  const { place, drop } = await beginning(setup);
  project.provide("setup", { ...setup, ...place });
  return async () => {
    remove();
    await drop();
  };
}

/** An empty database on the server where there is one, else the data folder of a service that has started once. */
async function beginning(setup: BrowserSetup): Promise<{
  place: Pick<BrowserSetup, "data" | "template">;
  drop: () => Promise<void>;
}> {
  const server = process.env["TEST_DATABASE_URL"];
  if (server !== undefined) {
    const { name, drop } = await onServer(server);
    return { place: { template: name }, drop };
  }
  const data = await (await startService(setup)).end();
  return { place: { data }, drop: async () => rmSync(data, { recursive: true, force: true }) };
}
