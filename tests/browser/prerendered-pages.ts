/** What the tests of prerendered pages share: the pages, holding back the app, and watching for shifts. */
import { JSDOM } from "jsdom";
import type { Language } from "../../src/contract/languages.ts";
import type { Phone } from "../support/browser.ts";

/** Each page, and what stands at its top. */
export const pages = [
  ["/home", "Never-offline VPN"],
  ["/login", "Welcome back"],
  ["/register", "Create an account"],
  ["/service", "User service agreement"],
  ["/forgetPasswordUserName", "Forgot your password?"],
] as const;

/** What is sent at an address: the page as it is before any script has run. */
export async function sentPage(
  { origin }: { origin: string },
  path: string,
  language: Language,
): Promise<{ root: Element; title: string; lang: string }> {
  const sent = await fetch(origin + path, { headers: { "Accept-Language": language } });
  const { document } = new JSDOM(await sent.text()).window;
  const root = document.getElementById("root");
  if (!root) throw new Error(`${path} is no page of the app.`);
  return { root, title: document.title, lang: document.documentElement.lang };
}

/** Every text in there that belongs to the page's language: a value to none, and a language's own name to its own. */
export const textsIn = (root: Element): string[] =>
  [root, ...root.querySelectorAll("*")].flatMap((each) => {
    if (each.closest("[translate=no], script, style, #root [lang]")) return [];
    const texts = Array.from(each.childNodes, ({ nodeType, nodeValue }) => (nodeType === 3 ? nodeValue : ""));
    const names = ["aria-label", "alt", "placeholder", "title"].map((name) => each.getAttribute(name));
    return [...texts, ...names].map((text) => text ?? "");
  });

/** From here on the app does not come, until it is let. @returns what lets it */
export async function holdApp({ page }: Phone): Promise<() => void> {
  let release = () => {};
  const free = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/index-.*\.js$/, async (route) => {
    await free;
    await route.continue();
  });
  return () => release();
}

/** What moves on the page by itself from now on, as the browser counts it. */
export const watchShifts = ({ page }: Phone) =>
  page.addInitScript(() => {
    const shifts: unknown[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources = [] } = entry as PerformanceEntry & {
          value: number;
          sources?: { node?: Node | null }[];
        };
        shifts.push([value, ...sources.map(({ node }) => node?.textContent)]);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });

export const shiftsOn = ({ page }: Phone) =>
  page.evaluate(() => (window as unknown as { shifts: [value: number][] }).shifts);

/** Every heading that was ever seen, frame by frame. */
export const watchHeadings = ({ page }: Phone) =>
  page.addInitScript(() => {
    const headings = new Set<string>();
    Object.assign(window, { headings });
    const look = () => {
      const heading = document.querySelector("h1");
      if (heading?.checkVisibility()) headings.add(heading.textContent);
      requestAnimationFrame(look);
    };
    look();
  });

export const headingsOn = ({ page }: Phone) =>
  page.evaluate(() => [...(window as unknown as { headings: Set<string> }).headings]);
