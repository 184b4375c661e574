/** The places that a link, a chart's word or a screen's arrow may lead to, in the router's own names. */
import type { KeptTransfer } from "../../machines/kept-orders.ts";
import type { Way } from "../../machines/travel.ts";

export type Place =
  | { to: "/home" }
  | { to: "/login" }
  | { to: "/register" }
  | { to: "/registerSuccess" }
  | { to: "/buy" }
  | { to: "/pay/$id"; params: { id: string } }
  | { to: "/personal_info" }
  | { to: "/setting" }
  | { to: "/service" }
  | { to: "/personalInformation" }
  | { to: "/changePassword" }
  | { to: "/modifyPassword" }
  | { to: "/razorpayDetail" }
  | { to: "/forgetPasswordUserName" }
  | { to: "/forgetPasswordInfo/$userName"; params: { userName: string } }
  | { to: "/forgetPassword/$password/$userName"; params: { password: string; userName: string } }
  | PaymentPlace
  | BillPlace;

type BillPlace = {
  to: "/billDetail/$order_id/$pay_status/$pay_price/$pay_time";
  params: Record<"order_id" | "pay_status" | "pay_price" | "pay_time", string>;
};

type PaymentPlace = {
  to: "/payDetail/$pack_id/$product_id/$pay_type/$pay_price/$pay_address/$pay_order_id";
  params: Record<
    "pack_id" | "product_id" | "pay_type" | "pay_price" | "pay_address" | "pay_order_id",
    string
  >;
};

/** Where an order is paid. Specification, section 2 (payDetail). */
export function paymentPlace({
  packId,
  productId,
  network,
  amount,
  address,
  orderId,
}: KeptTransfer): PaymentPlace {
  return {
    to: "/payDetail/$pack_id/$product_id/$pay_type/$pay_price/$pay_address/$pay_order_id",
    params: {
      pack_id: packId,
      product_id: productId,
      pay_type: network,
      pay_price: amount,
      pay_address: address,
      pay_order_id: orderId,
    },
  };
}

/** Where a bill is seen. But for the number, all of it is a hint. Specification, section 2 (billDetail). */
export function billPlace({
  orderId,
  amount,
  status = 0,
  createdAt = "",
}: {
  orderId: string;
  amount: string;
  status?: number;
  createdAt?: string;
}): BillPlace {
  return {
    to: "/billDetail/$order_id/$pay_status/$pay_price/$pay_time",
    params: {
      order_id: orderId,
      pay_status: String(status),
      pay_price: amount,
      pay_time: createdAt || "-",
    },
  };
}

/** The address of a place. */
export const addressOf = ({ to, params = {} }: Pick<Way, "to" | "params">) =>
  to.replaceAll(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
