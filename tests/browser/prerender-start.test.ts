/** Between a page's first drawing and the app: in which order files come, what a user does before they have, and what happens where one does not come. Decision 13. */
import { describe, expect, test } from "vitest";
import { paths } from "../../src/contract/calls.ts";
import { PASSWORD, type Phone } from "../support/browser.ts";
import type { BrowserSetup } from "../support/browser-setup.ts";
import { repeated, repeats, shownIn } from "../support/lane.ts";
import { serveSite } from "../support/static-site.ts";
import { eventually, freshName, openFixture, openFixtureWith } from "./support.ts";
import { headingsOn, holdApp, pages, watchHeadings } from "./prerendered-pages.ts";

const fixture = openFixture();

/** What other programs put into a page before the app takes it over. */
const foreigners: Record<string, () => void> = {
  "a password manager's icon after a field": () =>
    document.querySelector("[name=account_name]")?.after(document.createElement("com-manager-icon")),
  "a translator's elements around its words": () => {
    document.documentElement.lang = "fr";
    document.documentElement.className = "translated-ltr";
    for (const label of document.querySelectorAll("label")) {
      const font = document.createElement("font");
      font.append(...label.childNodes);
      label.append(font);
    }
  },
  "an extension's panel at its start": () =>
    document.getElementById("root")?.prepend(document.createElement("div")),
  "an extension's attributes and elements around it": () => {
    document.documentElement.setAttribute("data-extension", "");
    document.body.setAttribute("data-extension", "");
    document.head.prepend(document.createElement("meta"));
    document.body.prepend(document.createElement("div"));
  },
};

/** Whether React has each field of the page in its hands. */
const isTakenOver = ({ page }: Phone) =>
  page
    .locator("input")
    .evaluateAll((fields) =>
      fields.every((field) => Object.keys(field).some((key) => key.startsWith("__reactProps$"))),
    );

const typedOn = async (phone: Phone) => ({
  account_name: await phone.field("account_name").inputValue(),
  password: await phone.field("password").inputValue(),
  ...(await phone.page.evaluate(() => {
    const focused = document.activeElement as HTMLInputElement;
    return { focused: focused.name, caret: focused.selectionStart };
  })),
});

