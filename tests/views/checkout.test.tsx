/** Paying in a window of the provider's own, from the personal center: one window, or a link. */
import { checkout, checkoutBlocked } from "../models/checkout.ts";
import { openForPlay, stubWindow } from "../support/app.tsx";
import { actOut } from "../support/play.ts";
import { anna, monthly, ok, packagesOf } from "../support/replies.ts";

const openCentre = () =>
  openForPlay("/personal_info", {
    stored: anna,
    replies: {
      "/api/user/center": ok({ user: { account_name: "anna" } }),
      "/api/packegs/list": packagesOf(monthly),
      "/api/payment_method_list": ok([{ payment_method: "Stripe", open: "1" }]),
    },
  });

actOut(checkout, () => {
  stubWindow(true);
  return openCentre();
});
actOut(checkoutBlocked, () => {
  stubWindow(false);
  return openCentre();
});
