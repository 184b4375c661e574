/** The app in front of another party's API and on any static host: every flow, with nothing but section 7 of the specification. */
import { describe, expect, test } from "vitest";
import { CHECKOUT_SITE, startStandIn, SUPPORT_SITE, type StandIn } from "../support/stand-in.ts";
import { serveSite } from "../support/static-site.ts";
import { paths } from "../../src/contract/calls.ts";
import { PASSWORD, type Account, type Phone } from "../support/browser.ts";
import type { BrowserSetup } from "../support/browser-setup.ts";
import { repeats } from "../support/lane.ts";
import { freshName, openFixtureWith } from "./support.ts";

/** The card provider's script as it is documented, with a script of its own: what it says depends on the card. */
const cardScript = `
window.payments = [];
window.Razorpay = class {
  #heard = {};
  constructor(options) { this.options = options; }
  on(event, heard) { this.#heard[event] = heard; }
  createPayment(payment) {
    window.payments.push({ ...this.options, ...payment });
    const refuse = (error) => queueMicrotask(() => this.#heard["payment.error"]({ error }));
    if (payment["card[number]"].endsWith("0002")) refuse({ description: "Your card was declined.", reason: "payment_failed" });
    else if (payment["card[number]"].endsWith("0077")) refuse({ description: "Payment processing cancelled by user", reason: "payment_cancelled" });
    else queueMicrotask(() => this.#heard["payment.success"]({
      razorpay_payment_id: "pay_1", razorpay_order_id: payment.order_id, razorpay_signature: "signed",
    }));
  }
};`;

async function start({ site }: BrowserSetup) {
  const api = await startStandIn();
  const host = await serveSite(site, (origin) => ({
    "/config.json": { apiBaseUrl: api.address, cardScriptUrl: `${origin}/card-script.js` },
    "/card-script.js": cardScript,
  }));
  return {
    api,
    origin: host.origin,
    stop: async () => {
      await Promise.all([api.stop(), host.stop()]);
    },
  };
}
const fixture = openFixtureWith(start);
const api = (): StandIn => fixture.service.api;

/** A phone in front of that API, which has no list of orders: each order is read by itself. */
async function openPhone(account?: Account): Promise<Phone> {
  const phone = await fixture.phone({ foreseen: /404.*\/api\/order\/list/, ...(account && { account }) });
  // The windows of others.
  for (const site of [SUPPORT_SITE, CHECKOUT_SITE]) {
    await phone.context.route(`${site}**`, (route) => route.fulfill({ contentType: "text/html", body: "" }));
  }
  return phone;
}

/** A newcomer who has joined without the app, signed in. */
async function newcomer(): Promise<{ phone: Phone; name: string }> {
  const name = freshName();
  const ask = async (path: string) => {
    const body = JSON.stringify({ account_name: name, password: PASSWORD });
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(api().address + path, { method: "POST", body, headers });
    return (await answer.json()) as { data: { token: string } };
  };
  await ask(paths.register);
  const { data } = await ask(paths.login);
  return { phone: await openPhone({ name, token: data.token }), name };
}

const latest = () => {
  const order = api().orders.at(-1);
  if (!order) throw new Error("Nothing has been ordered.");
  return order;
};

/** In a sheet, whose words also stand on the screen behind it. */
const inSheet = (phone: Phone, id: string) =>
  phone.page.getByRole("dialog").getByRole("button", { name: phone.say(id), exact: true });

async function logOut(phone: Phone): Promise<void> {
  await phone.open("/setting");
  await phone.tap("button", "Log out");
  await phone.arrive("/login");
}

test("register, log out, log in", async () => {
  const phone = await openPhone();
  const name = freshName();
  await phone.register(name);
  await phone.see("Login succeeded");
  await logOut(phone);
  expect(await phone.account()).toEqual({ name: "", token: "" });
  await phone.logIn(name, "another password");
  await phone.page.getByRole("alert").getByText("Wrong account or password.").waitFor();
  await phone.logIn(name);
  await phone.arrive("/home");
  expect((await phone.account()).name).toBe(name);
});

