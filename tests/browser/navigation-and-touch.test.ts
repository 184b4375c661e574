/** How one gets about: what every address leads to, what the way back closes, asks and brings back, what is asked before a payment is left, and sheets that leave by a flick. */
import { beforeAll, describe, expect, test } from "vitest";
import { paths } from "../../src/contract/calls.ts";
import type { Account, Phone } from "../support/browser.ts";
import { Finger } from "../support/finger.ts";
import { shownIn } from "../support/lane.ts";
import { eventually, freshName, openFixture } from "./support.ts";

const fixture = openFixture();
let account: Account;
beforeAll(async () => {
  account = await fixture.service.join("Berta");
});

const sheet = (phone: Phone) => phone.page.getByRole("dialog");

/** The open sheet at rest: its upper edge, in the middle. */
async function gripOf(phone: Phone) {
  const box = await sheet(phone).boundingBox();
  if (!box) throw new Error("There is no sheet.");
  return { x: box.x + box.width / 2, y: box.y + 30, height: box.height };
}

async function openLanguages(phone: Phone) {
  await phone.open("/home");
  await phone.tap("button", "Change language");
  await phone.heading("Language").waitFor();
}

describe("a sheet under a finger", () => {
  test("leaves by a flick, however short", async () => {
    const phone = await fixture.phone();
    await openLanguages(phone);
    const { x, y } = await gripOf(phone);
    await (await Finger.on(phone.page)).move({ x, y }, { x, y: y + 70 }, 80);
    await sheet(phone).waitFor({ state: "detached" });
  });

  test("follows, and comes back when it is let go a little further down", async () => {
    const phone = await fixture.phone();
    await openLanguages(phone);
    const { x, y } = await gripOf(phone);
    const finger = await Finger.on(phone.page);
    await finger.move({ x, y }, { x, y: y + 46 }, 400, { lifts: false });
    await eventually(async () => (await gripOf(phone)).y).toBe(y + 40);
    await finger.lift();
    await eventually(async () => (await gripOf(phone)).y).toBe(y);
    expect(await sheet(phone).count()).toBe(1);
  });

  test("can be pulled by its rows, and chooses none of them", async () => {
    const phone = await fixture.phone();
    await openLanguages(phone);
    const { x, y } = await gripOf(phone);
    const row = await phone.page.getByRole("button", { name: "简体中文" }).boundingBox();
    const from = { x, y: (row?.y ?? 0) + 20 };
    // To the edge of the glass: far enough at any speed.
    await (await Finger.on(phone.page)).move(from, { x, y: 840 }, 200);
    await sheet(phone).waitFor({ state: "detached" });
    expect(y).toBeLessThan(from.y);
    expect(await phone.page.locator("html").getAttribute("lang")).toBe("en");
  });

  test("turns its wheel, which keeps the finger to itself", async () => {
    const phone = await fixture.phone({ account });
    await phone.open("/personalInformation");
    await phone.page.getByRole("button", { name: phone.say("Date of birth") }).tap();
    const wheel = phone.page.getByRole("slider").first();
    await wheel.waitFor();
    const box = await wheel.boundingBox();
    const before = await wheel.getAttribute("aria-valuenow");
    if (!box) throw new Error("There is no wheel.");
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await (await Finger.on(phone.page)).move(middle, { x: middle.x, y: middle.y - 60 }, 60);
    await eventually(() => wheel.getAttribute("aria-valuenow")).not.toBe(before);
    expect(await sheet(phone).count()).toBe(1);
  });
});

