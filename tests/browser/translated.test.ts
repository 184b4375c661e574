/** Pages that the browser translates as they change: whatever is said of the payment, of a form, of a failure is of now, and no screen breaks. Decision 21. */
import { describe, expect, test } from "vitest";
import { paths } from "../../src/contract/calls.ts";
import type { Phone } from "../support/browser.ts";
import { translate } from "../support/translator.ts";
import { repeated, shownIn } from "../support/lane.ts";
import { eventually, freshName, openFixture } from "./support.ts";

const fixture = openFixture();

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
    await lookAgain(phone);
    await phone.arrive(/\/billDetail\//);
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
