/** Vite plugins of the build: prerendered pages, the page's base styles, SVGs without comments, compressed assets. Decision 13. */
import { mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { buildSync, transformSync } from "esbuild";
import { build, type ConfigEnv, type Plugin, type Rolldown, type UserConfig } from "vite";
import { segmentOf, type Start } from "./bootstrap-shared.ts";
import type { Page } from "./render-pages.tsx";
import type * as writer from "./render-pages.tsx";
import { style } from "../theme/style.ts";
import { FRONT, pageAt, pageFile } from "../../contract/pages.ts";
import { languages, type Language } from "../../contract/languages.ts";

type Writer = typeof writer;
const shrink = promisify(brotliCompress);

/** The progress line and the failure message of a page whose app is still loading. */
const starting =
  `html[data-asked]::before{content:"";position:fixed;z-index:60;inset:var(--safe-top) 0 auto;height:3px;
background:var(--lamp);transform-origin:0 0;animation:asked 9s cubic-bezier(.1,.6,.3,1) .1s both}
@keyframes asked{from{transform:scaleX(0)}to{transform:scaleX(.9)}}
@media (prefers-reduced-motion:reduce){html[data-asked]::before{animation:none;transform:scaleX(.3)}}
#cut{position:fixed;z-index:100;inset:60% 24px auto;width:fit-content;max-width:340px;margin:auto;padding:12px 20px;
border-radius:24px;background:var(--inverse);color:var(--on-inverse);box-shadow:var(--shadow-floating);font-size:.9375rem;
text-align:center}
html[data-old]::before,html[data-old] #cut :not([data-old]),html:not([data-old]) #cut [data-old],
html:lang(en) #cut [lang=zh-CN],html:lang(zh) #cut [lang=en]{display:none}`.replaceAll("\n", "");

/** Which parts a prerendered page shows before hydration; `bootstrap.ts` sets the attributes. */
const rules = `html[data-hidden] #root,
html[data-blank=""] #root,
html[data-member] [data-only=visitor],
html:not([data-member]) [data-only=member],
html:not([data-sandbox]) [data-only=sandbox],
html:not([data-device=android]) [data-only=android],
html:not([data-device=ios]) [data-only=ios],
html[data-device] [data-only=elsewhere]{display:none!important}
html[data-member] [data-filled=name]::before{content:var(--member)}
noscript p{padding:12px 16px;text-align:center}`.replaceAll("\n", "");

/** The parts below the fold that are not rendered yet. */
function rulesBelow(body: string): string {
  const parts = body.match(/ data-below=/g) ?? [];
  if (parts.length === 0) return "";
  const after = parts.map(
    (_, drawn) => `html[data-undrawn="${drawn}"] ${"[data-below]~".repeat(drawn)}[data-below]`,
  );
  return `@media (max-width:480px) and (max-height:950px){${after.join()}{content-visibility:hidden;contain-intrinsic-height:420px}}`;
}

const ruled = (css: string) => `<style id="rules">${css}</style>`;

/** Inlines the base styles, during development too. */
export const ground = (): Plugin => ({
  name: "ground",
  transformIndexHtml: (page) =>
    page.replace(
      "<style></style>",
      () => `<style>${transformSync(style, { loader: "css", minify: true }).code.trim()}</style>`,
    ),
});

const remarks = /<!--[^]*?-->\s*/g;

/** Removes the comments of the SVGs from the build. */
export const drawings = (): Plugin => ({
  name: "drawings",
  transform: {
    filter: { id: /\.svg$/ },
    handler: (code) => ({ code: code.replace(/%3c!--.*?--%3e/g, ""), map: null }),
  },
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === "asset" && file.fileName.endsWith(".svg"))
        file.source = String(file.source).replace(remarks, "");
    }
  },
});

/** Whether the site is built, not the module that renders its pages. */
export const isSite = ({ build: { ssr } = {} }: UserConfig, { command }: ConfigEnv) =>
  command === "build" && !ssr;

