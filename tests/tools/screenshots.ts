/** Photographs every screen in both languages, by day and by night, and lays the ones that tell the product out on one sheet each: `node tests/tools/screenshots.ts [folder]`; `--sheets` puts the sheets into `docs`. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { languages, type Language } from "../../src/contract/languages.ts";
import { colours } from "../../src/app/theme/tokens.ts";
import { launch } from "../support/browser.ts";
import { prepareBrowserTests } from "../support/browser-setup.ts";
import { byPerson, openPhones, screens, show } from "../screens.ts";
import { startFixtureSite } from "../support/fixtures.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sheets: { type: "boolean", default: false } },
});
const folder = resolve(positionals[0] ?? "build/screenshots");
const docs = join(import.meta.dirname, "../../docs");
const schemes = ["light", "dark"] as const;
type Scheme = (typeof schemes)[number];

const SHARPNESS = 2;
/** Of a sheet, in pixels. */
const CARD = { width: 234, columns: 7, gap: 36, margin: 64 };

/** @returns each picture's file, by the screen's name */
async function photograph(
  browser: Browser,
  origin: string,
  language: Language,
  scheme: Scheme,
): Promise<Map<string, string>> {
  const phones = openPhones(browser, { origin }, { language, colorScheme: scheme, sharpness: SHARPNESS });
  const files = new Map<string, string>();
  mkdirSync(join(folder, language), { recursive: true });
  for (const screen of byPerson(screens)) {
    const phone = await phones.of(screen);
    await show(phone, screen);
    const name = `${String(screens.indexOf(screen) + 1).padStart(2, "0")}-${screen.name}-${scheme}.png`;
    const file = join(folder, language, name);
    const style = "[data-visible] { visibility: hidden }";
    await phone.page.screenshot({ path: file, animations: "disabled", style });
    files.set(screen.name, file);
  }
  await phones.close();
  return files;
}

/** The sheet as a page: cards without a device around them, on the product's own ground. */
function sheetOf(files: Map<string, string>, language: Language, scheme: Scheme): string {
  const colour = colours[scheme];
  const cards = screens.flatMap(({ name, caption }) => {
    const file = files.get(name);
    if (!caption || !file) return [];
    const picture = `data:image/png;base64,${readFileSync(file).toString("base64")}`;
    return [`<figure><img src="${picture}" alt=""><figcaption>${caption[language]}</figcaption></figure>`];
  });
  return `<!doctype html><html lang="${language}"><link rel="stylesheet" href="/fonts/index.css"><style>
    body { margin: 0; padding: ${CARD.margin}px; background: ${colour.ground}; color: ${colour.soft};
      font: 500 15px/1.4 "Noto Sans SC Variable"; -webkit-font-smoothing: antialiased; }
    main { display: grid; grid-template-columns: repeat(${CARD.columns}, ${CARD.width}px); gap: ${CARD.gap + 4}px ${CARD.gap}px; }
    figure { margin: 0; }
    img { display: block; width: 100%; border-radius: 20px; box-shadow: 0 0 0 1px ${colour.hairline}, 0 18px 40px -14px ${colour.shadow}; }
    figcaption { margin-top: 14px; text-align: center; }
  </style><main>${cards.join("")}</main></html>`;
}

async function layOut(browser: Browser, address: string, file: string): Promise<void> {
  const width = CARD.columns * CARD.width + (CARD.columns - 1) * CARD.gap + 2 * CARD.margin;
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  await page.goto(address);
  await page.waitForFunction(
    () => document.fonts.status === "loaded" && [...document.images].every((image) => image.complete),
  );
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height });
  // Playwright itself writes no WebP, which is a quarter of the size.
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 88 });
  writeFileSync(file, Buffer.from(data, "base64"));
  await page.close();
}

const { setup, remove } = prepareBrowserTests();
try {
  const [browser, fixtureSite] = await Promise.all([launch(setup), startFixtureSite(setup)]);
  try {
    for (const language of languages) {
      for (const scheme of schemes) {
        const files = await photograph(browser, fixtureSite.origin, language, scheme);
        const sheet = `screens-${language}-${scheme}.webp`;
        // Beside the site, where the letters are.
        writeFileSync(join(fixtureSite.folder, "sheet.html"), sheetOf(files, language, scheme));
        await layOut(browser, `${fixtureSite.origin}/sheet.html`, join(values.sheets ? docs : folder, sheet));
      }
    }
    process.stdout.write(`The pictures are in ${folder}\n`);
  } finally {
    await browser.close();
    await fixtureSite.stop();
  }
} finally {
  remove();
}
