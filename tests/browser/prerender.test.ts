/** Prerendered pages: whole without JavaScript, hydrated without a difference, and led on from. Decision 13. */
import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { pageFile } from "../../src/contract/pages.ts";
import { languages } from "../../src/contract/languages.ts";
import { startService, strangersIn, strangersOn, wordsOf } from "../support/browser.ts";
import { buildSite, type BrowserSetup } from "../support/browser-setup.ts";
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
