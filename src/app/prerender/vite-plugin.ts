/** Vite plugins of the build: prerendered pages, the page's base styles, short style names, SVGs without comments, compressed assets. Decision 13. */
import { createHash } from "node:crypto";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { buildSync, transformSync } from "esbuild";
import { build, type ConfigEnv, type Plugin, type Rolldown, type UserConfig } from "vite";
import { segmentOf, type Start } from "./bootstrap-shared.ts";
import type { Page, Takeover } from "./render-pages.tsx";
import type * as writer from "./render-pages.tsx";
import { style } from "../theme/style.ts";
import { FRONT, pageAt, pageFile, stockedPage } from "../../contract/pages.ts";
import { languages, type Language } from "../../contract/languages.ts";

type Writer = typeof writer;
const shrink = promisify(brotliCompress);

/** The progress line and the error message of a page whose app is still loading. */
const starting =
  `html[data-asked]::before{content:"";position:fixed;z-index:60;inset:var(--safe-top) 0 auto;height:3px;
background:var(--lamp);transform-origin:0 0;animation:asked 9s cubic-bezier(.1,.6,.3,1) .1s both}
@keyframes asked{from{transform:scaleX(0)}to{transform:scaleX(.9)}}
@media (prefers-reduced-motion:reduce){html[data-asked]::before{animation:none;transform:scaleX(.3)}}
#load-failed{position:fixed;z-index:100;inset:60% 24px auto;width:fit-content;max-width:340px;margin:auto;padding:12px 20px;
border-radius:24px;background:var(--inverse);color:var(--on-inverse);box-shadow:var(--shadow-floating);font-size:.9375rem;
text-align:center}
html[data-old]::before,html[data-old] #load-failed :not([data-old]),html:not([data-old]) #load-failed [data-old],
html:lang(en) #load-failed [lang=zh-CN],html:lang(zh) #load-failed [lang=en]{display:none}`.replaceAll(
    "\n",
    "",
  );

/** Which parts a prerendered page shows before the app takes it over, which removes `data-page`; `bootstrap.ts` sets the others. */
const rules = `noscript p{padding:12px 16px;text-align:center}
html[data-page][data-hidden] #root,
html[data-page][data-takeover=fill] #root,
html[data-page][data-member] [data-only=visitor],
html[data-page]:not([data-member]) [data-only=member],
html[data-page]:not([data-sandbox]) [data-only=sandbox],
html[data-page]:not([data-device=android]) [data-only=android],
html[data-page]:not([data-device=ios]) [data-only=ios],
html[data-page][data-device] [data-only=elsewhere]{display:none!important}
html[data-page][data-member] [data-filled=name]::before{content:var(--member)}`.replaceAll("\n", "");

/** The parts below the fold that are not rendered yet. */
function rulesBelow(body: string): string {
  const parts = body.match(/ data-below=/g) ?? [];
  if (parts.length === 0) return "";
  const after = parts.map(
    (_, drawn) => `html[data-page][data-undrawn="${drawn}"] ${"[data-below]~".repeat(drawn)}[data-below]`,
  );
  return `@media (max-width:480px) and (max-height:950px){${after.join()}{content-visibility:hidden;contain-intrinsic-height:420px}}`;
}

/**
 * Shortens the names that babel-plugin-styled-components gives: a file's number instead of its hash. Each stands in the
 * page twice for every part, and compresses badly.
 */
