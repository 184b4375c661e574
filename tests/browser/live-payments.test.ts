/** Live payments in a real browser. In USDT: a wallet that reads the QR code and transfers on a real chain, and confirmations that count. By card and by Stripe, with a server of the tests' own in the providers' place. A membership at the end, and no word of the sandbox. */
import { HDKey } from "@scure/bip32";
import { afterAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { rawAddress } from "../../src/contract/address.ts";
import { KEYS, startProviders } from "../service/provider-stand-in.ts";
import { hasAnvil, liveSettings, quickLooks, startAnvil, type Anvil } from "../support/anvil.ts";
import { PATIENCE, startService, type Phone } from "../support/browser.ts";
import { repeats } from "../support/lane.ts";
import { readQr } from "../support/qr.ts";
import { freePort } from "../support/temporary-database.ts";
import { daysOf, eventually, freshName, openFixtureWith, watchRefusals } from "./support.ts";

const chains = { TRC20: undefined as Anvil | undefined, ERC20: undefined as Anvil | undefined };
const wallet = HDKey.fromMasterSeed(Uint8Array.from({ length: 32 }, (_, at) => 255 - at));
const MINUTE = "01:00";

let provider: Awaited<ReturnType<typeof startProviders>>;
/** Chains where there is a node for them, and the providers' stand-in. */
const fixture = openFixtureWith(async (parts) => {
  provider = await startProviders();
  const PORT = String(await freePort());
  const settings = {
    PORT,
    PAYMENTS: "live",
    RAZORPAY_KEY_ID: KEYS.razorpay.keyId,
    RAZORPAY_KEY_SECRET: KEYS.razorpay.keySecret,
    RAZORPAY_WEBHOOK_SECRET: KEYS.razorpay.webhookSecret,
    RAZORPAY_API_URL: provider.url,
    STRIPE_SECRET_KEY: KEYS.stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: KEYS.stripe.webhookSecret,
    STRIPE_API_URL: provider.url,
    SITE_URL: `http://127.0.0.1:${PORT}`,
  };
  if (!hasAnvil) return startService(parts, settings);
  const [tron, ethereum] = await Promise.all([startAnvil(), startAnvil()]);
  Object.assign(chains, { TRC20: tron, ERC20: ethereum });
  return startService(parts, { ...settings, ...liveSettings(wallet, tron, ethereum), ...quickLooks });
});
afterAll(async () => {
  await Promise.all([provider, ...Object.values(chains)].map(async (each) => each?.stop()));
});

const amount = 29_990_000n;

/** A new member with an order for a year, who has scanned its QR code; and a look at how many confirmations the bill shows. */
async function orderOn(network: "TRC20" | "ERC20", language: "en" | "zh-CN", needed: number) {
  const chain = chains[network];
  if (!chain) throw new Error("The chain was started.");
  const phone = await fixture.phone({ language });
  const { page } = phone;
  await page.clock.install();
  await phone.open("/register");
  await phone.register(freshName());
  await phone.open("/buy");
  await phone.choosePackage("annual");
  const payment = await phone.order("29.99", network);
  expect(await page.locator("body").textContent()).not.toMatch(/sandbox|test wallet|沙盒|测试钱包/i);

  const code = page.getByRole("img", { name: phone.say("QR code of the {network} address", { network }) });
  const scanned = await readQr(code.locator("svg"));
  expect(scanned).toBe(payment.address);

  const account = await phone.account();
  const transfers = async () => (await fixture.service.detail(account, payment.orderId)).transfers;
  const words = (count: number) =>
    phone.say("{confirmations} of {needed}", { confirmations: String(count), needed: String(needed) });
  const main = () => page.getByRole("main").textContent();
  /** The screen asks by itself every minute: here a minute goes by once the service has read the blocks. */
  const counts = async (count: number) => {
    await expect
      .poll(transfers, { timeout: PATIENCE })
      .toEqual([expect.objectContaining({ confirmations: count })]);
    await page.clock.fastForward(MINUTE);
    await eventually(main).toContain(words(count));
  };
  return { chain, phone, page, transfers, main, words, counts, to: rawAddress(network, scanned) };
}

test.skipIf(!hasAnvil).each([
  // anvil calls a block finalized after two more.
  {
    language: "zh-CN",
    network: "TRC20",
    needed: 20,
    more: 1,
    explorer: "https://tronscan.org/#/transaction/",
  },
  // The blocks of the other network are counted below, too.
  ...(repeats
    ? ([
        { language: "en", network: "ERC20", needed: 12, more: 4, explorer: "https://etherscan.io/tx/" },
      ] as const)
    : []),
] as const)(
  "in $language a transfer on $network counts its confirmations and buys the membership",
  async (each) => {
    const { language, network, needed, more, explorer } = each;
    const { chain, phone, page, counts, to } = await orderOn(network, language, needed);
    const transaction = await chain.transfer(to, amount);
    await phone.tap("button", "Complete the payment");
    await phone.see("Pending");
    await counts(1);
    await chain.mine(more);
    await counts(1 + more);
    const shown = page.getByRole("link", { name: phone.say("Show the transaction in an explorer") });
    expect(await shown.getAttribute("href")).toBe(explorer + transaction.slice(network === "TRC20" ? 2 : 0));
    await chain.mine(needed);
    await counts(needed);
    await phone.see("Confirmed");
    await phone.tap("link", "See my membership");
    await page.locator("main section p", { hasText: language === "en" ? "Annual" : "年度会员" }).waitFor();
  },
  180_000,
);

test.skipIf(!hasAnvil)(
  "a reorganisation while the confirmations count, and a service that is killed: the bill shows what is so, and the membership comes",
  async () => {
    const { chain, phone, page, transfers, main, words, counts, to } = await orderOn("ERC20", "en", 12);
    await chain.transfer(to, amount);
    await phone.tap("button", "Complete the payment");
    await phone.see("Pending");
    await chain.mine(2);
    await counts(3);

    await chain.reorganise(5);
    await expect.poll(transfers, { timeout: PATIENCE }).toEqual([]);
    await page.clock.fastForward(MINUTE);
    await eventually(main).not.toContain(words(3));
    await phone.see("Pending");

    await chain.transfer(to, amount);
    await counts(1);
    await fixture.service.kill();
    const unanswered = page.waitForEvent("requestfailed");
    await page.clock.fastForward(MINUTE);
    await unanswered;
    await chain.mine(11);
    // What was known is still shown.
    expect(await main()).toContain(words(1));
    await fixture.service.restart();
    await counts(12);
    expect(phone.takeProblems(/ERR_CONNECTION_REFUSED/)).toEqual([]);
    await phone.see("Confirmed");
    await phone.tap("link", "See my membership");
    await page.locator("main section p", { hasText: "Annual" }).waitFor();
  },
  180_000,
);

/* Cards and Stripe. */

/** The providers' own hosts, so that the policy is held against them; the stand-in answers for all. */
const PROVIDERS = /^https:\/\/([\w-]+\.razorpay\.com|checkout\.example)\//;
const SANDBOX = /sandbox|test (wallet|card)|沙盒|测试(钱包|卡)/i;

/** A new member in front of the ways to pay for a month. */
async function choosing(language: "en" | "zh-CN", webhooks: "arrive" | "are lost") {
  provider.recover();
  provider.webhooks.to = webhooks === "arrive" ? fixture.service.origin : null;
  const account = await fixture.service.join(freshName());
  const phone = await fixture.phone({ language, account });
  const { page, context } = phone;
  const refused = await watchRefusals(context);
  const asked: string[] = [];
  context.on("request", (request) => void asked.push(request.url()));
  await context.route(PROVIDERS, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: provider.url + pathname + search }) });
  });
  const screens: string[] = [];
  const look = async (screen = page) => void screens.push(await screen.locator("body").innerText());
  await phone.open("/personal_info");
  await phone.alive();
  await page.getByRole("button", { name: /3\.99/ }).tap();
  await look();
  const ways = page.getByRole("dialog");
  /** What holds at the end of each payment. */
  const ends = async (days: number) => {
    expect(screens.filter((text) => SANDBOX.test(text))).toEqual([]);
    expect(asked.filter((url) => url.includes("/sandbox"))).toEqual([]);
    expect({ refused, days: await daysOf(fixture.service, account) }).toEqual({ refused: [], days });
  };
  return { account, phone, page, context, asked, look, ways, ends };
}