describe("the way back", () => {
  test("closes a sheet before it leads anywhere", async () => {
    const phone = await fixture.phone({ account });
    await phone.open("/home");
    await phone.alive();
    await phone.page.getByRole("link", { name: account.name }).tap();
    await phone.heading("Personal center").waitFor();
    await phone.page.getByRole("button", { name: "3.99" }).tap();
    await sheet(phone).waitFor();
    await phone.page.goBack();
    await sheet(phone).waitFor({ state: "detached" });
    await phone.arrive("/personal_info");
    await phone.page.goBack();
    await phone.arrive("/home");
    await phone.heading("Never-offline VPN").waitFor();
  });

  test("answers a question with no: one stays, and the address bar says so", async () => {
    const phone = await fixture.phone({ account });
    await phone.choosePackage();
    await phone.page.goBack();
    await phone.see("Leave this payment?");
    await phone.arrive("/pay/monthly");
    await phone.page.goBack();
    await phone.words("Leave this payment?").waitFor({ state: "hidden" });
    await phone.arrive("/pay/monthly");
    await phone.page.goBack();
    await phone.see("Leave this payment?");
    await phone.tap("button", "Abandon payment");
    await phone.arrive("/buy");
    await phone.heading("Choose a package").waitFor();
  });

  test("never leads on to what was left by an arrow or by saving", async () => {
    const phone = await fixture.phone({ account });
    await phone.open("/home");
    await phone.open("/personal_info");
    await phone.alive();
    await phone.tap("link", "Settings");
    await phone.tap("link", "Personal Information");
    // The view before it has such an arrow, too.
    await phone.heading("Personal Information").waitFor();
    // Both before the browser has taken the step.
    await phone.control("button", "Back").evaluate((arrow: HTMLElement) => {
      arrow.click();
      arrow.click();
    });
    await phone.heading("Settings").waitFor();
    await phone.arrive("/setting");
    await phone.tap("link", "Personal Information");
    await phone.tap("button", "Confirm");
    await phone.see("Modified successfully");
    await phone.heading("Settings").waitFor();
    await phone.tap("button", "Back");
    await phone.heading("Personal center").waitFor();
    // A reload forgets nothing of that.
    await phone.tap("link", "Settings");
    await phone.heading("Settings").waitFor();
    await phone.page.reload();
    await phone.alive();
    await phone.tap("button", "Back");
    await phone.heading("Personal center").waitFor();
    await phone.page.goBack();
    await phone.arrive("/home");
  });

  test.each([
    ["moving", "no-preference"],
    ["still", "reduce"],
  ] as const)("brings a view back as it was left, scroll and typed text, %s", async (_, motion) => {
    const phone = await fixture.phone({ motion });
    const scrolled = () => phone.page.evaluate(() => window.scrollY);
    await phone.open("/home");
    await phone.alive();
    // What has not been drawn yet has an estimated height.
    await phone.page.locator("[data-undrawn]").waitFor({ state: "detached" });
    await phone.heading("Leave the light on").scrollIntoViewIfNeeded();
    const left = await scrolled();
    expect(left).toBeGreaterThan(1_000);
    // By its place: a tap on a name would scroll the bar into the middle first.
    const login = await phone.page.getByRole("banner").getByRole("link").boundingBox();
    await phone.page.touchscreen.tap((login?.x ?? 0) + 20, (login?.y ?? 0) + 20);
    await phone.field("account_name").fill("half a na");
    expect(await scrolled()).toBe(0);
    await phone.page.goBack();
    await phone.heading("Never-offline VPN").waitFor();
    await eventually(scrolled).toBe(left);
    await phone.page.goForward();
    await eventually(() => phone.field("account_name").inputValue()).toBe("half a na");
  });
});

