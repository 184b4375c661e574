/** Starts the inspector: records at once, shows a tab at the edge of the page, and loads the panel when it is opened. Development only. */
import type { InspectionEvent } from "xstate";
import { openDock } from "./dock.ts";
import { Recording } from "./record.ts";

/** Vite's URL of a package that may not be installed. */
const STATELY = "/@id/@statelyai/inspect";

/** The `inspect` option of xstate: `undefined` with `?inspect=off`, Stately's inspector with `?inspect=stately`. */
export async function startInspector(
  address: string,
): Promise<((event: InspectionEvent) => void) | undefined> {
  const wanted = new URL(address).searchParams.get("inspect");
  if (wanted === "off") return undefined;
  if (wanted === "stately") {
    const { createBrowserInspector } = (await import(/* @vite-ignore */ STATELY)) as {
      createBrowserInspector: () => { inspect: (event: InspectionEvent) => void };
    };
    return createBrowserInspector().inspect;
  }
  const record = new Recording(Date.now);
  openDock(record);
  return record.hear;
}