export function pages(): Plugin {
  let mode = "production";
  return {
    name: "pages",
    apply: isSite,
    configResolved: (config) => {
      ({ mode } = config);
    },
    generateBundle: {
      // After index.html, which the other pages are made of.
      order: "post",
      async handler(_, bundle) {
        const shell = bundle["index.html"];
        if (shell?.type !== "asset") return this.error("The page is missing.");
        const { paths, screenFiles, writePage } = await loadWriter(mode);
        const startOf = (path?: string, asks = true) => startFiles(bundle, screenFiles, path, asks);
        const [whole, blank] = [buildEarly("bootstrap.ts"), buildEarly("bootstrap-payment.ts")];
        for (const path of paths) {
          const name = pageAt(path);
          const styles = new Set<string>();
          for (const language of languages) {
            const page = await withDrawings(await writePage(path, language));
            refuseStyleAttributes(page);
            styles.add(page.styles);
            const own = scripts(startOf(path, page.blank), page.blank ? blank : whole);
            const source = wholePage(String(shell.source), name, language, page, own);
            this.emitFile({ type: "asset", fileName: pageFile(name, language), source });
          }
          // A page takes the content of the other language's file under its own styles.
          if (styles.size > 1) throw new Error(`The styles of ${name} differ by language.`);
        }
        shell.source = changed(String(shell.source), [
          [
            /(<style>[^<]*<\/style>)/,
            `$1${ruled(starting)}${scripts(startOf(), buildEarly("bootstrap-shell.ts"))}`,
          ],
        ]);
      },
    },
    /** Compresses the assets once, at the best level, for servers that send .br files; ours does. */
    async writeBundle({ dir = "dist" }, bundle) {
      const files = Object.keys(bundle).filter((file) => /^assets\/.*\.(js|svg|css)$/.test(file));
      await Promise.all(
        files.map(async (file) => {
          const whole = join(dir, file);
          await writeFile(`${whole}.br`, await shrink(await readFile(whole)));
        }),
      );
    },
  };
}

/** Builds and imports the module that renders the pages. */
async function loadWriter(mode: string): Promise<Writer> {
  const outDir = mkdtempSync(join(tmpdir(), "pages-"));
  try {
    await build({
      mode,
      logLevel: "warn",
      ssr: { noExternal: true },
      build: {
        ssr: "src/app/prerender/render-pages.tsx",
        outDir,
        emptyOutDir: true,
        copyPublicDir: false,
        manifest: false,
        sourcemap: false,
        rolldownOptions: { output: { entryFileNames: "writer.mjs", codeSplitting: false } },
      },
    });
    return (await import(pathToFileURL(join(outDir, "writer.mjs")).href)) as Writer;
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

/** A bootstrap script as one line. */
function buildEarly(file: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(import.meta.dirname, file)],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    write: false,
  });
  return outputFiles[0]?.text.trim() ?? "";
}

const addresses = (files: Iterable<string>) => [...files].map((file) => `/${file}`);

/**
 * The files of the app and of the screens.
 * @param path of the screen that a page opens; undefined for any of those that the app renders itself
 * @param screenFiles the file of each screen, by the first part of its address
 * @param asks whether the screen asks the API by itself
 */
function startFiles(
  bundle: Rolldown.OutputBundle,
  screenFiles: Readonly<Record<string, string>>,
  path: string | undefined,
  asks: boolean,
): Start {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const named = (part: string) => {
    const found = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(part));
    if (!found) throw new Error(`No chunk is made of ${part}.`);
    return found;
  };
  /** It and all that it imports, each after what it imports itself. */
  const add = (chunk: Rolldown.OutputChunk, files = new Set<string>()) => {
    if (files.has(chunk.fileName)) return files;
    for (const each of chunks) if (chunk.imports.includes(each.fileName)) add(each, files);
    return files.add(chunk.fileName);
  };
  const entry = named("/index.html");
  const modules = add(entry);
  if ([...modules].at(-1) !== entry.fileName)
    throw new Error("The app would begin before all of it is there.");
  const more = (...parts: Rolldown.OutputChunk[]) => [
    ...new Set(parts.flatMap((part) => addresses(add(part)).filter((file) => !modules.has(file.slice(1))))),
  ];
  const views = chunks.flatMap((chunk) => {
    const name = /\/app\/screens\/([\w-]+)\.tsx$/.exec(chunk.facadeModuleId ?? "")?.[1];
    const segments = Object.keys(screenFiles).filter((segment) => screenFiles[segment] === name);
    if (name === undefined || (path !== undefined && !segments.includes(segmentOf(path)))) return [];
    // What a screen imports while it renders belongs to it.
    const drawn = chunks.filter(({ fileName }) => chunk.dynamicImports.includes(fileName));
    const others = more(chunk, ...drawn, ...(asks ? [named("/ports/api.ts")] : []));
    const files = [...new Set([`/${chunk.fileName}`, ...others])];
    return segments.map((segment) => [segment, files] as const);
  });
  const catalogues = [
    "messages",
    ...(path === FRONT ? [] : path === "/service" ? ["agreement"] : ["screens"]),
  ];
  const wordsIn = (language: Language) =>
    catalogues.map((name) => `/${named(`/locales/${language}/${name}.po`).fileName}`);
  return {
    modules: addresses(modules),
    views: Object.fromEntries(views),
    words: { en: wordsIn("en"), "zh-CN": wordsIn("zh-CN") },
  };
}

