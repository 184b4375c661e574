/** The operator's page in front of the real service: a link lets in once, a pasted transaction finds its order, and what is changed is shown first, done once, and taken back. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gunzipSync } from "node:zlib";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { violationsOn } from "../support/axe.ts";
import { PATIENCE, startService, type Account, type Service } from "../support/browser.ts";
import { repeats } from "../support/lane.ts";
import { freePort } from "../support/temporary-database.ts";
import { daysOf, eventually, freshName, sharedBrowser } from "./support.ts";

const folder = mkdtempSync(join(tmpdir(), "console-"));
const desk = { width: 1280, height: 800 };
const hand = { width: 390, height: 844 };

let browser: Browser;
let service: Service;
let address: string;
beforeAll(async () => {
  const setup = inject("setup");
  const configFile = join(import.meta.dirname, "../../src/console/vite.config.ts");
  await build({ configFile, build: { outDir: folder }, logLevel: "error" });
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  [browser, service] = await Promise.all([
    sharedBrowser(),
    startService(setup, { CONSOLE_PORT: String(port), CONSOLE_DIR: folder }),
  ]);
  for (const right of ["look", "money"]) admin("operator", "add", right, right, "--reason", "new", "--yes");
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A command on the machine of the service. */
const admin = (...words: string[]) =>
  execFileSync(process.execPath, [inject("setup").service, "admin", ...words], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], ...service.place, CONSOLE_PORT: new URL(address).port },
  });
const linkFor = (name: string) => /http\S+/.exec(admin("console", name))?.[0] ?? "";

const contexts: BrowserContext[] = [];
const problems: string[] = [];
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
  expect(problems.splice(0)).toEqual([]);
});

/** What a browser keeps of a log-in. */
type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** A browser, without a session unless one is given. */
async function opened(viewport = desk, locale = "en", storageState?: Session): Promise<Page> {
  const options = { viewport, locale, reducedMotion: "reduce" } as const;
  const context = await browser.newContext({ ...options, ...(storageState && { storageState }) });
  contexts.push(context);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (line) => {
    if (line.type() === "error" || line.type() === "warning") problems.push(line.text());
  });
  return page;
}

