/** The Content-Security-Policy in a real browser: nothing that is smuggled in runs. What it lets in of the card provider is in `providers.test.ts`. */
import { expect, test } from "vitest";
import { eventually, openFixture, watchRefusals } from "./support.ts";

const fixture = openFixture();

test("what is smuggled into a page does not run: no text becomes markup, script or style", async () => {
  const phone = await fixture.phone({ foreseen: /Content Security policy|Trusted(HTML|Script)/i });
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