/** The page's own script, and what it reads. */
const scripts = (start: Start, early: string) =>
  `<script type="application/json" id="start">${JSON.stringify(start)}</script><script>${early}</script>`;

/** Delays the first paint until the last element is parsed: the page appears at once. */
const atOnce = '<link rel="expect" href="#cut" blocking="render">';

const quoted = (text: string) => `"${text.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;

/** A page's policy names its styles by hash, which a style attribute cannot have. */
function refuseStyleAttributes({ body }: Page): void {
  const [found] = /<[^>]* style="[^"]*"/.exec(body) ?? [];
  if (found !== undefined) throw new Error(`A prerendered page has a style attribute: ${found}`);
}

/** Inlines each SVG in place of its `<img>` (`ui/drawing.tsx`). */
async function withDrawings(page: Page): Promise<Page> {
  let { body } = page;
  for (const [picture, name = ""] of body.matchAll(/<img [^>]*data-drawing="([^"]*)">/g)) {
    const file = join(import.meta.dirname, "../pictures", `${name}.svg`);
    const drawing = drawingOf(name, await readFile(file, "utf8"));
    body = body.replace(picture, () => drawing);
  }
  return { ...page, body };
}

/** The SVG with its styles scoped to it. */
function drawingOf(name: string, file: string): string {
  const styled = (css: string) =>
    transformSync(`.${name}{${css}}`, { loader: "css", minify: true, target: "safari15" }).code.trim();
  return file
    .replace(remarks, "")
    .replace("<svg ", `<svg class="${name}" aria-hidden="true" `)
    .replace(/(?<=<style[^>]*>)[^<]+/g, styled)
    .trim()
    .replace(/\s+/g, " ")
    .replaceAll("> <", "><");
}

/** A replacement of the meta tag `name`. */
const content = (name: string, text: string) =>
  [new RegExp(`(<meta\\s+(?:name|property)="${name}"\\s+content=)"[^"]*"`), `$1${quoted(text)}`] as const;

/** The page in `language`. */
function wholePage(shell: string, name: string, language: Language, page: Page, own: string): string {
  const notice = page.notice === "" ? "" : `<noscript><p>${page.notice}</p></noscript>`;
  const changes: Changes = [
    [
      /<html lang="en">/,
      `<html lang="${language}" data-page="${name}"${page.blank ? ' data-blank=""' : ""}>`,
    ],
    // Before there is more in it than the shell's own words.
    [new RegExp(`<span lang="(?!${language}")[^]*?</span>\\s*`, "g"), ""],
    [/<title>[^<]*<\/title>/, `<title>${page.title}</title>`],
    content("description", page.description),
    content("og:title", page.title),
    content("og:description", page.description),
    [/(<link rel="manifest" href=)"[^"]*"/, `$1"${page.manifest}"`],
    [
      /(<style>[^<]*<\/style>)/,
      `$1${atOnce}${page.head}${page.styles}${ruled(starting + rules + rulesBelow(page.body))}${own}`,
    ],
    [/<noscript[^]*<\/noscript\s*>/, ""],
    [/<div id="root"><\/div>/, `${notice}<div id="root">${page.body}</div>`],
  ];
  return changed(shell, changes);
}

/** The replacements in a page; `$1` at the beginning of one is kept. */
type Changes = readonly (readonly [RegExp, string])[];

/** The page with all replacements made; its inline script starts the app. */
function changed(page: string, changes: Changes): string {
  let text = page.replace(
    /<link rel="modulepreload"[^>]*>|<script type="module"[^>]*><\/script>|<!--[^]*?-->/g,
    "",
  );
  for (const [place, filling] of changes) {
    if (!place.test(text)) throw new Error(`index.html has no ${String(place)}.`);
    // Nothing in a filling is a pattern but what was meant as one.
    text = text.replace(place, (_, kept?: string) =>
      filling.startsWith("$1") ? `${kept}${filling.slice(2)}` : filling,
    );
  }
  return text.replace(/\n\s*/g, "\n");
}
