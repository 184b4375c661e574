/** How every page starts the app: its files are asked for at once, run one after the other, and asked for again until they come. Decision 13. */
import { fetchModule, languageHere, readStart, viewAt } from "./early-words.ts";
import { pause } from "./ports/page.ts";

/** In ms: what does not come holds nobody up for longer. */
export const PATIENCE = 3_000;

export const parsed = new Promise((resolve) => {
  document.addEventListener("DOMContentLoaded", resolve);
});

let started = false;

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
    missed();
    document.getElementById("cut")?.removeAttribute("hidden");
    setTimeout(startApp, PATIENCE, ready, missed);
  });
}

async function load(ready: Promise<boolean>): Promise<void> {
  const { modules, views, words } = readStart();
  const spoken = words[languageHere()];
  const screen = views[viewAt(location.pathname)] ?? [];
  const coming = new Map([...modules, ...screen, ...spoken].map((file) => [file, fetchModule(file)]));
  // Who needs it hears of it.
  for (const file of coming.values()) file.catch(() => undefined);
  // The last module begins, and cannot begin twice: not without words, nor, where a page stands that it would replace, without the view.
  const shown = (await ready) ? screen : [];
  for (const files of [
    ...modules.slice(0, -1).map((file) => [file]),
    [...spoken, ...shown],
    modules.slice(-1),
  ]) {
    await Promise.all(files.map((file) => coming.get(file)));
    // A view runs what it needs of its other files.
    const begun = files.filter((file) => file === shown[0] || !shown.includes(file));
    await Promise.all(begun.map((file) => import(file)));
    await pause();
  }
}
