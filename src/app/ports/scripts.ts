/** Third-party scripts: each loaded once, and never two kinds in one document. Decisions, "Card data". */
import { CallFailed } from "../../../machines/call-error.ts";
import { CARD_SCREEN, ISOLATED, pageAt } from "../../contract/pages.ts";
import { missingCode } from "./missing-code.ts";
import { trusted } from "./trusted-types.ts";

export type ScriptKind = "card" | "download";

/** All scripts that may run in this document. Null: loading was aborted, but the script may still run. */
const scripts = new Map<ScriptKind, Promise<void> | null>();

/** Whether this document has a script that must not run together with one of `kind`. */
export const isCrowded = (kind: ScriptKind) => [...scripts.keys()].some((other) => other !== kind);

/** How this document came; undefined where the browser does not tell. */
const visitOf = () =>
  performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming | undefined;

/**
 * Whether a script of this kind needs another document than this one: beside one of another kind; and the card
 * provider's, where the document was opened for another screen, whose policy lets no other host in.
 * @param readCardScript resolves with the address of the card provider's script
 */
export async function needsDocument(
  kind: ScriptKind,
  readCardScript: () => Promise<string>,
): Promise<boolean> {
  if (isCrowded(kind)) return true;
  const { origin, href } = window.location;
  const visit = visitOf();
  if (kind !== "card" || !visit || pageAt(new URL(visit.name).pathname) === CARD_SCREEN) return false;
  return new URL(await readCardScript(), href).origin !== origin;
}

/**
 * Loads the script at `address` into this document. Rejects on error and where the script leaves no `global` (`barred`
 * where the site answers all the same), and beside a script of another kind; never settles when `signal` aborts it. All
 * can be retried.
 */
export function loadScript(
  kind: ScriptKind,
  address: string,
  global: string,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted || isCrowded(kind)) return Promise.reject(new CallFailed({ kind: "unreadable" }));
  const begun = scripts.get(kind);
  if (begun) return begun;
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = trusted.createScriptURL(address);
    const giveUp = () => {
      script.remove();
      scripts.set(kind, null);
    };
    signal.addEventListener("abort", giveUp);
    script.addEventListener("load", () => {
      signal.removeEventListener("abort", giveUp);
      if (global in window) return resolve();
      // Emptied by a content blocker, or another file in its place. Whatever it was may have run.
      giveUp();
      reject(new CallFailed({ kind: "barred" }));
    });
    script.addEventListener("error", () => {
      signal.removeEventListener("abort", giveUp);
      script.remove();
      scripts.delete(kind);
      void missingCode("barred").then(reject);
    });
    document.head.append(script);
  });
  scripts.set(kind, loading);
  return loading;
}

/** Changes the URL's query without the router, which does not use queries. */
const restate = (change: (query: URLSearchParams) => void) => {
  const address = new URL(window.location.href);
  change(address.searchParams);
  History.prototype.replaceState.call(window.history, window.history.state, "", address);
};

/**
 * Reloads the current URL as a new document, keeping its history entry. Never settles, because this document is
 * unloaded.
 */
export function openAfresh(): Promise<never> {
  const { serverTiming }: Partial<PerformanceNavigationTiming> = visitOf() ?? {};
  if (serverTiming?.some(({ name }) => name === ISOLATED)) restate((query) => query.set(ISOLATED, ""));
  window.location.reload();
  return new Promise(() => {});
}

/** Removes the marker for the service from the new document's URL. */
export function forgetMark(): void {
  if (new URLSearchParams(window.location.search).has(ISOLATED)) restate((query) => query.delete(ISOLATED));
}
