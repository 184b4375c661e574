/** Bootstrap of a prerendered page, inlined into its head: language, audience, start of the app, and taps until hydration. Decision 13. */
import { pageAt } from "../../contract/pages.ts";
import { parsed, PATIENCE, startApp } from "./start-app.ts";
import { ALIVE, languageHere, readKept, readStart } from "./bootstrap-shared.ts";
import type * as swapping from "./swap-language.ts";
import { deviceKind, touches } from "../ports/page.ts";
import { accountIn, jsonIn, nameIn } from "../ports/stored-values.ts";

const html = document.documentElement;
const { page = "" } = html.dataset;

/* The address: `/` is the landing page's, too. A host may answer any other address with this page. */

if (location.pathname === "/") history.replaceState(history.state, "", page);

/** Who is signed in here; null for a visitor. The session chart starts from the same name. */
export const name =
  nameIn(readKept("user_name")) ?? jsonIn(readKept("user_key"), accountIn)?.account_name ?? null;

/** Whether the app will show another screen than the page's. */
export const isElsewhere =
  pageAt(location.pathname) !== page || (html.dataset["members"] === "" && name === null);

/* The language. */

const language = languageHere();

/** Replaces the page's content by that of the other language's file. @returns whether it did */
async function swapLanguage(): Promise<boolean> {
  // In WebKit, a failed import may never reject.
  const late = new Promise<null>((resolve) => {
    setTimeout(resolve, PATIENCE, null);
  });
  try {
    const code = await Promise.race([import(readStart().swap ?? "") as Promise<typeof swapping>, late]);
    const swapped = (await code?.swapLanguage(page, language, parsed, PATIENCE)) === true;
    if (swapped) show();
    return swapped;
  } catch {
    return false;
  }
}

const show = () => delete html.dataset["hidden"];

// A browser's translator changes `lang` to its own language.
html.dataset["prerendered"] = html.lang;
const swaps = !isElsewhere && language !== html.lang;
if (isElsewhere || swaps) html.dataset["hidden"] = "";
/** Whether the page is shown in the wanted language. If not, the app renders it. */
export const ready = isElsewhere
  ? parsed.then(() => false)
  : swaps
    ? swapLanguage()
    : parsed.then(() => true);
void ready.then((shown) => shown || start());

/* Offline: the service worker has answered with this page. */

if (!navigator.onLine)
  void parsed.then(() => document.getElementById("load-failed")?.removeAttribute("hidden"));

/* The audience. */

/** Shows a text by a style: the markup must stay what hydration expects. */
export function showBy(property: string, text: string): void {
  const letters = Array.from(text, (letter) => `\\${letter.codePointAt(0)?.toString(16)} `);
  html.style.setProperty(property, `"${letters.join("")}"`);
}
if (name !== null) {
  html.dataset["member"] = "";
  showBy("--member", name);
}
const device = deviceKind();
if (device !== null) html.dataset["device"] = device;

/* After the first paint: what is below the fold, the icon, the manifest. */

html.dataset["undrawn"] = "0";
const unseen = Array.from(document.querySelectorAll("link[rel=icon], link[rel=manifest]"), (link) => {
  const address = link.getAttribute("href") ?? "";
  // Without an icon, a browser requests /favicon.ico.
  const meanwhile = link.matches("[rel=icon]") ? "data:," : "";
  link.setAttribute("href", meanwhile);
  // The other language may have set its own manifest.
  return () => link.getAttribute("href") === meanwhile && link.setAttribute("href", address);
});
const drawn = new Promise<void>((resolve) => {
  // A background tab never paints.
  if (document.hidden) resolve();
  else if (PerformanceObserver.supportedEntryTypes?.includes("paint")) {
    // The first paint may be the background alone.
    new PerformanceObserver(
      (entries) => entries.getEntriesByName("first-contentful-paint")[0] && resolve(),
    ).observe({ type: "paint", buffered: true });
  } else requestAnimationFrame(() => setTimeout(resolve));
});
/** Renders one part in each frame: all at once would delay a touch. */
function drawOn(parts = 0): void {
  if (parts >= document.querySelectorAll("[data-below]").length) {
    delete html.dataset["undrawn"];
    return;
  }
  html.dataset["undrawn"] = String(parts);
  requestAnimationFrame(() => drawOn(parts + 1));
}
void drawn.then(() => {
  drawOn();
  for (const ask of unseen) ask();
});

/* The start of the app: after load and first paint, or at the first touch. */

/** Shows the page, in any language, when the app cannot be loaded. */
export const start = () => startApp(ready, show);
const loaded = new Promise((resolve) => {
  addEventListener("load", resolve);
});
void Promise.all([loaded, drawn]).then(start);
setTimeout(start, PATIENCE);
for (const type of touches) document.addEventListener(type, start, { capture: true, passive: true });

/* The last tap before hydration, on a button or to submit a form: it supersedes the earlier ones. Links and fields work without the app. */

/** Finds the button that replaced one: by position, unless the screen is replaced (`bootstrap-drawn-anew.ts`). */
export const successor = { of: (_button: HTMLElement, at: number) => buttons()[at] };

let tapAgain: (() => void) | undefined;
function keep(event: Event): void {
  if (!(event.target instanceof Element)) return;
  const sent = event instanceof SubmitEvent;
  if (sent) event.preventDefault();
  const button = sent ? event.submitter : event.target.closest<HTMLElement>("button[type=button]");
  if (!button) return;
  html.dataset["asked"] = "";
  const at = buttons().indexOf(button);
  tapAgain = () => {
    // Hydrates the button first: React prioritises what receives a discrete event. It may render it anew.
    button.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }));
    (button.isConnected ? button : successor.of(button, at))?.click();
  };
}
export const buttons = () => [...document.querySelectorAll<HTMLElement>("#root button")];
document.addEventListener("click", keep, true);
document.addEventListener("submit", keep, true);

document.addEventListener(ALIVE, () => {
  delete html.dataset["asked"];
  document.removeEventListener("click", keep, true);
  document.removeEventListener("submit", keep, true);
  for (const type of touches) document.removeEventListener(type, start, true);
  tapAgain?.();
});