describe("USDT", () => {
  // The other network is another number in the same call.
  test.each<"TRC20" | "ERC20">(repeats ? ["TRC20", "ERC20"] : ["TRC20"])(
    "paid on %s, seen confirmed, a member",
    async (network) => {
      const { phone } = await newcomer();
      await phone.choosePackage("71");
      const payment = await phone.order("9.90", network);
      const { order_id } = latest();
      expect(payment).toEqual({
        network,
        orderId: String(order_id),
        amount: "9.90",
        address:
          network === "TRC20"
            ? "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
            : "0xdAC17F958D2ee523a2206206994597C13D831ec7",
      });
      const left = await phone.secondsLeft();
      expect(left).toBeGreaterThan(29 * 60);
      // The address is known to be the API's, because this browser kept the answer that named it.
      await phone.page.reload();
      expect(await phone.readPayment(network)).toEqual(payment);
      expect(await phone.secondsLeft()).toBeLessThanOrEqual(left);

      await phone.tap("button", "Complete the payment");
      await phone.arrive(new RegExp(`/billDetail/${order_id}/0/9.90/`));
      await phone.see("Pending");
      // So it stands there before the API has spoken, too; the details come with its word.
      expect(await phone.value("Order number").textContent()).toBe(String(order_id));
      api().settle(order_id, 1);
      await phone.tap("button", "Check again");
      await phone.see("Confirmed");
      await phone.tap("link", "See my membership");
      await phone.page.getByText("until May 6, 2030").waitFor();
    },
  );

  test("an address that this browser did not keep cannot be verified, and is not shown", async () => {
    const { phone } = await newcomer();
    await phone.choosePackage("71");
    const { address } = await phone.order("9.90");
    await phone.keepOrders();
    await phone.page.reload();
    await phone.see("We cannot verify this payment link");
    expect(await phone.page.locator("body").textContent()).not.toContain(address);
  });

  test("an order that failed is said to have failed", async () => {
    const { phone } = await newcomer();
    await phone.choosePackage("72");
    await phone.glance(() => phone.order("79.00"));
    api().settle(latest().order_id, 9);
    await phone.tap("button", "Complete the payment");
    await phone.see("Failed");
  });
});

async function openCard(phone: Phone): Promise<void> {
  await phone.open("/personal_info");
  await phone.page.getByRole("button", { name: /9\.90/ }).tap();
  await phone.page.getByRole("dialog").getByRole("button", { name: /^Card/ }).tap();
  await phone.arrive("/razorpayDetail");
  await phone.heading("Payment details").waitFor();
}
async function fill(phone: Phone, number: string): Promise<void> {
  await phone.field("card_number").fill(number);
  await phone.field("expiry").fill("12/2030");
  await phone.field("cvv").fill("123");
  await phone.field("cardholder").fill("Ann Lee");
}
const payments = (phone: Phone) =>
  phone.page.evaluate(() => (window as unknown as { payments: unknown[] }).payments);

describe("by card", () => {
  /** What our API has no call for is asked of its order instead. */
  const additive = /404|razorpay\/verify/;

  test("paid: success only once the API knows of it", async () => {
    const { phone } = await newcomer();
    await openCard(phone);
    await fill(phone, "4111 1111 1111 1111");
    await phone.tap("button", "Payment");
    await phone.see("Payment in Progress");
    expect(await phone.words("Payment Succeeded").count()).toBe(0);
    const { order_id } = latest();
    expect(await payments(phone)).toEqual([
      {
        key: "key_of_the_shop",
        amount: 990,
        currency: "USD",
        order_id: `order_${order_id}`,
        method: "card",
        "card[name]": "Ann Lee",
        "card[number]": "4111111111111111",
        "card[cvv]": "123",
        "card[expiry_month]": "12",
        "card[expiry_year]": "30",
      },
    ]);
    api().settle(order_id, 1);
    await phone.heading("Payment results").waitFor();
    await phone.see("Payment Succeeded");
    await phone.page.getByText("USD 9.90").waitFor();
    await phone.tap("button", "Close");
    await phone.arrive("/personal_info");
    await phone.page.getByText("until May 6, 2030").waitFor();
    expect(phone.takeProblems(additive)).toEqual([]);
  });

  test("declined and cancelled, with the provider's words, and tried again as the same order", async () => {
    const { phone } = await newcomer();
    await openCard(phone);
    await fill(phone, "4000 0000 0000 0002");
    await phone.tap("button", "Payment");
    await phone.see("Payment Failed");
    await phone.text("Your card was declined.").waitFor();
    const made = api().orders.length;
    await phone.tap("button", "Retry Payment");
    await fill(phone, "4000 0000 0000 0077");
    await phone.tap("button", "Payment");
    await phone.see("Payment Cancelled");
    await phone.tap("button", "Retry Payment");
    await phone.heading("Payment details").waitFor();
    expect(await phone.field("card_number").inputValue()).toBe("");
    expect({ orders: api().orders.length, payments: (await payments(phone)).length }).toEqual({
      orders: made,
      payments: 2,
    });
  });
});

