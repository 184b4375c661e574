/** What the API knows of an unfinished payment, where it is more than this browser does. By itself, for it comes only where there is one. Decisions, "Closing and payment". */
import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { billMachine, missingIn } from "../../../machines/bill.ts";
import type { KeptOrder } from "../../../machines/kept-orders.ts";
import { useChart, usePageSeen } from "../app.ts";

/** @param children what is said, by whether a part has come. Settled, the order goes by itself. */
export default function Asked({
  order: { orderId },
  children,
}: {
  order: KeptOrder;
  children: (part: boolean) => ReactNode;
}) {
  const bill = useChart(billMachine, { input: { orderId } });
  usePageSeen(bill);
  return children(useSelector(bill, ({ context }) => missingIn(context.reading) !== null));
}
