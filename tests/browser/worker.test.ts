/** Installed on a phone: the app opens without a network, and a new version neither interrupts anybody nor breaks what is under way. */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { languages } from "../../src/contract/languages.ts";
import type { Phone } from "../support/browser.ts";
import { offersIn, people, startFixtureSite } from "../support/fixtures.ts";
import { shownIn } from "../support/lane.ts";
import { eventually, openFixtureWith } from "./support.ts";

const fixture = openFixtureWith(startFixtureSite);

/** A phone on which the app has been opened once, and whose worker has everything. */
async function visited(language: (typeof languages)[number] = "en"): Promise<Phone> {
  const storage = { selectedItem: JSON.stringify(offersIn(language).at(-1)) };
  const phone = await fixture.phone({ language, worker: true, account: people.newcomer, storage });
  await phone.open("/buy");
  await phone.see("Continue");
  await eventually(() =>
    phone.page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state),
  ).toBe("activated");
  return phone;
}

/** What the browser itself says where there is no network; anything else is a problem. */
const noNetwork = /ERR_INTERNET_DISCONNECTED|Failed to fetch|ERR_FAILED/;

describe.each(shownIn("zh-CN"))("without a network, in %s", (language) => {
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
  fixture.service.have(trouble);
  try {
    await phone.open("/service");
    await phone.heading("User service agreement").waitFor();
    const config = () =>
      phone.page.evaluate(async () => (await fetch("/config.json")).json() as Promise<object>);
    expect(await config()).toMatchObject({ providerSite: "https://everlit.example" });
  } finally {
    fixture.service.have(null);
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
      const said = document.getElementById("cut");
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
    const { folder } = fixture.service;
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
    // A browser that has not let go of the last page yet gives the next one the earlier worker once more.
    await eventually(async () => {
      await phone.page.close();
      phone.page = await phone.context.newPage();
      await phone.open(bill);
      await phone.see("Pending");
      expect(await scripts(phone)).not.toBe(before);
      return waiting(phone);
    }).toBe(null);
    await phone.context.setOffline(true);
    await phone.open("/home");
    await phone.heading("Never-offline VPN").waitFor();
    expect(await scripts(phone)).toContain("/new-");
    phone.takeProblems(noNetwork);
  });
});
