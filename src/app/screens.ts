/** Every screen: its title, where its code and its words are, and whether it is kept when it is left. `routes.ts` says at which address. Specification, section 2. */
import { msg } from "@lingui/core/macro";
import { lazyRouteComponent } from "@tanstack/react-router";
import { CallFailed } from "../../machines/failure.ts";
import type { Words } from "../../machines/notice.ts";
import type { Visit } from "../../machines/progress.ts";
import { learnMore, type Catalogue } from "./ports/language.ts";
import { isReachable } from "./ports/page.ts";

/**
 * A screen and its words, both on their way at once. For a file that is missing the page is loaded anew, for a newer
 * build may have taken its place; without a network that would leave the person with nobody's page.
 */
function view<T extends Record<string, unknown>, N extends keyof T & string>(
  load: () => Promise<T>,
  name: N,
  words: Catalogue = "screens",
) {
  return lazyRouteComponent(async () => {
    try {
      const [code] = await Promise.all([load(), learnMore(words)]);
      return code;
    } catch (error) {
      if (await isReachable()) throw error;
      throw new CallFailed({ kind: "network" });
    }
  }, name);
}

type View = ReturnType<typeof view<Record<string, () => unknown>, string>>;
type Screen = {
  title: Words;
  view: View;
  /** The view is thrown away when it is left. */
  noCache?: true;
};

const buy: Screen = {
  title: msg`Choose a package`,
  view: view(() => import("./views/buy.tsx"), "Buy"),
};

/** By the names of their routes. */
export const screens = {
  "/home": {
    title: msg`Never-offline VPN`,
    view: view(() => import("./views/home.tsx"), "Home", "messages"),
  },
  "/login": {
    title: msg`Log in`,
    view: view(() => import("./views/login.tsx"), "Login"),
  },
  "/register": {
    title: msg`Create an account`,
    view: view(() => import("./views/register.tsx"), "Register"),
  },
  "/registerSuccess": {
    title: msg`Account created`,
    view: view(() => import("./views/register-success.tsx"), "RegisterSuccess"),
  },
  "/service": {
    title: msg`User service agreement`,
    view: view(() => import("./views/service.tsx"), "Service", "agreement"),
  },
  "/personal_info": {
    title: msg`Personal center`,
    view: view(() => import("./views/personal-info.tsx"), "PersonalInfo"),
  },
  "/personalInformation": {
    title: msg`Personal Information`,
    view: view(() => import("./views/personal-information.tsx"), "PersonalInformation"),
    noCache: true,
  },
  "/changePassword": {
    title: msg`Change Password`,
    view: view(() => import("./views/change-password.tsx"), "ChangePassword"),
    noCache: true,
  },
  "/modifyPassword": {
    title: msg`Security question`,
    view: view(() => import("./views/modify-password.tsx"), "ModifyPassword"),
    noCache: true,
  },
  "/forgetPasswordUserName": {
    title: msg`Forgot password`,
    view: view(() => import("./views/forget-password-user-name.tsx"), "ForgetPasswordUserName"),
  },
  "/forgetPasswordInfo/$userName": {
    title: msg`New password`,
    view: view(() => import("./views/forget-password-info.tsx"), "ForgetPasswordInfo"),
    noCache: true,
  },
  "/forgetPassword/$password/$userName": {
    title: msg`Security question`,
    view: view(() => import("./views/forget-password.tsx"), "ForgetPassword"),
    noCache: true,
  },
  "/setting": {
    title: msg`Settings`,
    view: view(() => import("./views/setting.tsx"), "Setting"),
  },
  "/buy": buy,
  "/buy/$name": buy,
  "/pay/$id": {
    title: msg`Pay`,
    view: view(() => import("./views/pay.tsx"), "Pay"),
    noCache: true,
  },
  "/razorpayDetail": {
    title: msg`Payment details`,
    view: view(() => import("./views/razorpay-detail.tsx"), "RazorpayDetail"),
    noCache: true,
  },
  "/payDetail/$pack_id/$product_id/$pay_type/$pay_price/$pay_address/$pay_order_id": {
    title: msg`Send the payment`,
    view: view(() => import("./views/pay-detail.tsx"), "PayDetail"),
    noCache: true,
  },
  "/billDetail/$order_id/$pay_status/$pay_price/$pay_time": {
    title: msg`Your bill`,
    view: view(() => import("./views/bill-detail.tsx"), "BillDetail"),
    noCache: true,
  },
} satisfies Record<string, Screen>;

/** The screen of a route; none for an address that leads nowhere. */
export const screenOf = (name: string): Screen | undefined =>
  (screens as Partial<Record<string, Screen>>)[name];

/** What the router keeps of a step of the history. */
type Step = { __TSR_index?: number; __TSR_key?: string; returns?: boolean };

/** A visit as the chart of the views knows it: of the screen `name` at `path`, at a step of the history. */
export const visitOf = (
  userName: string | null,
  name: string,
  path: string,
  params: Visit["params"],
  { __TSR_index: step = 0, __TSR_key: entry = "", returns }: Step,
): Visit => ({
  name,
  // Another person's view is another view.
  key: `${userName ?? ""} ${path}`,
  noCache: screenOf(name)?.noCache === true,
  params,
  step,
  entry,
  returns: returns === true,
});
