/** The site that is served: its files, its screens, what browsers may do with it, and who else may call the API. */
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Store } from "../../src/service/store/database.ts";
import { MOST_OFFERS, OFFER_MARK } from "../../src/contract/pages.ts";
import type { Entry } from "../../src/service/catalogue.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { emptyStore, serve } from "./support.ts";

const INDEX = '<!doctype html><meta property="og:image" content="/share.png" /><title>The site</title>';
const SCRIPT = `console.log("${"long enough to be compressed ".repeat(60)}");`;
const outside = temporaryDirectory();
const siteDir = join(outside, "dist");

let store: Store;
beforeAll(async () => {
  store = await emptyStore();
  mkdirSync(join(siteDir, "assets"), { recursive: true });
  writeFileSync(join(outside, "secret.txt"), "secret");
  writeFileSync(join(siteDir, "index.html"), INDEX);
  writeFileSync(join(siteDir, "favicon.svg"), "<svg/>");
  writeFileSync(join(siteDir, "sw.js"), SCRIPT);
  writeFileSync(join(siteDir, "manifest.webmanifest"), "{}");
  writeFileSync(join(siteDir, "assets", "main-1a2b3c.js"), SCRIPT);
  writeFileSync(join(siteDir, "assets", "main-1a2b3c.js.br"), brotliCompressSync(SCRIPT));
});
afterAll(() => store.close());

test.each([
  "/",
  "/home",
  "/buy/Half-year",
  "/payDetail/1/monthly/EbPay/3.99/TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t/7KQ2M9XW4TB3HDNE",
  "/buy/%E6%9C%88%E5%BA%A6%E4%BC%9A%E5%91%98",
  "/no/such/screen.html",
])("the screen %s is index.html, asked for anew each time", async (path) => {
  const { ask } = await serve(store, { siteDir });
  const response = await ask(path);
  expect([response.status, response.headers.get("Cache-Control"), await response.text()]).toEqual([
    200,
    "no-cache",
    INDEX.replace("/share.png", "http://localhost/share.png"),
  ]);
});

test("a file that never changes is kept for ever, others are asked for anew", async () => {
  const { ask } = await serve(store, { siteDir });
  const script = await ask("/assets/main-1a2b3c.js");
  expect([
    script.headers.get("Cache-Control"),
    script.headers.get("Content-Type"),
    await script.text(),
  ]).toEqual(["public, max-age=31536000, immutable", "text/javascript; charset=utf-8", SCRIPT]);
  const icon = await ask("/favicon.svg");
  expect([icon.headers.get("Cache-Control"), icon.headers.get("Content-Type")]).toEqual([
    "no-cache",
    "image/svg+xml; charset=utf-8",
  ]);
  const again = await ask("/", { headers: { "If-None-Match": (await ask("/")).headers.get("ETag") ?? "" } });
  expect(again.status).toBe(304);
  const small = await ask("/assets/main-1a2b3c.js", { headers: { "Accept-Encoding": "gzip" } });
  expect(small.headers.get("Content-Encoding")).toBe("gzip");
  const smallest = await ask("/assets/main-1a2b3c.js", { headers: { "Accept-Encoding": "gzip, br" } });
  expect([
    smallest.headers.get("Content-Encoding"),
    smallest.headers.get("Content-Type"),
    brotliDecompressSync(await smallest.arrayBuffer()).toString(),
  ]).toEqual(["br", "text/javascript; charset=utf-8", SCRIPT]);
});

test("the worker and what an installed app is called are asked for anew each time, as what they are", async () => {
  const { ask } = await serve(store, { siteDir });
  const told = async (path: string) => {
    const { status, headers } = await ask(path);
    return [status, headers.get("Cache-Control"), headers.get("Content-Type")];
  };
  expect(await told("/sw.js")).toEqual([200, "no-cache", "text/javascript; charset=utf-8"]);
  expect(await told("/manifest.webmanifest")).toEqual([200, "no-cache", "application/manifest+json"]);
});

