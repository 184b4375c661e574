/** The landing page and what stands around every view: top bar, language, titles, lost addresses, broken storage. */
import { fireEvent, screen } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Builds } from "../../machines/download.ts";
import { CallFailed } from "../../machines/call-error.ts";
import { openStorage } from "../../src/app/ports/storage.ts";
import { connection } from "../models/connection.ts";
import {
  asksScript,
  builds,
  downloadBlocked,
  downloading,
  downloadingAgain,
  hinted,
} from "../models/download.ts";
import { drag } from "../models/drag.ts";
import { returning, travelling } from "../models/navigation.ts";
import { pull } from "../models/pull.ts";
import { sheet } from "../models/sheet.ts";
import {
  bar,
  button,
  link,
  lookAgain,
  openApp,
  pass,
  reads,
  settled,
  sleep,
  stored,
  storeElsewhere,
  stubWindow,
  title,
  storeOrdersElsewhere,
} from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import { anna, detail, kept, ok, paymentPath } from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

runOnScreen(sheet, () => openForModel("/home"));
runOnScreen(drag, async () => {
  const opened = await openForModel("/home");
  await opened.user.tap("button", "Change language");
  return opened;
});
runOnScreen(connection, () => openForModel("/home"));

const transfer = { ...kept, packName: "Monthly" };
const payment = { orderId: "C300", amount: "9.99", accountName: "Anna", packName: "Yearly" };
/** Waits for the reminder, whose code and words come by themselves, which no simulated clock knows of. */
const seeReminder = async () => {
  await pass(500);
  const isThere = async () => {
    await settled(() => undefined);
    return reads("You have an unfinished payment");
  };
  await expect.poll(isThere, { timeout: 10_000 }).toBe(true);
};

test.each([
  ["a transfer", [transfer], "Monthly · 9.99 USDT", paymentPath],
  ["a payment at a provider", [payment], "Yearly · USD 9.99", "/billDetail/C300/0/9.99/-"],
  ["the latest of both", [payment, transfer], "Yearly · USD 9.99", "/billDetail/C300/0/9.99/-"],
] as const)("reminds a member of %s, and leads on to it", async (_, orders, words, to) => {
  const { place, tap } = await openApp("/home", { stored: { ...anna, orders } });
  // It is no part of the page as it was written.
  expect(reads("You have an unfinished payment")).toBe(false);
  await seeReminder();
  expect(reads(words)).toBe(true);
  await tap(link("Continue"));
  expect(place()).toBe(to);
});

test.each(["/home", "/personal_info"])(
  "a phone whose clock is set calls no running payment the last one, on %s",
  async (path) => {
    const { service } = await openApp(path, { stored: { ...anna, orders: [transfer] } });
    await seeReminder();
    // Three hours ahead of what it was, which the API's time is not.
    service.ahead = -10_800_000;
    await sleep(10_800_000);
    await settled(() => vi.dynamicImportSettled());
    await service.answer("/api/order/detail", ok(detail()));
    expect([reads("You have an unfinished payment"), reads("Your last payment")]).toEqual([true, false]);
  },
);

test("a transfer whose time is over is the last payment, which leads to its bill", async () => {
  const { place, tap } = await openApp("/home", { stored: { ...anna, orders: [transfer] } });
  await seeReminder();
  await pass(21 * 60_000);
  await lookAgain();
  expect([reads("You have an unfinished payment"), reads("Your last payment")]).toEqual([false, true]);
  await tap(link("See the bill"));
  expect(place()).toBe("/billDetail/A100/0/9.99/-");
});

test.each([
  ["visitors", { orders: [transfer] }],
  ["members of somebody else's", { ...anna, orders: [{ ...transfer, accountName: "Berta" }] }],
  ["members of what was reported failed", { ...anna, orders: [{ ...payment, reportedFailed: true }] }],
  ["members who have nothing unfinished", anna],
])("reminds no %s", async (_, stored) => {
  await openApp("/home", { stored });
  await pass(500);
  expect(reads("You have an unfinished payment")).toBe(false);
});

test("the reminder goes when another tab has seen the payment settled", async () => {
  await openApp("/home", { stored: { ...anna, orders: [transfer] } });
  await pass(500);
  await storeOrdersElsewhere([]);
  expect(reads("You have an unfinished payment")).toBe(false);
});

