/** Paying in a window of the provider's own, from the personal center: one window, or a link. */
import { expect, test } from "vitest";
import { checkout, checkoutBlocked } from "../models/checkout.ts";
import { button, link, openApp, openForPlay, reads, stubWindow } from "../support/app.tsx";
import { actOut } from "../support/play.ts";
import { anna, detail, monthly, ok, packagesOf } from "../support/replies.ts";

const opening = {
  stored: anna,
  replies: {
    "/api/user/center": ok({ user: { account_name: "anna" } }),
    "/api/packegs/list": packagesOf(monthly),
    "/api/payment_method_list": ok([{ payment_method: "Stripe", open: "1" }]),
  },
};
const openCentre = () => openForPlay("/personal_info", opening);

actOut(checkout, () => {
  stubWindow(true);
  return openCentre();
});
actOut(checkoutBlocked, () => {
  stubWindow(false);
  return openCentre();
});

const call = "/api/order/create";
const choose = async ({ tap }: Awaited<ReturnType<typeof openApp>>) => {
  await tap(button(/Monthly/));
  await tap(button(/^Stripe/));
};

/** Chooses a package, and is sent to the provider. */
async function begin() {
  const stage = await openApp("/personal_info", opening);
  await choose(stage);
  const order = { order_id: "S9", payment_amount: "9.99", created_at: detail().created_at };
  await stage.service.answer(call, ok({ payUrl: "https://checkout.example/", order }));
  return stage;
}

test("whoever has a payment that nobody has said the end of sees its bill before another is begun", async () => {
  const log = stubWindow(true);
  const payment = { orderId: "B200", amount: "9.99", accountName: "Anna", packName: "Monthly" };
  const stage = await openApp("/personal_info", { ...opening, stored: { ...anna, orders: [payment] } });
  await choose(stage);
  const ordered = stage.service.sent.some(({ path }) => path === call);
  expect({ place: stage.place().split("/", 3).join("/"), log, ordered }).toEqual({
    place: "/billDetail/B200",
    log: [],
    ordered: false,
  });
});

test("who leaves the screen meanwhile is not led to a bill from another one", async () => {
  const log = stubWindow(true);
  const stage = await openApp("/personal_info", opening);
  await choose(stage);
  await stage.tap(link("Settings"));
  expect({ place: stage.place(), log, waiting: stage.service.waiting }).toEqual({
    place: "/setting",
    log: ["opens about:blank", "closes"],
    waiting: [],
  });
});

test("a payment that goes on elsewhere is offered until its bill knows what became of it", async () => {
  stubWindow(true);
  const stage = await begin();
  const offered = () => reads("Monthly, USD 9.99. The payment result is not in yet.");
  await stage.visit("/personal_info");
  expect(offered()).toBe(true);
  stage.service.will("/api/order/detail", ok(detail({ status: 1 })));
  await stage.tap(link("See the bill"));
  await stage.visit("/personal_info");
  expect(offered()).toBe(false);
});

test("a payment whose window did not open is offered no longer once another is paid", async () => {
  stubWindow(false);
  const stage = await begin();
  const offered = () => reads("The payment window did not open.");
  expect(offered()).toBe(true);
  stage.service.will("/api/order/detail", ok(detail({ status: 1 })));
  await stage.visit("/billDetail/A100/0/9.99/2026");
  await stage.visit("/personal_info");
  expect(offered()).toBe(false);
});

test("asked for again after no answer came, it is the same order; after one came, it is another", async () => {
  stubWindow(false);
  const stage = await openApp("/personal_info", opening);
  for (const reply of ["lost", ok({ payUrl: "https://checkout.example/" }), ok()] as const) {
    await choose(stage);
    await stage.service.answer(call, reply);
  }
  const keys = stage.service.to(call).map(({ headers }) => headers["idempotency-key"]);
  expect([keys[1] === keys[0], keys[2] === keys[1]]).toEqual([true, false]);
});
