/** The Content-Security-Policy in a real browser: nothing that is smuggled in runs, and the card provider is let in where a card is paid. */
import { describe, expect, test } from "vitest";
import type { BrowserContext } from "playwright-core";
import { paths } from "../../src/contract/calls.ts";
import { startService } from "../support/browser.ts";
import { eventually, freshName, openHouse, openHouseOf } from "./support.ts";

const POLICY = "content-security-policy";

/** What the documents of a context were refused from now on. */
async function watchRefusals(context: BrowserContext): Promise<string[]> {
  const refused: string[] = [];
  await context.exposeBinding("refused", (_, what: string) => void refused.push(what));
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) => {
      const { refused } = window as unknown as { refused: (what: string) => void };
      refused([location.pathname, violatedDirective, blockedURI, sample].join(" "));
    });
  });
  return refused;
}

const house = openHouse();

test("what is smuggled into a page does not run: no text becomes markup, script or style", async () => {
  const phone = await house.phone({ foreseen: /Content Security policy|Trusted(HTML|Script)/i });
  const refused = await watchRefusals(phone.context);
  await phone.open("/login");
  await phone.alive();
  const outcome = await phone.page.evaluate(async () => {
    const told: Record<string, unknown> = {};
    const attempt = (name: string, run: () => unknown) => {
      try {
        told[name] = run();
      } catch (error) {
        told[name] = (error as Error).name;
      }
    };
    const add = <K extends keyof HTMLElementTagNameMap>(tag: K) =>
      document.body.appendChild(document.createElement(tag));
    const { trustedTypes } = window as unknown as {
      trustedTypes: { createPolicy: (name: string, rules: object) => object };
    };
    attempt("markup", () => (add("div").innerHTML = "<img src=x onerror=window.ran=1>"));
    attempt("parser", () => new DOMParser().parseFromString("<p>", "text/html").title);
    attempt("script's address", () => (add("script").src = "/sw.js"));
    attempt("script's text", () => (add("script").textContent = "window.ran=1"));
    attempt("another policy", () => trustedTypes.createPolicy("mine", {}));
    attempt("the same policy again", () => trustedTypes.createPolicy("app", {}));
    attempt("handler", () => add("img").setAttribute("onerror", "window.ran=1"));
    add("style").append("body{position:fixed}");
    add("div").setAttribute("style", "position:fixed");
    const frame = add("iframe");
    frame.src = "https://elsewhere.example/";
    const base = document.head.appendChild(document.createElement("base"));
    base.href = "https://elsewhere.example/";
    await fetch("https://elsewhere.example/").catch(() => (told["fetch"] = "refused"));
    told["fixed"] = [...document.querySelectorAll("body, body > div")].some(
      (element) => getComputedStyle(element).position === "fixed" && element.id === "",
    );
    told["base"] = document.baseURI.startsWith(location.origin);
    told["ran"] = "ran" in window;
    return told;
  });
  expect(outcome).toEqual({
    markup: "TypeError",
    parser: "TypeError",
    "script's address": "TypeError",
    "script's text": "TypeError",
    "another policy": "TypeError",
    "the same policy again": "TypeError",
    handler: "TypeError",
    fetch: "refused",
    fixed: false,
    base: true,
    ran: false,
  });
  await eventually(() => refused.length).toBeGreaterThan(8);
});

describe("where cards are taken for real", () => {
  const live = openHouseOf((parts) =>
    startService(parts, {
      PAYMENTS: "live",
      RAZORPAY_KEY_ID: "rzp_live_1",
      RAZORPAY_KEY_SECRET: "secret",
      RAZORPAY_WEBHOOK_SECRET: "secret",
    }),
  );

  /** In place of the card provider's script: it writes markup, styles and a frame, as it likes. */
  const providerScript = `
    window.Razorpay = class { on() {} createPayment() {} };
    document.body.insertAdjacentHTML("beforeend", '<p id="theirs" style="position:fixed">Theirs</p><style>#theirs{opacity:.5}</style>');
    document.body.append(Object.assign(document.createElement("iframe"), { src: "https://api.razorpay.com/frame" }));`;

  test("the card provider's script runs in the card screen's document, and in no other", async () => {
    const account = await live.service.join(freshName());
    const phone = await live.phone({ account });
    const { page, context } = phone;
    const refused = await watchRefusals(context);
    let loaded = 0;
    await context.route("https://checkout.razorpay.com/**", (route) => {
      loaded += 1;
      return route.fulfill({ contentType: "text/javascript", body: providerScript });
    });
    await context.route("https://api.razorpay.com/**", (route) =>
      route.fulfill({ contentType: "text/html", body: "The bank" }),
    );
    // Nothing is asked of the provider itself.
    const order = { order_id: "7KQ2M9XW4TB3HDNE", payment_amount: "3.99", third_reference_id: "order_1" };
    await context.route(`**${paths.createCardOrder}`, (route) =>
      route.fulfill({ json: { code: 200, message: "", data: { order }, server_time: Date.now() } }),
    );
    await phone.open("/personal_info");
    await phone.alive();
    await page.evaluate(() => Object.assign(window, { first: true }));
    await page.getByRole("button", { name: /^Monthly/ }).tap();
    await page.getByRole("dialog").getByRole("button", { name: /^Card/ }).tap();
    await phone.arrive("/razorpayDetail");
    await phone.field("card_number").fill("4012888888881881");
    await page.locator("#theirs").waitFor();
    await page.frameLocator("iframe").getByText("The bank").waitFor();
    const looks = await page
      .locator("#theirs")
      .evaluate((element) => [getComputedStyle(element).position, getComputedStyle(element).opacity]);
    expect({ looks, loaded, first: await page.evaluate(() => "first" in window), refused }).toEqual({
      looks: ["fixed", "0.5"],
      loaded: 1,
      first: false,
      refused: [],
    });
    const policyOf = async (path: string) => (await fetch(live.service.origin + path)).headers.get(POLICY);
    expect(await policyOf("/personal_info")).not.toContain("razorpay");
  });
});
