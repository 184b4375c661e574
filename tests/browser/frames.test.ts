/** Every address in its first moment: bar, title and the shape of what comes, with nothing of any one person in it and nothing that moves when the app draws its screen. Decision 13. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { addressOf, routes, type Route, type RouteName } from "../../src/app/navigation/routes.ts";
import { paths } from "../../src/contract/calls.ts";
import { languages, type Language } from "../../src/contract/languages.ts";
import { pageAt, pageFile } from "../../src/contract/pages.ts";
import { addresses } from "../screens.ts";
import type { Phone } from "../support/browser.ts";
import { offersIn } from "../support/fixtures.ts";
import { shownIn } from "../support/lane.ts";
import { eventually, freshName, openFixture } from "./support.ts";
import { headingsOn, holdApp, sentPage, shiftsOn, watchHeadings, watchShifts } from "./prerendered-pages.ts";

const fixture = openFixture();

/** An address of each route. */
const addressesOfRoutes = (Object.keys(routes) as RouteName[]).map((to) => {
  const { path }: Route = routes[to];
  const params = Object.fromEntries(
    Array.from(path.matchAll(/\$(\w+)/g), ([, name = ""]) => [name, "TRC20"]),
  );
  return addressOf({ to, params });
});

test.each(languages)("every route of the table has a page in %s", (language) => {
  const { site } = inject("setup");
  const missing = addressesOfRoutes.filter(
    (path) => !existsSync(join(site, pageFile(pageAt(path), language))),
  );
  expect(missing).toEqual([]);
});

test.each(["/pay", "/billDetail", "/buy/a/b", "/login/x", "/forgetPasswordInfo", "/constructor"])(
  "%s, which is no screen's address, has none",
  (path) => {
    expect(existsSync(join(inject("setup").site, pageFile(pageAt(path), "en"))) && pageAt(path) !== "").toBe(
      false,
    );
  },
);

test("nothing in a page belongs to one person", () => {
  const { site } = inject("setup");
  const found = languages.flatMap((language) =>
    addressesOfRoutes.flatMap((path) => {
      const file = pageFile(pageAt(path), language);
      const page = readFileSync(join(site, file), "utf8");
      const body = page.slice(page.indexOf('<div id="root">'));
      return [
        ...(body.match(/__user__/g) ?? []),
        // Its place for a name is empty, and so is every field.
        ...(body.match(/data-filled="(?:name|user)"[^>]*>[^<]+/g) ?? []),
        ...(body.match(/<input(?![^>]*type="(?:radio|checkbox)")[^>]* value="[^"]+"[^>]*>/g) ?? []),
      ].map((what) => `${file}: ${what}`);
    }),
  );
  expect(found).toEqual([]);
});

test("a member is sent what a visitor is sent", async () => {
  const { service } = fixture;
  const { token } = await service.join(freshName());
  for (const path of addressesOfRoutes) {
    const [theirs, anyones] = await Promise.all(
      [{ Authorization: `Bearer ${token}` }, {}].map(async (headers: Record<string, string>) =>
        (await fetch(service.origin + path, { headers })).text(),
      ),
    );
    expect({ path, same: theirs === anyones }).toEqual({ path, same: true });
  }
});

/** Bar, its controls and the title: where each is, and how large. */
const geometryOf = ({ page }: Phone) =>
  page.evaluate(() =>
    Array.from(document.querySelectorAll("#root header, #root header :is(a, button), #root h1"))
      .filter((each) => each.checkVisibility())
      .map((each) => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return [each.tagName, x, y, width, height];
      }),
  );

const placeOf = (path: string) => path.split("/")[1];
/** The payment has tests of its own, and the landing page, and an address that leads nowhere has no page. */
const framed = addresses.filter(({ path }) => !["payDetail", "home", "no"].includes(placeOf(path) ?? ""));

test.each(framed)("$path has its title before any script has run", async ({ path }) => {
  const { root } = await sentPage(fixture.service, path, "en");
  expect(root.querySelector("h1")?.textContent ?? "").not.toBe("");
});

test("without JavaScript a frame is seen", async () => {
  const phone = await fixture.phone({ still: true });
  await phone.open("/orders");
  await phone.heading("My orders").waitFor();
});

