/** Cards and Stripe, live, in a real browser, with a server of the tests' own in the providers' place: users pay, are declined, close the bank's window, and see their membership; and no word of the sandbox. */
import { afterAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { startService, type Phone } from "../support/browser.ts";
import { repeats } from "../support/lane.ts";
import { freePort } from "../support/temporary-database.ts";
import { KEYS, startProviders } from "../service/provider-stand-in.ts";
import { daysOf, eventually, freshName, openFixtureWith, watchRefusals } from "./support.ts";

let provider: Awaited<ReturnType<typeof startProviders>>;
const fixture = openFixtureWith(async (parts) => {
  provider = await startProviders();
  const PORT = String(await freePort());
  return startService(parts, {
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
  });
});
afterAll(() => provider.stop());

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
