/** Orders: making one to be paid in USDT or at a checkout elsewhere, and asking what became of any. Specification, sections 3, 4 and 7. */
import { Hono } from "hono";
import {
  coinTypes,
  newOrder,
  orderQuery,
  paths,
  type CreatedCheckout,
  type CreatedOrder,
} from "../../contract/calls.ts";
import {
  holderFor,
  languageFor,
  readBody,
  Refusal,
  succeed,
  ownAddress,
  type Env,
  type Service,
} from "../answer.ts";
import { detailOf, madeOrder, orderOf, placeOrder } from "../orders.ts";

export function orderRoutes(service: Service) {
  const routes = new Hono<Env>();

  routes.post(paths.createOrder, async (c) => {
    const holder = await holderFor(c, service);
    if (!holder) throw Refusal.unauthenticated();
    const wanted = await readBody(c, newOrder);

    if ("coin_type" in wanted) {
      const network = wanted.coin_type === coinTypes.ERC20 ? "ERC20" : "TRC20";
      const order = await placeOrder(c, service, holder.accountId, wanted, { rail: "usdt", network });
      if (order.address === null) throw new Error("An order in USDT has no address.");
      const answer: CreatedOrder = { order: madeOrder(order), payData: { address: order.address } };
      return succeed(c, answer);
    }

    // A card is typed on a screen of ours, not behind an address: see routes/providers.ts.
    if (wanted.payment_method === "Razorpay") throw Refusal.because("cardElsewhere");
    if (!service.stripe) throw Refusal.because("methodClosed");
    const order = await placeOrder(c, service, holder.accountId, wanted, { rail: "stripe", network: null });
    const payUrl = service.stripe.payUrl(order.thirdReferenceId ?? "", languageFor(c));
    const answer: CreatedCheckout = { order: madeOrder(order), payUrl: ownAddress(c, service, payUrl) };
    return succeed(c, answer);
  });

  routes.post(paths.orderDetail, async (c) => {
    const holder = await holderFor(c, service);
    if (!holder) throw Refusal.signedOut();
    const { order_id: id } = await readBody(c, orderQuery);
    return succeed(c, await detailOf(c, service, await orderOf(service, holder.accountId, id)));
  });

  return routes;
}
