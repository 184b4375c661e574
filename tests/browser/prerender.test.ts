/** Screens that come as pages: seen without JavaScript, brought to life without a word of complaint, and nothing done before that is lost. Decision 13. */
import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { paths } from "../../src/contract/calls.ts";
import { pageFile } from "../../src/contract/pages.ts";
import { languages } from "../../src/contract/languages.ts";
import { PASSWORD, startService, strangersOn, type Phone } from "../support/browser.ts";
import { buildSite, type BrowserSetup } from "../support/browser-setup.ts";
import { serveSite } from "../support/static-site.ts";
import { eventually, freshName, openFixture, openFixtureWith } from "./support.ts";

const fixture = openFixture();
/** Each page, and what stands at its top. */
const pages = [
  ["/home", "Never-offline VPN"],
  ["/login", "Welcome back"],
  ["/register", "Create an account"],
  ["/service", "User service agreement"],
  ["/forgetPasswordUserName", "Forgot your password?"],
] as const;

/** From here on the app does not come, until it is let. @returns what lets it */
async function holdApp({ page }: Phone): Promise<() => void> {
  let release = () => {};
  const free = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/index-.*\.js$/, async (route) => {
    await free;
    await route.continue();
  });
  return () => release();
}

/** What other programs put into a page before the app takes it over. */
const foreigners: Record<string, () => void> = {
  "a password manager's icon after a field": () =>
    document.querySelector("[name=account_name]")?.after(document.createElement("com-manager-icon")),
  "a translator's elements around its words": () => {
    document.documentElement.lang = "fr";
    document.documentElement.className = "translated-ltr";
    for (const label of document.querySelectorAll("label")) {
      const font = document.createElement("font");
      font.append(...label.childNodes);
      label.append(font);
    }
  },
  "an extension's panel at its start": () =>
    document.getElementById("root")?.prepend(document.createElement("div")),
  "an extension's attributes and elements around it": () => {
    document.documentElement.setAttribute("data-extension", "");
    document.body.setAttribute("data-extension", "");
    document.head.prepend(document.createElement("meta"));
    document.body.prepend(document.createElement("div"));
  },
};

/** Whether React has each field of the page in its hands. */
const isTakenOver = ({ page }: Phone) =>
  page
    .locator("input")
    .evaluateAll((fields) =>
      fields.every((field) => Object.keys(field).some((key) => key.startsWith("__reactProps$"))),
    );

const typedOn = async (phone: Phone) => ({
  account_name: await phone.field("account_name").inputValue(),
  password: await phone.field("password").inputValue(),
  ...(await phone.page.evaluate(() => {
    const focused = document.activeElement as HTMLInputElement;
    return { focused: focused.name, caret: focused.selectionStart };
  })),
});

const isLoaded = (picture: SVGElement | HTMLElement) =>
  picture instanceof HTMLImageElement && picture.complete && picture.naturalWidth > 0;

