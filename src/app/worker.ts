/** The service worker: the app opens without a network, and each build stays whole for as long as somebody uses it. What the API answers passes it by. */

interface Lived extends Event {
  waitUntil: (done: Promise<unknown>) => void;
}
interface Asked extends Event {
  request: Request;
  respondWith: (answer: Promise<Response>) => void;
}
declare const clients: { claim: () => Promise<void> };
declare const registration: { installing: unknown; waiting: unknown };

/** Written by the build: its own name, and the address of every file that a screen of it may need. */
declare const BUILD: { name: string; files: readonly string[] };

/** The one page there is, by the address at which every host has it without a detour. */
const SHELL = "/";
const CONFIG = "/config.json";
const CONFIGS = "config";
/** A network that takes longer to bring the page or the configuration is treated as none. */
const PATIENCE = 4_000;

addEventListener("install", (event) => (event as Lived).waitUntil(install()));
addEventListener("activate", (event) => (event as Lived).waitUntil(activate()));
addEventListener("fetch", (event) => {
  const { request, respondWith } = event as Asked;
  const answer = answerTo(request);
  if (answer) respondWith.call(event, answer);
});

/** All of it or nothing: half a build would fail somebody in the midst of a payment. */
async function install(): Promise<void> {
  const cache = await caches.open(BUILD.name);
  await cache.addAll([new Request(SHELL, { cache: "no-cache" }), ...BUILD.files]);
  const files = await Promise.all(BUILD.files.map((file) => cache.match(file)));
  // Some hosts have their page for whatever is gone: of a release that was replaced meanwhile, nothing is whole.
  if (files.some((answer) => answer?.headers.get("Content-Type")?.startsWith("text/html")))
    throw new Error(`${BUILD.name} is not there any more.`);
  await (await caches.open(CONFIGS)).add(CONFIG).catch(() => undefined);
}

/**
 * Nobody uses an earlier build any more: until the last page of one was closed, this worker has waited. It never pushes
 * in, so no page is ever reloaded; a page that is opened meanwhile has its files from the network or from here.
 */
async function activate(): Promise<void> {
  // A newer one is filling its cache, or has: it clears up in its turn.
  const names = registration.installing || registration.waiting ? [] : await caches.keys();
  await Promise.all(
    names.filter((name) => ![BUILD.name, CONFIGS].includes(name)).map((name) => caches.delete(name)),
  );
  await clients.claim();
}

/** Nothing where the browser is to ask by itself: the API, the sandbox, everything of others. */
function answerTo(request: Request): Promise<Response> | null {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || /^\/(api|sandbox)(\/|$)/.test(pathname))
    return null;
  if (request.mode === "navigate") return openShell(request);
  if (pathname === CONFIG) return readConfig(request);
  return pathname.startsWith("/assets/") ? readAsset(request) : null;
}

/** The newest from the network; what is kept where that does not bring it, or the host fails. */
async function newest(request: Request, kept: Promise<Response | undefined>): Promise<Response> {
  const late = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), PATIENCE);
  });
  const asked = fetch(request).catch(() => null);
  const answer = await Promise.race([asked, late]);
  if (answer && answer.status < 500) return answer;
  return (await kept) ?? (await asked) ?? Response.error();
}

/** What is kept of it. A phone whose storage is full or damaged keeps nothing, and goes on without. */
const kept = (address: Request | string, cacheName?: string) =>
  caches.match(address, cacheName === undefined ? {} : { cacheName }).catch(() => undefined);

const openShell = (request: Request) => newest(request, kept(SHELL, BUILD.name));

async function readConfig(request: Request): Promise<Response> {
  const answer = await newest(request, kept(CONFIG, CONFIGS));
  if (answer.ok) {
    const copy = answer.clone();
    const keep = async () => (await caches.open(CONFIGS)).put(CONFIG, copy);
    // Nobody waits for it.
    void keep().catch(() => undefined);
  }
  return answer;
}

/** A file whose name holds a hash of its content is the same wherever it is found. */
const readAsset = async (request: Request) => (await kept(request)) ?? fetch(request);
