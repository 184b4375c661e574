/** What a page and the app that it brings share before the app is there. Decision 13. */
import type { Network } from "../../machines/purchase.ts";
import { languageOf, type Language } from "../contract/languages.ts";

/** Told to the document once React hears what happens in it. */
export const ALIVE = "app.alive";

/** What the written page of a payment says where an order's own words belong. No network takes such an address. */
export const blankOrder = (network: Network) => ({
  network,
  orderId: "__order__",
  amount: "7000000007.77",
  address: "_".repeat(network === "TRC20" ? 34 : 42),
});

/** What to load and when needed: in a page as `<script type="application/json" id="start">`. */
export type Start = {
  /** The modules of the app, each after those that it imports; the last one begins. */
  modules: readonly string[];
  /** What each screen adds to them, by the name of its view; the first is the view itself. */
  views: Readonly<Record<string, readonly string[]>>;
  /** Each language's catalogues. */
  words: Readonly<Record<Language, readonly string[]>>;
};

/** The name of the view at an address: `/payDetail/…` is `pay-detail`. */
export const viewAt = (path: string) =>
  (path.split("/")[1] || "home")
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replaceAll("_", "-");

export const readStart = () => JSON.parse(document.getElementById("start")?.textContent ?? "") as Start;

/** What is stored under `key`; null where nothing is, or nothing may be read. */
export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** The language to begin in, by the rule of `ports/language.ts`. */
export const languageHere = () => languageOf(readKept("language") || navigator.language);

/**
 * Has the file of a module come, and does not run it. As a script, not as a module: a browser may keep of a module that
 * it did not come, Firefox for as long as the page lives; and in WebKit its next `import` may never answer.
 * @throws when it does not come
 */
export async function fetchModule(href: string): Promise<void> {
  const link = document.createElement("link");
  // With what a module is asked for with, so that it is asked for once.
  Object.assign(link, { rel: "preload", as: "script", crossOrigin: "anonymous", href });
  const came = await new Promise<boolean>((resolve) => {
    link.addEventListener("load", () => resolve(true));
    link.addEventListener("error", () => resolve(false));
    document.head.append(link);
  });
  link.remove();
  // A link that failed once may say so for ever.
  if (!came && !(await fetch(href)).ok) throw new Error(href);
}