/** What moves on the page by itself from now on, as the browser counts it. */
const watchShifts = ({ page }: Phone) =>
  page.addInitScript(() => {
    const shifts: unknown[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources = [] } = entry as PerformanceEntry & {
          value: number;
          sources?: { node?: Node | null }[];
        };
        shifts.push([value, ...sources.map(({ node }) => node?.textContent)]);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
const shiftsOn = ({ page }: Phone) =>
  page.evaluate(() => (window as unknown as { shifts: [value: number][] }).shifts);

/** Every heading that was ever seen, frame by frame. */
const watchHeadings = ({ page }: Phone) =>
  page.addInitScript(() => {
    const headings = new Set<string>();
    Object.assign(window, { headings });
    const look = () => {
      const heading = document.querySelector("h1");
      if (heading?.checkVisibility()) headings.add(heading.textContent);
      requestAnimationFrame(look);
    };
    look();
  });
const headingsOn = ({ page }: Phone) =>
  page.evaluate(() => [...(window as unknown as { headings: Set<string> }).headings]);

describe.each(languages)("without JavaScript, in %s", (language) => {
  test.each(pages)("%s is whole, in the browser's language", async (path, heading) => {
    const phone = await fixture.phone({ language, still: true });
    await phone.open(path);
    await phone.heading(heading).waitFor();
    expect(await phone.page.locator("html").getAttribute("lang")).toBe(language);
    expect(await strangersOn(phone.page, language)).toEqual([]);
  });

  test("the landing page leads everywhere", async () => {
    const phone = await fixture.phone({ language, still: true });
    await phone.open("/");
    await phone.heading("Trusted by experts and users").waitFor();
    await phone.heading("Leave the light on").waitFor();
    await phone.page
      .locator("main")
      .getByRole("link", { name: phone.say("Log in") })
      .tap();
    await phone.arrive("/login");
    await phone.heading("Welcome back").waitFor();
    await phone.see("Everlit needs JavaScript to open your account.");
    await phone.tap("link", "Create an account");
    await phone.heading("Create an account").waitFor();
  });
});

test("without JavaScript, nothing that is typed stands in an address", async () => {
  const phone = await fixture.phone({ still: true });
  await phone.open("/login");
  await phone.logIn("Berta");
  await phone.page.waitForLoadState();
  expect(phone.page.url()).toBe(`${fixture.service.origin}/login`);
});

describe("in a development build", () => {
  const development = openFixtureWith(async (given: BrowserSetup) => {
    const site = mkdtempSync(join(dirname(given.site), "development-"));
    buildSite(site, "development");
    const service = await startService({ ...given, site });
    return {
      ...service,
      stop: async () => {
        await service.stop();
        rmSync(site, { recursive: true, force: true });
      },
    };
  });

  for (const language of languages) {
    for (const who of ["a visitor", "a member"]) {
      test(`every page comes to life for ${who} without a word, in ${language}`, async () => {
        const account = who === "a member" ? await development.service.join(freshName()) : undefined;
        const phone = await development.phone({ language, ...(account && { account }) });
        for (const [path, heading] of pages) {
          await phone.open(path);
          await phone.alive();
          await phone.heading(heading).waitFor();
          // Its sheet is drawn ahead, a little later.
          if (path === "/home") await phone.page.locator("dialog[closedby]").waitFor({ state: "attached" });
          expect({ path, problems: phone.takeProblems() }).toEqual({ path, problems: [] });
        }
      });
    }
  }

  test("where a page differs from what the app would draw, it says so", async () => {
    const phone = await development.phone();
    await phone.page.route("**/login", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace("Welcome back", "Welcome"),
      });
    });
    await phone.open("/login");
    await phone.alive();
    await phone.heading("Welcome back").waitFor();
    expect(phone.takeProblems().join()).toContain("didn't match");
  });
});

describe.each(languages)("the landing page in %s", (language) => {
  for (const who of ["a visitor", "a member"]) {
    test(`is right for ${who} from its first moment, and nothing on it moves`, async () => {
      const account = who === "a member" ? await fixture.service.join(freshName()) : undefined;
      const phone = await fixture.phone({ language, ...(account && { account }) });
      await watchShifts(phone);
      const release = await holdApp(phone);
      await phone.open("/home");
      // The same as in the app, but the app has not drawn it here.
      const look = async () => ({
        name: await phone.page.locator("[data-filled=name]").filter({ visible: true }).count(),
        register: await phone.control("link", "Create an account").filter({ visible: true }).count(),
        buy: await phone.control("link", "Buy a membership").filter({ visible: true }).count(),
        android: await phone.control("button", "Download for Android").count(),
        ios: await phone.control("button", "Download for iOS").count(),
        sandbox: await phone.page.locator("[data-only=sandbox]").filter({ visible: true }).count(),
      });
      const member = account ? 1 : 0;
      const expected = {
        name: member,
        register: 1 - member,
        buy: member,
        android: 1,
        ios: 0,
        sandbox: 1,
      };
      expect(await look()).toEqual(expected);
      release();
      await phone.alive();
      expect(await look()).toEqual(expected);
      if (account) await phone.text(account.name).waitFor();
      // An icon may still make room for the words beside it as they come in; less than that is nothing.
      const shifted = (await shiftsOn(phone)).reduce((sum, [value]) => sum + value, 0);
      expect(shifted).toBeLessThan(0.001);
    });
  }

  test.each([
    ["", []],
    [", though its file does not come", [`/${pageFile("/home", language)}`]],
  ])("comes in the language that was chosen here, whatever the browser's%s", async (_, lost) => {
    const other = language === "en" ? "zh-CN" : "en";
    const phone = await fixture.phone({ language: other, storage: { language } });
    phone.language = language;
    for (const file of lost) await phone.page.route(`**${file}`, (route) => route.fulfill({ body: "" }));
    await watchHeadings(phone);
    await phone.open("/home");
    await phone.alive();
    await eventually(() => headingsOn(phone)).toEqual([phone.say("Never-offline VPN")]);
    expect(await strangersOn(phone.page, language)).toEqual([]);
  });
});

