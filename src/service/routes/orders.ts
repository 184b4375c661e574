/** Orders: making one to be paid in USDT or at a checkout elsewhere, and reading the status of any, and listing those that are not settled, or all. Specification, sections 3, 4 and 7. */
import { Hono } from "hono";
import { coinTypes, paths, type CreatedCheckout, type CreatedOrder } from "../../contract/calls.ts";
import { newOrder, orderListQuery, orderQuery } from "../../contract/requests.ts";
import { languageFor, succeed } from "../http/answers.ts";
import { readBody } from "../http/body.ts";
import { ownAddress } from "../http/client-address.ts";
import { principalFor } from "../http/principal.ts";
import type { Env, Service } from "../http/service.ts";
import { ApiError } from "../platform/errors.ts";
import { buyerOf, orderOf } from "../http/orders.ts";
import { detailOf, networkBehind } from "../payments/order-detail.ts";
import { listOf, orderPage } from "../payments/order-list.ts";
import { madeOrder, ORDER_ID, placeOrder } from "../payments/orders.ts";

export function orderRoutes(service: Service) {
  const routes = new Hono<Env>();

  routes.post(paths.createOrder, async (c) => {
    const principal = await principalFor(c, service);
    if (!principal) throw ApiError.unauthenticated();
    const wanted = await readBody(c, newOrder);

    if ("coin_type" in wanted) {
      const network = wanted.coin_type === coinTypes.ERC20 ? "ERC20" : "TRC20";
      const order = await placeOrder(service, buyerOf(c, service, principal), wanted, {
        rail: "usdt",
        network,
      });
      if (order.address === null) throw new Error("An order in USDT has no address.");
      const answer: CreatedOrder = {
        order: { ...madeOrder(order), ...networkBehind(service, order) },
        payData: { address: order.address },
      };
      return succeed(c, answer);
    }

    // A card is typed on a screen of ours, not behind an address: see routes/card-and-webhooks.ts.
    if (wanted.payment_method === "Razorpay") throw ApiError.of("cardElsewhere");
    if (!service.stripe) throw ApiError.of("methodClosed");
    const order = await placeOrder(service, buyerOf(c, service, principal), wanted, {
      rail: "stripe",
      network: null,
    });
    if (order.payUrl === null) throw new Error("An order by Stripe has no address.");
    // A path is of this service's own host, whichever that is for the one who asks.
    const payUrl = order.payUrl.startsWith("/") ? ownAddress(c, service, order.payUrl) : order.payUrl;
    const answer: CreatedCheckout = { order: madeOrder(order), payUrl };
    return succeed(c, answer);
  });

  routes.post(paths.orderDetail, async (c) => {
    const { order_id: id } = await readBody(c, orderQuery).catch(async (error: unknown) => {
      // A user who is not signed in is told so first.
      if (!(await principalFor(c, service))) throw ApiError.signedOut();
      throw error;
    });
    return succeed(c, await detailOf(service, await orderOf(c, service, id), languageFor(c)));
  });

  // Additive: the app asks for what is not settled before it asks for money, and for all to show them.
  routes.post(paths.orderList, async (c) => {
    const principal = await principalFor(c, service);
    if (!principal) throw ApiError.signedOut();
    const query = await readBody(c, orderListQuery);
    const language = languageFor(c);
    if (query.state === "all")
      return succeed(c, await orderPage(service, principal.id, query.cursor, language));
    const ids = query.order_ids.filter((each) => ORDER_ID.test(each));
    return succeed(c, await listOf(service, principal.id, { ids, key: query.idempotency_key }, language));
  });

  return routes;
}