describe("before the app is there", () => {
  test("what is typed is kept, and what is sent is sent", async () => {
    const account = await fixture.service.join(freshName());
    const phone = await fixture.phone();
    const release = await holdApp(phone);
    await phone.open("/login");
    await phone.logIn(account.name);
    expect(phone.page.url()).toBe(`${fixture.service.origin}/login`);
    expect(await phone.field("account_name").inputValue()).toBe(account.name);
    release();
    await phone.arrive("/home");
    expect((await phone.account()).name).toBe(account.name);
  });

  test("what is typed and ticked is kept", async () => {
    const phone = await fixture.phone();
    const release = await holdApp(phone);
    await phone.open("/register");
    await phone.field("account_name").fill("New member");
    await phone.field("password").fill(PASSWORD);
    await phone.field("agreement").check();
    release();
    await phone.alive();
    expect({
      name: await phone.field("account_name").inputValue(),
      password: await phone.field("password").inputValue(),
      agreed: await phone.field("agreement").isChecked(),
    }).toEqual({ name: "New member", password: PASSWORD, agreed: true });
  });

  describe.each(Object.entries(foreigners))("with %s,", (_, intrude) => {
    /** React tells the console that it draws the page anew. */
    const foreseen = /Minified React error #4(18|23|25)/;

    test("what is typed is kept, the caret with it, and sent", async () => {
      const account = await fixture.service.join(freshName());
      const phone = await fixture.phone({ foreseen });
      const release = await holdApp(phone);
      await phone.open("/login");
      await phone.page.evaluate(intrude);
      await phone.field("password").fill(PASSWORD);
      await phone.field("account_name").fill(account.name);
      await phone.field("account_name").press("ArrowLeft");
      release();
      await phone.alive();
      await eventually(() => isTakenOver(phone)).toBe(true);
      expect(await typedOn(phone)).toEqual({
        account_name: account.name,
        password: PASSWORD,
        focused: "account_name",
        caret: account.name.length - 1,
      });
      await phone.page.keyboard.type("!");
      const sent = phone.page.waitForRequest(`**${paths.login}`);
      await phone.tap("button", "Log in");
      expect((await sent).postDataJSON()).toEqual({
        account_name: `${account.name.slice(0, -1)}!${account.name.slice(-1)}`,
        password: PASSWORD,
      });
    });

    // What one field shows of a page that is drawn anew, the others show too.
    describe.each(repeated)("too,", () => {
      test("what is sent is sent", async () => {
        const account = await fixture.service.join(freshName());
        const phone = await fixture.phone({ foreseen });
        const release = await holdApp(phone);
        await phone.open("/login");
        await phone.page.evaluate(intrude);
        await phone.logIn(account.name);
        release();
        await phone.arrive("/home");
        expect((await phone.account()).name).toBe(account.name);
      });

      test("what is typed, ticked and shown is kept", async () => {
        const phone = await fixture.phone({ foreseen });
        const release = await holdApp(phone);
        await phone.open("/register");
        await phone.page.evaluate(intrude);
        await phone.field("account_name").fill("New member");
        await phone.field("password").fill(PASSWORD);
        await phone.field("agreement").check();
        await phone.tap("button", "Show the password");
        release();
        await phone.alive();
        await eventually(async () => ({
          name: await phone.field("account_name").inputValue(),
          password: await phone.field("password").inputValue(),
          agreed: await phone.field("agreement").isChecked(),
          type: await phone.field("password").getAttribute("type"),
        })).toEqual({ name: "New member", password: PASSWORD, agreed: true, type: "text" });
      });
    });
  });

  test("a tap on a button is kept", async () => {
    const phone = await fixture.phone();
    const release = await holdApp(phone);
    await phone.open("/home");
    await phone.tap("button", "Change language");
    release();
    await phone.heading("Language").waitFor();
  });

  test("of several taps the last one counts, and no other", async () => {
    const phone = await fixture.phone({ account: await fixture.service.join(freshName()) });
    const release = await holdApp(phone);
    await phone.open("/personal_info");
    for (const name of [/^Monthly/, /^Annual/]) await phone.page.getByRole("button", { name }).tap();
    release();
    await phone.page.getByRole("dialog").getByRole("button", { name: /^USDT/ }).tap();
    await phone.arrive("/pay/annual");
  });

  test("how far one has read is kept", async () => {
    const phone = await fixture.phone();
    const release = await holdApp(phone);
    await phone.open("/service");
    await phone.page.evaluate(() => window.scrollTo(0, 700));
    release();
    await phone.alive();
    expect(await phone.page.evaluate(() => window.scrollY)).toBe(700);
  });

  test("what is asked of it is heard: a line runs along the top", async () => {
    const phone = await fixture.phone();
    const release = await holdApp(phone);
    await phone.open("/home");
    const runs = () =>
      phone.page.evaluate(() => getComputedStyle(document.documentElement, "::before").height);
    const before = await runs();
    await phone.tap("button", "Change language");
    const meanwhile = await runs();
    release();
    await phone.heading("Language").waitFor();
    expect({ before, meanwhile, after: await runs() }).toEqual({
      before: "auto",
      meanwhile: "3px",
      after: "auto",
    });
  });

  test("a tap on 'Log in' 300 ms after the start arrives, on a slow phone", async () => {
    const phone = await fixture.phone();
    const session = await phone.context.newCDPSession(phone.page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await phone.page.goto("/home", { waitUntil: "commit" });
    const spot = await phone.page.waitForFunction(() => {
      const box = document.querySelector('main a[href="/login"]')?.getBoundingClientRect();
      return performance.now() >= 300 && box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    });
    const { x, y } = (await spot.jsonValue()) as { x: number; y: number };
    await phone.page.touchscreen.tap(x, y);
    await phone.arrive("/login");
    await phone.heading("Welcome back").waitFor();
  });
});

/** From here on a file of the app does not come, until it is let. */
async function cutFile({ page }: Phone, name: string) {
  let isCut = true;
  let refused = 0;
  await page.route(new RegExp(`/assets/${name}-[^/]*[.]js$`), (route) => {
    if (!isCut) return route.continue();
    refused += 1;
    return route.abort();
  });
  return {
    refused: () => refused,
    mend: () => {
      isCut = false;
    },
  };
}

test.each([
  ["no-preference", ["view-in 1", "view-in -1"]],
  ["reduce", [null, null]],
] as const)(
  "with %s as to motion, the browser turns from page to page, on and back: %o",
  async (motion, turns) => {
    const phone = await fixture.phone({ motion });
    await phone.page.addInitScript(() => {
      addEventListener("pagereveal", ({ viewTransition }) => {
        const look = () => {
          const { animationName } = getComputedStyle(document.documentElement, "::view-transition-new(root)");
          const side = document.documentElement.style.getPropertyValue("--side");
          Object.assign(window, { turn: `${animationName} ${side}` });
        };
        if (viewTransition) void viewTransition.ready.then(look);
        else Object.assign(window, { turn: null });
      });
    });
    const turned = () => phone.page.evaluate(() => (window as { turn?: string | null }).turn);
    await holdApp(phone);
    await phone.open("/home");
    await phone.page.getByRole("main").getByRole("link", { name: "Log in" }).tap();
    await phone.arrive("/login");
    await eventually(turned).toBe(turns[0]);
    await phone.page.goBack();
    await phone.arrive("/home");
    await eventually(turned).toBe(turns[1]);
  },
);

describe.each(shownIn("zh-CN"))("a file of the app that does not come, in %s", (language) => {
  const cutNotice = "No connection. Check your network and try again.";

  /** The first file, one that others share, and that of the screen itself. */
  const files = ["index", "messages", "login"];
  test.each(repeats ? [...files, "libraries", "landing", "screens"] : files)(
    "%s: the page stands, says so, asks again, and sends what was sent",
    async (file) => {
      const account = await fixture.service.join(freshName());
      const phone = await fixture.phone({ language });
      const cut = await cutFile(phone, file);
      await phone.open("/login");
      await phone.see(cutNotice);
      await phone.logIn(account.name);
      cut.mend();
      await phone.arrive("/home");
      expect(await phone.words(cutNotice).count()).toBe(0);
      expect(phone.takeProblems(/ERR_FAILED/)).toEqual([]);
    },
  );

  test.each(repeats ? ["index", "messages"] : ["index"])(
    "%s: a screen that no page was written of says so, and comes",
    async (file) => {
      const phone = await fixture.phone({ language });
      const cut = await cutFile(phone, file);
      await phone.open("/buy");
      await phone.see(cutNotice);
      await eventually(cut.refused).toBeGreaterThan(2);
      cut.mend();
      await phone.heading("Choose a package").waitFor();
      expect(phone.takeProblems(/ERR_FAILED/)).toEqual([]);
    },
  );
});

test("a page whose files are no longer there, but newer ones, is opened anew", async () => {
  const phone = await fixture.phone();
  let visits = 0;
  phone.page.on("request", (request) => {
    if (request.isNavigationRequest()) visits += 1;
  });
  await phone.page.route(/\/assets\/index-.*\.js$/, (route) =>
    visits > 1 ? route.continue() : route.fulfill({ status: 404 }),
  );
  await phone.open("/login");
  await phone.see("No connection. Check your network and try again.");
  await eventually(() => visits).toBe(2);
  await phone.alive();
  expect(phone.takeProblems(/404/)).toEqual([]);
});

/* In which order a page loads: its first drawings before any file of the app. */

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
    await eventually(() => headingsOn(phone)).toEqual([phone.say("Nothing here")]);
  });
});