describe("before the app is there", () => {
  test("what is typed is kept, and what is sent is sent", async () => {
    const account = await fixture.service.join(freshName());
    const phone = await fixture.phone();
    const release = await holdApp(phone);
    await phone.open("/login");
    await phone.logIn(account.name);
    expect(phone.page.url()).toBe(`${fixture.service.origin}/login`);
    expect(await phone.field("account_name").inputValue()).toBe(account.name);
    release();
    await phone.arrive("/home");
    expect((await phone.account()).name).toBe(account.name);
  });

  test("what is typed and ticked is kept", async () => {
    const phone = await fixture.phone();
    const release = await holdApp(phone);
    await phone.open("/register");
    await phone.field("account_name").fill("New member");
    await phone.field("password").fill(PASSWORD);
    await phone.field("agreement").check();
    release();
    await phone.alive();
    expect({
      name: await phone.field("account_name").inputValue(),
      password: await phone.field("password").inputValue(),
      agreed: await phone.field("agreement").isChecked(),
    }).toEqual({ name: "New member", password: PASSWORD, agreed: true });
  });

  describe.each(Object.entries(foreigners))("with %s,", (_, intrude) => {
    /** React tells the console that it draws the page anew. */
    const foreseen = /Minified React error #4(18|23|25)/;

    test("what is typed is kept, the caret with it, and sent", async () => {
      const account = await fixture.service.join(freshName());
      const phone = await fixture.phone({ foreseen });
      const release = await holdApp(phone);
      await phone.open("/login");
      await phone.page.evaluate(intrude);
      await phone.field("password").fill(PASSWORD);
      await phone.field("account_name").fill(account.name);
      await phone.field("account_name").press("ArrowLeft");
      release();
      await phone.alive();
      await eventually(() => isTakenOver(phone)).toBe(true);
      expect(await typedOn(phone)).toEqual({
        account_name: account.name,
        password: PASSWORD,
        focused: "account_name",
        caret: account.name.length - 1,
      });
      await phone.page.keyboard.type("!");
      const sent = phone.page.waitForRequest(`**${paths.login}`);
      await phone.tap("button", "Log in");
      expect((await sent).postDataJSON()).toEqual({
        account_name: `${account.name.slice(0, -1)}!${account.name.slice(-1)}`,
        password: PASSWORD,
      });
    });

    test("what is sent is sent", async () => {
      const account = await fixture.service.join(freshName());
      const phone = await fixture.phone({ foreseen });
      const release = await holdApp(phone);
      await phone.open("/login");
      await phone.page.evaluate(intrude);
      await phone.logIn(account.name);
      release();
      await phone.arrive("/home");
      expect((await phone.account()).name).toBe(account.name);
    });

    test("what is typed, ticked and shown is kept", async () => {
      const phone = await fixture.phone({ foreseen });
      const release = await holdApp(phone);
      await phone.open("/register");
      await phone.page.evaluate(intrude);
      await phone.field("account_name").fill("New member");
      await phone.field("password").fill(PASSWORD);
      await phone.field("agreement").check();
      await phone.tap("button", "Show the password");
      release();
      await phone.alive();
      await eventually(async () => ({
        name: await phone.field("account_name").inputValue(),
        password: await phone.field("password").inputValue(),
        agreed: await phone.field("agreement").isChecked(),
        type: await phone.field("password").getAttribute("type"),
      })).toEqual({ name: "New member", password: PASSWORD, agreed: true, type: "text" });
    });
  });

  test("a tap on a button is kept", async () => {
    const phone = await fixture.phone();
    const release = await holdApp(phone);
    await phone.open("/home");
    await phone.tap("button", "Change language");
    release();
    await phone.heading("Language").waitFor();
  });

  test("how far one has read is kept", async () => {
    const phone = await fixture.phone();
    const release = await holdApp(phone);
    await phone.open("/service");
    await phone.page.evaluate(() => window.scrollTo(0, 700));
    release();
    await phone.alive();
    expect(await phone.page.evaluate(() => window.scrollY)).toBe(700);
  });

  test("what is asked of it is heard: a line runs along the top", async () => {
    const phone = await fixture.phone();
    const release = await holdApp(phone);
    await phone.open("/home");
    const runs = () =>
      phone.page.evaluate(() => getComputedStyle(document.documentElement, "::before").height);
    const before = await runs();
    await phone.tap("button", "Change language");
    const meanwhile = await runs();
    release();
    await phone.heading("Language").waitFor();
    expect({ before, meanwhile, after: await runs() }).toEqual({
      before: "auto",
      meanwhile: "3px",
      after: "auto",
    });
  });

  test("a tap on 'Log in' 300 ms after the start arrives, on a slow phone", async () => {
    const phone = await fixture.phone();
    const session = await phone.context.newCDPSession(phone.page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await phone.page.goto("/home", { waitUntil: "commit" });
    const spot = await phone.page.waitForFunction(() => {
      const box = document.querySelector('main a[href="/login"]')?.getBoundingClientRect();
      return performance.now() >= 300 && box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    });
    const { x, y } = (await spot.jsonValue()) as { x: number; y: number };
    await phone.page.touchscreen.tap(x, y);
    await phone.arrive("/login");
    await phone.heading("Welcome back").waitFor();
  });
});

/** From here on a file of the app does not come, until it is let. */
async function cutFile({ page }: Phone, name: string) {
  let isCut = true;
  let refused = 0;
  await page.route(new RegExp(`/assets/${name}-[^/]*[.]js$`), (route) => {
    if (!isCut) return route.continue();
    refused += 1;
    return route.abort();
  });
  return {
    refused: () => refused,
    mend: () => {
      isCut = false;
    },
  };
}

test.each([
  ["no-preference", ["turn-on 1", "turn-on -1"]],
  ["reduce", [null, null]],
] as const)(
  "with %s as to motion, the browser turns from page to page, on and back: %o",
  async (motion, turns) => {
    const phone = await fixture.phone({ motion });
    await phone.page.addInitScript(() => {
      addEventListener("pagereveal", ({ viewTransition }) => {
        const look = () => {
          const { animationName } = getComputedStyle(document.documentElement, "::view-transition-new(root)");
          const side = document.documentElement.style.getPropertyValue("--side");
          Object.assign(window, { turn: `${animationName} ${side}` });
        };
        if (viewTransition) void viewTransition.ready.then(look);
        else Object.assign(window, { turn: null });
      });
    });
    const turned = () => phone.page.evaluate(() => (window as { turn?: string | null }).turn);
    await holdApp(phone);
    await phone.open("/home");
    await phone.page.getByRole("main").getByRole("link", { name: "Log in" }).tap();
    await phone.arrive("/login");
    await eventually(turned).toBe(turns[0]);
    await phone.page.goBack();
    await phone.arrive("/home");
    await eventually(turned).toBe(turns[1]);
  },
);

describe.each(languages)("a file of the app that does not come, in %s", (language) => {
  const cutNotice = "No connection. Check your network and try again.";

  test.each(["index", "libraries", "charts", "messages", "screens", "login"])(
    "%s: the page stands, says so, asks again, and sends what was sent",
    async (file) => {
      const account = await fixture.service.join(freshName());
      const phone = await fixture.phone({ language });
      const cut = await cutFile(phone, file);
      await phone.open("/login");
      await phone.see(cutNotice);
      await phone.logIn(account.name);
      cut.mend();
      await phone.arrive("/home");
      expect(await phone.words(cutNotice).count()).toBe(0);
      expect(phone.takeProblems(/ERR_FAILED/)).toEqual([]);
    },
  );

  test.each(["index", "messages"])(
    "%s: a screen that no page was written of says so, and comes",
    async (file) => {
      const phone = await fixture.phone({ language });
      const cut = await cutFile(phone, file);
      await phone.open("/buy");
      await phone.see(cutNotice);
      await eventually(cut.refused).toBeGreaterThan(2);
      cut.mend();
      await phone.heading("Choose a package").waitFor();
      expect(phone.takeProblems(/ERR_FAILED/)).toEqual([]);
    },
  );
});

test("a page whose files are no longer there, but newer ones, is opened anew", async () => {
  const phone = await fixture.phone();
  let visits = 0;
  phone.page.on("request", (request) => {
    if (request.isNavigationRequest()) visits += 1;
  });
  await phone.page.route(/\/assets\/index-.*\.js$/, (route) =>
    visits > 1 ? route.continue() : route.fulfill({ status: 404 }),
  );
  await phone.open("/login");
  await phone.see("No connection. Check your network and try again.");
  await eventually(() => visits).toBe(2);
  await phone.alive();
  expect(phone.takeProblems(/404/)).toEqual([]);
});

describe("a screen", () => {
  test("is on its way as a finger comes down on its link, and a line runs until it is there", async () => {
    const phone = await fixture.phone();
    await phone.open("/home");
    await phone.alive();
    const held = Promise.withResolvers<void>();
    await phone.page.route("**/assets/login-*.js", async (route) => {
      await held.promise;
      await route.continue();
    });
    const screenAsked = phone.page.waitForRequest("**/assets/login-*.js");
    const link = phone.page.getByRole("main").getByRole("link", { name: "Log in" });
    await link.dispatchEvent("pointerover", { bubbles: true, pointerType: "touch" });
    await screenAsked;
    await link.tap();
    await phone.page.locator("[data-visible]").waitFor();
    held.resolve();
    await phone.heading("Welcome back").waitFor();
    await phone.page.locator("[data-visible]").waitFor({ state: "detached" });
  });

  test("of a release that is gone is opened in a document of its own", async () => {
    const phone = await fixture.phone();
    await phone.open("/home");
    await phone.alive();
    await phone.page.route("**/assets/login-*.js", (route) => route.fulfill({ status: 404 }), { times: 2 });
    await phone.page.evaluate(() => Object.assign(window, { first: true }));
    await phone.page.getByRole("main").getByRole("link", { name: "Log in" }).tap();
    await phone.arrive("/login");
    await phone.heading("Welcome back").waitFor();
    expect(await phone.page.evaluate(() => "first" in window)).toBe(false);
    expect(phone.takeProblems(/404/)).toEqual([]);
  });

  test("follows a way back that is taken before anything else is touched", async () => {
    const phone = await fixture.phone();
    await phone.open("/home");
    await phone.alive();
    await phone.page.getByRole("main").getByRole("link", { name: "Log in" }).tap();
    await phone.heading("Welcome back").waitFor();
    await phone.page.reload();
    await phone.alive();
    await phone.page.evaluate(() => history.back());
    await phone.arrive("/home");
    await phone.heading("Never-offline VPN").waitFor();
    await phone.page.evaluate(() => history.forward());
    await phone.heading("Welcome back").waitFor();
  });
});

test.each([
  ["/login", "en", "This browser is too old. Update it and try again."],
  ["/login", "zh-CN", "浏览器版本过旧，请更新后重试。"],
  ["/buy", "en", "This browser is too old. Update it and try again."],
  ["/buy", "zh-CN", "浏览器版本过旧，请更新后重试。"],
] as const)("a browser that is too old for the app is told so at %s, in %s", async (path, language, word) => {
  const phone = await fixture.phone({ language });
  await phone.page.addInitScript(() => {
    Reflect.deleteProperty(Object, "hasOwn");
  });
  await phone.page.goto(path);
  await phone.page.getByText(word).waitFor();
  expect(await phone.page.locator("#cut").innerText()).toBe(word);
});

describe.each(languages)("a payment that this browser began, in %s", (language) => {
  /** Where every piece of text stands, and every button. */
  const placesOn = ({ page }: Phone) =>
    page.evaluate(() => {
      const places: [text: string, x: number, y: number, width: number][] = [];
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const range = new Range();
        range.selectNodeContents(text);
        const { x, y, width, height } = range.getBoundingClientRect();
        const time = text.parentElement?.closest("[role=timer],[aria-live]");
        if (width > 1 && height > 1 && !time) places.push([text.textContent ?? "", x, y, width]);
      }
      return places;
    });
  const begin = async (network: "TRC20" | "ERC20") => {
    const account = await fixture.service.join(freshName());
    const phone = await fixture.phone({ account, language });
    await phone.choosePackage();
    const payment = await phone.order("3.99", network);
    return { phone, payment, path: new URL(phone.page.url()).pathname };
  };

  test.each(["TRC20", "ERC20"] as const)(
    "stands there on %s before the app does, and stays where it stands",
    async (network) => {
      const { phone, payment, path } = await begin(network);
      const release = await holdApp(phone);
      await watchShifts(phone);
      await phone.open(path);
      expect(await phone.readPayment(network)).toEqual(payment);
      expect(await strangersOn(phone.page, language)).toEqual([]);
      const first = await phone.secondsLeft();
      expect(first).toBeGreaterThan(1_700);
      await eventually(() => phone.secondsLeft()).toBeLessThan(first);
      const before = await placesOn(phone);
      release();
      await phone.alive();
      expect(await phone.readPayment(network)).toEqual(payment);
      expect(await placesOn(phone)).toEqual(before);
      expect(await shiftsOn(phone)).toEqual([]);
    },
  );

  test("counts down by the phone's own clock where what is kept of another is no number of milliseconds", async () => {
    const { phone, payment, path } = await begin("TRC20");
    await phone.page.evaluate(() => localStorage.setItem("clock", "Infinity"));
    const release = await holdApp(phone);
    await phone.open(path);
    expect(await phone.readPayment("TRC20")).toEqual(payment);
    expect(await phone.secondsLeft()).toBeGreaterThan(1_700);
    release();
    await phone.alive();
    expect(await phone.secondsLeft()).toBeGreaterThan(1_700);
  });

  test("is not shown of an order whose deadline no clock has", async () => {
    const { phone, payment, path } = await begin("TRC20");
    await phone.page.evaluate(() => {
      const orders = localStorage.getItem("orders") ?? "";
      localStorage.setItem("orders", orders.replace(/"deadline":\d+/, '"deadline":1e999'));
    });
    const release = await holdApp(phone);
    await phone.open(path);
    expect(await phone.page.locator("#root").isVisible()).toBe(false);
    release();
    // By the API's own word.
    expect(await phone.readPayment("TRC20")).toEqual(payment);
  });

  test("keeps a tap that came before the app", async () => {
    const { phone, path } = await begin("TRC20");
    const release = await holdApp(phone);
    await phone.open(path);
    await phone.tap("button", "Complete the payment");
    release();
    await phone.arrive(/\/billDetail\//);
  });

  test("is not shown for another address than the one that was issued", async () => {
    const { phone, payment, path } = await begin("TRC20");
    const release = await holdApp(phone);
    await phone.open(path.replace(payment.address, "TLyqzVGLV1srkB7dToTAEqgDSfPtXRJZYH"));
    expect(await phone.page.locator("#root").isVisible()).toBe(false);
    release();
    await phone.heading("We cannot verify this payment link").waitFor();
    expect(await phone.page.getByText("____").count()).toBe(0);
  });
});

test("no file of the app is asked for before the page has been drawn, nor ever one of its first drawings", async () => {
  const phone = await fixture.phone();
  const release = await holdApp(phone);
  await phone.open("/home");
  const drawings = phone.page.locator("#root").locator("svg.hero, svg.logo-en");
  const widths = () => drawings.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width));
  const before = await widths();
  expect(before).toEqual([expect.closeTo(86, 0), 390]);
  release();
  await phone.alive();
  // The app leaves them where they are.
  expect(await widths()).toEqual(before);
  const { drawn, first, pictures } = await phone.page.evaluate(() => ({
    drawn: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity,
    first: Math.min(
      ...performance
        .getEntriesByType("resource")
        .filter(({ name }) => name.endsWith(".js"))
        .map(({ startTime }) => startTime),
    ),
    pictures: performance.getEntriesByType("resource").filter(({ name }) => /\/(hero|logo)/.test(name))
      .length,
  }));
  // On a machine that stands still, the app waits for no more than three seconds.
  expect(first).toBeGreaterThan(Math.min(drawn, 3_000));
  expect(pictures).toBe(0);
});