test("Stripe: paid in a window of its own, seen on the bill", async () => {
  const { phone } = await newcomer();
  await phone.open("/personal_info");
  await phone.page.getByRole("button", { name: /9\.90/ }).tap();
  const opening = phone.context.waitForEvent("page");
  await phone.page
    .getByRole("dialog")
    .getByRole("button", { name: /^Stripe/ })
    .tap();
  const opened = await opening;
  await phone.arrive(/\/billDetail\//);
  const { order_id } = latest();
  await opened.waitForURL(`${CHECKOUT_SITE}${order_id}`);
  expect(await opened.evaluate(() => window.opener as unknown)).toBe(null);
  await phone.see("Pending");
  api().settle(order_id, 1);
  // Looked at again, the bill asks by itself.
  await phone.page.reload();
  await phone.see("Confirmed");
});

test("customer support opens in a window of its own", async () => {
  const { phone } = await newcomer();
  await phone.open("/forgetPasswordUserName");
  const opening = phone.context.waitForEvent("page");
  await phone.tap("button", "Contact customer support");
  const opened = await opening;
  await opened.waitForURL(SUPPORT_SITE);
  expect(await opened.evaluate(() => window.opener as unknown)).toBe(null);
});

test("nickname, gender and date of birth are kept by the API", async () => {
  const { phone, name } = await newcomer();
  await phone.open("/personalInformation");
  await phone.field("name").fill("Annie");
  await phone.page.getByRole("button", { name: /^Gender/ }).tap();
  await phone.page.getByRole("slider").press("ArrowDown");
  await inSheet(phone, "Confirm").tap();
  await phone.page.getByRole("dialog").waitFor({ state: "hidden" });
  await phone.page.getByRole("button", { name: /^Date of birth/ }).tap();
  await phone.page.getByRole("slider", { name: "Year" }).press("ArrowDown");
  await inSheet(phone, "Confirm").tap();
  await phone.page.getByRole("dialog").waitFor({ state: "hidden" });
  await phone.tap("button", "Confirm");
  await phone.see("Modified successfully");
  const { name: nickname, sex, birth_date } = api().members.get(name) ?? {};
  expect({ nickname, sex, birth_date }).toEqual({
    nickname: "Annie",
    sex: "woman",
    birth_date: "2001-01-01 00:00:00",
  });
  await phone.open("/personalInformation");
  await phone.page.getByRole("button", { name: /January\s1, 2001/ }).waitFor();
});

test("a changed password ends the session, and opens the next one", async () => {
  const { phone, name } = await newcomer();
  await phone.open("/changePassword");
  await phone.field("old_password").fill(PASSWORD);
  await phone.field("new_password").fill("another password");
  await phone.field("new_password_confirmation").fill("another password");
  await phone.tap("button", "Change Password");
  await phone.arrive("/login");
  await phone.see("Password changed successfully, please log in again");
  await phone.logIn(name, "another password");
  await phone.arrive("/home");
});

test("the security question is set, and gives a forgotten password back", async () => {
  const { phone, name } = await newcomer();
  const answer = async () => {
    await phone.page.getByRole("button", { name: /^Security question/ }).tap();
    await phone.page.getByRole("slider").press("ArrowDown");
    await inSheet(phone, "Confirm").tap();
    await phone.page.getByRole("dialog").waitFor({ state: "hidden" });
    await phone.field("security_problem_value").fill("Hillside");
  };
  await phone.open("/modifyPassword");
  await answer();
  await phone.field("password").fill(PASSWORD);
  await phone.tap("button", "Set the question");
  await phone.see("Your question");
  await phone.text("Where did you go to school?").waitFor();
  expect(await phone.field("security_problem_value").count()).toBe(0);
  await logOut(phone);

  await phone.tap("link", "Forgot your password?");
  await phone.heading("Forgot your password?").waitFor();
  await phone.field("account_name").fill(name);
  await phone.tap("button", "Next step");
  await phone.arrive(/\/forgetPasswordInfo\//);
  await phone.field("new_password").fill("another password");
  await phone.field("new_password_confirmation").fill("another password");
  await phone.tap("button", "Next step");
  await phone.arrive(/\/forgetPassword\//);
  expect(phone.page.url()).not.toContain("another");
  await answer();
  await phone.tap("button", "Set the new password");
  await phone.arrive("/login");
  await phone.logIn(name, "another password");
  await phone.arrive("/home");
});

test("nothing was asked for that section 7 does not name, but for the two calls that are tried and done without", () => {
  expect(new Set(api().strays)).toEqual(new Set(["POST /api/order/list", "POST /api/razorpay/verify"]));
});
