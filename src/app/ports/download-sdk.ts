/** The third-party download script, by the API in the specification. Specification, section 7 ("Download SDK"). */
import * as v from "valibot";
import type { Builds, Device } from "../../../machines/download.ts";
import { CallFailed } from "../../../machines/call-error.ts";
import type { Config } from "./config.ts";
import { loadScript } from "./scripts.ts";
import { builds } from "./storage.ts";

type Sdk = {
  getPackages: (which: "all") => unknown;
  wakeupOrInstall: (url: string, platform: 1 | 2) => unknown;
};
type SdkConstructor = new (options: { appKey: string; onready: (this: Sdk) => void }) => Sdk;

/** The script's platform numbers. */
const numbers = { android: 1, ios: 2 } as const satisfies Record<Device, number>;

let ready: Sdk | null = null;

/** Loads the script, waits until it is ready, and reads every platform's package. */
export async function readBuilds(config: Promise<Config>, signal: AbortSignal): Promise<Builds> {
  const { downloadSdk } = await config;
  if (!downloadSdk) throw new CallFailed({ kind: "unreadable" });
  await loadScript("download", downloadSdk.scriptUrl, downloadSdk.global, signal);
  const Sdk = (window as unknown as Record<string, SdkConstructor | undefined>)[downloadSdk.global];
  if (!Sdk) throw new CallFailed({ kind: "unreadable" });
  ready = await new Promise<Sdk>((resolve) => {
    const sdk: Sdk = new Sdk({
      appKey: downloadSdk.appKey,
      onready: () => queueMicrotask(() => resolve(sdk)),
    });
  });
  const read = v.safeParse(builds, await ready.getPackages("all"));
  if (!read.success) throw new CallFailed({ kind: "unreadable" });
  return read.output;
}

/** Wakes the app or starts its installation. Call it within the tap. */
export async function install({ device, url }: { device: Device; url: string }): Promise<void> {
  if (!ready) throw new CallFailed({ kind: "unreadable" });
  await ready.wakeupOrInstall(url, numbers[device]);
}
