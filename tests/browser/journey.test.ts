/** The whole way of a newcomer, in both languages: from registering to a membership that is paid and confirmed. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { say } from "../../src/service/platform/messages.ts";
import { strangersOn, type Phone } from "../support/browser.ts";
import { repeats } from "../support/lane.ts";
import { readQr } from "../support/qr.ts";
import { eventually, freshName, openEmbedded } from "./support.ts";

const fixture = openEmbedded();
const MINUTE = 60_000;
const DAY = 86_400_000;
const annual = { en: "Annual", "zh-CN": "年度会员" };

/** Saves the receipt, where the phone has a sheet to share by, or as a download. @returns the file's name, and the width that is written in it */
async function savedPicture(phone: Phone, shares: boolean) {
  const { page } = phone;
  if (shares) {
    await page.evaluate(() => {
      const share = async ({ files: [file] = [] }: ShareData) => {
        Object.assign(window, { shared: { name: file?.name, bytes: await file?.arrayBuffer() } });
      };
      Object.assign(navigator, { canShare: () => true, share });
    });
    await phone.tap("button", "Save as a picture");
    await page.waitForFunction(() => "shared" in window);
    return page.evaluate(() => {
      const { name, bytes } = (window as unknown as { shared: { name: string; bytes: ArrayBuffer } }).shared;
      return { name, width: new DataView(bytes).getUint32(16) };
    });
  }
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    phone.tap("button", "Save as a picture"),
  ]);
  return {
    name: download.suggestedFilename(),
    width: readFileSync(await download.path()).readUInt32BE(16),
  };
}

test.each([
  { language: "zh-CN", network: "ERC20", pays: "by the wallet's call" },
  ...(repeats ? ([{ language: "en", network: "TRC20", pays: "in the wallet's page" }] as const) : []),
] as const)(
  "a newcomer buys a membership in $language on $network and pays $pays",
  async ({ language, network, pays }) => {
    const phone = await fixture.phone({ language, motion: "no-preference" });
    const { page } = phone;
    await page.clock.install();
    const name = freshName();
    const own = async ({ page: seen } = phone) => expect(await strangersOn(seen, language)).toEqual([]);
    const sendFrom = async (wallet: Phone) => {
      await wallet.page.getByRole("button", { name: say("walletSend", language) }).tap();
      await wallet.text(say("walletSentConfirmed", language)).waitFor();
      await own(wallet);
    };

    await phone.open("/");
    await phone.arrive("/home");
    await phone.control("link", "Log in").first().waitFor();
    await own();
    await phone.open("/login");
    await phone.heading("Welcome back").waitFor();
    await own();
    await phone.open("/service");
    await phone.heading("User service agreement").waitFor();
    await own();

    await phone.register(name);
    await phone.see("Login succeeded");
    await own();

    await page.getByRole("link", { name }).tap();
    await phone.see("Not activated as a member");
    await page.getByRole("button", { name: "3.99" }).waitFor();
    await own();
    await phone.control("link", "Settings").tap();
    await phone.heading("Settings").waitFor();
    await own();

    await phone.open("/buy");
    await page.locator('input[value="annual"]').waitFor();
    await own();
    await phone.choosePackage("annual");
    await phone.see("Which network will you send on?");
    await own();

    const payment = await phone.order("29.99", network);
    await phone.see("Before you pay");
    await own();
    expect(payment.amount).toBe("29.99");
    expect(page.url().split("/").slice(-3).map(decodeURIComponent)).toEqual([
      payment.amount,
      payment.address,
      payment.orderId,
    ]);

    const code = page.getByRole("img", { name: phone.say("QR code of the {network} address", { network }) });
    expect(await readQr(code.locator("svg"))).toBe(payment.address);
    await phone.tap("button", "Copy the address");
    await phone.see("Copied");
    expect(await phone.clipboard()).toBe(payment.address);
    await phone.tap("button", "Copy the amount");
    await eventually(() => phone.clipboard()).toBe(payment.amount);
    await phone.tap("button", "Copy the order number");
    await phone.see("Replicating Success");
    expect(await phone.clipboard()).toBe(payment.orderId);

    const left = await phone.secondsLeft();
    expect(left).toBeGreaterThan(29 * 60);
    expect(left).toBeLessThanOrEqual(30 * 60);
    await page.clock.fastForward("05:00");
    await eventually(() => phone.secondsLeft()).toBeLessThanOrEqual(left - 300);
    expect(await phone.secondsLeft()).toBeGreaterThan(left - 330);

    const wallet = await phone.openWallet();
    await wallet.text(say("walletTitle", language)).waitFor();
    await own(wallet);
    await phone.tap("button", "Complete the payment");
    await phone.arrive(new RegExp(`/billDetail/${payment.orderId}/0/29.99/`));
    await phone.see("Pending");
    await phone.see("Please Waiting for network confirmation");
    expect(await phone.value("Order number").textContent()).toBe(payment.orderId);
    await own();

    await (pays === "in the wallet's page" ? sendFrom(wallet) : fixture.service.transfer(payment));
    await eventually(
      async () => (await fixture.service.detail(await phone.account(), payment.orderId)).status,
    ).toBe(1);
    // The screen asks again by itself, a minute after it last did.
    await page.clock.fastForward("01:00");
    await phone.see("Confirmed");
    await own();

    await phone.tap("link", "Receipt");
    await phone.arrive(`/receipt/${payment.orderId}`);
    await phone.text("29.99 USDT").waitFor();
    await own();
    expect(await savedPicture(phone, pays === "by the wallet's call")).toEqual({
      name: `${language === "en" ? "Everlit" : "长明"}-${payment.orderId}.png`,
      width: 1_500,
    });
    await phone.see("Receipt saved");
    // On paper it stands alone.
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("header, main button").filter({ visible: true }).count()).toBe(0);
    expect(await page.locator("[data-receipt]").isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
    await phone.tap("button", "Back");

    await phone.tap("link", "See my membership");
    const member = await fixture.service.member(await phone.account());
    const until = new Date(member.pack_exp_date ?? "");
    expect(until.getTime()).toBeGreaterThan(Date.now() + 365 * DAY - 5 * MINUTE);
    expect(until.getTime()).toBeLessThanOrEqual(Date.now() + 365 * DAY);
    const day =
      language === "en"
        ? new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(until)
        : `${until.getFullYear()} 年 ${until.getMonth() + 1} 月 ${until.getDate()} 日`;
    await page.locator("main section p", { hasText: annual[language] }).waitFor();
    await phone.see("Valid until {until}", { until: day });
    expect(await phone.words("You have an unfinished payment").count()).toBe(0);
    await own();
  },
);
