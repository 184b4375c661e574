/** What a tap or a key draws anew: what it changes, and nothing else of the screen. */
import { drawnAnew } from "../support/drawn-anew.ts";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { box, button, openApp, pass } from "../support/app.tsx";
import { anna, detail, kept, monthly, ok, packagesOf, paymentPath, yearly } from "../support/replies.ts";

type Harness = Awaited<ReturnType<typeof openApp>>;

/** How the pieces of every screen are made: they are drawn with whatever they are a part of. */
const pieces = /^(?:styled\.|Styled\(|Trans|Sentence|Icon|CreatedLink|$)/;

/** The components that ran for this, each once, after whatever came with the screen is over. */
async function drawnFor(does: () => Promise<unknown>): Promise<string[]> {
  await pass(3_000);
  drawnAnew();
  await does();
  return [...new Set(drawnAnew())].filter((name) => !pieces.test(name));
}

const detailCall = "/api/order/detail";
const button_ = ["Button", "Flame"];
const toast = ["Messages", "Toasts", "Lingerer"];
const copies = ["CopyValue", "CopyRow", ...toast];

const openPackages = () =>
  openApp("/buy", { stored: anna, replies: { "/api/packegs/list": packagesOf(monthly, yearly) } });
const openPay = () => openApp("/pay/vpn.month", { stored: { ...anna, selectedItem: monthly } });
const openPayment = () =>
  openApp(paymentPath, {
    stored: { ...anna, orders: [kept] },
    replies: { [detailCall]: ok(detail({ paid_amount: "0" })) },
  });
const openUnanswered = () => openApp(paymentPath, { stored: { ...anna, orders: [kept] }, replies: {} });
const openBill = () =>
  openApp("/billDetail/A100/0/9.99/-", { stored: anna, replies: { [detailCall]: ok(detail()) } });
const openCard = () =>
  openApp("/razorpayDetail", {
    stored: { ...anna, selectedItem: monthly },
    replies: {
      "/api/razorpay/order/create": ok({
        order: { order_id: "A100", payment_amount: "9.99", third_reference_id: "order_9A" },
      }),
      "/api/razorpay/key": { key: "rzp_key" } as never,
    },
    scripts: { loadCardScript: async () => {} },
  });
const member = { account_name: "anna", name: "Ann", sex: "woman", birth_date: "1990-01-31" };
const openProfile = () =>
  openApp("/personalInformation", { stored: anna, replies: { "/api/user/center": ok({ user: member }) } });
const openLogin = () => openApp("/login");

test.each<[string, () => Promise<Harness>, (harness: Harness) => Promise<unknown>, string[]]>([
  [
    "picking a package",
    openPackages,
    ({ tap }) => tap(screen.getAllByRole("radio")[0] as HTMLElement),
    ["Offers", "Offered", "PackageCard", "RadioMark", "Foot", "Button"],
  ],
  [
    "choosing a network",
    openPay,
    ({ tap }) => tap(screen.getAllByRole("radio")[1] as HTMLElement),
    ["Networks", "Choices", "Choice", "RadioMark"],
  ],
  ["copying the amount", openPayment, ({ tap }) => tap(button("Copy the amount")), copies],
  ["copying the address", openPayment, ({ tap }) => tap(button("Copy the address")), copies],
  [
    "completing the payment",
    openUnanswered,
    ({ tap }) => tap(button("Complete the payment")),
    ["ActionFoot", "SlowNotice", ...button_],
  ],
  [
    "a bill that is what it was",
    openBill,
    ({ tap }) => tap(button("Check again")),
    // And that it was checked.
    ["Foot", "Onward", "PendingExplanation", ...button_, "Link", "ButtonAnchor"],
  ],
  [
    "a key in the card's number",
    openCard,
    ({ type }) => type(box("Card number"), "4"),
    ["CardInput", "FormattedField", "Field", "FieldFrame"],
  ],
  ["a key in the login", openLogin, ({ type }) => type(box("Account"), "a"), []],
  ["a key in the nickname", openProfile, ({ type }) => type(box("Nickname"), "B"), []],
  [
    "asking for the gender",
    openProfile,
    ({ tap }) => tap(button(/^Gender/)),
    ["SexSheet", "PickerSheet", "Sheet", "DrawnSheet", "SheetItself", "Wheel", "Button"],
  ],
])("%s draws that alone", async (_, open, does, drawn) => {
  const harness = await open();
  expect((await drawnFor(() => does(harness))).toSorted()).toEqual(drawn.toSorted());
});
