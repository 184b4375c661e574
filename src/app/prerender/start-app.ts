/** Starts the app from a page: preloads its files, runs them one after the other, and retries until they load. Decision 13. */
import { fetchFiles, languageHere, preloadModules, readStart, segmentOf } from "./bootstrap-shared.ts";
import { pause } from "../ports/page.ts";

/* The direction of the browser's own transition between documents. Decision 10. */
addEventListener("pagereveal", () => {
  const { entry, from } = window.navigation?.activation ?? {};
  if (entry && from)
    document.documentElement.style.setProperty("--side", entry.index < from.index ? "-1" : "1");
});

/** In ms: the longest wait for something optional. */
export const PATIENCE = 3_000;

export const parsed = new Promise((resolve) => {
  document.addEventListener("DOMContentLoaded", resolve);
});

/** What came with Safari 15.4, Chrome 93 and Firefox 92, the oldest that the app runs in. Decision 15. */
const isTooOld = !("hasOwn" in Object);
if (isTooOld) document.documentElement.dataset["old"] = "";

let started = false;
/** Whether an earlier attempt failed. */
let again = false;

/**
 * Starts the app, once, and retries by itself: no chart is there yet to decide that.
 * @param ready whether a prerendered page is there to be hydrated
 * @param missed called each time that a file fails
 */
export function startApp(ready: Promise<boolean>, missed = () => {}): void {
  if (started) return;
  started = true;
  load(ready).catch(() => {
    started = false;
    again = true;
    missed();
    document.getElementById("load-failed")?.removeAttribute("hidden");
    setTimeout(startApp, PATIENCE, ready, missed);
  });
}

async function load(ready: Promise<boolean>): Promise<void> {
  if (isTooOld) {
    await parsed;
    throw new Error("This browser is too old.");
  }
  const { modules, views, words } = readStart();
  const spoken = words[languageHere()];
  const segment = segmentOf(location.pathname);
  // Every object has something called "constructor".
  const screen = (Object.hasOwn(views, segment) && views[segment]) || [];
  const files = [...modules, ...screen, ...spoken];
  // Fetched first on a retry: WebKit may never settle the import of a module that failed.
  if (again) await fetchFiles(files);
  else preloadModules(files);
  // The last module starts the app and cannot run twice: first the messages and, for hydration, the screen.
  const hydrates = (await ready) && document.documentElement.dataset["takeover"] === undefined;
  const needed = [...spoken, ...(hydrates ? screen.slice(0, 1) : [])];
  try {
    for (const step of [...modules.slice(0, -1).map((file) => [file]), needed, modules.slice(-1)]) {
      await Promise.all(step.map((file) => import(file)));
      await pause();
    }
  } catch (error) {
    // The network works and the module fails: a newer release removed it, or this is Firefox, which caches the error
    // until a reload.
    const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    if (again && visit?.type !== "reload") location.reload();
    throw error;
  }
}
