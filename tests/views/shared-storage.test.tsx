/** What tabs share: each change is made to what is stored at that moment, so that no tab loses what another has stored. Decisions, "What tabs share is merged". */
import { expect, onTestFinished, test, vi } from "vitest";
import { openStorage } from "../../src/app/ports/storage.ts";
import { button, openApp, stored, storeElsewhere } from "../support/app.tsx";
import { anna, detail, kept, monthly, ok, address } from "../support/replies.ts";

const payment = (orderId: string) => ({ orderId, amount: "9.99", accountName: "Anna", packName: "Monthly" });
const keptIds = () => (stored()["orders"] as { orderId: string }[]).map(({ orderId }) => orderId);

/** A lock that a test opens: what waits for it is done then, in order. */
function stubLocks() {
  const waiting: (() => void)[] = [];
  const request = (_: string, run: () => void) =>
    new Promise<void>((resolve) => {
      waiting.push(() => {
        run();
        resolve();
      });
    });
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, "locks");
  });
  return { open: () => waiting.splice(0).forEach((run) => run()) };
}

test("an order that another tab stored unheard stays beside the one of this tab", async () => {
  const { service, tap } = await openApp("/pay/vpn.month", { stored: { ...anna, selectedItem: monthly } });
  localStorage.setItem("orders", JSON.stringify([{ ...kept, orderId: "B200" }]));
  await tap(button("Pay 9.99 USDT"));
  // Whether money has come for it is asked first.
  await service.answer("/api/order/detail", ok(detail({ order_id: "B200" })));
  localStorage.setItem(
    "orders",
    JSON.stringify([
      { ...kept, orderId: "C300" },
      { ...kept, orderId: "B200" },
    ]),
  );
  await service.answer(
    "/api/order/create",
    ok({
      order: { order_id: "A100", payment_amount: "9.99", created_at: "2026-01-01T00:00:00.000Z" },
      payData: { address },
    }),
  );
  expect(keptIds()).toEqual(["A100", "C300", "B200"]);
});

test("what two tabs write at the same moment is put together under the lock", () => {
  const locks = stubLocks();
  const tabs = [openStorage(localStorage), openStorage(localStorage)] as const;
  tabs[0].update("orders", (orders) => {
    // Between this tab's reading and its writing the other one writes.
    if (orders === null) tabs[1].update("orders", (others) => [payment("2"), ...(others ?? [])].slice(0, 1));
    return [payment("1"), ...(orders ?? []).filter(({ orderId }) => orderId !== "1")];
  });
  expect(keptIds()).toEqual(["1"]);
  locks.open();
  expect(keptIds().toSorted()).toEqual(["1", "2"]);
});

test("a change is made at once, and told in this tab as in others", async () => {
  const locks = stubLocks();
  const storage = openStorage(localStorage);
  const changed = vi.fn<() => void>();
  storage.watch("orders", changed);
  storage.update("orders", () => [payment("1")]);
  expect([keptIds(), changed.mock.calls.length]).toEqual([["1"], 1]);
  locks.open();
  await storeElsewhere("orders", JSON.stringify([payment("2")]));
  expect([storage.readJson("orders"), changed.mock.calls.length]).toEqual([[payment("2")], 3]);
});
