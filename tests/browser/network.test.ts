/** A network that is slow, gone, or answers wrongly: each screen says so and loses nothing, one purchase is one order, and an installed app opens without it, in the version that it has. */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { paths, type CreatedOrder } from "../../src/contract/calls.ts";
import type { languages } from "../../src/contract/languages.ts";
import type { Account, Phone } from "../support/browser.ts";
import { errorWords } from "../support/error-words.ts";
import { startFaultProxy } from "../support/fault-proxy.ts";
import { faultNames, faultOf, type FaultName } from "../support/faults.ts";
import { offersIn, people, startFixtureSite } from "../support/fixtures.ts";
import { repeats, shownIn } from "../support/lane.ts";
import { eventually, freshName, openFixture, openFixtureWith } from "./support.ts";

const fixture = openFixture();
/** The same service, through a proxy with faults. */
const proxied = openFixtureWith(async () => {
  const proxy = await startFaultProxy(fixture.service.origin);
  return { origin: proxy.origin, proxy, stop: async () => proxy.stop() };
});
/** A host of its own, whose files a test changes. */
const installed = openFixtureWith(startFixtureSite);
let account: Account;
beforeAll(async () => {
  account = await fixture.service.join("Berta");
});

const slow = "This is taking longer than usual. Your connection may be slow.";

test("a slow network is said after ten seconds, with a way on", async () => {
  const phone = await fixture.phone({ language: "zh-CN", account });
  await phone.page.clock.install();
  const packages = await phone.hold(paths.packages);
  await phone.open("/home");
  await phone.visit("/buy");
  await phone.heading("Choose a package").waitFor();
  expect(await phone.words(slow).count()).toBe(0);
  await phone.page.clock.fastForward(10_000);
  await phone.see(slow);
  packages.release();
  await phone.tap("button", "Try again");
  await phone.page.locator('input[value="monthly"]').check();
  expect(await phone.words(slow).count()).toBe(0);

  await phone.tap("button", "Continue");
  await phone.arrive("/pay/monthly");
  const order = await phone.hold(paths.createOrder);
  await phone.tap("button", "Pay {price} USDT", { price: "3.99" });
  await phone.page.clock.fastForward(10_000);
  await phone.see(slow);
  await phone.tap("button", "Stop waiting");
  order.release();
  await phone.order("3.99");
});

test("a link that is tapped when the network has just gone says so, and leads on by itself when it is back", async () => {
  const phone = await fixture.phone({
    foreseen: /ERR_INTERNET_DISCONNECTED|Failed to fetch|CallFailed: network/,
    // The view turns with both banners above it.
    motion: "no-preference",
  });
  await phone.open("/home");
  await phone.alive();
  await phone.context.setOffline(true);
  await phone.see(
    "You are offline. You can look around, but packages, payments and your account need a connection.",
  );
  await phone.page.getByRole("banner").getByRole("link", { name: "Log in" }).tap();
  await phone.heading("This page did not load").waitFor();
  await phone.context.setOffline(false);
  await phone.heading("Welcome back").waitFor();
});

test("code of a reminder that did not load is asked for again", async () => {
  const account = await fixture.service.join(freshName());
  const order = await fixture.service.order(account);
  const kept = { ...order, deadline: Date.now() + 600_000, accountName: account.name, packId: "1" };
  const phone = await fixture.phone({
    account,
    storage: { orders: JSON.stringify([{ ...kept, productId: "monthly", packName: "Monthly" }]) },
    foreseen: /ERR_FAILED/,
  });
  const late = /\/assets\/(landing-reminder|order-status)-/;
  await phone.page.route(late, (route) => route.abort());
  const missed = phone.page.waitForEvent("requestfailed", (request) => late.test(request.url()));
  await phone.open("/home");
  await missed;
  await phone.visit("/personal_info");
  await phone.see("You have an unfinished payment");
  expect(await phone.control("button", "Do not remind me").isDisabled()).toBe(true);

  await phone.page.unroute(late);
  await phone.page.evaluate(() => void window.dispatchEvent(new Event("online")));
  await eventually(() => phone.control("button", "Do not remind me").isEnabled()).toBe(true);
  await phone.page.goBack();
  await phone.see("You have an unfinished payment");
  await phone.control("link", "Continue").waitFor();
});

