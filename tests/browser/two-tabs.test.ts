/** One person in two tabs, or in a browser without windows: money is asked for once, and nothing that was stored is lost. Decisions, "Pay once" and "What tabs share has keys of its own". */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { paths } from "../../src/contract/calls.ts";
import { offersIn } from "../support/fixtures.ts";
import { say } from "../../src/service/platform/messages.ts";
import { repeats } from "../support/lane.ts";
import type { Phone } from "../support/browser.ts";
import { daysOf, eventually, freshName, openFixture } from "./support.ts";

const fixture = openFixture();
const offer = JSON.stringify(offersIn("en")[0]);

async function openCard(tab: Phone, number: string): Promise<void> {
  await tab.open("/razorpayDetail");
  await tab.field("card_number").fill(number);
  await tab.field("expiry").fill("122030");
  await tab.field("cvv").fill("123");
  await tab.field("cardholder").fill("Ann Lee");
}

const isCharge = (path: string) => path.startsWith("/sandbox/card/payments");

describe("two tabs of the card screen", () => {
  test.each([
    ["is still at the bank", "4111111111111111", "First, see what became of your earlier payment."],
    ["has paid", "4012888888881881", "You have already paid. Here is the bill."],
  ])("where the first %s, the second charges nothing and opens the bill", async (_, number, told) => {
    const account = await fixture.service.join(freshName());
    const first = await fixture.phone({ account, storage: { selectedItem: offer } });
    await openCard(first, number);
    const second = await first.newTab();
    await openCard(second, "4012888888881881");
    const charges: string[] = [];
    second.page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (request.method() === "POST" && isCharge(pathname)) charges.push(pathname);
    });
    let bank: Page | undefined;
    if (number === "4012888888881881") {
      await first.tap("button", "Payment");
      await first.see("Payment Succeeded");
    } else {
      [bank] = await Promise.all([first.context.waitForEvent("page"), first.tap("button", "Payment")]);
    }
    await second.tap("button", "Payment");
    await second.see(told);
    await second.arrive(/\/billDetail\//);
    await bank?.getByRole("button", { name: say("cardConfirm", "en") }).tap();
    await eventually(() => daysOf(fixture.service, account)).toBe(30);
    expect(charges).toEqual([]);
  });
});

test("two tabs that make an order at the same moment keep both, every time", async () => {
  const account = await fixture.service.join(freshName());
  const first = await fixture.phone({ account, storage: { selectedItem: offer } });
  const second = await first.newTab();
  const made: string[] = [];
  for (let round = 0; round < (repeats ? 6 : 2); round++) {
    await Promise.all(
      [first, second].map(async (tab) => {
        await tab.open("/pay/monthly");
        await tab.see("Which network will you send on?");
      }),
    );
    const payments = await Promise.all([first.order("3.99"), second.order("3.99")]);
    made.push(...payments.map(({ orderId }) => orderId));
  }
  const kept = await first.keptOrders();
  expect(kept.map(({ orderId }) => orderId).toSorted()).toEqual(made.toSorted());
});

test("a tab that no storage event reaches neither shows nor acts for whom another tab logged out", async () => {
  const [ann, berta] = [await fixture.service.join(freshName()), await fixture.service.join(freshName())];
  const phone = await fixture.phone({ account: ann, storage: { selectedItem: offer } });
  const deaf = await phone.newTab();
  await deaf.page.addInitScript(() => {
    window.addEventListener("storage", (event) => event.stopImmediatePropagation(), { capture: true });
  });
  await deaf.open("/personal_info");
  await deaf.text(ann.name).waitFor();
  const tokens: (string | undefined)[] = [];
  await phone.open("/service");
  await phone.page.evaluate(({ name, token }) => {
    localStorage.setItem("user_token", token);
    localStorage.setItem("user_key", JSON.stringify({ account_name: name }));
    localStorage.setItem("user_name", name);
  }, berta);
  deaf.page.on("request", (request) => tokens.push(request.headers()["authorization"]));
  await deaf.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await deaf.text(berta.name).waitFor();
  expect(await deaf.text(ann.name).count()).toBe(0);
  expect(tokens).not.toContain(`Bearer ${ann.token}`);
});

test("in a browser without windows a checkout is paid in the same one, and the way there stays until it is settled", async () => {
  const account = await fixture.service.join(freshName());
  const phone = await fixture.phone({ account });
  await phone.page.addInitScript(() => {
    window.open = () => null;
  });
  await phone.open("/personal_info");
  await phone.page.getByRole("button", { name: /^Monthly/ }).tap();
  await phone.page
    .getByRole("dialog")
    .getByRole("button", { name: /^Stripe/ })
    .tap();
  await phone.arrive(/\/billDetail\//);
  const pay = phone.control("link", "Open the payment page");
  const address = await pay.getAttribute("href");
  await phone.tap("button", "Copy the payment page’s address");
  await eventually(() => phone.clipboard()).toBe(address);
  // Left by mistake, it is still there.
  await pay.tap();
  await phone.page.locator("button[value=pay]").waitFor();
  await phone.page.goBack();
  await phone.arrive(/\/billDetail\//);
  await pay.tap();
  await phone.page.locator("button[value=pay]").tap();
  await phone.page.getByText(say("providerPaid", "en")).waitFor();
  await eventually(() => daysOf(fixture.service, account)).toBe(30);
  await phone.open("/personal_info");
  await eventually(() => phone.words("You have an unfinished payment").count()).toBe(0);
  await phone.text("Monthly").first().waitFor();
});

test("an order that the service knows no more takes its address off the screen; a network that fails does not", async () => {
  const account = await fixture.service.join(freshName());
  const phone = await fixture.phone({ account, foreseen: /ERR_FAILED/ });
  await phone.choosePackage();
  const { address, orderId } = await phone.order("3.99");
  let answer: "lost" | "unknown" = "lost";
  await phone.page.route(`**${paths.orderDetail}`, (route) =>
    answer === "lost"
      ? route.abort()
      : route.fulfill({ json: { code: 1, message: say("orderUnknown", "en"), data: null } }),
  );
  const seen = () => phone.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  const failed = phone.page.waitForEvent("requestfailed");
  await seen();
  await failed;
  expect((await phone.readPayment()).address).toBe(address);
  answer = "unknown";
  await seen();
  await phone.see("We cannot find this order any more");
  await phone.text(orderId).waitFor();
  expect(await phone.page.getByText(address.slice(0, 6)).count()).toBe(0);
  expect(await phone.page.getByRole("img", { name: /QR/ }).count()).toBe(0);
});
