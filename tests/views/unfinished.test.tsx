/** Payments that were begun and not seen to their end, in the personal center. */
import { unfinished } from "../models/unfinished.ts";
import { openForPlay } from "../support/app.tsx";
import { actOut } from "../support/play.ts";
import { anna, monthly, ok, packagesOf } from "../support/replies.ts";

actOut(unfinished, () =>
  openForPlay("/personal_info", {
    stored: anna,
    replies: {
      "/api/user/center": ok({ user: { account_name: "anna" } }),
      "/api/packegs/list": packagesOf(monthly),
    },
  }),
);