describe.each(shownIn("en"))("in %s", (language: Language) => {
  const storage = () => ({ selectedItem: JSON.stringify(offersIn(language).at(-1)) });

  test.each(framed)(
    "$path stands before the app does, and stays where it stands",
    async ({ path, isMember }) => {
      const account = isMember ? await fixture.service.join(freshName()) : undefined;
      const phone = await fixture.phone({ language, storage: storage(), ...(account && { account }) });
      const release = await holdApp(phone);
      await watchShifts(phone);
      await phone.open(path);
      await phone.page.locator("#root h1").waitFor();
      const [before, title] = [await geometryOf(phone), await phone.page.locator("#root h1").innerText()];
      expect(await phone.page.locator("#root").innerText()).not.toMatch(/__|7000000007/);
      release();
      await phone.alive();
      await eventually(() => phone.page.locator("#root [aria-busy=true]").count()).toBe(0);
      expect(await phone.page.locator("#root h1").innerText()).toBe(title);
      expect(await geometryOf(phone)).toEqual(before);
      // The service does not know the order of the table: what the bill says of that is longer.
      const shifts = placeOf(path) === "billDetail" ? [] : await shiftsOn(phone);
      expect(shifts).toEqual([]);
    },
  );

  test("the packages are there with the page, in their language, and can be bought though the API is slow", async () => {
    const phone = await fixture.phone({ language });
    await phone.page.route(`**${paths.packages}`, () => undefined);
    const release = await holdApp(phone);
    await phone.open("/buy");
    const offers = phone.page.locator("#root").getByRole("radio");
    expect(await offers.count()).toBe(4);
    await offers.nth(1).check();
    release();
    await phone.alive();
    expect(await offers.nth(1).isChecked()).toBe(true);
    expect(await phone.page.locator("[data-offer]").count()).toBe(0);
    await phone.tap("button", "Continue");
    await phone.arrive(/\/pay\//);
  });

  test("the name that is kept here stands in the personal center with its first picture", async () => {
    const account = await fixture.service.join(freshName());
    const phone = await fixture.phone({ language, account });
    await holdApp(phone);
    await phone.open("/personal_info");
    const shown = await phone.page
      .locator("[data-filled=name]")
      .evaluate((place) => getComputedStyle(place, "::before").content);
    expect(JSON.parse(shown)).toBe(account.name);
  });
});

describe("the first calls", () => {
  const sorted = (calls: readonly string[]) => calls.toSorted((one, other) => one.localeCompare(other));
  test.each([
    ["/personal_info", [paths.centre, paths.packages]],
    ["/buy", [paths.packages]],
    ["/modifyPassword", [paths.centre]],
    ["/sessions", [paths.sessions]],
  ])("of %s leave with the page, each once, as the member's own", async (path, calls) => {
    const account = await fixture.service.join(freshName());
    const phone = await fixture.phone({ account });
    const made: string[] = [];
    const tokens = new Set<string | undefined>();
    phone.page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith("/api/")) return;
      made.push(pathname);
      tokens.add(request.headers()["authorization"]);
    });
    const release = await holdApp(phone);
    await phone.open(path);
    await eventually(() => sorted(made)).toEqual(sorted(calls));
    release();
    await phone.alive();
    await eventually(() => phone.page.locator("#root [aria-busy=true]").count()).toBe(0);
    expect(sorted(made)).toEqual(sorted(calls));
    expect([...tokens]).toEqual([`Bearer ${account.token}`]);
  });

  test("are made again by the app where they fail", async () => {
    const phone = await fixture.phone({ foreseen: /ERR_FAILED/ });
    await phone.page.route(`**${paths.centre}`, (route) => route.abort(), { times: 1 });
    const account = await fixture.service.join(freshName());
    await phone.open("/login");
    await phone.logIn(account.name);
    await phone.arrive("/home");
    await phone.open("/personal_info");
    await phone.see("Not activated as a member");
  });
});

test("a visitor sees nothing of a member's screen", async () => {
  const phone = await fixture.phone();
  await watchHeadings(phone);
  await phone.open("/personal_info");
  await phone.arrive("/login");
  await phone.heading("Welcome back").waitFor();
  expect(await headingsOn(phone)).toEqual([phone.say("Welcome back")]);
});

test("the network that is picked before the app is there is the one that is paid on", async () => {
  const account = await fixture.service.join(freshName());
  const phone = await fixture.phone({ account });
  await phone.choosePackage();
  const release = await holdApp(phone);
  await phone.open(new URL(phone.page.url()).pathname);
  await phone.page
    .locator("#root")
    .getByRole("radio", { name: /^ERC20/ })
    .check();
  await phone.page.getByRole("button", { name: /^Pay / }).tap();
  release();
  await phone.arrive(/\/payDetail\/[^/]+\/[^/]+\/ERC20\//);
});
