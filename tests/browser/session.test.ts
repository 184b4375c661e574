/** Who is signed in: refusals, purchases of the signed-out, several tabs, and what is shown of a name. */
import { describe, expect, test } from "vitest";
import type { Route } from "playwright-core";
import { PASSWORD, type Phone } from "../support/browser.ts";
import { repeats, shownIn } from "../support/lane.ts";
import { eventually, freshName, openFixture } from "./support.ts";

const fixture = openFixture();

/** How often the text has appeared, from now on. */
async function countSayings(phone: Phone, text: string): Promise<() => Promise<number>> {
  await phone.context.addInitScript((wanted) => {
    sessionStorage["said"] ??= "0";
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      const times = added.filter((node) => node.textContent === wanted).length;
      sessionStorage["said"] = String(Number(sessionStorage["said"]) + times);
    }).observe(document, { subtree: true, childList: true });
  }, text);
  return () => phone.page.evaluate(() => Number(sessionStorage["said"]));
}

test("logging out elsewhere ends the session of another phone, and this one goes on", async () => {
  const name = freshName();
  await fixture.service.join(name);
  const [here, there] = [await fixture.phone(), await fixture.phone()];
  for (const phone of [here, there]) {
    await phone.open("/login");
    await phone.logIn(name, PASSWORD);
    await phone.arrive("/home");
  }
  await here.open("/sessions");
  await here.see("This device");
  expect(await here.page.getByRole("button", { name: /^Chrome on Android/ }).count()).toBe(1);
  await here.tap("button", "Log out elsewhere");
  await here.field("password").fill(PASSWORD);
  await here.tap("button", "Log out elsewhere");
  await here.see("You are logged in here alone.");
  await there.open("/personal_info");
  await there.arrive("/login");
  await here.open("/personal_info");
  await here.see("Not activated as a member");
});

describe.each(shownIn("zh-CN"))("in %s", (language) => {
  test("a session that ended elsewhere is told once, whatever the screen asked", async () => {
    const account = { name: "Nobody", token: "0".repeat(64) };
    const phone = await fixture.phone({ language, account });
    await phone.page.clock.install();
    const said = await countSayings(phone, phone.say("Please log in first"));
    // The login page takes its time: until it is there, nothing offers to try in vain.
    const page: Route[] = [];
    await phone.page.route("**/assets/login-*.js", (route) => void page.push(route));
    await phone.open("/personal_info");
    await phone.see("Please log in first");
    await eventually(() => page.length).toBe(1);
    expect(await phone.words("We could not load this").count()).toBe(0);
    for (const route of page) await route.continue();
    await phone.arrive("/login");
    // Long enough for it to go, and for another to come.
    await phone.page.clock.fastForward(2_000);
    await phone.words("Please log in first").waitFor({ state: "hidden" });
    await phone.page.clock.fastForward(5_000);
    await phone.heading("Welcome back").waitFor();
    expect(await said()).toBe(1);
    expect(await phone.account()).toEqual({ name: "", token: "" });
  });
});

test.each(repeats ? ["令牌", "one\ntwo"] : ["令牌"])(
  "a stored token that no request can carry does not lock the user out: %j",
  async (token) => {
    const account = await fixture.service.join(freshName());
    const phone = await fixture.phone({
      storage: { user_token: token, language: "xx", user_name: "\u200b" },
    });
    await phone.open("/home");
    await phone.control("link", "Log in").first().waitFor();
    await phone.open("/login");
    await phone.logIn(account.name);
    await phone.arrive("/home");
    await phone.page.getByRole("link", { name: account.name }).waitFor();
    expect((await phone.account()).token).not.toBe(token);
    await phone.open("/personal_info");
    await phone.see("Not activated as a member");
  },
);

test("two tabs agree on who is signed in", async () => {
  const [first, second] = [await fixture.service.join(freshName()), await fixture.service.join(freshName())];
  const phone = await fixture.phone({ account: first });
  await phone.open("/personal_info");
  await phone.text(first.name).waitFor();
  const other = await phone.newTab();
  await other.open("/setting");
  await other.tap("button", "Log out");
  await other.arrive("/login");
  await phone.arrive("/login");
  await phone.heading("Welcome back").waitFor();
  expect(await phone.account()).toEqual({ name: "", token: "" });

  await phone.open("/home");
  await phone.control("link", "Log in").first().waitFor();
  await other.logIn(second.name);
  await phone.page.getByRole("link", { name: second.name }).waitFor();
});

test("a name that looks like markup is a text like any other", async () => {
  const name = '<img src=x onerror="document.title=1">';
  const phone = await fixture.phone();
  const harmless = async () => {
    expect(await phone.page.locator('img[src="x"]').count()).toBe(0);
    expect(await phone.page.title()).not.toBe("1");
  };
  await phone.register(name);
  await phone.text(name).waitFor();
  await harmless();
  await phone.page.getByRole("link", { name }).tap();
  await phone.see("Not activated as a member");
  await phone.text(name).waitFor();
  await harmless();
  await phone.tap("link", "Settings");
  await phone.tap("link", "Personal Information");
  expect(await phone.page.getByLabel("Account number").inputValue()).toBe(name);
  await harmless();
  await phone.tap("button", "Back");
  await phone.tap("button", "Log out");
  await phone.arrive("/login");
  await phone.logIn(name);
  await phone.arrive("/home");
  await phone.text(name).waitFor();

  // And so from another implementation of the API: in packages and in messages.
  await phone.page.route("**/api/packegs/list", async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: (await response.text()).replaceAll('"Monthly"', JSON.stringify(name)),
    });
  });
  await phone.page.route("**/api/order/create", (route) =>
    route.fulfill({ json: { code: 1, message: name, data: null } }),
  );
  await phone.choosePackage();
  await phone.text(name).waitFor();
  await harmless();
  await phone.tap("button", "Pay {price} USDT", { price: "3.99" });
  await eventually(() => phone.text(name).count()).toBe(2);
  await harmless();
});

test.each([
  ["at the first visit", false],
  ["once the app is installed", true],
])("a page of another site that opened this one has no hold on it, %s", async (_, worker) => {
  const phone = await fixture.phone({ language: "en", worker });
  if (worker) {
    await phone.open("/home");
    await phone.page.evaluate(() => navigator.serviceWorker.ready);
  }
  await phone.openElsewhere("Elsewhere");
  const opening = phone.context.waitForEvent("page");
  const opener = await phone.page.evaluateHandle((url) => window.open(url), `${fixture.service.origin}/home`);
  const opened = await opening;
  await opened.getByRole("heading", { level: 1 }).waitFor();
  expect(await opener.evaluate((ours) => ours?.closed)).toBe(true);
  expect(await opened.evaluate(() => window.opener as unknown)).toBe(null);
});
