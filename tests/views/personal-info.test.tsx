/** The personal center on the screen: who, until when, an unfinished payment, what can be bought and how. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { catalogueMachine } from "../../machines/catalogue.ts";
import { membershipMachine } from "../../machines/membership.ts";
import { actOut, button, link, openApp, reads, said, stored, warned } from "../support/app.tsx";
import {
  anna,
  halfYearly,
  kept,
  monthly,
  nobody,
  ok,
  packagesOf,
  paymentPath,
  quarterly,
  yearly,
} from "../support/replies.ts";

const centre = "/api/user/center";
const packages = "/api/packegs/list";
const methods = "/api/payment_method_list";
const visitor = { account_name: "anna", name: null, pack_name: null, pack_exp_date: null };
const member = { ...visitor, name: "Anna B.", pack_name: "Yearly", pack_exp_date: "2026-12-31 23:59:59" };
const everything = packagesOf(monthly, quarterly, halfYearly, yearly);
const open = (replies = {}) => openApp("/personal_info", { stored: anna, replies });
const slow = "This is taking longer than usual. Your connection may be slow.";

const userOf = (user: object) => ok({ user });
const showAgain = async ({ visit }: Awaited<ReturnType<typeof open>>) => {
  await visit("/setting");
  await visit("/personal_info");
};

actOut(membershipMachine, {
  events: [{ type: "page.shown" }, { type: "asked.again" }] as const,
  offers: (state, { type }) => type === "page.shown" || state.matches("failed") || state.hasTag("slow"),
  answers: {
    readMember: {
      path: centre,
      replies: {
        none: { output: visitor, reply: userOf(visitor) },
        active: { output: member, reply: userOf(member) },
        refused: { refusal: { code: 1, message: "Later." } },
      },
    },
  },
  open: () => open({ [packages]: packagesOf() }),
  does: {
    "page.shown": (_, stage) => showAgain(stage),
    "asked.again": (_, { tap }) => tap(button("Try again")),
  },
  looks: ({ service }) => ({
    loading: document.querySelector("[aria-busy=true]") !== null,
    slow: reads(slow),
    failed: warned().length,
    none: reads("Not activated as a member"),
    active: reads(/^Yearly/),
    waiting: service.waiting,
  }),
  promises: (state) => ({
    loading: state.matches("loading"),
    slow: state.hasTag("slow"),
    failed: state.matches("failed") ? 1 : 0,
    none: state.matches({ shown: { standing: "none" } }),
    active: state.hasTag("active"),
    waiting: state.matches("loading") || state.matches({ shown: { news: "refreshing" } }) ? [centre] : [],
  }),
});

/** The rows of the sheet that asks how to pay; null while it is closed. */
const ways = () => {
  const sheet = screen.queryByRole("dialog");
  return (
    sheet &&
    within(sheet)
      .queryAllByRole("listitem")
      .map((row) => row.textContent)
  );
};
const usdt = "USDTTRC20 or ERC20, from any wallet";
const noWay = "No way to pay is open right now. Please try again later.";

actOut(catalogueMachine, {
  input: { wanted: null },
  events: [{ type: "methods.asked", productId: "vpn.month" }, { type: "methods.dismissed" }] as const,
  offers: (state, { type }) => state.matches(type === "methods.asked" ? "listing" : "choosingMethod"),
  answers: {
    readPackages: { path: packages, replies: { one: { output: [monthly], reply: packagesOf(monthly) } } },
    readMethods: {
      path: methods,
      replies: {
        open: { output: ["EbPay"], reply: ok([{ payment_method: "EbPay", open: "1" }]) },
        closed: { output: [], reply: ok([{ payment_method: "EbPay", open: "0" }]) },
        refused: { refusal: { code: 1, message: "Later." } },
      },
    },
  },
  open: () => open({ [centre]: userOf(visitor) }),
  does: {
    "methods.asked": (_, { tap }) => tap(button(/Monthly/)),
    "methods.dismissed": (_, { tap }) => tap(button("Close")),
  },
  looks: ({ service }) => ({
    tiles: screen.queryAllByRole("button", { name: /Monthly/ }).length,
    ways: ways(),
    slow: reads(slow),
    failed: warned().length,
    waiting: service.waiting,
  }),
  promises: (state) => ({
    tiles: state.context.offers.length,
    ways: !state.matches("choosingMethod")
      ? null
      : state.matches({ choosingMethod: "reading" })
        ? []
        : [state.context.methods.length > 0 ? usdt : noWay],
    slow: state.hasTag("slow"),
    failed: state.matches("failed") ? 1 : 0,
    waiting: state.matches("loading")
      ? [packages]
      : state.matches({ choosingMethod: "reading" })
        ? [methods]
        : [],
  }),
});

