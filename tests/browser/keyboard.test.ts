/** The main job with a keyboard alone: each step reached with Tab, in sight, seen to be focused; and the focus back where it was after every sheet and question. */
import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import { violationsOn } from "../support/axe.ts";
import { PASSWORD, type Phone } from "../support/browser.ts";
import { shownIn } from "../support/lane.ts";
import { eventually, freshName, openFixture } from "./support.ts";

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
    await phone.page.locator("[data-turn]").first().waitFor({ state: "detached" });
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
