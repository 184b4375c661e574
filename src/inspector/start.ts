/** Starts the inspector: listens at once, shows a tab at the edge of the page, and loads the rest when it is opened. Development only. */
import type { InspectionEvent } from "xstate";
import { openDock } from "./dock.ts";
import { Recording } from "./record.ts";

/** @returns what xstate's `inspect` takes; `undefined` at an address with `?inspect=off` */
export function startInspector(address: string): ((event: InspectionEvent) => void) | undefined {
  const asked = new URL(address).searchParams.get("inspect");
  if (asked === "off") return undefined;
  const record = new Recording(Date.now);
  openDock(record);
  return record.hear;
}
