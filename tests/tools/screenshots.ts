/** Photographs every screen in both languages, by day and by night, and lays the ones that tell the product out on one sheet each: `node tests/tools/screenshots.ts [folder]`; `--frames` lays the first moment of every address beside its finished screen instead; `--sheets` puts the sheets into `docs`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { languages, type Language } from "../../src/contract/languages.ts";
import { pageAt, pageFile } from "../../src/contract/pages.ts";
import { colours } from "../../src/app/theme/tokens.ts";
import { launch } from "../support/browser.ts";
import { prepareBrowserTests } from "../support/browser-setup.ts";
import { addresses, byPerson, openPhones, screens, show } from "../screens.ts";
import { startFixtureSite } from "../support/fixtures.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sheets: { type: "boolean", default: false }, frames: { type: "boolean", default: false } },
});
const folder = resolve(positionals[0] ?? "build/screenshots");
const docs = join(import.meta.dirname, "../../docs");
const schemes = ["light", "dark"] as const;
type Scheme = (typeof schemes)[number];

const SHARPNESS = 2;
/** Of a sheet, in pixels. */
const FRAME_COLUMNS = 8;
const HTML = "text/html; charset=utf-8";
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

type Figure = { file: string; caption: string };

const told = (files: ReadonlyMap<string, string>, language: Language): Figure[] =>
  screens.flatMap(({ name, caption }) => {
    const file = files.get(name);
    return caption && file !== undefined ? [{ file, caption: caption[language] }] : [];
  });

/** @returns each address as the build wrote it, before the app has come, and as the app has drawn it */
async function photographFrames(
  browser: Browser,
  { origin, folder: site }: { origin: string; folder: string },
  language: Language,
): Promise<Figure[]> {
  const phones = openPhones(browser, { origin }, { language, sharpness: SHARPNESS });
  const figures: Figure[] = [];
  mkdirSync(join(folder, language), { recursive: true });
  for (const { path } of addresses) {
    const screen = screens.find((each) => each.path === path);
    if (!screen) continue;
    const { page } = await phones.of(screen);
    const take = async (moment: "frame" | "finished", caption: string) => {
      const file = join(folder, language, `${screen.name}-${moment}.png`);
      await page.screenshot({ path: file, animations: "disabled" });
      figures.push({ file, caption });
    };
    await page.route(/\/assets\/index-.*\.js$/, () => undefined);
    // An address that leads nowhere has no page.
    const written = join(site, pageFile(pageAt(path), language));
    if (!existsSync(written)) continue;
    // As the service sends it; a static host has no page for an address with a parameter.
    const isPage = (address: URL) => address.pathname === path;
    await page.route(isPage, (route) => route.fulfill({ path: written, contentType: HTML }));
    await page.goto(path);
    await take("frame", path.split("/")[1] ?? "");
    await page.unrouteAll();
    await show(await phones.of(screen), screen);
    await take("finished", "");
  }
  await phones.close();
  return figures;
}

/** The sheet as a page: cards without a device around them, on the product's own ground. */
function sheetOf(figures: readonly Figure[], language: Language, scheme: Scheme, columns: number): string {
  const colour = colours[scheme];
  const cards = figures.map(({ file, caption }) => {
    const picture = `data:image/png;base64,${readFileSync(file).toString("base64")}`;
    return `<figure><img src="${picture}" alt=""><figcaption>${caption}</figcaption></figure>`;
  });
  return `<!doctype html><html lang="${language}"><link rel="stylesheet" href="/fonts/index.css"><style>
    body { margin: 0; padding: ${CARD.margin}px; background: ${colour.ground}; color: ${colour.soft};
      font: 500 15px/1.4 "Noto Sans SC Variable"; -webkit-font-smoothing: antialiased; }
    main { display: grid; grid-template-columns: repeat(${columns}, ${CARD.width}px); gap: ${CARD.gap + 4}px ${CARD.gap}px; }
    figure { margin: 0; }
    img { display: block; width: 100%; border-radius: 20px; box-shadow: 0 0 0 1px ${colour.hairline}, 0 18px 40px -14px ${colour.shadow}; }
    figcaption { margin-top: 14px; text-align: center; }
  </style><main>${cards.join("")}</main></html>`;
}

async function layOut(browser: Browser, address: string, file: string, columns: number): Promise<void> {
  const width = columns * CARD.width + (columns - 1) * CARD.gap + 2 * CARD.margin;
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
    const { origin } = fixtureSite;
    const lay = async (
      name: string,
      figures: readonly Figure[],
      language: Language,
      scheme: Scheme,
      columns: number,
    ) => {
      // Beside the site, where the letters are.
      writeFileSync(join(fixtureSite.folder, "sheet.html"), sheetOf(figures, language, scheme, columns));
      const file = join(values.sheets ? docs : folder, `${name}.webp`);
      await layOut(browser, `${origin}/sheet.html`, file, columns);
    };
    for (const language of languages) {
      if (values.frames) {
        const figures = await photographFrames(browser, fixtureSite, language);
        await lay(`frames-${language}`, figures, language, "light", FRAME_COLUMNS);
        continue;
      }
      for (const scheme of schemes) {
        const files = await photograph(browser, origin, language, scheme);
        await lay(`screens-${language}-${scheme}`, told(files, language), language, scheme, CARD.columns);
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
