/** The prerendered pages: their file names, and the parts that the server may fill in. Decision 13. */
import { languageOf, type Language } from "./languages.ts";

/** How many parameters the addresses have that share the page of their screen. Their order is the route table's. */
const parameters = new Map([
  ["buy", [0, 1]],
  ["pay", [1]],
  ["forgetPasswordInfo", [1]],
  ["billDetail", [4]],
  ["receipt", [1]],
]);

/**
 * The name of the prerendered page of `path`, if it has one. A page has no parameters, but the payment screen has one
 * page for each network. After a reload, the last step of a recovery begins with the one before it.
 */
export function pageAt(path: string): string {
  const bare = path.replace(/(.)\/+$/, "$1");
  const [, screen = "", ...given] = bare
    .replace(/^\/forgetPassword\/[^/]+\//, "/forgetPasswordInfo/")
    .split("/");
  if (screen === "payDetail") return `/payDetail-${given[2] ?? ""}`;
  const possible = parameters.get(screen);
  if (!possible) return bare;
  return possible.includes(given.length) ? `/${screen}` : "";
}

/**
 * The page with today's packages in it, of a page that shows packages: markup for each of them, between marks, that the
 * service fills in. No address leads to such a file.
 */
export const stockedPage = (page: string) => `${page}+packages`;
export const OFFER_MARK = "<!--package-->";

/** The places in that markup, beside an empty `data-offer` that takes the package itself as JSON. */
export const offerPlaces = {
  name: "__name__",
  productId: "__product_id__",
  price: "__price__",
  buyPrice: "__buy_price__",
  dayPrice: "__day_price__",
  percent: "61.37",
  saved: "38.63",
} as const;

/** The most packages that a page holds; the app brings the others. */
export const MOST_OFFERS = 20;

/** The query by which the service worker asks for a page as the build wrote it: prices are not kept. */
export const FRAME = "frame";

/** The file of a prerendered page. The English one has the name that any host finds by the URL. */
export const pageFile = (page: string, language: Language) =>
  `${page.slice(1)}${language === "en" ? "" : `.${language}`}.html`;

/** The page in such a file, and its language. */
export function pageIn(file: string): { page: string; language: Language } {
  const [, page = "", language = "en"] = /^(.*?)(?:\.([\w-]+))?\.html$/.exec(file) ?? [];
  return { page: `/${page}`, language: languageOf(language) };
}

/** The screen at the root URL. */
export const FRONT = "/home";

/** The screen where a card is paid by. The card provider is let into its document alone. */
export const CARD_SCREEN = "/razorpayDetail";

/** The page's request for its configuration. A server that knows it replaces this with an element of the id below. */
export const CONFIG_LINK = /<link rel="preload" href="\/config\.json"[^>]*>/;
export const CONFIG_ID = "config";

/**
 * The service's marker of a page that it isolated from its opener (`Server-Timing`), and the query by which such a
 * page asks for another isolated one: otherwise the browser separates their histories. Decision 19. The word is that of
 * earlier releases: while one is exchanged, pages of both are open.
 */
export const ISOLATED = "cut";
