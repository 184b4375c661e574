/** Deleting the account on the screen: what it says goes and stays, what is sent, and what is left in this browser. */
import { expect, test } from "vitest";
import { accountDeletion } from "../models/account-deletion.ts";
import { button, link, openApp, reads, said, secret, stored, title } from "../support/app.tsx";
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

test("sent again after an answer was lost, it says that the session is over", async () => {
  const { place, tap, type, service } = await openApp("/deleteAccount", {
    stored: anna,
    replies: { [path]: "lost" },
  });
  await type(secret("Password"), "my password");
  await tap(button("Delete for good"));
  const before = place();
  service.will(path, notSignedIn);
  await tap(button("Delete for good"));
  expect({ before, place: place(), name: stored()["user_name"] }).toEqual({
    before: "/deleteAccount",
    place: "/login",
    name: undefined,
  });
});
