/** What a browser keeps, and its tabs share: who is signed in, the orders, so that money is asked for once, the language; and a memory that is no use. Decisions, "Pay once" and "What tabs share has keys of its own". */
import type { Page, Route } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { ALIVE } from "../../src/app/prerender/bootstrap-shared.ts";
import { paths } from "../../src/contract/calls.ts";
import { say } from "../../src/service/platform/messages.ts";
import { PASSWORD, strangersOn, type Account, type Phone } from "../support/browser.ts";
import { offersIn } from "../support/fixtures.ts";
import { repeats, shownIn } from "../support/lane.ts";
import { daysOf, eventually, freshName, openFixture } from "./support.ts";

const fixture = openFixture();
let account: Account;
beforeAll(async () => {
  account = await fixture.service.join("Berta");
});

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
  const account = await fixture.service.join(freshName());
  const [here, there] = [await fixture.phone({ account }), await fixture.phone()];
  await there.open("/login");
  await there.logIn(account.name);
  await there.arrive("/home");
  await here.open("/sessions");
  await here.see("This device");
  expect(await here.page.getByRole("button", { name: /^Chrome on Android/ }).count()).toBe(1);
  await here.tap("button", "Log out elsewhere");
  await here.field("password").fill(PASSWORD);
  await here.tap("button", "Log out elsewhere");
  await here.see("You are logged in on this device only.");
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

describe("a page is taken over whole while another tab", () => {
  /** React has the page then, and has rendered nothing of it yet. */
  const asItIsTakenOver = (phone: Phone, stored: Account) =>
    phone.page.addInitScript(
      ({ alive, kept }) =>
        document.addEventListener(alive, () => {
          const storageArea = localStorage;
          for (const [key, value] of kept) {
            if (value === "") localStorage.removeItem(key);
            else localStorage.setItem(key, value);
            window.dispatchEvent(new StorageEvent("storage", { key, storageArea }));
          }
        }),
      {
        alive: ALIVE,
        kept: [
          ["user_token", stored.token],
          ["user_key", stored.name && JSON.stringify({ account_name: stored.name })],
          ["user_name", stored.name],
        ] as const,
      },
    );

  test("logs in", async () => {
    const phone = await fixture.phone();
    await asItIsTakenOver(phone, account);
    await phone.open("/home");
    await phone.page.getByRole("link", { name: account.name }).waitFor();
  });

  test("logs out", async () => {
    const phone = await fixture.phone({ account });
    await asItIsTakenOver(phone, { name: "", token: "" });
    await phone.open("/personal_info");
    await phone.arrive("/login");
    await phone.heading("Welcome back").waitFor();
  });
});

/* One person in two tabs, or in a browser without windows. */

const offer = JSON.stringify(offersIn("en")[0]);

async function openCard(tab: Phone, number: string): Promise<void> {
  await tab.open("/razorpayDetail");
  await tab.field("card_number").fill(number);
  await tab.field("expiry").fill("122030");
  await tab.field("cvv").fill("123");
  await tab.field("cardholder").fill("Ann Lee");
}

const isCharge = (path: string) => path.startsWith("/sandbox/card/payments");

describe("two tabs of the card screen", () => {
  test.each([
    ["is still at the bank", "4111111111111111", "First, see what became of your earlier payment."],
    ["has paid", "4012888888881881", "You have already paid. Here is the bill."],
  ])("where the first %s, the second charges nothing and opens the bill", async (_, number, told) => {
    const account = await fixture.service.join(freshName());
    const first = await fixture.phone({ account, storage: { selectedItem: offer } });
    await openCard(first, number);
    const second = await first.newTab();
    await openCard(second, "4012888888881881");
    const charges: string[] = [];
    second.page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (request.method() === "POST" && isCharge(pathname)) charges.push(pathname);
    });
    let bank: Page | undefined;
    if (number === "4012888888881881") {
      await first.tap("button", "Payment");
      await first.see("Payment Succeeded");
    } else {
      [bank] = await Promise.all([first.context.waitForEvent("page"), first.tap("button", "Payment")]);
    }
    await second.tap("button", "Payment");
    await second.see(told);
    await second.arrive(/\/billDetail\//);
    await bank?.getByRole("button", { name: say("cardConfirm", "en") }).tap();
    await eventually(() => daysOf(fixture.service, account)).toBe(30);
    expect(charges).toEqual([]);
  });
});