export function shortStyleNames(): Plugin {
  const files = globSync("src/app/**/*.{ts,tsx}").toSorted();
  return {
    name: "short-style-names",
    transform: {
      filter: { code: /componentId/ },
      handler(code, id) {
        const file = files.indexOf(relative(".", id));
        if (file < 0) return null;
        const letters = file
          .toString(26)
          .replace(/./g, (digit) => String.fromCodePoint(65 + parseInt(digit, 26)));
        return {
          code: code.replace(
            /(componentId:\s*["'`])sc-\w+-(\d+)/g,
            (_, start, at) => `${start}${letters}${at}`,
          ),
          map: null,
        };
      },
    },
  };
}

/** The base styles as one line, colours in small letters as in the drawings: what is the same twice weighs little. esbuild leaves the space before the value of a variable. */
const baseStyles = () =>
  transformSync(style, { loader: "css", minify: true })
    .code.trim()
    .replace(/(--[\w-]+): /g, "$1:")
    .replace(/#[\dA-F]{6}\b/g, (colour) => colour.toLowerCase());

/** Inlines the base styles, during development too, and writes each tag of the head in one line: every byte of it travels with every page. */
export const ground = (): Plugin => ({
  name: "ground",
  transformIndexHtml: (page) =>
    page
      .replace(/<meta\s[^>]*>/g, (tag) => tag.replace(/\s*\n\s*/g, " "))
      .replace("<style></style>", () => `<style>${baseStyles()}</style>`),
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
        const { addresses: paths, screenFiles, writePage } = await loadWriter(mode);
        const startOf = (path?: string, asks = true) => startFiles(bundle, screenFiles, path, asks);
        const swapper = buildEarly("swap-language.ts", "esm");
        const hash = createHash("sha256").update(swapper).digest("hex").slice(0, 8);
        const swapperFile = `assets/swap-language-${hash}.js`;
        this.emitFile({ type: "asset", fileName: swapperFile, source: swapper });
        const scriptsByFile = new Map<string, string>();
        const bootstrap = (file: string) => {
          const built = scriptsByFile.get(file) ?? buildEarly(file);
          scriptsByFile.set(file, built);
          return built;
        };
        /** @param file by default the page's own */
        const emit = async (path: string, written: ReadonlyMap<Language, Page>, file = pageAt(path)) => {
          const both = [...written.values()];
          // A page takes the content of the other language's file under its own styles.
          if (new Set(both.map(({ styles }) => styles)).size > 1)
            throw new Error(`The styles of ${file} differ by language.`);
          const used = usedStyles(both[0]?.styles ?? "", both.map(({ body }) => body).join(""));
          const drawn = await drawingsIn(both);
          refuseGetForms(both);
          const attributes = styleAttributesIn(both);
          for (const [language, page] of written) {
            const { takeover, calls } = page;
            const start = {
              ...startOf(path, takeover !== "hydrate"),
              swap: `/${swapperFile}`,
              ...(calls.length > 0 && { calls }),
            };
            const source = wholePage(
              String(shell.source),
              pageAt(path),
              language,
              { ...page, styles: used },
              { drawn, attributes },
              scripts(start, bootstrap(page.bootstrap)),
            );
            this.emitFile({ type: "asset", fileName: pageFile(file, language), source });
          }
        };
        for (const path of paths) {
          const written = new Map<Language, Page>();
          const stocked = new Map<Language, Page>();
          // One after the other: the messages are global.
          for (const language of languages) {
            const two = await writePage(path, language);
            written.set(language, two.page);
            if (two.stocked) stocked.set(language, two.stocked);
          }
          await emit(path, written);
          if (stocked.size > 0) await emit(path, stocked, stockedPage(pageAt(path)));
        }
        shell.source = changed(String(shell.source), [
          [
            /(<style>[^<]*)<\/style>/,
            `$1${starting}</style>${scripts(startOf(), bootstrap("bootstrap-shell.ts"))}`,
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

/** A bootstrap script as one line: one that stands in a page, or a module of its own. */
function buildEarly(file: string, format: "iife" | "esm" = "iife"): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(import.meta.dirname, file)],
    bundle: true,
    minify: true,
    format,
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
const atOnce = '<link rel="expect" href="#load-failed" blocking="render">';

const quoted = (text: string) => `"${text.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;

/** Without JavaScript, such a form would write what is typed into the address. @throws Error */
function refuseGetForms(written: readonly Page[]): void {
  for (const { body } of written)
    for (const [form] of body.matchAll(/<form[^>]*>/g))
      if (!form.includes(' method="post"')) throw new Error(`A form that is sent by its address: ${form}`);
}

/**
 * The values of style attributes in these pages, each with a name. A page's policy allows styles by hash, which an
 * attribute cannot have: the values become rules of the page. Hydration would miss the attributes.
 */
function styleAttributesIn(written: readonly Page[]): ReadonlyMap<string, string> {
  const values = written.flatMap(({ body, takeover }) => {
    const found = Array.from(body.matchAll(styleAttribute), ([, value = ""]) => value);
    if (takeover === "hydrate" && found.length > 0)
      throw new Error(`A page that is hydrated has a style attribute: ${found[0]}`);
    return found;
  });
  return new Map([...new Set(values)].map((value, at) => [value, String(at)]));
}
const styleAttribute = / style="([^"]*)"/g;

/** Whether `text` has one of the class names in the mark of a component's rules. */
function isUsed(component: string, text: string): boolean {
  const [, names = ""] = /\{content:"([^"]*)"\}\/\*!sc\*\/\n?$/.exec(component) ?? [];
  return names.split(",").some((name) => name !== "" && new RegExp(`\\b${name}\\b`).test(text));
}

const isAnimation = (component: string) => component.startsWith("@keyframes");

/**
 * The style sheet without the rules of components that are in no body, such as fallbacks that React has replaced. The
 * rules of a component end with its mark, which names its classes.
 */
function usedStyles(styles: string, bodies: string): string {
  const [opening = "", text = "", closing = ""] = styles.split(/(?<=^<style[^>]*>)|(?=<\/style>$)/);
  const components =
    text.match(/[^]*?data-styled\.g\d+\[id="[^"]*"\]\{content:"[^"]*"\}\/\*!sc\*\/\n?/g) ?? [];
  if (components.join("") !== text)
    throw new Error("styled-components writes its style sheets in another way.");
  const drawn = components.filter((each) => !isAnimation(each) && isUsed(each, bodies)).join("");
  const kept = components.filter((each) => isUsed(each, isAnimation(each) ? drawn : bodies));
  return opening + kept.join("") + closing;
}

/** A drawing that stands in a page as lines of it (`ui/drawing.tsx`), and its rules. */
type Drawing = { svg: string; css: string };

/** The drawings of these pages, by name. */
async function drawingsIn(written: readonly Page[]): Promise<ReadonlyMap<string, Drawing>> {
  const names = new Set(
    written.flatMap(({ body }) => Array.from(body.matchAll(picture), ([, name = ""]) => name)),
  );
  const byName = new Map<string, Drawing>();
  for (const name of [...names].toSorted()) {
    const file = join(import.meta.dirname, "../pictures", `${name}.svg`);
    byName.set(name, drawingOf(name, await readFile(file, "utf8")));
  }
  return byName;
}

/** The `<img>` of a drawing. */
const picture = /<img [^>]*data-drawing="([^"]*)">/g;

/** The SVG without its styles, which are scoped to it: a page has one style for all, whose hash its policy names. */
function drawingOf(name: string, file: string): Drawing {
  const styled = (css: string) =>
    transformSync(`.${name}{${css}}`, { loader: "css", minify: true, target: "safari15" }).code.trim();
  const css: string[] = [];
  const svg = file
    .replace(remarks, "")
    .replace("<svg ", `<svg class="${name}" aria-hidden="true" `)
    .replace(/<style[^>]*>([^<]+)<\/style>/g, (_, rule: string) => {
      css.push(styled(rule));
      return "";
    })
    .trim()
    .replace(/\s+/g, " ")
    .replaceAll("> <", "><");
  return { svg, css: css.join("") };
}

/** A replacement of the meta tag `name`. */
const content = (name: string, text: string) =>
  [new RegExp(`(<meta\\s+(?:name|property)="${name}"\\s+content=)"[^"]*"`), `$1${quoted(text)}`] as const;

/** How a page says how the app takes it over (`hydrate.ts`). */
const markOf = (takeover: Takeover) => (takeover === "hydrate" ? "" : ` data-takeover="${takeover}"`);

/** The page in `language`. */
function wholePage(
  shell: string,
  name: string,
  language: Language,
  page: Page,
  { drawn, attributes }: { drawn: ReadonlyMap<string, Drawing>; attributes: ReadonlyMap<string, string> },
  own: string,
): string {
  const body = page.body
    .replace(picture, (_, of: string) => drawn.get(of)?.svg ?? "")
    .replace(styleAttribute, (_, value: string) => ` data-style="${attributes.get(value)}"`);
  const more = [
    ...Array.from(drawn.values(), ({ css }) => css),
    ...Array.from(attributes, ([value, at]) => `[data-style="${at}"]{${value}}`),
    ...(page.takeover === "hydrate"
      ? []
      : [`html[data-page] [data-filled=user]::before{content:var(--user)}`]),
  ].join("");
  const notice = page.notice === "" ? "" : `<noscript><p>${page.notice}</p></noscript>`;
  const changes: Changes = [
    [
      /<html lang="en">/,
      `<html lang="${language}" data-page="${name}"${markOf(page.takeover)}${page.membersOnly ? ' data-members=""' : ""}>`,
    ],
    // First, while the page holds only the shell's own texts.
    [new RegExp(`<span lang="(?!${language}")[^]*?</span>\\s*`, "g"), ""],
    [/<title>[^<]*<\/title>/, `<title>${page.title}</title>`],
    content("description", page.description),
    content("og:title", page.title),
    content("og:description", page.description),
    [/(<link rel="manifest" href=)"[^"]*"/, `$1"${page.manifest}"`],
    [
      /(<style>[^<]*)<\/style>/,
      `$1${more}${starting}${rules}${rulesBelow(body)}</style>${atOnce}${page.head}${page.styles}${own}`,
    ],
    [/<noscript[^]*<\/noscript\s*>/, ""],
    [/<div id="root"><\/div>/, `${notice}<div id="root">${body}</div>`],
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
    // A function, because `$` in a filling must not act as a pattern.
    text = text.replace(place, (_, kept?: string) =>
      filling.startsWith("$1") ? `${kept}${filling.slice(2)}` : filling,
    );
  }
  return text.replace(/\n\s*/g, "\n");
}