test("a slow login is given up without losing what was typed", async () => {
  const phone = await fixture.phone();
  await phone.page.clock.install();
  const login = await phone.hold(paths.login);
  await phone.open("/login");
  await phone.logIn(account.name);
  await phone.page.clock.fastForward(10_000);
  await phone.see(slow);
  await phone.tap("button", "Stop waiting");
  expect(await phone.field("account_name").inputValue()).toBe(account.name);
  login.release();
  await phone.tap("button", "Log in");
  await phone.arrive("/home");
});

test("configuration that never arrives does not block the app", async () => {
  const phone = await fixture.phone();
  await phone.page.clock.install();
  await phone.hold("/config.json");
  await phone.open("/buy");
  await phone.page.clock.fastForward(10_000);
  await phone.page.locator('input[value="monthly"]').waitFor();
});

describe.each(shownIn("zh-CN"))("without a network, in %s", (language) => {
  test("paying waits for it, and loses nothing", async () => {
    const account = await fixture.service.join(freshName());
    const phone = await fixture.phone({ language, account });
    await phone.choosePackage();
    await phone.page.locator('input[value="ERC20"]').check();
    await phone.context.setOffline(true);
    await phone.tap("button", "Pay {price} USDT", { price: "3.99" });
    await phone.see("No connection. Check your network and try again.");
    expect(await phone.page.locator('input[value="ERC20"]').isChecked()).toBe(true);
    await phone.context.setOffline(false);
    const payment = await phone.order("3.99", "ERC20");

    await phone.context.setOffline(true);
    await phone.tap("button", "Complete the payment");
    await phone.see("No connection. Check your network and try again.");
    expect(await phone.readPayment("ERC20")).toEqual(payment);
    await fixture.service.transfer(payment);
    await eventually(async () => (await fixture.service.detail(account, payment.orderId)).status).toBe(1);
    // The paid order finds its bill as soon as the phone is online again.
    await phone.context.setOffline(false);
    await phone.see("Confirmed");
    expect(phone.takeProblems(/ERR_INTERNET_DISCONNECTED/)).toEqual([]);
  });

  test("a bill asks again by itself once it is back", async () => {
    const account = await fixture.service.join(freshName());
    const phone = await fixture.phone({ language, account });
    const order = await fixture.service.order(account);
    await phone.open(`/billDetail/${order.orderId}/0/${order.amount}/-`);
    await phone.value("Order number").waitFor();
    await phone.context.setOffline(true);
    await phone.tap("button", "Check again");
    await phone.see("No connection. Check your network and try again.");
    await phone.see("Pending");
    await fixture.service.transfer(order);
    await eventually(async () => (await fixture.service.detail(account, order.orderId)).status).toBe(1);
    await phone.context.setOffline(false);
    await phone.see("Confirmed");
    expect(phone.takeProblems(/ERR_INTERNET_DISCONNECTED/)).toEqual([]);
  });
});

/* Each call of a purchase meets each fault, the screen says so, and the same step leads on. */

/** One of each kind that a person meets: no answer, half of one, and another's page. In jsdom the app meets all of them (`views/fault-sequences.test.tsx`); a late answer is met below, too. */
const met: readonly FaultName[] = ["answer lost", "half a body", "bad gateway afterwards"];
const faults = repeats ? faultNames.filter((name) => name !== "none") : met;