test("a link that is shared brings its picture from where people reach the site", async () => {
  const { app } = await serve(store, { siteDir, trustedProxies: 1 });
  const answer = await app.request("http://everlit.example/home", {
    headers: { "X-Forwarded-Proto": "https" },
  });
  expect(await answer.text()).toContain('content="https://everlit.example/share.png"');
});

test.each([
  [1, "https", "https"],
  [1, "HTTPS", "https"],
  [1, "http, https", "https"],
  [1, "https, http", "http"],
  [2, "https, http", "https"],
  [2, "http , HTTPS ,http", "https"],
  // A proxy that writes it anew says it once for all.
  [2, "https", "https"],
  [1, "ftp", "http"],
  [0, "https", "http"],
])("behind %i proxies, X-Forwarded-Proto %j is %s", async (trustedProxies, header, proto) => {
  const { app } = await serve(store, { siteDir, trustedProxies });
  const answer = await app.request("http://everlit.example/home", {
    headers: { "X-Forwarded-Proto": header },
  });
  expect(await answer.text()).toContain(`content="${proto}://everlit.example/share.png"`);
});

test("a page is made as small as it gets for a few hosts a minute, and stays so for the one that people use", async () => {
  const { ask, clock } = await serve(store, { siteDir });
  const encodingAt = async (host: string, accepted = "gzip, br") => {
    const { headers } = await ask(`http://${host}.example/buy`, { headers: { "Accept-Encoding": accepted } });
    return headers.get("Content-Encoding");
  };
  const encodingsAt = async (count: number, host: string, accepted?: string) => {
    const encodings = [];
    for (let at = 0; at < count; at += 1) encodings.push(await encodingAt(`${host}${at}`, accepted));
    return encodings;
  };
  const times = (count: number, encoding: string) => Array<string>(count).fill(encoding);
  // Nothing is made for those who cannot read it.
  expect(await encodingsAt(65, "older", "gzip")).toEqual(times(65, "gzip"));
  expect(await encodingAt("older", "br;q=0, gzip")).toBe("gzip");
  expect(await encodingAt("everlit")).toBe("br");
  expect(await encodingsAt(65, "a")).toEqual([...times(63, "br"), ...times(2, "gzip")]);
  expect(await encodingAt("everlit")).toBe("br");
  clock.now += 60_000;
  expect(await encodingsAt(32, "b")).toEqual(times(32, "br"));
  expect(await encodingAt("everlit")).toBe("br");
  expect(await encodingsAt(33, "c")).toEqual([...times(32, "br"), "gzip"]);
  expect(await encodingAt("everlit")).toBe("br");
});