test("two tabs that make an order at the same moment keep both, every time", async () => {
  const account = await fixture.service.join(freshName());
  const first = await fixture.phone({ account, storage: { selectedItem: offer } });
  await first.open("/home");
  const second = await first.newTab();
  const made: string[] = [];
  // No more than are kept.
  for (let round = 0; round < (repeats ? 5 : 2); round++) {
    await Promise.all(
      [first, second].map(async (tab) => {
        await tab.open("/pay/monthly");
        await tab.see("Which network will you send on?");
      }),
    );
    const payments = await Promise.all([first.order("3.99"), second.order("3.99")]);
    made.push(...payments.map(({ orderId }) => orderId));
  }
  const kept = await first.keptOrders();
  expect(kept.map(({ orderId }) => orderId).toSorted()).toEqual(made.toSorted());
});

test("a tab that no storage event reaches neither shows nor acts for whom another tab logged out", async () => {
  const [ann, berta] = [await fixture.service.join(freshName()), await fixture.service.join(freshName())];
  const phone = await fixture.phone({ account: ann, storage: { selectedItem: offer } });
  await phone.open("/service");
  const deaf = await phone.newTab();
  await deaf.page.addInitScript(() => {
    window.addEventListener("storage", (event) => event.stopImmediatePropagation(), { capture: true });
  });
  await deaf.open("/personal_info");
  await deaf.text(ann.name).waitFor();
  const tokens: (string | undefined)[] = [];
  await phone.page.evaluate(({ name, token }) => {
    localStorage.setItem("user_token", token);
    localStorage.setItem("user_key", JSON.stringify({ account_name: name }));
    localStorage.setItem("user_name", name);
  }, berta);
  deaf.page.on("request", (request) => tokens.push(request.headers()["authorization"]));
  await deaf.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await deaf.text(berta.name).waitFor();
  expect(await deaf.text(ann.name).count()).toBe(0);
  expect(tokens).not.toContain(`Bearer ${ann.token}`);
});

test("in a browser without windows a checkout is paid in the same one, and the way there stays until it is settled", async () => {
  const account = await fixture.service.join(freshName());
  const phone = await fixture.phone({ account });
  await phone.page.addInitScript(() => {
    window.open = () => null;
  });
  await phone.open("/personal_info");
  await phone.page.getByRole("button", { name: /^Monthly/ }).tap();
  await phone.page
    .getByRole("dialog")
    .getByRole("button", { name: /^Stripe/ })
    .tap();
  await phone.arrive(/\/billDetail\//);
  const pay = phone.control("link", "Open the payment page");
  const address = await pay.getAttribute("href");
  await phone.tap("button", "Copy the payment page’s address");
  await eventually(() => phone.clipboard()).toBe(address);
  // Left by mistake, it is still there.
  await pay.tap();
  await phone.page.locator("button[value=pay]").waitFor();
  await phone.page.goBack();
  await phone.arrive(/\/billDetail\//);
  await pay.tap();
  await phone.page.locator("button[value=pay]").tap();
  await phone.page.getByText(say("providerPaid", "en")).waitFor();
  await eventually(() => daysOf(fixture.service, account)).toBe(30);
  await phone.open("/personal_info");
  await eventually(() => phone.words("You have an unfinished payment").count()).toBe(0);
  await phone.text("Monthly").first().waitFor();
});

test("an order that the service knows no more takes its address off the screen; a network that fails does not", async () => {
  const account = await fixture.service.join(freshName());
  const phone = await fixture.phone({ account, foreseen: /ERR_FAILED/ });
  await phone.choosePackage();
  const { address, orderId } = await phone.order("3.99");
  let answer: "lost" | "unknown" = "lost";
  await phone.page.route(`**${paths.orderDetail}`, (route) =>
    answer === "lost"
      ? route.abort()
      : route.fulfill({ json: { code: 1, message: say("orderUnknown", "en"), data: null } }),
  );
  const seen = () => phone.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  const failed = phone.page.waitForEvent("requestfailed");
  await seen();
  await failed;
  expect((await phone.readPayment()).address).toBe(address);
  answer = "unknown";
  await seen();
  await phone.see("We cannot find this order any more");
  await phone.text(orderId).waitFor();
  expect(await phone.page.getByText(address.slice(0, 6)).count()).toBe(0);
  expect(await phone.page.getByRole("img", { name: /QR/ }).count()).toBe(0);
});

/* The language, and a storage that is no use. */

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