test.each(faults)("%s, on every call of a purchase", async (fault) => {
  const { proxy } = proxied.service;
  const account = await fixture.service.join(freshName());
  const before = proxy.answers(paths.createOrder).length;
  const phone = await proxied.phone({ foreseen: /Failed to load resource|net::ERR_|^status 502/ });
  await phone.page.clock.install();
  const failure = phone.page
    .getByText(new RegExp(`^(${errorWords.map((words) => words.replaceAll(".", "\\.")).join("|")})$`))
    .filter({ visible: true });

  /** Does a step whose call meets the fault, and does it again where it is said to have failed. */
  const through = async (
    path: string,
    step: () => Promise<unknown>,
    arrived: () => Promise<unknown>,
    again = step,
  ) => {
    const { requestDelay, answerDelay } = faultOf(fault);
    proxy.plan(path, fault);
    await step();
    if (requestDelay !== undefined || answerDelay !== undefined) {
      await eventually(proxy.delayed).toBe(1);
      await phone.page.clock.fastForward(10_000);
      await phone.see(slow);
      proxy.release();
      return arrived();
    }
    const outcome = await Promise.race([
      arrived().then(() => "arrived"),
      failure
        .first()
        .waitFor()
        .then(() => "failed"),
    ]);
    if (outcome === "arrived") return undefined;
    await again();
    return arrived();
  };

  await phone.open("/login");
  await through(
    paths.login,
    () => phone.logIn(account.name),
    () => phone.arrive("/home"),
  );
  await through(
    paths.packages,
    // No page of the build, which would know the packages.
    () => phone.visit("/buy"),
    () => phone.page.locator('input[value="monthly"]').waitFor(),
    () => phone.tap("button", "Try again"),
  );
  await phone.page.locator('input[value="monthly"]').check();
  await phone.tap("button", "Continue");
  await phone.arrive("/pay/monthly");
  const looks = proxy.answers(paths.orderDetail).length;
  await through(
    paths.createOrder,
    () => phone.tap("button", "Pay {price} USDT", { price: "3.99" }),
    () => phone.arrive(/\/payDetail\//),
  );
  // The screen's own look comes first.
  await eventually(() => proxy.answers(paths.orderDetail).length).toBeGreaterThan(looks);
  await through(
    paths.orderDetail,
    () => phone.tap("button", "Complete the payment"),
    () => phone.arrive(/\/billDetail\//),
  );
  await phone.heading("Your bill").waitFor();

  const made = proxy.answers(paths.createOrder).slice(before);
  const ids = made.map((body) => (JSON.parse(body) as { data: CreatedOrder }).data.order.order_id);
  expect({ orders: new Set(ids).size, asked: made.length > 0 }).toEqual({ orders: 1, asked: true });
});

/* Installed on a phone. */

/** A phone on which the app has been opened once, and whose worker has everything. */
async function visited(language: (typeof languages)[number] = "en"): Promise<Phone> {
  const storage = { selectedItem: JSON.stringify(offersIn(language).at(-1)) };
  const phone = await installed.phone({ language, worker: true, account: people.newcomer, storage });
  await phone.open("/buy");
  await phone.see("Continue");
  await eventually(() =>
    phone.page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state),
  ).toBe("activated");
  return phone;
}

/** What the browser itself says where there is no network; anything else is a problem. */
const noNetwork = /ERR_INTERNET_DISCONNECTED|Failed to fetch|ERR_FAILED/;

describe.each(shownIn("zh-CN"))("installed and without a network, in %s", (language) => {
  test("the app opens at any address, says what waits, and goes on when the network is back", async () => {
    const phone = await visited(language);
    await phone.context.setOffline(true);
    for (const [path, heading] of [
      ["/home", "Never-offline VPN"],
      ["/service", "User service agreement"],
      ["/buy", "Choose a package"],
    ] as const) {
      await phone.open(path);
      await phone.heading(heading).waitFor();
      await phone.see(
        "You are offline. You can look around, but packages, payments and your account need a connection.",
      );
    }
    await phone.see("We could not load this");
    phone.takeProblems(noNetwork);
    await phone.context.setOffline(false);
    await phone
      .words(
        "You are offline. You can look around, but packages, payments and your account need a connection.",
      )
      .waitFor({ state: "hidden" });
    // What could not be had is asked for by itself.
    await phone.page.locator('input[value="annual"]').check();
  });
});

test.each(["fails", "hangs"] as const)("a host that %s is as good as none", async (trouble) => {
  const phone = await visited();
  installed.service.have(trouble);
  try {
    await phone.open("/service");
    await phone.heading("User service agreement").waitFor();
    const config = () =>
      phone.page.evaluate(async () => (await fetch("/config.json")).json() as Promise<object>);
    expect(await config()).toMatchObject({ providerSite: "https://everlit.example" });
  } finally {
    installed.service.have(null);
  }
  phone.takeProblems(/503|ERR_FAILED|ERR_ABORTED/);
});

test("without a network, a page stands there before the app does, and says that there is none", async () => {
  const phone = await visited();
  await phone.page.addInitScript(() => {
    let isAlive = false;
    document.addEventListener("app.alive", () => (isAlive = true));
    const look = () => {
      const heading = document.querySelector("#root h1");
      if (document.readyState === "loading" || !heading?.checkVisibility())
        return void requestAnimationFrame(look);
      const said = document.getElementById("load-failed");
      const first = {
        heading: heading.textContent,
        isAlive,
        said: said?.checkVisibility() && said.innerText,
      };
      Object.assign(window, { first });
    };
    look();
  });
  await phone.context.setOffline(true);
  const first: unknown[] = [];
  for (const path of ["/home", "/buy", "/personal_info", "/orders"]) {
    await phone.open(path);
    await phone.alive();
    first.push(await phone.page.evaluate(() => (window as unknown as { first: unknown }).first));
  }
  const before = { isAlive: false, said: "No connection. Check your network and try again." };
  expect(first).toEqual(
    ["Never-offline VPN", "Choose a package", "Personal center", "My orders"].map((heading) => ({
      heading,
      ...before,
    })),
  );
  phone.takeProblems(noNetwork);
});

test("nothing that the API or another host answered is kept", async () => {
  const phone = await visited();
  await phone.open("/personal_info");
  await phone.see("Not activated as a member");
  const kept = await phone.page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) {
        const { pathname, search } = new URL(url);
        found.push(pathname + search);
      }
    }
    return found;
  });
  expect(kept.length).toBeGreaterThan(20);
  expect(
    kept.filter(
      (path) =>
        !/^\/($|razorpayDetail$|[\w-]+\.html\?frame$|config\.json$|assets\/[\w-]+\.(js|svg|css)$)/.test(path),
    ),
  ).toEqual([]);
});

