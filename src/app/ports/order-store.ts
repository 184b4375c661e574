/** This browser's pending orders in storage, and those seen paid: what may change about them, one order at a time. Decisions, "Closing and payment". */
import {
  beyondLimit,
  isTransfer,
  paidBeyondLimit,
  paidOf,
  supersededBy,
  type KeptOrder,
} from "../../../machines/kept-orders.ts";
import type { AppStorage } from "./storage.ts";

export type OrderStore = ReturnType<typeof createOrderStore>;

export function createOrderStore({ readAll, put, amend, removeOne, watchAll }: AppStorage) {
  const orders = () => readAll("order");
  const find = (orderId: string) => orders().find((order) => order.orderId === orderId);
  const drop = (orderId: string) => removeOne("order", orderId);
  return {
    /** Latest first. */
    orders,
    paid: () => readAll("paid"),
    watch: (changed: () => void) => watchAll("order", changed),
    /** Keeps an order as the latest one. */
    keep: (order: KeptOrder) => {
      put("order", order);
      for (const { orderId } of beyondLimit(orders())) drop(orderId);
    },
    drop,
    /** Its owner is reminded of it no more. The API knows a transfer; a provider's payment may be known here alone. */
    putAway: (orderId: string) => {
      const order = find(orderId);
      if (order && !isTransfer(order)) amend("order", { ...order, putAway: true });
      else drop(orderId);
    },
    /** Deletes all of an account: another person may get its name. */
    forget: (accountName: string) => {
      for (const kind of ["order", "paid"] as const)
        for (const kept of readAll(kind)) if (kept.accountName === accountName) removeOne(kind, kept.orderId);
    },
    /** The provider's script called this payment failed. */
    report: (orderId: string) => {
      const order = find(orderId);
      if (order && !isTransfer(order)) amend("order", { ...order, reportedFailed: true });
    },
    /** The API's final status. Other tabs look at what was paid before they ask for money. */
    settle: (orderId: string, isPaid: boolean) => {
      const kept = orders();
      const order = kept.find((each) => each.orderId === orderId);
      if (order && isPaid) {
        put("paid", paidOf(order));
        for (const earlier of supersededBy(kept, order)) amend("order", { ...earlier, superseded: true });
        for (const paid of paidBeyondLimit(readAll("paid"))) removeOne("paid", paid.orderId);
      }
      drop(orderId);
    },
  };
}
