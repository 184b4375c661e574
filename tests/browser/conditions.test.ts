/** Whatever the address, the memory of the browser, its language and the speed of the network: a screen that says where one is and offers a way on. */
import { beforeAll, describe, expect, test } from "vitest";
import { paths } from "../../src/contract/calls.ts";
import { strangersOn, type Account } from "../support/browser.ts";
import { openFixture } from "./support.ts";

const fixture = openFixture();
let account: Account;
beforeAll(async () => {
  account = await fixture.service.join("Berta");
});

const slow = "This is taking longer than usual. Your connection may be slow.";

test("an address without a screen of its own leads on, and one that leads nowhere says so, after a reload too", async () => {
  const phone = await fixture.phone();
  for (const [path, place, heading] of [
    ["/", "/home", "Never-offline VPN"],
    ["/buy/nothing of this name", "/buy/nothing%20of%20this%20name", "Choose a package"],
    ["/pay/nothing-chosen", "/buy", "Choose a package"],
  ] as const) {
    await phone.open(path);
    await phone.arrive(place);
    await phone.heading(heading).waitFor();
  }
  // The names of what every object has are paths like any other.
  for (const path of ["/constructor", "/__proto__", "/toString", "/no/such.page"]) {
    await phone.open(path);
    await phone.alive();
    await phone.heading("This page does not exist").waitFor();
  }
  await phone.page.reload();
  await phone.see("This page does not exist");
  await phone.tap("link", "Go to the home page");
  await phone.arrive("/home");
  await phone.heading("Never-offline VPN").waitFor();
});

test("a language chosen in the sheet is spoken at once, and after a reload", async () => {
  const phone = await fixture.phone({ language: "en" });
  await phone.open("/home");
  await phone.tap("button", "Change language");
  await phone.heading("Language").waitFor();
  await phone.page.getByRole("button", { name: "简体中文" }).tap();
  phone.language = "zh-CN";
  for (const look of ["at once", "reloaded"]) {
    if (look === "reloaded") await phone.page.reload();
    await phone.heading("Never-offline VPN").waitFor();
    await phone.words("Language").waitFor({ state: "hidden" });
    expect(await strangersOn(phone.page, "zh-CN")).toEqual([]);
    expect(await phone.page.locator("html").getAttribute("lang")).toBe("zh-CN");
  }
  expect(await phone.page.evaluate(() => localStorage.getItem("language"))).toBe("zh-CN");
});

test("a slow network is said after ten seconds, with a way on", async () => {
  const phone = await fixture.phone({ language: "zh-CN", account });
  await phone.page.clock.install();
  const packages = await phone.hold(paths.packages);
  await phone.open("/home");
  await phone.visit("/buy");
  await phone.heading("Choose a package").waitFor();
  expect(await phone.words(slow).count()).toBe(0);
  await phone.page.clock.fastForward(10_000);
  await phone.see(slow);
  packages.release();
  await phone.tap("button", "Try again");
  await phone.page.locator('input[value="monthly"]').check();
  expect(await phone.words(slow).count()).toBe(0);

  await phone.tap("button", "Continue");
  await phone.arrive("/pay/monthly");
  const order = await phone.hold(paths.createOrder);
  await phone.tap("button", "Pay {price} USDT", { price: "3.99" });
  await phone.page.clock.fastForward(10_000);
  await phone.see(slow);
  await phone.tap("button", "Stop waiting");
  order.release();
  await phone.order("3.99");
});

test("a link that is tapped when the network has just gone says so, and leads on by itself when it is back", async () => {
  const phone = await fixture.phone({
    foreseen: /ERR_INTERNET_DISCONNECTED|Failed to fetch|CallFailed: network/,
    // The view turns with both banners above it.
    motion: "no-preference",
  });
  await phone.open("/home");
  await phone.alive();
  await phone.context.setOffline(true);
  await phone.see(
    "You are offline. You can look around, but packages, payments and your account need a connection.",
  );
  await phone.page.getByRole("banner").getByRole("link", { name: "Log in" }).tap();
  await phone.heading("This page did not load").waitFor();
  await phone.context.setOffline(false);
  await phone.heading("Welcome back").waitFor();
});

test.each([
  ["come later", "continue"],
  ["never come", "abort"],
] as const)(
  "of two languages the one that was chosen last is spoken, though the other's words %s",
  async (_, fate) => {
    const phone = await fixture.phone({ language: "en" });
    await phone.open("/home");
    await phone.alive();
    // The file of each language has the same name: the next one asked for is that of the one that is not spoken yet.
    const words = Promise.withResolvers<void>();
    await phone.page.route("**/assets/messages-*.js", async (route) => {
      await words.promise;
      await route[fate]();
    });
    const asked = phone.page.waitForRequest("**/assets/messages-*.js");
    const choose = async (name: string) => {
      await phone.tap("button", "Change language");
      await phone.page.getByRole("button", { name }).tap();
    };
    await choose("简体中文");
    const request = await asked;
    await choose("English");
    await expect.poll(() => phone.page.evaluate(() => localStorage.getItem("language"))).toBe("en");
    words.resolve();
    await (await request.response())?.finished();
    await phone.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    const seen = () => [document.documentElement.lang, localStorage.getItem("language")];
    expect(await phone.page.evaluate(seen)).toEqual(["en", "en"]);
    expect(await phone.words("No connection. Check your network and try again.").count()).toBe(0);
    phone.takeProblems(/ERR_FAILED/);
  },
);

test("a slow login is given up without losing what was typed", async () => {
  const phone = await fixture.phone();
  await phone.page.clock.install();
  const login = await phone.hold(paths.login);
  await phone.open("/login");
  await phone.logIn(account.name);
  await phone.page.clock.fastForward(10_000);
  await phone.see(slow);
  await phone.tap("button", "Stop waiting");
  expect(await phone.field("account_name").inputValue()).toBe(account.name);
  login.release();
  await phone.tap("button", "Log in");
  await phone.arrive("/home");
});

test("configuration that never arrives does not block the app", async () => {
  const phone = await fixture.phone();
  await phone.page.clock.install();
  await phone.hold("/config.json");
  await phone.open("/buy");
  await phone.page.clock.fastForward(10_000);
  await phone.page.locator('input[value="monthly"]').waitFor();
});

describe("a memory that is no use", () => {
  test("broken: the app opens and works", async () => {
    const phone = await fixture.phone({
      storage: {
        user_key: "{",
        user_token: "",
        selectedItem: "[1",
        orders: '{"a":',
        packages: "?",
        language: "xx",
      },
    });
    await phone.open("/home");
    await phone.heading("Never-offline VPN").waitFor();
    await phone.open("/pay/monthly");
    await phone.heading("Choose a package").waitFor();
    await phone.open("/login");
    await phone.logIn(account.name);
    await phone.arrive("/home");
    await phone.choosePackage();
    await phone.order("3.99");
  });

  test("forbidden: it lasts as long as the page", async () => {
    const phone = await fixture.phone();
    await phone.context.addInitScript(() =>
      Object.defineProperty(window, "localStorage", {
        get: () => {
          throw new DOMException("Access is denied for this document.", "SecurityError");
        },
      }),
    );
    await phone.open("/login");
    await phone.logIn(account.name);
    await phone.arrive("/home");
    await phone.page.getByRole("link", { name: account.name }).tap();
    await phone.heading("Personal center").waitFor();
    await phone.text(account.name).waitFor();
  });
});
