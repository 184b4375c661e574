/** The table of screens: every screen of the product in each of its looks, every sheet and question on it, and how a user comes to see it. Whatever goes through all screens reads it. */
import type { Browser } from "playwright-core";
import type { Language } from "../src/contract/languages.ts";
import { say } from "../src/service/platform/messages.ts";
import { openPhone, reusableContext, type Phone, type Visit } from "./support/browser.ts";
import { MOMENT, offersIn, orders, paymentPath, people } from "./support/fixtures.ts";

export interface Screen {
  name: string;
  /** In words, on the contact sheet; without them it is not on it. */
  caption?: { en: string; "zh-CN": string };
  who: Person;
  path: string;
  /** Of the document that is there in the end: a text of the catalogue; without it the product's name stands alone. */
  title?: string;
  /** What stands there once the screen has what it shows: a text of the catalogue. */
  seen: string;
  /** What is done there before one looks. */
  act?: (phone: Phone) => Promise<unknown>;
  /** Looked at on a small phone and on a desk, too, and in both languages. */
  key?: true;
  /** Longer than a phone, and looked at whole. */
  whole?: true;
  /** Without the payments that were begun before: each would lead to its bill. */
  afresh?: true;
  /** What this browser keeps of the payer's orders, beside the name of the package. */
  kept?: { orderId: string } & Record<string, unknown>;
}

/** `boxed`: in a browser inside another app; `cut`: soon without a network. */
type Person = "visitor" | "boxed" | "cut" | keyof typeof people;

const sheet = (phone: Phone) => phone.page.getByRole("dialog").waitFor();
const pick = (id: string) => async (phone: Phone) => {
  await phone.page.getByRole("button", { name: phone.say(id) }).tap();
  await sheet(phone);
  await phone.page.getByRole("slider").first().waitFor();
};
const fillIn = async (phone: Phone, password: string) => {
  await phone.field("account_name").fill("Wanderer");
  await phone.field("password").fill(password);
};
const submit = (id: string, error: string) => async (phone: Phone) => {
  await phone.tap("button", id);
  await phone.see(error);
};
const payByCard = (holder: string, seen: string) => async (phone: Phone) => {
  const card = { card_number: "4012888888881881", expiry: "092031", cvv: "123", cardholder: holder };
  for (const [name, text] of Object.entries(card)) await phone.field(name).pressSequentially(text);
  await phone.tap("button", "Payment");
  await phone.see(seen);
};

/** What is said is gone after two seconds; here it stays, for as long as the page does. */
const saying = (act: (phone: Phone) => Promise<unknown>, said: string) => async (phone: Phone) => {
  await phone.page.evaluate(() => {
    const { setTimeout } = window;
    const lasting = (run: TimerHandler, ms?: number) => (ms === 2_000 ? 0 : setTimeout(run, ms));
    window.setTimeout = lasting as typeof setTimeout;
  });
  await act(phone);
  await phone.see(said);
};
/** An order in USDT, as this browser keeps it. */
const transferOf = (order_id: string) => ({
  orderId: order_id,
  network: "TRC20",
  amount: "29.99",
  address: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  deadline: MOMENT + 24 * 60_000,
  packId: "4",
  productId: "annual",
});
const unknownOrder = "8WQ2ZK5TNX0R7D3M";
const pay = (phone: Phone) => phone.tap("button", "Pay {price} USDT", { price: "29.99" });

