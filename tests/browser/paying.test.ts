/** What can go wrong between the tap on "Pay" and the confirmation, and that nothing is lost by it. */
import { beforeEach, describe, expect, test } from "vitest";
import { paths } from "../../src/contract/calls.ts";
import { languages } from "../../src/contract/languages.ts";
import { say } from "../../src/service/platform/messages.ts";
import type { Account, Phone } from "../support/browser.ts";
import { repeated, repeats, shownIn } from "../support/lane.ts";
import { eventually, openEmbedded } from "./support.ts";

const fixture = openEmbedded();
/** Of each test its own: what one leaves unpaid would come before the payment of the next. */
let account: Account;
let joined = 0;
beforeEach(async () => {
  joined += 1;
  account = await fixture.service.join(`Payer ${joined}`);
});

const payer = (language: "en" | "zh-CN" = "en") => fixture.phone({ language, account });

describe("one order", () => {
  test("the way back from the payment leads to the packages, not to a second order", async () => {
    const phone = await payer();
    await phone.choosePackage();
    await phone.order("3.99");
    await phone.page.goBack();
    await phone.arrive("/buy");
    await phone.heading("Choose a package").waitFor();
  });
});

async function stay(phone: Phone): Promise<void> {
  await phone.see("Leave this payment?");
  await phone.tap("button", "Continue payment");
  await phone.words("Leave this payment?").waitFor({ state: "hidden" });
  expect(new URL(phone.page.url()).pathname).toBe("/pay/monthly");
  await phone.see("Which network will you send on?");
}

async function leave(phone: Phone): Promise<void> {
  await phone.tap("button", "Abandon payment");
  await phone.arrive("/buy");
  await phone.heading("Choose a package").waitFor();
}

test("what is told while a question is asked stands above it", async () => {
  const phone = await fixture.phone({
    account: await fixture.service.join("interrupted"),
    foreseen: /ERR_FAILED/,
  });
  await phone.choosePackage();
  let fail = () => {};
  const failing = new Promise<void>((resolve) => (fail = resolve));
  await phone.page.route(`**${paths.createOrder}`, async (route) => {
    await failing;
    await route.abort();
  });
  await phone.tap("button", "Pay {price} USDT", { price: "3.99" });
  await phone.page.goBack();
  await phone.see("Leave this payment?");
  fail();
  const told = phone.words("No connection. Check your network and try again.");
  await told.waitFor();
  // What the browser shows last, it shows uppermost. To the touch it is not there: the question stays the one thing to answer.
  const raised = await told.evaluate((words) => words.closest(":popover-open") !== null);
  expect({ raised, asked: await phone.page.locator("dialog:modal").count() }).toEqual({
    raised: true,
    asked: 1,
  });
});

describe.each(shownIn("en"))("leaving the pay screen, in %s", (language) => {
  test("Back asks, and each answer is followed", async () => {
    const phone = await payer(language);
    await phone.choosePackage();
    await phone.page.goBack();
    await stay(phone);
    await phone.page.goBack();
    await leave(phone);
  });

  test("a link asks, and each answer is followed", async () => {
    const phone = await payer(language);
    await phone.choosePackage();
    await phone.tap("button", "Back");
    await stay(phone);
    await phone.tap("button", "Back");
    await leave(phone);
  });

  test("closing the tab asks, and each answer is followed", async () => {
    const phone = await payer(language);
    await phone.choosePackage();
    for (const answer of ["dismiss", "accept"] as const) {
      const asking = phone.page.waitForEvent("dialog");
      await phone.page.close({ runBeforeUnload: true });
      const dialog = await asking;
      expect(dialog.type()).toBe("beforeunload");
      await dialog[answer]();
      if (answer === "dismiss") await phone.see("Which network will you send on?");
    }
    await eventually(() => phone.page.isClosed()).toBe(true);
  });
});

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
  await phone.see("Your membership is active. Log in to the app with this account.");
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

describe.each(shownIn("zh-CN"))("without a network, in %s", (language) => {
  test("paying waits for it, and loses nothing", async () => {
    const phone = await payer(language);
    await phone.choosePackage();
    await phone.page.locator('input[value="ERC20"]').check();
    await phone.context.setOffline(true);
    await phone.tap("button", "Pay {price} USDT", { price: "3.99" });
    await phone.see("No connection. Check your network and try again.");
    expect(await phone.page.locator('input[value="ERC20"]').isChecked()).toBe(true);
    await phone.context.setOffline(false);
    const payment = await phone.order("3.99", "ERC20");

    await phone.context.setOffline(true);
    await phone.tap("button", "Complete the payment");
    await phone.see("No connection. Check your network and try again.");
    expect(await phone.readPayment("ERC20")).toEqual(payment);
    await fixture.service.transfer(payment);
    await eventually(async () => (await fixture.service.detail(account, payment.orderId)).status).toBe(1);
    // The paid order finds its bill as soon as the phone is online again.
    await phone.context.setOffline(false);
    await phone.see("Confirmed");
    expect(phone.takeProblems(/ERR_INTERNET_DISCONNECTED/)).toEqual([]);
  });

  test("a bill asks again by itself once it is back", async () => {
    const phone = await payer(language);
    const order = await fixture.service.order(account);
    await phone.open(`/billDetail/${order.orderId}/0/${order.amount}/-`);
    await phone.value("Order number").waitFor();
    await phone.context.setOffline(true);
    await phone.tap("button", "Check again");
    await phone.see("No connection. Check your network and try again.");
    await phone.see("Pending");
    await fixture.service.transfer(order);
    await eventually(async () => (await fixture.service.detail(account, order.orderId)).status).toBe(1);
    await phone.context.setOffline(false);
    await phone.see("Confirmed");
    expect(phone.takeProblems(/ERR_INTERNET_DISCONNECTED/)).toEqual([]);
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
  const phone = await payer();
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
