/** The main job with a keyboard alone, as a screen reader tells it, and on a page that the browser translates. What axe says of each screen is in `screens.test.ts`. Decision 21. */
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Browser, Locator } from "playwright-core";
import { paths } from "../../src/contract/calls.ts";
import type { Language } from "../../src/contract/languages.ts";
import { byPerson, openPhones, screens, show } from "../screens.ts";
import { violationsOn } from "../support/axe.ts";
import { PASSWORD, type Phone } from "../support/browser.ts";
import { offersIn, orders, startFixtureSite } from "../support/fixtures.ts";
import { repeated, shownIn } from "../support/lane.ts";
import { heardOn } from "../support/screen-reader.ts";
import { translate } from "../support/translator.ts";
import { eventually, freshName, openFixture, sharedBrowser } from "./support.ts";

/* With a keyboard alone: each step reached with Tab, in sight, seen to be focused; and the focus back where it was after every sheet and question. */

const fixture = openFixture();

/** More controls than any screen has. */
const MOST_STEPS = 40;

/** What is amiss with the focus as it stands: nowhere, out of sight, covered, or not to be seen. */
const focusFaults = ({ page }: Phone) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement) || focused === document.body) return ["nothing is focused"];
    // A box that is drawn by its neighbour has its ring there, too.
    const family = [focused, ...(focused.parentElement?.querySelectorAll("*") ?? [])];
    const isRinged = family.some((element) => {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element);
      const isDrawn =
        outlineStyle !== "none" && outlineWidth !== "0px" && outlineColor !== "rgba(0, 0, 0, 0)";
      return isDrawn || boxShadow !== "none";
    });
    const { left, top, width, height } = focused.getBoundingClientRect();
    const found = document.elementFromPoint(left + width / 2, top + height / 2);
    const isSeen =
      found !== null &&
      (focused.contains(found) || found.contains(focused) || found.closest("label")?.contains(focused));
    const name = focused.outerHTML.slice(0, 120);
    return [...(isRinged ? [] : [`${name} has no ring`]), ...(isSeen ? [] : [`${name} is covered`])];
  });

class Keys {
  readonly #phone: Phone;
  constructor(phone: Phone) {
    this.#phone = phone;
  }
  press = (key: string) => this.#phone.page.keyboard.press(key);
  type = (text: string) => this.#phone.page.keyboard.insertText(text);

