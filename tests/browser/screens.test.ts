/** Every screen in both languages, by day and by night: nothing that WCAG 2.2 AA forbids, and every picture as it was when somebody last looked at it. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Browser } from "playwright-core";
import { languages, type Language } from "../../src/contract/languages.ts";
import { violationsOn } from "../support/axe.ts";
import { launch, type Phone } from "../support/browser.ts";
import { comparePicture, keepPicture } from "../support/pictures.ts";
import { openPhones, screens, settle, show, type Screen } from "../support/screens.ts";
import { startShowcase } from "../support/showcase.ts";

const kept = join(import.meta.dirname, "pictures");
const failures = join(import.meta.dirname, "../../build/pictures");
/** `npm run pictures` keeps what it sees instead of comparing it. */
const keeping = process.env["PICTURES"] === "keep";
/** Letters are drawn by the system, from the same files not the same way everywhere: the pictures are Linux's. */
const comparing = process.platform === "linux";

const schemes = ["light", "dark"] as const;
type Scheme = (typeof schemes)[number];
const phoneWidth = 390;
/** A small phone and a desk. */
const otherWidths = [320, 1280];

/** The line along the top runs on for half a second after a screen has come. */
const still = "[data-visible] { visibility: hidden }";

let browser: Browser;
let showcase: Awaited<ReturnType<typeof startShowcase>>;
beforeAll(async () => {
  const house = inject("house");
  [browser, showcase] = await Promise.all([launch(house), startShowcase(house)]);
  rmSync(failures, { recursive: true, force: true });
  if (keeping) rmSync(kept, { recursive: true, force: true });
});
afterAll(async () => {
  await Promise.all([browser?.close(), showcase?.stop()]);
});

const nameOf = (screen: Screen, language: Language, scheme: Scheme, width: number) =>
  `${screen.name}.${language}.${scheme}${width === phoneWidth ? "" : `.${width}`}.png`;

/** @returns what is wrong with the picture of the screen as it stands */
async function look(phone: Phone, screen: Screen, name: string): Promise<string[]> {
  const { page } = phone;
  // What has not been drawn yet is as high as somebody guessed.
  await settle(phone);
  const size = page.viewportSize() ?? { width: phoneWidth, height: 844 };
  const height =
    screen.whole && size.width === phoneWidth
      ? await page.evaluate(() => document.documentElement.scrollHeight)
      : size.height;
  if (height > size.height) await page.setViewportSize({ ...size, height });
  await settle(phone);
  const png = await page.screenshot({ animations: "disabled", style: still });
  if (height > size.height) await page.setViewportSize(size);
  const file = join(kept, name);
  if (keeping) {
    keepPicture(file, png);
    return [];
  }
  const fault = comparing ? comparePicture(file, png, failures) : null;
  return fault === null ? [] : [fault];
}

async function visit(language: Language, scheme: Scheme): Promise<string[]> {
  const faults: string[] = [];
  const phones = openPhones(browser, showcase, { language, colorScheme: scheme });
  for (const screen of screens) {
    const phone = await phones.of(screen);
    await show(phone, screen);
    faults.push(...(await look(phone, screen, nameOf(screen, language, scheme, phoneWidth))));
    for (const violation of await violationsOn(phone)) faults.push(`${screen.name}: ${violation}`);
    if (!screen.key || scheme === "dark") continue;
    for (const width of otherWidths) {
      await phone.page.setViewportSize({ width, height: width < phoneWidth ? 568 : 800 });
      faults.push(...(await look(phone, screen, nameOf(screen, language, scheme, width))));
    }
    await phone.page.setViewportSize({ width: phoneWidth, height: 844 });
  }
  await phones.close();
  return faults;
}

describe.each(schemes)("%s", (scheme) => {
  test("every screen is fit for everyone, and looks as it did", { timeout: 600_000 }, async () => {
    if (!comparing) process.stderr.write("The pictures are not compared: they are those of Linux.\n");
    const faults = await Promise.all(languages.map((language) => visit(language, scheme)));
    expect(faults.flat(), "Look at build/pictures; `npm run pictures` keeps what is right.").toEqual([]);
  });
});

test("no picture is kept of what there is no more", () => {
  const names = screens.flatMap((screen) =>
    languages.flatMap((language) =>
      schemes.flatMap((scheme) =>
        [phoneWidth, ...(screen.key && scheme === "light" ? otherWidths : [])].map((width) =>
          nameOf(screen, language, scheme, width),
        ),
      ),
    ),
  );
  expect(readdirSync(kept).toSorted()).toEqual(names.toSorted());
});
