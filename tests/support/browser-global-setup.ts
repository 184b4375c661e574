/** Prepares the browser tests once, and the data that each of their services begins with. */
import { rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { prepareBrowserTests, type BrowserSetup } from "./browser-setup.ts";
import { startService } from "./browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    setup: BrowserSetup;
  }
}

export default async function prepare(project: TestProject): Promise<() => void> {
  const { setup, remove } = prepareBrowserTests();
  const first = await startService(setup);
  const data = await first.end();
  project.provide("setup", { ...setup, data });
  return () => {
    remove();
    rmSync(data, { recursive: true, force: true });
  };
}
