/** What ports answer in tests: an offer, an order, readings of it, refusals. */
import type { Offer } from "../../machines/catalogue.ts";
import type { EarlierKind, EarlierPayment } from "../../machines/earlier-orders.ts";
import { CallFailed } from "../../machines/call-error.ts";
import type { OrderReading } from "../../machines/order-status.ts";
import type { IssuedOrder } from "../../machines/issued-order.ts";

export const monthly: Offer = {
  id: "1",
  name: "Monthly",
  product_id: "vpn.month",
  price: "12.00",
  buy_price: "9.90",
  day_price: "0.33",
  discount: "82.5",
};
export const yearly: Offer = {
  ...monthly,
  id: "2",
  name: "Yearly",
  product_id: "vpn.year",
  buy_price: "79.00",
};

/** 2026-01-01T00:30:00Z: the order was made half an hour before. */
export const deadline = Date.UTC(2026, 0, 1, 0, 30);
export const issued: IssuedOrder = {
  orderId: "A100",
  network: "TRC20",
  amount: "9.90",
  address: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  deadline,
};
export const readingOf = (status: number, more: Partial<OrderReading> = {}): OrderReading => ({
  status,
  amount: "9.90",
  createdAt: "2026-01-01 00:00:00",
  received: null,
  ...more,
});

/** A payment of the same account that was found before another one began. */
export const earlierPayment = (kind: EarlierKind): EarlierPayment => ({
  kind,
  order: { orderId: `E-${kind}`, amount: "3.99", accountName: "Anna", packName: "Weekly" },
  received: kind === "part" ? "2.00" : null,
  missing: kind === "part" ? "1.99" : null,
});

/** No answer came. */
export const lost = new CallFailed({ kind: "network" });
/** All that stands on a screen then that could not be loaded. */
export const unloaded = "We could not load thisNo connection. Check your network and try again.Try again";
export const refusedWith = (message: string) => new CallFailed({ kind: "refused", code: 1, message });
export const refused = refusedWith("No.");
/** A refusal about one entry of the request. */
export const refusedFor = (field: string, message = "Not that.") =>
  new CallFailed({ kind: "refused", code: 1, message, field });
export const signedOut = new CallFailed({ kind: "signedOut" });
