/** Deleting the account on the screen: what it says goes and stays, what is sent, and what is left in this browser. */
import { expect, test } from "vitest";
import { accountDeletion } from "../models/account-deletion.ts";
import { button, link, openApp, pass, reads, said, secret, stored, title, warned } from "../support/app.tsx";
import { runOnScreen } from "../support/run-on-screen.ts";
import { anna, kept, notSignedIn, ok } from "../support/replies.ts";
import { openForModel } from "../support/jsdom-user.tsx";

const path = "/api/user/delete";

runOnScreen(accountDeletion, () => openForModel("/deleteAccount", { stored: anna }));

test.each([
  ["en", "Delete my account", "Deleted right away", "Kept"],
  ["zh-CN", "注销账号", "立即删除", "仍会保留"],
] as const)(
  "in %s, the settings lead to it, and it says what goes and what is kept",
  async (language, name, goes, stays) => {
    const { tap, place } = await openApp("/setting", { language, stored: anna });
    await tap(link(name));
    expect({ place: place(), title: title(), goes: reads(goes), stays: reads(stays) }).toEqual({
      place: "/deleteAccount",
      title: name,
      goes: true,
      stays: true,
    });
  },
);

const paidOf = (orderId: string, accountName: string) => ({
  orderId,
  amount: "9.99",
  accountName,
  packName: "Monthly",
});

test("of a deleted account nothing is left in this browser; of another one everything is", async () => {
  const other = { ...kept, orderId: "B200", accountName: "Berta" };
  const { service, place, tap, type } = await openApp("/deleteAccount", {
    stored: { ...anna, orders: [kept, other], paid: [paidOf("C300", "Anna"), paidOf("D400", "Berta")] },
    replies: { [path]: ok() },
  });
  await type(secret("Password"), "my password");
  await tap(button("Delete for good"));
  const left = JSON.stringify(stored());
  expect({
    sent: service.to(path).map(({ body }) => body),
    place: place(),
    said: said(),
    name: stored()["user_name"],
    orders: ["A100", "B200", "C300", "D400"].map((id) => left.includes(id)),
  }).toEqual({
    sent: [{ password: "my password" }],
    place: "/login",
    said: ["Your account has been deleted"],
    name: undefined,
    orders: [false, true, false, true],
  });
});

const unsure = {
  en: "You were logged out. If you cannot log in any more, your account has been deleted.",
  "zh-CN": "你已退出登录。如果无法再次登录，说明账号已注销。",
};

test.each(["en", "zh-CN"] as const)(
  "in %s, sent again after an answer was lost, it says how to find out, and keeps what can still be paid",
  async (language) => {
    const { place, tap, type, service } = await openApp("/deleteAccount", {
      language,
      stored: { ...anna, orders: [kept], paid: [paidOf("C300", "Anna")] },
      replies: { [path]: "lost" },
    });
    const submit = button(language === "en" ? "Delete for good" : "永久注销");
    await type(secret(language === "en" ? "Password" : "密码"), "my password");
    await tap(submit);
    const before = place();
    service.will(path, notSignedIn);
    await pass(2_000);
    await tap(submit);
    const left = JSON.stringify(stored());
    expect({
      before,
      place: place(),
      warned: warned(),
      name: stored()["user_name"],
      orders: ["A100", "C300"].map((id) => left.includes(id)),
    }).toEqual({
      before: "/deleteAccount",
      place: "/login",
      warned: [unsure[language]],
      name: undefined,
      orders: [true, true],
    });
  },
);

test("a session that another device ended is told of as ever", async () => {
  const { place, tap, type } = await openApp("/deleteAccount", {
    stored: anna,
    replies: { [path]: notSignedIn },
  });
  await type(secret("Password"), "my password");
  await tap(button("Delete for good"));
  expect({ place: place(), said: said() }).toEqual({ place: "/login", said: ["Please log in first"] });
});
