/** What a phone expects of a screen: room for a thumb, text that may grow, fields that fill themselves. */
import type { Page } from "playwright-core";
import { beyondTheEdge } from "./window-edge.ts";

/** In px and percent: a phone, one whose user has doubled everything, one with larger text alone, one held across, a tablet, a desk. */
export const sizes: readonly (readonly [width: number, height: number, text: string])[] = [
  [390, 844, "100%"],
  [195, 422, "100%"],
  [390, 844, "150%"],
  [844, 390, "100%"],
  [820, 1_180, "100%"],
  [1_440, 900, "100%"],
];

/** Runs `look` at each size, and puts the page back to the first. */
export async function atSizes(
  page: Page,
  all: readonly (readonly [width: number, height: number, text: string])[],
  look: (at: string) => Promise<void>,
): Promise<void> {
  const before = page.viewportSize() ?? { width: 390, height: 844 };
  for (const [width, height, text] of all) {
    await page.setViewportSize({ width, height });
    await page.evaluate((size) => (document.documentElement.style.fontSize = size), text);
    await look(`at ${width} px, text ${text}`);
  }
  await page.evaluate(() => document.documentElement.removeAttribute("style"));
  await page.setViewportSize(before);
}

/** Words and controls that are cut off at one of these sizes. */
export async function cutOff(page: Page, at: typeof sizes): Promise<string[]> {
  const found: string[] = [];
  await atSizes(page, at, async (at) => {
    found.push(...(await page.evaluate(beyondTheEdge)).map((each) => `${at}: ${each}`));
  });
  return found;
}

/** Whatever can be touched and is smaller than 44 × 44 px, but for links within a sentence. */
export const smallTargets = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    const touchable = "a[href], button, input, select, textarea, [role=button], [role=slider]";
    for (const element of document.querySelectorAll<HTMLElement>(touchable)) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.closest("[inert]")) continue;
      if (getComputedStyle(element).display === "inline") continue;
      const { width, height } = element.getBoundingClientRect();
      if (width === 0 || height === 0) continue;
      // To the nearest pixel: the screen has no others.
      if (Math.round(width) < 44 || Math.round(height) < 44) {
        found.push(`${element.outerHTML.slice(0, 80)}: ${width} × ${height}`);
      }
    }
    return found;
  });

/** Fields with letters so small that a phone would zoom in on them. */
export const smallLetters = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("input:not([type=hidden], [type=checkbox], [type=radio])")]
      .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
      .map((field) => `${field.outerHTML.slice(0, 80)}: small letters`),
  );

/** What each text field tells the phone, by its name: what fills it, which keys it needs, and what Enter does. */
export const fieldHints = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLInputElement>("input[name]")]
        .filter((field) => field.checkVisibility() && !["radio", "checkbox", "hidden"].includes(field.type))
        .map((field) => [
          field.name,
          [field.autocomplete, field.inputMode || "text", field.enterKeyHint].join(" "),
        ]),
    ),
  );
