/** Hostile texts wherever the app reads one, in the address, in what is stored, in what the API answers: nothing runs, nothing breaks, nothing is believed. And the Content-Security-Policy; what it lets in of the card provider is in `live-payments.test.ts`. */
import { beforeAll, describe, expect, test } from "vitest";
import { paths } from "../../src/contract/calls.ts";
import { addresses } from "../screens.ts";
import type { Account, Phone } from "../support/browser.ts";
import { repeats } from "../support/lane.ts";
import { eventually, openFixture, watchRefusals } from "./support.ts";

const fixture = openFixture();
let account: Account;
beforeAll(async () => {
  account = await fixture.service.join("Marguerite");
});

const script = `"'><img src=x onerror=ran()><script>ran()</script><a href="javascript:ran()">x</a>`;
/** The text, and as it stands in an address: of those that no server takes, what comes nearest. */
const texts: readonly [what: string, text: string, inAddress?: string][] = [
  ["markup", script],
  ["a script's address", "javascript:ran()//"],
  ["half letters", "\ud800half\udfff", "%ED%A0%80half%ED%BF%BF"],
  ["a text of 100 kB", "W".repeat(100_000), "W".repeat(6_000)],
  ["a prototype's key", "__proto__"],
];

/**
 * Of the addresses those that this text is tried at: markup at each of them, the other texts at one in so many as there are
 * of them, so that together they are everywhere; in the second lane every text at each.
 */
const share = <T>(at: number, all: readonly T[]): readonly T[] =>
  repeats || at === 0 ? all : all.filter((_, index) => index % (texts.length - 1) === at - 1);

/** What is read of the documents of a phone. `ran`: whatever is meant to run says so. */
async function guarded(phone: Phone): Promise<{ ran: string[] }> {
  const ran: string[] = [];
  await phone.context.exposeBinding("ran", ({ page }) => void ran.push(page.url()));
  phone.page.on("dialog", (dialog) => {
    // A payment asks before it is left. Nothing else does.
    if (dialog.type() !== "beforeunload") ran.push(dialog.message());
    void dialog.accept();
  });
  return { ran };
}

/** What is wrong with the screen at `path`; it is whole as soon as it is at rest. */
async function faultsAt(phone: Phone, path: string): Promise<string[]> {
  await phone.open(path);
  await phone.page.waitForFunction(
    () =>
      document.getElementById("load-failed") === null &&
      document.readyState === "complete" &&
      document.querySelector("#root [aria-busy=true]") === null &&
      (document.getElementById("root")?.innerText.trim().length ?? 0) > 0,
  );
  const broken = phone.say("This page did not load");
  const faults = await phone.page.evaluate((said) => {
    const found: string[] = [];
    for (const element of document.querySelectorAll("img[src=x], #root script, #root iframe, [onerror]"))
      found.push(element.outerHTML.slice(0, 80));
    for (const { href } of document.querySelectorAll("a")) {
      if (href && !/^https?:$/.test(new URL(href).protocol)) found.push(`a link to ${href.slice(0, 80)}`);
    }
    if (document.body.innerText.includes(said)) found.push(said);
    if (Object.keys(Object.prototype).length > 0 || "account_name" in {})
      found.push("a prototype was changed");
    // No address to pay to but one that the API issued.
    if (document.querySelector("[role=img] svg")) found.push("a QR code");
    return found;
  }, broken);
  return faults.map((fault) => `${path.slice(0, 60)}: ${fault}`);
}

const offerOf = (text: string) => ({
  id: "1",
  name: text,
  product_id: "monthly",
  price: "4.99",
  buy_price: "3.99",
  day_price: "0.13",
  discount: "80",
});

/** A phone for what may also be seen in the console: answers that are none, addresses that lead nowhere, and Lingui, which takes a tag in a value for one of the message's and leaves it out. */
const openedWith = (storage: Record<string, string>, member: boolean) =>
  fixture.phone({
    storage,
    ...(member && { account }),
    foreseen: /^status|Failed to load resource|Can't use element at index/,
  });

