/** What the build wrote of each page: whole without JavaScript, right from its first moment, with nothing of any one person in it, and nothing that moves when the app draws its screen. Decision 13. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Route as Request } from "playwright-core";
import { addressOf, routes, type Route, type RouteName } from "../../src/app/navigation/routes.ts";
import { paths } from "../../src/contract/calls.ts";
import { languages, type Language } from "../../src/contract/languages.ts";
import { pageAt, pageFile } from "../../src/contract/pages.ts";
import { addresses } from "../screens.ts";
import {
  startService,
  strangersIn,
  strangersOn,
  wordsOf,
  type Account,
  type Phone,
} from "../support/browser.ts";
import { buildSite, type BrowserSetup } from "../support/browser-setup.ts";
import { offersIn } from "../support/fixtures.ts";
import { repeats, shownIn } from "../support/lane.ts";
import { eventually, freshName, openFixture, openFixtureWith } from "./support.ts";
import {
  headingsOn,
  holdApp,
  pages,
  sentPage,
  shiftsOn,
  textsIn,
  watchHeadings,
  watchShifts,
} from "./prerendered-pages.ts";

const fixture = openFixture();

/** Each language and each kind of person once; in the second lane every pair of them. */
const people = [
  { who: "a visitor", language: "en" },
  { who: "a member", language: "zh-CN" },
  ...(repeats
    ? ([
        { who: "a member", language: "en" },
        { who: "a visitor", language: "zh-CN" },
      ] as const)
    : []),
] as const;

describe.each(languages)("without JavaScript, in %s", (language) => {
  test.each(pages)("%s is whole, in the browser's language", async (path, heading) => {
    const { root, title, lang } = await sentPage(fixture.service, path, language);
    expect(lang).toBe(language);
    expect([...root.querySelectorAll("h1")].map((each) => each.textContent)).toEqual([
      wordsOf(language, heading),
    ]);
    expect(strangersIn([title, ...textsIn(root)], language)).toEqual([]);
  });
});

test.each(shownIn("en"))("without JavaScript, the landing page leads everywhere, in %s", async (language) => {
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
  expect(await strangersOn(phone.page, language)).toEqual([]);
});

