/** The built site: its files, the configuration it reads, the screens that are written ahead, and index.html for every other. Specification, section 2; decisions, "Names that outsiders rely on". */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono, type Context } from "hono";
import { compress } from "hono/compress";
import { etag, RETAINED_304_HEADERS } from "hono/etag";
import { LRUCache } from "lru-cache";
import type { Language } from "../../contract/languages.ts";
import {
  CONFIG_ID,
  CONFIG_LINK,
  FRAME,
  FRONT,
  pageAt,
  pageFile,
  pageIn,
  stockedPage,
} from "../../contract/pages.ts";
import { MINUTE } from "../../contract/durations.ts";
import { toPackage } from "../catalogue.ts";
import { languageOfBrowser } from "../http/answers.ts";
import { siteAddress } from "../http/client-address.ts";
import type { Env, Service } from "../http/service.ts";
import { memoryLimit } from "../limits/attempt-limits.ts";
import { outsideScripts } from "../http/scripts.ts";
import { FEATURES, pageFeatures, pagePolicy, POLICY, readInline } from "../http/security-headers.ts";
import { stock } from "../http/stocked-pages.ts";

/** Names of files under /assets carry a hash of their content: they never change. */
const FOREVER = "public, max-age=31536000, immutable";
const ASK_FIRST = "no-cache";

/** A page that has not changed keeps the policies that let its own script run, and no more. */
const KEPT_HEADERS = [...RETAINED_304_HEADERS, POLICY.toLowerCase(), FEATURES.toLowerCase()];

/** Files of the build that are for browsers: not its pages, which need what a page is sent with, nor what only its tools read. */
const FILE = /^(?:\/[\w-][\w.-]*)*\/[\w-][\w.-]*\.(?!(?:html|map|br)$)[a-z0-9]+$/i;
/** What no screen's address begins with, or is: hidden files, and what only the build's tools read. */
const HIDDEN = /^\/+\.|^\/[^/]+\.(?:map|br)$/i;
/** A written page by the name of its file: one name, in the site itself, and no letter that leads elsewhere. */
const PAGE_FILE = /^[\w-]+(\.[\w-]+)?\.html$/i;

/** The most compressed pages that are kept: all of a few hosts. */
const MOST_KEPT = 128;
/** The most that are made in a minute: the client chooses the host name, and brotli at its best level is slow. */
const MOST_COMPRESSED = 64;
const brotli = promisify(brotliCompress);
const takesBrotli = (accepted = "") => /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted);
const quoted = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

/** Half a hash tells the states of one address apart: it travels with every page. */
const generateDigest = async (body: Uint8Array<ArrayBuffer>) =>
  (await crypto.subtle.digest("SHA-256", body)).slice(0, 8);

/** The path of an address, as it was sent: two slashes at its beginning, or what a browser takes for them, would name another host. */
const ownPath = (address: string) => new URL(address).pathname.replace(/^\/+/, "/");

export function isBuilt(siteDir: string): boolean {
  return existsSync(join(siteDir, "index.html"));
}