describe.each(texts)("%s", (what, text, inAddress = encodeURIComponent(text)) => {
  const at = texts.findIndex(([name]) => name === what);

  test("in the address, and under every key of the storage, is no harm", async () => {
    const keys = [
      "user_name",
      "user_token",
      "user_key",
      "selectedItem",
      "packages",
      "membership",
      "orders",
      "order:A100",
    ];
    const storage = Object.fromEntries([...keys, "language", "clock"].map((key) => [key, text]));
    const phone = await openedWith(storage, false);
    const { ran } = await guarded(phone);
    const e = inAddress;
    const faults: string[] = [];
    for (const path of share(at, [
      "/home",
      `/${e}`,
      `/login?next=${e}#${e}`,
      `/buy/${e}`,
      `/pay/${e}`,
      `/forgetPasswordInfo/${e}`,
      `/forgetPassword/${e}/${e}`,
    ]))
      faults.push(...(await faultsAt(phone, path)));
    // The address bar may say anything of a payment: members see what the API says.
    const signedIn = await openedWith({}, true);
    const seen = await guarded(signedIn);
    for (const path of share(at, [
      `/payDetail/1/monthly/TRC20/3.99/${e}/${e.slice(0, 60)}`,
      `/payDetail/${e}/monthly/${e.slice(0, 60)}/3.99/TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t/none`,
      `/billDetail/${e}/1/3.99/${e.slice(0, 60)}`,
      `/razorpayDetail?cut=${e}`,
    ]))
      faults.push(...(await faultsAt(signedIn, path)));
    expect(await signedIn.words("Confirmed").count()).toBe(0);
    expect([...faults, ...ran, ...seen.ran]).toEqual([]);
  });

  test("in every entry that is stored, and in every text that the API answers, is no harm", async () => {
    const build = { date: text, url: text, verison: text };
    const order = { orderId: text, amount: "3.99", accountName: account.name, packName: text };
    const phone = await openedWith(
      {
        selectedItem: JSON.stringify(offerOf(text)),
        packages: JSON.stringify({ android: build, ios: build, mac: build, windows: build }),
        [`order:${text}`]: JSON.stringify({ ...order, productId: "monthly", payUrl: text, visit: text }),
        [`paid:${text}`]: JSON.stringify(order),
      },
      true,
    );
    const { ran } = await guarded(phone);
    await phone.page.route("**/api/**", async (route) => {
      const answer = await route.fetch();
      // Keys that the app looks for stay as they are, and with them what it does.
      const kept = /^(id|product_id|price|buy_price|day_price|discount|open|payment_method|currency)$/;
      const body = JSON.parse(await answer.text(), (key, value: unknown) =>
        typeof value === "string" && !kept.test(key) ? text : value,
      ) as object;
      await route.fulfill({ response: answer, json: body });
    });
    const faults: string[] = [];
    for (const { path } of share(at, addresses)) faults.push(...(await faultsAt(phone, path)));
    // Support is a window that the API names the address of.
    await phone.open("/forgetPasswordUserName");
    const asked = phone.page.waitForResponse(`**${paths.contact}`);
    const opened = phone.context.waitForEvent("page");
    await phone.page.getByRole("button", { name: phone.say("Contact customer support") }).tap();
    await Promise.all([asked, opened]);
    // The window that the tap opened is closed again, and sent nowhere before.
    await expect.poll(() => phone.context.pages().length).toBe(1);
    for (const page of phone.context.pages())
      if (!/^(about:blank$|http:\/\/127\.0\.0\.1:)/.test(page.url())) faults.push(page.url());
    expect([...faults, ...ran]).toEqual([]);
  });
});

test("a name that looks like markup is a text like any other", async () => {
  const name = '<img src=x onerror="document.title=1">';
  const phone = await fixture.phone({ account: await fixture.service.join(name) });
  const harmless = async () => {
    expect(await phone.page.locator('img[src="x"]').count()).toBe(0);
    expect(await phone.page.title()).not.toBe("1");
  };
  await phone.open("/home");
  await phone.text(name).waitFor();
  await harmless();
  await phone.alive();
  await phone.page.getByRole("link", { name }).tap();
  await phone.see("Not activated as a member");
  await phone.text(name).waitFor();
  await harmless();
  await phone.tap("link", "Settings");
  await phone.tap("link", "Personal Information");
  expect(await phone.page.getByLabel("Account number").inputValue()).toBe(name);
  await harmless();

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

test("what is smuggled into a page does not run: no text becomes markup, script or style", async () => {
  const phone = await fixture.phone({ foreseen: /Content Security policy|Trusted(HTML|Script)/i });
  const refused = await watchRefusals(phone.context);
  await phone.open("/login");
  await phone.alive();
  const outcome = await phone.page.evaluate(async () => {
    const told: Record<string, unknown> = {};
    const attempt = (name: string, run: () => unknown) => {
      try {
        told[name] = run();
      } catch (error) {
        told[name] = (error as Error).name;
      }
    };
    const add = <K extends keyof HTMLElementTagNameMap>(tag: K) =>
      document.body.appendChild(document.createElement(tag));
    const { trustedTypes } = window as unknown as {
      trustedTypes: { createPolicy: (name: string, rules: object) => object };
    };
    attempt("markup", () => (add("div").innerHTML = "<img src=x onerror=window.ran=1>"));
    attempt("parser", () => new DOMParser().parseFromString("<p>", "text/html").title);
    attempt("script's address", () => (add("script").src = "/sw.js"));
    attempt("script's text", () => (add("script").textContent = "window.ran=1"));
    attempt("another policy", () => trustedTypes.createPolicy("mine", {}));
    attempt("the same policy again", () => trustedTypes.createPolicy("app", {}));
    attempt("handler", () => add("img").setAttribute("onerror", "window.ran=1"));
    add("style").append("body{position:fixed}");
    add("div").setAttribute("style", "position:fixed");
    const frame = add("iframe");
    frame.src = "https://elsewhere.example/";
    const base = document.head.appendChild(document.createElement("base"));
    base.href = "https://elsewhere.example/";
    await fetch("https://elsewhere.example/").catch(() => (told["fetch"] = "refused"));
    told["fixed"] = [...document.querySelectorAll("body, body > div")].some(
      (element) => getComputedStyle(element).position === "fixed" && element.id === "",
    );
    told["base"] = document.baseURI.startsWith(location.origin);
    told["ran"] = "ran" in window;
    return told;
  });
  expect(outcome).toEqual({
    markup: "TypeError",
    parser: "TypeError",
    "script's address": "TypeError",
    "script's text": "TypeError",
    "another policy": "TypeError",
    "the same policy again": "TypeError",
    handler: "TypeError",
    fetch: "refused",
    fixed: false,
    base: true,
    ran: false,
  });
  await eventually(() => refused.length).toBeGreaterThan(8);
});