test.each([
  ["en", visitor, "anna", "Not activated as a member"],
  ["zh-CN", visitor, "anna", "未开通会员"],
  ["en", member, "anna", "Yearly · until December 31, 2026"],
  ["zh-CN", member, "anna", "Yearly · 有效期至 2026年12月31日"],
  ["en", { ...member, pack_exp_date: "2026-12-31" }, "anna", "Yearly · until December 31, 2026"],
  ["en", { ...member, name: "", pack_exp_date: null }, "anna", "Yearly"],
  ["en", { account_name: "anna" }, "anna", "Not activated as a member"],
] as const)("in %s, %o is %s: %s", async (language, user, name, standing) => {
  await openApp("/personal_info", { language, stored: anna, replies: { [centre]: userOf(user) } });
  const words = [...document.querySelectorAll("main section p")].map((part) => part.textContent);
  expect(words).toEqual([name, standing]);
});

test("shows what is saved on each package, and recommends every other one", async () => {
  await open({ [centre]: userOf(visitor), [packages]: everything });
  const tiles = screen.getAllByRole("button", { name: /USD/ }).map((tile) => tile.textContent);
  expect(tiles).toEqual([
    "MonthlyUSD 9.99USD 0.33 a daySave 20%Recommended",
    "QuarterlyUSD 24.99USD 0.33 a daySave 33.5%",
    "Half a yearUSD 44.99USD 0.33 a daySave 40%Recommended",
    "YearlyUSD 79.99USD 0.33 a daySave 47%",
  ]);
});

test("offers the enabled ways to pay that it knows, and goes on to the payment", async () => {
  const { place, tap } = await open({
    [centre]: userOf(visitor),
    [packages]: everything,
    [methods]: ok([
      { payment_method: "Barter", open: "1" },
      { payment_method: "EbPay", open: 1 },
      { payment_method: "Stripe", open: "0" },
    ]),
  });
  await tap(button(/Quarterly/));
  expect({
    ways: ways(),
    title: screen.getByRole("dialog", { name: "How would you like to pay?" }) !== null,
  }).toEqual({ ways: [usdt], title: true });
  await tap(button(/USDT/));
  expect({ place: place(), stored: stored() }).toEqual({
    place: "/pay/vpn.quarter",
    stored: { ...anna, selectedItem: quarterly },
  });
});

test("tells why the ways to pay could not be had, and keeps the packages", async () => {
  const { tap } = await open({ [centre]: userOf(visitor), [packages]: everything, [methods]: "lost" });
  await tap(button(/Monthly/));
  expect({
    ways: ways(),
    said: said(),
    tiles: screen.getAllByRole("button", { name: /USD/ }).length,
  }).toEqual({
    ways: null,
    said: ["No connection. Check your network and try again."],
    tiles: 4,
  });
});

test("offers to go on with an unfinished payment, to its owner only", async () => {
  const theirs = { ...kept, orderId: "B200", accountName: "Berta", packName: "Yearly" };
  const { place, tap } = await openApp("/personal_info", {
    stored: { ...anna, orders: [theirs, kept] },
    replies: { [centre]: userOf(visitor), [packages]: everything },
  });
  expect(
    ["Monthly, 9.99 USDT. Not paid yet, or waiting for the network.", /B200|Yearly, /].map(reads),
  ).toEqual([true, false]);
  await tap(link("Go on with it"));
  expect(place()).toBe(paymentPath);
});

test("leads to the settings, and back home", async () => {
  const { place, tap, visit } = await open({ [centre]: userOf(visitor), [packages]: everything });
  await tap(link("Settings"));
  expect(place()).toBe("/setting");
  await visit("/personal_info");
  await tap(button("Back"));
  expect(place()).toBe("/home");
});

test("a visitor is told once, and sent to the login", async () => {
  const { place, service } = await openApp("/personal_info");
  expect({ place: place(), said: said(), sent: service.sent }).toEqual({
    place: "/login",
    said: ["Please log in first"],
    sent: [],
  });
});

test("a session that is over ends once, however many calls say so at once", async () => {
  const { app, place, service, history } = await openApp("/personal_info", { stored: anna });
  const required: string[] = [];
  app.session.on("session.required", ({ type }) => required.push(type));
  expect(service.waiting.toSorted()).toEqual([packages, centre]);
  await service.answerAll(nobody);
  expect({
    required: required.length,
    place: place(),
    said: said(),
    stored: stored(),
    length: history.length,
  }).toEqual({
    required: 1,
    place: "/login",
    said: ["Please log in first"],
    stored: {},
    length: 1,
  });
});
