/** The prerendered payment screen, filled in from what this browser stored of the order. Decision 13. */
import { describe, expect, test } from "vitest";
import { strangersOn, type Phone } from "../support/browser.ts";
import { repeats, shownIn } from "../support/lane.ts";
import { eventually, freshName, openFixture } from "./support.ts";
import { holdApp, shiftsOn, watchShifts } from "./prerendered-pages.ts";

const fixture = openFixture();

describe.each(shownIn("en"))("a payment that this browser began, in %s", (language) => {
  /** Where every piece of text stands, and every button. */
  const placesOn = ({ page }: Phone) =>
    page.evaluate(() => {
      const places: [text: string, x: number, y: number, width: number][] = [];
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const range = new Range();
        range.selectNodeContents(text);
        const { x, y, width, height } = range.getBoundingClientRect();
        const time = text.parentElement?.closest("[role=timer],[aria-live]");
        if (width > 1 && height > 1 && !time) places.push([text.textContent ?? "", x, y, width]);
      }
      return places;
    });
  const begin = async (network: "TRC20" | "ERC20") => {
    const account = await fixture.service.join(freshName());
    const phone = await fixture.phone({ account, language });
    await phone.choosePackage();
    const payment = await phone.order("3.99", network);
    return { phone, payment, path: new URL(phone.page.url()).pathname };
  };

  test.each<"TRC20" | "ERC20">(repeats ? ["TRC20", "ERC20"] : ["TRC20"])(
    "stands there on %s before the app does, and stays where it stands",
    async (network) => {
      const { phone, payment, path } = await begin(network);
      const release = await holdApp(phone);
      await watchShifts(phone);
      await phone.open(path);
      expect(await phone.readPayment(network)).toEqual(payment);
      expect(await strangersOn(phone.page, language)).toEqual([]);
      const first = await phone.secondsLeft();
      expect(first).toBeGreaterThan(1_700);
      await eventually(() => phone.secondsLeft()).toBeLessThan(first);
      const before = await placesOn(phone);
      release();
      await phone.alive();
      expect(await phone.readPayment(network)).toEqual(payment);
      expect(await placesOn(phone)).toEqual(before);
      expect(await shiftsOn(phone)).toEqual([]);
    },
  );

  test("counts down by the phone's own clock where what is kept of another is no number of milliseconds", async () => {
    const { phone, payment, path } = await begin("TRC20");
    await phone.page.evaluate(() => localStorage.setItem("clock", "Infinity"));
    const release = await holdApp(phone);
    await phone.open(path);
    expect(await phone.readPayment("TRC20")).toEqual(payment);
    expect(await phone.secondsLeft()).toBeGreaterThan(1_700);
    release();
    await phone.alive();
    expect(await phone.secondsLeft()).toBeGreaterThan(1_700);
  });

  test("is not shown of an order whose deadline no clock has", async () => {
    const { phone, payment, path } = await begin("TRC20");
    await phone.page.evaluate((key) => {
      const order = localStorage.getItem(key) ?? "";
      localStorage.setItem(key, order.replace(/"deadline":\d+/, '"deadline":1e999'));
    }, `order:${payment.orderId}`);
    const release = await holdApp(phone);
    await phone.open(path);
    expect(await phone.page.locator("#root").isVisible()).toBe(false);
    release();
    // By the API's own word.
    expect(await phone.readPayment("TRC20")).toEqual(payment);
  });

  test("keeps a tap that came before the app", async () => {
    const { phone, path } = await begin("TRC20");
    const release = await holdApp(phone);
    await phone.open(path);
    await phone.tap("button", "Complete the payment");
    release();
    await phone.arrive(/\/billDetail\//);
  });

  test("is not shown for another address than the one that was issued", async () => {
    const { phone, payment, path } = await begin("TRC20");
    const release = await holdApp(phone);
    await phone.open(path.replace(payment.address, "TLyqzVGLV1srkB7dToTAEqgDSfPtXRJZYH"));
    expect(await phone.page.locator("#root").isVisible()).toBe(false);
    release();
    await phone.heading("We cannot verify this payment link").waitFor();
    expect(await phone.page.getByText("____").count()).toBe(0);
  });
});
