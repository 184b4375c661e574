/** Starts the inspector: listens at once, shows a tab at the edge of the page, and loads the rest when it is opened. Development only. */
import type { InspectionEvent } from "xstate";
import { openDock } from "./dock.ts";
import { Recording } from "./record.ts";

/** Where Vite serves a package that may or may not be installed. */
const STATELY = "/@id/@statelyai/inspect";

/** What xstate's `inspect` takes; `undefined` at an address with `?inspect=off`, and Stately's own at `?inspect=stately`. */
export async function startInspector(
  address: string,
): Promise<((event: InspectionEvent) => void) | undefined> {
  const asked = new URL(address).searchParams.get("inspect");
  if (asked === "off") return undefined;
  if (asked === "stately") {
    const { createBrowserInspector } = (await import(/* @vite-ignore */ STATELY)) as {
      createBrowserInspector: () => { inspect: (event: InspectionEvent) => void };
    };
    return createBrowserInspector().inspect;
  }
  const record = new Recording(Date.now);
  openDock(record);
  return record.hear;
}
