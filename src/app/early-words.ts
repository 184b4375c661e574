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

/** Asks for the files of modules, all at once, and runs none. */
export function preloadModules(files: readonly string[]): void {
  for (const file of files) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = file;
    for (const over of ["load", "error"]) link.addEventListener(over, () => link.remove());
    document.head.append(link);
  }
}

/** Has files come, all at once, where there are such. @throws while the network or the host fails */
export async function fetchFiles(files: readonly string[]): Promise<void> {
  const answers = await Promise.all(files.map((file) => fetch(file)));
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  if (answers.some(({ status }) => status >= 500)) throw new Error("The host fails.");
}