describe("a screen that is written ahead", () => {
  const script = "document.title = 'alive'";
  const style = "a{color:red}";
  const drawingIn = (language: string) => `.logo-${language}{fill:red}`;
  const page = (language: string) =>
    `<!doctype html><html lang="${language}" data-page="/home"><head>` +
    '<link rel="preload" href="/config.json" as="fetch" crossorigin="anonymous" />' +
    `<style data-styled="true">${style}</style><svg><style>${drawingIn(language)}</style></svg>` +
    `<script type="application/json" id="start">{}</script><script>${script}</script></head>` +
    '<a data-site="/terms">Terms</a></html>';
  beforeAll(() => {
    writeFileSync(join(siteDir, "home.html"), page("en"));
    writeFileSync(join(siteDir, "home.zh-CN.html"), page("zh-CN"));
  });
  afterAll(() => {
    rmSync(join(siteDir, "home.html"));
    rmSync(join(siteDir, "home.zh-CN.html"));
  });
  const languageIn = async (response: Response) => /lang="([^"]*)"/.exec(await response.text())?.[1];

  test.each([
    ["zh-CN,zh;q=0.9,en;q=0.8", "zh-CN"],
    ["zh-TW", "zh-CN"],
    ["en-GB,zh;q=0.9", "en"],
    ["fr,zh;q=0.9,en;q=0.8", "zh-CN"],
    ["fr", "en"],
    ["", "en"],
  ])("comes to who asks for %s in %s", async (header, language) => {
    const { ask } = await serve(store, { siteDir });
    const response = await ask("/home", { headers: { "Accept-Language": header } });
    expect(response.headers.get("Vary")).toContain("Accept-Language");
    expect(await languageIn(response)).toBe(language);
    expect(await languageIn(await ask("/home/", { headers: { "Accept-Language": header } }))).toBe(language);
  });

  test.each([
    ["/home.html", "/home", "en"],
    ["/home.zh-CN.html", "/home", "zh-CN"],
    ["/%68ome.html", "/home", "en"],
    ["/home%2ehtml", "/home", "en"],
    ["/index.html", "/buy", "en"],
  ])("is at %s as it is at %s", async (path, screen, language) => {
    const { ask } = await serve(store, { siteDir });
    const browser = {
      "Accept-Language": language,
      "Accept-Encoding": "br",
      "Sec-Fetch-Site": "cross-site",
      "Sec-Fetch-Mode": "navigate",
    };
    const [file, page] = await Promise.all([path, screen].map((each) => ask(each, { headers: browser })));
    expect(Object.fromEntries(file?.headers ?? [])).toEqual(Object.fromEntries(page?.headers ?? []));
    expect(Buffer.from(await (file ?? Response.error()).arrayBuffer())).toEqual(
      Buffer.from(await (page ?? Response.error()).arrayBuffer()),
    );
    expect(file?.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
  });

  test("is behind the front door for a person; a worker finds the page that is no screen's there", async () => {
    const { ask } = await serve(store, { siteDir });
    const headers = { "Accept-Language": "zh-CN", "Sec-Fetch-Dest": "document" };
    expect(await languageIn(await ask("/", { headers }))).toBe("zh-CN");
    expect(await (await ask("/")).text()).toContain("The site");
  });

  test("says what the deployment says, and lets its own script run, also when it has not changed", async () => {
    const { ask } = await serve(store, { siteDir, providerSite: "https://provider.example" });
    const response = await ask("/home");
    const text = await response.text();
    const config: unknown = await (await ask("/config.json")).json();
    expect(JSON.parse(/id="config">([^<]*)</.exec(text)?.[1] ?? "")).toEqual(config);
    expect(text).toContain('<html data-sandbox="" lang="en"');
    expect(text).toContain('<a data-site="/terms" href="https://provider.example/terms">');
    expect(text).not.toContain("preload");
    const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    const policy = response.headers.get("Content-Security-Policy");
    expect(policy).toContain(`script-src 'self' ${hash(script)};`);
    // The page's script may put the other language's content into it; rules are written into an empty element.
    const styles = ["", style, drawingIn("en"), drawingIn("zh-CN")].map(hash);
    expect(policy).toContain(`style-src ${styles.join(" ")};`);
    const again = await ask("/home", { headers: { "If-None-Match": response.headers.get("ETag") ?? "" } });
    expect([again.status, again.headers.get("Content-Security-Policy")]).toEqual([304, policy]);
  });

  test("is small on its way, and the same", async () => {
    const { ask } = await serve(store, { siteDir });
    const small = await ask("/home", { headers: { "Accept-Encoding": "gzip, br" } });
    expect(small.headers.get("Content-Encoding")).toBe("br");
    const text = brotliDecompressSync(await small.arrayBuffer()).toString();
    expect(text).toBe(await (await ask("/home")).text());
  });

  test("takes nothing from a form that a browser sends by itself", async () => {
    const { app } = await serve(store, { siteDir });
    const response = await app.request("/login", { method: "POST", body: "password=lamplight" });
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/login"]);
  });
});

