/** Paying in a window of the provider's own, from the personal center: one window, or a link. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { isTransfer } from "../../machines/kept-orders.ts";
import { checkout, checkoutBlocked } from "../models/checkout.ts";
import {
  button,
  link,
  lookAgain,
  keptOrders,
  openApp,
  question,
  reads,
  stubWindow,
  storeOrdersElsewhere,
} from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import { anna, detail, kept, monthly, ok, packagesOf } from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

const opening = {
  stored: anna,
  replies: {
    "/api/user/center": ok({ user: { account_name: "anna" } }),
    "/api/packegs/list": packagesOf(monthly),
    "/api/payment_method_list": ok([{ payment_method: "Stripe", open: "1" }]),
  },
};
const openCentre = () => openForModel("/personal_info", opening);

runOnScreen(checkout, () => {
  stubWindow(true);
  return openCentre();
});
runOnScreen(checkoutBlocked, () => {
  stubWindow(false);
  return openCentre();
});

const call = "/api/order/create";
const choose = async ({ tap }: Awaited<ReturnType<typeof openApp>>) => {
  await tap(button(/Monthly/));
  await tap(button(/^Stripe/));
};

const checkoutOrder = { order_id: "S9", payment_amount: "9.99", created_at: detail().created_at };
/** Chooses a package, and is sent to the provider. */
async function begin(more: object = { order: checkoutOrder }) {
  const harness = await openApp("/personal_info", opening);
  await choose(harness);
  await harness.service.answer(call, ok({ payUrl: "https://checkout.example/", ...more }));
  return harness;
}

test("a payment without a known result shows its bill before another begins", async () => {
  const log = stubWindow(true);
  const payment = { orderId: "B200", amount: "9.99", accountName: "Anna", packName: "Monthly" };
  const harness = await openApp("/personal_info", { ...opening, stored: { ...anna, orders: [payment] } });
  await choose(harness);
  const ordered = harness.service.sent.some(({ path }) => path === call);
  expect({ place: harness.place().split("/", 3).join("/"), log, ordered }).toEqual({
    place: "/billDetail/B200",
    log: [],
    ordered: false,
  });
});

test.each([
  [
    "a part of an earlier transfer has come",
    { paid_amount: "2.00" },
    "Part of an earlier payment has arrived",
  ],
  ["all of an earlier transfer has come", { paid_amount: "9.99" }, "Your earlier payment has arrived"],
])("closes the window and says so where %s; going on stays possible", async (_, said, title) => {
  const log = stubWindow(true);
  const harness = await openApp("/personal_info", {
    ...opening,
    stored: { ...anna, orders: [kept] },
    replies: { ...opening.replies, "/api/order/detail": ok(detail(said)) },
  });
  await choose(harness);
  const told = question();
  const before = harness.service.waiting;
  await harness.tap(button(told?.answers[1] ?? ""));
  expect({ title: told?.title, log, before, after: harness.service.waiting }).toEqual({
    title,
    log: ["opens about:blank", "closes", "opens about:blank"],
    before: [],
    after: [call],
  });
});

test("a payment that is left behind is asked about, not followed for ever", async () => {
  const log = stubWindow(true);
  const left = { ...detail({ order_id: "B300", coin_type: null }), pack_id: "1", product_id: "vpn.month" };
  const harness = await openApp("/personal_info", {
    ...opening,
    replies: {
      ...opening.replies,
      "/api/order/list": ok({ orders: [{ ...left, payment_method: "Stripe" }] }),
    },
  });
  await choose(harness);
  expect(question()?.title).toBe("An earlier payment is not settled yet");
  await harness.tap(button("Make a new order"));
  expect({ log, waiting: harness.service.waiting }).toEqual({
    log: ["opens about:blank", "closes", "opens about:blank"],
    waiting: [call],
  });
});

test("the provider's address is kept with the payment until it is settled, and led to only where it is safe", async () => {
  stubWindow(false);
  const harness = await begin();
  const way = () => screen.queryByRole("link", { name: "Open the payment page" })?.getAttribute("href");
  const keptUrl = () => keptOrders().map((order) => (isTransfer(order) ? undefined : order.payUrl));
  expect([way(), keptUrl()]).toEqual(["https://checkout.example/", ["https://checkout.example/"]]);
  await storeOrdersElsewhere([{ ...keptOrders()[0], payUrl: "javascript:alert(1)" }]);
  expect(way()).toBe(undefined);
  harness.service.will("/api/order/detail", ok(detail({ order_id: "S9", status: 1 })));
  await lookAgain();
  expect([way(), keptUrl()]).toEqual([undefined, []]);
});

test("who leaves the screen meanwhile is not led to a bill from another one", async () => {
  const log = stubWindow(true);
  const harness = await openApp("/personal_info", opening);
  await choose(harness);
  await harness.tap(link("Settings"));
  expect({ place: harness.place(), log, waiting: harness.service.waiting }).toEqual({
    place: "/setting",
    log: ["opens about:blank", "closes"],
    waiting: [],
  });
});

test("a payment that goes on elsewhere is offered until its bill knows what became of it", async () => {
  stubWindow(true);
  const harness = await begin();
  const offered = () => reads("Monthly, USD 9.99. The payment result is not in yet.");
  await harness.visit("/personal_info");
  expect(offered()).toBe(true);
  harness.service.will("/api/order/detail", ok(detail({ status: 1 })));
  await harness.tap(link("See the bill"));
  await harness.visit("/personal_info");
  expect(offered()).toBe(false);
});

test("a payment without a number, whose window did not open, is offered no longer once another is paid", async () => {
  stubWindow(false);
  const harness = await begin({});
  const offered = () => reads("The payment window did not open.");
  expect(offered()).toBe(true);
  harness.service.will("/api/order/detail", ok(detail({ status: 1 })));
  await harness.visit("/billDetail/A100/0/9.99/2026");
  await harness.visit("/personal_info");
  expect(offered()).toBe(false);
});

test("asked for again after no answer came, it is the same order; after one came, it is another", async () => {
  stubWindow(false);
  const harness = await openApp("/personal_info", opening);
  for (const reply of ["lost", ok({ payUrl: "https://checkout.example/" }), ok()] as const) {
    await choose(harness);
    await harness.service.answer(call, reply);
  }
  const keys = harness.service.to(call).map(({ headers }) => headers["idempotency-key"]);
  expect([keys[1] === keys[0], keys[2] === keys[1]]).toEqual([true, false]);
  // What is asked for again is no other payment that would come before it.
  const left = harness.service
    .to("/api/order/list")
    .map(({ body }) => (body as { idempotency_key: string }).idempotency_key);
  expect(left).toEqual(keys);
});
