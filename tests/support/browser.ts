/** A phone in front of the real service: starting both, and the steps of a person who buys a membership. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatter } from "@lingui/format-po";
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Frame,
  type Locator,
  type Page,
} from "playwright-core";
import { coinTypes, paths, type Member, type Network, type OrderDetail } from "../../src/contract/calls.ts";
import { LANGUAGE_HEADER, type Language } from "../../src/contract/languages.ts";
import type { BrowserSetup } from "./browser-setup.ts";
import { startProcess } from "./service-process.ts";
import { temporaryDatabase } from "./temporary-database.ts";

export const PASSWORD = "lamplight & harbour 7";

/** Ms for what has to come: the machine may be busy. */
export const PATIENCE = 30_000;

/** Seconds until a sandbox transfer is final. */
const CONFIRM_SECONDS = "1";

/* The service */

export interface Account {
  name: string;
  token: string;
}

export interface Answer<T> {
  code: number;
  message: string;
  data: T;
}

export type Service = Awaited<ReturnType<typeof startService>>;

/** Starts the service on a free port, with data of its own, and waits until it says that it listens. @param more further settings */
export async function startService(
  { service, site, data, template }: BrowserSetup,
  more: Record<string, string> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "browser-test-"));
  const server = process.env["TEST_DATABASE_URL"];
  const database =
    template !== undefined && server !== undefined ? await temporaryDatabase(server, template) : undefined;
  // To make the database is most of a start. It is one of the sandbox, which live payments refuse.
  if (!database && data !== undefined && more["PAYMENTS"] !== "live")
    cpSync(data, folder, { recursive: true });
  /** Where its data is, as its commands are told, too. */
  const place = { DATA_DIR: folder, ...database?.env };
  const env = {
    ...place,
    SITE_DIR: site,
    SANDBOX_CONFIRM_SECONDS: CONFIRM_SECONDS,
    // More people join in a minute than any one household has.
    REGISTRATIONS_PER_MINUTE: "0",
    NETWORK_ORDERS_PER_HOUR: "0",
    REQUESTS_PER_MINUTE: "0",
    ACCOUNT_REQUESTS_PER_MINUTE: "0",
    ...more,
  };
  let running = startProcess(env, service);
  const origin = await running.started;
  const { port } = new URL(origin);

  async function end(signal: NodeJS.Signals): Promise<void> {
    running.child.kill(signal);
    await running.exited;
  }

  /** One call of the API: GET without a body, POST with one. */
  async function call<T = unknown>(path: string, body?: unknown, token = "", language: Language = "en") {
    const answer = await fetch(origin + path, {
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      headers: {
        "Content-Type": "application/json",
        [LANGUAGE_HEADER]: language,
        Authorization: `Bearer ${token}`,
      },
    });
    return (await answer.json()) as Answer<T>;
  }

  return {
    origin,
    call,
    place,
    /** A new account, signed in. */
    join: async (name: string): Promise<Account> => {
      const body = { account_name: name, password: PASSWORD };
      await call(paths.register, body);
      return { name, token: (await call<{ token: string }>(paths.login, body)).data.token };
    },
    /** A new order for the package, made without the app. */
    order: async ({ token }: Account, network: Network = "TRC20") => {
      const body = { pack_id: "1", product_id: "monthly", coin_type: coinTypes[network] };
      const { data } = await call<{
        order: { order_id: string; payment_amount: string };
        payData: { address: string };
      }>(paths.createOrder, body, token);
      return {
        network,
        orderId: data.order.order_id,
        amount: data.order.payment_amount,
        address: data.payData.address,
      };
    },
    detail: async ({ token }: Account, orderId: string) =>
      (await call<OrderDetail>(paths.orderDetail, { order_id: orderId }, token)).data,
    member: async ({ token }: Account) =>
      (await call<{ user: Member }>(paths.centre, undefined, token)).data.user,
    /** Pays from the sandbox's wallet without its page. */
    transfer: async ({ network, address, amount }: Pick<Payment, "network" | "address" | "amount">) => {
      const { code, message } = await call("/sandbox/transfers", { network, address, amount });
      if (code !== 200) throw new Error(message);
    },
    /** The power fails. */
    kill: () => end("SIGKILL"),
    /** It ends in good order, and leaves its data. @returns the folder of the data */
    end: async () => {
      await end("SIGTERM");
      return folder;
    },
    /** Back at the same address, with the same data. */
    restart: async () => {
      running = startProcess({ ...env, PORT: port }, service);
      await running.started;
    },
    stop: async () => {
      await end("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
      await database?.drop();
    },
  };
}

