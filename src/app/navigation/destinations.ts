/** The destinations of an order: where it is paid, and where its bill is shown. */
import type { KeptTransfer } from "../../../machines/kept-orders.ts";
import type { Payable } from "../../../machines/order-status.ts";

type Payment = Payable & Partial<Pick<KeptTransfer, "packId" | "productId">>;

/** Specification, section 2 (payDetail). The package is a hint, which the bill does not know. */
export const paymentOf = ({ packId = "-", productId = "-", network, amount, address, orderId }: Payment) => ({
  to: "payment" as const,
  params: {
    pack_id: packId,
    product_id: productId,
    pay_type: network,
    pay_price: amount,
    pay_address: address,
    pay_order_id: orderId,
  },
});

type Bill = { orderId: string; amount: string; status?: number; createdAt?: string };

/** The order number counts; the other parameters are hints. Specification, section 2 (billDetail). */
export const billOf = ({ orderId, amount, status = 0, createdAt = "" }: Bill) => ({
  to: "bill" as const,
  params: {
    order_id: orderId,
    pay_status: String(status),
    pay_price: amount,
    pay_time: createdAt || "-",
  },
});
