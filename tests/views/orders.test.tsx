/** All orders of the account, on the screen: what is told of each, and where it leads. */
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { OrderPage, PastOrder } from "../../machines/order-history.ts";
import { firstPage, lastPage, orderHistory, pageOf } from "../models/order-history.ts";
import { openApp, pass, reads } from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import { anna, detail, ok } from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

const list = "/api/order/list";

runOnScreen(orderHistory, () => openForModel("/orders", { stored: anna }));

const order = (order_id: string, more: object) => ({
  order_id,
  status: 0,
  payment_amount: "9.99",
  created_at: "2026-01-01T08:00:00.000Z",
  pack_id: "1",
  product_id: "vpn.month",
  pack_name: "Monthly",
  payment_method: "EbPay",
  coin_type: 4,
  paid_amount: "0.00",
  owed_amount: "9.99",
  surplus_amount: "0.00",
  held: false,
  returned: false,
  ...more,
});
const looks = ok({
  orders: [
    order("A1", {}),
    order("A2", { coin_type: 2, paid_amount: "4.00", owed_amount: "5.99" }),
    order("A3", { paid_amount: "9.99", owed_amount: "0.00", held: true }),
    order("A4", { status: 1, payment_method: "Razorpay", coin_type: null }),
    order("A5", { status: 9, payment_method: "Stripe", coin_type: null }),
    order("A6", { status: 9, returned: true }),
  ],
  next: null,
});
const rows = () => within(screen.getByRole("list")).getAllByRole("listitem");

test("each order says its package, amount, way, day and state, and leads to its bill", async () => {
  const { tap, place } = await openApp("/orders", { stored: anna, replies: { [list]: looks } });
  const day = "January\u00A01, 2026";
  expect(rows().map(({ textContent }) => textContent)).toEqual([
    `Monthly9.99 USDTTRC20 · ${day}Pending`,
    `Monthly9.99 USDTERC20 · ${day}Part of it has arrived`,
    `Monthly9.99 USDTTRC20 · ${day}Waiting to be checked`,
    `Monthly9.99 USDCard · ${day}Confirmed`,
    `Monthly9.99 USDStripe · ${day}Failed`,
    `Monthly9.99 USDTTRC20 · ${day}Failed`,
  ]);
  await tap(within(rows()[3] as HTMLElement).getByRole("link"));
  expect(place()).toBe("/billDetail/A4/1/9.99/2026-01-01T08:00:00.000Z");
});

test("the states are named in Chinese", async () => {
  await openApp("/orders", { stored: anna, language: "zh-CN", replies: { [list]: looks } });
  for (const words of ["我的订单", "银行卡", "已到账一部分"]) expect(reads(new RegExp(words))).toBe(true);
});

test("earlier orders are asked for with the cursor of the page before", async () => {
  const { service, tap } = await openApp("/orders", {
    stored: anna,
    replies: { [list]: ({ body }) => pageOf((body as { cursor: unknown }).cursor ? lastPage : firstPage) },
  });
  await tap(screen.getByRole("button", { name: "Show earlier orders" }));
  expect({ asked: service.to(list).map(({ body }) => body), rows: rows().length }).toEqual({
    asked: [
      { state: "all", cursor: null },
      { state: "all", cursor: "1.A200" },
    ],
    rows: 3,
  });
});

test("the arrow of a bill leads back to the list where one came from there, and on from it as before", async () => {
  const { tap, place, back } = await openApp("/home", { stored: anna, replies: { [list]: looks } });
  await tap(screen.getByRole("link", { name: /Anna/ }));
  await tap(screen.getByRole("link", { name: /My orders/ }));
  await tap(within(rows()[0] as HTMLElement).getByRole("link"));
  const places = [place()];
  for (let step = 0; step < 3; step += 1) {
    await tap(screen.getByRole("button", { name: "Back" }));
    places.push(place());
  }
  expect(places.map((each) => each.split("/")[1])).toEqual(["billDetail", "orders", "personal_info", "home"]);
  await back();
  expect(place()).toBe("/home");
});

test("the arrow leads back also while the next screen is still loading, and that does not open any more", async () => {
  const { tap, place } = await openApp("/home", {
    stored: anna,
    replies: { [list]: looks },
    late: "/orders",
  });
  await tap(screen.getByRole("link", { name: /Anna/ }));
  await tap(screen.getByRole("link", { name: /My orders/ }));
  const waiting = screen.getByRole("heading", { level: 1 }).textContent;
  await tap(screen.getByRole("button", { name: "Back" }));
  await pass(2_000);
  expect([waiting, place()]).toEqual(["Personal center", "/home"]);
});

test("coming back from a bill, the list is where it was and is read again", async () => {
  const { service, tap, back, place } = await openApp("/orders", {
    stored: anna,
    replies: { [list]: looks },
  });
  await tap(within(rows()[0] as HTMLElement).getByRole("link"));
  await back();
  expect({ place: place(), read: service.to(list).length, rows: rows().length }).toEqual({
    place: "/orders",
    read: 2,
    rows: 6,
  });
});

/** Both pages are shown, one looks at a bill, and comes back when the service has these. */
async function returnTo(...pages: [OrderPage, OrderPage]) {
  let has = [firstPage, lastPage];
  const { tap, back, service } = await openApp("/orders", {
    stored: anna,
    replies: {
      [list]: ({ body }) => pageOf(has[(body as { cursor: unknown }).cursor ? 1 : 0] ?? lastPage),
      "/api/order/detail": ok(detail({ status: 1 })),
    },
  });
  await tap(screen.getByRole("button", { name: "Show earlier orders" }));
  await tap(within(rows()[2] as HTMLElement).getByRole("link"));
  has = pages;
  await back();
  return service.to(list).map(({ body }) => body);
}

test("coming back from a bill, every page that was shown is read again", async () => {
  const [earliest] = lastPage.orders as [PastOrder];
  const settled = { ...earliest, reading: { ...earliest.reading, status: 9 } as const };
  const asked = await returnTo(firstPage, { ...lastPage, orders: [settled] });
  expect({
    rows: rows().map(({ textContent }) => textContent?.match(/Confirmed|Failed/)?.[0]),
    asked,
  }).toEqual({
    rows: ["Confirmed", "Confirmed", "Failed"],
    asked: [null, "1.A200", null, "1.A200"].map((cursor) => ({ state: "all", cursor })),
  });
});

test("a list read again ends where a page is empty, whatever it promises", async () => {
  const asked = await returnTo(firstPage, { orders: [], next: "1.A200" });
  expect({ rows: rows().length, asked: asked.length }).toEqual({ rows: 2, asked: 4 });
});

test("an API that does not know the list says so on its screen, with a retry", async () => {
  await openApp("/orders", { stored: anna, replies: { [list]: 404 } });
  expect(reads(`Request address error: ${list}`)).toBe(true);
  expect(screen.getAllByRole("button", { name: "Try again" })).toHaveLength(1);
});
