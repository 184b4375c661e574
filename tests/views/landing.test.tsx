/** What the landing page says: the headline, three features, three sections of cards, and the way to the app. */
import { cleanup, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { noBuilds, type Builds } from "../../machines/download.ts";
import { OPTION_HEIGHT, VISIBLE_OPTIONS } from "../../src/app/ui/wheel-motion.ts";
import { button, lookAgain, openApp, pass, reads, said, settled, stored, title } from "../support/app.tsx";
import { anna, kept, no, notSignedIn, ok, paymentPath, type Reply } from "../support/replies.ts";

const section = (name: string) => screen.getByRole("list", { name });
const pictures = (element: HTMLElement) => element.querySelectorAll("img").length;
const cards = (element: HTMLElement) =>
  within(element)
    .getAllByRole("listitem")
    .map((card) => ({
      title: (card.querySelector("h3, figcaption")?.textContent ?? "") !== "",
      words: (card.textContent ?? "").length > 40,
      pictures: pictures(card),
    }));

test("says its headline, its rank and its three features", async () => {
  await openApp("/home");
  expect({
    title: title(),
    rank: document.body.textContent?.includes("Top 3 in Tools · App Store"),
    features: screen.getByRole("heading", { name: "Fast connection" }).parentElement?.querySelectorAll("img")
      .length,
  }).toEqual({ title: "Never-offline VPN", rank: true, features: 3 });
});

test("has three sections of cards: highlights, benefits, and three testimonials with face, name, words and rating", async () => {
  await openApp("/home");
  const whole = { title: true, words: true, pictures: 1 };
  const testimonial = { ...whole, pictures: 2 };
  expect({
    highlights: cards(section("Product highlights")),
    benefits: cards(section("VPN Benefits and Advantages")),
    testimonials: cards(section("Trusted by experts and users")),
    price: section("Trusted by experts and users").textContent?.includes("28 yuan"),
  }).toEqual({
    highlights: [whole, whole, whole, whole],
    benefits: [whole, whole, whole, whole],
    testimonials: [testimonial, testimonial, testimonial],
    price: true,
  });
});

test("the logo is another one in Chinese", async () => {
  const logos = [];
  for (const language of ["en", "zh-CN"] as const) {
    await openApp("/home", { language });
    logos.push(document.querySelector("header img")?.getAttribute("src"));
    cleanup();
  }
  expect(new Set(logos).size).toBe(2);
});

const android = "Mozilla/5.0 (Linux; Android 16; Pixel 9)";
const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)";
const built = (url: string) => ({ date: "2026-01-01", url, verison: "1.2" });
const builds = { ...noBuilds, android: built("https://app.example/a"), ios: built("https://app.example/i") };

test.each([
  [android, "Download for Android", { device: "android", url: "https://app.example/a" }],
  [iphone, "Download for iOS", { device: "ios", url: "https://app.example/i" }],
])(
  "the download script's packages are kept, and its button installs: %s",
  async (userAgent, name, wanted) => {
    vi.spyOn(navigator, "userAgent", "get").mockReturnValue(userAgent);
    const install = vi.fn<(wanted: unknown) => Promise<void>>(async () => {});
    const { tap } = await openApp("/home", { scripts: { readBuilds: async () => builds, install } });
    expect(stored()["packages"]).toEqual(builds);
    await tap(button(name));
    expect(install.mock.calls).toEqual([[wanted]]);
  },
);

test("before the script has spoken every platform's date, url and version are empty", () => {
  const nothing = { date: "", url: "", verison: "" };
  expect(noBuilds).toEqual({ android: nothing, ios: nothing, mac: nothing, windows: nothing });
});

test("where no other document would know who is signed in, the script is not asked for: the way is the provider's site", async () => {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(android);
  const opened = vi.spyOn(window, "open").mockReturnValue(null);
  const readBuilds = vi.fn<() => Promise<Builds>>(async () => builds);
  const { tap } = await openApp("/home", { area: null, scripts: { readBuilds } });
  await tap(button("Download for Android"));
  expect({ asked: readBuilds.mock.calls, opened: opened.mock.calls.length }).toEqual({
    asked: [],
    opened: 1,
  });
});

