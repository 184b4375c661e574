/** Opens a prerendered page for the app; for hydration, removes what is for another audience and fills in what the browser knows. Decision 13. */
import { pageAt } from "../../contract/pages.ts";
import type { Config } from "../ports/config.ts";
import { deviceKind } from "../ports/page.ts";

/**
 * How the app takes over the screen that the document holds for its address in `language`: "hydrate", or "replace" once
 * its own is rendered. Null where the page is another screen's, in another language or was not filled: it is removed.
 */
export function openPrerendered(language: string): "hydrate" | "replace" | null {
  const { dataset } = document.documentElement;
  const { takeover } = dataset;
  if (
    dataset["page"] === pageAt(window.location.pathname) &&
    dataset["prerendered"] === language &&
    takeover !== "fill"
  ) {
    return takeover === undefined ? "hydrate" : "replace";
  }
  document.getElementById("root")?.replaceChildren();
  forgetRules();
  return null;
}

/** Removes what only a page without the app needs: its rules, its progress line, and the message that the app cannot be loaded. */
export function forgetRules(): void {
  const { dataset } = document.documentElement;
  delete dataset["page"];
  delete dataset["asked"];
  document.getElementById("load-failed")?.remove();
}

const every = (selector: string) => document.querySelectorAll<HTMLElement>(`#root ${selector}`);

/**
 * Makes the page what React would render here, for this user on this device.
 * @param userName null for a visitor
 * @param known null where the page has no configuration inlined: then there is no banner until it is read
 */
export function fitPage(userName: string | null, config: Config | null): void {
  const here = new Set<string | undefined>([
    userName === null ? "visitor" : "member",
    deviceKind() ?? "elsewhere",
    ...(config?.sandbox === true ? ["sandbox"] : []),
  ]);
  for (const part of every("[data-only]")) if (!here.has(part.dataset["only"])) part.remove();
  for (const place of every("[data-filled=name]")) place.textContent = userName;
  for (const place of every("[data-filled=year]")) {
    place.textContent = place.textContent.replace(/\d{4}/, String(new Date().getFullYear()));
  }
  if (config !== null) {
    for (const link of every("[data-site]")) {
      link.setAttribute("href", config.providerSite + link.dataset["site"]);
    }
    for (const link of every("[data-only=sandbox] a")) {
      link.setAttribute("href", config.apiBaseUrl + link.getAttribute("href"));
    }
  }
  forgetRules();
}
