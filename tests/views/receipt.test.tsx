/** The receipt on the screen: what it says of each way to pay, what its picture says, and where it leads. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ReceiptPicture } from "../../machines/receipt.ts";
import { prints, receipt, savesPicture } from "../models/receipt.ts";
import { button, link, openApp, reads } from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import { anna, detail, ok } from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

const path = "/api/order/detail";

runOnScreen(receipt, () =>
  openForModel("/receipt/A100", {
    stored: anna,
    scripts: {
      savePicture: async () => ((await (await fetch(savesPicture)).json()) as { data: boolean }).data,
      print: async () => void (await fetch(prints)),
    },
  }),
);

const paid = { status: 1, paid_at: "2026-01-01T00:05:00.000Z", created_at: "2026-01-01T00:00:00.000Z" };
const facts = () =>
  [...document.querySelectorAll("[data-receipt] dt")].map((term) => [
    term.textContent,
    term.nextElementSibling?.textContent,
  ]);

test.each([
  [
    "USDT",
    { payment_method: "EbPay", references: ["a1", "b2"] },
    "9.99 USDT",
    "TRC20",
    [
      ["Transaction", "a1"],
      ["Transaction", "b2"],
    ],
  ],
  [
    "a card",
    { payment_method: "Razorpay", coin_type: null, references: ["pay_1"] },
    "9.99 USD",
    "Card",
    [["Transaction", "pay_1"]],
  ],
  [
    "Stripe",
    { payment_method: "Stripe", coin_type: null, references: ["pi_1"] },
    "9.99 USD",
    "Stripe",
    [["Transaction", "pi_1"]],
  ],
] as const)(
  "what was paid by %s says what, by whom, how, when and by which transactions",
  async (_, more, sum, way, last) => {
    const saved: ReceiptPicture[] = [];
    const { tap } = await openApp("/receipt/A100", {
      stored: anna,
      replies: { [path]: ok(detail({ ...paid, ...more })) },
      scripts: {
        savePicture: async (picture) => {
          saved.push(picture);
          return true;
        },
      },
    });
    const [paidOn, ordered] = ["12:05", "12:00"].map((hour) => expect.stringContaining(hour) as string);
    const lines = [
      ["Package", "Monthly"],
      ["Account", "Anna"],
      ["Paid with", way],
      ["Paid on", paidOn],
      ["Ordered", ordered],
      ["Order number", "A100"],
      ...last,
    ];
    expect(reads(sum)).toBe(true);
    expect(facts()).toEqual(lines);
    await tap(button("Save as a picture"));
    expect(saved).toEqual([{ file: "Everlit-A100", brand: "Everlit", title: "Receipt", amount: sum, lines }]);
  },
);

test("in Chinese, it has the Chinese name and words", async () => {
  await openApp("/receipt/A100", {
    language: "zh-CN",
    stored: anna,
    replies: { [path]: ok(detail({ ...paid, payment_method: "Razorpay", coin_type: null })) },
  });
  for (const words of ["收据", "支付方式", "银行卡", "保存为图片"]) expect(reads(words)).toBe(true);
});

test("a confirmed bill leads to it, and back; one that waits does not", async () => {
  const bill = "/billDetail/A100/1/9.99/-";
  const { tap, place, back, service, visit } = await openApp(bill, {
    stored: anna,
    replies: { [path]: ok(detail(paid)) },
  });
  await tap(link("Receipt"));
  const there = place();
  await back();
  expect({ there, back: place() }).toEqual({ there: "/receipt/A100", back: bill });
  service.will(path, ok(detail()));
  await visit("/billDetail/A100/0/9.99/-");
  expect(screen.queryByRole("link", { name: "Receipt" })).toBeNull();
});

test("its arrow leads back to the bill that led to it, though the bill's address says that it waits", async () => {
  const bill = "/billDetail/A100/0/9.99/-";
  const { tap, place } = await openApp(bill, { stored: anna, replies: { [path]: ok(detail(paid)) } });
  await tap(link("Receipt"));
  await tap(button("Back"));
  expect(place()).toBe(bill);
});

test("an address of an order that is not paid leads to its bill", async () => {
  const { tap, place } = await openApp("/receipt/A100", {
    stored: anna,
    replies: { [path]: ok(detail()) },
  });
  await tap(link("Show the bill"));
  expect(place()).toBe("/billDetail/A100/0/9.99/2026-01-01T00:00:00.000Z");
});

test("an API that tells nothing of the payment shows what it tells", async () => {
  await openApp("/receipt/A100", { stored: anna, replies: { [path]: ok(detail({ status: 1 })) } });
  expect(facts().map(([term]) => term)).toEqual(["Package", "Account", "Ordered", "Order number"]);
});
