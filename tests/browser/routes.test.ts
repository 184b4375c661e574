/** Every route of section 2, in both languages: its own title, no word of the other language, and nothing amiss in the console. */
import { expect, test } from "vitest";
import { languages, type Language } from "../../src/contract/languages.ts";
import { strangersOn, type Phone } from "../support/browser.ts";
import { eventually, freshName, openFixture } from "./support.ts";

const fixture = openFixture();

/** Address, title, and what stands there once the screen has what it shows. */
const screens: readonly [path: string, title: string, seen: string][] = [
  ["/home", "Never-offline VPN", "Never-offline VPN"],
  ["/login", "Log in", "Log in"],
  ["/register", "Create an account", "Create account"],
  ["/registerSuccess", "Account created", "Log in"],
  ["/service", "User service agreement", "User service agreement"],
  ["/buy", "Choose a package", "Continue"],
  ["/buy/Monthly", "Choose a package", "Continue"],
  ["/pay/monthly", "Pay", "Which network will you send on?"],
  ["/personal_info", "Personal center", "Not activated as a member"],
  ["/setting", "Settings", "Log out"],
  ["/personalInformation", "Personal Information", "Nickname"],
  ["/changePassword", "Change Password", "Old password"],
  ["/modifyPassword", "Security question", "Secret answer"],
  ["/sessions", "Logged-in devices", "This device"],
  ["/forgetPasswordUserName", "Forgot password", "Next step"],
  ["/forgetPasswordInfo/Ann", "New password", "Next step"],
  ["/razorpayDetail", "Payment details", "Card number"],
];

const chosen = {
  id: "1",
  name: "Monthly",
  product_id: "monthly",
  price: "4.99",
  buy_price: "3.99",
  day_price: "0.13",
  discount: "80",
};

/** A phone that has visited every screen, and each one's title. */
async function visitAll(language: Language): Promise<{ phone: Phone; titles: Record<string, string> }> {
  const account = await fixture.service.join(freshName());
  const order = await fixture.service.order(account);
  const phone = await fixture.phone({
    language,
    account,
    storage: {
      selectedItem: JSON.stringify({ ...chosen, name: language === "en" ? "Monthly" : "月度会员" }),
    },
  });
  const titles: Record<string, string> = {};
  const look = async (place: string, title: string, seen: string) => {
    await phone.see(seen);
    await eventually(() => phone.page.title()).toBe(`${phone.say(title)} · ${phone.product}`);
    titles[place] = await phone.page.title();
    const strangers = await strangersOn(phone.page, language);
    expect({ place, strangers, problems: phone.takeProblems() }).toEqual({
      place,
      strangers: [],
      problems: [],
    });
  };
  for (const [path, title, seen] of screens) {
    // The pay screens ask before they are left by the address bar.
    phone.page.once("dialog", (dialog) => void dialog.accept());
    await phone.open(path);
    await look(path, title, seen);
    phone.page.removeAllListeners("dialog");
  }
  phone.page.once("dialog", (dialog) => void dialog.accept());
  const { orderId, amount, network, address } = order;
  await phone.open(`/payDetail/1/monthly/${network}/${amount}/${address}/${orderId}`);
  await look("/payDetail", "Send the payment", "Before you pay");
  await phone.open(`/billDetail/${orderId}/0/${amount}/-`);
  await look("/billDetail", "Your bill", "Pending");
  // The last screen of recovery is behind the two before it.
  await phone.open("/forgetPasswordInfo/Ann");
  await phone.field("new_password").fill("another password");
  await phone.field("new_password_confirmation").fill("another password");
  await phone.tap("button", "Next step");
  await phone.arrive(/\/forgetPassword\//);
  await look("/forgetPassword", "Security question", "Secret answer");
  return { phone, titles };
}

test("every route has a title of its own language, no word of the other, and a silent console", async () => {
  const all = [];
  for (const language of languages) all.push((await visitAll(language)).titles);
  const [english = {}, chinese = {}] = all;
  expect(Object.keys(english)).toEqual(Object.keys(chinese));
  for (const [place, title] of Object.entries(english)) expect(title).not.toBe(chinese[place]);
});

test("the front door leads to the landing page", async () => {
  const phone = await fixture.phone();
  await phone.open("/");
  await phone.arrive("/home");
  await phone.see("Never-offline VPN");
});

test.each(["/constructor", "/__proto__", "/toString"])(
  "%s is a path like any other that leads nowhere",
  async (path) => {
    const phone = await fixture.phone();
    await phone.open(path);
    await phone.alive();
    await phone.heading("This page does not exist").waitFor();
  },
);
