/** Paying in front of the sandbox: the whole way of a newcomer, what can go wrong between the tap on "Pay" and the confirmation, and that nothing is lost by it. */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { languages } from "../../src/contract/languages.ts";
import { say } from "../../src/service/platform/messages.ts";
import { strangersOn, type Account, type Phone } from "../support/browser.ts";
import { repeated, repeats, shownIn } from "../support/lane.ts";
import { readQr } from "../support/qr.ts";
import { eventually, freshName, openFixture } from "./support.ts";

const fixture = openFixture();
/** Of each test its own: what one leaves unpaid would come before the payment of the next. */
let account: Account;
let joined = 0;
beforeEach(async () => {
  joined += 1;
  account = await fixture.service.join(`Payer ${joined}`);
});

const payer = (language: "en" | "zh-CN" = "en") => fixture.phone({ language, account });

/** Comes to the landing page as one does who was sent a link on another site. */
async function follow(phone: Phone): Promise<void> {
  await phone.follow(`${fixture.service.origin}/home`);
  await phone.alive();
}

type Coming = readonly [how: string, worker: boolean, come: (phone: Phone) => Promise<unknown>];
const comings: readonly Coming[] = [
  ...(repeats
    ? [
        ["an address", false, (phone: Phone) => phone.open("/home")] as const,
        ["a link of another site", false, follow] as const,
      ]
    : []),
  [
    "a link of another site, once it is installed",
    true,
    async (phone) => {
      await phone.open("/home");
      await phone.page.evaluate(() => navigator.serviceWorker.ready);
      await follow(phone);
    },
  ],
];

test.each(comings)(
  "come to by %s, a card is paid by in a document without the download script, and the way back from it asks and leads back",
  async (_, worker, come) => {
    const phone = await fixture.phone({ language: "en", account, worker });
    const scripts = () =>
      phone.page.evaluate(() =>
        [...document.scripts].map(({ src }) => new URL(src || "/", location.href).pathname),
      );
    const theirs = async () => (await scripts()).filter((path) => path.startsWith("/sandbox/"));
    await come(phone);
    await eventually(theirs).toEqual(["/sandbox/download.js"]);
    await phone.page.getByRole("link", { name: account.name }).tap();
    await phone.page.getByRole("button", { name: /^Monthly/ }).tap();
    await phone.page.getByRole("dialog").getByRole("button", { name: /^Card/ }).tap();
    await phone.arrive("/razorpayDetail");
    await eventually(() => new URL(phone.page.url()).search).toBe("");
    await phone.field("card_number").fill("4012888888881881");
    expect(await theirs()).toEqual(["/sandbox/card.js"]);

    await phone.page.goBack();
    await phone.see("Leave this payment?");
    await phone.tap("button", "Continue payment");
    await phone.words("Leave this payment?").waitFor({ state: "hidden" });
    expect(new URL(phone.page.url()).pathname).toBe("/razorpayDetail");
    expect(await phone.field("card_number").inputValue()).toBe("4012 8888 8888 1881");
    await phone.page.goBack();
    await phone.tap("button", "Abandon payment");
    await phone.arrive("/personal_info");
    await phone.text(account.name).waitFor();
  },
);

