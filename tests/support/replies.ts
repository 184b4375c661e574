/** What the service says in tests: by the shapes of section 7, at once or when told to. */

import type { FaultName } from "./faults.ts";

export type Envelope = { code: number; message?: string; data?: unknown; field?: string };
/** `lost`: no answer comes at all; a number: a bare HTTP status; `fault`: what arrives of that answer. */
export type Reply = "lost" | number | Envelope | { fault: FaultName; of: Envelope };
export const ok = (data: unknown = null): Reply => ({ code: 200, message: "ok", data });
export const no = (message: string, field?: string): Reply => ({ code: 1, message, ...(field && { field }) });
export const notSignedIn: Reply = { code: 4001, message: "Please log in." };

/** What the browser of a signed-in person holds. */
export const anna = { user_name: "Anna", user_key: { account_name: "Anna" }, user_token: "token1" };
/** As `GET /api/packegs/list` answers. */
export const packagesOf = (...list: object[]) =>
  ok([{ currency: "USD", updated_at: "2026-01-01" }, [], list]);
export const monthly = {
  id: "1",
  name: "Monthly",
  product_id: "vpn.month",
  price: "12.50",
  buy_price: "9.99",
  day_price: "0.33",
  discount: "80",
};
export const quarterly = {
  ...monthly,
  id: "2",
  name: "Quarterly",
  product_id: "vpn.quarter",
  buy_price: "24.99",
  discount: "66.5",
};
export const halfYearly = {
  ...monthly,
  id: "3",
  name: "Half a year",
  product_id: "vpn.half",
  buy_price: "44.99",
  discount: "60",
};
export const yearly = {
  ...monthly,
  id: "4",
  name: "Yearly",
  product_id: "vpn.year",
  buy_price: "79.99",
  discount: "53",
};
export const address = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
export const ethereumAddress = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
/** As `POST /api/order/detail` answers: made ten minutes before the test begins. */
export const detail = (more: object = {}) => ({
  order_id: "A100",
  status: 0,
  payment_amount: "9.99",
  created_at: "2026-01-01T00:00:00.000Z",
  address,
  coin_type: 4,
  paid_amount: "0",
  pack_name: "Monthly",
  ...more,
});
/** The same order as this browser kept it. */
export const kept = {
  orderId: "A100",
  network: "TRC20",
  amount: "9.99",
  address,
  deadline: Date.UTC(2026, 0, 1, 0, 30),
  accountName: "Anna",
  packId: "1",
  productId: "vpn.month",
  packName: "Monthly",
};
export const paymentPath = `/payDetail/1/vpn.month/TRC20/9.99/${address}/A100`;