/** The session of each operator's first link: to be let in is two commands and two pages. */
const sessions = new Map<string, Session>();
async function entered(name: "look" | "money", viewport = desk, locale = "en"): Promise<Page> {
  const session = sessions.get(name);
  const page = await opened(viewport, locale, session);
  await page.goto(session ? address : linkFor(name));
  await page.getByRole("searchbox").waitFor();
  // The cookie alone: a language that is kept would be the next one's, too.
  if (!session) sessions.set(name, { cookies: await page.context().cookies(), origins: [] });
  return page;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** A member who has paid by a transfer. */
async function paid() {
  const account: Account = await service.join(freshName());
  const order = await service.order(account);
  await service.transfer(order);
  await eventually(async () => (await service.member(account)).pack_exp_date).not.toBe(null);
  const { transfers } = await service.detail(account, order.orderId);
  return { account, order, orderId: order.orderId, transaction: transfers?.[0]?.tx_hash ?? "" };
}

async function find(page: Page, text: string): Promise<void> {
  await page.getByRole("searchbox").fill(text);
  await page.getByRole("searchbox").press("Enter");
}

/** Agrees to what is shown. */
async function agree(page: Page): Promise<void> {
  const field = page.getByRole("textbox", { name: /^To do it, type / });
  await field.fill(/type (\S+)$/.exec((await field.getAttribute("aria-label")) ?? "")?.[1] ?? "");
  await button(page, "Do it").click();
  await page.getByRole("status").getByText("Done").waitFor();
}

/** Thousands of bytes of JavaScript before the page shows anything, by brotli at its best. It is opened by few, on any line. */
const MOST = 200;

test("the page is as small as it may be", () => {
  type Chunk = { file: string; imports?: string[] };
  const manifest = JSON.parse(readFileSync(join(folder, ".vite/manifest.json"), "utf8")) as Record<
    string,
    Chunk
  >;
  const filesOf = (name: string): string[] => {
    const { file = "", imports = [] } = manifest[name] ?? {};
    return [file, ...imports.flatMap(filesOf)];
  };
  const files = [...new Set([...filesOf("index.html"), ...filesOf("../../locales/zh-CN/console.po")])];
  const sizes = files.map((file) => brotliCompressSync(readFileSync(join(folder, file))).length / 1_000);
  const size = sizes.reduce((sum, each) => sum + each, 0);
  // A build whose parts are not found would be small, too.
  expect(size).toBeGreaterThan(MOST / 2);
  expect(size).toBeLessThan(MOST);
});

test("a pasted transaction finds its order; a refund is shown, done, and taken back", async () => {
  const { account, orderId, transaction } = await paid();
  const page = await entered("money");
  await find(page, transaction);
  await page.getByRole("link", { name: new RegExp(orderId) }).click();
  await page.getByRole("heading", { name: `Order ${orderId}` }).waitFor();
  const ends = async () => (await service.member(account)).pack_exp_date;

  await button(page, "Money was given back").click();
  await page.getByRole("textbox", { name: "Reason" }).fill("Asked for it");
  await button(page, "Show what would change").click();
  await page.getByText(`Membership of ${account.name}`).waitFor();
  // Nothing has changed until it is agreed to.
  expect([(await ends()) === null, await button(page, "Do it").isDisabled()]).toEqual([false, true]);
  await agree(page);
  expect(await ends()).toBe(null);

  // The page's list of what happened offers the same.
  const panel = page.getByRole("region", { name: "Money was given back" });
  await panel.getByRole("button", { name: "Undo" }).click();
  await agree(page);
  expect(await daysOf(service, account)).toBe(30);
  expect(admin("audit", "--json")).toContain('"actor": "money"');
});

test("a device that got a passkey lets its operator in without a link", async () => {
  const page = await opened(hand);
  const device = await page.context().newCDPSession(page);
  await device.send("WebAuthn.enable");
  const asPhone = { protocol: "ctap2", transport: "internal", automaticPresenceSimulation: true } as const;
  await device.send("WebAuthn.addVirtualAuthenticator", {
    options: { ...asPhone, hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
  });
  // A browser knows passkeys of names alone.
  await page.goto(linkFor("look").replace("127.0.0.1", "localhost"));
  await button(page, "Add a passkey").click();
  await page.getByText("This device can let you in from now on.").waitFor();
  await picture(page, "passkey-added");
  await button(page, "Log out").click();
  await button(page, "Log in with a passkey").waitFor();
  await picture(page, "passkey-login");
  await button(page, "Log in with a passkey").click();
  await page.getByRole("searchbox").waitFor();
  expect(admin("audit", "--json")).toContain('"action": "passkey add"');
});

/** Keeps what the page shows as a picture, where a folder for pictures is named. */
async function picture(page: Page, name: string): Promise<void> {
  const pictures = process.env["CONSOLE_PICTURES"];
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

test.each([["a phone", hand, "zh-CN"], ...(repeats ? ([["a desk", desk, "en"]] as const) : [])] as const)(
  "on %s (%o, %s) a price is changed and seen in the shop, taken back, and seen again",
  async (_, size, locale) => {
    const words = {
      en: {
        change: "Change monthly",
        price: "Price, USD",
        reason: "Reason",
        show: "Show what would change",
        doIt: "Do it",
        done: "Done",
        undo: "Undo",
      },
      "zh-CN": {
        change: "修改 monthly",
        price: "售价（美元）",
        reason: "原因",
        show: "查看会有什么变化",
        doIt: "执行",
        done: "已完成",
        undo: "撤销",
      },
    }[locale];
    const shop = await opened(hand, "en");
    /** What the shop asks for a month to a visitor who comes now. */
    const asked = async () => {
      await shop.goto(`${service.origin}/buy`);
      const card = shop.locator("label", { has: shop.locator("input[value=monthly]") });
      return (await card.innerText()).replaceAll(/\s+/g, " ");
    };
    expect(await asked()).toContain("USD 3.99");
    const page = await entered("money", size, locale);
    await page.goto(`${address}/packages`);
    await page.locator("input[value=monthly]").check();
    const panel = page.getByRole("region", { name: words.change });
    await panel.getByRole("textbox", { name: words.price, exact: true }).fill("4.49");
    await panel.getByRole("textbox", { name: words.reason, exact: true }).fill("Autumn");
    await picture(page, `${locale}-${size.width}-package-form`);
    const agreed = async () => {
      const field = panel.locator("form input[aria-label]");
      await field.fill(/(\S+)$/.exec((await field.getAttribute("aria-label")) ?? "")?.[1] ?? "");
      await panel.getByRole("button", { name: words.doIt }).click();
      await panel.getByRole("status").getByText(words.done).waitFor();
    };
    await panel.getByRole("button", { name: words.show }).click();
    await panel.getByText("3.99 → 4.49").waitFor();
    await picture(page, `${locale}-${size.width}-package-preview`);
    expect(await asked()).toContain("USD 3.99");
    await agreed();
    await expect.poll(asked, { timeout: PATIENCE }).toContain("USD 4.49");
    await picture(page, `${locale}-${size.width}-package-done`);
    await panel.getByRole("button", { name: words.undo }).click();
    await panel.getByText("4.49 → 3.99").waitFor();
    await agreed();
    await expect.poll(asked, { timeout: PATIENCE }).toContain("USD 3.99");
  },
);

/** Goes on with Tab until a control is focused, in sight and seen to be. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press("Tab");
    if (!(await control.evaluate((element) => element === document.activeElement))) continue;
    const seen = await control.evaluate((element) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      const { left, top, width, height } = element.getBoundingClientRect();
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      return {
        isRinged: (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none",
        isInSight: found !== null && (element.contains(found) || found.contains(element)),
      };
    });
    expect(seen).toEqual({ isRinged: true, isInSight: true });
    return;
  }
  throw new Error(`Tab never came to ${String(control)}.`);
}
/** What has the focus: its element and what it says. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { tagName, textContent } = document.activeElement ?? {};
    return `${tagName ?? ""} ${textContent?.trim() ?? ""}`;
  });

test("with the keyboard alone an order is found, its money given back, and that taken back", async () => {
  const { account, orderId } = await paid();
  const page = await entered("money");
  const { keyboard } = page;
  const panel = page.getByRole("region", { name: "Money was given back" });
  const press = async (name: string) => {
    await tabTo(page, panel.getByRole("button", { name, exact: true }));
    await keyboard.press("Enter");
  };
  const confirms = async () => {
    const field = panel.getByRole("textbox", { name: /^To do it, type / });
    await tabTo(page, field);
    await keyboard.type(/type (\S+)$/.exec((await field.getAttribute("aria-label")) ?? "")?.[1] ?? "");
    await keyboard.press("Enter");
    await panel.getByRole("status").getByText("Done").waitFor();
  };
  await tabTo(page, page.getByRole("searchbox"));
  await keyboard.type(orderId);
  await keyboard.press("Enter");
  await expect.poll(() => focused(page)).toBe("H1 Search");
  await tabTo(page, page.getByRole("link", { name: new RegExp(orderId) }));
  await keyboard.press("Enter");
  await expect.poll(() => focused(page)).toBe(`H1 Order ${orderId}`);
  await tabTo(page, button(page, "Money was given back"));
  await keyboard.press("Enter");
  await tabTo(page, panel.getByRole("textbox", { name: "Reason" }));
  await keyboard.type("Asked for it");
  await keyboard.press("Enter");
  await expect.poll(() => focused(page)).toBe("H2 Money was given back");
  // What was typed is still there on the way back.
  await panel.getByRole("button", { name: "Back", exact: true }).waitFor();
  await press("Back");
  await expect.poll(() => focused(page)).toBe("H2 Money was given back");
  expect(await panel.getByRole("textbox", { name: "Reason" }).inputValue()).toBe("Asked for it");
  await press("Show what would change");
  await panel.getByText(`Membership of ${account.name}`).waitFor();
  await confirms();
  expect((await service.member(account)).pack_exp_date).toBe(null);
  expect(await focused(page)).toBe("H2 Money was given back");
  await press("Undo");
  await panel.getByText(`Membership of ${account.name}`).waitFor();
  await confirms();
  expect(await daysOf(service, account)).toBe(30);
  await press("Close");
  await expect.poll(() => focused(page)).toBe(`H1 Order ${orderId}`);
});

test("a backup is made, saved as a whole, and known from then on", async () => {
  const page = await entered("money");
  await page.goto(`${address}/books`);
  await page.getByText("None yet").waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    button(page, "Make a backup and save it").click(),
  ]);
  await page.getByText("Saved. See that the file is among your downloads.").waitFor();
  await page.getByText("With the one who saved it here").waitFor();
  const lines = gunzipSync(readFileSync(await download.path()))
    .toString()
    .trimEnd()
    .split("\n");
  // Its last line counts the others, but for those that name what follows.
  const rows = lines.filter((line) => !line.startsWith("#")).length;
  expect(lines.at(-1)).toBe(`#{"rows":${rows}}`);
  expect(admin("backups", "--json")).toContain('"state": "whole"');
});

test("who may only look is offered no change", async () => {
  const { orderId } = await paid();
  const page = await entered("look");
  await page.goto(`${address}/order/${orderId}`);
  await page.getByRole("heading", { name: `Order ${orderId}` }).waitFor();
  await page.getByText("What happened").waitFor();
  expect(await button(page, "Money was given back").count()).toBe(0);
});

test("a link lets in once; after the log-out neither it nor the address does", async () => {
  const page = await opened();
  const link = linkFor("money");
  await page.goto(link);
  await page.getByRole("searchbox").waitFor();
  await button(page, "Log out").click();
  await page.getByRole("heading", { name: "You are not in" }).waitFor();
  await page.goto(`${address}/orders`);
  await page.getByRole("heading", { name: "You are not in" }).waitFor();
  const other = await opened();
  await other.goto(link);
  await other.getByText("This link has been used, or is older than two minutes.").waitFor();
  // The refusals are the browser's to tell, too.
  expect(problems.splice(0).every((line) => line.includes("the server responded with a status of 40"))).toBe(
    true,
  );
});

const places = [
  "/",
  "/orders",
  "/unmatched",
  "/events",
  "/packages",
  "/packages?pick=annual",
  "/audit",
  "/books",
  "/find?q=nothing",
];

test.each([["a phone", hand, "en"], ...(repeats ? ([["a desk", desk, "zh-CN"]] as const) : [])] as const)(
  "on %s (%o, %s) every screen is accessible, and as wide as its window",
  async (_, size, locale) => {
    const { account, order, orderId } = await paid();
    // Paid twice, so that a row waits for a person.
    await service.transfer(order);
    await eventually(async () => (await service.detail(account, orderId)).surplus_amount).toBe(order.amount);
    const page = await entered("money", size, locale);
    const found: Record<string, unknown> = {};
    for (const place of [...places, `/order/${orderId}`, `/member/${account.name}`]) {
      await page.goto(address + place);
      await page.locator("h1").waitFor();
      await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
      const violations = await violationsOn({ page });
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (violations.length > 0 || wider > 0) found[place] = { violations, wider };
      await picture(page, `${locale}-${size.width}-${place.replaceAll(/\W+/g, "_")}`);
    }
    expect(found).toEqual({});
  },
);
