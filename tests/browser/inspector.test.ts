/** The inspector on the running app, as `npm run dev` brings it up; and that nothing of it is in what people get. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import type { Page } from "playwright-core";
import { startDevelopment } from "../support/development.ts";
import type { Phone } from "../support/browser.ts";
import { repeated } from "../support/lane.ts";
import { eventually, freshName, openFixtureWith } from "./support.ts";

// A tool for development, of which no statement speaks: most of it is looked at in the second lane.
const fixture = openFixtureWith(startDevelopment);

const desk = { width: 1680, height: 1000 };

/** A person with an order to pay, at a desk. */
async function openPayment(size = desk): Promise<Phone> {
  const visitor = await fixture.phone({ desk: size });
  await visitor.register(freshName());
  await visitor.choosePackage();
  await visitor.order("3.99");
  await visitor.see("Complete the payment");
  return visitor;
}

/** The parts of the panel, by what they are to a person. */
function inspectorOn(page: Page) {
  const actor = (name: string) =>
    page.getByRole("navigation", { name: "Actors" }).getByRole("button", { name: new RegExp(`^${name}\\b`) });
  const drawing = (name: string) => page.locator(`.drawn[data-chart="${name}"]`);
  return {
    actor,
    open: async () => {
      await page.keyboard.press("Control+Shift+X");
      await page.getByRole("heading", { name: "Inspector" }).waitFor();
    },
    choose: async (name: string) => {
      await actor(name).first().tap();
      await drawing(name).locator("svg").waitFor();
    },
    drawing,
    /** The states that are lit, the innermost ones. */
    lit: (name: string) =>
      drawing(name)
        .locator("[data-active]:not(.nest)")
        .evaluateAll((states) => states.map((state) => state.getAttribute("data-state") ?? "")),
    tab: (name: string) => page.getByRole("tab", { name }).tap(),
    send: (type: string) => page.getByRole("button", { name: type, exact: true }).tap(),
    log: page.getByRole("log"),
    lines: () => page.getByRole("log").getByRole("button").allInnerTexts(),
    /** How many events it counts. */
    counted: async () => Number(/(\d+)\s+events/.exec(await page.locator(".counts").innerText())?.[1]),
  };
}

test("shows every live chart beside the app, and lights where each is", async () => {
  const { page } = await openPayment();
  const inspector = inspectorOn(page);
  await inspector.open();
  const charts = () =>
    page
      .locator(".thumbnail:has(svg)")
      .evaluateAll((all) => all.map((one) => one.getAttribute("data-chart") ?? ""));
  // The youngest first; each started when it was first asked for.
  await eventually(charts).toEqual([
    "orderCheck",
    "order",
    "clipboard",
    "support",
    "qr",
    "connection",
    "session",
    "pendingOrders",
    "overlays",
    "language",
    "navigation",
    "notifications",
  ]);
  // It stands beside the app, not on it.
  const [pay, panel] = await Promise.all([
    page.getByRole("button", { name: "Complete the payment" }).boundingBox(),
    page.locator(".frame").boundingBox(),
  ]);
  expect((pay?.x ?? 0) + (pay?.width ?? 0)).toBeLessThanOrEqual(panel?.x ?? 0);

  await inspector.choose("session");
  expect(await inspector.lit("session")).toEqual(["session.signedIn.resting"]);
  await inspector.choose("order");
  await eventually(() => inspector.lit("order")).toEqual(["order.open.counting"]);
  await page.locator(".json").getByText('"TRC20"').first().waitFor();
  await inspector.choose("orderCheck");
  await eventually(() => inspector.lit("orderCheck")).toEqual([
    expect.stringMatching(/^orderCheck\.open\.\w+$/),
  ]);
});

test.each(repeated)("jumps back: the running actor moves, and the screen with it", async () => {
  const visitor = await openPayment();
  const { page } = visitor;
  const inspector = inspectorOn(page);
  await inspector.open();
  await inspector.choose("notifications");
  await page.getByLabel("Payload").fill('{"toast": {"words": "Seen twice", "tone": "plain"}}');
  await inspector.send("toast.requested");
  await visitor.text("Seen twice").first().waitFor();
  await visitor.text("Seen twice").first().waitFor({ state: "hidden" });
  await inspector.tab("Moments");
  await page
    .getByRole("listitem")
    .filter({ hasText: "toast: shown" })
    .getByRole("button", { name: "Go back" })
    .last()
    .tap();
  // Its delay starts again: it is seen, and goes by itself.
  await visitor.text("Seen twice").first().waitFor();
  await visitor.text("Seen twice").first().waitFor({ state: "hidden" });
  expect((await inspector.lines()).join("\n")).toMatch(/inspector→notifications\s+inspector\.jumped/);
});

