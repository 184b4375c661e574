/** The service worker: the app opens without a network, and each build stays whole for as long as somebody uses it. What the API answers passes it by. */

interface Lived extends Event {
  waitUntil: (done: Promise<unknown>) => void;
}
interface Asked extends Event {
  request: Request;
  respondWith: (answer: Promise<Response>) => void;
}
declare const clients: { claim: () => Promise<void> };

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
  await (await caches.open(CONFIGS)).add(CONFIG).catch(() => undefined);
}

/**
 * Nobody uses an earlier build any more: until the last page of one was closed, this worker has waited. It never pushes
 * in, so no page is ever reloaded; a page that is opened meanwhile has its files from the network or from here.
 */
async function activate(): Promise<void> {
  const names = await caches.keys();
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

const openShell = (request: Request) => newest(request, caches.match(SHELL, { cacheName: BUILD.name }));

async function readConfig(request: Request): Promise<Response> {
  const cache = await caches.open(CONFIGS);
  const answer = await newest(request, cache.match(CONFIG));
  if (answer.ok) await cache.put(CONFIG, answer.clone());
  return answer;
}

/** A file whose name holds a hash of its content is the same wherever it is found. */
const readAsset = async (request: Request) => (await caches.match(request)) ?? fetch(request);