  /** Goes on with Tab until `selector` is focused. */
  async reach(selector: string): Promise<void> {
    for (let step = 0; step < MOST_STEPS; step += 1) {
      await this.press("Tab");
      if (await this.#phone.page.evaluate((it) => document.activeElement?.matches(it), selector)) {
        expect(await focusFaults(this.#phone)).toEqual([]);
        return;
      }
    }
    throw new Error(`Tab never came to ${selector}.`);
  }
  async reachControl(role: "button" | "link", id: string, values?: Record<string, string>): Promise<void> {
    const control = this.#phone.control(role, id, values);
    await control.waitFor();
    await this.tabTo(control, id);
  }
  /** The same for a control that is there, and that may leave meanwhile: it is not waited for. */
  async tabTo(control: Locator, id: string): Promise<void> {
    for (let step = 0; step < MOST_STEPS; step += 1) {
      await this.press("Tab");
      if (await control.evaluateAll(([element]) => element === document.activeElement)) {
        expect(await focusFaults(this.#phone)).toEqual([]);
        return;
      }
    }
    throw new Error(`Tab never came to "${id}".`);
  }
}

/** What has the focus, in its own words. */
const focused = ({ page }: Phone) =>
  page.evaluate(
    () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent,
  );

describe.each(shownIn("en"))("in %s", (language) => {
  test("register, buy, pay, see the bill", async () => {
    // With all that moves: what is left is to be seen for a moment longer, and is not where one goes on.
    const phone = await fixture.phone({ language, motion: "no-preference" });
    const keys = new Keys(phone);
    await phone.open("/home");
    await phone.heading("Never-offline VPN").waitFor();

    await keys.reachControl("button", "Change language");
    await keys.press("Enter");
    await phone.page.getByRole("dialog").waitFor();
    // Nothing behind it is reached, forwards or backwards.
    for (const key of ["Shift+Tab", "Shift+Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab"]) {
      await keys.press(key);
      expect(await phone.page.evaluate(() => document.activeElement?.closest("#root") ?? null)).toBe(null);
    }
    await phone.page.getByRole("dialog").getByRole("button").first().focus();
    await keys.press("Escape");
    await phone.page.getByRole("dialog").waitFor({ state: "hidden" });
    await eventually(() => focused(phone)).toBe(phone.say("Change language"));

    await keys.reachControl("link", "Create an account");
    await keys.press("Enter");
    await phone.arrive("/register");
    await eventually(() => focused(phone)).toBe(phone.say("Create an account"));
    // A mistake leads to the field that it is in.
    await keys.reach('[name="account_name"]');
    await keys.type("Ann");
    await keys.reach('[name="agreement"]');
    await keys.press("Space");
    await keys.reachControl("button", "Create account");
    await keys.press("Enter");
    await eventually(() => phone.page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe(
      "account_name",
    );
    const name = freshName();
    await keys.press("ControlOrMeta+a");
    await keys.type(name);
    await keys.press("Tab");
    await keys.type(PASSWORD);
    await keys.press("Enter");
    await phone.arrive("/home");
    await eventually(() => focused(phone)).toBe(phone.say("Never-offline VPN"));
    await phone.page.locator("[data-transition]").first().waitFor({ state: "detached" });
    expect(await violationsOn(phone)).toEqual([]);

    await keys.reachControl("link", "Buy a membership");
    await keys.press("Enter");
    await phone.arrive("/buy");
    await phone.see("Continue");
    await keys.reach('[name="package"]');
    await keys.press("ArrowDown");
    await phone.page.locator('input[value="quarterly"]:checked').waitFor();
    await keys.reachControl("button", "Continue");
    await keys.press("Enter");
    await phone.arrive("/pay/quarterly");
    await phone.see("Which network will you send on?");

    await keys.reachControl("button", "Back");
    await keys.press("Enter");
    await phone.see("Leave this payment?");
    expect(await focused(phone)).toBe(phone.say("Continue payment"));
    expect(await focusFaults(phone)).toEqual([]);
    await keys.press("Escape");
    await phone.words("Leave this payment?").waitFor({ state: "hidden" });
    await eventually(() => focused(phone)).toBe(phone.say("Back"));

    await keys.reach('[value="TRC20"]');
    await keys.press("ArrowDown");
    await keys.reachControl("button", "Pay {price} USDT", { price: "9.99" });
    await keys.press("Enter");
    const payment = await phone.readPayment("ERC20");
    await keys.reachControl("button", "Copy the address");
    await keys.press("Enter");
    await phone.see("Copied");
    expect(await phone.clipboard()).toBe(payment.address);
    await keys.reachControl("button", "Complete the payment");
    await keys.press("Enter");
    await phone.see("Pending");
    await fixture.service.transfer(payment);
    await eventually(async () => {
      const again = phone.control("button", "Check again");
      if (await again.isVisible()) {
        await keys.tabTo(again, "Check again");
        await keys.press("Enter");
      }
      return phone.words("Confirmed").first().isVisible();
    }).toBe(true);
    await keys.reachControl("link", "See my membership");
    await keys.press("Enter");
    await phone.arrive("/personal_info");
    await eventually(() => focused(phone)).toBe(phone.say("Personal center"));
  });

  test("a wheel turns under the arrows, is taken with Enter, and gives the focus back", async () => {
    const account = await fixture.service.join(freshName());
    const phone = await fixture.phone({ language, account });
    const keys = new Keys(phone);
    await phone.open("/personalInformation");
    await phone.see("Nickname");
    const gender = phone.page.getByRole("button", { name: phone.say("Gender") });
    await gender.focus();
    await keys.press("Enter");
    await phone.page.getByRole("slider").waitFor();
    await keys.reach("[role=slider]");
    await keys.press("ArrowDown");
    await keys.press("Enter");
    await phone.page.getByRole("dialog").waitFor({ state: "hidden" });
    await eventually(() => gender.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await gender.textContent()).toBe(phone.say("Female"));
  });

  test("the sandbox's wallet is for everyone, too", async () => {
    const phone = await fixture.phone({ language });
    await phone.open(`/sandbox/wallet?language=${language}`);
    expect(await violationsOn(phone)).toEqual([]);
  });
});

/* By ear: what is heard on each screen, in which order. */

let browser: Browser;
let fixtureSite: Awaited<ReturnType<typeof startFixtureSite>>;
beforeAll(async () => {
  const setup = inject("setup");
  [browser, fixtureSite] = await Promise.all([sharedBrowser(), startFixtureSite(setup)]);
});
afterAll(async () => {
  await fixtureSite?.stop();
});

type Say = (id: string, values?: Record<string, string | number>) => string;
type Lines = (say: Say, language: Language) => string[];

const agreement = "I have read and agree to the <0>user service agreement</0>";
const otherWays =
  "New days are added to any you have left. The next step is payment in USDT; for other payment methods, go to your <0>personal center</0>.";
/** The words of it that lead somewhere. */
const linkIn = (words: string) => /<0>(.+)<\/0>/.exec(words)?.[1];

/** Of these screens the landmarks, headings, controls and pictures: the texts between them are heard with what they label. */
const controls: Record<string, Lines> = {
  register: (say) => [
    "banner",
    `button: ${say("Back")}`,
    "main",
    `heading: ${say("Create an account")}`,
    `textbox: ${say("Account")}, required`,
    `textbox: ${say("Password")}, required`,
    `button: ${say("Show the password")}`,
    `checkbox: ${say(agreement).replaceAll(/<\/?0>/g, "")}`,
    `link: ${linkIn(say(agreement))}`,
    `button: ${say("Create account")}`,
    `link: ${say("I already have an account")}`,
  ],
  buy: (say, language) => [
    "banner",
    `button: ${say("Back")}`,
    "main",
    `heading: ${say("Choose a package")}`,
    ...offersIn(language).map(({ name, buy_price, day_price, discount }, at) =>
      [
        `radio: ${name}`,
        `USD ${buy_price}`,
        say("USD {perDay} a day", { perDay: day_price }),
        say("{percent}% of list price", { percent: discount }),
        ...(at % 2 === 1 ? [say("Recommended")] : []),
      ].join(" "),
    ),
    `link: ${linkIn(say(otherWays))}`,
    `button: ${say("Continue")}`,
  ],
  pay: (say) => [
    "banner",
    `button: ${say("Back")}`,
    `heading: ${say("Pay")}`,
    "main",
    `radio: TRC20 ${say("Lower fees")} ${say("The Tron network. Sending costs little.")}`,
    `radio: ERC20 ${say("The Ethereum network. Sending costs more.")}`,
    `button: ${say("Pay {price} USDT", { price: "29.99" })}`,
  ],
  "payment-late": (say) => [
    "banner",
    `button: ${say("Back")}`,
    `heading: ${say("Send the payment")}`,
    "main",
    `timer: ${say("Time left to pay")}, 00:00`,
    "status",
    `link: ${say("Make a new order")}`,
    `button: ${say("Copy the amount")}`,
    `button: ${say("Copy the address")}`,
    `image: ${say("QR code of the {network} address", { network: "TRC20" })}`,
    `heading: ${say("Before you pay")}`,
    `button: ${say("Copy the order number")}`,
    `button: ${say("Contact customer support")}`,
    `button: ${say("Complete the payment")}`,
  ],
  "bill-confirmed": (say) => [
    "banner",
    `button: ${say("Back")}`,
    `heading: ${say("Your bill")}`,
    `link: ${say("Receipt")}`,
    "main",
    "status",
    `heading: ${say("Confirmed")}`,
    `link: ${say("Confirmations")} ${say("{confirmations} of {needed}", { confirmations: 20, needed: 20 })} b7a1c64d…2e83d1 ${say("Show the transaction in an explorer")}`,
    `button: ${say("Copy the order number")}`,
    `button: ${say("Contact customer support")}`,
    `link: ${say("See my membership")}`,
    `link: ${say("Get the app")}`,
  ],
};

/** A sentence as its lines: what a translator must leave alone is an element of its own in it. */
const textsOf = (sentence: string, ...untranslated: string[]) =>
  sentence
    .split(new RegExp(`(${untranslated.join("|")})`))
    .filter((part) => part !== "")
    .map((part) => `text: ${part.trim()}`);

/** Of these every word: here a payment is made. */
const words: Record<string, Lines> = {
  payment: (say) => [
    "banner",
    `button: ${say("Back")}`,
    `heading: ${say("Send the payment")}`,
    "main",
    `timer: ${say("Time left to pay")}, 24:00`,
    `text: ${say("left to send the payment")}`,
    `text: ${say("Less than {minutes} minutes left to pay", { minutes: 25 })}`,
    `text: ${say("Send exactly")}`,
    "text: 29.99",
    "text: USDT",
    `button: ${say("Copy the amount")}`,
    ...textsOf(say("To this {network} address", { network: "TRC20" }), "TRC20"),
    ...["TR7N", "Hq", "je", "KQxG", "TCi8", "q8ZY", "4pL8", "otSz", "gjLj", "6t"].map(
      (part) => `text: ${part}`,
    ),
    `button: ${say("Copy the address")}`,
    `image: ${say("QR code of the {network} address", { network: "TRC20" })}`,
    ...textsOf(
      say("Send only USDT, and only on {network}. Anything else may be lost.", { network: "TRC20" }),
      "USDT",
      "TRC20",
    ),
    `heading: ${say("Before you pay")}`,
    `text: ${say("Please do not close this page until you have paid. The address is for this order only: each new purchase makes a new order.")}`,
    `text: ${say("Sent late, or in two parts? It still counts towards this order. Your membership starts once the full amount has arrived.")}`,
    ...textsOf(
      say(
        "If your exchange charges a fee, add it on top so that {sum} arrives. If you used another network, the money is not credited automatically and may be lost: contact support.",
        { sum: "29.99\u00A0USDT" },
      ),
      "29.99\u00A0USDT",
    ),
    `text: ${say("Order number")}`,
    `text: ${orders.open.order_id}`,
    `button: ${say("Copy the order number")}`,
    `button: ${say("Contact customer support")}`,
    `button: ${say("Complete the payment")}`,
  ],
  "pay-leave": (say) => [
    `alertdialog: ${say("Leave this payment?")}`,
    `heading: ${say("Leave this payment?")}`,
    `text: ${say("Nothing has been charged. You can come back and pay at any time.")}`,
    `button: ${say("Continue payment")}`,
    `button: ${say("Abandon payment")}`,
  ],
};

describe.each(shownIn("zh-CN"))("in %s", (language) => {
  test("every screen of the main job is told in its order, and nothing else", async () => {
    const phones = openPhones(browser, fixtureSite, { language });
    const told: Record<string, string[]> = {};
    const expected: Record<string, string[]> = {};
    for (const screen of byPerson(screens)) {
      const { name } = screen;
      const lines = controls[name] ?? words[name];
      if (!lines) continue;
      const phone = await phones.of(screen);
      await show(phone, screen);
      const heard = await heardOn(phone.page);
      told[name] = name in words ? heard : heard.filter((line) => !line.startsWith("text: "));
      expected[name] = lines((id, values) => phone.say(id, values), language);
    }
    await phones.close();
    expect(Object.keys(told)).toHaveLength(Object.keys(controls).length + Object.keys(words).length);
    expect(told).toEqual(expected);
  });
});

/* Translated as it changes: whatever is said of the payment, of a form, of a failure is of now. */

/** React may still be taking the page over when it is translated, and says that it draws it anew. */
const drawnAnew = /Minified React error #418/;

/** From here on the page's words stand in brackets. */
const translateOn = ({ page }: Phone) => page.evaluate(translate, ["[", "]"] as const).then(() => undefined);

/** What can be read at a selector, piece by piece, without the brackets. */
const readOn = async ({ page }: Phone, selector: string) =>
  (await page.locator(selector).filter({ visible: true }).allInnerTexts())
    .map((text) => text.replaceAll(/[[\]]/g, "").replaceAll(/\s+/g, " ").trim())
    .filter((text) => text !== "");

const lookAgain = ({ page }: Phone) =>
  page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange")));

/** Whether every word outside of what is fixed is the translator's. */
const isTranslated = ({ page }: Phone) =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode as Text;
      if (data.trim() === "" || parentElement?.closest("[translate=no], script, style, noscript")) continue;
      if (parentElement?.localName !== "font") return false;
    }
    return true;
  });

describe.each(shownIn("zh-CN"))("on a translated page, in %s,", (language) => {
  const openPhone = async () => {
    const account = await fixture.service.join(freshName());
    return { account, phone: await fixture.phone({ account, language }) };
  };

  test("a payment tells of each part that arrives", async () => {
    const { phone } = await openPhone();
    await phone.choosePackage();
    const payment = await phone.order("3.99");
    await translateOn(phone);
    const told = async () => {
      await lookAgain(phone);
      return readOn(phone, "main [role=status]");
    };
    for (const [amount, received, missing] of [
      ["1.50", "1.50", "2.49"],
      ["1.00", "2.50", "1.49"],
    ] as const) {
      await fixture.service.transfer({ ...payment, amount });
      await eventually(told).toEqual([
        phone.say(
          "{received} USDT has arrived. Please send the missing {missing} USDT to the same address.",
          { received, missing },
        ),
      ]);
      expect(await readOn(phone, "main li")).toContainEqual(expect.stringContaining(`${missing} USDT`));
    }
    expect(await isTranslated(phone)).toBe(true);
    await fixture.service.transfer({ ...payment, amount: "1.49" });
    // The first look may come before the money does.
    await eventually(async () => {
      await lookAgain(phone);
      return phone.page.url();
    }).toContain("/billDetail/");
    await eventually(async () => {
      await lookAgain(phone);
      return readOn(phone, "h2");
    }).toEqual([phone.say("Confirmed")]);
  });

  // In jsdom, on a page that a translator changes, these are shown of every screen.
  describe.each(repeated)("too,", () => {
    test("a bill tells of a part that is missing, of the check that was asked for, and of the confirmation", async () => {
      const { account, phone } = await openPhone();
      const order = await fixture.service.order(account);
      await phone.open(`/billDetail/${order.orderId}/0/${order.amount}/-`);
      await phone.value("Order number").waitFor();
      await translateOn(phone);
      const told = () => readOn(phone, "main [role=status] p");
      const again = () => phone.page.getByRole("button", { name: phone.say("Check again") }).tap();
      await again();
      await eventually(told).toContain(phone.say("Checked again: it is not confirmed yet."));
      for (const [amount, missing] of [
        ["1.50", "2.49"],
        ["1.00", "1.49"],
      ] as const) {
        await fixture.service.transfer({ ...order, amount });
        await eventually(async () => {
          await lookAgain(phone);
          return told();
        }).toContain(
          phone.say(
            "Send the missing {missing} USDT to the same address. Your membership then starts automatically.",
            { missing },
          ),
        );
        expect(await readOn(phone, "main [role=status]")).toContainEqual(
          expect.stringContaining(phone.say("Part of it has arrived")),
        );
      }
      await fixture.service.transfer({ ...order, amount: "1.49" });
      await eventually(async () => {
        await lookAgain(phone);
        return readOn(phone, "h2");
      }).toEqual([phone.say("Confirmed")]);
      expect(await readOn(phone, "main a")).toEqual(
        ["See my membership", "Get the app"].map((words) => phone.say(words)),
      );
      expect(await isTranslated(phone)).toBe(true);
    });

    test("a list that did not come is there when it is asked for again", async () => {
      const phone = await fixture.phone({ language, foreseen: /ERR_FAILED|50[34]/ });
      let answer: "lost" | 503 | "real" = "lost";
      await phone.page.route(`**${paths.packages}`, (route) => {
        if (answer === "lost") return route.abort();
        return answer === "real" ? route.continue() : route.fulfill({ status: answer });
      });
      await phone.open("/home");
      await phone.visit("/buy");
      await phone.see("No connection. Check your network and try again.");
      await translateOn(phone);
      const again = () => phone.page.getByRole("button", { name: phone.say("Try again") }).tap();
      answer = 503;
      await again();
      await eventually(() => readOn(phone, "[role=alert]")).toEqual([
        expect.stringContaining(phone.say("Service unavailable")),
      ]);
      answer = "real";
      await again();
      await phone.page.getByRole("radio").first().waitFor();
      expect(await readOn(phone, "[role=alert]")).toEqual([]);
      expect(await isTranslated(phone)).toBe(true);
    });

    test("a form says what is wrong with it now, and nothing of before", async () => {
      const account = freshName();
      await fixture.service.join(account);
      const phone = await fixture.phone({ language, foreseen: drawnAnew });
      await phone.open("/login");
      await phone.alive();
      await translateOn(phone);
      const submit = () => phone.page.getByRole("main").locator("button[type=submit]").tap();
      const faults = () => readOn(phone, "main [role=alert]");
      await submit();
      await eventually(faults).toEqual([phone.say("Please enter your account and password")]);
      await phone.field("account_name").fill(account);
      await eventually(faults).toEqual([]);
      await phone.field("password").fill("not the password");
      await submit();
      await eventually(faults).toEqual([
        expect.not.stringContaining(phone.say("Please enter your account and password")),
      ]);
      expect(await readOn(phone, "[role=status]")).toEqual(await faults());
      await phone.field("password").fill("");
      await submit();
      await eventually(faults).toEqual([phone.say("Please enter your account and password")]);
      expect(await isTranslated(phone)).toBe(true);
    });

    test("another language is all in that language", async () => {
      const phone = await fixture.phone({ language, foreseen: drawnAnew });
      await phone.open("/home");
      await phone.alive();
      await translateOn(phone);
      const [english, chinese] = ["English", "简体中文"];
      await phone.page.getByRole("button", { name: phone.say("Change language") }).tap();
      await phone.page.getByRole("button", { name: language === "en" ? chinese : english }).tap();
      phone.language = language === "en" ? "zh-CN" : "en";
      await eventually(() => readOn(phone, "h1")).toEqual([phone.say("Never-offline VPN")]);
      const words = (await readOn(phone, "main")).join();
      const foreign = phone.language === "en" ? /\p{Script=Han}/u : /\b(the|and|your)\b/i;
      expect(words).not.toMatch(foreign);
      expect(await phone.page.title()).toContain(phone.product);
      expect(await isTranslated(phone)).toBe(true);
    });
  });
});
