/** How every page starts the app: its files are asked for at once, run one after the other, and asked for again until they come. Decision 13. */
import { fetchFiles, languageHere, preloadModules, readStart, viewAt } from "./early-words.ts";
import { pause } from "./ports/page.ts";

/* From one document to the next the browser turns by itself, where it can. Which way that is, it has to be told; else it fades alone. Decision 10. */
addEventListener("pagereveal", () => {
  const { entry, from } = window.navigation?.activation ?? {};
  if (entry && from)
    document.documentElement.style.setProperty("--side", entry.index < from.index ? "-1" : "1");
});

/** In ms: what does not come holds nobody up for longer. */
export const PATIENCE = 3_000;

export const parsed = new Promise((resolve) => {
  document.addEventListener("DOMContentLoaded", resolve);
});

/** What came with Safari 15.4, Chrome 93 and Firefox 92, the oldest that the app runs in. Decision 15. */
const isTooOld = !("hasOwn" in Object);
if (isTooOld) document.documentElement.dataset["old"] = "";

let started = false;
/** Whether something did not come before. */
let again = false;

/**
 * Starts the app, once. It asks again by itself: the charts that decide such things are what it waits for.
 * @param ready whether a page stands there that the app takes over
 * @param missed called each time that something of it does not come
 */
export function startApp(ready: Promise<boolean>, missed = () => {}): void {
  if (started) return;
  started = true;
  load(ready).catch(() => {
    started = false;
    again = true;
    missed();
    document.getElementById("cut")?.removeAttribute("hidden");
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
  const screen = views[viewAt(location.pathname)] ?? [];
  const files = [...modules, ...screen, ...spoken];
  // Not as modules again before they are there: while one of them fails, WebKit may never answer.
  if (again) await fetchFiles(files);
  else preloadModules(files);
  // The last module begins, and cannot begin twice: not without words, nor, where a page stands that it would replace, without the view.
  const needed = [...spoken, ...((await ready) ? screen.slice(0, 1) : [])];
  try {
    for (const step of [...modules.slice(0, -1).map((file) => [file]), needed, modules.slice(-1)]) {
      await Promise.all(step.map((file) => import(file)));
      await pause();
    }
  } catch (error) {
    // The network is there, the module does not come: a newer release took it away, or this is Firefox, which keeps as
    // long as the page lives that it was missed.
    const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    if (again && visit?.type !== "reload") location.reload();
    throw error;
  }
}