test("what is below the fold waits until what is above it has been drawn, and is there then", async () => {
  const phone = await fixture.phone();
  await holdApp(phone);
  await phone.open("/home");
  const below = phone.page.locator("[data-below]");
  await eventually(() =>
    below.evaluateAll((all) => all.map((each) => each.firstElementChild?.checkVisibility())),
  ).toEqual([true, true, true, true, true]);
  await eventually(() => phone.page.locator("[data-below] img").first().evaluate(isLoaded)).toBe(true);
  const { drawn, asked } = await phone.page.evaluate(() => ({
    drawn: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity,
    asked: Array.from(document.querySelectorAll<HTMLImageElement>("[data-below] img"))
      .flatMap(({ src }) => performance.getEntriesByName(src))
      .map(({ startTime }) => startTime),
  }));
  expect(asked).not.toEqual([]);
  expect(Math.min(...asked)).toBeGreaterThan(drawn);
  const links = phone.page.locator("link[rel=manifest], link[rel=icon]");
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
    "/manifest.webmanifest",
    "/favicon.png",
    "/favicon.svg",
  ]);
});

test("in the background, where nothing is drawn, nothing waits for it", async () => {
  const phone = await fixture.phone();
  await phone.page.addInitScript(() => {
    Object.defineProperty(document, "hidden", { value: true });
    Object.defineProperty(PerformanceObserver.prototype, "observe", { value: () => undefined });
  });
  await phone.open("/home");
  await eventually(() => phone.page.locator("link[rel=icon]").first().getAttribute("href")).toBe(
    "/favicon.png",
  );
  await phone.alive();
});

