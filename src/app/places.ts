/** The places that a chart's word or a screen's arrow may lead to, in the router's own names. */
import type { KeptOrder } from "../../machines/unfinished.ts";

export type Place =
  | { to: "/home" }
  | { to: "/login" }
  | { to: "/register" }
  | { to: "/registerSuccess" }
  | { to: "/buy" }
  | { to: "/pay/$id"; params: { id: string } }
  | { to: "/personal_info" }
  | { to: "/setting" }
  | { to: "/razorpayDetail" }
  | { to: "/forgetPasswordUserName" }
  | { to: "/forgetPasswordInfo/$userName"; params: { userName: string } }
  | { to: "/forgetPassword/$password/$userName"; params: { password: string; userName: string } }
  | PaymentPlace
  | {
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
}: KeptOrder): PaymentPlace {
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
