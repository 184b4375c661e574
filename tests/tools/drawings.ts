/** Draws what phones and messengers show of the product, from its own pictures: `npm run drawings` writes the icons and the share picture into `public`. */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { launch } from "../support/browser.ts";
import { findChromium } from "../support/browser-setup.ts";

const root = join(import.meta.dirname, "../..");
const address = (file: string) =>
  `data:image/svg+xml;base64,${readFileSync(join(root, file)).toString("base64")}`;

const icon = address("public/icon-maskable.svg");
const full = `<img src="${icon}" width="100%" height="100%">`;
/** Where the system cuts nothing off, the icon brings its own corners and fills them more. */
const rounded = `<div style="width:100%;height:100%;overflow:hidden;border-radius:23%"><img src="${icon}" style="width:116%;margin:-8%"></div>`;

const fonts = dirname(createRequire(import.meta.url).resolve("@fontsource-variable/noto-sans-sc"));
/** The letters of the share picture, from the package's own slices. */
const faces = readFileSync(join(fonts, "index.css"), "utf8").replaceAll(
  /url\(\.\/(files\/[^)]+)\)/g,
  (_, file: string) => `url(data:font/woff2;base64,${readFileSync(join(fonts, file)).toString("base64")})`,
);
const share = `<style>
  ${faces}
  body { position: relative; height: 100%; overflow: hidden; background: #0a0f1c; color: #fbf8f2;
    font-family: "Noto Sans SC Variable"; }
  .scene { position: absolute; right: -40px; bottom: -30px; width: 860px;
    mask-image: linear-gradient(100deg, transparent 8%, #000 46%), linear-gradient(transparent, #000 40%);
    mask-composite: intersect; }
  .words { position: absolute; inset: 76px auto auto 80px; }
  .logos { display: flex; align-items: center; gap: 34px; height: 72px; }
  .logos img { height: 64px; }
  .logos i { width: 2px; height: 40px; background: #3d4a6b; }
  /* One mark is enough for two names. */
  .logos i + img { margin-left: -58px; clip-path: inset(0 0 0 56px); }
  h1 { margin: 88px 0 0; font-size: 74px; font-weight: 700; line-height: 1.16; letter-spacing: -0.02em; }
  p { margin: 18px 0 0; font-size: 38px; font-weight: 500; color: #f2a33a; }
</style>
<img class="scene" src="${address("src/app/pictures/hero.svg")}">
<div class="words">
  <div class="logos"><img src="${address("src/app/pictures/logo-en.svg")}"><i></i><img src="${address("src/app/pictures/logo-zh.svg")}"></div>
  <h1>Never-offline<br>VPN</h1>
  <p>永不掉线的 VPN</p>
</div>`;

const drawings: [file: string, width: number, height: number, content: string][] = [
  ["favicon.png", 48, 48, `<img src="${address("public/favicon.svg")}" width="48" height="48">`],
  ["apple-touch-icon.png", 180, 180, full],
  ["icon-192.png", 192, 192, rounded],
  ["icon-512.png", 512, 512, rounded],
  ["icon-maskable-512.png", 512, 512, full],
  ["share.png", 1200, 630, share],
];

const chromium = findChromium();
if (!chromium) throw new Error("There is no Chromium here to draw with; set CHROMIUM_PATH to one.");
const browser = await launch({ chromium });
try {
  // By night, as the logos are drawn for a dark ground.
  const page = await browser.newPage({ colorScheme: "dark" });
  for (const [file, width, height, content] of drawings) {
    await page.setViewportSize({ width, height });
    const style = "<style>html,body{margin:0;height:100%;background:none}img{display:block}</style>";
    await page.setContent(`<!doctype html>${style}${content}`);
    await page.evaluate(() => document.fonts.ready);
    writeFileSync(join(root, "public", file), await page.screenshot({ omitBackground: true }));
  }
} finally {
  await browser.close();
}