async function fillCard(phone: Phone): Promise<void> {
  await phone.field("card_number").fill("4111111111111111");
  await phone.field("expiry").fill("122030");
  await phone.field("cvv").fill("123");
  await phone.field("cardholder").fill("Ann Lee");
}

/** Taps "Payment". @returns the bank's window */
async function payAtBank(phone: Phone): Promise<Page> {
  const [bank] = await Promise.all([phone.context.waitForEvent("page"), phone.tap("button", "Payment")]);
  await bank.getByRole("button", { name: "Confirm" }).waitFor();
  return bank;
}

async function decide(bank: Page, decision: "Confirm" | "Decline"): Promise<void> {
  const closed = bank.waitForEvent("close");
  await bank.getByRole("button", { name: decision }).tap();
  await closed;
}

test("a card is paid by with the provider's script in the card screen's document, and in no other", async () => {
  const { phone, page, asked, look, ways, ends } = await choosing("en", "arrive");
  await page.evaluate(() => Object.assign(window, { first: true }));
  await ways.getByRole("button", { name: /^Card/ }).tap();
  await phone.arrive("/razorpayDetail");
  await fillCard(phone);
  await look();
  const theirs = () =>
    page.locator("#theirs").evaluate((element) => {
      const { position, opacity } = getComputedStyle(element);
      return { position, opacity, first: "first" in window, checked: "checkedForFraud" in window };
    });
  await eventually(theirs).toEqual({ position: "fixed", opacity: "0.5", first: false, checked: true });

  await decide(await payAtBank(phone), "Confirm");
  await phone.see("Payment Succeeded");
  await look();
  await phone.tap("button", "Close");
  await page.locator("main section p", { hasText: "Monthly" }).waitFor();
  await look();
  // The webhook and the browser both said so.
  await ends(30);
  const hosts = asked.map((url) => new URL(url).hostname).filter((host) => host.endsWith(".razorpay.com"));
  const named = ["api", "cdn", "checkout", "lumberjack", "lumberjack-cx", "lumberjack-metrics"];
  expect(new Set(hosts)).toEqual(new Set(named.map((name) => `${name}.razorpay.com`)));
  for (const path of ["/home", "/personal_info"]) {
    const { headers } = await fetch(fixture.service.origin + path);
    expect(headers.get("Content-Security-Policy")).not.toContain("razorpay");
  }
});

