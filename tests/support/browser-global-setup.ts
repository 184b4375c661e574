/** Gives all browser tests one house, and the data that each of their services begins with. */
import { rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { prepareHouse, type House } from "./browser-setup.ts";
import { startService } from "./browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    house: House;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const { house, remove } = prepareHouse();
  const first = await startService(house);
  const data = await first.end();
  project.provide("house", { ...house, data });
  return () => {
    remove();
    rmSync(data, { recursive: true, force: true });
  };
}