export const screens: readonly Screen[] = [
  {
    name: "home",
    caption: { en: "Landing page", "zh-CN": "首页" },
    who: "visitor",
    path: "/home",
    title: "Never-offline VPN",
    seen: "Never-offline VPN",
    key: true,
    whole: true,
  },
  {
    name: "home-language",
    caption: { en: "Language", "zh-CN": "语言" },
    who: "visitor",
    path: "/home",
    title: "Never-offline VPN",
    seen: "Never-offline VPN",
    act: async (phone) => {
      await phone.tap("button", "Change language");
      await sheet(phone);
    },
  },
  {
    name: "home-boxed",
    who: "boxed",
    path: "/home",
    title: "Never-offline VPN",
    seen: "Never-offline VPN",
    act: async (phone) => {
      await phone.tap("button", "Download for Android");
      await sheet(phone);
    },
  },
  {
    name: "home-cut",
    caption: { en: "No network", "zh-CN": "没有网络" },
    who: "cut",
    path: "/home",
    title: "Never-offline VPN",
    seen: "Never-offline VPN",
    act: async (phone) => {
      // What has not come yet would not come any more.
      await phone.alive();
      await phone.context.setOffline(true);
      await phone.see(
        "You are offline. You can look around, but packages, payments and your account need a connection.",
      );
    },
  },
  {
    name: "home-signed-in",
    who: "newcomer",
    path: "/home",
    title: "Never-offline VPN",
    seen: "Buy a membership",
  },
  {
    name: "home-unfinished",
    who: "member",
    path: "/home",
    title: "Never-offline VPN",
    seen: "Buy a membership",
    act: (phone) => phone.see("You have an unfinished payment"),
  },
  {
    name: "home-ending",
    who: "ending",
    path: "/home",
    title: "Never-offline VPN",
    seen: "Buy a membership",
    act: (phone) => phone.see("Renew"),
  },
  {
    name: "login",
    caption: { en: "Log in", "zh-CN": "登录" },
    who: "visitor",
    path: "/login",
    title: "Log in",
    seen: "Welcome back",
    key: true,
  },
  {
    name: "login-incomplete",
    who: "visitor",
    path: "/login",
    title: "Log in",
    seen: "Welcome back",
    act: submit("Log in", "Please enter your account and password"),
  },
  {
    name: "login-refused",
    who: "visitor",
    path: "/login",
    title: "Log in",
    seen: "Welcome back",
    act: async (phone) => {
      await fillIn(phone, "lamplight & harbour 8");
      await phone.tap("button", "Log in");
      const refusal = say("wrongCredentials", phone.language);
      // Said twice at first: what stays is under the form.
      await phone.page.getByText(refusal).nth(1).waitFor();
      await phone.page.getByText(refusal).nth(1).waitFor({ state: "hidden" });
    },
  },
  {
    name: "register",
    caption: { en: "Create an account", "zh-CN": "创建账号" },
    who: "visitor",
    path: "/register",
    title: "Create an account",
    seen: "Create account",
  },
  {
    name: "register-short",
    who: "visitor",
    path: "/register",
    title: "Create an account",
    seen: "Create account",
    act: async (phone) => {
      await fillIn(phone, "short");
      await phone.field("agreement").check();
      await submit("Create account", "Password length cannot be less than 6 digits")(phone);
    },
  },
  {
    name: "register-unticked",
    who: "visitor",
    path: "/register",
    title: "Create an account",
    seen: "Create account",
    act: async (phone) => {
      await fillIn(phone, "lamplight & harbour 7");
      await submit("Create account", "Please agree to the user service agreement first")(phone);
    },
  },
  {
    name: "register-success",
    who: "visitor",
    path: "/registerSuccess",
    title: "Account created",
    seen: "Log in",
  },
  {
    name: "agreement",
    who: "visitor",
    path: "/service",
    title: "User service agreement",
    seen: "User service agreement",
  },
  {
    name: "unknown",
    who: "visitor",
    path: "/no/such/page",

    seen: "This page does not exist",
  },
  {
    name: "forget-account",
    who: "visitor",
    path: "/forgetPasswordUserName",
    title: "Forgot password",
    seen: "Forgot your password?",
  },
  {
    name: "forget-password",
    who: "visitor",
    path: "/forgetPasswordInfo/Wanderer",
    title: "New password",
    seen: "Choose a new password",
  },
  {
    name: "forget-mismatch",
    who: "visitor",
    path: "/forgetPasswordInfo/Wanderer",
    title: "New password",
    seen: "Choose a new password",
    act: async (phone) => {
      await phone.field("new_password").fill("lamplight & harbour 7");
      await phone.field("new_password_confirmation").fill("lamplight & harbour 8");
      await submit("Next step", "The passwords entered twice do not match, Please re-enter")(phone);
    },
  },
  {
    name: "forget-question",
    caption: { en: "Recovery", "zh-CN": "找回密码" },
    who: "visitor",
    path: "/forgetPasswordInfo/Wanderer",
    title: "Security question",
    seen: "Choose a new password",
    act: async (phone) => {
      await phone.field("new_password").fill("lamplight & harbour 7");
      await phone.field("new_password_confirmation").fill("lamplight & harbour 7");
      await phone.tap("button", "Next step");
      await phone.see("Secret answer");
    },
  },
  {
    name: "center-newcomer",
    who: "newcomer",
    path: "/personal_info",
    title: "Personal center",
    seen: "Not activated as a member",
    whole: true,
  },
  {
    name: "center",
    caption: { en: "Personal center", "zh-CN": "个人中心" },
    who: "member",
    path: "/personal_info",
    title: "Personal center",
    seen: "You have an unfinished payment",
    key: true,
    whole: true,
  },
  {
    name: "center-ending",
    caption: { en: "Membership ends today", "zh-CN": "会员今天到期" },
    who: "ending",
    path: "/personal_info",
    title: "Personal center",
    seen: "Renew",
  },
  {
    name: "center-ended",
    who: "ended",
    path: "/personal_info",
    title: "Personal center",
    seen: "Renew",
  },
  {
    name: "center-methods",
    caption: { en: "Ways to pay", "zh-CN": "付款方式" },
    who: "newcomer",
    path: "/personal_info",
    title: "Personal center",
    seen: "Not activated as a member",
    act: async (phone) => {
      await phone.page.getByRole("button", { name: "3.99" }).tap();
      await sheet(phone);
    },
  },
  {
    name: "center-forget",
    who: "member",
    path: "/personal_info",
    title: "Personal center",
    seen: "You have an unfinished payment",
    act: async (phone) => {
      await phone.tap("button", "Do not remind me");
      await phone.see("Forget this payment?");
    },
  },
  {
    name: "center-reported",
    who: "payer",
    kept: { orderId: orders.open.order_id, amount: "29.99", reportedFailed: true },
    path: "/personal_info",
    title: "Personal center",
    seen: "You have an unfinished payment",
  },
  {
    name: "center-gone",
    who: "payer",
    kept: transferOf(unknownOrder),
    path: "/personal_info",
    title: "Personal center",
    seen: "You have an unfinished payment",
    act: (phone) =>
      phone.see(
        "We cannot find the order for {packName} any more. Please send nothing to its address. If you have paid, contact support.",
        { packName: offersIn(phone.language).at(-1)?.name ?? "" },
      ),
  },
  {
    name: "center-unreachable",
    who: "stranded",
    path: "/personal_info",
    title: "Personal center",
    seen: "We could not load this",
  },
  {
    name: "settings",
    caption: { en: "Settings", "zh-CN": "设置" },
    who: "newcomer",
    path: "/setting",
    title: "Settings",
    seen: "Log out",
  },
  {
    name: "profile",
    caption: { en: "Profile", "zh-CN": "个人资料" },
    who: "member",
    path: "/personalInformation",
    title: "Personal Information",
    seen: "Nickname",
    act: (phone) => phone.page.locator('input[name="name"][value="Margo"]').waitFor(),
  },
  {
    name: "profile-gender",
    who: "member",
    path: "/personalInformation",
    title: "Personal Information",
    seen: "Nickname",
    act: pick("Gender"),
  },
  {
    name: "profile-birthday",
    caption: { en: "Date of birth", "zh-CN": "出生日期" },
    who: "member",
    path: "/personalInformation",
    title: "Personal Information",
    seen: "Nickname",
    act: pick("Date of birth"),
  },
  {
    name: "password",
    who: "newcomer",
    path: "/changePassword",
    title: "Change Password",
    seen: "Old password",
  },
  {
    name: "password-short",
    who: "newcomer",
    path: "/changePassword",
    title: "Change Password",
    seen: "Old password",
    act: async (phone) => {
      await phone.field("old_password").fill("lamplight");
      await phone.field("new_password").fill("short");
      await phone.field("new_password_confirmation").fill("short");
      await submit("Change Password", "Password length cannot be less than 8 digits")(phone);
    },
  },
  {
    name: "question",
    who: "newcomer",
    path: "/modifyPassword",
    title: "Security question",
    seen: "Secret answer",
  },
  {
    name: "question-choice",
    caption: { en: "Security question", "zh-CN": "密保问题" },
    who: "newcomer",
    path: "/modifyPassword",
    title: "Security question",
    seen: "Secret answer",
    act: pick("Security question"),
  },
  {
    name: "question-set",
    who: "member",
    path: "/modifyPassword",
    title: "Security question",
    seen: "Your question",
  },
  {
    name: "orders",
    caption: { en: "Orders", "zh-CN": "订单" },
    who: "member",
    path: "/orders",
    title: "My orders",
    seen: "Show earlier orders",
    whole: true,
  },
  { name: "orders-none", who: "newcomer", path: "/orders", title: "My orders", seen: "No orders yet" },
  {
    name: "orders-failed",
    who: "stranded",
    path: "/orders",
    title: "My orders",
    seen: "We could not load this",
  },
  {
    name: "delete-account",
    caption: { en: "Deleting the account", "zh-CN": "注销账号" },
    who: "member",
    path: "/deleteAccount",
    title: "Delete my account",
    seen: "Delete for good",
    whole: true,
  },
  {
    name: "delete-account-refused",
    who: "member",
    path: "/deleteAccount",
    title: "Delete my account",
    seen: "Delete for good",
    act: submit("Delete for good", "Please enter password"),
  },
  {
    name: "sessions",
    caption: { en: "Logged-in devices", "zh-CN": "登录设备" },
    who: "member",
    path: "/sessions",
    title: "Logged-in devices",
    seen: "Log out elsewhere",
  },
  {
    name: "sessions-alone",
    who: "newcomer",
    path: "/sessions",
    title: "Logged-in devices",
    seen: "You are logged in on this device only.",
  },
  {
    name: "sessions-failed",
    who: "stranded",
    path: "/sessions",
    title: "Logged-in devices",
    seen: "We could not load this",
  },
  {
    name: "sessions-one",
    who: "member",
    path: "/sessions",
    title: "Logged-in devices",
    seen: "Log out elsewhere",
    act: async (phone) => {
      await phone.page.getByRole("button", { name: /Chrome/ }).tap();
      await phone.see("Log this device out?");
    },
  },
  {
    name: "sessions-others",
    who: "member",
    path: "/sessions",
    title: "Logged-in devices",
    seen: "Log out elsewhere",
    act: async (phone) => {
      await phone.tap("button", "Log out elsewhere");
      await submit("Log out elsewhere", "Please enter password")(phone);
    },
  },
  {
    name: "buy",
    caption: { en: "Packages", "zh-CN": "套餐" },
    who: "newcomer",
    path: "/buy",
    title: "Choose a package",
    seen: "Continue",
    key: true,
    whole: true,
  },
  {
    name: "pay",
    caption: { en: "Network", "zh-CN": "选择网络" },
    who: "newcomer",
    path: "/pay/annual",
    title: "Pay",
    seen: "Which network will you send on?",
    key: true,
  },
  {
    name: "pay-leave",
    caption: { en: "Leaving a payment", "zh-CN": "离开支付" },
    who: "newcomer",
    path: "/pay/annual",
    title: "Pay",
    seen: "Which network will you send on?",
    act: async (phone) => {
      await phone.tap("button", "Back");
      await phone.see("Leave this payment?");
    },
  },
  {
    name: "pay-part",
    caption: { en: "An earlier payment", "zh-CN": "之前的付款" },
    who: "payer",
    kept: transferOf(orders.part.order_id),
    path: "/pay/annual",
    title: "Pay",
    seen: "Which network will you send on?",
    act: async (phone) => {
      await pay(phone);
      await phone.see("Part of an earlier payment has arrived");
    },
  },
  {
    name: "pay-open",
    who: "payer",
    kept: { orderId: orders.open.order_id, amount: "29.99" },
    path: "/pay/annual",
    title: "Pay",
    seen: "Which network will you send on?",
    act: async (phone) => {
      await pay(phone);
      await phone.see("An earlier payment is not settled yet");
    },
  },
  // What was chosen is settled by it.
  {
    name: "pay-paid",
    who: "payer",
    kept: transferOf(orders.confirmed.order_id),
    path: "/pay/annual",
    title: "Pay",
    seen: "Which network will you send on?",
    act: async (phone) => {
      await pay(phone);
      await phone.see("Your earlier payment went through");
    },
  },
  {
    name: "pay-signed-out",
    who: "visitor",
    path: "/pay/annual",
    title: "Log in",
    seen: "Which network will you send on?",
    act: saying(pay, "Please log in first"),
  },
  {
    name: "pay-failed",
    who: "stranded",
    path: "/pay/annual",
    title: "Pay",
    seen: "Which network will you send on?",
    act: saying(pay, "Something went wrong on our side. Please try again."),
  },
  {
    name: "payment",
    caption: { en: "Payment", "zh-CN": "付款" },
    who: "member",
    path: paymentPath(orders.open),
    title: "Send the payment",
    seen: "Before you pay",
    act: (phone) => phone.page.locator("main [role=img] path").first().waitFor(),
    key: true,
    whole: true,
  },
  {
    name: "payment-copied",
    who: "member",
    path: paymentPath(orders.open),
    title: "Send the payment",
    seen: "Before you pay",
    act: saying((phone) => phone.tap("button", "Copy the order number"), "Replicating Success"),
  },
  {
    name: "payment-late",
    who: "member",
    path: paymentPath(orders.late),
    title: "Send the payment",
    seen: "Make a new order",
  },
  {
    name: "payment-behind",
    who: "member",
    path: paymentPath(orders.behind),
    title: "Send the payment",
    seen: "Payments on this network show up later than usual at the moment. Nothing is lost: yours is credited as soon as we see it, even if the time is up by then.",
  },
  {
    name: "payment-part",
    who: "member",
    path: paymentPath(orders.part),
    title: "Send the payment",
    seen: "Still to send",
  },
  {
    name: "payment-unverified",
    caption: { en: "A forged link", "zh-CN": "伪造的链接" },
    who: "member",
    path: paymentPath(orders.open, "1.00"),
    title: "Send the payment",
    seen: "We cannot verify this payment link",
  },
  {
    name: "payment-gone",
    caption: { en: "An order that is gone", "zh-CN": "订单不存在了" },
    who: "payer",
    kept: transferOf(unknownOrder),
    path: paymentPath({ order_id: unknownOrder }),
    title: "Send the payment",
    seen: "We cannot find this order any more",
  },
  {
    name: "bill-checkout",
    who: "payer",
    kept: {
      orderId: orders.open.order_id,
      amount: "29.99",
      payUrl: "https://checkout.example/pay/cs_1a2b3c",
    },
    path: `/billDetail/${orders.open.order_id}/0/29.99/-`,
    title: "Your bill",
    seen: "Open the payment page",
    whole: true,
  },
  {
    name: "bill-pending",
    caption: { en: "Waiting for the network", "zh-CN": "等待网络确认" },
    who: "member",
    path: `/billDetail/${orders.open.order_id}/0/29.99/-`,
    title: "Your bill",
    seen: "Order number",
  },
  {
    name: "bill-late",
    caption: { en: "The time is up", "zh-CN": "付款时间已到" },
    who: "member",
    path: `/billDetail/${orders.late.order_id}/0/29.99/-`,
    title: "Your bill",
    seen: "Show the address",
    whole: true,
  },
  {
    name: "bill-reported",
    caption: { en: "A card called failed", "zh-CN": "银行卡被告知失败" },
    who: "payer",
    kept: { orderId: orders.card.order_id, amount: "29.99", reportedFailed: true },
    path: `/billDetail/${orders.card.order_id}/0/29.99/-`,
    title: "Your bill",
    seen: "The payment was reported as failed",
    whole: true,
  },
  {
    name: "bill-confirmed",
    caption: { en: "Confirmed", "zh-CN": "已确认" },
    who: "member",
    path: `/billDetail/${orders.confirmed.order_id}/0/29.99/-`,
    title: "Your bill",
    seen: "Confirmed",
    key: true,
  },
  {
    name: "receipt",
    caption: { en: "Receipt", "zh-CN": "收据" },
    who: "member",
    path: `/receipt/${orders.confirmed.order_id}`,
    title: "Receipt",
    seen: "Save as a picture",
  },
  {
    name: "receipt-none",
    who: "member",
    path: `/receipt/${orders.open.order_id}`,
    title: "Receipt",
    seen: "No receipt yet",
  },
  {
    name: "bill-failed",
    who: "member",
    path: `/billDetail/${orders.failed.order_id}/0/29.99/-`,
    title: "Your bill",
    seen: "Failed",
  },
  {
    name: "bill-returned",
    who: "member",
    path: `/billDetail/${orders.returned.order_id}/0/29.99/-`,
    title: "Your bill",
    seen: "Make a new order",
  },
  {
    name: "bill-part",
    who: "member",
    path: `/billDetail/${orders.part.order_id}/0/29.99/-`,
    title: "Your bill",
    seen: "Part of it has arrived",
    whole: true,
  },
  {
    name: "bill-arrived",
    who: "member",
    path: paymentPath(orders.arrived),
    title: "Your bill",
    seen: "Check again",
    act: (phone) => phone.see("Ordered"),
  },
  {
    name: "bill-behind",
    who: "member",
    path: `/billDetail/${orders.behind.order_id}/0/29.99/-`,
    title: "Your bill",
    seen: "Payments on this network show up later than usual at the moment. Nothing is lost: yours is credited as soon as we see it, even if the time is up by then.",
    whole: true,
  },
  {
    name: "bill-held",
    who: "member",
    path: `/billDetail/${orders.held.order_id}/0/29.99/-`,
    title: "Your bill",
    seen: "Order number",
  },
  {
    name: "bill-twice",
    who: "member",
    path: `/billDetail/${orders.twice.order_id}/1/29.99/-`,
    title: "Your bill",
    seen: "Received",
  },
  {
    name: "bill-unknown",
    who: "member",
    path: "/billDetail/8WQ2ZK5TNX0R7D3M/0/29.99/-",
    title: "Your bill",
    seen: "We cannot find this order",
  },
  {
    name: "card",
    caption: { en: "Card", "zh-CN": "银行卡" },
    who: "newcomer",
    path: "/razorpayDetail",
    title: "Payment details",
    seen: "Card number",
  },
  {
    name: "card-incorrect",
    who: "newcomer",
    path: "/razorpayDetail",
    title: "Payment details",
    seen: "Card number",
    act: async (phone) => {
      await phone.field("card_number").pressSequentially("4012888888881882");
      await phone.field("expiry").pressSequentially("012020");
      await phone.field("cvv").fill("12");
      await phone.field("cardholder").fill("A WANDERER");
      await submit(
        "Payment",
        "Some information is incorrect, Please check the red fields and correct them before submitting.",
      )(phone);
    },
  },
  {
    name: "card-progress",
    caption: { en: "Payment in progress", "zh-CN": "支付处理中" },
    who: "newcomer",
    path: "/razorpayDetail",
    title: "Payment details",
    seen: "Card number",
    act: payByCard("A WANDERER", "Payment in Progress"),
    afresh: true,
  },
  {
    name: "card-declined",
    who: "newcomer",
    path: "/razorpayDetail",
    title: "Payment details",
    seen: "Card number",
    act: payByCard("DECLINED", "Payment Failed"),
    afresh: true,
  },
  {
    name: "card-cancelled",
    who: "newcomer",
    path: "/razorpayDetail",
    title: "Payment details",
    seen: "Card number",
    act: payByCard("CANCELLED", "Payment Cancelled"),
    afresh: true,
  },
  {
    name: "card-unheard",
    who: "newcomer",
    path: "/razorpayDetail",
    title: "Payment details",
    seen: "Card number",
    act: payByCard("CUT OFF", "Result not known yet"),
    afresh: true,
  },
  {
    name: "card-undecided",
    who: "newcomer",
    path: "/razorpayDetail",
    title: "Your bill",
    seen: "Make a new order",
    // Why one is led here is said for two seconds.
    act: (phone) =>
      phone.words("First, see what became of your earlier payment.").waitFor({ state: "hidden" }),
  },
];