test("changes the words everywhere, keeps the choice, and closes", async () => {
  const { tap } = await openApp("/home");
  await tap(button("Change language"));
  expect(screen.getByRole("dialog", { name: "Language" })).toBeTruthy();
  await tap(button("简体中文"));
  expect({
    sheet: screen.queryByRole("dialog"),
    stored: stored(),
    page: document.title,
    logo: document.querySelector("header [data-drawing]")?.getAttribute("data-drawing"),
  }).toEqual({ sheet: null, stored: { language: "zh-CN" }, page: "永不掉线的 VPN · 长明", logo: "logo-zh" });
});

test.each([
  ["zh-CN", "zh-CN"],
  ["zh-TW", "zh-CN"],
  ["en", "en"],
  ["fr", "en"],
])("begins in the language that is stored: %s", async (kept, spoken) => {
  await openApp("/home", { stored: { language: kept } });
  expect(document.documentElement.lang).toBe(spoken);
});

test.each([
  ["zh-Hant-HK", "zh-CN"],
  ["en-GB", "en"],
  ["de", "en"],
])("begins in the browser's language: %s", async (tag, spoken) => {
  vi.spyOn(navigator, "language", "get").mockReturnValue(tag);
  await openApp("/home");
  expect(document.documentElement.lang).toBe(spoken);
});

test("shows a visitor the way in", async () => {
  const { place, tap } = await openApp("/");
  expect({
    place: place(),
    links: bar()
      .getAllByRole("link")
      .map((each) => each.getAttribute("aria-label")),
  }).toEqual({
    place: "/home",
    links: ["Log in"],
  });
  await tap(bar().getByRole("link"));
  expect(place()).toBe("/login");
});

test("shows a member's name, and the way to the personal center", async () => {
  const { place, tap } = await openApp("/home", { stored: anna });
  expect(
    bar()
      .getAllByRole("link")
      .map((each) => each.textContent),
  ).toEqual(["Anna"]);
  await tap(bar().getByRole("link"));
  expect(place()).toBe("/personal_info");
});

test.each([
  ["user_name alone", { user_name: "Anna" }, "Anna"],
  ["user_key alone", { user_key: { account_name: "Berta" } }, "Berta"],
  ["both", { user_name: "Anna", user_key: { account_name: "Berta" } }, "Anna"],
])("takes the name from %s", async (_, kept, name) => {
  await openApp("/home", { stored: kept });
  expect(bar().getByRole("link").textContent).toBe(name);
});

test("follows another tab that logs in, and out", async () => {
  await openApp("/home");
  await storeElsewhere("user_name", "Anna");
  expect(bar().getByRole("link").textContent).toBe("Anna");
  await storeElsewhere("user_name", null);
  expect(bar().getByRole("link").getAttribute("aria-label")).toBe("Log in");
});

test("goes smoothly to the top at a tap on the logo", async () => {
  const { tap } = await openApp("/home");
  vi.mocked(window.scrollTo).mockClear();
  await tap(button("Back to the top"));
  expect(vi.mocked(window.scrollTo).mock.calls).toEqual([[{ top: 0, behavior: "smooth" }]]);
});

test("the top bar is on the landing page only", async () => {
  const { visit } = await openApp("/home");
  expect(screen.queryAllByRole("button", { name: "Change language" }).length).toBe(1);
  await visit("/service");
  expect(screen.queryAllByRole("button", { name: "Change language" }).length).toBe(0);
});

test.each([
  ["en", ["Terms & Conditions", "Privacy Policy", "Contact Us"], "© 2026 Everlit Team"],
  ["zh-CN", ["联系我们"], "© 2026 长明团队"],
] as const)("ends with its links and its team (%s)", async (language, names, team) => {
  await openApp("/home", { language });
  const links = [...document.querySelectorAll("footer a")];
  expect({
    names: links.map((each) => each.textContent),
    windows: links.map((each) => [
      each.getAttribute("target"),
      new URL(each.getAttribute("href") ?? "").origin,
    ]),
    team: reads(team),
  }).toEqual({
    names,
    windows: names.map(() => ["_blank", "https://everlit.example"]),
    team: true,
  });
});

test.each([
  ["Mozilla/5.0 (Linux; Android 16; Pixel 9)", ["Download for Android"]],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)", ["Download for iOS"]],
  ["Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X)", ["Download for iOS"]],
  ["Mozilla/5.0 (iPod; CPU iPhone OS 12_0 like Mac OS X)", ["Download for iOS"]],
  ["Mozilla/5.0 (X11; Linux x86_64)", []],
])("offers the download for %s", async (userAgent, names) => {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(userAgent);
  await openApp("/home");
  const downloads = screen.queryAllByRole("button", { name: /^Download/ });
  expect(downloads.map((each) => each.textContent)).toEqual(names);
});

