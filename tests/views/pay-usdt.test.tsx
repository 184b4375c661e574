/** Paying on the screen: one order for one wish, however often it is tapped, tried again or left. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { networkIsLate } from "../models/order.ts";
import { keptBefore, purchase, purchaseAgain, purchaseLeft } from "../models/purchase.ts";
import {
  button,
  keptOrders,
  openApp,
  openForModel,
  pass,
  question,
  reads,
  said,
  stored,
  type Opening,
} from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import {
  address,
  anna,
  ethereumAddress,
  kept,
  monthly,
  no,
  notSignedIn,
  ok,
  paymentPath,
} from "../support/replies.ts";

const path = "/api/order/create";
const mine = { ...anna, selectedItem: monthly };
const open = (more: Opening = {}) => openApp("/pay/vpn.month", { stored: mine, ...more });
const order = (payment_amount: string) =>
  ok({
    order: { order_id: "A100", payment_amount, created_at: "2026-01-01T00:00:00.000Z" },
    payData: { address },
  });
const leaving = { title: "Leave this payment?", answers: ["Continue payment", "Abandon payment"] };

const pay = () => button("Pay 9.99 USDT");
const choose = (name: "TRC20" | "ERC20") => screen.getByRole("radio", { name: new RegExp(`^${name}`) });

runOnScreen(purchase, () => openForModel("/pay/vpn.month", { stored: mine }));
runOnScreen(purchaseAgain, () => openForModel("/pay/vpn.month", { stored: { ...mine, orders: keptBefore } }));
runOnScreen(purchaseLeft, async () => {
  const opened = await openForModel("/buy", { stored: mine });
  await opened.driver.visit("/pay/vpn.month");
  return opened;
});

test("shows the package, its price and both networks, the cheaper one chosen", async () => {
  await open();
  expect({
    rows: screen.getAllByRole("listitem").map((row) => row.textContent),
    networks: screen.getAllByRole<HTMLInputElement>("radio").map(({ value, checked }) => [value, checked]),
  }).toEqual({
    rows: ["PackageMonthly", "PriceUSD 9.99", "Pay withUSDTTether, 1 USDT for each US dollar"],
    networks: [
      ["TRC20", true],
      ["ERC20", false],
    ],
  });
});

test.each([
  ["TRC20", 4, address],
  ["ERC20", 2, ethereumAddress],
] as const)("orders once on %s, as coin %d, and keeps what was issued", async (name, coin_type, to) => {
  const { place, service, tap, tapTwice, history } = await open();
  const { length } = history;
  await tap(choose(name));
  await tapTwice(pay());
  expect(service.sent).toEqual([
    {
      path,
      body: { pack_id: "1", product_id: "vpn.month", coin_type },
      headers: expect.objectContaining({
        authorization: "Bearer token1",
        language: "en",
        "idempotency-key": `word1-${name}`,
      }),
    },
  ]);
  await service.answer(
    path,
    ok({
      order: { order_id: "A100", payment_amount: "9.99", created_at: "2026-01-01T00:00:00.000Z" },
      payData: { address: to },
    }),
  );
  expect({ place: place(), orders: keptOrders(), length: history.length }).toEqual({
    place: `/payDetail/1/vpn.month/${name}/9.99/${to}/A100`,
    orders: [{ ...kept, network: name, address: to }],
    // Back from there does not lead here again.
    length,
  });
});

test("an order on a network that is behind says so before money is sent", async () => {
  const { service, tap } = await open();
  await tap(pay());
  await service.answer(
    path,
    ok({
      order: {
        order_id: "A100",
        payment_amount: "9.99",
        created_at: "2026-01-01T00:00:00.000Z",
        network_behind: true,
      },
      payData: { address },
    }),
  );
  expect({ late: reads(networkIsLate), waiting: service.waiting }).toEqual({
    late: true,
    waiting: ["/api/order/detail"],
  });
});

test("asks for one order, however often it is tapped", async () => {
  const { service, tap, tapTwice } = await open();
  await tapTwice(pay());
  await tap(button("Pay 9.99 USDT"));
  expect(service.waiting).toEqual([path]);
});

test("a retry is the same order, by the same key", async () => {
  const { service, tap } = await open();
  for (const reply of ["lost", 500, no("Busy.")] as const) {
    await tap(pay());
    await service.answer(path, reply);
  }
  await tap(pay());
  await pass(10_000);
  await tap(button("Stop waiting"));
  await tap(pay());
  await tap(choose("ERC20")).catch(() => {});
  expect(service.to(path).map(({ headers }) => headers["idempotency-key"])).toEqual(
    Array.from({ length: 5 }, () => "word1-TRC20"),
  );
});

test("another network, and another visit, are other orders", async () => {
  const { service, tap, visit } = await open({ replies: { [path]: no("Busy.") } });
  await tap(pay());
  await tap(choose("ERC20"));
  await tap(pay());
  await visit("/buy");
  await tap(button("Abandon payment"));
  await visit("/pay/vpn.month");
  await tap(pay());
  expect(service.to(path).map(({ headers }) => headers["idempotency-key"])).toEqual([
    "word1-TRC20",
    "word1-ERC20",
    "word2-TRC20",
  ]);
});

test.each([
  ["code 4001", notSignedIn],
  ["Unauthenticated.", { code: -1, message: "Unauthenticated." }],
])("a session that is over is told once, and leads to the login: %s", async (_, reply) => {
  const { place, service, tap } = await open();
  await tap(pay());
  await service.answer(path, reply);
  expect({ place: place(), said: said(), question: question(), stored: stored() }).toEqual({
    place: "/login",
    said: ["Please log in first"],
    question: null,
    stored: { selectedItem: monthly },
  });
});

test("a visitor who pays is told once, and sent to the login", async () => {
  const { place, tap } = await open({ stored: { selectedItem: monthly }, replies: { [path]: notSignedIn } });
  await tap(pay());
  expect({ place: place(), said: said(), question: question() }).toEqual({
    place: "/login",
    said: ["Please log in first"],
    question: null,
  });
});

test("another refusal stays here, in the service's words", async () => {
  const { place, tap } = await open({ replies: { [path]: { code: -1, message: "Sold out." } } });
  await tap(pay());
  expect({ place: place(), said: said() }).toEqual({ place: "/pay/vpn.month", said: ["Sold out."] });
});

test("leaving asks, and either answer settles it", async () => {
  const { place, tap } = await open();
  await tap(button("Back"));
  expect({ place: place(), question: question() }).toEqual({ place: "/pay/vpn.month", question: leaving });
  await tap(button("Continue payment"));
  expect({ place: place(), question: question() }).toEqual({ place: "/pay/vpn.month", question: null });
  await tap(button("Back"));
  await tap(button("Abandon payment"));
  expect({ place: place(), question: question() }).toEqual({ place: "/buy", question: null });
});

test("leaving twice asks one question, and the last wish counts", async () => {
  const { place, tap, visit } = await open();
  await visit("/home");
  await visit("/service");
  expect(question()).toEqual(leaving);
  await tap(button("Abandon payment"));
  expect({ place: place(), question: question() }).toEqual({ place: "/service", question: null });
});

test("an order that comes while it is asked takes the question with it", async () => {
  const { place, service, tap } = await open();
  await tap(pay());
  await tap(button("Back"));
  expect(question()).toEqual(leaving);
  await service.answer(path, order("9.99"));
  expect({ place: place(), question: question() }).toEqual({ place: paymentPath, question: null });
});

test("a session that is over takes the question with it, too", async () => {
  const { place, service, tap } = await open();
  await tap(pay());
  await tap(button("Back"));
  await service.answer(path, notSignedIn);
  expect({ place: place(), question: question() }).toEqual({ place: "/login", question: null });
});

test("asks in Chinese", async () => {
  const { tap } = await open({ language: "zh-CN" });
  await tap(button("返回"));
  expect(question()?.answers).toEqual(["继续支付", "放弃支付"]);
});

test("another price is agreed to first, and then paid", async () => {
  const { place, tap } = await open({ replies: { [path]: order("10.01") } });
  await tap(pay());
  expect({
    place: place(),
    told: reads("This package now costs 10.01 USDT instead of 9.99 USDT."),
  }).toEqual({ place: "/pay/vpn.month", told: true });
  await tap(button("Pay 10.01 USDT"));
  expect(place()).toBe(paymentPath.replace("9.99", "10.01"));
});

test.each([
  ["nothing", {}],
  ["another package", { selectedItem: { ...monthly, product_id: "vpn.year" } }],
  ["something broken", { selectedItem: { id: "1" } }],
  ["bad JSON", { selectedItem: "{" }],
])("without the package it is for (%s), there is nothing to pay", async (_, selected) => {
  const { place } = await openApp("/pay/vpn.month", { stored: { ...anna, ...selected } });
  expect(place()).toBe("/buy");
});

test("a reply that arrives for another user changes nothing", async () => {
  const { app, place, service, tap } = await open();
  await tap(pay());
  localStorage.setItem("user_name", "Berta");
  await service.answer(path, order("9.99"));
  expect({
    place: place(),
    orders: keptOrders(),
    kept: app.pendingOrders.getSnapshot().context.orders,
  }).toEqual({
    place: "/pay/vpn.month",
    orders: [],
    kept: [],
  });
});