describe("turning from view to view", () => {
  const way = (phone: Phone) =>
    phone.page.locator("[data-direction]:not([aria-hidden], [hidden])").getAttribute("data-direction");

  test("shows the way it leads", async () => {
    const phone = await fixture.phone({ account, motion: "no-preference" });
    await phone.open("/home");
    await phone.alive();
    await phone.page.getByRole("link", { name: account.name }).tap();
    await phone.heading("Personal center").waitFor();
    expect(await way(phone)).toBe("forward");
    await phone.tap("link", "Settings");
    await phone.heading("Settings").waitFor();
    await phone.tap("button", "Back");
    await phone.heading("Personal center").waitFor();
    await eventually(() => way(phone)).toBe("back");
    await phone.page.goForward();
    await phone.heading("Settings").waitFor();
    await eventually(() => way(phone)).toBe("forward");
    // With nothing of the app behind it, the arrow puts another screen in the place of this one.
    await phone.open("/setting");
    await phone.alive();
    await phone.tap("button", "Back");
    await phone.heading("Personal center").waitFor();
    await eventually(() => way(phone)).toBe("back");
  });

  test("does not move for those who asked for stillness", async () => {
    const phone = await fixture.phone({ account, motion: "reduce" });
    await phone.open("/home");
    await phone.alive();
    await phone.page.getByRole("link", { name: account.name }).tap();
    await phone.heading("Personal center").waitFor();
    expect(await phone.page.locator("[data-transition]").count()).toBe(0);
  });
});

test("an address without a screen of its own leads on, and one that leads nowhere says so, after a reload too", async () => {
  const phone = await fixture.phone();
  for (const [path, place, heading] of [
    ["/", "/home", "Never-offline VPN"],
    ["/buy/nothing of this name", "/buy/nothing%20of%20this%20name", "Choose a package"],
    ["/pay/nothing-chosen", "/buy", "Choose a package"],
  ] as const) {
    await phone.open(path);
    await phone.arrive(place);
    await phone.heading(heading).waitFor();
  }
  // The names of what every object has are paths like any other.
  for (const path of ["/constructor", "/__proto__", "/toString", "/no/such.page"]) {
    await phone.open(path);
    await phone.alive();
    await phone.heading("This page does not exist").waitFor();
  }
  await phone.page.reload();
  await phone.see("This page does not exist");
  await phone.tap("link", "Go to the home page");
  await phone.arrive("/home");
  await phone.heading("Never-offline VPN").waitFor();
});

test("the second tap of a double tap on Continue does not pay", async () => {
  const phone = await fixture.phone({ account: await fixture.service.join(freshName()) });
  await phone.open("/home");
  await phone.visit("/buy");
  await phone.page.locator('input[value="monthly"]').check();
  const session = await phone.context.newCDPSession(phone.page);
  await session.send("Animation.enable");
  // Time stands still in the moment that the second tap would come in.
  await session.send("Animation.setPlaybackRate", { playbackRate: 0 });
  const calls: string[] = [];
  phone.page.on("request", (request) => calls.push(new URL(request.url()).pathname));
  await phone.control("button", "Continue").tap();
  const pay = phone.control("button", "Pay {price} USDT", { price: "3.99" });
  const { x, y, width, height } = (await pay.boundingBox())!;
  const under = () =>
    phone.page.evaluate(
      ([left, top]) => document.elementFromPoint(left, top)?.closest("button")?.textContent ?? null,
      [x + width / 2, y + height / 2] as const,
    );
  expect(await under()).toBeNull();
  await phone.page.touchscreen.tap(x + width / 2, y + height / 2);
  expect(await pay.isEnabled()).toBe(true);
  await session.send("Animation.setPlaybackRate", { playbackRate: 1 });
  await eventually(under).toBe(await pay.textContent());
  expect(calls).not.toContain(paths.createOrder);
  await phone.order("3.99");
});

/* Leaving a payment. */

describe("one order", () => {
  test("the way back from the payment leads to the packages, not to a second order", async () => {
    const phone = await fixture.phone({ account: await fixture.service.join(freshName()) });
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
    const phone = await fixture.phone({ language, account });
    await phone.choosePackage();
    await phone.page.goBack();
    await stay(phone);
    await phone.page.goBack();
    await leave(phone);
  });

  test("a link asks, and each answer is followed", async () => {
    const phone = await fixture.phone({ language, account });
    await phone.choosePackage();
    await phone.tap("button", "Back");
    await stay(phone);
    await phone.tap("button", "Back");
    await leave(phone);
  });

  test("closing the tab asks, and each answer is followed", async () => {
    const phone = await fixture.phone({ language, account });
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
