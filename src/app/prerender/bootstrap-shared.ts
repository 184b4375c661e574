/** What the pages' bootstrap scripts and the app share. Decision 13. */
import type { Network } from "../../../machines/issued-order.ts";
import { firstLanguageIn, type Language } from "../../contract/languages.ts";

/** Dispatched on the document once React handles its events. */
export const ALIVE = "app.alive";

/** The placeholders of the prerendered payment page. No network accepts such an address. */
export const blankOrder = (network: Network) => ({
  network,
  orderId: "__order__",
  amount: "7000000007.77",
  address: "_".repeat(network === "TRC20" ? 34 : 42),
});

/** The placeholders of the chosen package, where it is paid for. */
export const blankOffer = { name: "__package__", price: "7000000007.77" };

/** The placeholders of a membership in the page of the personal center, which stands in the template of this id. No date reads like this. */
export const blankMembership = { pack_name: "__package__", pack_exp_date: "__until__" };
export const MEMBERSHIP_ID = "membership";

/** Puts values into the texts within `root`, in the place of placeholders. */
export function fillTexts(root: Node, values: Readonly<Record<string, string>>): void {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
    for (const [blank, value] of Object.entries(values)) text.data = text.data.replace(blank, () => value);
  }
}

/** The files to load: in a page as `<script type="application/json" id="start">`. */
export type Start = {
  /** The modules of the app, each after those that it imports; the last one begins. */
  modules: readonly string[];
  /** What each screen adds to them, by the first part of its address; the first file is the screen itself. */
  views: Readonly<Record<string, readonly string[]>>;
  /** Each language's catalogues. */
  words: Readonly<Record<Language, readonly string[]>>;
  /** The module `swap-language.ts`, of a prerendered page. */
  swap?: string;
  /** The addresses at the API that the screen of a prerendered page asks first. */
  calls?: readonly string[];
};

/** The first part of an address, which tells its screen. */
export const segmentOf = (path: string) => path.split("/")[1] || "home";

export const readStart = () => JSON.parse(document.getElementById("start")?.textContent ?? "") as Start;

/** The stored text; null where there is none, or storage is forbidden. `ports/stored-values.ts` parses it. */
export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** The initial language, by the rule of `ports/language.ts`. */
export const languageHere = () =>
  firstLanguageIn([readKept("language"), navigator.language, ...navigator.languages]);

/** Preloads modules, all at once, without running them. */
export function preloadModules(files: readonly string[]): void {
  for (const file of files) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = file;
    for (const over of ["load", "error"]) link.addEventListener(over, () => link.remove());
    document.head.append(link);
  }
}

/** Fetches files, all at once. @throws while the network or the host fails */
export async function fetchFiles(files: readonly string[]): Promise<void> {
  const answers = await Promise.all(files.map((file) => fetch(file)));
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  if (answers.some(({ status }) => status >= 500)) throw new Error("The host fails.");
}