describe("a new version", () => {
  /** Every file of the site under another name, as after a build in which everything has changed. */
  function deploy(): void {
    const { folder } = installed.service;
    for (const name of readdirSync(join(folder, "assets"))) {
      if (name.endsWith(".br")) rmSync(join(folder, "assets", name));
    }
    const names = readdirSync(join(folder, "assets"));
    const renamed = (text: string) =>
      names.reduce((said, name) => said.replaceAll(name, `new-${name}`), text);
    const pages = readdirSync(folder).filter((name) => /\.(html|js)$/.test(name));
    for (const path of [...pages, ...names.map((name) => `assets/${name}`)]) {
      const file = join(folder, path);
      if (/\.(html|js)$/.test(path)) writeFileSync(file, renamed(readFileSync(file, "utf8")));
      if (statSync(file).isFile() && path.startsWith("assets/"))
        renameSync(file, join(folder, renamed(path)));
    }
  }
  /** Of which build the page is: the names of the files that it starts. */
  const scripts = ({ page }: Phone) =>
    page.evaluate(() => {
      const { modules } = JSON.parse(document.getElementById("start")?.textContent ?? "") as {
        modules: string[];
      };
      return modules.join(" ");
    });
  const waiting = ({ page }: Phone) =>
    page.evaluate(async () => (await navigator.serviceWorker.ready).waiting?.state ?? null);

  /** Leaves the page for a blank one, until the browser has let go of it and the worker that waited is in charge. */
  async function leaveAll(phone: Phone): Promise<void> {
    const blank = await phone.context.newPage();
    const workers = await phone.context.newCDPSession(blank);
    const waited = new Set<string>();
    let isInCharge = false;
    workers.on("ServiceWorker.workerVersionUpdated", ({ versions }) => {
      for (const { versionId, status } of versions) {
        if (status === "installed") waited.add(versionId);
        if (status === "activated" && waited.has(versionId)) isInCharge = true;
      }
    });
    await workers.send("ServiceWorker.enable");
    await eventually(() => waited.size).toBe(1);
    await phone.page.close();
    phone.page = blank;
    await eventually(() => isInCharge).toBe(true);
    await workers.detach();
  }

  test("waits while a user buys, leaves every screen as it is, and is there at the next start", async () => {
    const phone = await visited();
    const before = await scripts(phone);
    // After a reload the worker controls the page from its first moment, as on a second visit.
    await phone.page.reload();
    await phone.see("Continue");
    await phone.page.evaluate(() => Object.assign(window, { sameDocument: true }));
    deploy();
    await phone.page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    await eventually(() => waiting(phone)).toBe("installed");

    // Their screens are not on the server any more.
    await phone.page.locator('input[value="annual"]').check();
    await phone.tap("button", "Continue");
    await phone.see("Which network will you send on?");
    await phone.order("29.99");
    await phone.see("Before you pay");
    await phone.tap("button", "Complete the payment");
    await phone.see("Pending");
    expect(await phone.page.evaluate(() => "sameDocument" in window)).toBe(true);
    expect(await waiting(phone)).toBe("installed");

    const bill = phone.page.url();
    await leaveAll(phone);
    await phone.open(bill);
    await phone.see("Pending");
    expect(await scripts(phone)).not.toBe(before);
    expect(await waiting(phone)).toBe(null);
    await phone.context.setOffline(true);
    await phone.open("/home");
    await phone.heading("Never-offline VPN").waitFor();
    expect(await scripts(phone)).toContain("/new-");
    phone.takeProblems(noNetwork);
  });
});
