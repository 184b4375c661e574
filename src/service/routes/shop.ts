/** What is on sale, how it can be paid, and whom to ask: open to everyone. Specification, section 7; decisions, "Envelope". */
import { Hono } from "hono";
import { networks, paths } from "../../contract/calls.ts";
import { languageFor, succeed } from "../http/answers.ts";
import { ownAddress } from "../http/client-address.ts";
import type { Env, Service } from "../http/service.ts";
import { ApiError } from "../platform/errors.ts";
import { toPackage } from "../catalogue.ts";

export function shopRoutes(service: Service) {
  const { catalogue, settings, sandbox, rails } = service;
  /** EbPay is the label of the USDT way. A network whose token is not the right one closes by itself. */
  const methods = () => [
    {
      payment_method: "EbPay",
      open: networks.some((network) => rails[network]?.status().open) ? "1" : "0",
    },
    { payment_method: "Razorpay", open: rails.card?.status().open ? "1" : "0" },
    { payment_method: "Stripe", open: rails.stripe?.status().open ? "1" : "0" },
  ];
  const routes = new Hono<Env>();

  routes.get(paths.packages, (c) => {
    const language = languageFor(c);
    const list = catalogue.entries.map((entry) => toPackage(entry, language));
    return succeed(c, [{ currency: "USD", updated_at: catalogue.updatedAt }, [], list]);
  });

  routes.get(paths.paymentMethods, (c) => succeed(c, methods()));

  routes.get(paths.contact, (c) => {
    const stand = sandbox && ownAddress(c, service, "/sandbox/support");
    const contact = settings.contactUrl ?? stand;
    if (contact === null) throw ApiError.of("contactUnset");
    return succeed(c, [{ contact_url: contact }]);
  });

  return routes;
}
