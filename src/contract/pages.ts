/** The prerendered pages: their file names, and the parts that the server may fill in. Decision 13. */
import type { Language } from "./languages.ts";

/**
 * The name of the prerendered page of `path`, if it has one. The payment screen has one for each network, with
 * placeholders for the order's data.
 */
export function pageAt(path: string): string {
  const [, screen, , , network = ""] = path.split("/");
  return screen === "payDetail" ? `/payDetail-${network}` : path.replace(/(.)\/+$/, "$1");
}

/** The file of a prerendered page. The English one has the name that any host finds by the URL. */
export const pageFile = (page: string, language: Language) =>
  `${page.slice(1)}${language === "en" ? "" : `.${language}`}.html`;

/** The screen at the root URL. */
export const FRONT = "/home";

/** The screen where a card is paid by. The card provider is let into its document alone. */
export const CARD_SCREEN = "/razorpayDetail";

/** The page's request for its configuration. A server that knows it replaces this with an element of the id below. */
export const CONFIG_LINK = /<link rel="preload" href="\/config\.json"[^>]*>/;
export const CONFIG_ID = "config";

/**
 * The service's marker of a page that it isolated from its opener (`Server-Timing`), and the query by which such a
 * page asks for another isolated one: otherwise the browser separates their histories. Decision 19.
 */
export const CUT = "cut";