describe("a page that shows packages", () => {
  const places =
    '<li data-offer=""><input value="__product_id__"><b>__name__</b> __buy_price__ __day_price__';
  const item = (at: number, isPlain: boolean) =>
    `${places} ${at}${isPlain ? "" : " <s>__price__</s> 61.37% 38.63%"}</li>`;
  const numbers = Array.from({ length: MOST_OFFERS }, (_, at) => at);
  const stocked = (language: string) =>
    [
      `<html lang="${language}"><style>stocked</style><ul>`,
      ...numbers.map((at) => item(at, false)),
      ...numbers.map((at) => item(at, true)),
      "</ul></html>",
    ].join(OFFER_MARK);
  const files = { "buy.html": "frame", "buy+packages.html": stocked("en"), "buy.zh-CN.html": "框" };
  const written = { ...files, "buy+packages.zh-CN.html": stocked("zh-CN") };
  beforeAll(() => {
    for (const [file, text] of Object.entries(written)) writeFileSync(join(siteDir, file), text);
  });
  afterAll(() => {
    for (const file of Object.keys(written)) rmSync(join(siteDir, file));
  });
  const entry = (name: string, more: Partial<Entry> = {}): Entry => ({
    id: "1",
    product_id: "vpn.month",
    name: { en: name, "zh-CN": "月度会员" },
    days: 30,
    price: 499n,
    buy_price: 399n,
    ...more,
  });
  const hostile = `$& </li><script>alert("1")</script> 'a' __price__ <!--package-->`;
  const page = async (settings: Parameters<typeof serve>[1], path = "/buy", language = "en") => {
    const { ask, service } = await serve(store, { siteDir, ...settings });
    const put = (...entries: Entry[]) => Object.assign(service.catalogue, { entries });
    const read = async () => (await ask(path, { headers: { "Accept-Language": language } })).text();
    return { ask, put, read };
  };

  test("comes with those on sale, in its language, each as the API would send it", async () => {
    const { put, read } = await page({}, "/buy", "zh-CN");
    put(entry("Monthly"), entry("Dear", { id: "2", product_id: "vpn.dear", price: 399n }));
    const text = await read();
    expect(text.replaceAll(/ data-offer="[^"]*"/g, "")).toBe(
      '<html data-sandbox="" lang="zh-CN"><style>stocked</style><ul>' +
        '<li><input value="vpn.month"><b>月度会员</b> 3.99 0.13 0 <s>4.99</s> 80% 20%</li>' +
        '<li><input value="vpn.dear"><b>月度会员</b> 3.99 0.13 1</li></ul></html>',
    );
    const { ask } = await serve(store, { siteDir });
    const list = (await (await ask("/api/packegs/list")).json()) as { data: unknown[][] };
    const first = /data-offer="([^"]*)"/.exec(await (await page({})).read())?.[1] ?? "";
    expect(JSON.parse(first.replaceAll("&quot;", '"'))).toEqual(list.data[2]?.[0]);
  });

  test("has whatever a package is called as a text, and nothing else", async () => {
    const { put, read } = await page({});
    put(entry(hostile));
    const text = await read();
    const shown =
      "$&amp; &lt;/li&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &#x27;a&#x27; __price__ &lt;!--package--&gt;";
    expect(text).toContain(`<b>${shown}</b> 3.99`);
    expect(text).not.toContain("<script>alert");
    const offer = /data-offer="([^"]*)"/.exec(text)?.[1] ?? "";
    const plain = [
      ["&quot;", '"'],
      ["&#x27;", "'"],
      ["&lt;", "<"],
      ["&gt;", ">"],
      ["&amp;", "&"],
    ] as const;
    const json = plain.reduce((said, [from, to]) => said.replaceAll(from, to), offer);
    expect(JSON.parse(json)).toMatchObject({ name: hostile, discount: "80" });
  });

  test("is another page once the packages have changed, and the same until then", async () => {
    const { ask, put } = await page({});
    put(entry("Monthly"));
    const tag = (await ask("/buy")).headers.get("ETag") ?? "";
    const again = async () => (await ask("/buy", { headers: { "If-None-Match": tag } })).status;
    expect(await again()).toBe(304);
    put(entry("Monthly", { buy_price: 299n }));
    expect(await again()).toBe(200);
  });

  test("holds twenty at most", async () => {
    const { put, read } = await page({});
    put(...Array.from({ length: 1_000 }, (_, at) => entry(`Package ${at}`, { product_id: `p${at}` })));
    const text = await read();
    expect([text.match(/data-offer/g)?.length, text.includes("Package 19"), text.includes("__")]).toEqual([
      20,
      true,
      false,
    ]);
  });

  test("is the frame alone where another API has the packages, and for the worker, which keeps no prices", async () => {
    expect(await (await page({ apiBaseUrl: "https://api.example" })).read()).toBe("frame");
    expect(await (await page({}, "/buy.zh-CN.html?frame")).read()).toBe("框");
    expect(await (await page({}, "/buy+packages.html")).read()).toContain("The site");
  });

  test("may have the styles of what it holds", async () => {
    const { ask } = await page({});
    const policy = (await ask("/buy")).headers.get("Content-Security-Policy");
    expect(policy).toContain(`'sha256-${createHash("sha256").update("stocked").digest("base64")}'`);
  });
});