const phone = "Mozilla/5.0 (Linux; Android 16; Pixel 9)";
/** The third-party script, which answers as calls are answered. */
const scripts = {
  readBuilds: async () => ((await (await ask(asksScript.packages)).json()) as { data: Builds }).data,
  install: async () => void (await ask(asksScript.install)),
};
const ask = (what: string) =>
  fetch(what).catch(() => {
    throw new CallFailed({ kind: "network" });
  });

for (const [model, userAgent, stored, opens] of [
  [downloading, phone, {}, true],
  [downloadBlocked, phone, {}, false],
  [downloadingAgain, phone, { packages: builds }, true],
  [hinted, `${phone} MicroMessenger/8.0`, {}, true],
] as const) {
  runOnScreen(model, () => {
    vi.spyOn(navigator, "userAgent", "get").mockReturnValue(userAgent);
    stubWindow(opens);
    return openForModel("/home", { stored, scripts });
  });
}

const gesture = async (
  type: "pointerDown" | "pointerMove" | "pointerUp",
  clientY: number,
  by: PointerEventInit = {},
) => {
  const [head] = screen.getAllByRole("banner");
  const at = { clientX: 10, clientY, isPrimary: true, buttons: 1, ...by };
  await settled(() => fireEvent[type](head as HTMLElement, at));
};
const heads = ["Pull to refresh", "Let go to refresh", "Refreshing…", "Up to date"];

runOnScreen(pull, () => openForModel("/home"));

test("refreshes for a second", async () => {
  await openApp("/home");
  await gesture("pointerDown", 100);
  await gesture("pointerMove", 300);
  await gesture("pointerUp", 300);
  const seen = [];
  for (const ms of [0, 999, 1, 499, 1]) {
    await pass(ms);
    seen.push(heads.find((head) => reads(head)) ?? null);
  }
  expect(seen).toEqual(["Refreshing…", "Refreshing…", "Up to date", "Up to date", null]);
});

test.each([
  ["a mouse's other button", { button: 2, buttons: 2 }],
  ["a mouse that is over it", { button: -1, buttons: 0 }],
  ["a second finger", { isPrimary: false }],
])("%s pulls nothing", async (_, by) => {
  await openApp("/home");
  await gesture("pointerDown", 100, by);
  await gesture("pointerMove", 300, by);
  expect(heads.filter((head) => reads(head))).toEqual([]);
});

test.each([
  [1, 0],
  [6, 0],
  [7, 1],
])("a mouse that slips by %i px while it clicks keeps its click: captured %i times", async (by, times) => {
  await openApp("/home");
  await gesture("pointerDown", 100);
  await gesture("pointerMove", 100 + by);
  expect(Element.prototype.setPointerCapture).toHaveBeenCalledTimes(times);
});

test("a second finger neither moves nor lets go what the first one pulls", async () => {
  await openApp("/home");
  await gesture("pointerDown", 100);
  await gesture("pointerMove", 130);
  await gesture("pointerMove", 300, { isPrimary: false });
  await gesture("pointerUp", 300, { isPrimary: false });
  expect(heads.filter((head) => reads(head))).toEqual(["Pull to refresh"]);
});

test("the refresh head goes as it was, not blank", async () => {
  await openApp("/home");
  const going = Promise.withResolvers<void>();
  const { prototype } = Element;
  prototype.getAnimations = () => [{ finished: going.promise } as unknown as Animation];
  onTestFinished(() => void Reflect.deleteProperty(prototype, "getAnimations"));
  await gesture("pointerDown", 100);
  await gesture("pointerMove", 130);
  await gesture("pointerUp", 130);
  const goes = reads("Pull to refresh");
  await settled(() => going.resolve());
  expect({ goes, gone: !reads("Pull to refresh") }).toEqual({ goes: true, gone: true });
});

runOnScreen(travelling, async () => {
  const harness = await openForModel("/login", { late: "/service" });
  await harness.user.advance(500);
  return harness;
});
runOnScreen(returning, () => openForModel("/login"));

test.each([
  ["/nowhere", "en", "This page does not exist", "Go to the home page"],
  ["/nowhere/at/all", "zh-CN", "页面不存在", "回到首页"],
] as const)(
  "says that %s leads nowhere (%s), and shows the way home",
  async (path, language, words, home) => {
    const { place, tap } = await openApp(path, { language });
    expect(reads(words)).toBe(true);
    await tap(link(home));
    expect({ place: place(), id: document.querySelector("#wrap") !== null }).toEqual({
      place: "/home",
      id: true,
    });
  },
);

