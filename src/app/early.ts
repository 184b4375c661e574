/** What a written page does by itself, before any of the app is there; the build puts it into each one's head. Decision 13. */
import { pageAt, pageFile } from "../contract/pages.ts";
import { parsed, PATIENCE, startApp } from "./early-start.ts";
import { ALIVE, languageHere, readKept } from "./early-words.ts";
import { deviceKind, givingUpAfter, touches } from "./ports/page.ts";

/* It speaks the person's language, shows what is for them, starts the app when that helps, and keeps taps until it is. */

const html = document.documentElement;
const { page = "" } = html.dataset;

/* Where: the front door is the landing page's, too. A host may answer with this page for any other address. */

if (location.pathname === "/") history.replaceState(history.state, "", page);
const elsewhere = pageAt(location.pathname) !== page;

/* In which language. */

const language = languageHere();

/** Shows this page in the language that is wanted here, as the build wrote it in a file of its own. @returns whether it does */
async function turn(): Promise<boolean> {
  try {
    const [answer] = await Promise.all([
      fetch(`/${pageFile(page, language)}`, { signal: givingUpAfter(PATIENCE) }),
      parsed,
    ]);
    const other = new DOMParser().parseFromString(await answer.text(), "text/html");
    const root = other.getElementById("root");
    // What a host has to say that does not know the file.
    if (!root || other.documentElement.dataset["page"] !== page || other.documentElement.lang !== language)
      return false;
    html.lang = language;
    document.title = other.title;
    for (const [place, attribute] of [
      ["meta[name=description]", "content"],
      ["link[rel=manifest]", "href"],
    ] as const) {
      const said = other.querySelector(place)?.getAttribute(attribute) ?? "";
      document.querySelector(place)?.setAttribute(attribute, said);
    }
    for (const id of ["root", "cut"]) {
      document.getElementById(id)?.replaceChildren(...(other.getElementById(id)?.childNodes ?? []));
    }
    show();
    return true;
  } catch {
    return false;
  }
}

const show = () => delete html.dataset["hidden"];

const turns = !elsewhere && language !== html.lang;
if (elsewhere || turns) html.dataset["hidden"] = "";
/** Whether the page is there, in the language that is wanted. If it will not be, the app speaks both by itself. */
export const ready = elsewhere ? parsed.then(() => false) : turns ? turn() : parsed.then(() => true);
void ready.then((shown) => shown || start());

/* For whom. `ports/storage.ts` and the session's chart read the same name; what they say counts once they are here. */

function readName(): string | null {
  const kept = readKept("user_name");
  if (kept) return kept;
  try {
    const { account_name: name } = JSON.parse(readKept("user_key") ?? "{}") as { account_name?: unknown };
    return (typeof name === "string" && name) || null;
  } catch {
    return null;
  }
}
/** Who is signed in here; null for a visitor. */
export const name = readName();
if (name !== null) {
  html.dataset["member"] = "";
  // As a style, for nothing in the page may differ from what React expects.
  const text = Array.from(name, (letter) => `\\${letter.codePointAt(0)?.toString(16)} `).join("");
  html.style.setProperty("--member", `"${text}"`);
}
const device = deviceKind();
if (device !== null) html.dataset["device"] = device;

/* What nobody sees yet waits for the first drawing: what is far below, the page's icon, its manifest. */

html.dataset["undrawn"] = "0";
const unseen = Array.from(document.querySelectorAll("link[rel=icon], link[rel=manifest]"), (link) => {
  const address = link.getAttribute("href") ?? "";
  // Without an icon a browser asks for one at an address of its own.
  const meanwhile = link.matches("[rel=icon]") ? "data:," : "";
  link.setAttribute("href", meanwhile);
  // The other language may have come with a manifest of its own.
  return () => link.getAttribute("href") === meanwhile && link.setAttribute("href", address);
});
const drawn = new Promise<void>((resolve) => {
  // In the background nothing is drawn.
  if (document.hidden) resolve();
  else if (PerformanceObserver.supportedEntryTypes?.includes("paint")) {
    // The first paint may be of the bare background.
    new PerformanceObserver(
      (entries) => entries.getEntriesByName("first-contentful-paint")[0] && resolve(),
    ).observe({ type: "paint", buffered: true });
  } else requestAnimationFrame(() => setTimeout(resolve));
});
/** Draws one part more in each frame: all of them at once would hold up a touch. */
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

/* When: once the page is there and has been drawn, or at the first touch. */

/** The page is better than none, while the app does not come. */
export const start = () => startApp(ready, show);
const loaded = new Promise((resolve) => {
  addEventListener("load", resolve);
});
void Promise.all([loaded, drawn]).then(start);
setTimeout(start, PATIENCE);
for (const type of touches) document.addEventListener(type, start, { capture: true, passive: true });

/* What was asked for before: the last tap of each button, and a form that was sent. Links and fields work by themselves. */

const asked = new Map<Element, () => void>();
function keep(event: Event): void {
  if (!(event.target instanceof Element)) return;
  if (event instanceof SubmitEvent) {
    event.preventDefault();
    html.dataset["asked"] = "";
    const { submitter, target: form } = event;
    asked.set(form, () => {
      // Brings the form to life: React takes over what is tapped or typed in first, but not what is sent.
      form.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }));
      submitter?.click();
    });
    return;
  }
  const button = event.target.closest<HTMLButtonElement>("button[type=button]");
  if (!button) return;
  html.dataset["asked"] = "";
  const at = buttons().indexOf(button);
  // The app may have drawn it anew.
  asked.set(button, () => (button.isConnected ? button : buttons()[at])?.click());
}
const buttons = () => [...document.querySelectorAll<HTMLButtonElement>("#root button")];
document.addEventListener("click", keep, true);
document.addEventListener("submit", keep, true);

document.addEventListener(ALIVE, () => {
  delete html.dataset["asked"];
  document.removeEventListener("click", keep, true);
  document.removeEventListener("submit", keep, true);
  for (const type of touches) document.removeEventListener(type, start, true);
  for (const again of asked.values()) again();
});
