/** The packages on sale on the screen: their words, the choice, and the way on to paying. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { buying } from "../models/catalogue.ts";
import { button, openApp, reads, scrolledIntoView, settled, stored } from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import { halfYearly, monthly, packagesOf, quarterly, yearly } from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

const path = "/api/packegs/list";
const everything = packagesOf(monthly, quarterly, halfYearly, yearly);

const radios = () => screen.queryAllByRole<HTMLInputElement>("radio");
/** The words of each package, as they are read. */
const cards = () => radios().map((radio) => radio.closest("label")?.textContent);
const picked = () => radios().find(({ checked }) => checked)?.value ?? null;

runOnScreen(buying, () => openForModel("/buy"));

test("shows what each package costs, and recommends the second and the fourth", async () => {
  await openApp("/buy", { replies: { [path]: everything } });
  expect(cards()).toEqual([
    "Monthly12.50USD 9.99USD 0.33 a day80% of list price",
    "Quarterly12.50USD 24.99USD 0.33 a day66.5% of list priceRecommended",
    "Half a year12.50USD 44.99USD 0.33 a day60% of list price",
    "Yearly12.50USD 79.99USD 0.33 a day53% of list priceRecommended",
  ]);
});

test("says it in Chinese", async () => {
  await openApp("/buy", { language: "zh-CN", replies: { [path]: packagesOf(monthly) } });
  expect(["每天 USD 0.33", "原价的 80%"].map(reads)).toEqual([true, true]);
});

test("shows what other services leave out, or number, as they send it", async () => {
  const bare = { id: 7, name: "Bare", product_id: 7, buy_price: 5 };
  await openApp("/buy", { replies: { [path]: packagesOf(bare, { ...monthly, discount: "100" }) } });
  expect(cards()).toEqual(["BareUSD 5", "MonthlyUSD 9.99USD 0.33 a dayRecommended"]);
});

test("goes on with the package that was picked, and keeps it", async () => {
  const { place, service, tap } = await openApp("/buy", { replies: { [path]: everything } });
  expect((button("Continue") as HTMLButtonElement).disabled).toBe(true);
  await tap(screen.getByRole("radio", { name: /Yearly/ }));
  await tap(button("Continue"));
  expect({ place: place(), stored: stored(), sent: service.sent.length }).toEqual({
    place: "/pay/vpn.year",
    stored: { selectedItem: yearly },
    sent: 1,
  });
});

test.each([
  ["/buy", yearly, "vpn.year"],
  // What the address names comes first.
  ["/buy/Quarterly", yearly, "vpn.quarter"],
  ["/buy", { ...yearly, product_id: "vpn.gone" }, null],
])(
  "at %s, what was chosen before is picked again where it is still on sale",
  async (address, chosen, productId) => {
    await openApp(address, { stored: { selectedItem: chosen }, replies: { [path]: everything } });
    expect(picked()).toBe(productId);
  },
);

test.each([
  ["/buy/Quarterly", "vpn.quarter", 1],
  // As people write it.
  ["/buy/quarterly", "vpn.quarter", 1],
  ["/buy/Half%20a%20year", "vpn.half", 1],
  ["/buy/Unheard%20of", null, 0],
])("%s picks a package by its name, and brings it into view", async (address, productId, scrolls) => {
  await openApp(address, { replies: { [path]: everything } });
  expect({
    picked: picked(),
    scrolls: scrolledIntoView.mock.calls.length,
  }).toEqual({
    picked: productId,
    scrolls,
  });
});

test("reads the packages anew in another language", async () => {
  const { app, service } = await openApp("/buy", { replies: { [path]: everything } });
  const languages = () => service.to(path).map(({ headers }) => headers["language"]);
  expect(languages()).toEqual(["en"]);
  await settled(() => app.handleEmitted({ type: "sheet.chosen", value: "zh-CN" }));
  expect(languages()).toEqual(["en", "zh-CN"]);
});

test("goes back to the personal center", async () => {
  const { place, tap } = await openApp("/buy", { stored: { user_name: "Anna" } });
  await tap(button("Back"));
  expect(place()).toBe("/personal_info");
});

test("a visitor goes back to the landing page, not to the login", async () => {
  const { place, tap } = await openApp("/buy");
  await tap(button("Back"));
  expect(place()).toBe("/home");
});