const placeOf = ({ path }: Screen) => path.split("/")[1];

/** The address of each screen once, and whether it is opened signed in: for what opens screens without looking for what is on them. */
export const addresses: readonly { path: string; isMember: boolean }[] = screens
  .filter((one, at) => screens.findIndex((other) => placeOf(other) === placeOf(one)) === at)
  .map(({ path, who }) => ({ path, isMember: who in people }));

/** Those of one person after each other, so that one phone at a time is enough. */
export const byPerson = (all: readonly Screen[]): readonly Screen[] =>
  [...Map.groupBy(all, ({ who }) => who).values()].flat();

/** The phone of the person who looks, opened when it is another's turn: a new context starts three processes. */
export function openPhones(
  browser: Browser,
  fixtureSite: { origin: string },
  visit: Visit & { language: Language },
): { of: (screen: Screen) => Promise<Phone>; close: () => Promise<void> } {
  const contexts = reusableContext(browser);
  let now: { who: Person; phone: Phone } | undefined;
  async function open(who: Person): Promise<Phone> {
    const offer = offersIn(visit.language).at(-1);
    const seen: Visit = {
      ...visit,
      ...(who in people ? { account: people[who as keyof typeof people] } : {}),
      storage: {
        selectedItem: JSON.stringify(offer),
        ...(who === "member"
          ? {
              [`order:${orders.open.order_id}`]: JSON.stringify({
                ...transferOf(orders.open.order_id),
                accountName: people.member.name,
                packName: offer?.name,
              }),
            }
          : {}),
      },
    };
    const phone = await openPhone(browser, fixtureSite, seen, contexts.open);
    phone.context.setDefaultTimeout(60_000);
    await phone.context.clock.setFixedTime(MOMENT);
    if (who === "boxed") {
      await phone.context.addInitScript(() => {
        Object.defineProperty(navigator, "userAgent", { value: `${navigator.userAgent} MicroMessenger/8.0` });
      });
    }
    return phone;
  }
  const close = async () => {
    if (now) await contexts.close(now.phone.context);
    now = undefined;
  };
  return {
    of: async ({ who }) => {
      if (now?.who !== who) {
        await close();
        now = { who, phone: await open(who) };
      }
      return now.phone;
    },
    close,
  };
}

