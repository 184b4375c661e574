/** A page that the build wrote for whoever comes: made to fit the one who came, before React takes it over. Decision 13. */
import { pageAt } from "../../contract/pages.ts";
import type { Config } from "./config.ts";
import { deviceKind } from "./page.ts";

/**
 * What this document holds of the screen at its own address, in `language`: "whole" is the screen itself; "filled" shows
 * what it will show, with what was kept here in its blanks, until the app has drawn it. Whatever else it holds goes here.
 */
export function openWritten(language: string): "whole" | "filled" | null {
  const { dataset, lang } = document.documentElement;
  const blank = dataset["blank"];
  if (dataset["page"] === pageAt(window.location.pathname) && lang === language && blank !== "") {
    return blank === undefined ? "whole" : "filled";
  }
  document.getElementById("root")?.replaceChildren();
  forgetRules();
  return null;
}

/** What only a page that nobody has brought to life needs: its rules, and its word that the app does not come. */
export function forgetRules(): void {
  for (const id of ["rules", "cut"]) document.getElementById(id)?.remove();
}

const every = (selector: string) => document.querySelectorAll<HTMLElement>(`#root ${selector}`);

/**
 * Leaves of the page what is for this person on this device, and fills in what only the browser knows: what React would
 * draw here itself.
 * @param userName null for a visitor
 * @param known null where the page does not bring its configuration: then there is no banner until it is read
 */
export function fitPage(userName: string | null, known: Config | null): void {
  const here = new Set<string | undefined>([
    userName === null ? "visitor" : "member",
    deviceKind() ?? "elsewhere",
    ...(known?.sandbox === true ? ["sandbox"] : []),
  ]);
  for (const part of every("[data-only]")) if (!here.has(part.dataset["only"])) part.remove();
  for (const place of every("[data-filled=name]")) place.textContent = userName;
  for (const place of every("[data-filled=year]")) {
    place.textContent = place.textContent.replace(/\d{4}/, String(new Date().getFullYear()));
  }
  if (known !== null) {
    for (const link of every("[data-site]")) {
      link.setAttribute("href", known.providerSite + link.dataset["site"]);
    }
    for (const link of every("[data-only=sandbox] a")) {
      link.setAttribute("href", known.apiBaseUrl + link.getAttribute("href"));
    }
  }
  forgetRules();
}
