/** Paying on the screen: one order for one wish, however often it is tapped, tried again or left. */
import { cleanup, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { networkIsLate } from "../models/order.ts";
import { keptBefore, purchase, purchaseAgain, purchaseLeft } from "../models/purchase.ts";
import {
  button,
  keptOrders,
  openApp,
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
  detail,
  ethereumAddress,
  kept,
  monthly,
  no,
  notSignedIn,
  ok,
  paymentPath,
} from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

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
  await opened.user.visit("/pay/vpn.month");
  return opened;
});

test("the network that was chosen is chosen still after a reload, and in no other tab", async () => {
  const first = await open();
  await first.tap(choose("ERC20"));
  cleanup();
  const again = await open();
  expect((choose("ERC20") as HTMLInputElement).checked).toBe(true);
  await again.tap(pay());
  expect(again.service.to(path).map(({ body }) => body)).toEqual([expect.objectContaining({ coin_type: 2 })]);
  cleanup();
  // Another tab has a session storage of its own.
  sessionStorage.clear();
  await open();
  expect((choose("TRC20") as HTMLInputElement).checked).toBe(true);
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
  expect(service.to(path)).toEqual([
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

/** An order that this browser did not make, as the API lists it. */
const listed = (more: object) => ({
  ...detail({ order_id: "B300" }),
  pack_id: "1",
  product_id: "vpn.month",
  payment_method: "EbPay",
  ...more,
});
const byCard = { payment_method: "Razorpay", coin_type: null, address: null };
const byStripe = { payment_method: "Stripe", coin_type: null, address: null };
const list = "/api/order/list";

test.each([
  ["a part came for", { paid_amount: "2.00" }, "Part of an earlier payment has arrived"],
  ["is waiting for confirmations", { paid_amount: "9.99" }, "Your earlier payment has arrived"],
  ["a person checks", { paid_amount: "2.00", held: true }, "Your earlier payment has arrived"],
  ["was paid by card", { ...byCard, status: 1 }, "Your earlier payment went through"],
  ["a provider's window is open for", byStripe, "An earlier payment is not settled yet"],
  ["no money has come for", {}, undefined],
  ["a card form was opened for", byCard, undefined],
  ["failed", { ...byStripe, status: 9 }, undefined],
])("an order of another device that %s comes before another is made", async (_, more, title) => {
  const { service, tap } = await open({ replies: { [list]: ok({ orders: [listed(more)] }) } });
  await tap(pay());
  const ordered = service.to(path).length;
  expect({ title: question()?.title, ordered }).toEqual({ title, ordered: title === undefined ? 1 : 0 });
});

test("an order of another device goes on in this browser, at its own address", async () => {
  const part = listed({ paid_amount: "2.00" });
  const { place, tap } = await open({ replies: { [list]: ok({ orders: [part] }) } });
  await tap(pay());
  await tap(button("Continue payment"));
  expect({ place: place(), orders: keptOrders() }).toEqual({
    place: `/payDetail/1/vpn.month/TRC20/9.99/${address}/B300`,
    orders: [{ ...kept, orderId: "B300" }],
  });
});

test("one that was paid elsewhere is told of once: its detail is asked for, and the next tap buys", async () => {
  const { service, tap } = await open({ replies: { [list]: ok({ orders: [listed({ status: 1 })] }) } });
  await tap(pay());
  expect(service.to("/api/order/detail").map(({ body }) => body)).toEqual([{ order_id: "B300" }]);
  await tap(button("Buy another"));
  expect({ question: question(), ordered: service.to(path).length }).toEqual({ question: null, ordered: 1 });
});

test("all that this browser keeps is asked about in one call", async () => {
  const known = { ...kept, orderId: "B300" };
  const { service, tap } = await open({
    stored: { ...mine, orders: [known, kept] },
    replies: { [list]: ok({ orders: [listed({}), listed({ order_id: "A100" })] }) },
  });
  await tap(pay());
  expect(service.sent.map(({ path: to, body }) => [to, (body as { order_ids?: unknown }).order_ids])).toEqual(
    [
      [list, ["B300", "A100"]],
      [path, undefined],
    ],
  );
});

test.each([404, 500, no("No such list."), ok("nonsense")])(
  "where the API has no list (%j), each order that is kept is read",
  async (answer) => {
    const { service, tap } = await open({
      stored: { ...mine, orders: keptBefore },
      replies: { [list]: answer, "/api/order/detail": ok(detail({ order_id: "A099", paid_amount: "2.00" })) },
    });
    await tap(pay());
    expect({ title: question()?.title, ordered: service.to(path) }).toEqual({
      title: "Part of an earlier payment has arrived",
      ordered: [],
    });
  },
);

test.each([408, 429, 502, 503, 504])(
  "where the API cannot say now what it lists (%d), nothing is ordered",
  async (status) => {
    const { service, tap } = await open({ replies: { [list]: status } });
    await tap(pay());
    expect({ said: said().length, ordered: service.to(path) }).toEqual({ said: 1, ordered: [] });
  },
);

test("without a network nothing is known, and nothing is ordered", async () => {
  const { service, tap } = await open({ replies: { [list]: "lost" } });
  await tap(pay());
  expect({ said: said().at(-1), ordered: service.to(path) }).toEqual({
    said: "No connection. Check your network and try again.",
    ordered: [],
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
    "word2-ERC20",
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

test("who buys another of what is paid is asked before leaving, too, and may stay", async () => {
  const { place, service, tap } = await open({
    stored: { ...mine, orders: keptBefore },
    replies: { "/api/order/detail": ok(detail({ order_id: "A099", status: 1 })) },
  });
  await tap(pay());
  await tap(button("Buy another"));
  await tap(button("Back"));
  expect({ place: place(), question: question() }).toEqual({ place: "/pay/vpn.month", question: leaving });
  await tap(button("Continue payment"));
  expect({ place: place(), waiting: service.waiting }).toEqual({ place: "/pay/vpn.month", waiting: [path] });
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