/* The phone */

/** Chromium follows the last such list alone, so this one repeats what matters here of Playwright's. */
const disabledFeatures = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  // Two pages of the address bar's menu, which every new window loads: half a second of a processor.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
];

export const launch = ({ chromium: executablePath }: Pick<BrowserSetup, "chromium">): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--disable-features=${disabledFeatures.join()}`,
    ],
  });

export interface Visit {
  language?: Language;
  /** Already signed in. */
  account?: Account;
  /** What local storage holds besides. */
  storage?: Record<string, string>;
  colorScheme?: "light" | "dark";
  /** The phone's own setting; by default it asks for little, which saves the tests the waiting for things to arrive. */
  motion?: "reduce" | "no-preference";
  /** What may go wrong unseen, because the test makes it happen. */
  foreseen?: RegExp;
  /** With the service worker, which otherwise takes the requests out of the tests' hands. */
  worker?: boolean;
  /** Pixels of the screen for one of the page. */
  sharpness?: number;
  /** Without JavaScript. */
  still?: boolean;
  /** A window of this size on a desk, instead of a phone. */
  desk?: { width: number; height: number };
}

/** A phone of its own, with an empty memory, at no address yet. @param open makes its context */
export async function openPhone(
  browser: Browser,
  { origin }: Pick<Service, "origin">,
  visit: Visit = {},
  open: (options: BrowserContextOptions) => Promise<BrowserContext> = (options) =>
    browser.newContext(options),
): Promise<Phone> {
  const {
    language = "en",
    account,
    storage = {},
    colorScheme = "light",
    motion = "reduce",
    worker = false,
    sharpness = 1,
    foreseen,
    still = false,
    desk,
  } = visit;
  const kept = {
    ...(account && {
      user_token: account.token,
      user_name: account.name,
      user_key: JSON.stringify({ account_name: account.name }),
    }),
    ...storage,
  };
  const context = await open({
    baseURL: origin,
    userAgent: `Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser.version()} Mobile Safari/537.36`,
    javaScriptEnabled: !still,
    locale: language === "en" ? "en-US" : "zh-CN",
    viewport: desk ?? { width: 390, height: 844 },
    deviceScaleFactor: sharpness,
    isMobile: desk === undefined,
    hasTouch: true,
    colorScheme,
    reducedMotion: motion,
    serviceWorkers: worker ? "allow" : "block",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(PATIENCE);
  const [used] = context.pages();
  const page = used ?? (await context.newPage());
  if (used || Object.keys(kept).length > 0) await remember(page, origin, kept);
  return new Phone(context, page, language, watch(context, foreseen));
}

/**
 * Makes local storage hold `kept` and nothing else from the first document of the origin on, in whichever tab that is, and
 * leaves the page without a history. Written there and not ahead: each navigation costs a tenth of a second of a processor.
 */
async function remember(page: Page, origin: string, kept: Record<string, string>): Promise<void> {
  const context = page.context();
  const script = await context.addInitScript(
    ({ origin, entries }) => {
      if (location.origin !== origin) return;
      sessionStorage.clear();
      localStorage.clear();
      for (const [name, value] of entries) localStorage.setItem(name, value);
    },
    { origin, entries: Object.entries(kept) },
  );
  const forget = (frame: Frame) => {
    if (!frame.url().startsWith(`${origin}/`)) return;
    context.off("framenavigated", forget);
    script.dispose().catch(() => undefined);
  };
  context.on("framenavigated", forget);
  const session = await context.newCDPSession(page);
  await session.send("Page.resetNavigationHistory");
  await session.detach();
}

/**
 * The mode of reuse that Playwright's test runner has, under its private names: the same context and page again, without
 * the last test's other pages, routes, scripts, clock, cookies and cache. A new context starts three processes, which
 * is most of the processor time of a short test.
 */
interface ReusingBrowser {
  _newContextForReuse: (options: BrowserContextOptions) => Promise<BrowserContext>;
  _disconnectFromReusedContext: (reason: string) => Promise<void>;
}

/** Lends one context at a time, the same one again where the phone is of the same kind. */
export function reusableContext(browser: Browser) {
  const reusing = browser as unknown as ReusingBrowser;
  let lent: BrowserContext | undefined;
  return {
    /** @returns a context of its own while the other is lent */
    open: async (options: BrowserContextOptions): Promise<BrowserContext> => {
      // A service worker outlives its page.
      if (lent || options.serviceWorkers === "allow") return browser.newContext(options);
      lent = await reusing._newContextForReuse(options);
      // What the reset leaves as it was.
      await lent.setOffline(false);
      return lent;
    },
    /** Ends what was lent, or closes a context of its own. */
    close: async (context: BrowserContext): Promise<void> => {
      if (context !== lent) return context.close();
      lent = undefined;
      await reusing._disconnectFromReusedContext("The test is over.");
    },
  };
}

/** All that a clean visit must not have: words in the console, errors of the page, answers that are none. */
function watch(context: BrowserContext, foreseen?: RegExp): string[] {
  const problems: string[] = [];
  const note = (problem: string) => {
    if (!foreseen?.test(problem)) problems.push(problem);
  };
  // So it says of itself wherever the worker was not asked for.
  const blocked = "Service Worker registration blocked by Playwright";
  // What one before Chromium 108 says of our viewport's last word.
  const unknown = 'The key "interactive-widget" is not recognized and ignored.';
  context.on("console", (message) => {
    if ([blocked, unknown].includes(message.text())) return;
    if (["error", "warning", "assert"].includes(message.type())) {
      note(`console ${message.type()}: ${message.text()} (${message.location().url})`);
    }
  });
  context.on("weberror", (fault) => note(`page error: ${fault.error().stack}`));
  context.on("response", (answer) => {
    if (answer.status() >= 400) note(`status ${answer.status()}: ${answer.url()}`);
  });
  return problems;
}

export interface Payment {
  orderId: string;
  network: Network;
  address: string;
  amount: string;
}

type Values = Record<string, string | number>;
type Tapped = "button" | "link" | "radio" | "checkbox";

export class Phone {
  readonly context: BrowserContext;
  page: Page;
  language: Language;
  #problems: string[];
  readonly #foreseen: RegExp[] = [];

  constructor(context: BrowserContext, page: Page, language: Language, problems: string[]) {
    this.context = context;
    this.page = page;
    this.language = language;
    this.#problems = problems;
  }

  /** What went wrong unseen, since last asked; `foreseen` is left out from now on, for a busy browser tells of it late. */
  takeProblems(foreseen?: RegExp): string[] {
    if (foreseen) this.#foreseen.push(foreseen);
    return this.#problems.splice(0).filter((problem) => !this.#foreseen.some((each) => each.test(problem)));
  }

  /** What the product is called. */
  get product() {
    return this.language === "en" ? "Everlit" : "长明";
  }

  /** The words of the catalogue's message in this phone's language. */
  say(id: string, values: Values = {}): string {
    return wordsOf(this.language, id).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
  }

  /** A text on the screen, whole. */
  words(id: string, values?: Values): Locator {
    return this.text(this.say(id, values));
  }

  text(text: string): Locator {
    const here = this.page.locator(":not([data-transition=leaving] *)");
    return this.page.getByText(text, { exact: true }).filter({ visible: true }).and(here);
  }

  heading(id: string): Locator {
    return this.page.getByRole("heading", { name: this.say(id), exact: true });
  }

  control(role: Tapped, id: string, values?: Values): Locator {
    return this.page.getByRole(role, { name: this.say(id, values), exact: true });
  }

  /** Waits until the text is seen. */
  async see(id: string, values?: Values): Promise<void> {
    await this.words(id, values).first().waitFor();
  }

  /** Taps once no view moves any more: what is meant would have moved on between finger and click. */
  async tap(role: Tapped, id: string, values?: Values): Promise<void> {
    await this.page.locator("[data-transition]").first().waitFor({ state: "detached" });
    await this.control(role, id, values).tap();
  }

  async open(path: string): Promise<void> {
    await this.page.goto(path);
  }

  /** Another screen of the app that is open, which no page of the build stands in for. */
  async visit(path: string): Promise<void> {
    await this.alive();
    await this.page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, path);
  }

  /** Opens a page of another site. */
  async openElsewhere(body: string): Promise<void> {
    const site = "http://elsewhere.example/";
    await this.context.route(site, (route) => route.fulfill({ contentType: "text/html", body }));
    await this.page.goto(site);
  }

  /** Comes to `url` by a link of another site. */
  async follow(url: string): Promise<void> {
    await this.openElsewhere(`<a href="${url}">Everlit</a>`);
    await this.page.getByRole("link").tap();
    await this.page.waitForURL(url);
  }

  /** Waits until the app has taken over the page that was opened. Before that, a link leads to a new page. */
  async alive(): Promise<void> {
    await this.page.waitForFunction(
      () => document.getElementById("load-failed") === null && document.readyState === "complete",
    );
  }

  /** Waits until the address bar says `path`. */
  async arrive(path: string | RegExp): Promise<void> {
    await this.page.waitForURL(typeof path === "string" ? `**${path}` : path, { waitUntil: "commit" });
  }

  field(name: string): Locator {
    return this.page.locator(`[name="${name}"]`).filter({ visible: true });
  }

  /** What stands under a label of a list of details. */
  value(id: string, values?: Values): Locator {
    const label = "ancestor-or-self::*[following-sibling::*][1]";
    return this.words(id, values).locator(`xpath=${label}/following-sibling::*[1]`);
  }

  /** From here on the calls to `path` get no answer. @returns what lets later calls through again; these stay unanswered */
  async hold(path: string): Promise<{ asked: () => number; release: () => void }> {
    let asked = 0;
    let held = true;
    await this.page.route(`**${path}`, (route) => {
      asked += 1;
      return held ? undefined : route.continue();
    });
    return { asked: () => asked, release: () => void (held = false) };
  }

  /** Seconds left on the countdown. */
  async secondsLeft(): Promise<number> {
    const [minutes = NaN, seconds = NaN] = (await this.page.getByRole("timer").innerText())
      .split(":")
      .map(Number);
    return minutes * 60 + seconds;
  }

  /** Who is signed in on this phone. */
  async account(): Promise<Account> {
    return this.page.evaluate(() => ({
      name: localStorage.getItem("user_name") ?? "",
      token: localStorage.getItem("user_token") ?? "",
    }));
  }

  /** The orders that this browser keeps, latest first. */
  async keptOrders(): Promise<{ orderId: string }[]> {
    const texts = await this.page.evaluate(() =>
      Object.keys(localStorage).flatMap((key) =>
        key.startsWith("order:") ? [localStorage.getItem(key) ?? ""] : [],
      ),
    );
    return texts
      .map((text) => JSON.parse(text) as { orderId: string; keptAt: number })
      .toSorted((one, other) => other.keptAt - one.keptAt);
  }

  /** As if this browser had kept these orders, and no others. */
  async keepOrders(...orders: ({ orderId: string } & Record<string, unknown>)[]): Promise<void> {
    await this.page.evaluate((kept) => {
      for (const key of Object.keys(localStorage)) if (key.startsWith("order:")) localStorage.removeItem(key);
      for (const [at, order] of kept.entries())
        localStorage.setItem(
          `order:${order.orderId}`,
          JSON.stringify({ ...order, keptAt: kept.length - at }),
        );
    }, orders);
  }

  async clipboard(): Promise<string> {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /* Steps */

  async register(name: string): Promise<void> {
    await this.open("/register");
    await this.field("account_name").fill(name);
    await this.field("password").fill(PASSWORD);
    await this.field("agreement").check();
    await this.tap("button", "Create account");
    await this.arrive("/home");
  }

  async logIn(name: string, password = PASSWORD): Promise<void> {
    await this.field("account_name").fill(name);
    await this.field("password").fill(password);
    await this.tap("button", "Log in");
  }

  /** From anywhere to the pay screen, by way of the packages. */
  async choosePackage(productId = "monthly"): Promise<void> {
    await this.open("/buy");
    await this.page.locator(`input[value="${productId}"]`).check();
    await this.tap("button", "Continue");
    await this.arrive(`/pay/${productId}`);
    await this.see("Which network will you send on?");
  }

  /** From the pay screen to the order. */
  async order(price: string, network: Network = "TRC20"): Promise<Payment> {
    if (network !== "TRC20") await this.page.locator(`input[value="${network}"]`).check();
    await this.tap("button", "Pay {price} USDT", { price });
    return this.readPayment(network);
  }

  /** Opens a payment and lets it have its first answer: one that comes after the money leads to the bill by itself. */
  async glance(opening: () => Promise<unknown>): Promise<void> {
    const answered = this.page.waitForResponse(`**${paths.orderDetail}`);
    await opening();
    await answered;
  }

  /** What the payment screen asks for. */
  async readPayment(network: Network = "TRC20"): Promise<Payment> {
    await this.arrive(/\/payDetail\//);
    return {
      network,
      orderId: (await this.value("Order number").textContent()) ?? "",
      address: (await this.value("To this {network} address", { network }).textContent()) ?? "",
      amount: ((await this.value("Send exactly").textContent()) ?? "").replace(/ USDT$/, ""),
    };
  }

  /** Opens the sandbox's wallet from the payment screen, in a tab of its own. */
  async openWallet(): Promise<Phone> {
    const opening = this.context.waitForEvent("page");
    await this.tap("link", "Pay from the test wallet");
    const tab = await opening;
    return new Phone(this.context, tab, this.language, this.#problems);
  }

  /** A second tab of the same phone. @throws before the first one was opened: whichever is, clears the memory of both */
  async newTab(): Promise<Phone> {
    if (this.page.url() === "about:blank") throw new Error("The first tab is to be opened first.");
    return new Phone(this.context, await this.context.newPage(), this.language, this.#problems);
  }
}

/* Words */

const catalogues = new Map<Language, Map<string, string>>();

export function wordsOf(language: Language, id: string): string {
  let catalogue = catalogues.get(language);
  if (!catalogue) {
    const entries = ["messages", "screens", "agreement", "pages"].flatMap((name) => {
      const file = join(import.meta.dirname, `../../locales/${language}/${name}.po`);
      const context = { locale: language, sourceLocale: "en", filename: file };
      return Object.values(formatter().parse(readFileSync(file, "utf8"), context));
    });
    // A message with a context has the same English as another.
    const plain = entries.filter(({ context }) => context === undefined);
    catalogue = new Map(plain.map(({ message = "", translation = "" }) => [message, translation]));
    catalogues.set(language, catalogue);
  }
  const words = catalogue.get(id);
  if (!words) throw new Error(`The ${language} catalogue has no words for "${id}".`);
  return words;
}

/** Names that are the same in every language. */
const names =
  /\b(MM\/YYYY|CVV|USDT|USD|Visa|Mastercard|Stripe|TRC20|ERC20|VPN|Wi-Fi|Android|iOS|App Store|App|JavaScript|Safari|Chrome|iPhone|Windows)\b/g;

/** Every piece of text that can be seen or heard on the screen in the other language than the page's. */
export async function strangersOn(page: Page, language: Language): Promise<string[]> {
  const pieces = await page.evaluate(() => {
    const own = document.documentElement.lang;
    // Values such as an address belong to no language; a language's own name to its own.
    const counts = (element: Element) =>
      element.closest("[translate=no]") === null &&
      (element.closest("[lang]")?.getAttribute("lang") ?? own) === own &&
      element.checkVisibility();
    const found = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (parent && !["SCRIPT", "STYLE", "NOSCRIPT"].includes(parent.tagName) && counts(parent))
        found.push(walker.currentNode.textContent ?? "");
    }
    for (const name of ["aria-label", "alt", "placeholder", "title"]) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        if (counts(element)) found.push(element.getAttribute(name) ?? "");
      }
    }
    return found;
  });
  return strangersIn(pieces, language);
}

/** Those of these texts that have words of the other language. */
export function strangersIn(pieces: readonly string[], language: Language): string[] {
  const foreign = language === "en" ? /\p{Script=Han}/u : /[a-z]{2}/i;
  return pieces.filter((piece) => foreign.test(piece.replaceAll(names, "")));
}