test.each([
  ["/login?next=//evil.example", "/login"],
  ["/buy/%E6%9C%88%E5%BA%A6/50%25", "/buy/%E6%9C%88%E5%BA%A6/50%25"],
  ["//evil.example/x", "/evil.example/x"],
  ["///evil.example//x", "/evil.example//x"],
  ["/\\evil.example/x", "/evil.example/x"],
  ["/%5Cevil.example/x", "/%5Cevil.example/x"],
  ["/%09/evil.example/x", "/%09/evil.example/x"],
  ["/.//evil.example/x", "/evil.example/x"],
])("a form sent to %s is answered with a path of this host", async (path, location) => {
  const { app } = await serve(store, { siteDir });
  const response = await app.fetch(new Request(`http://localhost${path}`, { method: "POST" }), {});
  expect([response.status, response.headers.get("Location")]).toEqual([303, location]);
});

describe("what is in the build and not for browsers", () => {
  const files = [".vite/manifest.json", ".env", "sw.js.map", "assets/main-1a2b3c.js.map"];
  beforeAll(() => {
    mkdirSync(join(siteDir, ".vite"), { recursive: true });
    for (const name of files) writeFileSync(join(siteDir, name), "secret");
  });
  afterAll(() => {
    for (const name of [".vite", ...files]) rmSync(join(siteDir, name), { recursive: true, force: true });
  });

  test.each([
    "/.vite/manifest.json",
    "/%2evite/manifest.json",
    "/.vite/",
    "/.vite",
    "//.vite/manifest.json",
    "/.env",
    "/.git/config",
    "/sw.js.map",
    "/assets/main-1a2b3c.js.map",
    "/assets/main-1a2b3c.js.MAP",
    "/assets/main-1a2b3c.js.br",
    "/assets/.hidden",
  ])("%s is not there", async (path) => {
    const { app } = await serve(store, { siteDir });
    const response = await app.fetch(new Request(`http://localhost${path}`), {});
    expect([response.status, await response.text()]).toEqual([404, "Not found.\n"]);
  });
});

test.each(["/buy/.hidden", "/buy/a.map", "/forgetPasswordInfo/.john", "/forgetPasswordInfo/john.html"])(
  "%s is a screen",
  async (path) => {
    const { ask } = await serve(store, { siteDir });
    expect(await (await ask(path)).text()).toContain("The site");
  },
);

test("a file of an earlier build is missing, not a page", async () => {
  const { ask } = await serve(store, { siteDir });
  expect((await ask("/assets/main-old.js")).status).toBe(404);
});

