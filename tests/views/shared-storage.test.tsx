/** What tabs share: each order has a key of its own, so that no tab loses what another has stored. Decisions, "What tabs share has keys of its own". */
import { expect, test, vi } from "vitest";
import { createOrderStore } from "../../src/app/ports/order-store.ts";
import { openStorage } from "../../src/app/ports/storage.ts";
import { button, keptOrders, openApp, START, stored, storeElsewhere } from "../support/app.tsx";
import { anna, detail, kept, monthly, ok, address } from "../support/replies.ts";

const payment = (orderId: string) => ({ orderId, amount: "9.99", accountName: "Anna", packName: "Monthly" });
const transfer = (orderId: string) => ({ ...kept, orderId, network: "TRC20" as const });
const keptIds = () => keptOrders().map(({ orderId }) => orderId);
const store = () => createOrderStore(openStorage(localStorage));

test("an order that another tab stored unheard stays beside the one of this tab", async () => {
  const { service, tap } = await openApp("/pay/vpn.month", {
    stored: { ...anna, selectedItem: monthly, "order:B200": transfer("B200") },
  });
  await tap(button("Pay 9.99 USDT"));
  // Whether money has come for it is asked first.
  await service.answer("/api/order/detail", ok(detail({ order_id: "B200" })));
  localStorage.setItem("order:C300", JSON.stringify({ ...transfer("C300"), keptAt: START }));
  await service.answer(
    "/api/order/create",
    ok({
      order: { order_id: "A100", payment_amount: "9.99", created_at: "2026-01-01T00:00:00.000Z" },
      payData: { address },
    }),
  );
  expect(keptIds()).toEqual(["A100", "C300", "B200"]);
});

test("what two tabs change takes nothing from the other, in whatever order they do", () => {
  const [one, other] = [store(), store()];
  one.keep(payment("1"));
  other.keep(transfer("2"));
  one.report("1");
  other.keep(payment("3"));
  one.settle("3", true);
  other.drop("2");
  expect([one, other].map(({ orders, paid }) => [orders(), paid()])).toEqual(
    Array.from({ length: 2 }, () => [[{ ...payment("1"), reportedFailed: true }], [payment("3")]]),
  );
});

test("what a paid order superseded is marked so, and stays where it is", () => {
  const { keep, settle, orders } = store();
  for (const id of ["1", "2", "3"]) keep(transfer(id));
  settle("2", true);
  const superseded = true;
  expect(orders()).toEqual([
    { ...transfer("3"), superseded },
    { ...transfer("1"), superseded },
  ]);
  keep(transfer("4"));
  settle("4", false);
  expect(orders().map(({ orderId }) => orderId)).toEqual(["3", "1"]);
});

test("an order that is kept again is the latest one, and one that is reported stays where it is", () => {
  const { keep, report } = store();
  for (const id of ["1", "2", "3", "1"]) keep(payment(id));
  report("2");
  report("unheard of");
  expect(keptIds()).toEqual(["1", "3", "2"]);
});

test("the latest is the one that was kept last, though the clock has been set back", () => {
  const { keep } = store();
  keep(payment("1"));
  vi.setSystemTime(START - 86_400_000);
  keep(payment("2"));
  expect(keptIds()).toEqual(["2", "1"]);
});

test("what is one too many is kept no longer", () => {
  const { keep, settle, paid } = store();
  for (let number = 1; number <= 12; number++) keep(payment(`p${number}`));
  for (let number = 1; number <= 11; number++) keep(transfer(`t${number}`));
  const ids = keptIds();
  for (const id of ids) settle(id, true);
  expect([ids.length, ids.includes("p2"), ids.includes("p3"), ids.includes("t1"), keptIds()]).toEqual([
    20,
    false,
    true,
    false,
    [],
  ]);
  expect(paid().map(({ orderId }) => orderId)).toEqual(ids.slice(-10).toReversed());
});

test("an order that failed is not among those that were paid", () => {
  const { keep, settle, paid } = store();
  keep(payment("1"));
  settle("1", false);
  settle("unheard of", true);
  expect([keptIds(), paid()]).toEqual([[], []]);
});

test("a change is told in this tab as in others, and not where it is about something else", async () => {
  const { keep, drop, watch } = store();
  const changed = vi.fn<() => void>();
  const stop = watch(changed);
  keep(payment("1"));
  await storeElsewhere("order:2", JSON.stringify(payment("2")));
  await storeElsewhere("paid:2", JSON.stringify(payment("2")));
  await storeElsewhere("language", "en");
  drop("1");
  expect([keptIds(), changed.mock.calls.length]).toEqual([["2"], 3]);
  stop();
  drop("2");
  expect(changed.mock.calls.length).toBe(3);
});

test("the lists of an earlier build become keys of their own, once", () => {
  localStorage.setItem("orders", JSON.stringify([transfer("3"), null, { orderId: "x" }, payment("2")]));
  localStorage.setItem("paid", JSON.stringify([payment("1")]));
  // It has been reported since, in another tab.
  localStorage.setItem("order:2", JSON.stringify({ ...payment("2"), reportedFailed: true, keptAt: 1 }));
  const { orders, paid, settle } = store();
  expect([orders(), paid(), Object.keys(stored()).toSorted()]).toEqual([
    [transfer("3"), { ...payment("2"), reportedFailed: true }],
    [payment("1")],
    ["order:2", "order:3", "paid:1"],
  ]);
  settle("3", false);
  expect(store().orders()).toEqual([{ ...payment("2"), reportedFailed: true }]);
});

test("the lists of an earlier build stay where storage is full, and are used", () => {
  localStorage.setItem("orders", JSON.stringify([transfer("2"), payment("1")]));
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  const { orders } = store();
  expect([orders(), Object.keys(stored())]).toEqual([[transfer("2"), payment("1")], ["orders"]]);
});

test.each([
  ["no JSON", "{"],
  ["another type", "7"],
  ["a list", JSON.stringify([payment("1")])],
  ["half an order", JSON.stringify({ orderId: "1" })],
  ["another order than its key says", JSON.stringify(payment("2"))],
])("an order that is stored as %s counts as absent, and hides no other", (_, text) => {
  localStorage.setItem("order:1", text);
  localStorage.setItem("order:3", JSON.stringify({ ...payment("3"), keptAt: "soon" }));
  const { orders, keep } = store();
  const before = orders();
  keep(payment("1"));
  expect([before, keptIds()]).toEqual([[payment("3")], ["1", "3"]]);
});