test.each([
  ["/home", "Never-offline VPN · Everlit"],
  ["/login", "Log in · Everlit"],
  ["/register", "Create an account · Everlit"],
  ["/registerSuccess", "Account created · Everlit"],
  ["/service", "User service agreement · Everlit"],
  ["/buy", "Choose a package · Everlit"],
  ["/buy/Monthly", "Choose a package · Everlit"],
  ["/personal_info", "Personal center · Everlit"],
  ["/setting", "Settings · Everlit"],
])("%s has its title", async (path, words) => {
  const { place } = await openApp(path, { stored: anna });
  expect({ place: place(), title: document.title }).toEqual({ place: path, title: words });
});

const broken: [string, Record<string, unknown>][] = [
  [
    "bad JSON",
    { user_key: "{", selectedItem: "[", orders: "{]", "order:A100": "{", packages: "", language: "{" },
  ],
  [
    "other types",
    {
      user_key: [1],
      selectedItem: 7,
      orders: { a: 1 },
      "order:A100": [1],
      "paid:A100": 7,
      packages: 0,
      language: 5,
    },
  ],
  [
    "null",
    {
      user_key: null,
      selectedItem: null,
      orders: null,
      "order:A100": null,
      user_name: "",
      user_token: "",
      language: "",
    },
  ],
  [
    "half a value",
    {
      user_key: { account_name: "" },
      selectedItem: { id: "1" },
      orders: [{ orderId: "A100" }],
      "order:A100": { orderId: "A100" },
    },
  ],
];
test.each(broken)("is not stopped by stored values that it never wrote: %s", async (_, kept) => {
  const { place, visit } = await openApp("/home", { stored: kept });
  expect({ title: title(), name: bar().getByRole("link").getAttribute("aria-label") }).toEqual({
    title: "Never-offline VPN",
    name: "Log in",
  });
  await visit("/pay/vpn.month");
  expect(place()).toBe("/buy");
});

test("what a full storage does not take lasts as long as the page, or until another tab stores something", () => {
  const full = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  const storage = openStorage(localStorage);
  storage.writeText("user_name", "Anna");
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(full);
  storage.writeText("user_name", "Berta");
  const unsaved = storage.readText("user_name");
  // Another document would not read it, so none is opened for a script.
  expect(storage.lasts).toBe(false);
  vi.restoreAllMocks();
  localStorage.setItem("user_name", "Clara");
  window.dispatchEvent(new StorageEvent("storage", { key: "user_name", storageArea: localStorage }));
  expect([unsaved, storage.readText("user_name"), storage.lasts]).toEqual(["Berta", "Clara", true]);
});

test("what a full storage does not take is stored once there is room, and is missed where another document needs it", () => {
  const storage = openStorage(localStorage);
  const { setItem } = Storage.prototype;
  let room = 0;
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(function (this: Storage, key, value) {
    if (value.length > room) throw new DOMException("full", "QuotaExceededError");
    setItem.call(this, key, value);
  });
  storage.writeText("clock", "90000");
  const withoutClock = storage.lasts;
  storage.writeText("user_token", "signed");
  storage.writeText("user_name", "Anna");
  const withoutToken = storage.lasts;
  // Unheard, another tab stores a newer one.
  setItem.call(localStorage, "user_name", "Berta");
  // Another write finds room; later there is room without one.
  room = 5;
  storage.writeText("language", "en");
  const small = stored();
  room = 6;
  expect([withoutClock, withoutToken, small, storage.lasts, stored()]).toEqual([
    true,
    false,
    { user_name: "Berta", language: "en", clock: 90_000 },
    true,
    { user_name: "Berta", language: "en", clock: 90_000, user_token: "signed" },
  ]);
});

const refuse = () => {
  throw new DOMException("denied", "SecurityError");
};
test.each([
  ["throws", { getItem: refuse, setItem: refuse, removeItem: refuse } as unknown as Storage],
  ["is missing", null],
])("works, as long as the page lasts, where storage %s", async (_, area) => {
  const { tap } = await openApp("/home", { area });
  await tap(button("Change language"));
  await tap(button("简体中文"));
  expect({ title: title(), stored: stored() }).toEqual({ title: "永不掉线的 VPN", stored: {} });
});
