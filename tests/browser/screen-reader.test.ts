/** The main job as a screen reader tells it: what is heard on each screen, in which order, in both languages. */
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Browser } from "playwright-core";
import type { Language } from "../../src/contract/languages.ts";
import { heardOn } from "../support/screen-reader.ts";
import { openPhones, screens, show } from "../screens.ts";
import { offersIn, orders, startFixtureSite } from "../support/fixtures.ts";
import { shownIn } from "../support/lane.ts";
import { sharedBrowser } from "./support.ts";

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
    for (const screen of screens) {
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
