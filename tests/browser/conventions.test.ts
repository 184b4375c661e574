/** What a phone expects of every screen: room for a thumb, text that may grow, fields that fill themselves, nothing beside the screen. */
import { beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { languages } from "../../src/contract/languages.ts";
import type { Account, Phone } from "../support/browser.ts";
import { beyondTheEdge } from "../support/window-edge.ts";
import { openFixture } from "./support.ts";

const fixture = openFixture();
let account: Account;
beforeAll(async () => {
  account = await fixture.service.join("Berta");
});

/** Every screen that an address leads to, with a word that is there when it is whole. */
const places: [path: string, whole: string][] = [
  ["/login", "Welcome back"],
  ["/register", "Create an account"],
  ["/registerSuccess", "Account created"],
  ["/service", "User service agreement"],
  ["/forgetPasswordUserName", "Forgot your password?"],
  ["/forgetPasswordInfo/Berta", "Choose a new password"],
  ["/home", "Never-offline VPN"],
  ["/personal_info", "Membership packages"],
  ["/personalInformation", "Personal Information"],
  ["/changePassword", "Change Password"],
  ["/modifyPassword", "Security question"],
  ["/sessions", "Logged-in devices"],
  ["/setting", "Settings"],
  ["/buy", "Choose a package"],
  ["/no/such/page", "Nothing here"],
];

/** Opens one after the other, and the payment's screens at the end. */
async function tour(phone: Phone, look: (screen: string) => Promise<void>): Promise<void> {
  for (const [path, whole] of places) {
    await phone.open(path);
    await phone.heading(whole).waitFor();
    await phone.page.waitForLoadState("networkidle");
    await look(path);
  }
  await phone.choosePackage();
  await look("/pay");
  const order = await fixture.service.order(account);
  await phone.open(`/payDetail/1/monthly/${order.network}/${order.amount}/${order.address}/${order.orderId}`);
  await phone.see("Complete the payment");
  await look("/payDetail");
  await phone.open(`/billDetail/${order.orderId}/0/${order.amount}/-`);
  await phone.value("Order number").waitFor();
  await look("/billDetail");
  await phone.open("/personal_info");
  await phone.page.getByRole("button", { name: "3.99" }).tap();
  await phone.page.getByRole("button", { name: phone.say("Visa, Mastercard and others") }).tap();
  await phone.field("card_number").waitFor();
  await look("/razorpayDetail");
}

/** Whatever can be touched and is smaller than 44 × 44 px, but for links within a sentence. */
const smallTargets = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    const touchable = "a[href], button, input, select, textarea, [role=button], [role=slider]";
    for (const element of document.querySelectorAll<HTMLElement>(touchable)) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.closest("[inert]")) continue;
      if (getComputedStyle(element).display === "inline") continue;
      const { width, height } = element.getBoundingClientRect();
      if (width === 0 || height === 0) continue;
      // To the nearest pixel: the screen has no others.
      if (Math.round(width) < 44 || Math.round(height) < 44) {
        found.push(`${element.outerHTML.slice(0, 80)}: ${width} × ${height}`);
      }
    }
    return found;
  });

/** Fields with letters so small that a phone would zoom in on them. */
const smallLetters = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("input:not([type=hidden], [type=checkbox], [type=radio])")]
      .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
      .map((field) => `${field.outerHTML.slice(0, 80)}: small letters`),
  );

/** The screens that people have; the second one's reader has doubled everything, the third one's has larger letters alone. */
const sizes: [width: number, height: number, text: string][] = [
  [390, 844, "100%"],
  [195, 422, "100%"],
  [390, 844, "150%"],
  [844, 390, "100%"],
  [820, 1_180, "100%"],
  [1_440, 900, "100%"],
];

test.each(languages)(
  "there is room for a thumb on every screen, and none is wider than the glass: %s",
  async (language) => {
    const phone = await fixture.phone({ language, account });
    const { page } = phone;
    const seen: Record<string, string[]> = {};
    await tour(phone, async (screen) => {
      const found = [...(await smallTargets(page)), ...(await smallLetters(page))];
      for (const [width, height, text] of sizes) {
        await page.setViewportSize({ width, height });
        await page.evaluate((size) => (document.documentElement.style.fontSize = size), text);
        found.push(
          ...(await page.evaluate(beyondTheEdge)).map((each) => `at ${width} px, text ${text}: ${each}`),
        );
      }
      await page.evaluate(() => document.documentElement.removeAttribute("style"));
      await page.setViewportSize({ width: 390, height: 844 });
      if (found.length > 0) seen[screen] = found;
    });
    expect(seen).toEqual({});
  },
);

test.each(languages)(
  "packages stand in one layout, however wide and large their words: %s",
  async (language) => {
    const phone = await fixture.phone({ language, account });
    const { page } = phone;
    await phone.open("/buy");
    await phone.see("Choose a package");
    await page.getByRole("radio").first().waitFor();
    const uneven: string[] = [];
    for (const [width, height, text] of [...sizes, [360, 780, "100%"], [320, 568, "200%"]] as const) {
      await page.setViewportSize({ width, height });
      await page.evaluate((size) => (document.documentElement.style.fontSize = size), text);
      const heights = await page
        .getByRole("radio")
        .evaluateAll((radios) => radios.map((radio) => Math.round(radio.getBoundingClientRect().height)));
      if (new Set(heights).size !== 1) uneven.push(`at ${width} px, text ${text}: ${heights.join()}`);
    }
    expect(uneven).toEqual([]);
  },
);

test("fields say what they take, for the phone to fill them and to show the right keys", async () => {
  const phone = await fixture.phone({ account });
  const seen: Record<string, string> = {};
  await tour(phone, async () => {
    const fields = await phone.page.evaluate(() =>
      [...document.querySelectorAll<HTMLInputElement>("input[name]")]
        .filter((field) => field.checkVisibility() && !["radio", "checkbox", "hidden"].includes(field.type))
        .map((field) => [
          field.name,
          [field.autocomplete, field.inputMode || "text", field.enterKeyHint].join(" "),
        ]),
    );
    for (const [name = "", says = ""] of fields)
      seen[`${new URL(phone.page.url()).pathname.split("/")[1]} ${name}`] = says;
  });
  expect(seen).toEqual({
    "login account_name": "username text next",
    "login password": "current-password text go",
    "register account_name": "username text next",
    "register password": "new-password text go",
    "forgetPasswordUserName account_name": "username text go",
    "forgetPasswordInfo new_password": "new-password text next",
    "forgetPasswordInfo new_password_confirmation": "new-password text go",
    "personalInformation name": "nickname text done",
    "changePassword old_password": "current-password text next",
    "changePassword new_password": "new-password text next",
    "changePassword new_password_confirmation": "new-password text go",
    "modifyPassword security_problem_value": "off text next",
    "modifyPassword password": "current-password text go",
    "razorpayDetail card_number": "cc-number numeric next",
    "razorpayDetail expiry": "cc-exp numeric next",
    "razorpayDetail cvv": "cc-csc numeric next",
    "razorpayDetail cardholder": "cc-name text go",
  });
});
