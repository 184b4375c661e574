/** What input methods, keyboards and password managers do in fields: nothing of it is taken for something else, and nothing is put right that was meant. */
import { createEvent, fireEvent, render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { box, button, isSeen, openApp, secret, settled } from "../support/app.tsx";
import { FormattedField } from "../../src/app/ui/formatted-field.tsx";
import { anna, detail, monthly, ok } from "../support/replies.ts";

const list = "/api/security_problem_list";
const centre = "/api/user/center";
const replies = {
  [list]: ok(["First pet?", "First school?"]),
  [centre]: ok({ user: { account_name: "Anna", name: "Annie", sex: "woman", birth_date: "2001-03-05" } }),
  "/api/order/detail": ok(detail()),
  "/api/razorpay/order/create": ok({
    order: { order_id: "A100", payment_amount: "9.99", third_reference_id: "order_9A" },
  }),
  "/api/razorpay/key": { key: "rzp_key" } as never,
};
const stored = { ...anna, selectedItem: monthly };
const scripts = { loadCardScript: async () => {} };

/** A key as an input method sends it, in each engine's way. @returns whether anything came of it */
const ways = [
  ["while it composes", { isComposing: true }],
  ["in Safari, just after it has composed", { isComposing: false, keyCode: 229 }],
] as const;
function strike(on: Element, key: string, how: object = {}): boolean {
  const event = createEvent.keyDown(on, { key, bubbles: true, cancelable: true, ...how });
  fireEvent(on, event);
  return event.defaultPrevented;
}

test.each(ways)("Enter of an input method, %s, leads to no other field", async (_, how) => {
  const { tap } = await openApp("/login");
  const account = box("Account");
  await tap(account);
  const passed = strike(account, "Enter", how);
  expect({ passed, focused: document.activeElement }).toEqual({ passed: false, focused: account });
  // The person's own does.
  strike(account, "Enter");
  expect(document.activeElement).toBe(secret("Password"));
});

test.each(ways)(
  "keys of an input method, %s, neither turn nor settle wheels nor close their sheet",
  async (_, how) => {
    const { tap } = await openApp("/personalInformation", { stored, replies });
    await tap(button(/^Gender/));
    const dialog = screen.getByRole("dialog");
    const wheel = within(dialog).getByRole("slider", { name: "Gender" });
    wheel.focus();
    const stands = wheel.ariaValueText;
    const passed = ["ArrowDown", "ArrowUp", "m", "Enter", "Escape"].map((key) => strike(wheel, key, how));
    expect({ passed, stands: wheel.ariaValueText, open: isSeen(dialog) }).toEqual({
      passed: passed.map(() => false),
      stands,
      open: true,
    });
  },
);

test("a field is not rewritten under an input method, and what it made is formatted once", async () => {
  await openApp("/razorpayDetail", { stored, replies, scripts });
  const number = box("Card number");
  number.focus();
  const seen: string[] = [];
  const write = async (text: string) => {
    await settled(() => fireEvent.input(number, { target: { value: text } }));
    seen.push(number.value);
  };
  fireEvent.compositionStart(number);
  for (const text of ["４", "４０", "４０１２ｓ", "４０１２ｓ８", "４０１２８８８８"]) await write(text);
  await settled(() => fireEvent.compositionEnd(number));
  seen.push(number.value);
  await write("4012 88881");
  expect(seen).toEqual([
    "４",
    "４０",
    "４０１２ｓ",
    "４０１２ｓ８",
    "４０１２８８８８",
    "4012 8888",
    "4012 8888 1",
  ]);
});

test("what an input method composes within a field leaves the caret beside it", async () => {
  const { type } = await openApp("/razorpayDetail", { stored, replies, scripts });
  const number = box("Card number");
  await type(number, "401288881881");
  fireEvent.compositionStart(number);
  fireEvent.input(number, { target: { value: "4012 ９９8888 1881" } });
  number.setSelectionRange(7, 7);
  await settled(() => fireEvent.compositionEnd(number));
  expect({ shown: number.value, caret: number.selectionStart }).toEqual({
    shown: "4012 9988 8818 81",
    caret: 7,
  });
});

test("a card in full width is paid with", async () => {
  const handed: object[] = [];
  const { tap, type } = await openApp("/razorpayDetail", {
    stored,
    replies,
    scripts: {
      ...scripts,
      payByCard: (_order, _key, card) => {
        handed.push(card);
        return new Promise(() => {});
      },
    },
  });
  await type(box("Card number"), "４０１２８８８８８８８８１８８１");
  await type(box("Expiry"), "２０３０年１２月");
  await type(secret("Security code"), "１２３");
  await type(box("Name on the card"), "ＡＮＮ　ＬＥＥ");
  await tap(button("Payment"));
  expect(handed).toEqual([
    { card_number: "4012 8888 8888 1881", expiry: "12/2030", cvv: "123", cardholder: "ＡＮＮ　ＬＥＥ" },
  ]);
});

test.each([
  ["/login", 2],
  ["/register", 2],
  ["/forgetPasswordUserName", 1],
  ["/forgetPasswordInfo/anna", 2],
  ["/personalInformation", 1],
  ["/changePassword", 3],
  ["/modifyPassword", 2],
  ["/razorpayDetail", 4],
])("nothing that is typed on %s is put right by a keyboard", async (place, fields) => {
  await openApp(place, { stored: place.startsWith("/forget") ? {} : stored, replies, scripts });
  const typed = [
    ...document.querySelectorAll<HTMLInputElement>(
      "input:not([type=hidden], [type=checkbox], [hidden], [readonly])",
    ),
  ].filter(isSeen);
  const attributes = ["autocorrect", "spellcheck"] as const;
  expect(typed.map((field) => attributes.map((name) => field.getAttribute(name)))).toEqual(
    Array.from({ length: fields }, () => ["off", "false"]),
  );
});

test("nor is a secret answer where an account is recovered, nor given a capital", async () => {
  const { type, tap } = await openApp("/forgetPasswordInfo/anna", { replies });
  await type(secret("New password"), "new word");
  await type(secret("Confirm the new password"), "new word");
  await tap(button("Next step"));
  const answer = box("Secret answer");
  expect(["autocorrect", "spellcheck", "autocapitalize"].map((name) => answer.getAttribute(name))).toEqual([
    "off",
    "false",
    "none",
  ]);
});

test("a formatted field that goes while it is edited leaves the focus on the heading", async () => {
  const view = (edited: boolean) => (
    <>
      <h1>Card</h1>
      {edited ? <FormattedField label="Expiry" value="" onEdit={() => {}} /> : null}
    </>
  );
  const { rerender } = render(view(true));
  box("Expiry").focus();
  await settled(() => rerender(view(false)));
  expect(document.activeElement?.textContent).toBe("Card");
});