test.each([
  ["/buy", /\/assets\/packages-.*\.js$/, "**/api/packegs/list", "Choose a package"],
  ["/personal_info", /\/assets\/account-.*\.js$/, "**/api/user/center", "Personal center"],
] as const)("%s asks the API while its code is on its way", async (path, code, call, heading) => {
  const account = await fixture.service.join(freshName());
  const phone = await fixture.phone({ account });
  let release = () => {};
  const free = new Promise<void>((resolve) => {
    release = resolve;
  });
  await phone.page.route(code, async (route) => {
    await free;
    await route.continue();
  });
  const asked = phone.page.waitForRequest(call);
  await phone.page.goto(path, { waitUntil: "commit" });
  await asked;
  expect(await phone.heading(heading).count()).toBe(0);
  release();
  await phone.heading(heading).waitFor();
});

describe("on any static host", () => {
  const host = openFixtureWith(({ site }: BrowserSetup) =>
    serveSite(site, () => ({ "/config.json": { sandbox: false } })),
  );

  test.each(languages)(
    "every page opens in the browser's language and comes to life, in %s",
    async (language) => {
      const phone = await host.phone({ language });
      await watchHeadings(phone);
      for (const [path, heading] of pages) {
        await phone.open(path);
        await phone.alive();
        await eventually(() => headingsOn(phone)).toEqual([phone.say(heading)]);
        expect(await phone.page.title()).toContain(phone.product);
      }
    },
  );

  test("a page that comes for another address is not shown", async () => {
    const phone = await host.phone();
    await watchHeadings(phone);
    await phone.page.route("**/no/such", async (route) =>
      route.fulfill({ response: await route.fetch({ url: `${host.service.origin}/home` }) }),
    );
    await phone.open("/no/such");
    await phone.heading("Nothing here").waitFor();
    expect(await headingsOn(phone)).toEqual([phone.say("Nothing here")]);
  });
});
