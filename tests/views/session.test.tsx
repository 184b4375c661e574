/** Who is signed in, on every screen: logging out, a session that is over, another tab. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { session } from "../models/session.ts";
import {
  button,
  isBusy,
  link,
  lookAgain,
  openApp,
  openForPlay,
  pass,
  reads,
  said,
  stored,
  storeElsewhere,
  title,
} from "../support/app.tsx";
import { actOut } from "../support/play.ts";
import { anna, kept, monthly, nobody, ok, packagesOf, paymentPath } from "../support/replies.ts";

const centre = "/api/user/center";
const packages = "/api/packegs/list";
const logout = "/api/logout";
const userOf = (account_name: string) => ok({ user: { account_name, pack_name: null } });

actOut(session, () =>
  openForPlay("/home", {
    stored: { user_name: "anna", user_key: { account_name: "anna" }, user_token: "token1" },
  }),
);

test("logging out waits half a second, tells the service, forgets everything, and leads to the login", async () => {
  const { place, service, tap } = await openApp("/setting", { stored: { ...anna, selectedItem: monthly } });
  await tap(button("Log out"));
  await tap(button("Log out"));
  const seen = () => ({ place: place(), sent: service.sent.length, name: stored()["user_name"] });
  expect({ ...seen(), busy: isBusy(button("Log out")) }).toEqual({
    place: "/setting",
    sent: 0,
    name: "Anna",
    busy: true,
  });
  await pass(499);
  expect(seen()).toEqual({ place: "/setting", sent: 0, name: "Anna" });
  await pass(1);
  expect(service.waiting).toEqual([logout]);
  await service.answer(logout, ok());
  expect({ place: place(), stored: stored(), said: said() }).toEqual({
    place: "/login",
    stored: { selectedItem: monthly },
    said: [],
  });
});

test.each([
  ["says no", { code: 1, message: "No." }],
  ["says that nobody is signed in", nobody],
  ["is lost", "lost"],
  ["fails", 500],
] as const)("logs out though the service %s", async (_, reply) => {
  const { place, tap } = await openApp("/setting", { stored: anna, replies: { [logout]: reply } });
  await tap(button("Log out"));
  await pass(500);
  expect({ place: place(), stored: stored() }).toEqual({ place: "/login", stored: {} });
});

test("the way back does not lead into what was left by logging out", async () => {
  const { back, place, tap } = await openApp("/personal_info", {
    stored: anna,
    replies: { [logout]: ok(), [centre]: userOf("Anna"), [packages]: packagesOf() },
  });
  await tap(link("Settings"));
  await tap(button("Log out"));
  await pass(500);
  await back();
  expect({ place: place(), name: reads("Anna") }).toEqual({ place: "/login", name: false });
});

test.each([
  ["/personal_info", { [centre]: nobody, [packages]: nobody }],
  ["/buy", { [packages]: nobody }],
  [paymentPath, { "/api/order/detail": nobody }],
  ["/billDetail/A100/0/9.99/-", { "/api/order/detail": nobody }],
])("a session that is over ends on %s: told once, forgotten, at the login", async (path, replies) => {
  const { place, history } = await openApp(path, { stored: { ...anna, orders: [kept] }, replies });
  expect({ place: place(), said: said(), stored: stored(), length: history.length }).toEqual({
    place: "/login",
    said: ["Please log in first"],
    stored: { orders: [kept] },
    length: 1,
  });
  await pass(2_000);
  expect(said()).toEqual([]);
});

test("says in Chinese that somebody has to log in", async () => {
  await openApp("/personal_info", { language: "zh-CN", stored: anna, replies: { [centre]: nobody } });
  expect(said()).toEqual(["请先登录"]);
});

test("who is refused again at once is told again, and led to the login", async () => {
  const { place, visit } = await openApp("/buy", { replies: { [packages]: nobody } });
  await pass(1_900);
  await visit("/buy");
  expect(place()).toBe("/login");
  await pass(1_900);
  expect(said()).toEqual(["Please log in first"]);
});

test.each([
  ["en", "You were logged out in another window."],
  ["zh-CN", "账号已在另一个窗口退出登录。"],
] as const)("who is logged out in another window is told so, in %s", async (language, words) => {
  const { place, visit } = await openApp("/setting", { stored: anna, language });
  await storeElsewhere("user_key", null);
  await storeElsewhere("user_name", null);
  expect({ place: place(), said: said() }).toEqual({ place: "/login", said: [words] });
  await pass(2_000);
  await visit("/setting");
  expect(said()).toEqual([language === "en" ? "Please log in first" : "请先登录"]);
});

test("a login that waits is over when somebody logs in in another window; whoever asks for it finds it", async () => {
  const { place, visit } = await openApp("/login");
  await storeElsewhere("user_token", "token2");
  await storeElsewhere("user_name", "Berta");
  expect(place()).toBe("/home");
  await visit("/login");
  expect(place()).toBe("/login");
});

test.each(["/personal_info", "/setting", paymentPath, "/billDetail/A100/0/9.99/-"])(
  "%s is for members only",
  async (path) => {
    const { place, service } = await openApp(path);
    expect({ place: place(), said: said(), sent: service.sent }).toEqual({
      place: "/login",
      said: ["Please log in first"],
      sent: [],
    });
  },
);

test("another tab's account takes the place of this one: nothing of the first stays on the screen", async () => {
  const { service, visit } = await openApp("/personal_info", {
    stored: anna,
    replies: { [centre]: userOf("Anna"), [packages]: packagesOf() },
  });
  await visit("/setting");
  await visit("/personal_info");
  expect(reads("Anna")).toBe(true);
  service.will(centre, userOf("Berta"));
  await storeElsewhere("user_token", "token2");
  await storeElsewhere("user_name", "Berta");
  expect([reads("Anna"), reads("Berta")]).toEqual([false, true]);
});

test("a reply to the account before never reaches the one after", async () => {
  const { service, visit } = await openApp("/personal_info", {
    stored: anna,
    replies: { [packages]: packagesOf() },
  });
  await storeElsewhere("user_token", "token2");
  await service.answer(centre, userOf("Anna"));
  expect(reads("Anna")).toBe(false);
  await visit("/setting");
  expect(title()).toBe("Settings");
});

test("what was kept of a view is forgotten at the login", async () => {
  const { service, tap, type, visit } = await openApp("/buy", {
    replies: { [packages]: packagesOf(monthly), "/api/login": ok({ user: { account_name: "Anna" } }) },
  });
  await tap(screen.getByRole("radio", { name: /Monthly/ }));
  await visit("/login");
  await type(screen.getByRole("textbox", { name: "Account" }), "anna");
  await type(screen.getByLabelText("Password", { selector: "input" }), "12345678");
  await tap(button("Log in"));
  await visit("/buy");
  expect({
    picked: screen.getByRole<HTMLInputElement>("radio").checked,
    read: service.to(packages).length,
  }).toEqual({ picked: false, read: 2 });
});

test("a bill that is left hidden does not end the session of whoever comes after", async () => {
  const { place, service, visit } = await openApp("/billDetail/A100/0/9.99/-", { stored: anna });
  await visit("/service");
  expect(service.waiting).toEqual([]);
  service.will("/api/order/detail", nobody);
  await lookAgain();
  await pass(60_000);
  expect({ place: place(), asked: service.to("/api/order/detail").length }).toEqual({
    place: "/service",
    asked: 1,
  });
});
