/** Photographs every screen on the way of a newcomer, in both languages: `node tests/support/screenshots.ts [folder] [--dark]`. */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { languages, type Language } from "../../src/contract/envelope.ts";
import { say } from "../../src/service/words.ts";
import { launch, openPhone, startService, type Service } from "./browser.ts";
import { prepareHouse } from "./browser-setup.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dark: { type: "boolean", default: false } },
});
const colorScheme = values.dark ? "dark" : "light";
const folder = resolve(positionals[0] ?? "build/screenshots");

async function photograph(browser: Browser, service: Service, language: Language): Promise<void> {
  const visitor = await openPhone(browser, service, { language, colorScheme, sharpness: 2 });
  let count = 0;
  mkdirSync(join(folder, language), { recursive: true });
  const take = async (name: string, { page } = visitor) => {
    count += 1;
    await page.mouse.move(0, 0);
    const path = join(folder, language, `${String(count).padStart(2, "0")}-${name}-${colorScheme}.png`);
    await page.screenshot({ path, animations: "disabled" });
  };
  /** The screen as it meets the eye, and the whole of it where it is longer: on a taller phone, or the foot would stand in its middle. */
  const takeAll = async (name: string, phone = visitor) => {
    await take(name, phone);
    const { page } = phone;
    const size = page.viewportSize() ?? { width: 390, height: 844 };
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    if (height <= size.height) return;
    await page.setViewportSize({ ...size, height });
    await page.waitForFunction(() => [...document.images].every((image) => image.complete));
    await take(`${name}-whole`, phone);
    await page.setViewportSize(size);
  };
  const show = async (path: string, heading: string, name: string) => {
    await visitor.open(path);
    await visitor.heading(heading).waitFor();
    await visitor.control("link", "Open the test wallet").waitFor();
    await visitor.page.waitForLoadState("networkidle");
    await takeAll(name);
  };

  await show("/home", "Never-offline VPN", "home");
  await visitor.tap("button", "Change language");
  await visitor.heading("Language").waitFor();
  await take("language-sheet");
  await show("/login", "Welcome back", "login");
  await visitor.logIn("nobody here", "a wrong password");
  await visitor.text(say("wrongCredentials", language)).waitFor();
  await take("login-refused");
  await show("/register", "Create an account", "register");
  await show("/registerSuccess", "Account created", "registerSuccess");
  await show("/service", "User service agreement", "service");
  await show("/no/such/page", "Nothing here", "unknown");
  await visitor.register(`Wanderer ${language}`);
  await visitor.see("Login succeeded");
  await take("home-logged-in");
  await visitor.open("/personal_info");
  await visitor.control("link", "Open the test wallet").waitFor();
  await visitor.see("Not activated as a member");
  await visitor.page.getByRole("button", { name: "3.99" }).waitFor();
  await takeAll("personal_info");
  await visitor.page.getByRole("button", { name: "3.99" }).tap();
  await visitor.heading("How would you like to pay?").waitFor();
  await visitor.page.getByRole("button", { name: visitor.say("TRC20 or ERC20, from any wallet") }).waitFor();
  await take("method-sheet");
  await show("/setting", "Settings", "setting");
  await show("/personalInformation", "Personal Information", "personalInformation");
  await visitor.page.getByRole("button", { name: visitor.say("Date of birth") }).tap();
  await visitor.page.getByRole("slider").first().waitFor();
  await take("date-sheet");
  await show("/changePassword", "Change Password", "changePassword");
  await show("/modifyPassword", "Security question", "modifyPassword");
  await visitor.page.getByRole("button", { name: visitor.say("Security question") }).tap();
  await visitor.page.getByRole("slider").waitFor();
  await take("question-sheet");
  await show("/forgetPasswordUserName", "Forgot your password?", "forgetPasswordUserName");
  await show("/forgetPasswordInfo/Wanderer", "Choose a new password", "forgetPasswordInfo");
  await show("/buy", "Choose a package", "buy");
  await visitor.choosePackage("annual");
  await takeAll("pay");
  await visitor.page.goBack();
  await visitor.see("Leave this payment?");
  await take("leave-dialog");
  await visitor.tap("button", "Continue payment");
  await visitor.words("Leave this payment?").waitFor({ state: "hidden" });
  await visitor.order("29.99");
  await visitor.page.locator("main [role=img] path").first().waitFor();
  await visitor.see("Pay from the test wallet");
  await takeAll("payDetail");
  const link = visitor.page.url();
  const wallet = await visitor.openWallet();
  await wallet.text(say("walletTitle", language)).waitFor();
  await takeAll("wallet", wallet);
  await visitor.tap("button", "Complete the payment");
  await visitor.see("Pending");
  await visitor.value("Order number").waitFor();
  await takeAll("billDetail-pending");
  const newcomer = await visitor.newTab();
  await newcomer.open("/personal_info");
  await newcomer.see("You have an unfinished payment");
  await newcomer.page.getByRole("button", { name: "3.99" }).waitFor();
  await takeAll("personal_info-unfinished", newcomer);
  await newcomer.open(link.replace("29.99", "1.00"));
  await newcomer.see("We cannot verify this payment link");
  await take("payDetail-unverified", newcomer);
  await newcomer.page.close();
  await wallet.page.getByRole("button", { name: say("walletSend", language) }).tap();
  await wallet.text(say("walletSentConfirmed", language)).waitFor();
  await takeAll("wallet-sent", wallet);
  await wallet.page.close();
  await visitor.tap("button", "Check again");
  await visitor.see("Confirmed");
  await takeAll("billDetail-confirmed");
  await visitor.tap("link", "See my membership");
  await visitor.page.getByText(/ · /).first().waitFor();
  await visitor.page.getByRole("button", { name: "3.99" }).waitFor();
  await takeAll("personal_info-member");
  await visitor.page.getByRole("button", { name: "3.99" }).tap();
  await visitor.page.getByRole("button", { name: visitor.say("Visa, Mastercard and others") }).tap();
  await visitor.heading("Payment details").waitFor();
  await visitor.page.locator("input[name=card_number]").waitFor();
  await takeAll("razorpayDetail");
  const problems = visitor.takeProblems();
  if (problems.length > 0) process.stderr.write(`${problems.join("\n")}\n`);
  await visitor.context.close();
}

const { house, remove } = prepareHouse();
try {
  const [browser, service] = await Promise.all([launch(house), startService(house)]);
  try {
    for (const language of languages) await photograph(browser, service, language);
    process.stdout.write(`The pictures are in ${folder}\n`);
  } finally {
    await browser.close();
    await service.stop();
  }
} finally {
  remove();
}