test("a reload while the bank decides leads to the bill, and what the bank says then is seen there", async () => {
  const phone = await payer();
  const openCard = async () => {
    await phone.page.getByRole("button", { name: /^Monthly/ }).tap();
    await phone.page.getByRole("dialog").getByRole("button", { name: /^Card/ }).tap();
  };
  await phone.open("/personal_info");
  await openCard();
  await phone.field("card_number").fill("4111111111111111");
  await phone.field("expiry").fill("122030");
  await phone.field("cvv").fill("123");
  await phone.field("cardholder").fill("Ann Lee");
  const [bank] = await Promise.all([phone.context.waitForEvent("page"), phone.tap("button", "Payment")]);
  await bank.getByRole("button", { name: say("cardConfirm", "en") }).waitFor();

  phone.page.once("dialog", (dialog) => void dialog.accept());
  await phone.page.reload();
  await phone.arrive(/\/billDetail\//);
  await phone.see(
    "The first payment may still go through. If you pay for a new order as well, you pay twice.",
  );
  await phone.tap("button", "Back");
  await phone.arrive("/personal_info");
  await openCard();
  await phone.arrive(/\/billDetail\//);

  await bank.getByRole("button", { name: say("cardConfirm", "en") }).tap();
  // Once it is confirmed there is nothing to check.
  const check = phone.control("button", "Check again");
  await eventually(async () => {
    await check.tap({ timeout: 1_000 }).catch(() => undefined);
    return check.isVisible();
  }).toBe(false);
  await phone.see("Your days were added. Log in to the app with this account.");
});

test("an order that is made lets the person leave without a question", async () => {
  const phone = await payer();
  await phone.choosePackage();
  await phone.order("3.99");
  await phone.page.close({ runBeforeUnload: true });
  await eventually(() => phone.page.isClosed()).toBe(true);
});

describe("the countdown", () => {
  test("goes on through reloads, with and without what this browser kept, and the payment stays verified", async () => {
    const phone = await payer();
    await phone.choosePackage();
    const payment = await phone.order("3.99");
    // Five minutes later, by the service's clock.
    await phone.page.route("**/api/**", async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { server_time: number };
      await route.fulfill({ response, json: { ...body, server_time: body.server_time + 300_000 } });
    });
    let left = 25 * 60;
    for (const forgets of [false, true]) {
      if (forgets) await phone.keepOrders();
      await phone.page.reload();
      expect(await phone.readPayment()).toEqual(payment);
      await eventually(() => phone.secondsLeft()).toBeLessThanOrEqual(left);
      left = await phone.secondsLeft();
      expect(left).toBeGreaterThan(24 * 60);
    }
  });

  test("when it has run out, money is still welcome and confirmed on the API's word", async () => {
    const phone = await payer();
    await phone.page.clock.install();
    await phone.choosePackage();
    const payment = await phone.order("3.99");
    await phone.page.clock.fastForward("31:00");
    await phone.see(
      "The time is up. Already sent it? Do not worry: it is credited once the network confirms it. Nothing sent yet? Please make a new order.",
    );
    expect(await phone.secondsLeft()).toBe(0);
    await fixture.service.transfer(payment);
    await eventually(async () => (await fixture.service.detail(account, payment.orderId)).status).toBe(1);
    // A user who has paid from another device does nothing here.
    await phone.page.clock.fastForward("01:00");
    await phone.arrive(new RegExp(`/billDetail/${payment.orderId}/`));
    await phone.see("Confirmed");
  });
});

// The chart of the fields and jsdom have every key; here the browser's own caret.
describe.each(repeated)("correcting a card", () => {
  /** The card form, and a field of it as it stands: its text with the caret in it. */
  async function openCard() {
    const phone = await payer();
    await phone.open("/personal_info");
    await phone.page.getByRole("button", { name: "3.99" }).tap();
    await phone.page.getByRole("button", { name: phone.say("Visa, Mastercard and others") }).tap();
    const standsIn = (name: string) =>
      phone.field(name).evaluate((field: HTMLInputElement) => {
        const { value, selectionStart, selectionEnd } = field;
        return `${value.slice(0, selectionStart ?? 0)}|${value.slice(selectionEnd ?? 0)}`;
      });
    /** Presses the keys one by one, after going so many places from the beginning, and reads the field after each. */
    const press = async (name: string, from: number, ...keys: string[]) => {
      const seen: string[] = [];
      await phone.field(name).press("Home");
      for (let step = 0; step < from; step += 1) await phone.field(name).press("ArrowRight");
      for (const key of keys) {
        await phone.page.keyboard.press(key);
        seen.push(await standsIn(name));
      }
      return seen;
    };
    return { phone, press, standsIn };
  }

  test("the caret stays beside the digit that is corrected in a card number", async () => {
    const { phone, press, standsIn } = await openCard();
    const number = phone.field("card_number");
    await number.pressSequentially("4012876543211881");
    expect(await standsIn("card_number")).toBe("4012 8765 4321 1881|");
    // After the second space, which cannot be deleted: the digit before it is.
    expect(await press("card_number", 10, "Backspace", "Backspace", "9", "0")).toEqual([
      "4012 876|4 3211 881",
      "4012 87|43 2118 81",
      "4012 879|4 3211 881",
      "4012 8790| 4321 1881",
    ]);
    expect(await press("card_number", 7, "Backspace", "6")).toEqual([
      "4012 8|904 3211 881",
      "4012 86|90 4321 1881",
    ]);
    expect(await press("card_number", 9, "Delete", "x", "4")).toEqual([
      "4012 8690| 3211 881",
      "4012 8690| 3211 881",
      "4012 8690 4|321 1881",
    ]);
    expect(await press("card_number", 19, "Backspace", "2")).toEqual([
      "4012 8690 4321 188|",
      "4012 8690 4321 1882|",
    ]);
    // As long as a number can be, it takes no more and loses nothing.
    await number.fill("");
    await number.pressSequentially("6304123456789012345");
    expect(await press("card_number", 4, "9", "Backspace", "5")).toEqual([
      "6304| 1234 5678 9012 345",
      "630|1 2345 6789 0123 45",
      "6305| 1234 5678 9012 345",
    ]);
  });

  test("an expiry keeps its year while its month is corrected", async () => {
    const { phone, press, standsIn } = await openCard();
    await phone.field("expiry").pressSequentially("122030");
    expect(await standsIn("expiry")).toBe("12/2030|");
    expect(await press("expiry", 2, "Backspace", "1")).toEqual(["1|/2030", "11|/2030"]);
    expect(await press("expiry", 3, "Backspace", "0", "Delete", "ArrowRight", "2")).toEqual([
      "1|/2030",
      "10|/2030",
      "10|/030",
      "10/|030",
      "10/2|030",
    ]);
    expect(await press("expiry", 7, "Backspace", "1")).toEqual(["10/203|", "10/2031|"]);
  });
});

test("what another phone began comes first: it is topped up here, and told of once when it is paid", async () => {
  const order = await fixture.service.order(account);
  await fixture.service.transfer({ ...order, amount: "1.50" });
  const phone = await payer();
  await phone.choosePackage();
  await phone.tap("button", "Pay {price} USDT", { price: "3.99" });
  await phone.see("Part of an earlier payment has arrived");
  await phone.tap("button", "Continue payment");
  await phone.arrive(new RegExp(`/payDetail/.*/${order.address}/${order.orderId}$`));
  await phone.text(order.orderId).waitFor();

  await fixture.service.transfer({ ...order, amount: "2.49" });
  await eventually(async () => (await fixture.service.member(account)).pack_exp_date).not.toBe(null);
  const other = await payer();
  await other.choosePackage();
  await other.tap("button", "Pay {price} USDT", { price: "3.99" });
  await other.see("Your earlier payment went through");
  await other.tap("button", "Buy another");
  await other.arrive(/\/payDetail\//);
});

test.each(shownIn("en"))(
  "an unfinished payment is offered after the tab was closed, in %s",
  async (language) => {
    const phone = await payer(language);
    await phone.choosePackage();
    const payment = await phone.order("3.99");
    await phone.page.close();

    const tab = await phone.newTab();
    await tab.open("/personal_info");
    await tab.see("You have an unfinished payment");
    await tab.glance(() => tab.tap("link", "Continue payment"));
    expect(await tab.readPayment()).toEqual(payment);

    await fixture.service.transfer(payment);
    await eventually(async () => (await fixture.service.detail(account, payment.orderId)).status).toBe(1);
    await tab.tap("button", "Complete the payment");
    await tab.see("Confirmed");
    await tab.tap("link", "See my membership");
    await tab.heading("Personal center").waitFor();
    expect(await tab.words("You have an unfinished payment").count()).toBe(0);
  },
);

test("a QR code that does not come takes nothing with it, and comes later", async () => {
  const phone = await payer();
  let cut = true;
  let refused = 0;
  await phone.page.route(/\/assets\/lib-/, (route) => {
    if (!cut) return route.continue();
    refused += 1;
    return route.abort();
  });
  await phone.choosePackage();
  const payment = await phone.order("3.99");
  await eventually(() => refused).toBeGreaterThan(1);
  expect(await phone.readPayment()).toEqual(payment);
  cut = false;
  await phone.page
    .getByRole("img", { name: /^QR code/ })
    .locator("svg")
    .waitFor();
  expect(phone.takeProblems(/ERR_FAILED/)).toEqual([]);
});

test("killed and started again in the middle of a payment, the service knows the person and the order", async () => {
  const account = await fixture.service.join(freshName());
  const phone = await fixture.phone({ account });
  await phone.choosePackage();
  const payment = await phone.order("3.99");
  await fixture.service.kill();
  await phone.tap("button", "Complete the payment");
  await phone.see("No connection. Check your network and try again.");
  await fixture.service.restart();
  await phone.glance(() => phone.page.reload());
  expect(await phone.readPayment()).toEqual(payment);
  await fixture.service.transfer(payment);
  await eventually(async () => (await fixture.service.detail(account, payment.orderId)).status).toBe(1);
  await phone.tap("button", "Complete the payment");
  await phone.see("Confirmed");
  await phone.tap("link", "See my membership");
  await phone.text(account.name).waitFor();
  expect(phone.takeProblems(/ERR_CONNECTION_(REFUSED|RESET)/)).toEqual([]);
});

test.each(repeats ? languages : [])(
  "a tap on the wallet's link fills it in and speaks the app's language, in %s",
  async (language) => {
    // The phone's own language is the other one.
    const phone = await fixture.phone({
      account,
      language: language === "en" ? "zh-CN" : "en",
      storage: { language },
    });
    phone.language = language;
    await phone.choosePackage();
    const payment = await phone.order("3.99", "ERC20");
    const wallet = await phone.openWallet();
    await wallet.text(say("walletTitle", language)).waitFor();
    expect(await wallet.field("address").inputValue()).toBe(payment.address);
    expect(await wallet.field("amount").inputValue()).toBe(payment.amount);
    expect(await wallet.page.locator("[name=network]:checked").inputValue()).toBe("ERC20");
  },
);

/* The whole way, from registering to a membership that is paid and confirmed. */

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
    await eventually(() => page.locator("header, main button").filter({ visible: true }).count()).toBe(0);
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
