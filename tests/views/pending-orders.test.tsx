/** Payments that were begun and not seen to their end, in the personal center. */
import { unfinished } from "../models/pending-orders.ts";
import { runOnScreen } from "../support/run-on-screen.ts";
import { anna, monthly, ok, packagesOf } from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

runOnScreen(
  unfinished,
  () =>
    openForModel("/personal_info", {
      stored: { ...anna, selectedItem: monthly },
      replies: {
        "/api/user/center": ok({ user: { account_name: "anna" } }),
        "/api/packegs/list": packagesOf(monthly),
      },
    }),
  "paths",
);