/** What each phone last showed. */
const shown = new WeakMap<Phone, Screen>();

/** Opens the screen and does what is done there. */
export async function show(phone: Phone, screen: Screen): Promise<void> {
  const { path, seen, act, afresh, kept } = screen;
  const last = shown.get(phone);
  shown.set(phone, screen);
  if (afresh) await phone.keepOrders();
  if (kept) {
    if (!last) await phone.open("/service");
    const packName = offersIn(phone.language).at(-1)?.name;
    await phone.keepOrders({ ...kept, accountName: people.payer.name, packName });
  }
  if (last?.path !== path || last.act || kept) {
    // A screen that guards a payment asks before it is left.
    phone.page.once("dialog", (dialog) => void dialog.accept());
    await phone.open(path);
    phone.page.removeAllListeners("dialog");
  }
  await phone.see(seen);
  await settle(phone);
  await act?.(phone);
  await settle(phone);
}

/** Until nothing is on its way any more: no answer, no letter, no picture, no movement that comes to an end. */
export async function settle({ page }: Phone): Promise<void> {
  await page.waitForFunction(
    () =>
      document.fonts.status === "loaded" &&
      [...document.images].every(
        (image) => image.complete || image.getBoundingClientRect().top > window.innerHeight,
      ) &&
      document.querySelector("[data-undrawn], [aria-busy=true], [role=img]:empty") === null &&
      document
        .getAnimations()
        .every(
          ({ playState, effect }) =>
            playState !== "running" || effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
        ),
  );
}
