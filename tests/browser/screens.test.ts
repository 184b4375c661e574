/** Every screen in both languages, by day and by night: nothing that WCAG 2.2 AA or the Content-Security-Policy forbids, and every picture as it was when a person last checked it. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Browser } from "playwright-core";
import { languages, type Language } from "../../src/contract/languages.ts";
import { violationsOn } from "../support/axe.ts";
import { launch, type Phone } from "../support/browser.ts";
import { comparePicture, keepPicture } from "../support/pictures.ts";
import { openPhones, screens, settle, show, type Screen } from "../support/screens.ts";
import { startFixtureSite } from "../support/fixtures.ts";

const kept = join(import.meta.dirname, "pictures");
const failures = join(import.meta.dirname, "../../build/pictures");
/** `npm run pictures` keeps the pictures that differ instead of refusing them. */
const keeping = process.env["PICTURES"] === "keep";
/** Letters are drawn by the system, from the same files not the same way everywhere: the pictures are Linux's. */
const comparing = process.platform === "linux";

const schemes = ["light", "dark"] as const;
type Scheme = (typeof schemes)[number];
const phoneWidth = 390;
const phoneSize = { width: phoneWidth, height: 844 };
/** A small phone and a desk. */
const otherWidths = [320, 1280];

/** The line along the top runs on for half a second after a screen has come, and a caret blinks. */
const still = "[data-visible] { visibility: hidden } * { caret-color: transparent !important }";
/** In a sheet of the page's own, which a policy lets be. */
const hold = ({ page }: Phone) =>
  page.evaluate((rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [sheet];
  }, still);

/** What a browser says where a document does what its policy forbids. */
const ofThePolicy = /Content Security Policy|Trusted(HTML|Script)/i;

let browser: Browser;
let fixtureSite: Awaited<ReturnType<typeof startFixtureSite>>;
beforeAll(async () => {
  const setup = inject("setup");
  [browser, fixtureSite] = await Promise.all([launch(setup), startFixtureSite(setup)]);
  rmSync(failures, { recursive: true, force: true });
});
afterAll(async () => {
  await Promise.all([browser?.close(), fixtureSite?.stop()]);
});

const nameOf = (screen: Screen, language: Language, scheme: Scheme, width: number) =>
  `${screen.name}.${language}.${scheme}${width === phoneWidth ? "" : `.${width}`}.png`;

/** Runs `check` on the screen at the height of all that is on it, where its pictures show that. */
async function atHeight<T>({ page }: Phone, whole: boolean, check: () => Promise<T>): Promise<T> {
  const size = page.viewportSize() ?? phoneSize;
  const height = whole ? await page.evaluate(() => document.documentElement.scrollHeight) : size.height;
  if (height <= size.height) return check();
  await page.setViewportSize({ ...size, height });
  const result = await check();
  await page.setViewportSize(size);
  return result;
}

/** @returns what is wrong with the picture of the screen, in words */
async function pictureFaults(phone: Phone, name: string): Promise<string[]> {
  await settle(phone);
  const png = await phone.page.screenshot({ animations: "disabled", caret: "initial" });
  const file = join(kept, name);
  const fault = comparing || keeping ? comparePicture(file, png, failures) : null;
  if (fault === null) return [];
  if (!keeping) return [fault];
  keepPicture(file, png);
  return [];
}

/** Each screen is loaded once: the scheme changes while it is open, and in the dark only its colours can be wrong anew. */
async function visit(language: Language): Promise<string[]> {
  const faults: string[] = [];
  const phones = openPhones(browser, fixtureSite, { language });
  for (const screen of screens) {
    const phone = await phones.of(screen);
    const { page } = phone;
    await show(phone, screen);
    // What has not been drawn yet has a guessed height.
    await settle(phone);
    const refused = phone.takeProblems().filter((problem) => ofThePolicy.test(problem));
    faults.push(...refused.map((problem) => `${screen.name}: ${problem}`));
    await hold(phone);
    await atHeight(phone, screen.whole === true, async () => {
      for (const scheme of schemes) {
        await page.emulateMedia({ colorScheme: scheme });
        faults.push(...(await pictureFaults(phone, nameOf(screen, language, scheme, phoneWidth))));
        const violations = await violationsOn(phone, scheme === "light" ? "all" : "colours");
        faults.push(...violations.map((violation) => `${screen.name}, ${scheme}: ${violation}`));
      }
    });
    await page.emulateMedia({ colorScheme: "light" });
    if (!screen.key) continue;
    for (const width of otherWidths) {
      await page.setViewportSize({ width, height: width < phoneWidth ? 568 : 800 });
      faults.push(...(await pictureFaults(phone, nameOf(screen, language, "light", width))));
    }
    await page.setViewportSize(phoneSize);
  }
  await phones.close();
  return faults;
}

test(
  "every screen is fit for everyone, breaks no policy, and looks as it did",
  { timeout: 900_000 },
  async () => {
    if (!comparing) process.stderr.write("The pictures are not compared: they are those of Linux.\n");
    const faults = await Promise.all(languages.map(visit));
    expect(faults.flat(), "Look at build/pictures; `npm run pictures` keeps what is right.").toEqual([]);
  },
);

test("no picture is kept of a screen that is gone", () => {
  const names = screens.flatMap((screen) =>
    languages.flatMap((language) =>
      schemes.flatMap((scheme) =>
        [phoneWidth, ...(screen.key && scheme === "light" ? otherWidths : [])].map((width) =>
          nameOf(screen, language, scheme, width),
        ),
      ),
    ),
  );
  if (keeping) for (const name of readdirSync(kept)) if (!names.includes(name)) rmSync(join(kept, name));
  expect(readdirSync(kept).toSorted()).toEqual(names.toSorted());
});
