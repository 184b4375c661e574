/** In which order a prerendered page loads: its first drawings before any file of the app, on any static host. Decision 13. */
import { describe, expect, test } from "vitest";
import type { BrowserSetup } from "../support/browser-setup.ts";
import { serveSite } from "../support/static-site.ts";
import { shownIn } from "../support/lane.ts";
import { eventually, freshName, openFixture, openFixtureWith } from "./support.ts";
import { headingsOn, holdApp, pages, watchHeadings } from "./prerendered-pages.ts";

const fixture = openFixture();

const isLoaded = (picture: SVGElement | HTMLElement) =>
  picture instanceof HTMLImageElement && picture.complete && picture.naturalWidth > 0;

test("no file of the app is asked for before the page has been drawn, nor ever one of its first drawings", async () => {
  const phone = await fixture.phone();
  const release = await holdApp(phone);
  await phone.open("/home");
  const drawings = phone.page.locator("#root").locator("svg.hero, svg.logo-en");
  const widths = () => drawings.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width));
  const before = await widths();
  expect(before).toEqual([expect.closeTo(86, 0), 390]);
  release();
  await phone.alive();
  // The app leaves them where they are.
  expect(await widths()).toEqual(before);
  const { drawn, first, pictures } = await phone.page.evaluate(() => ({
    drawn: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity,
    first: Math.min(
      ...performance
        .getEntriesByType("resource")
        .filter(({ name }) => name.endsWith(".js"))
        .map(({ startTime }) => startTime),
    ),
    pictures: performance.getEntriesByType("resource").filter(({ name }) => /\/(hero|logo)/.test(name))
      .length,
  }));
  // On a machine that stands still, the app waits for no more than three seconds.
  expect(first).toBeGreaterThan(Math.min(drawn, 3_000));
  expect(pictures).toBe(0);
});

test("what is below the fold waits until what is above it has been drawn, and is there then", async () => {
  const phone = await fixture.phone();
  await holdApp(phone);
  await phone.open("/home");
  const below = phone.page.locator("[data-below]");
  await eventually(() =>
    below.evaluateAll((all) => all.map((each) => each.firstElementChild?.checkVisibility())),
  ).toEqual([true, true, true, true, true]);
  await eventually(() => phone.page.locator("[data-below] img").first().evaluate(isLoaded)).toBe(true);
  const { drawn, asked } = await phone.page.evaluate(() => ({
    drawn: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity,
    asked: Array.from(document.querySelectorAll<HTMLImageElement>("[data-below] img"))
      .flatMap(({ src }) => performance.getEntriesByName(src))
      .map(({ startTime }) => startTime),
  }));
  expect(asked).not.toEqual([]);
  expect(Math.min(...asked)).toBeGreaterThan(drawn);
  const links = phone.page.locator("link[rel=manifest], link[rel=icon]");
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
    "/manifest.webmanifest",
    "/favicon.png",
    "/favicon.svg",
  ]);
});

test("in the background, where nothing is drawn, nothing waits for it", async () => {
  const phone = await fixture.phone();
  await phone.page.addInitScript(() => {
    Object.defineProperty(document, "hidden", { value: true });
    Object.defineProperty(PerformanceObserver.prototype, "observe", { value: () => undefined });
  });
  await phone.open("/home");
  await eventually(() => phone.page.locator("link[rel=icon]").first().getAttribute("href")).toBe(
    "/favicon.png",
  );
  await phone.alive();
});

test.each([
  ["/orders", /\/assets\/orders-.*\.js$/, "**/api/order/list", "No orders yet"],
  ["/personal_info", /\/assets\/account-.*\.js$/, "**/api/user/center", "Not activated as a member"],
] as const)("%s asks the API while its code is on its way", async (path, code, call, seen) => {
  const account = await fixture.service.join(freshName());
  const phone = await fixture.phone({ account });
  let release = () => {};
  const free = new Promise<void>((resolve) => {
    release = resolve;
  });
  await phone.page.route(code, async (route) => {
    await free;
    await route.continue();
  });
  const asked = phone.page.waitForRequest(call);
  await phone.page.goto(path, { waitUntil: "commit" });
  await asked;
  expect(await phone.words(seen).count()).toBe(0);
  release();
  await phone.see(seen);
});

describe("on any static host", () => {
  const host = openFixtureWith(({ site }: BrowserSetup) =>
    serveSite(site, () => ({ "/config.json": { sandbox: false } })),
  );

  test.each(shownIn("en"))(
    "every page opens in the browser's language and comes to life, in %s",
    async (language) => {
      const phone = await host.phone({ language });
      await watchHeadings(phone);
      for (const [path, heading] of pages) {
        await phone.open(path);
        await phone.alive();
        await eventually(() => headingsOn(phone)).toEqual([phone.say(heading)]);
        expect(await phone.page.title()).toContain(phone.product);
      }
    },
  );

  test("a page that comes for another address is not shown", async () => {
    const phone = await host.phone();
    await watchHeadings(phone);
    await phone.page.route("**/no/such", async (route) =>
      route.fulfill({ response: await route.fetch({ url: `${host.service.origin}/home` }) }),
    );
    await phone.open("/no/such");
    await phone.heading("Nothing here").waitFor();
    expect(await headingsOn(phone)).toEqual([phone.say("Nothing here")]);
  });
});