export function siteRoutes(service: Service) {
  const { settings, sandbox, now, catalogue } = service;
  const routes = new Hono<Env>();
  const root = settings.siteDir;

  const config = {
    apiBaseUrl: settings.apiBaseUrl ?? "",
    ...(settings.providerSite === null ? {} : { providerSite: settings.providerSite }),
    ...outsideScripts(settings),
    sandbox: sandbox !== null,
  };
  routes.get("/config.json", (c) => {
    c.header("Cache-Control", ASK_FIRST);
    return c.json(config);
  });

  if (!isBuilt(root)) {
    routes.get("*", (c) =>
      c.text(`The site is not built: ${root} has no index.html. Run "npm run build" and start again.\n`, 503),
    );
    return routes;
  }

  /** What only this deployment knows, written into a page of the build. Messengers want whole addresses, for one. */
  const fill = (text: string, share: string) =>
    text
      .replace('content="/share.png"', () => `content="${quoted(share)}"`)
      .replace(CONFIG_LINK, () => `<script type="application/json" id="${CONFIG_ID}">${configJson}</script>`)
      .replace("<html ", sandbox === null ? "<html " : '<html data-sandbox="" ')
      .replaceAll(/ data-site="([^"]*)"/g, (place, path: string) =>
        settings.providerSite === null ? place : `${place} href="${quoted(settings.providerSite + path)}"`,
      );
  // Nothing in it may end the element that it stands in.
  const configJson = JSON.stringify(config).replaceAll("<", "\\u003c");

  /** Compressed pages, by their text. */
  const compressedPages = new LRUCache<string, Promise<Buffer>>({ max: MOST_KEPT });
  const mayCompress = memoryLimit(MOST_COMPRESSED, MINUTE, now);
  /** Null when too many pages were compressed in the last minute. */
  const compressed = (text: string): Promise<Buffer> | null => {
    const cached = compressedPages.get(text);
    if (cached) return cached;
    if (!mayCompress()) return null;
    const fresh = brotli(text);
    compressedPages.set(text, fresh);
    return fresh;
  };
  /** The page with today's packages; null where it shows none, or they are another API's. */
  const readStocked = async (file: string, language: Language) =>
    settings.apiBaseUrl === null && existsSync(join(root, file))
      ? stock(
          await readFile(join(root, file), "utf8"),
          catalogue.entries.map((entry) => toPackage(entry, language)),
        )
      : null;
  const send = async (c: Context<Env>, bare: string, path: string) => {
    const { page, language } = pageIn(bare);
    const stockedFile = pageFile(stockedPage(page), language);
    // The worker keeps a page for the days without a network: no prices are kept.
    const stocked = c.req.query(FRAME) === undefined ? await readStocked(stockedFile, language) : null;
    const file = stocked === null ? bare : stockedFile;
    const [whole, inline] = await Promise.all([
      stocked ?? readFile(join(root, file), "utf8"),
      readInline(root, file),
    ]);
    const text = fill(whole, siteAddress(c, settings, "/share.png"));
    c.header(POLICY, pagePolicy(settings, inline, path));
    c.header(FEATURES, pageFeatures(settings, path));
    c.header("Content-Type", "text/html; charset=UTF-8");
    // Connections are kept by default: to say so takes room in the first packets.
    c.env?.outgoing?.removeHeader("Connection");
    const body = takesBrotli(c.req.header("Accept-Encoding")) ? await compressed(text) : null;
    // The quicker gzip of all other answers will do then.
    if (body === null) return c.body(text);
    c.header("Content-Encoding", "br");
    c.header("Vary", "Accept-Encoding", { append: true });
    return c.body(new Uint8Array(body));
  };
  /**
   * The screen at `path`: written ahead in the language that the browser asks for, or to be drawn by the app. A page is
   * found by the name of its file as well, where another one's script looks for the other language.
   */
  const show = (c: Context<Env>, path: string) => {
    const named = path.slice(1);
    const isNamed = PAGE_FILE.test(named);
    const file = isNamed ? named : pageFile(pageAt(path), languageOfBrowser(c));
    if (file === "index.html" || !PAGE_FILE.test(file) || !existsSync(join(root, file)))
      return send(c, "index.html", path);
    c.header("Vary", "Accept-Language", { append: true });
    return send(c, file, isNamed ? pageIn(file).page : path);
  };

  routes.use(compress(), etag({ retainedHeaders: KEPT_HEADERS, generateDigest }), async (c, next) => {
    await next();
    c.header("Cache-Control", c.req.path.startsWith("/assets/") && c.res.ok ? FOREVER : ASK_FIRST);
  });
  routes.get("/", (c) => {
    c.header("Vary", "Sec-Fetch-Dest", { append: true });
    // The worker asks here for the page that is no screen's.
    return show(c, c.req.header("Sec-Fetch-Dest") === "document" ? FRONT : "/");
  });
  const files = serveStatic<Env>({ root, precompressed: true });
  routes.use(async (c, next) => {
    if (HIDDEN.test(c.req.path)) return c.text("Not found.\n", 404);
    return FILE.test(c.req.path) ? files(c, next) : next();
  });
  // A screen's address may hold dots and slashes of any kind, so only /assets is known to be files: a file of an
  // earlier build must be missing there, not turn into a page.
  routes.get("/assets/*", (c) => c.text("Not found.\n", 404));
  routes.get("*", (c) => show(c, c.req.path));
  // A form that a browser sends by itself, where there is no JavaScript: the service does not read it.
  routes.post("*", (c) => c.redirect(ownPath(c.req.url), 303));
  return routes;
}