test.each([
  "/../secret.txt",
  "/%2e%2e/secret.txt",
  "/..%2fsecret.txt",
  "/assets/..%2f..%2fsecret.txt",
  "/assets/%2e%2e/%2e%2e/secret.txt",
  "/..%5csecret.txt",
  "//../secret.txt",
  "/%00/../secret.txt",
  "/assets/....//....//secret.txt",
])("nothing outside the site is served for %s", async (path) => {
  const { app } = await serve(store, { siteDir });
  const response = await app.fetch(new Request(`http://localhost${path}`), {});
  expect(await response.text()).not.toContain("secret");
});

test("a site that is not built is said to be so", async () => {
  const { ask } = await serve(store, { siteDir: join(outside, "nothing") });
  const response = await ask("/home");
  expect([response.status, await response.text()]).toEqual([503, expect.stringContaining("npm run build")]);
});

test("the configuration of the app says where the API is and that this is a sandbox", async () => {
  const plain = await serve(store, { siteDir });
  const response = await plain.ask("/config.json");
  expect([response.headers.get("Cache-Control"), await response.json()]).toEqual([
    "no-cache",
    {
      apiBaseUrl: "",
      downloadSdk: { scriptUrl: "/sandbox/download.js", global: "EverlitDownload", appKey: "sandbox" },
      cardScriptUrl: "/sandbox/card.js",
      sandbox: true,
    },
  ]);
  const set = await serve(store, {
    siteDir,
    apiBaseUrl: "https://api.example/v1",
    providerSite: "https://provider.example",
  });
  const configured = await set.ask("/config.json");
  expect(await configured.json()).toEqual({
    apiBaseUrl: "https://api.example/v1",
    providerSite: "https://provider.example",
    downloadSdk: {
      scriptUrl: "https://api.example/v1/sandbox/download.js",
      global: "EverlitDownload",
      appKey: "sandbox",
    },
    cardScriptUrl: "https://api.example/v1/sandbox/card.js",
    sandbox: true,
  });
  const policy = (await set.ask("/home")).headers.get("Content-Security-Policy");
  expect(policy).toContain("script-src 'self' https://api.example;");
  expect(policy).toContain("connect-src 'self' https://api.example;");
});

test("the operator's download script takes the place of the sandbox's, and may be loaded and call home", async () => {
  const downloadSdk = { scriptUrl: "https://sdk.example/v2/sdk.js", global: "OpenInstall", appKey: "k1" };
  const { ask } = await serve(store, { siteDir, downloadSdk });
  const response = await ask("/config.json");
  expect(await response.json()).toEqual({
    apiBaseUrl: "",
    downloadSdk,
    cardScriptUrl: "/sandbox/card.js",
    sandbox: true,
  });
  const policy = (await ask("/home")).headers.get("Content-Security-Policy");
  expect(policy).toContain("script-src 'self' https://sdk.example;");
  expect(policy).toContain("connect-src 'self' https://sdk.example;");
  // What such a script writes, and how, is not known.
  expect(policy).toContain("style-src 'unsafe-inline';");
  expect(policy).not.toContain("trusted-types");
});

/** What each kind of answer may do. The styles of a page and of the sandbox are told by their hashes. */
const policies = {
  page: "default-src 'none'; script-src 'self'; style-src <styles>; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types app",
  sandbox:
    "default-src 'none'; script-src 'self'; style-src <styles>; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  picture:
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
  data: "default-src 'none'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
};