test("without JavaScript, nothing that is typed stands in an address", async () => {
  const phone = await fixture.phone({ still: true });
  const { page } = phone;
  /** What the browser asks for by itself, once it has come. */
  const asksFor = async (act: () => Promise<unknown>) => {
    const asked = page.waitForRequest((request) => request.isNavigationRequest());
    const [request] = await Promise.all([asked, page.waitForEvent("framenavigated"), act()]);
    return `${request.method()} ${new URL(request.url()).pathname}${new URL(request.url()).search}`;
  };
  await phone.open("/login");
  expect(await asksFor(() => phone.logIn("Berta"))).toBe("POST /login");
  for (const path of ["/changePassword", "/deleteAccount", "/forgetPasswordInfo/Berta"]) {
    await phone.open(path);
    const secrets = page.locator("input[type=password]");
    for (const field of await secrets.all()) await field.fill("correct horse 9");
    expect(await asksFor(() => secrets.last().press("Enter"))).toBe(`POST ${path}`);
  }
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

  for (const { who, language } of people) {
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

for (const { who, language } of people) {
  test(`the landing page in ${language} is right for ${who} from its first moment, and nothing on it moves`, async () => {
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

describe.each(shownIn("zh-CN"))("the landing page in %s", (language) => {
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
    expect(phone.takeProblems(/404|Failed to fetch dynamically imported module/)).toEqual([]);
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
  ["/buy", "zh-CN", "浏览器版本过旧，请更新后重试。"],
] as const)("a browser that is too old for the app is told so at %s, in %s", async (path, language, word) => {
  const phone = await fixture.phone({ language });
  await phone.page.addInitScript(() => {
    Reflect.deleteProperty(Object, "hasOwn");
  });
  await phone.page.goto(path);
  await phone.page.getByText(word).waitFor();
  expect(await phone.page.locator("#load-failed").innerText()).toBe(word);
});

/* The frames of the other screens: bar, title and the shape of what comes. */

/** An address of each route. */
const addressesOfRoutes = (Object.keys(routes) as RouteName[]).map((to) => {
  const { path }: Route = routes[to];
  const params = Object.fromEntries(
    Array.from(path.matchAll(/\$(\w+)/g), ([, name = ""]) => [name, "TRC20"]),
  );
  return addressOf({ to, params });
});

test.each(languages)("every route of the table has a page in %s", (language) => {
  const { site } = inject("setup");
  const missing = addressesOfRoutes.filter(
    (path) => !existsSync(join(site, pageFile(pageAt(path), language))),
  );
  expect(missing).toEqual([]);
});

test.each(["/pay", "/billDetail", "/buy/a/b", "/login/x", "/forgetPasswordInfo", "/constructor"])(
  "%s, which is no screen's address, has none",
  (path) => {
    expect(existsSync(join(inject("setup").site, pageFile(pageAt(path), "en"))) && pageAt(path) !== "").toBe(
      false,
    );
  },
);

test("nothing in a page belongs to one person", () => {
  const { site } = inject("setup");
  const found = languages.flatMap((language) =>
    addressesOfRoutes.flatMap((path) => {
      const file = pageFile(pageAt(path), language);
      const page = readFileSync(join(site, file), "utf8");
      const body = page.slice(page.indexOf('<div id="root">'));
      return [
        ...(body.match(/__user__/g) ?? []),
        // Its place for a name is empty, and so is every field.
        ...(body.match(/data-filled="(?:name|user)"[^>]*>[^<]+/g) ?? []),
        ...(body.match(/<input(?![^>]*type="(?:radio|checkbox)")[^>]* value="[^"]+"[^>]*>/g) ?? []),
      ].map((what) => `${file}: ${what}`);
    }),
  );
  expect(found).toEqual([]);
});

test("a member is sent what a visitor is sent", async () => {
  const { service } = fixture;
  const { token } = member;
  for (const path of addressesOfRoutes) {
    const [theirs, anyones] = await Promise.all(
      [{ Authorization: `Bearer ${token}` }, {}].map(async (headers: Record<string, string>) =>
        (await fetch(service.origin + path, { headers })).text(),
      ),
    );
    expect({ path, same: theirs === anyones }).toEqual({ path, same: true });
  }
});

/** Bar, its controls and the title: where each is, and how large. */
const geometryOf = ({ page }: Phone) =>
  page.evaluate(() =>
    Array.from(document.querySelectorAll("#root header, #root header :is(a, button), #root h1"))
      .filter((each) => each.checkVisibility())
      .map((each) => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return [each.tagName, x, y, width, height];
      }),
  );

/** Who only looks. */
let member: Account;
beforeAll(async () => {
  member = await fixture.service.join("Berta");
});

const placeOf = (path: string) => path.split("/")[1];
/** The payment has tests of its own, and the landing page, and an address that leads nowhere has no page. */
const framed = addresses.filter(({ path }) => !["payDetail", "home", "no"].includes(placeOf(path) ?? ""));

test.each(framed)("$path has its title before any script has run", async ({ path }) => {
  const { root } = await sentPage(fixture.service, path, "en");
  expect(root.querySelector("h1")?.textContent ?? "").not.toBe("");
});

test("without JavaScript a frame is seen", async () => {
  const phone = await fixture.phone({ still: true });
  await phone.open("/orders");
  await phone.heading("My orders").waitFor();
});

describe.each(shownIn("en"))("in %s", (language: Language) => {
  const storage = () => ({ selectedItem: JSON.stringify(offersIn(language).at(-1)) });

  test.each(framed)(
    "$path stands before the app does, and stays where it stands",
    async ({ path, isMember }) => {
      const phone = await fixture.phone({
        language,
        storage: storage(),
        ...(isMember && { account: member }),
      });
      const release = await holdApp(phone);
      await watchShifts(phone);
      await phone.open(path);
      await phone.page.locator("#root h1").waitFor();
      const [before, title] = [await geometryOf(phone), await phone.page.locator("#root h1").innerText()];
      expect(await phone.page.locator("#root").innerText()).not.toMatch(/__|7000000007/);
      release();
      await phone.alive();
      await eventually(() => phone.page.locator("#root [aria-busy=true]").count()).toBe(0);
      expect(await phone.page.locator("#root h1").innerText()).toBe(title);
      expect(await geometryOf(phone)).toEqual(before);
      // The service does not know the order of the table: what the bill says of that is longer.
      const shifts = placeOf(path) === "billDetail" ? [] : await shiftsOn(phone);
      expect(shifts).toEqual([]);
    },
  );

  test("the packages are there with the page, in their language, and can be bought though the API is slow", async () => {
    const phone = await fixture.phone({ language });
    await phone.page.route(`**${paths.packages}`, () => undefined);
    const release = await holdApp(phone);
    await phone.open("/buy");
    const offers = phone.page.locator("#root").getByRole("radio");
    expect(await offers.count()).toBe(4);
    await offers.nth(1).check();
    release();
    await phone.alive();
    expect(await offers.nth(1).isChecked()).toBe(true);
    expect(await phone.page.locator("[data-offer]").count()).toBe(0);
    await phone.tap("button", "Continue");
    await phone.arrive(/\/pay\//);
  });

  test("the name that is kept here stands in the personal center with its first picture", async () => {
    const phone = await fixture.phone({ language, account: member });
    await holdApp(phone);
    await phone.open("/personal_info");
    const shown = await phone.page
      .locator("[data-filled=name]")
      .evaluate((place) => getComputedStyle(place, "::before").content);
    expect(JSON.parse(shown)).toBe(member.name);
  });

  test("the membership that was last known stands there, too, and stays until the API has answered, whatever it says", async () => {
    const kept = { pack_name: "Yearly", pack_exp_date: "2126-12-31 23:59:59", ends: Date.now() + 86_400_000 };
    const phone = await fixture.phone({
      language,
      account: member,
      storage: { membership: JSON.stringify({ accountName: member.name, ...kept }) },
    });
    const held: Request[] = [];
    await phone.page.route(`**${paths.centre}`, (route) => void held.push(route));
    const release = await holdApp(phone);
    await watchShifts(phone);
    await phone.open("/personal_info");
    const until = phone.words("Valid until {until}", {
      until: language === "en" ? "December\u00A031, 2126" : "2126\u00A0年 12\u00A0月 31\u00A0日",
    });
    await until.waitFor();
    await phone.text(kept.pack_name).waitFor();
    const before = await until.boundingBox();
    release();
    await phone.alive();
    await eventually(() => phone.page.locator("template").count()).toBe(0);
    expect({ place: await until.boundingBox(), shifts: await shiftsOn(phone) }).toEqual({
      place: before,
      shifts: [],
    });
    for (const route of held) await route.continue();
    await phone.see("Not activated as a member");
    expect(await until.count()).toBe(0);
  });
});

describe("the first calls", () => {
  const sorted = (calls: readonly string[]) => calls.toSorted((one, other) => one.localeCompare(other));
  test.each([
    ["/personal_info", [paths.centre, paths.packages]],
    ["/buy", [paths.packages]],
    ["/modifyPassword", [paths.centre]],
    ["/sessions", [paths.sessions]],
  ])("of %s leave with the page, each once, as the member's own", async (path, calls) => {
    const phone = await fixture.phone({ account: member });
    const made: string[] = [];
    const tokens = new Set<string | undefined>();
    phone.page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith("/api/")) return;
      made.push(pathname);
      tokens.add(request.headers()["authorization"]);
    });
    const release = await holdApp(phone);
    await phone.open(path);
    await eventually(() => sorted(made)).toEqual(sorted(calls));
    release();
    await phone.alive();
    await eventually(() => phone.page.locator("#root [aria-busy=true]").count()).toBe(0);
    expect(sorted(made)).toEqual(sorted(calls));
    expect([...tokens]).toEqual([`Bearer ${member.token}`]);
  });

  test("are made again by the app where they fail", async () => {
    const phone = await fixture.phone({ foreseen: /ERR_FAILED/ });
    await phone.page.route(`**${paths.centre}`, (route) => route.abort(), { times: 1 });
    await phone.open("/login");
    await phone.logIn(member.name);
    await phone.arrive("/home");
    await phone.open("/personal_info");
    await phone.see("Not activated as a member");
  });
});

test("a visitor sees nothing of a member's screen", async () => {
  const phone = await fixture.phone();
  await watchHeadings(phone);
  await phone.open("/personal_info");
  await phone.arrive("/login");
  await phone.heading("Welcome back").waitFor();
  await eventually(() => headingsOn(phone)).toEqual([phone.say("Welcome back")]);
});

test("the network that is picked before the app is there is the one that is paid on", async () => {
  const account = await fixture.service.join(freshName());
  const phone = await fixture.phone({ account });
  await phone.choosePackage();
  const release = await holdApp(phone);
  await phone.open(new URL(phone.page.url()).pathname);
  await phone.page
    .locator("#root")
    .getByRole("radio", { name: /^ERC20/ })
    .check();
  await phone.page.getByRole("button", { name: /^Pay / }).tap();
  release();
  await phone.arrive(/\/payDetail\/[^/]+\/[^/]+\/ERC20\//);
});

/* The payment, filled in from what this browser stored of the order. */

describe.each(shownIn("en"))("a payment that this browser began, in %s", (language) => {
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

  test.each<"TRC20" | "ERC20">(repeats ? ["TRC20", "ERC20"] : ["TRC20"])(
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
    await phone.page.evaluate((key) => {
      const order = localStorage.getItem(key) ?? "";
      localStorage.setItem(key, order.replace(/"deadline":\d+/, '"deadline":1e999'));
    }, `order:${payment.orderId}`);
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
