/** Swaps the language of a prerendered page. Few users need it, so its code is loaded when it is needed. Decision 13. */
import { pageFile } from "../../contract/pages.ts";
import type { Language } from "../../contract/languages.ts";

const html = document.documentElement;

/** The page at an address, not shown; null where there is none. `DOMParser` takes texts, which this page's policy refuses (Trusted Types). */
const readPage = (address: string, patience: number) =>
  new Promise<Document | null>((resolve) => {
    const request = new XMLHttpRequest();
    request.open("GET", address);
    request.responseType = "document";
    // For plain text, the browser would create a document with style attributes, which the policy refuses.
    request.overrideMimeType("text/html");
    request.timeout = patience;
    request.onloadend = () => resolve(request.response as Document | null);
    request.send();
  });

const isStocked = (at: ParentNode) => at.querySelector("[data-offer]") !== null;

/**
 * Replaces the content of the page by that of its file in `language`.
 * @param parsed settles when the page is here
 * @param patience in ms
 * @returns whether it did
 */
export async function swapLanguage(
  page: string,
  language: Language,
  parsed: Promise<unknown>,
  patience: number,
): Promise<boolean> {
  const [other] = await Promise.all([readPage(`/${pageFile(page, language)}`, patience), parsed]);
  const root = other?.getElementById("root");
  // A host without the file answers with another page. This page has no styles for packages unless it has some.
  if (
    !other ||
    !root ||
    isStocked(root) !== isStocked(document) ||
    other.documentElement.dataset["page"] !== page ||
    other.documentElement.lang !== language
  )
    return false;
  html.lang = html.dataset["prerendered"] = language;
  document.title = other.title;
  for (const [place, attribute] of [
    ["meta[name=description]", "content"],
    ["link[rel=manifest]", "href"],
  ] as const) {
    const value = other.querySelector(place)?.getAttribute(attribute) ?? "";
    document.querySelector(place)?.setAttribute(attribute, value);
  }
  for (const id of ["root", "load-failed"]) {
    document.getElementById(id)?.replaceChildren(...(other.getElementById(id)?.childNodes ?? []));
  }
  return true;
}