test("of the inspector the built site holds nothing", () => {
  const { site } = inject("setup");
  const files = readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const scripts = files.filter((file) => /\.(js|css|html|json)$/.test(file));
  expect(scripts.length).toBeGreaterThan(5);
  expect(scripts.filter((file) => /inspector|elkjs/i.test(readFileSync(file, "utf8")))).toEqual([]);
  const sources = files
    .filter((file) => file.endsWith(".map"))
    .flatMap((file) => (JSON.parse(readFileSync(file, "utf8")) as { sources: string[] }).sources);
  expect(sources.some((source) => source.endsWith("src/app/runtime/create-app.ts"))).toBe(true);
  expect(sources.filter((source) => /src\/inspector|elkjs/.test(source))).toEqual([]);
});

test.each(repeated)(
  "sends an event with a payload, shows it in the log with its sender, and follows the port that is asked",
  async () => {
    const visitor = await openPayment();
    const { page } = visitor;
    const inspector = inspectorOn(page);
    await inspector.open();
    await inspector.choose("clipboard");
    await page.getByLabel("Payload").fill('{"copyable": {"what": "amount", "text": "by hand"}}');
    await inspector.send("copy.requested");
    await eventually(() => inspector.lit("clipboard")).toEqual(["clipboard.copied"]);
    await eventually(() => visitor.clipboard()).toBe("by hand");
    await eventually(async () =>
      (await inspector.lines()).map((line) => line.replace(/^\S+\s+/, "").replaceAll(/\s+/g, " ")),
    ).toEqual(
      expect.arrayContaining([
        "inspector→clipboard copy.requested",
        "copyText→clipboard copyText done",
        "clipboard→listeners copy.succeeded",
      ]),
    );
    await inspector.tab("Asked");
    await page.getByText("done in").waitFor();

    await inspector.tab("Now");
    await page.getByLabel("Payload").fill("[1");
    await inspector.send("copy.requested");
    await page.getByRole("alert").getByText("must be a JSON object").waitFor();
  },
);

test.each(repeated)("stays usable above a modal dialog, and goes with the key that brought it", async () => {
  const visitor = await fixture.phone({ desk });
  const { page } = visitor;
  await visitor.register(freshName());
  await visitor.choosePackage();
  const inspector = inspectorOn(page);
  await inspector.open();
  await inspector.choose("notifications");
  await page.goBack();
  await visitor.see("Leave this payment?");
  await eventually(() => inspector.lit("notifications")).toContain("notifications.dialog.open");
  await inspector.send("dialog.cancelled");
  await visitor.words("Leave this payment?").waitFor({ state: "hidden" });
  await page.keyboard.press("Control+Shift+X");
  await page.getByRole("heading", { name: "Inspector" }).waitFor({ state: "hidden" });
});

test.each(repeated)(
  "a hundred events a second leave the app its answers and the log its bounds",
  async () => {
    const visitor = await openPayment();
    const { page } = visitor;
    const inspector = inspectorOn(page);
    await inspector.open();
    await inspector.choose("pendingOrders");
    const before = await inspector.counted();
    await page.evaluate(stormOf, { events: 300, every: 10 });
    await eventually(inspector.counted).toBeGreaterThanOrEqual(before + 300);
    await page.evaluate(stormOf, { events: 2_500, every: 0 });
    await eventually(inspector.counted).toBeGreaterThanOrEqual(before + 2_800);
    const heights = await inspector.log.evaluate((log) => [
      log.scrollHeight,
      log.querySelectorAll("li").length,
    ]);
    expect(heights[0]).toBeLessThanOrEqual(2_000 * 22);
    expect(heights[1]).toBeLessThan(80);
    await visitor.tap("button", "Complete the payment");
    await visitor.see("Pending");
  },
);

/** As another tab that changes the orders of this one. */
function stormOf({ events, every }: { events: number; every: number }): Promise<void> {
  return new Promise((resolve) => {
    let sent = 0;
    const send = () => {
      window.dispatchEvent(new StorageEvent("storage", { key: "order:A100", storageArea: localStorage }));
      sent += 1;
    };
    if (every === 0) {
      for (let count = 0; count < events; count++) send();
      resolve();
      return;
    }
    const timer = setInterval(() => {
      send();
      if (sent < events) return;
      clearInterval(timer);
      resolve();
    }, every);
  });
}

test.each(repeated)("at a narrow window it is a sheet at the bottom, whose height can be drawn", async () => {
  const { page } = await openPayment({ width: 700, height: 900 });
  const inspector = inspectorOn(page);
  await inspector.open();
  const frame = page.locator(".frame");
  const before = await frame.boundingBox();
  expect([before?.x, before?.width, (before?.y ?? 0) + (before?.height ?? 0)]).toEqual([0, 700, 900]);
  await page.mouse.move(350, (before?.y ?? 0) + 2);
  await page.mouse.down();
  await page.mouse.move(350, 300, { steps: 4 });
  await page.mouse.up();
  await eventually(async () => Math.round((await frame.boundingBox())?.y ?? 0)).toBe(300);
});