test("the bank's window is closed, then the card declined in the bank's words; the third try pays once, with every webhook lost", async () => {
  const { phone, page, look, ways, ends } = await choosing("en", "are lost");
  await ways.getByRole("button", { name: /^Card/ }).tap();
  await phone.arrive("/razorpayDetail");
  await fillCard(phone);
  await (await payAtBank(phone)).close();
  await phone.see("Payment Cancelled");
  await look();
  await phone.tap("button", "Retry Payment");
  await fillCard(phone);
  await decide(await payAtBank(phone), "Decline");
  await phone.see("Payment Failed");
  await phone.text("Your payment was declined by your bank. Try another card.").waitFor();
  // What the page said while the bank's window was open was not heard.
  await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Payment Failed");
  await look();
  await phone.tap("button", "Retry Payment");
  await fillCard(phone);
  await decide(await payAtBank(phone), "Confirm");
  await phone.see("Payment Succeeded");
  await phone.tap("button", "Close");
  await page.locator("main section p", { hasText: "Monthly" }).waitFor();
  await look();
  await ends(30);
});

test.each([
  { by: "the webhook alone", webhooks: "arrive", language: "zh-CN", name: "月度会员" },
  // By card it is asked for above.
  ...(repeats
    ? ([
        {
          by: "asking alone, when the webhook is lost",
          webhooks: "are lost",
          language: "en",
          name: "Monthly",
        },
      ] as const)
    : []),
] as const)(
  "in $language what is paid on Stripe's page is confirmed by $by",
  async ({ webhooks, language, name }) => {
    const { account, phone, page, context, look, ways, ends } = await choosing(language, webhooks);
    await page.clock.install();
    const byWebhook = webhooks === "arrive";
    const [stripe] = await Promise.all([
      context.waitForEvent("page"),
      ways.getByRole("button", { name: /^Stripe/ }).tap(),
    ]);
    await phone.arrive(/\/billDetail\//);
    await phone.see("Pending");
    await look();
    const pay = stripe.getByRole("button", { name: "Pay" });
    await pay.waitFor();
    if (byWebhook) provider.misbehave(...Array.from({ length: 20 }, () => "fail" as const));
    await pay.tap();
    // The way back leads to the same bill.
    await stripe.waitForURL(/\/billDetail\//);
    const status = byWebhook ? phone.say("Confirmed") : /^(Pending|Confirmed)$/;
    await stripe.getByText(status, { exact: true }).waitFor();
    await look(stripe);
    // A look at the order has the service ask Stripe, every five seconds at most.
    const [, , orderId = ""] = new URL(page.url()).pathname.split("/");
    await eventually(async () => (await fixture.service.detail(account, orderId)).status).toBe(1);
    await page.clock.fastForward("01:00");
    await phone.see("Confirmed");
    provider.recover();
    await look();
    await phone.tap("link", "See my membership");
    await page.locator("main section p", { hasText: name }).waitFor();
    await look();
    await ends(30);
  },
);

test("nothing of the sandbox answers", async () => {
  const paths = ["card.js", "download.js", "wallet", "transfers", "card/payments", "stripe/checkout/cs_1"];
  const answers = paths.map((path) => fetch(`${fixture.service.origin}/sandbox/${path}`));
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(paths.map(() => 404));
});
