/** The screens that the build writes as pages: how their files are called, and what whoever serves them may fill in. Decision 13. */
import type { Language } from "./languages.ts";

/**
 * The written page that `path` opens, if there is one by that name. The payment screen has one for each network, with
 * blanks for what is of one order alone.
 */
export function pageAt(path: string): string {
  const [, screen, , , network = ""] = path.split("/");
  return screen === "payDetail" ? `/payDetail-${network}` : path.replace(/(.)\/+$/, "$1");
}

/** The file of a written page. The English one is what any host finds by the address. */
export const pageFile = (page: string, language: Language) =>
  `${page.slice(1)}${language === "en" ? "" : `.${language}`}.html`;

/** The screen that the front door opens. */
export const FRONT = "/home";

/** Where the page asks for its configuration; a host that knows it writes it there, in an element of this id. */
export const CONFIG_LINK = /<link rel="preload" href="\/config\.json"[^>]*>/;
export const CONFIG_ID = "config";

/**
 * How the service marks a page that it cut off from its opener (`Server-Timing`), and how a page that was asks for
 * another like it (in the query): the browser parts the history of the two otherwise. Decision 19.
 */
export const CUT = "cut";
