/** Other people's scripts: each loaded once, and never two kinds in one document. Decisions, "Card data live only in the card screen's actor". */
import { CallFailed } from "../../../machines/failure.ts";
import { CUT } from "../../contract/pages.ts";

export type ScriptKind = "card" | "download";

/** All that may run in this document. Null: it was given up on its way, but may still come. */
const scripts = new Map<ScriptKind, Promise<void> | null>();

/** Whether this document holds a script that may not stand beside one of `kind`. */
export const isCrowded = (kind: ScriptKind) => [...scripts.keys()].some((other) => other !== kind);

/**
 * Loads the script at `address` into this document. Rejects, and may be asked again, where it cannot be had; never
 * settles, and may be asked again, when `signal` gives it up on its way. Rejects beside a script of another kind, too.
 */
export function loadScript(kind: ScriptKind, address: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted || isCrowded(kind)) return Promise.reject(new CallFailed({ kind: "unreadable" }));
  const begun = scripts.get(kind);
  if (begun) return begun;
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    const giveUp = () => {
      script.remove();
      scripts.set(kind, null);
    };
    signal.addEventListener("abort", giveUp);
    script.addEventListener("load", () => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    });
    script.addEventListener("error", () => {
      script.remove();
      scripts.delete(kind);
      reject(new CallFailed({ kind: "network" }));
    });
    document.head.append(script);
  });
  scripts.set(kind, loading);
  return loading;
}

/** What is done to the address here is past the router, which knows no query. */
const restate = (change: (query: URLSearchParams) => void) => {
  const address = new URL(window.location.href);
  change(address.searchParams);
  History.prototype.replaceState.call(window.history, window.history.state, "", address);
};

/** Opens the screen at the address of the moment in a document of its own, its place in the history kept. Never settles: this document is gone. */
export function openAfresh(): Promise<never> {
  const [visit] = performance.getEntriesByType("navigation") as Partial<PerformanceNavigationTiming>[];
  if (visit?.serverTiming?.some(({ name }) => name === CUT)) restate((query) => query.set(CUT, ""));
  window.location.reload();
  return new Promise(() => {});
}

/** The new document's side: what was said in the address for the service is taken out of it. */
export function forgetMark(): void {
  if (new URLSearchParams(window.location.search).has(CUT)) restate((query) => query.delete(CUT));
}
