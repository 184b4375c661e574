/** Service worker: caches the build's files and pages, so that the app opens offline and a running build stays whole. API answers are never cached, nor pages with prices. */

interface Lived extends Event {
  waitUntil: (done: Promise<unknown>) => void;
}
interface FetchEvent extends Event {
  request: Request;
  respondWith: (answer: Promise<Response>) => void;
}
declare const clients: { claim: () => Promise<void> };
declare const registration: { installing: unknown; waiting: unknown };

/** Written by the build: its name, the address of every file that a screen may need, and the files of its pages. */
declare const BUILD: { name: string; files: readonly string[]; pages: readonly string[] };
/** From the contract (`pages.ts`, `languages.ts`), inlined by the build, because a worker's script imports nothing. */
declare const PAGES: {
  /** The card screen: its document has a policy of its own. */
  CARD_SCREEN: string;
  FRAME: string;
  FRONT: string;
  pageAt: (path: string) => string;
  pageIn: (file: string) => { language: string };
  pageFile: (page: string, language: string) => string;
  firstLanguageIn: (tags: readonly string[]) => string;
};

/** The app shell, at the address where every host has it without a redirect. */
const SHELL = "/";
const CONFIG = "/config.json";
const CONFIGS = "config";
/** In ms: a slower network counts as none for the page and the configuration. */
const PATIENCE = 4_000;

addEventListener("install", (event) => (event as Lived).waitUntil(install()));
addEventListener("activate", (event) => (event as Lived).waitUntil(activate()));
addEventListener("fetch", (event) => {
  const { request, respondWith } = event as FetchEvent;
  const answer = answerTo(request);
  if (answer) respondWith.call(event, answer);
});

/** All files or none: half a build would fail in the middle of a payment. */
async function install(): Promise<void> {
  const cache = await caches.open(BUILD.name);
  await cache.addAll([new Request(SHELL, { cache: "no-cache" }), ...BUILD.files]);
  const files = await Promise.all(BUILD.files.map((file) => cache.match(file)));
  // Some hosts answer a missing file with their page: then this release was replaced meanwhile.
  if (files.some((answer) => answer?.headers.get("Content-Type")?.startsWith("text/html")))
    throw new Error(`${BUILD.name} is not there any more.`);
  // Hosts may answer with another status than 200 where no file has the address.
  await cache.add(new Request(PAGES.CARD_SCREEN, { cache: "no-cache" })).catch(() => undefined);
  const language = PAGES.firstLanguageIn(navigator.languages);
  const pages = BUILD.pages.filter((file) => PAGES.pageIn(file).language === language);
  await Promise.all(pages.map((file) => keepPage(cache, addressOf(file)).catch(() => undefined)));
  await (await caches.open(CONFIGS)).add(CONFIG).catch(() => undefined);
}

/** The address of a page's file, without the day's packages. */
const addressOf = (file: string) => `/${file}?${PAGES.FRAME}`;

/** Caches a page. An address whose page is missing gets the app shell. */
async function keepPage(cache: Cache, address: string): Promise<void> {
  const answer = await fetch(address, { cache: "no-cache" });
  // A browser refuses a redirected response for a navigation.
  if (answer.ok && !answer.redirected) await cache.put(address, answer);
}

/** No page uses an earlier build any more: the worker waited until the last one was closed, and never forces a reload. */
async function activate(): Promise<void> {
  // A newer worker is installing: it will delete the old caches itself.
  const names = registration.installing || registration.waiting ? [] : await caches.keys();
  await Promise.all(
    names.filter((name) => ![BUILD.name, CONFIGS].includes(name)).map((name) => caches.delete(name)),
  );
  await clients.claim();
}

/** Null where the browser handles the request itself: the API, the sandbox, other origins. */
function answerTo(request: Request): Promise<Response> | null {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || /^\/(api|sandbox)(\/|$)/.test(pathname))
    return null;
  if (request.mode === "navigate") return openPage(request);
  if (pathname === CONFIG) return readConfig(request);
  return pathname.startsWith("/assets/") ? readAsset(request) : null;
}

/** Network first; the cached answer where the network is slow or the host fails. */
async function newest(request: Request, kept: Promise<Response | undefined>): Promise<Response> {
  const late = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), PATIENCE);
  });
  const response = fetch(request).catch(() => null);
  const answer = await Promise.race([response, late]);
  if (answer && answer.status < 500) return answer;
  return (await kept) ?? (await response) ?? Response.error();
}

/** The cached answer. On a phone whose storage is full or damaged there is none. */
const kept = (address: Request | string, cacheName?: string) =>
  caches.match(address, cacheName === undefined ? {} : { cacheName }).catch(() => undefined);

/** The page of the screen, in the language of this browser; else the app shell. */
function openPage(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const page = PAGES.pageAt(pathname === SHELL ? PAGES.FRONT : pathname);
  const file = PAGES.pageFile(page, PAGES.firstLanguageIn(navigator.languages));
  const address = page === PAGES.CARD_SCREEN ? page : addressOf(file);
  const found = kept(address, BUILD.name).then((answer) => answer ?? kept(SHELL, BUILD.name));
  return newest(request, found);
}

async function readConfig(request: Request): Promise<Response> {
  const answer = await newest(request, kept(CONFIG, CONFIGS));
  if (answer.ok) {
    const copy = answer.clone();
    const keep = async () => (await caches.open(CONFIGS)).put(CONFIG, copy);
    // The answer does not wait for the cache.
    void keep().catch(() => undefined);
  }
  return answer;
}

/** A file whose name holds a hash of its content is the same wherever it is found. */
const readAsset = async (request: Request) => (await kept(request)) ?? fetch(request);
