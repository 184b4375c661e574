/** Reads the status of a pending order from the API. A chunk of its own, loaded only when there is such an order. Decisions, "Closing and payment". */
import { useSelector } from "@xstate/react";
import { useEffect, type ReactNode } from "react";
import { billMachine, standingOf } from "../../../machines/bill.ts";
import type { KeptOrder } from "../../../machines/kept-orders.ts";
import type { Standing } from "../../../machines/pending-orders.ts";
import { useApp, useChart, usePageVisible } from "../runtime/hooks.ts";

/** @param children renders by the order's status. A settled order disappears by itself. */
export default function OrderStatus({
  order: { orderId },
  children,
}: {
  order: KeptOrder;
  children: (standing: Standing) => ReactNode;
}) {
  const bill = useChart(billMachine, { input: { orderId, inBackground: true } });
  usePageVisible(bill);
  const { pendingOrders } = useApp();
  const standing = useSelector(bill, standingOf);
  useEffect(
    () => pendingOrders.send({ type: "standing.read", orderId, standing }),
    [pendingOrders, orderId, standing],
  );
  return children(standing);
}
