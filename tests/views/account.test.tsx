/** The personal center on the screen: who, until when, an unfinished payment, what can be bought and how. */
import { drawnAnew } from "../support/drawn-anew.ts";
import { screen, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { choosing } from "../models/catalogue.ts";
import { keptMembership, membership, membershipRemembered } from "../models/membership.ts";
import {
  button,
  link,
  lookAgain,
  network,
  openApp,
  START,
  pass,
  reads,
  said,
  stored,
  keptOrders,
} from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import {
  anna,
  detail,
  halfYearly,
  kept,
  monthly,
  no,
  notSignedIn,
  ok,
  packagesOf,
  paymentPath,
  quarterly,
  yearly,
} from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

const centre = "/api/user/center";
const packages = "/api/packegs/list";
const methods = "/api/payment_method_list";
const order = "/api/order/detail";
const visitor = { account_name: "anna", name: null, pack_name: null, pack_exp_date: null };
const member = { ...visitor, name: "Anna B.", pack_name: "Yearly", pack_exp_date: "2026-12-31 23:59:59" };
const everything = packagesOf(monthly, quarterly, halfYearly, yearly);
const open = (replies = {}) => openApp("/personal_info", { stored: anna, replies });

const userOf = (user: object) => ok({ user });
runOnScreen(membership, () =>
  openForModel("/personal_info", { stored: anna, replies: { [packages]: packagesOf() } }),
);

const remembering = { ...anna, membership: keptMembership };
runOnScreen(membershipRemembered, () =>
  openForModel("/personal_info", { stored: remembering, replies: { [packages]: packagesOf() } }),
);

const lastKnown = () => stored()["membership"];

test("the membership is kept as it is read, and no more once it is over", async () => {
  const { service } = await open({ [centre]: userOf(member), [packages]: everything });
  expect(lastKnown()).toEqual({
    accountName: "Anna",
    pack_name: "Yearly",
    pack_exp_date: member.pack_exp_date,
    ends: new Date(2026, 11, 31, 23, 59, 59).getTime(),
  });
  service.will(centre, userOf(visitor));
  await lookAgain();
  expect(lastKnown()).toBeUndefined();
});

test.each([
  ["another account's", { accountName: "Bert" }],
  ["one that has ended", { ends: START - 1 }],
])("%s membership that is kept here is not shown as one's own", async (_, other) => {
  await openApp("/personal_info", {
    stored: { ...anna, membership: { ...keptMembership, ...other } },
  });
  expect(screen.queryByText(/^Valid until/)).toBe(null);
});

test("who asks again, and has the button go with the question, is at the heading", async () => {
  const { tap } = await openApp("/personal_info", {
    stored: anna,
    replies: { [centre]: no("Not now."), [packages]: everything },
  });
  await tap(button("Try again"));
  expect(document.activeElement?.textContent).toBe("Personal center");
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

runOnScreen(choosing, () =>
  openForModel("/personal_info", { stored: anna, replies: { [centre]: userOf(visitor) } }),
);

test.each([
  ["en", visitor, "anna", ["Not activated as a member"]],
  ["zh-CN", visitor, "anna", ["未开通会员"]],
  ["en", member, "anna", ["Yearly", "Valid until December\u00A031, 2026"]],
  ["zh-CN", member, "anna", ["Yearly", "有效期至 2026\u00A0年 12\u00A0月 31\u00A0日"]],
  [
    "en",
    { ...member, pack_exp_date: "2026-12-31" },
    "anna",
    ["Yearly", "Valid until December\u00A031, 2026"],
  ],
  ["en", { ...member, name: "", pack_exp_date: null }, "anna", ["Yearly"]],
  ["en", { account_name: "anna" }, "anna", ["Not activated as a member"]],
] as const)("in %s, %o is %s: %s", async (language, user, name, standing) => {
  await openApp("/personal_info", { language, stored: anna, replies: { [centre]: userOf(user) } });
  const words = [...document.querySelectorAll("main section p")].map((part) => part.textContent);
  expect(words).toEqual([name, ...standing]);
});

const soon = { ...member, pack_exp_date: "2026-01-01T20:30:00" };

test.each([
  ["en", soon, "Your membership ends today at 8:30 PM", "Renew"],
  ["zh-CN", soon, "会员今天 20:30 到期", "续费"],
  ["en", { ...soon, pack_exp_date: "2026-01-02T20:30:00" }, "Your membership ends tomorrow", "Renew"],
  ["zh-CN", { ...soon, pack_exp_date: "2026-01-06T20:30:00" }, "会员还有 5 天到期", "续费"],
  [
    "en",
    { ...visitor, membership_ended_at: "2025-12-30T20:30:00" },
    "Your membership ended on December\u00A030, 2025",
    "Renew",
  ],
] as const)(
  "in %s, the end of %o is told of, with the way to renew: %s",
  async (language, user, words, renew) => {
    const { tap, place } = await openApp("/personal_info", {
      language,
      stored: anna,
      replies: { [centre]: userOf(user) },
    });
    const line = document.querySelector("[data-phase] p")?.textContent.replaceAll("\u202F", " ");
    await tap(link(renew));
    expect({ line, place: place() }).toEqual({ line: words, place: "/buy" });
  },
);

test("looked at again the next day, the line says so", async () => {
  const { service } = await openApp("/personal_info", {
    stored: anna,
    replies: { [centre]: userOf({ ...member, pack_exp_date: "2026-01-03T20:30:00" }) },
  });
  const line = () => document.querySelector("[data-phase] p")?.textContent;
  const before = line();
  vi.setSystemTime(Date.now() + 86_400_000);
  await lookAgain();
  expect({ before, after: line(), asked: service.to(centre).length }).toEqual({
    before: "Your membership ends in 2 days",
    after: "Your membership ends tomorrow",
    asked: 2,
  });
});

test("shows what is saved on each package, and recommends every other one", async () => {
  // What is left of a hundred is no matter of a computer's fractions.
  const odd = { ...yearly, discount: "91.7" };
  await open({ [centre]: userOf(visitor), [packages]: packagesOf(monthly, quarterly, halfYearly, odd) });
  const tiles = screen.getAllByRole("button", { name: /USD/ }).map((tile) => tile.textContent);
  expect(tiles).toEqual([
    "MonthlyUSD 9.99USD 0.33 a daySave 20%Recommended",
    "QuarterlyUSD 24.99USD 0.33 a daySave 33.5%",
    "Half a yearUSD 44.99USD 0.33 a daySave 40%Recommended",
    "YearlyUSD 79.99USD 0.33 a daySave 8.3%",
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

test("asking how to pay draws its sheet anew, and no package", async () => {
  const { tap } = await open({
    [centre]: userOf(visitor),
    [packages]: everything,
    [methods]: ok([{ payment_method: "EbPay", open: 1 }]),
  });
  await pass(1_000);
  drawnAnew();
  await tap(button(/Quarterly/));
  const drawn = new Set(drawnAnew());
  expect({
    ways: ways(),
    sheet: drawn.has("PaymentMethodSheet"),
    packages: drawn.has("PackageTile"),
  }).toEqual({
    ways: [usdt],
    sheet: true,
    packages: false,
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
  await tap(link("Continue payment"));
  expect(place()).toBe(paymentPath);
});

test.each([
  ["en", "You have an unfinished payment", "Your last payment", "See the bill"],
  ["zh-CN", "你有一笔未完成的付款", "上一笔付款", "查看账单"],
] as const)(
  "in %s, after its thirty minutes a transfer leads to its bill, which asks before it shows an address",
  async (language, open, last, bill) => {
    const { place, tap, service } = await openApp("/personal_info", {
      language,
      stored: { ...anna, orders: [kept, { ...kept, orderId: "B200", packName: "Yearly" }] },
      replies: { [centre]: userOf(visitor), [packages]: everything },
    });
    const before = [reads(open), reads(last)];
    await pass(21 * 60_000);
    await lookAgain();
    expect([before, [reads(open), reads(last)]]).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(link(/^Yearly/).getAttribute("href")).toBe("/billDetail/B200/0/9.99/-");
    await tap(link(bill));
    expect([place(), service.waiting.includes(order), reads(kept.address)]).toEqual([
      "/billDetail/A100/0/9.99/-",
      true,
      false,
    ]);
  },
);

test("an unfinished payment that was settled meanwhile goes, and what it bought is there", async () => {
  const { service } = await openApp("/personal_info", {
    stored: { ...anna, orders: [kept] },
    replies: { [centre]: userOf(visitor), [packages]: everything },
  });
  const seen = () => ["You have an unfinished payment", "Not activated as a member"].map(reads);
  expect(seen()).toEqual([true, true]);
  service.will(centre, userOf(member));
  await service.answer(order, ok(detail({ status: 1 })));
  expect({
    seen: seen(),
    active: reads(/^Valid until/),
    kept: keptOrders(),
  }).toEqual({
    seen: [false, false],
    active: true,
    kept: [],
  });
});

test.each([
  ["en", "Your payment for Monthly went through after all."],
  ["zh-CN", "「Monthly」的那笔付款，最后还是成功了。"],
] as const)(
  "in %s, of a payment that was reported as failed and went through it says once: %s",
  async (language, words) => {
    const reported = { orderId: "A100", amount: "9.99", accountName: "Anna", packName: "Monthly" };
    const { service } = await openApp("/personal_info", {
      language,
      stored: { ...anna, orders: [{ ...reported, reportedFailed: true }] },
      replies: { [centre]: userOf(member), [packages]: everything },
    });
    const before = [...said()];
    await service.answer(order, ok(detail({ status: 1, coin_type: null })));
    await lookAgain();
    expect({ before, after: said(), kept: keptOrders() }).toEqual({ before: [], after: [words], kept: [] });
  },
);

test.each([
  [
    "en",
    "Monthly, USD 9.99. The payment was reported as failed. If your card was charged all the same, the bill shows it.",
  ],
  ["zh-CN", "Monthly，USD 9.99。支付服务商告知付款失败；如果实际已经扣款，账单会显示。"],
] as const)("in %s, of a payment that was reported as failed it says %s", async (language, words) => {
  const reported = { orderId: "A100", amount: "9.99", accountName: "Anna", packName: "Monthly" };
  await openApp("/personal_info", {
    language,
    stored: { ...anna, orders: [{ ...reported, reportedFailed: true }] },
    replies: { [centre]: userOf(member), [packages]: everything },
  });
  expect(reads(words)).toBe(true);
});

test("what happened while the page was hidden is said once it is seen", async () => {
  const reported = { orderId: "A100", amount: "9.99", accountName: "Anna", packName: "Monthly" };
  const { service } = await openApp("/personal_info", {
    stored: { ...anna, orders: [{ ...reported, reportedFailed: true }] },
    replies: { [centre]: userOf(member), [packages]: everything },
  });
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  onTestFinished(() => hidden.mockRestore());
  await service.answer(order, ok(detail({ status: 1, coin_type: null })));
  await pass(60_000);
  expect(said()).toEqual([]);
  hidden.mockReturnValue(false);
  await lookAgain();
  expect(said()).toEqual(["Your payment for Monthly went through after all."]);
});

test.each([
  ["en", "Monthly, 9.99 USDT. Part of it has arrived."],
  ["zh-CN", "Monthly，9.99 USDT。已到账一部分。"],
] as const)(
  "in %s, of an unfinished payment that a part has come of it says %s, and it cannot be put away",
  async (language, words) => {
    await openApp("/personal_info", {
      language,
      stored: { ...anna, orders: [kept] },
      replies: {
        [centre]: userOf(visitor),
        [packages]: everything,
        [order]: ok(detail({ paid_amount: "4" })),
      },
    });
    expect(reads(words)).toBe(true);
    expect(screen.queryByRole("button", { name: /Do not remind me|不再提醒/ })).toBeNull();
  },
);

test("an earlier transfer stays in sight, for money may be on its way to it", async () => {
  const latest = { ...kept, orderId: "C300", packName: "Yearly", amount: "79.99" };
  const { tap, place } = await openApp("/personal_info", {
    stored: { ...anna, orders: [latest, kept] },
    replies: { [centre]: userOf(visitor), [packages]: everything },
  });
  expect(reads("Yearly, 79.99 USDT. Not paid yet, or waiting for the network.")).toBe(true);
  await tap(link(/^Monthly.*9\.99 USDT.*TRC20 · A100/));
  expect(place()).toBe(paymentPath);
});

test("an order that cannot be read takes no other with it", async () => {
  await openApp("/personal_info", {
    stored: { ...anna, orders: [{ orderId: "B200" }, 7, null, { ...kept, network: "BEP20" }, kept] },
    replies: { [centre]: userOf(visitor), [packages]: everything },
  });
  expect(reads("Monthly, 9.99 USDT. Not paid yet, or waiting for the network.")).toBe(true);
});

test("asks by itself for what it lacked when the network is back", async () => {
  const { service } = await openApp("/personal_info", {
    stored: anna,
    replies: { "/api/user/center": "lost", "/api/packegs/list": "lost" },
  });
  service.will("/api/user/center", ok({ user: { account_name: "anna", pack_name: null } }));
  service.will("/api/packegs/list", packagesOf(monthly));
  await network("comes");
  expect([reads("We could not load this"), reads("Not activated as a member"), reads("Monthly")]).toEqual([
    false,
    true,
    true,
  ]);
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
  await service.answerAll(notSignedIn);
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