test.each([
  ["/", "page", "same-origin"],
  ["/razorpayDetail", "page", "same-origin"],
  ["/sandbox/wallet", "sandbox", "same-origin"],
  ["/sandbox/card/confirm/none", "sandbox", "same-origin"],
  ["/sandbox/card.js", "data", "cross-origin"],
  ["/api/packegs/list", "data", "same-origin"],
  ["/api/nothing", "data", "same-origin"],
  ["/config.json", "data", "same-origin"],
  ["/sw.js", "data", "same-origin"],
  ["/assets/main-1a2b3c.js", "data", "same-origin"],
  ["/assets/none.js", "data", "same-origin"],
  ["/favicon.svg", "picture", "same-origin"],
] as const)("%s carries the rules for browsers: those of a %s", async (path, kind, embedded) => {
  const { ask } = await serve(store, { siteDir });
  const { headers } = await ask(path);
  expect({
    csp: headers.get("Content-Security-Policy")?.replace(/(?<=style-src )'sha256-[^;]*/, "<styles>"),
    coop: headers.get("Cross-Origin-Opener-Policy"),
    corp: headers.get("Cross-Origin-Resource-Policy"),
    sniff: headers.get("X-Content-Type-Options"),
    referrer: headers.get("Referrer-Policy"),
    features: headers.get("Permissions-Policy"),
    https: headers.get("Strict-Transport-Security"),
  }).toEqual({
    csp: policies[kind],
    coop: path.startsWith("/sandbox/card/") ? "unsafe-none" : "same-origin-allow-popups",
    corp: embedded,
    sniff: "nosniff",
    referrer: "no-referrer",
    features: "camera=(), geolocation=(), microphone=()",
    https: null,
  });
});

test.each([
  [1, "https", "max-age=31536000"],
  [1, "http", null],
  [0, "https", null],
])(
  "behind %i proxies, come to by %s, browsers are told to keep to https: %s",
  async (trustedProxies, proto, told) => {
    const { ask } = await serve(store, { siteDir, trustedProxies });
    for (const path of ["/home", "/api/packegs/list"]) {
      const { headers } = await ask(path, { headers: { "X-Forwarded-Proto": proto } });
      expect(headers.get("Strict-Transport-Security")).toBe(told);
    }
  },
);

test.each([
  ["none", "/", null],
  ["same-origin", "/", null],
  ["same-origin", "/razorpayDetail?cut=", "same-origin-allow-popups"],
  ["same-site", "/", "same-origin-allow-popups"],
  ["cross-site", "/", "same-origin-allow-popups"],
])(
  "a page that was come to from %s, at %s, is isolated from its opener where it may have one",
  async (site, path, policy) => {
    const { ask } = await serve(store, { siteDir });
    const browser = { "Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate" };
    const first = await ask(path, { headers: browser });
    const again = await ask(path, {
      headers: { ...browser, "If-None-Match": first.headers.get("ETag") ?? "" },
    });
    const mark = policy && "cut";
    expect(
      [first, again].map(({ status, headers }) => [
        status,
        headers.get("Cross-Origin-Opener-Policy"),
        headers.get("Server-Timing"),
      ]),
    ).toEqual([
      [200, policy, mark],
      [304, policy, mark],
    ]);
  },
);

test("answers of the API are not stored, and only allowed origins may read them", async () => {
  const { ask, app } = await serve(store, { allowedOrigins: ["https://app.example"] });
  const allowed = await ask("/api/packegs/list", { headers: { Origin: "https://app.example" } });
  expect({
    store: allowed.headers.get("Cache-Control"),
    origin: allowed.headers.get("Access-Control-Allow-Origin"),
    exposed: allowed.headers.get("Access-Control-Expose-Headers"),
  }).toEqual({ store: "no-store", origin: "https://app.example", exposed: "Date" });
  const refused = await ask("/api/packegs/list", { headers: { Origin: "https://evil.example" } });
  expect(refused.headers.get("Access-Control-Allow-Origin")).toBeNull();
  const preflight = await app.request("/api/order/create", {
    method: "OPTIONS",
    headers: { Origin: "https://app.example", "Access-Control-Request-Method": "POST" },
  });
  expect([preflight.status, preflight.headers.get("Access-Control-Allow-Headers")]).toEqual([
    204,
    "Authorization,Content-Type,language,Idempotency-Key",
  ]);
});