test("a browser inside another app is told how to leave it", async () => {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(`${android} MicroMessenger/8.0`);
  const install = vi.fn<() => Promise<void>>(async () => {});
  const { tap } = await openApp("/home", { scripts: { readBuilds: async () => builds, install } });
  await tap(button("Download for Android"));
  expect({
    hint: document.body.textContent?.includes("open this page in your browser to download"),
    installs: install.mock.calls,
    said: said(),
  }).toEqual({ hint: true, installs: [], said: [] });
});

test("an option of a wheel is 44 px high, and six are seen", () => {
  expect([OPTION_HEIGHT, VISIBLE_OPTIONS]).toEqual([44, 6]);
});

test("the landing page stands in its wrapper", async () => {
  await openApp("/home");
  expect(document.getElementById("wrap")?.textContent).toContain("Never-offline VPN");
});

test("the refresh head moves in 300 ms", async () => {
  await openApp("/home");
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const styles = rules.map((rule) => rule.cssText).join("\n");
  const [, name = "none"] =
    /\.(\w+)\[data-settling\] ?\{[^}]*transition: ?transform 300ms/.exec(styles) ?? [];
  expect(document.getElementsByClassName(name).length).toBe(1);
});

test("the payment screen has the way to customer support, and asks not to be closed", async () => {
  await openApp(paymentPath, { stored: { ...anna, orders: [kept] } });
  expect({
    support: button("Contact customer support").textContent,
    warning: reads(
      "Please do not close this page until you have paid. The address is for this order only: each new purchase makes a new order.",
    ),
  }).toEqual({ support: "Contact customer support", warning: true });
});

const centre = "/api/user/center";
const ending = ok({
  user: { account_name: "Anna", pack_name: "Yearly", pack_exp_date: "2026-01-01T20:30:00" },
});
const reminder = () =>
  screen
    .queryByRole("complementary", { name: "End of the membership" })
    ?.textContent.replaceAll("\u202F", " ");
/** The landing page after the moment in which it does nothing. */
const openIdle = async (more: { stored?: object; replies?: Record<string, Reply> }) => {
  const harness = await openApp("/home", { ...more, stored: { ...more.stored } });
  await pass(1_000);
  // The code of its line comes in two pieces, each of which is drawn after a while.
  for (const _ of [1, 2]) {
    await settled(() => vi.dynamicImportSettled());
    await pass(1_000);
  }
  return harness;
};

test("a membership that ends is told of at the foot, with the way to renew", async () => {
  const { tap, place } = await openIdle({ stored: anna, replies: { [centre]: ending } });
  const seen = reminder();
  await tap(screen.getByRole("link", { name: "Renew" }));
  expect({ seen, place: place() }).toEqual({
    seen: "Your membership ends today at 8:30 PMRenew",
    place: "/buy",
  });
});

test("looked at again, the landing page asks again", async () => {
  const { service } = await openIdle({ stored: anna, replies: { [centre]: ending } });
  service.will(centre, ok({ user: { account_name: "Anna", pack_name: null } }));
  await lookAgain();
  expect({ seen: reminder(), asked: service.to(centre).length }).toEqual({ seen: undefined, asked: 2 });
});

test.each([
  ["an API that does not hold the session", notSignedIn],
  ["a refusal", no("Not now.")],
  ["no network", "lost"],
] as const)("of %s the landing page says nothing, and stays", async (_, reply) => {
  const { place, service } = await openIdle({ stored: anna, replies: { [centre]: reply } });
  expect({
    place: place(),
    said: said(),
    seen: reminder(),
    asked: service.to(centre).length,
    name: stored()["user_name"],
  }).toEqual({
    place: "/home",
    said: [],
    seen: undefined,
    asked: 1,
    name: "Anna",
  });
});

test.each([
  ["a visitor", {}],
  ["a member with an unfinished payment, which comes first", { ...anna, orders: [kept] }],
])("%s is not asked about", async (_, held) => {
  const { service } = await openIdle({ stored: held, replies: { [centre]: ending } });
  expect({ seen: reminder(), asked: service.to(centre) }).toEqual({ seen: undefined, asked: [] });
});
